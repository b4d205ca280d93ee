/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-cubic-flow.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-full-queue.h>
#include <gst/gcc/path/gcc-path-queue.h>
#include <gst/gcc/path/gcc-reason.h>

G_BEGIN_DECLS

/**
 * GccCompetitionTriggerParams:
 * @min_queueing: with a queue longer than this over-use begins a drain, which
 *   tells whose it is
 * @min_shared_queueing: the same where others like us may be there; at most
 *   @min_queueing, and then what a frame of theirs leaves tells nothing
 *
 * When a queue is worth a drain.
 */
typedef struct {
  GccTime min_queueing;
  GccTime min_shared_queueing;
} GccCompetitionTriggerParams;

/**
 * GccCompetitionDrainParams:
 * @share: share of R that is sent while the queue drains, 0 to 1; below 1
 * @min_duration: shortest drain, and what a queue takes to drain that is too short
 *   to tell; above 0
 * @max_duration: longest drain
 * @answered: a drain begins when the sender sends less than this share of R before
 * @drained: share of the queue that is left at most when it was ours alone, 0 to 1
 * @follows: share of what is sent that arrives at least in a queue held by
 *   others: less, and the link has become slower
 *
 * How a queue is drained, and what that tells.
 */
typedef struct {
  gdouble share;
  GccTime min_duration;
  GccTime max_duration;
  gdouble answered;
  gdouble drained;
  gdouble follows;
} GccCompetitionDrainParams;

/**
 * GccCompetitionShareParams:
 * @first: share of R, that is taken until losses tell
 * @test_interval: between drains while others hold the queue
 * @max_kept_queueing: the share is kept where a queue that is no longer than this
 *   was tested last, and loses: a long one that is empty has been left by others,
 *   and one that has lost nothing was none of theirs
 * @short_losses: so many losses TCP has in a queue that is too short for a drain to
 *   tell, for each of a paced flow; above 0: what is sent in bursts overflows it
 *   more often
 * @alone: nobody else has to be there for so long before what arrives tells what
 *   the link takes
 * @cubic: whose share it is
 *
 * What is taken of a link beside others who hold its queue.
 */
typedef struct {
  gdouble first;
  GccTime test_interval;
  GccTime max_kept_queueing;
  gdouble short_losses;
  GccTime alone;
  GccCubicFlowParams cubic;
} GccCompetitionShareParams;

/**
 * GccCompetitionSlowerLinkParams:
 * @least_delivered: share of what is sent that arrives at least beside others;
 *   less for @after, and the link has become slower
 * @after: longer than a burst of losses or the climb of a queue lasts
 * @settles: for so long after a drain less arrives in any case
 *
 * When a queue that seems to be held by others is that of a link that has become
 * slower.
 */
typedef struct {
  gdouble least_delivered;
  GccTime after;
  GccTime settles;
} GccCompetitionSlowerLinkParams;

/**
 * GccCompetitionLongerPathParams:
 * @steady: a queue that varies by less than this from one test to the next is none
 *   of others, unless it loses when it is longest
 * @full_at: the mean place of the round trips at losses in the range of all, 0 to 1,
 *   above which others fill the queue
 * @max_loss: fraction lost since the last test, 0 to 1, from which on others fill the
 *   queue all the same: a path that becomes longer loses no more than before
 * @undrained: share of the queue that a drain leaves at least when the path has
 *   become longer, 0 to 1: less is sent into a queue of others, too
 * @still: the way there varies by less than this then; 0: @undrained tells nothing
 * @still_time: for so long it has to
 *
 * When a queue that seems to be held by others is a path that has become longer.
 */
typedef struct {
  GccTime steady;
  gdouble full_at;
  gdouble max_loss;
  gdouble undrained;
  GccTime still;
  GccTime still_time;
} GccCompetitionLongerPathParams;

/**
 * GccCompetitionParams:
 * @queue: how its length is found out
 * @trigger: when it is drained
 * @drain: how, and what that tells
 * @loss_memory: for so long a loss tells that the queue is one of others who lose
 * @full: whose a queue is that is too short for a drain to tell
 * @share: what is taken beside others who hold it
 * @slower_link: when the link has become slower instead
 * @longer_path: when the path has become longer instead
 */
