/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-fec-control.h>
#include <gst/gcc/gcc-loss-aggregator.h>
#include <gst/gcc/gcc-loss-control.h>
#include <gst/gcc/gcc-queue-loss.h>
#include <gst/gcc/gcc-reporters.h>
#include <gst/gcc/gcc-retransmission.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/gcc-sent-rates.h>
#include <gst/gcc/gcc-sent-streams.h>
#include <gst/gcc/gcc-target.h>

G_BEGIN_DECLS

/**
 * GccProtectionParams:
 * @max_share: of what audio leaves of A_s, what FEC and retransmission take at
 *   most together
 * @queue_share: what retransmission takes of it at most while a queue is what
 *   loses packets; 1: no limit
 */
typedef struct {
  gdouble max_share;
  gdouble queue_share;
} GccProtectionParams;

/* Its stages are part of it, so that nothing is allocated for them. Fields are
 * private to gcc-sender.c. */
struct _GccSender {
  const GccProfile *profile;
  GccSentStreams streams;
  GccReporters reporters;
  GccLossAggregator aggregator;
  GccLossControl loss_control;
  GccTarget target;
  GccSentRates sent;
  GccFecControl fec;
  GccQueueLoss queue_loss;
  GccRetransmission retransmission;
  guint pixels;
  GccTime rtt;
  GccSenderStats stats;
};

/* What gcc_sender_new() and _free() do, for one that is part of something
 * else. */
void gcc_sender_init (GccSender *self, const GccProfile *profile, GccRate min,
    GccRate start, GccRate max);
void gcc_sender_clear (GccSender *self);

G_END_DECLS
