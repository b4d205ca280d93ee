/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccStory:
 *
 * The story of a call in the log at INFO: feedback begins and stops; a probe is
 * asked for, has a result or is given up; A_s falls, and why. The fields hold
 * what has been logged; the caller's lock protects them.
 */
typedef struct {
  GccRate target;
  gboolean has_feedback;
  GccFeedback feedback;
  guint64 n_probes;
  guint64 n_probe_results;
  guint64 n_probes_abandoned;
} GstGccStory;

/* Nothing has been logged. */
void gst_gcc_story_start (GstGccStory *self);

/* Logs the news in @stats of gccsender @owner. */
void gst_gcc_story_tell (
    GstGccStory *self, GstObject *owner, const GccSenderStats *stats);

G_END_DECLS
