/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-cubic-flow.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-windowed-min.h>
#include <gst/gcc/path/gcc-loss-test.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccTcpShareParams:
 * @min_queueing: RTT above its least that is a queue
 * @empty_queueing: RTT above its least that is none any more
 * @rtt_window: the least RTT is that of at least this long
 * @steady: a queue that varies by less than this is none: the path has become
 *   longer
 * @steady_time: in so long
 * @min_time: a queue that stays for so long is held by others
 * @alone: for so long there has to be none for that to be known
 * @pacing_factor: pacing rate as a multiple of A_s beside others, whose queue
 *   frames would overflow; 0 is no pacing
 * @own_pacing_factor: the same once a test has told that a queue of ours alone
 *   loses packets: it is too short for a frame
 * @test: whether a shorter queue is what loses packets
 * @cubic: whose share it is
 */
typedef struct {
  GccTime min_queueing;
  GccTime empty_queueing;
  GccTime rtt_window;
  GccTime steady;
  GccTime steady_time;
  GccTime min_time;
  GccTime alone;
  gdouble pacing_factor;
  gdouble own_pacing_factor;
  GccLossTestParams test;
  GccCubicFlowParams cubic;
} GccTcpShareParams;

/**
 * GccTcpShare:
 *
 * What receiver reports tell of loss-based traffic, and what to do beside it. A
 * queue that stays although A_r follows delay, and that loses packets, is held
 * by others who only stop at loss: then A_s is no more than the mean of what
 * CUBIC (RFC 9438) would have with the losses and the round trip that there
 * are. So it is in a shorter queue that loses less when less is sent. What the
 * path loses at any rate is none of their doing, and is left alone. The same is done with
 * transport-wide feedback by gcc-competition.h, which can do more: it drains the
 * queue to see whose it is. Fields are private.
 */
typedef struct {
  const GccTcpShareParams *params;
  GccWindowedMin least_rtt;
  GccTime rtt;
  GccTime queue_since;
  GccTime alone_since;
  gboolean is_beside_tcp;
  /* round trips of the last @steady_time */
  GccDelayRange rtts;
  GccTime last_report;
  GccLossTest test;
  GccCubicFlow cubic;
} GccTcpShare;

void gcc_tcp_share_init (GccTcpShare *self, const GccTcpShareParams *params);

/**
 * gcc_tcp_share_feed_report:
 * @target: A_s, bit/s
 *
 * Returns: what A_s is again after a test that this report has ended, bit/s: see
 * gcc_loss_test_feed_report(); else %GCC_RATE_NONE
 */
GccRate gcc_tcp_share_feed_report (GccTcpShare *self,
    const GccLossReport *report, GccRate target, GccTime now);

/* Loss of the path itself, as far as it has been tested: 0 to 1. */
gdouble gcc_tcp_share_get_path_loss (const GccTcpShare *self, GccTime now);

/* %GCC_COMPETITION_DRAIN while it is tested what loses packets. */
GccCompetitionState gcc_tcp_share_get_state (const GccTcpShare *self);

/* What A_s may be at most, bit/s: the share beside others, less while that is
 * tested, and less than arrived for a while after a short queue was our own;
 * %GCC_RATE_NONE otherwise. */
GccRate gcc_tcp_share_get_rate (const GccTcpShare *self);

/* Why that rate is set or released. */
GccReason gcc_tcp_share_get_reason (const GccTcpShare *self);

/* At which packets are to leave beside others, or into a queue of ours that is too
 * short for a frame, bit/s; %GCC_RATE_NONE otherwise.
 * @target: A_s, bit/s */
GccRate gcc_tcp_share_get_pacing_rate (const GccTcpShare *self, GccRate target);

G_END_DECLS
