/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccQueueLossParams:
 * @min_loss: fraction lost from which a queue may be the cause, 0 to 1
 * @min_queueing: RTT above its least at which a queue is the cause
 * @rtt_window: the least RTT is that of at least this long, and at most of
 *   twice that
 * @min_fall: a queue is also the cause when a REMB is below this times the one
 *   before
 * @hold: time for which the result holds
 */
typedef struct {
  gdouble min_loss;
  GccTime min_queueing;
  GccTime rtt_window;
  gdouble min_fall;
  GccTime hold;
} GccQueueLossParams;

/**
 * GccQueueLoss:
 *
 * Whether packets are lost because a queue is full: much is lost, and at the
 * same time the RTT is well above its least or the receiver has lowered A_r.
 * Loss alone is random loss, and delay alone is a queue that loses nothing.
 * Fields are private.
 */
typedef struct {
  const GccQueueLossParams *params;
  GccWindowedMin least_rtt;
  GccRate remb;
  GccTime last_fall;
  GccTime last_full;
} GccQueueLoss;

void gcc_queue_loss_init (GccQueueLoss *self, const GccQueueLossParams *params);

/* Takes A_r, bit/s; %GCC_RATE_NONE: there is none any more. */
void gcc_queue_loss_feed_remb (GccQueueLoss *self, GccRate remb, GccTime now);

/* Takes the round-trip time of a report. */
void gcc_queue_loss_feed_rtt (GccQueueLoss *self, GccTime rtt, GccTime now);

/**
 * gcc_queue_loss_feed_loss:
 * @fraction_lost: of a report, 0 to 1
 * @rtt: the last round-trip time; negative: not known
 */
void gcc_queue_loss_feed_loss (
    GccQueueLoss *self, gdouble fraction_lost, GccTime rtt, GccTime now);

/* Whether a full queue has recently lost packets. */
gboolean gcc_queue_loss_is_full (const GccQueueLoss *self, GccTime now);

G_END_DECLS
