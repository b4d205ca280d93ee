/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-cubic-flow.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-holder.h>
#include <gst/gcc/path/gcc-path-queue.h>

G_BEGIN_DECLS

/**
 * GccCompetitionLongerPathParams:
 * @steady: the path has become longer when round trips vary by less than this
 *   for @steady_time, unless packets are lost when the queue is longest
 * @steady_time: least time for which they do, from the last drain on
 * @full_at: other flows fill the queue when the mean round trip at losses is
 *   above this place in the range of all round trips, 0 to 1
 * @max_loss: other flows fill the queue, too, when the fraction lost since the
 *   last test is at least this, 0 to 1: a path that becomes longer loses no
 *   more than before
 * @undrained: least share of the queue that a drain leaves when the path has
 *   become longer, 0 to 1. A drain leaves less of a queue of other flows,
 *   because this call sends less into it
 * @still: on a longer path the delay of the way there then varies by less than
 *   this; 0: @undrained is not used
 * @still_time: least time for which the delay varies so little
 *
 * When a longer path explains a queue that seems to be held by other flows.
 */
typedef struct {
  GccTime steady;
  GccTime steady_time;
  gdouble full_at;
  gdouble max_loss;
  gdouble undrained;
  GccTime still;
  GccTime still_time;
} GccCompetitionLongerPathParams;

/**
 * GccCompetitionParams:
 * @queue: how the length of the queue is measured
 * @holder: whose the queue is
 * @share: the CUBIC flow whose mean rate is sent beside other flows
 * @starved: the link has become slower when for this time less of the share
 *   arrives than a drain would ask for
 * @longer_path: when the path has become longer instead
 * @lossy_time: time for which a queue that has lost packets counts as one that
 *   does
 */
typedef struct {
  GccPathQueueParams queue;
  GccHolderParams holder;
  GccCubicFlowParams share;
  GccCompetitionLongerPathParams longer_path;
  GccTime starved;
  GccTime lossy_time;
} GccCompetitionParams;

/**
 * GccCompetitionInput:
 * @is_overused: whether the over-use detector signals over-use
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @round_trip: round trip of the feedback; negative while unknown; 0 counts as
 *   unknown
 * @delay: delay of the way there alone, by clocks that need not agree
 * @n_lost: packets that the feedback shows as lost
 * @n_arrived: packets that the feedback shows as arrived
 * @in_alr: whether the application limits the rate
 * @target: A_s, bit/s
 */
typedef struct {
  gboolean is_overused;
  GccRate acknowledged;
  GccTime round_trip;
  GccTime delay;
  guint n_lost;
  guint n_arrived;
  gboolean in_alr;
  GccRate target;
} GccCompetitionInput;

/**
 * GccCompetition:
 * @queue: the queue: the excess of the round trip over its least or, while feedback is
 *   late, that of the way there
 * @holder: its holder, and the last drain
 * @capacity: rate of the path, as shown by the drain of a queue of this call, bit/s;
 *   %GCC_RATE_NONE where other flows have held the queue since, because the received
 *   rate then depends on them
 *
 * The queue of a sender that measures, its holder, and the rate beside other
 * flows: the mean rate of CUBIC (RFC 9438) with the present losses and round
 * trip.
 *
 * The other fields are private.
 */
typedef struct {
  const GccCompetitionParams *params;
  GccPathQueue queue;
  GccHolder holder;
  GccCubicFlow share;
  /* when the share last arrived */
  GccTime fed;
  /* delay and queue when the last drain began */
  GccTime delay_before;
  GccTime queueing_before;
  /* round trips since the last drain, the number of losses, and the sum of the
   * round trips at the losses */
  GccDelayRange round_trips;
  guint n_losses;
  GccTime lost_at;
  /* packets since the last drain */
  guint64 n_lost;
  guint64 n_arrived;
  /* delays of the way there since they have been still */
  GccDelayRange stillness;
  GccRate capacity;
  GccTime last_queue_loss;
  GccTime last_update;
} GccCompetition;

void gcc_competition_init (
    GccCompetition *self, const GccCompetitionParams *params);

/**
 * gcc_competition_feed:
 *
 * Takes one feedback.
 *
 * Returns: (nullable): the holder, when it has changed
 */
const GccHolderResult *gcc_competition_feed (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now);

GccCompetitionState gcc_competition_get_state (const GccCompetition *self);

/* The rate to send at, bit/s; %GCC_RATE_NONE in %GCC_COMPETITION_NONE. */
GccRate gcc_competition_get_rate (const GccCompetition *self);

/* Whether a queue has lost packets of late, whichever flows hold it. */
gboolean gcc_competition_loses_packets (const GccCompetition *self);

/* ... or by the last feedback. */
gboolean gcc_competition_has_just_lost (const GccCompetition *self);

G_END_DECLS
