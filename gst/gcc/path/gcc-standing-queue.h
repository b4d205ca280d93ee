/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-delay-range.h>

G_BEGIN_DECLS

/**
 * GccStandingQueueDrainParams:
 * @share: share of R that is asked for meanwhile, 0 to 1; below 1
 * @response: until what was asked for has arrived, at most
 * @max_duration: a queue takes no longer to drain
 * @drained: share of the queue that is left at most when it was ours, 0 to 1
 * @still: where the least delay of each #GccStandingQueueParams.window varies by
 *   less in a drain, the path has become longer
 * @follows: more than this share of R arrives at the end of a drain of a sender
 *   who does not do as it is asked
 * @again: a sender who does not follow is not asked again before this
 * @takes: less than this share of what was asked for arrives of a link that has
 *   become slower, which is to be drained again
 *
 * How a queue is drained, and what that tells.
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
 * @share: share of R that A_r is then, 0 to 1
 * @least: share of R before the drain, that counts at least there, 0 to 1
 *
 * What is done when a queue of ours has drained.
 */
typedef struct {
  gdouble share;
  gdouble least;
} GccStandingQueueOwnParams;

/**
 * GccStandingQueueOthersParams:
 * @first_share: share of R that A_r is when it turns out that others hold the queue
 * @first_interval: until it is tested again that they do
 * @test_interval: between drains after that
 *
 * What is done while others hold the queue.
 */
typedef struct {
  gdouble first_share;
  GccTime first_interval;
  GccTime test_interval;
} GccStandingQueueOthersParams;

/**
 * GccStandingQueueParams:
 * @window: a queue stands that has not been shorter for so long
 * @min_queueing: a longer one is drained
 * @empty_queueing: it has drained when it is this short
 * @least_window: of the least delay, above which there is a queue
 * @drain: how it is drained, and what that tells
 * @own: what is done when it was ours
 * @others: what is done while others hold it
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
 *   over-use is that of others
 * @rate: what A_r is from here on, bit/s
 * @is_path_longer: what is above the least delay is no queue
 */
typedef struct {
  GccCompetitionState state;
  GccRate rate;
  gboolean is_path_longer;
} GccStandingQueueResult;

/**
 * GccStandingQueue:
 *
 * What a receiver does about a queue that stands. One of the sender's own drains
 * when the sender is asked for less than arrives: then it is drained, at once. One
 * that stays is held by others who only stop at loss: delay says nothing there, and
 * the sender, who sees losses and the round trip, knows its share. Fields are
 * private.
 */
typedef struct {
  const GccStandingQueueParams *params;
  GccStandingQueueResult result;
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
 * @queueing: delay of one packet above the least there has been
 * @rate: what arrives, bit/s; %GCC_RATE_NONE while unknown
 * @estimate: A_r, bit/s
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: (nullable): what to do, when that has changed
 */
const GccStandingQueueResult *gcc_standing_queue_update (GccStandingQueue *self,
    GccTime queueing, GccRate rate, GccRate estimate, GccTime now);

GccCompetitionState gcc_standing_queue_get_state (const GccStandingQueue *self);

/* Whether A_r is what the last result says, and nothing else. */
gboolean gcc_standing_queue_sets_rate (const GccStandingQueue *self);

G_END_DECLS
