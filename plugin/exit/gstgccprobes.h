/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "control/gstgcccontroller.h"

G_BEGIN_DECLS

/*
 * GstGccProbes:
 * @controller: decides when to probe; its lock is held in all functions
 * @is_on: whether probes can be sent at all
 * @left: bytes that still leave together
 * @n_at_once: number of packets in a row that were due at once
 *
 * The pacer's state of probe clusters: when their packets leave, and how many
 * bytes at a time.
 */
typedef struct {
  GstGccController *controller;
  gboolean is_on;
  gsize left;
  guint n_at_once;
} GstGccProbes;

void gst_gcc_probes_init (GstGccProbes *self, GstGccController *controller);

/* Whether probes can be sent from now on. */
void gst_gcc_probes_set_on (GstGccProbes *self, gboolean is_on);

/* Pacing rate, bit/s; %GCC_RATE_NONE: the controller has none. */
GccRate gst_gcc_probes_get_pacing_rate (const GstGccProbes *self);

/* Whether media waits for feedback because too much is in flight. */
gboolean gst_gcc_probes_is_window_full (const GstGccProbes *self);

/* A packet of @bytes has been queued at @now: a cluster may begin. */
void gst_gcc_probes_feed_queued (GstGccProbes *self, gsize bytes, GccTime now);

/* When a packet of a cluster leaves next, @now or later; %GCC_TIME_NONE: there
 * is no cluster. */
GccTime gst_gcc_probes_get_next (GstGccProbes *self, GccTime now);

/* Bytes that leave together, less those that have left. */
gsize gst_gcc_probes_get_left (const GstGccProbes *self);

/* A packet of @bytes leaves for a cluster, when it was due. */
void gst_gcc_probes_feed_sent (GstGccProbes *self, gsize bytes);

G_END_DECLS
