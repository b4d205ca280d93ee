/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-competition.h>

const gchar *
gcc_competition_state_to_string (GccCompetitionState state)
{
  switch (state) {
    case GCC_COMPETITION_NONE:
      return "none";
    case GCC_COMPETITION_DRAIN:
      return "drain";
    case GCC_COMPETITION_TCP:
      return "tcp";
  }

  g_return_val_if_reached (NULL);
}

GccReason
gcc_competition_state_to_reason (GccCompetitionState state)
{
  switch (state) {
    case GCC_COMPETITION_NONE:
      return GCC_REASON_DRAIN_OVER;
    case GCC_COMPETITION_DRAIN:
      return GCC_REASON_DRAIN;
    case GCC_COMPETITION_TCP:
      return GCC_REASON_TCP;
  }

  g_return_val_if_reached (GCC_REASON_DRAIN_OVER);
}

void
gcc_competition_init (GccCompetition *self, const GccCompetitionParams *params)
{
  *self = (GccCompetition){
    .params = params,
    .rate_before = GCC_RATE_NONE,
    .capacity = GCC_RATE_NONE,
    .tcp_end = GCC_TIME_NONE,
    .last_loss = GCC_TIME_NONE,
    .last_queue_loss = GCC_TIME_NONE,
  };
  gcc_experiment_init (&self->experiment);
  gcc_path_queue_init (&self->queue, &params->queue);
  gcc_cubic_flow_init (&self->cubic, &params->share.cubic);
}

/* --- the queue --- */

static GccTime
get_queueing (const GccCompetition *self)
{
  return gcc_path_queue_get (&self->queue);
}

static gboolean
is_empty (const GccCompetition *self)
{
  return gcc_path_queue_is_empty (&self->queue);
}

static GccTime
get_round_trip (const GccCompetition *self)
{
  return gcc_path_queue_get_round_trip (&self->queue);
}

static GccTime
get_delay (const GccCompetition *self)
{
  return gcc_path_queue_get_delay (&self->queue);
}

static void
measure_queue (GccCompetition *self, const GccCompetitionInput *input,
    GccTime passed, GccTime now)
{
  GccPathQueueInput sample = {
    .round_trip = input->round_trip,
    .delay = input->delay,
    .acknowledged = input->acknowledged,
    .passed = passed,
    .keeps_base = self->state != GCC_COMPETITION_NONE,
  };

  gcc_path_queue_update (&self->queue, &sample, now);
}

/* --- what is sent --- */

static void
begin_sent_round (GccCompetition *self, GccTime now)
{
  self->sent_since = now;
  self->sent_before = self->sent;
}

/* A single feedback may cover a frame, or the pause after it, so the rate of a
 * round counts. */
static void
note_sent (GccCompetition *self, guint64 sent, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->sent_since);

  self->sent = sent;
  if (passed < self->params->queue.round)
    return;
  self->sent_rate = gcc_rate_of_bytes (
      (gdouble) (sent - self->sent_before), passed);
  begin_sent_round (self, now);
}

/* --- the drain --- */

/* A queue shorter than @min_queueing is drained gently, in @min_duration: two
 * flows that halved their rates at once would leave the link idle. */
static gdouble
get_drain_share (const GccCompetition *self)
{
  const GccCompetitionDrainParams *params = &self->params->drain;

  if (get_queueing (self) >= self->params->trigger.min_queueing)
    return params->share;
  return MAX (params->share,
      1. - (gdouble) get_queueing (self) / (gdouble) params->min_duration);
}

/* Notes the queue before the drain, and the end of the drain. The drain lasts
 * its duration from the arrival of a packet that is sent now: until then a
 * growing queue grows further. */
static void
note_before_drain (GccCompetition *self, GccTime now)
{
  const GccCompetitionDrainParams *params = &self->params->drain;
  GccTime duration = (GccTime) ((gdouble) get_queueing (self) /
      (1. - params->share));

  self->drain_end = gcc_time_add (self->drain_start,
      gcc_time_add (get_round_trip (self),
          CLAMP (duration, params->min_duration, params->max_duration)));
  self->drain_queueing = get_queueing (self);
  self->drain_delay = get_delay (self);
  self->drain_least = get_queueing (self);
  self->drain_fell = now;
}

/* An encoder needs time to send less, and some send more than they are asked for
 * at all times. So less than the middle between what was sent and what is asked
 * for is an answer. */
static void
note_asked (GccCompetition *self, GccTime now)
{
  self->sent_rate = MAX (self->sent_rate, (gdouble) self->rate_before);
  self->drain_answer = (self->sent_rate + (gdouble) self->drain_rate) / 2.;
  begin_sent_round (self, now);
}

