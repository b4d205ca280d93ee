/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-experiment.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccHolderDrainParams:
 * @share: share of R that is sent during a drain, 0 to 1; below 1
 * @response: greatest time from the begin of a drain to the arrival of the lower
 *   rate
 * @max_duration: greatest time that a queue takes to drain
 * @drained: greatest share of the queue that is left when this call alone held
 *   it, 0 to 1
 * @still: the path has become longer when the least delays of the windows in a
 *   drain (#GccHolderParams.window) vary by less than this
 * @follows: the sender has followed when at most this share of R arrives at the
 *   end of a drain
 * @again: least time before a sender that has not followed is asked again
 * @takes: the link has become slower when less than this share of the rate of
 *   the drain arrives; the queue is then drained again
 *
 * How a queue is drained, and how the result is read.
 */
typedef struct {
  gdouble share;
  GccTime response;
  GccTime max_duration;
  gdouble drained;
  GccTime still;
  gdouble follows;
  GccTime again;
  gdouble takes;
} GccHolderDrainParams;

/**
 * GccHolderOwnParams:
 * @share: share of R that is sent after a queue of this call alone has drained,
 *   0 to 1
 * @least: R counts as at least this share of the R before the drain, 0 to 1
 *
 * The rate after a queue of this call alone has drained.
 */
typedef struct {
  gdouble share;
  gdouble least;
} GccHolderOwnParams;

/**
 * GccHolderOthersParams:
 * @first_share: first rate beside other flows, as a share of the R before the
 *   drain that has found them
 * @first_interval: time from that result to the next drain
 * @test_interval: time between drains after that
 *
 * The rate while other flows hold the queue.
 */
typedef struct {
  gdouble first_share;
  GccTime first_interval;
  GccTime test_interval;
} GccHolderOthersParams;

/**
 * GccHolderParams:
 * @window: a queue stands when it has not been shorter than @min_queueing for
 *   this long
 * @min_queueing: a standing queue that is longer than this is drained
 * @empty_queueing: the queue has drained when it is this short
 * @drain: how a queue is drained, and how the result is read
 * @own: rate after a queue of this call alone has drained
 * @others: rate while other flows hold the queue
 */
typedef struct {
  GccTime window;
  GccTime min_queueing;
  GccTime empty_queueing;
  GccHolderDrainParams drain;
  GccHolderOwnParams own;
  GccHolderOthersParams others;
} GccHolderParams;

/**
 * GccHolderInput:
 * @queueing: queueing delay of a packet
 * @rate: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @estimate: the present rate, A_r or A_s, bit/s; %GCC_RATE_NONE while unknown
 * @is_due: whether a queue is drained now that has not stood for a window, or
 *   beside other flows
 */
typedef struct {
  GccTime queueing;
  GccRate rate;
  GccRate estimate;
  gboolean is_due;
} GccHolderInput;

/**
 * GccHolderResult:
 * @state: %GCC_COMPETITION_DRAIN: the rate stays at @rate.
 *   %GCC_COMPETITION_TCP: other flows cause the over-use
 * @rate: the rate from here on, bit/s
 * @is_first: whether other flows are new: @rate is a first guess
 * @is_path_longer: whether the delay above the least is that of a longer path,
 *   not of a queue
 */
typedef struct {
  GccCompetitionState state;
  GccRate rate;
  gboolean is_first;
  gboolean is_path_longer;
} GccHolderResult;

/**
 * GccHolder:
 * @result: the last one
 * @experiment: the last drain
 * @rate_before: R(t) before it, bit/s; %GCC_RATE_NONE if there was none
 *
 * Finds out who holds the queue. A queue of this call alone drains when less is sent than
 * arrives, for a moment. Such a queue is drained at once.
 *
 * A queue that stays is held by loss-based traffic. Delay carries no
 * information then, and a flow that follows it starves.
 *
 * Either end has a holder: the receiver asks for less in A_r, the sender that
 * measures sends less. The other fields are private.
 */
typedef struct {
  const GccHolderParams *params;
  GccHolderResult result;
  GccExperiment experiment;
  GccDelayRange window;
  GccDelayRange drained;
  GccTime since;
  gboolean has_changed;
  GccTime unfollowed;
  GccTime longest;
  GccTime last_window;
  GccRate rate_before;
  GccRate estimate_before;
  gboolean was_tcp;
  gboolean is_first;
  GccRate tcp_rate;
  GccTime tcp_end;
} GccHolder;

void gcc_holder_init (GccHolder *self, const GccHolderParams *params);

/**
 * gcc_holder_feed:
 *
 * Takes one packet at the receiver, or one feedback at the sender, in the order
 * of arrival.
 *
 * Returns: (nullable): the result, when it has changed
 */
const GccHolderResult *gcc_holder_feed (
    GccHolder *self, const GccHolderInput *input, GccTime now);

/* Beside other flows the caller has found that there is no queue, because the
 * path has become longer. Returns the result. */
const GccHolderResult *gcc_holder_set_longer_path (
    GccHolder *self, GccTime now);

/* Whether the rate is that of the last result alone. */
gboolean gcc_holder_sets_rate (const GccHolder *self);

/* Whether other flows hold the queue, or have held it a moment ago. A queue that
 * was empty for a moment may still be theirs. */
gboolean gcc_holder_is_beside_others (const GccHolder *self, GccTime now);

const gchar *gcc_competition_state_to_string (GccCompetitionState state);

/* The reason of a change of the rate that is computed in @state. */
GccReason gcc_competition_state_to_reason (GccCompetitionState state);

G_END_DECLS
