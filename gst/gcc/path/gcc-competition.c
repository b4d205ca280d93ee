/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-competition.h>

void
gcc_competition_init (GccCompetition *self, const GccCompetitionParams *params)
{
  *self = (GccCompetition){
    .params = params,
    .capacity = GCC_RATE_NONE,
    .last_queue_loss = GCC_TIME_NONE,
  };
  gcc_path_queue_init (&self->queue, &params->queue);
  gcc_holder_init (&self->holder, &params->holder);
  gcc_cubic_flow_init (&self->share, &params->share);
}

static GccTime
get_round_trip (const GccCompetition *self)
{
  return self->queue.round_trip;
}

static GccRate
get_share (const GccCompetition *self)
{
  return gcc_rate_from_double (self->share.rate);
}

/* --- the queue --- */

static void
measure_queue (GccCompetition *self, const GccCompetitionInput *input,
    GccTime passed, GccTime now)
{
  GccPathQueueInput sample = {
    .round_trip = input->round_trip,
    .delay = input->delay,
    .acknowledged = input->acknowledged,
    .passed = passed,
    .keeps_base = gcc_competition_get_state (self) != GCC_COMPETITION_NONE,
  };

  gcc_path_queue_update (&self->queue, &sample, now);
  if (input->n_lost > 0 && !gcc_path_queue_is_empty (&self->queue))
    self->last_queue_loss = now;
}

/* --- beside others --- */

/* For a while after other flows have left, losses still change the share,
 * because the flows may come back. */
static void
follow_share (GccCompetition *self, guint n_losses, GccTime passed, GccTime now)
{
  if (gcc_competition_get_state (self) != GCC_COMPETITION_DRAIN &&
      gcc_holder_is_beside_others (&self->holder, now))
    gcc_cubic_flow_update (
        &self->share, n_losses, get_round_trip (self), passed, now);
}

static gboolean
is_fed (const GccCompetition *self, const GccCompetitionInput *input)
{
  gdouble least = self->params->holder.drain.share * (gdouble) get_share (self);

  return input->acknowledged == GCC_RATE_NONE || input->in_alr ||
      (gdouble) input->acknowledged >= least;
}

/* A link that has become slower may be taken for others in its queue. Others take
 * what a loss leaves, and a share beside them arrives but for a few packets. */
static gboolean
is_starved (GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  if (is_fed (self, input))
    self->fed = now;
  if (gcc_time_diff (now, self->fed) < self->params->starved)
    return FALSE;
  gcc_cubic_flow_begin (
      &self->share, (gdouble) input->acknowledged, get_round_trip (self), now);
  return TRUE;
}

/* --- a longer path --- */

static GccTime
get_delay (const GccCompetition *self)
{
  return self->queue.delay;
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
  GccTime drained = gcc_time_diff (self->delay_before, get_delay (self));

  return params->still > 0 &&
      gcc_time_diff (now, self->stillness.since) >= params->still_time &&
      (gdouble) drained <=
      (1. - params->undrained) * (gdouble) self->queueing_before;
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

/* --- the holder --- */

/* On a noisy path the over-use detector needs a faster growth, and γ follows a
 * queue that grows slowly. So the length of the queue begins a drain, too. */
static const GccHolderResult *
find_holder (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  gboolean is_beside = gcc_competition_get_state (self) == GCC_COMPETITION_TCP;
  GccHolderInput sample = {
    .queueing = self->queue.queueing,
    .rate = input->acknowledged,
  };

  if (is_beside) {
    sample.is_due = is_starved (self, input, now);
    sample.estimate = get_share (self);
  } else {
    sample.is_due = input->is_overused ||
        gcc_path_queue_is_noisy (&self->queue);
    sample.estimate = input->target;
  }
  return gcc_holder_feed (&self->holder, &sample, now);
}

/* Returns the holder, when the path has become longer. */
static const GccHolderResult *
watch_path (GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  if (gcc_competition_get_state (self) != GCC_COMPETITION_TCP)
    return NULL;
  note_round_trip (self, input);
  note_stillness (self, now);
  if (!is_path_longer (self, now))
    return NULL;
  gcc_path_queue_set_base (&self->queue, self->round_trips.shortest, now);
  return gcc_holder_set_longer_path (&self->holder, now);
}

static void
begin_share (GccCompetition *self, const GccHolderResult *result, GccTime now)
{
  self->capacity = GCC_RATE_NONE;
  self->fed = now;
  begin_test_interval (self, now);
  if (result->is_first)
    gcc_cubic_flow_begin (
        &self->share, (gdouble) result->rate, get_round_trip (self), now);
}

static gboolean
was_alone (const GccCompetition *self, GccTime now)
{
  return self->holder.experiment.verdict == GCC_VERDICT_OWN &&
      !gcc_holder_is_beside_others (&self->holder, now);
}

static void
note_before_drain (GccCompetition *self)
{
  self->delay_before = get_delay (self);
  self->queueing_before = self->queue.queueing;
}

static void
take_holder (GccCompetition *self, const GccHolderResult *result, GccTime now)
{
  if (result->state == GCC_COMPETITION_DRAIN)
    note_before_drain (self);
  else if (result->state == GCC_COMPETITION_TCP)
    begin_share (self, result, now);
  else if (result->is_path_longer)
    gcc_path_queue_set_base (&self->queue, get_round_trip (self), now);
  else if (was_alone (self, now))
    self->capacity = self->holder.rate_before;
}

/* --- events --- */

const GccHolderResult *
gcc_competition_feed (
    GccCompetition *self, const GccCompetitionInput *input, GccTime now)
{
  GccTime passed = CLAMP (
      gcc_time_diff (now, self->last_update), 0, GCC_SECOND);
  const GccHolderResult *result;

  self->last_update = now;
  /* a round trip takes time: at 0 the feedback is wrong about its last
   * arrival */
  if (input->round_trip <= 0)
    return NULL;
  measure_queue (self, input, passed, now);
  follow_share (self, input->n_lost > 0, passed, now);
  result = watch_path (self, input, now);
  if (result != NULL)
    return result;
  result = find_holder (self, input, now);
  if (result != NULL)
    take_holder (self, result, now);
  return result;
}

GccCompetitionState
gcc_competition_get_state (const GccCompetition *self)
{
  return self->holder.result.state;
}

GccRate
gcc_competition_get_rate (const GccCompetition *self)
{
  switch (gcc_competition_get_state (self)) {
    case GCC_COMPETITION_NONE:
      return GCC_RATE_NONE;
    case GCC_COMPETITION_DRAIN:
      return self->holder.result.rate;
    case GCC_COMPETITION_TCP:
      return get_share (self);
  }

  g_return_val_if_reached (GCC_RATE_NONE);
}

gboolean
gcc_competition_loses_packets (const GccCompetition *self)
{
  return !gcc_time_has_passed (
      self->params->lossy_time, self->last_queue_loss, self->last_update);
}

gboolean
gcc_competition_has_just_lost (const GccCompetition *self)
{
  return self->last_queue_loss != GCC_TIME_NONE &&
      self->last_queue_loss == self->last_update;
}