typedef struct {
  GccPathQueueParams queue;
  GccCompetitionTriggerParams trigger;
  GccCompetitionDrainParams drain;
  GccTime loss_memory;
  GccFullQueueParams full;
  GccCompetitionShareParams share;
  GccCompetitionSlowerLinkParams slower_link;
  GccCompetitionLongerPathParams longer_path;
} GccCompetitionParams;

/**
 * GccCompetitionState:
 * @GCC_COMPETITION_NONE: delay tells the rate
 * @GCC_COMPETITION_DRAIN: less is sent than arrives, to see whether that drains
 *   the queue
 * @GCC_COMPETITION_TCP: it did not: loss-based traffic holds the queue, and the
 *   rate is what TCP would have in its place
 */
typedef enum {
  GCC_COMPETITION_NONE,
  GCC_COMPETITION_DRAIN,
  GCC_COMPETITION_TCP,
} GccCompetitionState;

const gchar *gcc_competition_state_to_string (GccCompetitionState state);

/* Why a rate changes that is computed in @state. */
GccReason gcc_competition_state_to_reason (GccCompetitionState state);

/**
 * GccCompetitionInput:
 * @is_overused: whether the over-use detector says so
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @round_trip: of the feedback; negative while unknown, and 0 tells nothing
 * @delay: of the way there alone, by clocks that need not agree
 * @n_lost: packets that the feedback tells lost
 * @n_arrived: packets whose arrival it tells
 * @sent: bytes since the call began
 * @in_alr: whether the application is the limit
 * @is_shared: whether others may be there, who heed delay, too
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
 * What to do about a queue. A queue of one's own drains when less is sent than
 * arrives at the other end: then it is drained, at once. One that stays is held
 * by others who only stop at loss: delay says nothing any more, whoever heeds it
 * starves, and the rate is the mean of what CUBIC (RFC 9438) would have with the
 * losses and the round trip that there are. Fields are
 * private.
 */
typedef struct {
  const GccCompetitionParams *params;
  GccCompetitionState state;
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
  GccRate rate_before;
  GccRate capacity;
  /* the share */
  GccTime alone_since;
  GccTime tcp_end;
  GccTime last_loss;
  GccRate kept_share;
  GccTime last_delivered;
  /* whether a drain would tell nothing of who holds the queue */
  gboolean is_short;
  GccFullQueue full;
  /* round trips since the last test, how often packets were lost, and the sum of
   * the round trips then */
  GccDelayRange round_trips;
  guint n_losses;
  GccTime lost_at;
  /* packets since then */
  guint64 n_lost;
  guint64 n_arrived;
  /* the way there since it has been still */
  GccDelayRange stillness;
  GccTime last_update;
  guint64 last_sent;
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

/* The rate to send at, bit/s; %GCC_RATE_NONE in %GCC_COMPETITION_NONE. */
GccRate gcc_competition_get_rate (const GccCompetition *self);

/* What a controller that heeds delay and losses need not go below, bit/s: the
 * share, for as long as a short queue that is empty does not tell that others have
 * gone; %GCC_RATE_NONE if there is none. */
GccRate gcc_competition_get_least_rate (const GccCompetition *self);

/* R(t) before the last drain, bit/s; %GCC_RATE_NONE if there was none. */
GccRate gcc_competition_get_rate_before (const GccCompetition *self);

/* What the path takes, as the drain of a queue of our own has shown, bit/s;
 * %GCC_RATE_NONE where others have held it since: what came through was their
 * choice. */
GccRate gcc_competition_get_capacity (const GccCompetition *self);

/* The present queueing delay: round trip over the least there has been, or, while
 * feedback is late, that of the way there. */
GccTime gcc_competition_get_queueing (const GccCompetition *self);

/* By how much more round trips jump about than by frames of one's own; 0 on most
 * paths. */
GccTime gcc_competition_get_noise (const GccCompetition *self);

G_END_DECLS
