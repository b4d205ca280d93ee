/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccstory.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_story_start (GstGccStory *self)
{
  *self = (GstGccStory){ .target = GCC_RATE_NONE };
}

static const gchar *
to_word (GccFeedback feedback)
{
  return gcc_state_to_word (GCC_COLUMN_FEEDBACK, (gint) feedback);
}

static void
tell_feedback (
    const GstGccStory *self, GstObject *owner, const GccSenderStats *stats)
{
  if (self->has_feedback && !stats->has_feedback)
    GST_INFO_OBJECT (owner, "feedback stops");
  else if (!self->has_feedback && stats->has_feedback)
    GST_INFO_OBJECT (
        owner, "feedback begins: A_s follows %s", to_word (stats->feedback));
  else if (stats->has_feedback && self->feedback != stats->feedback)
    GST_INFO_OBJECT (owner, "feedback changes: A_s follows %s, not %s",
        to_word (stats->feedback), to_word (self->feedback));
}

static void
tell_probes (
    const GstGccStory *self, GstObject *owner, const GccSenderStats *stats)
{
  if (stats->probes_abandoned > self->n_probes_abandoned)
    GST_INFO_OBJECT (owner, "probe given up: %s", stats->probe_abandoned);
  if (stats->probe_results > self->n_probe_results)
    GST_INFO_OBJECT (
        owner, "probe measured: %" G_GINT64_FORMAT " bit/s", stats->probe);
  if (stats->probes > self->n_probes)
    GST_INFO_OBJECT (owner,
        "probe asked: number %" G_GUINT64_FORMAT ", %" G_GINT64_FORMAT " bit/s",
        stats->probes, stats->probe_asked);
}

static void
tell_fall (
    const GstGccStory *self, GstObject *owner, const GccSenderStats *stats)
{
  if (stats->target < self->target)
    GST_INFO_OBJECT (owner,
        "A_s falls from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT " bit/s: %s",
        self->target, stats->target,
        gcc_state_to_word (GCC_COLUMN_REASON, (gint) stats->reason));
}

void
gst_gcc_story_tell (
    GstGccStory *self, GstObject *owner, const GccSenderStats *stats)
{
  tell_feedback (self, owner, stats);
  tell_probes (self, owner, stats);
  tell_fall (self, owner, stats);
  *self = (GstGccStory){
    .target = stats->target,
    .has_feedback = stats->has_feedback,
    .feedback = stats->feedback,
    .n_probes = stats->probes,
    .n_probe_results = stats->probe_results,
    .n_probes_abandoned = stats->probes_abandoned,
  };
}
