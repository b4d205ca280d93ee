/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-packet-time.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccPathQueueParams:
 * @max_way_back: the round trip may grow by this much more than the way there;
 *   when it grows by more, feedback is late, and only the way there shows the
 *   queue
 * @max_jump: when the way there changes by this much from one feedback to the
 *   next, another clock measures it
 * @max_round_trip: a longer round trip counts as this, because it is the age of
 *   the feedback, or invented
 * @mean_steps: steps in a moving mean
 * @quiet: mean step from one round trip to the next that the call's own frames
 *   make; a larger step is noise of the path
 * @loud: a longer step counts as this, because a queue that other flows fill at
 *   once is no noise
 * @base_window: the least values are those of this time, and at most of twice
 *   this time; the time in which other flows may hold the queue does not count
 * @round: length of a round; on a noisy path the queue is the least of the last
 *   one or two rounds
 * @packet: size of a packet, bytes; a queue of fewer bytes is a packet on its
 *   way
 * @packet_time: the time of a packet, which is no queue
 * @empty: a shorter queue counts as empty
 */
typedef struct {
  GccTime max_way_back;
  GccTime max_jump;
  GccTime max_round_trip;
  gdouble mean_steps;
  GccTime quiet;
  GccTime loud;
  GccTime base_window;
  GccTime round;
  gsize packet;
  GccPacketTimeParams packet_time;
  GccTime empty;
} GccPathQueueParams;

/**
 * GccPathQueue:
 * @round_trip: that of the last feedback, at most @max_round_trip
 * @delay: the same of the way there
 * @queueing: the queueing delay of a packet
 *
 * Measures the queue of a path: the excess of the feedback's round trip over
 * the least of late, because a path may become longer. On a path with jitter a
 * single round trip says little, and the least of some hundred milliseconds counts.
 * The other fields are private.
 */
typedef struct {
  const GccPathQueueParams *params;
  GccWindowedMin base;
  GccWindowedMin base_delay;
  GccTime round_trip;
  GccTime delay;
  GccTime queueing;
  gdouble mean_step;
  /* the least of this round and of the one before, and their mean difference */
  GccWindowedMin round_trips;
  GccWindowedMin delays;
  gdouble mean_round_step;
  GccPacketTime packet_time;
} GccPathQueue;

/**
 * GccPathQueueInput:
 * @round_trip: round trip of the feedback, since the last packet was sent;
 *   above 0
 * @delay: delay of the way there alone, by clocks that need not agree
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @passed: time since the last feedback
 * @keeps_base: whether the least values are kept, however old they are, and
 *   whether @delay jumps or not
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
void gcc_path_queue_set_base (
    GccPathQueue *self, GccTime round_trip, GccTime now);

gboolean gcc_path_queue_is_empty (const GccPathQueue *self);

/* Whether the path delays packets by more than the call's own frames do. */
gboolean gcc_path_queue_is_noisy (const GccPathQueue *self);

/* The mean step of round trips beyond that of the call's own frames; 0 on most
 * paths. */
GccTime gcc_path_queue_get_noise (const GccPathQueue *self);

G_END_DECLS
