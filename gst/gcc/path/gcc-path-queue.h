/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccPathQueueParams:
 * @max_way_back: the round trip may grow by so much more than the way there: else
 *   feedback is late, and says nothing of the queue
 * @max_jump: where the way there changes by so much from one feedback to the next,
 *   another clock measures it
 * @max_round_trip: a longer one counts as this: it is the age of the feedback, or
 *   invented
 * @mean_steps: steps in a moving mean
 * @quiet: mean step from one round trip to the next that our own frames make; a
 *   larger one is noise of the path
 * @loud: a longer step counts as this: a queue that others fill at once is none
 * @round: on a noisy path the queue is the least of the last one or two rounds of
 *   this length
 * @packet: a queue of fewer bytes is a packet on its way
 * @link_memory: for about so long a high R(t) is what the link takes
 * @empty: a shorter queue is empty
 */
typedef struct {
  GccTime max_way_back;
  GccTime max_jump;
  GccTime max_round_trip;
  gdouble mean_steps;
  GccTime quiet;
  GccTime loud;
  GccTime round;
  gsize packet;
  GccTime link_memory;
  GccTime empty;
} GccPathQueueParams;

/**
 * GccPathQueue:
 *
 * The queue of a path, from the round trips of its feedback: how much longer they
 * are than the least. Where round trips jump about, single ones say little; the
 * least of some hundred milliseconds does. Fields are private.
 */
typedef struct {
  const GccPathQueueParams *params;
  GccTime least_round_trip;
  GccTime least_delay;
  GccTime round_trip;
  GccTime delay;
  GccTime queueing;
  gdouble mean_step;
  /* the least of this round and the one before, and how much they differ */
  GccWindowedMin round_trips;
  GccWindowedMin delays;
  gdouble mean_round_step;
  gdouble link_rate;
} GccPathQueue;

/**
 * GccPathQueueInput:
 * @round_trip: of the feedback, from when the last packet was sent; above 0
 * @delay: of the way there alone, by clocks that need not agree
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @passed: since the last feedback
 * @keeps_base: whether a jump of @delay leaves the base as it is
 */
typedef struct {
  GccTime round_trip;
  GccTime delay;
  GccRate acknowledged;
  GccTime passed;
  gboolean keeps_base;
} GccPathQueueInput;

void gcc_path_queue_init (GccPathQueue *self, const GccPathQueueParams *params);

/* Takes one feedback. */
void gcc_path_queue_update (
    GccPathQueue *self, const GccPathQueueInput *input, GccTime now);

/* The path has become longer: @round_trip is that of an empty queue. */
void gcc_path_queue_set_base (GccPathQueue *self, GccTime round_trip);

/* How long a packet waits. */
GccTime gcc_path_queue_get (const GccPathQueue *self);
gboolean gcc_path_queue_is_empty (const GccPathQueue *self);

/* The mean step of round trips beyond the one that our own frames make; 0 on most
 * paths. */
GccTime gcc_path_queue_get_noise (const GccPathQueue *self);

/* Of the last feedback, at most @max_round_trip. */
GccTime gcc_path_queue_get_round_trip (const GccPathQueue *self);
GccTime gcc_path_queue_get_delay (const GccPathQueue *self);

G_END_DECLS
