/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-experiment.h>

G_BEGIN_DECLS

/**
 * GccStandingQueueDrainParams:
 * @share: share of R for which the receiver asks during a drain, 0 to 1; below
 *   1
 * @response: greatest time from the request to the arrival of the lower rate
 * @max_duration: greatest time that a queue takes to drain
 * @drained: greatest share of the queue that is left when this call alone held
 *   it, 0 to 1
 * @still: the path has become longer when the least delays of the windows in a
 *   drain (#GccStandingQueueParams.window) vary by less than this
 * @follows: a sender does not follow the request when more than this share of R
 *   arrives at the end of a drain
 * @again: least time before a sender that does not follow is asked again
 * @takes: the link has become slower when less than this share of the requested
 *   rate arrives; the queue is then drained again
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
} GccStandingQueueDrainParams;

/**
 * GccStandingQueueOwnParams:
 * @share: A_r is set to this share of R, 0 to 1
 * @least: R counts as at least this share of the R before the drain, 0 to 1
 *
 * The rate after a queue of this call alone has drained.
 */
typedef struct {
  gdouble share;
  gdouble least;
} GccStandingQueueOwnParams;

/**
 * GccStandingQueueOthersParams:
 * @first_share: A_r is set to this share of R when a drain shows that other
 *   flows hold the queue
 * @first_interval: time from that result to the next drain
 * @test_interval: time between drains after that
 *
 * The rate while other flows hold the queue.
 */
typedef struct {
  gdouble first_share;
  GccTime first_interval;
  GccTime test_interval;
} GccStandingQueueOthersParams;

/**
 * GccStandingQueueParams:
 * @window: a queue stands when it has not been shorter than @min_queueing for
 *   this long
 * @min_queueing: a standing queue that is longer than this is drained
 * @empty_queueing: the queue has drained when it is this short
 * @least_window: time over which the least delay is taken, above which there is
 *   a queue
 * @drain: how a queue is drained, and how the result is read
 * @own: rate after a queue of this call alone has drained
 * @others: rate while other flows hold the queue
 */
typedef struct {
  GccTime window;
  GccTime min_queueing;
  GccTime empty_queueing;
  GccTime least_window;
  GccStandingQueueDrainParams drain;
  GccStandingQueueOwnParams own;
  GccStandingQueueOthersParams others;
} GccStandingQueueParams;

/**
 * GccStandingQueueResult:
 * @state: %GCC_COMPETITION_DRAIN: A_r stays at @rate. %GCC_COMPETITION_TCP:
 *   other flows cause the over-use
 * @rate: A_r from here on, bit/s
 * @is_path_longer: whether the delay above the least is that of a longer path,
 *   not of a queue
 */
typedef struct {
  GccCompetitionState state;
  GccRate rate;
  gboolean is_path_longer;
} GccStandingQueueResult;

/**
 * GccStandingQueue:
 *
 * The rule of a receiver for a standing queue. A queue of this call alone
 * drains when the receiver asks the sender for less than arrives. Such a queue
 * is drained at once.
 *
 * A queue that stays is held by loss-based traffic. Delay carries no
 * information then, and the sender, which sees losses and the round trip, knows
 * its share. Fields are private.
 */
typedef struct {
  const GccStandingQueueParams *params;
  GccStandingQueueResult result;
  GccVerdict verdict;
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
  GccRate tcp_rate;
  GccTime tcp_end;
} GccStandingQueue;

void gcc_standing_queue_init (
    GccStandingQueue *self, const GccStandingQueueParams *params);

/**
 * gcc_standing_queue_update:
 * @queueing: delay of one packet above the least so far
 * @rate: received rate, bit/s; %GCC_RATE_NONE while unknown
 * @estimate: A_r, bit/s
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: (nullable): the result, when it has changed
 */
const GccStandingQueueResult *gcc_standing_queue_update (GccStandingQueue *self,
    GccTime queueing, GccRate rate, GccRate estimate, GccTime now);

GccCompetitionState gcc_standing_queue_get_state (const GccStandingQueue *self);

/* The result of the last drain. */
GccVerdict gcc_standing_queue_get_verdict (const GccStandingQueue *self);

/* Whether A_r is set by the last result alone. */
gboolean gcc_standing_queue_sets_rate (const GccStandingQueue *self);

G_END_DECLS
