/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgcctarget.h"

#include <gst/gcc/gcc-sender-private.h>

#include "gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_target_init (GstGccTarget *self, GstGccElement *owner,
    GccSender *controller, GstGccPacer *pacer, GstGccEncoders *encoders)
{
  *self = (GstGccTarget){
    .owner = owner,
    .controller = controller,
    .pacer = pacer,
    .encoders = encoders,
  };
  gst_gcc_target_start (self);
}

void
gst_gcc_target_start (GstGccTarget *self)
{
  self->applied = GCC_RATE_NONE;
  self->applied_v = GCC_RATE_NONE;
}

/* With the lock held. Returns whether the target has changed since it was
 * applied. */
static gboolean
note_target (GstGccTarget *self, const GccSenderStats *stats)
{
  if (stats->target == self->applied &&
      stats->encoder_target == self->applied_v)
    return FALSE;

  GST_DEBUG_OBJECT (self->owner,
      "target bitrate %" G_GINT64_FORMAT " bit/s, for encoders "
      "%" G_GINT64_FORMAT " bit/s",
      stats->target, stats->encoder_target);
  self->applied = stats->target;
  self->applied_v = stats->encoder_target;
  gst_gcc_messages_note_change (&self->owner->messages);

  return TRUE;
}

static void
apply (GstGccTarget *self)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self->owner));
  gboolean control_fec, running, changed = FALSE, post = FALSE;
  GccSenderStats stats;

  GST_OBJECT_LOCK (self->owner);
  control_fec = self->control_fec;
  GST_OBJECT_UNLOCK (self->owner);

  g_mutex_lock (&self->owner->lock);
  running = self->owner->running;
  if (running) {
    gcc_sender_update (self->controller, now);
    stats = *gcc_sender_get_stats (self->controller);
    changed = note_target (self, &stats);
    post = gst_gcc_messages_take (&self->owner->messages);
  }
  g_mutex_unlock (&self->owner->lock);
  if (!running)
    return;

  gst_gcc_pacer_set_rates (
      self->pacer, stats.target, stats.pacing_rate, stats.padding_rate);
  gst_gcc_encoders_apply (self->encoders, stats.encoder_target,
      control_fec ? (gint) stats.fec_percentage : -1, now);
  if (changed)
    g_object_notify (G_OBJECT (self->owner), "target-bitrate");
  if (post)
    gst_gcc_messages_post (GST_ELEMENT (self->owner));
}

void
gst_gcc_target_apply (GstGccTarget *self)
{
  gint n_seen;

  if (g_atomic_int_add (&self->n_pending, 1) > 0)
    return;

  do {
    n_seen = g_atomic_int_get (&self->n_pending);
    apply (self);
  } while (!g_atomic_int_compare_and_exchange (&self->n_pending, n_seen, 0));
}