static void
begin_drain (GccCompetition *self, GccRate acknowledged, GccTime now)
{
  gdouble share = get_drain_share (self);

  self->was_tcp = self->state == GCC_COMPETITION_TCP;
  if (self->state != GCC_COMPETITION_DRAIN)
    self->rate_first = acknowledged;
  self->state = GCC_COMPETITION_DRAIN;
  self->rate_before = acknowledged;
  self->drain_rate = gcc_rate_from_double (share * (gdouble) acknowledged);
  self->drain_asked = now;
  self->drain_start = now;
  note_asked (self, now);
  note_before_drain (self, now);
}

static void
begin_test_interval (GccCompetition *self, GccTime now)
{
  gcc_delay_range_begin (&self->stillness, get_delay (self), now);
  gcc_delay_range_begin (&self->round_trips, get_round_trip (self), now);
  self->n_losses = 0;
  self->lost_at = 0;
  self->n_lost = self->n_arrived = 0;
}

static gboolean
is_beside_tcp (const GccCompetition *self)
{
  return self->state == GCC_COMPETITION_TCP ||
      (self->state == GCC_COMPETITION_DRAIN && self->was_tcp);
}

static gboolean
has_just_lost (const GccCompetition *self, GccTime now)
{
  return !gcc_time_has_passed (self->params->loss_memory, self->last_loss, now);
}

static gboolean
is_worth_draining (const GccCompetition *self, gboolean is_shared)
{
  const GccCompetitionTriggerParams *params = &self->params->trigger;

  return get_queueing (self) >
      (is_shared ? params->min_shared_queueing : params->min_queueing);
}

static GccRate
get_share (const GccCompetition *self)
{
  return gcc_rate_from_double (gcc_cubic_flow_get_rate (&self->cubic));
}

/* The queue has drained, or other flows have left it. */
static void
end_competition (GccCompetition *self, GccTime now)
{
  if (is_beside_tcp (self))
    self->tcp_end = now;
  else
    self->capacity = self->rate_before;
  self->state = GCC_COMPETITION_NONE;
}

/* Whether other flows held the queue a moment ago. A queue that was empty for a
 * moment may still be theirs. */
static gboolean
has_just_ended (const GccCompetition *self, GccTime now)
{
  return !gcc_time_has_passed (
      self->params->share.test_interval / 2, self->tcp_end, now);
}

/* Other flows hold the queue: from here on the rate is the share that losses
 * allow. Of several drains in a row the first counts: the others have taken what
 * each of them left. */
static void
hold_share (GccCompetition *self, GccTime now)
{
  const GccCompetitionShareParams *params = &self->params->share;

  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OTHERS, now);
  self->state = GCC_COMPETITION_TCP;
  self->capacity = GCC_RATE_NONE;
  if (!self->was_tcp && !has_just_ended (self, now))
    gcc_cubic_flow_begin (&self->cubic,
        params->first * (gdouble) self->rate_first, get_round_trip (self), now);
  self->fed = now;
  begin_test_interval (self, now);
}

/* The rest of a short queue may be a frame of another call, which follows
 * delay, too. After a loss it is not: such calls keep the queue too short to
 * lose packets. */
static gboolean
has_drained (const GccCompetition *self, GccTime now)
{
  const GccCompetitionParams *params = self->params;
  GccTime queueing = has_just_lost (self, now)
      ? self->drain_queueing
      : MAX (self->drain_queueing, params->trigger.min_queueing);

  return (gdouble) self->drain_least <=
      params->drain.drained * (gdouble) queueing;
}

static void
end_own (GccCompetition *self, GccTime now)
{
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OWN, now);
  end_competition (self, now);
}

/* Less arrives than a drain, or a share, has asked for. */
static void
drain_slower_link (GccCompetition *self, GccRate acknowledged, GccTime now)
{
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_SLOWER_LINK, now);
  begin_drain (self, acknowledged, now);
}

static void
end_drain (GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  gboolean follows = (gdouble) input->acknowledged >=
      self->params->drain.follows * (gdouble) self->drain_rate;

  if (has_drained (self, now))
    end_own (self, now);
  else if (self->was_tcp || follows)
    hold_share (self, now);
  else
    drain_slower_link (self, input->acknowledged, now);
}

/* Whether the packets that have arrived were sent before the drain began. */
static gboolean
tells_of_before (const GccCompetition *self, GccTime now)
{
  return gcc_time_diff (now, get_round_trip (self)) < self->drain_start;
}

