/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The states of the statistics. gcc_state_to_word() has the word for each. */

/* A state that is not known, or that the profile does not have. */
#define GCC_STATE_ABSENT (-1)

/**
 * GccSignal:
 * @GCC_SIGNAL_NORMAL: the queues are neither filling nor draining
 * @GCC_SIGNAL_UNDERUSE: the queues drain
 * @GCC_SIGNAL_OVERUSE: the queues fill
 *
 * The over-use detector's signal, in ascending order of precedence when the
 * streams of one session are combined.
 */
typedef enum {
  GCC_SIGNAL_NORMAL,
  GCC_SIGNAL_UNDERUSE,
  GCC_SIGNAL_OVERUSE,
} GccSignal;

#define GCC_SIGNAL_ABSENT ((GccSignal) GCC_STATE_ABSENT)

/**
 * GccRateControlState:
 * @GCC_RATE_CONTROL_HOLD: A_r is kept
 * @GCC_RATE_CONTROL_INCREASE: A_r is raised
 * @GCC_RATE_CONTROL_DECREASE: A_r is lowered to β · R
 *
 * States of the rate controller's finite state machine.
 */
typedef enum {
  GCC_RATE_CONTROL_HOLD,
  GCC_RATE_CONTROL_INCREASE,
  GCC_RATE_CONTROL_DECREASE,
} GccRateControlState;

/**
 * GccLossEstimateState:
 * @GCC_LOSS_ESTIMATE_DELAY_BASED: loss is no limit
 * @GCC_LOSS_ESTIMATE_DECREASING: loss is the limit, and the rate does not rise
 * @GCC_LOSS_ESTIMATE_INCREASING: loss is the limit, but the rate rises
 * @GCC_LOSS_ESTIMATE_PADDING: the same, and padding should help it to
 */
typedef enum {
  GCC_LOSS_ESTIMATE_DELAY_BASED,
  GCC_LOSS_ESTIMATE_DECREASING,
  GCC_LOSS_ESTIMATE_INCREASING,
  GCC_LOSS_ESTIMATE_PADDING,
} GccLossEstimateState;

#define GCC_LOSS_ESTIMATE_ABSENT ((GccLossEstimateState) GCC_STATE_ABSENT)

/**
 * GccCompetitionState:
 * @GCC_COMPETITION_NONE: the rate follows delay
 * @GCC_COMPETITION_DRAIN: the sender sends less than arrives, to see whether
 *   the queue drains
 * @GCC_COMPETITION_TCP: the queue has not drained: loss-based traffic holds it,
 *   and the rate is that of TCP in the same place
 */
typedef enum {
  GCC_COMPETITION_NONE,
  GCC_COMPETITION_DRAIN,
  GCC_COMPETITION_TCP,
} GccCompetitionState;

#define GCC_COMPETITION_ABSENT ((GccCompetitionState) GCC_STATE_ABSENT)

/**
 * GccVerdict:
 * @GCC_VERDICT_NONE: there was no drain and no test of losses
 * @GCC_VERDICT_OWN: this call alone holds the queue, or loses the packets
 * @GCC_VERDICT_OTHERS: other flows do
 * @GCC_VERDICT_LONGER_PATH: there is no queue, the path has become longer
 * @GCC_VERDICT_SLOWER_LINK: the link has become slower, and is drained again
 * @GCC_VERDICT_UNKNOWN: nothing is known: as much was sent as before, or too few
 *   packets were, or a queue may have lost them
 * @GCC_VERDICT_LOSSY_PATH: the path loses the packets, at any rate
 *
 * The result of the last drain of a queue, or of the last test of losses.
 */
typedef enum {
  GCC_VERDICT_NONE,
  GCC_VERDICT_OWN,
  GCC_VERDICT_OTHERS,
  GCC_VERDICT_LONGER_PATH,
  GCC_VERDICT_SLOWER_LINK,
  GCC_VERDICT_UNKNOWN,
  GCC_VERDICT_LOSSY_PATH,
} GccVerdict;

#define GCC_VERDICT_ABSENT ((GccVerdict) GCC_STATE_ABSENT)

/**
 * GccReason:
 * @GCC_REASON_START: the rate has not changed since the start
 * @GCC_REASON_LIMITS: the application has set other limits, or a rate to go on
 *   from
 * @GCC_REASON_GROWTH: delay and loss allow a higher rate
 * @GCC_REASON_PROBE: a probe has measured the path
 * @GCC_REASON_OVERUSE: a queue grows on the path
 * @GCC_REASON_LOSS: packets are lost
 * @GCC_REASON_ROUND_TRIP: the round trip is too long; in published generations
 *   also: transport-wide feedback has been missing for as long
 * @GCC_REASON_REMB: the receiver asks for less, or allows more
 * @GCC_REASON_SILENCE: packets leave, and no feedback comes, or reports show
 *   no packet that arrives
 * @GCC_REASON_DRAIN: a queue stands, or packets are lost; less is sent for a
 *   moment, to see whether other flows are the cause
 * @GCC_REASON_DRAIN_OVER: the drain has ended, and the rate is its result
 * @GCC_REASON_TCP: loss-based traffic holds the queue, and the rate is a share
 *   beside it
 * @GCC_REASON_ECN: packets have come with CE marks
 *
 * The reason of the last change of A_s, for people to read; no rate depends on
 * it.
 */
typedef enum {
  GCC_REASON_START,
  GCC_REASON_LIMITS,
  GCC_REASON_GROWTH,
  GCC_REASON_PROBE,
  GCC_REASON_OVERUSE,
  GCC_REASON_LOSS,
  GCC_REASON_ROUND_TRIP,
  GCC_REASON_REMB,
  GCC_REASON_SILENCE,
  GCC_REASON_DRAIN,
  GCC_REASON_DRAIN_OVER,
  GCC_REASON_TCP,
  GCC_REASON_ECN,
} GccReason;

/**
 * GccFeedback:
 * @GCC_FEEDBACK_REMB: REMB and receiver reports
 * @GCC_FEEDBACK_TRANSPORT_CC: transport-wide feedback
 * @GCC_FEEDBACK_CCFB: reports of RFC 8888
 *
 * The feedback that A_s follows.
 */
typedef enum {
  GCC_FEEDBACK_REMB,
  GCC_FEEDBACK_TRANSPORT_CC,
  GCC_FEEDBACK_CCFB,
} GccFeedback;

/**
 * GccEcnState:
 * @GCC_ECN_OFF: packets leave as Not-ECT
 * @GCC_ECN_TESTING: they leave with ECT(1), and no report shows it yet
 * @GCC_ECN_CAPABLE: reports show ECT(1), or CE
 * @GCC_ECN_BLEACHED: reports show another codepoint; packets leave as Not-ECT
 * @GCC_ECN_DROPPED: packets with ECT(1) do not arrive; they leave as Not-ECT until
 *   the next test
 * @GCC_ECN_ALWAYS_MARKED: CE comes whatever the rate is; packets leave as Not-ECT
 *
 * The use of ECT(1) on a path, as far as reports have shown that it passes.
 */
typedef enum {
  GCC_ECN_OFF,
  GCC_ECN_TESTING,
  GCC_ECN_CAPABLE,
  GCC_ECN_BLEACHED,
  GCC_ECN_DROPPED,
  GCC_ECN_ALWAYS_MARKED,
} GccEcnState;

G_END_DECLS
