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
#include <gst/gcc/path/gcc-experiment.h>
#include <gst/gcc/path/gcc-windowed-min.h>
#include <gst/gcc/path/gcc-loss-test.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccTcpShareParams:
 * @min_queueing: least RTT above its least when there is a queue
 * @empty_queueing: greatest RTT above its least when the queue is empty again
 * @rtt_window: least time over which the least RTT is taken
 * @steady: when the RTT varies by less than this for @steady_time, the path has
 *   become longer, and there is no queue
 * @steady_time: time over which the variation of the RTT is taken
 * @min_time: other flows hold a queue that stays for this long
 * @alone: least time without a queue before A_s counts as the rate of the link
 * @pacing_factor: pacing rate beside other flows, as a multiple of A_s, because
 *   frames would overflow their queue; 0: no pacing
 * @own_pacing_factor: the same after a test has shown that a queue of this call
 *   alone loses packets, because it is too short for a frame
 * @test: whether a shorter queue loses the packets
 * @cubic: the CUBIC flow whose mean rate is the share
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
 * Finds loss-based traffic by receiver reports, and the rate beside it. A queue
 * that stays although A_r follows delay, and that loses packets, is held by
 * loss-based traffic. A_s then is at most the mean rate of CUBIC (RFC 9438)
 * with the present losses and round trip.
 *
 * The same bound holds in a shorter queue that loses less when less is sent.
 * The loss of the path itself, at any rate, sets no bound.
 *
 * With transport-wide feedback gcc-competition.h does the same and more: it
 * drains the queue to find the holder. Fields are private.
 */
typedef struct {
  const GccTcpShareParams *params;
  GccWindowedMin least_rtt;
  GccTime rtt;
  GccTime queue_since;
  GccTime alone_since;
  gboolean is_beside_tcp;
  GccExperiment experiment;
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
 * Returns: A_s from here on, after a test that this report has ended, bit/s:
 * see gcc_loss_test_feed_report(); otherwise %GCC_RATE_NONE
 */
GccRate gcc_tcp_share_feed_report (GccTcpShare *self,
    const GccLossReport *report, GccRate target, GccTime now);

/* Loss of the path itself, as far as it has been tested: 0 to 1. */
gdouble gcc_tcp_share_get_path_loss (const GccTcpShare *self, GccTime now);

/* How the holder was found last. */
GccVerdict gcc_tcp_share_get_verdict (const GccTcpShare *self);

/* %GCC_COMPETITION_DRAIN while a test looks for the cause of loss. */
GccCompetitionState gcc_tcp_share_get_state (const GccTcpShare *self);

/* Upper bound of A_s, bit/s: the share beside other flows, or the lower rate of
 * a test. For a while after a short queue of this call alone, the bound is
 * below the received rate. %GCC_RATE_NONE: no bound. */
GccRate gcc_tcp_share_get_rate (const GccTcpShare *self);

/* The reason for which that bound is set or released. */
GccReason gcc_tcp_share_get_reason (const GccTcpShare *self);

/* The pacing rate beside other flows, or into a queue of this call that is too
 * short for a frame, bit/s; %GCC_RATE_NONE otherwise. @target: A_s, bit/s */
GccRate gcc_tcp_share_get_pacing_rate (const GccTcpShare *self, GccRate target);

G_END_DECLS