/* On a noisy path the least of a round falls up to two rounds late. The drain
 * goes on for as long while the queue falls. */
static gboolean
is_falling (const GccCompetition *self, GccTime now)
{
  GccTime round = self->params->queue.round;

  return gcc_competition_is_noisy (self) &&
      now < gcc_time_add (self->drain_end, 2 * round) &&
      gcc_time_diff (now, self->drain_fell) < round;
}

static gboolean
is_unanswered (const GccCompetition *self, GccTime now)
{
  return self->sent_rate > self->drain_answer &&
      gcc_time_diff (now, self->drain_asked) < self->params->drain.max_duration;
}

static void
drain (GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  if (is_unanswered (self, now))
    self->drain_start = now;
  if (tells_of_before (self, now))
    note_before_drain (self, now);
  if (get_queueing (self) < self->drain_least) {
    self->drain_least = get_queueing (self);
    self->drain_fell = now;
  }
  if (is_empty (self))
    end_own (self, now);
  else if (now >= self->drain_end && !is_falling (self, now))
    end_drain (self, input, now);
}

/* --- beside others --- */

static void
note_round_trip (GccCompetition *self, const GccCompetitionInput *input)
{
  gcc_delay_range_feed (&self->round_trips, get_round_trip (self));
  self->n_lost += input->n_lost;
  self->n_arrived += input->n_arrived;
  if (input->n_lost == 0)
    return;
  self->n_losses++;
  self->lost_at += get_round_trip (self);
}

/* The delay of the way there counts, because feedback may wait on the way
 * back. */
static void
note_stillness (GccCompetition *self, GccTime now)
{
  gcc_delay_range_feed (&self->stillness, get_delay (self));
  if (gcc_delay_range_get_variation (&self->stillness) >=
      self->params->longer_path.still)
    gcc_delay_range_begin (&self->stillness, get_delay (self), now);
}

/* Whether the drain has shortened the queue little, and the delay has not moved
 * since. */
static gboolean
is_still (const GccCompetition *self, GccTime now)
{
  const GccCompetitionLongerPathParams *params = &self->params->longer_path;
  GccTime drained = gcc_time_diff (self->drain_delay, get_delay (self));

  return params->still > 0 &&
      gcc_time_diff (now, self->stillness.since) >= params->still_time &&
      (gdouble) drained <=
      (1. - params->undrained) * (gdouble) self->drain_queueing;
}

static gboolean
is_steady (const GccCompetition *self, GccTime now)
{
  const GccCompetitionLongerPathParams *params = &self->params->longer_path;

  return gcc_time_diff (now, self->round_trips.since) >= params->steady_time &&
      gcc_delay_range_get_variation (&self->round_trips) < params->steady;
}

/* A queue that other flows fill loses packets when it is longest. A lossy path
 * loses packets at any time. */
static gboolean
has_lost_when_full (const GccCompetition *self)
{
  const GccDelayRange *range = &self->round_trips;
  GccTime mean;

  if (self->n_losses == 0)
    return FALSE;
  mean = self->lost_at / self->n_losses;
  return (gdouble) (mean - range->shortest) >
      self->params->longer_path.full_at *
      (gdouble) gcc_delay_range_get_variation (range);
}

/* TCP that has most of a short queue keeps it full all the time. Round trips
 * hardly vary then, and the fraction lost shows the other flows. */
static gboolean
loses_too_much (const GccCompetition *self)
{
  return (gdouble) self->n_lost >= self->params->longer_path.max_loss *
          (gdouble) (self->n_lost + self->n_arrived) &&
      self->n_lost > 0;
}

/* Loss-based traffic fills the queue until packets are lost, so the delay
 * varies. A delay that stays the same is that of a longer path. */
static gboolean
is_path_longer (const GccCompetition *self, GccTime now)
{
  return !has_lost_when_full (self) && !loses_too_much (self) &&
      (is_still (self, now) || is_steady (self, now));
}

static void
note_arrival (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  gdouble least = self->params->drain.share *
      gcc_cubic_flow_get_rate (&self->cubic);

  if (input->acknowledged == GCC_RATE_NONE || input->in_alr ||
      (gdouble) input->acknowledged >= least)
    self->fed = now;
}

/* A link that has become slower may be taken for others in its queue. Others take
 * what a loss leaves, and a share beside them arrives but for a few packets. */
static gboolean
is_starved (const GccCompetition *self, GccTime now)
{
  return gcc_time_diff (now, self->fed) >= self->params->loss_memory;
}

