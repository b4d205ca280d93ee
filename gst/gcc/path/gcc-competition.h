/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-cubic-flow.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-experiment.h>
#include <gst/gcc/path/gcc-path-queue.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccCompetitionTriggerParams:
 * @min_queueing: over-use begins a drain, which shows the holder, when the
 *   queue is longer than this
 * @min_shared_queueing: the same while other calls, which follow delay, may
 *   share the queue; at most @min_queueing. The rest of a shorter queue after a
 *   drain may be one of their frames
 *
 * When a queue is worth a drain.
 */
typedef struct {
  GccTime min_queueing;
  GccTime min_shared_queueing;
} GccCompetitionTriggerParams;

/**
 * GccCompetitionDrainParams:
 * @share: share of R that is sent during the drain, 0 to 1; below 1
 * @min_duration: shortest drain, and the duration for a queue that is shorter
 *   than #GccCompetitionTriggerParams.min_queueing; above 0
 * @max_duration: longest drain
 * @drained: greatest share of the queue that a drain leaves when this call
 *   alone held it, 0 to 1
 * @follows: least share of the sent rate that arrives when other flows hold the
 *   queue; with less, the link has become slower
 *
 * How a queue is drained, and how the result is read.
 */
typedef struct {
  gdouble share;
  GccTime min_duration;
  GccTime max_duration;
  gdouble drained;
  gdouble follows;
} GccCompetitionDrainParams;

/**
 * GccCompetitionShareParams:
 * @first: first rate beside other flows, as a share of the R before the first of
 *   the drains, until losses show the right one
 * @test_interval: time between drains while other flows hold the queue
 * @cubic: the CUBIC flow whose mean rate is the share
 *
 * The rate beside other flows that hold the queue.
 */
typedef struct {
  gdouble first;
  GccTime test_interval;
  GccCubicFlowParams cubic;
} GccCompetitionShareParams;

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
 * @trigger: when a queue is drained
 * @drain: how a queue is drained, and how the result is read
 * @loss_memory: time for which a loss is a sign that other flows fill the queue
 * @lossy_time: time for which a queue that has lost packets counts as one that
 *   does
 * @share: rate beside other flows that hold the queue
 * @longer_path: when the path has become longer instead
 */
typedef struct {
  GccPathQueueParams queue;
  GccCompetitionTriggerParams trigger;
  GccCompetitionDrainParams drain;
  GccTime loss_memory;
  GccTime lossy_time;
  GccCompetitionShareParams share;
  GccCompetitionLongerPathParams longer_path;
} GccCompetitionParams;

const gchar *gcc_competition_state_to_string (GccCompetitionState state);

/* The reason of a change of the rate that is computed in @state. */
GccReason gcc_competition_state_to_reason (GccCompetitionState state);

/**
 * GccCompetitionInput:
 * @is_overused: whether the over-use detector signals over-use
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @round_trip: round trip of the feedback; negative while unknown; 0 counts as
 *   unknown
 * @delay: delay of the way there alone, by clocks that need not agree
 * @n_lost: packets that the feedback shows as lost
 * @n_arrived: packets that the feedback shows as arrived
 * @sent: bytes sent since the call began
 * @in_alr: whether the application limits the rate
 * @is_shared: whether other calls, which follow delay, too, may share the queue
 */
typedef struct {
  gboolean is_overused;
  GccRate acknowledged;
  GccTime round_trip;
  GccTime delay;
  guint n_lost;
  guint n_arrived;
  guint64 sent;
  gboolean in_alr;
  gboolean is_shared;
} GccCompetitionInput;

/**
 * GccCompetition:
 *
 * Decides on the rate while there is a queue. A queue of this call alone drains
 * when the sender sends less than arrives at the other end. Such a queue is
 * drained at once.
 *
 * A queue that stays is held by loss-based traffic. Delay carries no
 * information then, and a flow that follows it starves. The rate is the mean
 * rate of CUBIC (RFC 9438) with the present losses and round trip.
 *
 * Fields are private.
 */
typedef struct {
  const GccCompetitionParams *params;
  GccCompetitionState state;
  GccExperiment experiment;
  GccPathQueue queue;
  /* the drain */
  gboolean was_tcp;
  GccTime drain_asked;
  GccTime drain_start;
  GccTime drain_end;
  GccTime drain_queueing;
  GccTime drain_delay;
  GccTime drain_least;
  GccTime drain_fell;
  GccRate drain_rate;
  GccRate rate_first;
  GccRate rate_before;
  GccRate capacity;
  /* a lower rate sent is the answer to the drain that was asked for */
  gdouble drain_answer;
  /* what is sent: in all, at the begin of the round, and in the round before */
  guint64 sent;
  guint64 sent_before;
  GccTime sent_since;
  gdouble sent_rate;
  /* the share */
  /* when the share last arrived */
  GccTime fed;
  GccTime tcp_end;
  GccTime last_loss;
  GccTime last_queue_loss;
  /* round trips since the last test, the number of losses, and the sum of the
   * round trips at the losses */
  GccDelayRange round_trips;
  guint n_losses;
  GccTime lost_at;
  /* packets since the last test */
  guint64 n_lost;
  guint64 n_arrived;
  /* delays of the way there since they have been still */
  GccDelayRange stillness;
  GccTime last_update;
  GccCubicFlow cubic;
} GccCompetition;

void gcc_competition_init (
    GccCompetition *self, const GccCompetitionParams *params);

/**
 * gcc_competition_update:
 *
 * Takes one feedback.
 *
 * Returns: whether the state has changed
 */
gboolean gcc_competition_update (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now);

GccCompetitionState gcc_competition_get_state (const GccCompetition *self);

/* The last drain. */
const GccExperiment *gcc_competition_get_experiment (
    const GccCompetition *self);

/* The rate to send at, bit/s; %GCC_RATE_NONE in %GCC_COMPETITION_NONE. */
GccRate gcc_competition_get_rate (const GccCompetition *self);

/* R(t) before the last drain, bit/s; %GCC_RATE_NONE if there was none. */
GccRate gcc_competition_get_rate_before (const GccCompetition *self);

/* Rate of the path, as shown by the drain of a queue of this call, bit/s;
 * %GCC_RATE_NONE where other flows have held the queue since, because the
 * received rate then depends on them. */
GccRate gcc_competition_get_capacity (const GccCompetition *self);

/* Whether a queue has lost packets of late, whichever flows hold it. */
gboolean gcc_competition_loses_packets (const GccCompetition *self);

/* The present queueing delay: the excess of the round trip over its least or,
 * while feedback is late, that of the way there. */
GccTime gcc_competition_get_queueing (const GccCompetition *self);

/* Whether the path delays packets by more than the call's own frames do. */
gboolean gcc_competition_is_noisy (const GccCompetition *self);

/* Jitter of the round trips beyond that of the call's own frames; 0 on most
 * paths. */
GccTime gcc_competition_get_noise (const GccCompetition *self);

G_END_DECLS