static void
compete (GccCompetition *self, const GccCompetitionInput *input, GccTime passed,
    GccTime now)
{
  if (is_empty (self)) {
    end_competition (self, now);
    return;
  }
  note_round_trip (self, input);
  note_stillness (self, now);
  note_arrival (self, input, now);
  if (is_path_longer (self, now)) {
    gcc_path_queue_set_base (&self->queue, self->round_trips.shortest, now);
    gcc_experiment_conclude (&self->experiment, GCC_VERDICT_LONGER_PATH, now);
    self->state = GCC_COMPETITION_NONE;
    return;
  }
  if (is_starved (self, now)) {
    gcc_cubic_flow_begin (&self->cubic, (gdouble) input->acknowledged,
        get_round_trip (self), now);
    drain_slower_link (self, input->acknowledged, now);
    return;
  }
  if (input->acknowledged != GCC_RATE_NONE &&
      gcc_time_diff (now, self->round_trips.since) >=
          self->params->share.test_interval) {
    begin_drain (self, input->acknowledged, now);
    return;
  }
  gcc_cubic_flow_update (
      &self->cubic, input->n_lost > 0, get_round_trip (self), passed, now);
}

/* For a while after other flows have left, losses still change the share,
 * because the flows may come back. */
static void
keep_share (GccCompetition *self, guint n_losses, GccTime passed, GccTime now)
{
  if (has_just_ended (self, now))
    gcc_cubic_flow_update (
        &self->cubic, n_losses, get_round_trip (self), passed, now);
}

/* On a noisy path the over-use detector needs a faster growth, and γ follows a
 * queue that grows slowly. So the length of the queue begins a drain, too. */
static gboolean
is_unheard (const GccCompetition *self)
{
  return gcc_competition_is_noisy (self) &&
      get_queueing (self) > self->params->trigger.min_queueing;
}

/* --- events --- */

static void
note_loss (GccCompetition *self, GccTime now)
{
  self->last_loss = now;
  if (!is_empty (self))
    self->last_queue_loss = now;
}

gboolean
gcc_competition_update (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  GccCompetitionState before = self->state;
  GccTime passed = CLAMP (
      gcc_time_diff (now, self->last_update), 0, GCC_SECOND);

  self->last_update = now;
  note_sent (self, input->sent, now);
  /* a round trip takes time: at 0 the feedback is wrong about its last
   * arrival */
  if (input->round_trip <= 0)
    return FALSE;

  measure_queue (self, input, passed, now);
  if (input->n_lost > 0)
    note_loss (self, now);
  switch (self->state) {
    case GCC_COMPETITION_NONE:
      keep_share (self, input->n_lost > 0, passed, now);
      if (input->acknowledged != GCC_RATE_NONE &&
          (input->is_overused || is_unheard (self)) &&
          is_worth_draining (self, input->is_shared))
        begin_drain (self, input->acknowledged, now);
      break;
    case GCC_COMPETITION_DRAIN:
      drain (self, input, now);
      break;
    case GCC_COMPETITION_TCP:
      compete (self, input, passed, now);
      break;
  }

  return self->state != before;
}

GccCompetitionState
gcc_competition_get_state (const GccCompetition *self)
{
  return self->state;
}

const GccExperiment *
gcc_competition_get_experiment (const GccCompetition *self)
{
  return &self->experiment;
}

GccRate
gcc_competition_get_rate (const GccCompetition *self)
{
  switch (self->state) {
    case GCC_COMPETITION_NONE:
      return GCC_RATE_NONE;
    case GCC_COMPETITION_DRAIN:
      return self->drain_rate;
    case GCC_COMPETITION_TCP:
      return get_share (self);
  }

  g_return_val_if_reached (GCC_RATE_NONE);
}

GccRate
gcc_competition_get_rate_before (const GccCompetition *self)
{
  return self->rate_before;
}

GccRate
gcc_competition_get_capacity (const GccCompetition *self)
{
  return self->capacity;
}

gboolean
gcc_competition_loses_packets (const GccCompetition *self)
{
  return !gcc_time_has_passed (
      self->params->lossy_time, self->last_queue_loss, self->last_update);
}

GccTime
gcc_competition_get_queueing (const GccCompetition *self)
{
  return gcc_path_queue_get (&self->queue);
}

gboolean
gcc_competition_is_noisy (const GccCompetition *self)
{
  return gcc_path_queue_is_noisy (&self->queue);
}

GccTime
gcc_competition_get_noise (const GccCompetition *self)
{
  return gcc_path_queue_get_noise (&self->queue);
}
