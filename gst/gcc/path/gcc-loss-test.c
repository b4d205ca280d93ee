/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-loss-test.h>

#include <math.h>

void
gcc_loss_test_init (GccLossTest *self, const GccLossTestParams *params)
{
  *self = (GccLossTest){
    .params = params,
    .rate = GCC_RATE_NONE,
    .resumed = GCC_RATE_NONE,
    .last_report = GCC_TIME_NONE,
    .last_loss = GCC_TIME_NONE,
    .last_path = GCC_TIME_NONE,
    .last_own = GCC_TIME_NONE,
    .since = GCC_TIME_NONE,
    .interval = params->trigger.interval,
  };
  gcc_experiment_init (&self->experiment);
  gcc_windowed_min_init (&self->least_mean);
}

/* --- reports --- */

static void
begin (GccLossTest *self, GccTime now)
{
  self->since = now;
  self->first = GCC_RATE_NONE;
  self->n_packets = self->n_lost = 0.;
  self->n_rtts = self->queueing = 0.;
  self->n_rates = self->arrived = 0.;
}

static gboolean
has_lasted (const GccLossTest *self, GccTime duration, GccTime now)
{
  return gcc_time_has_passed (duration, self->since, now);
}

/* A single frame that waited is no queue, so a sample is bounded. The sample is
 * above the least mean, which varies less than the least round trip. */
static gdouble
get_sample (const GccLossTest *self, GccTime round_trip)
{
  GccTime queueing = gcc_windowed_min_get_excess (
      &self->least_mean, round_trip);

  return (gdouble) CLAMP (queueing, 0, 2 * self->params->queue.min_queueing);
}

static void
note_rtt (GccLossTest *self, GccTime round_trip, GccTime now)
{
  gdouble rtt = (gdouble) round_trip;

  if (round_trip < 0)
    return;
  if (self->n_mean > 0)
    self->mean_step += (fabs (rtt - self->last_rtt) - self->mean_step) /
        self->n_mean;
  self->last_rtt = rtt;
  self->n_mean = MIN (self->n_mean + 1, self->params->queue.mean_reports);
  self->mean_rtt += (rtt - self->mean_rtt) / self->n_mean;
  if (2 * self->n_mean >= self->params->queue.mean_reports)
    gcc_windowed_min_feed (&self->least_mean, (GccTime) self->mean_rtt,
        self->params->queue.rtt_window, now);
  self->n_rtts++;
  self->queueing += (get_sample (self, round_trip) - self->queueing) /
      self->n_rtts;
}

static void
note_loss (GccLossTest *self, const GccLossReport *report, GccRate target)
{
  gdouble loss = report->fraction_lost;

  if (self->first == GCC_RATE_NONE)
    self->first = target;
  self->n_packets += (gdouble) report->packets;
  self->n_lost += gcc_loss_report_get_n_lost (report);
  self->n_rates++;
  self->arrived += ((1. - loss) * (gdouble) target - self->arrived) /
      self->n_rates;
}

static gdouble
get_loss (const GccLossTest *self)
{
  return self->n_packets > 0. ? self->n_lost / self->n_packets : 0.;
}

static gboolean
is_jumping (const GccLossTest *self)
{
  return self->mean_step > (gdouble) self->params->queue.max_step;
}

/* A queue of other flows counts as one until it is shorter than the share that
 * such flows leave. */
static gboolean
is_queueing (const GccLossTest *self)
{
  gdouble least = (gdouble) self->params->queue.min_queueing;

  if (self->state == GCC_LOSS_TEST_OTHERS)
    least *= self->params->others.stays;
  return !is_jumping (self) && self->queueing >= least;
}

/* Round trips vary where other flows come and go, but not on a longer path. */
static gboolean
is_others_queue (const GccLossTest *self)
{
  return is_queueing (self) &&
      self->mean_step >= (gdouble) self->params->others.min_step;
}

/* --- the test --- */

static void
set_state (GccLossTest *self, GccLossTestState state, GccRate rate, GccTime now)
{
  self->state = state;
  self->rate = rate;
  begin (self, now);
}

static void
begin_test (GccLossTest *self, GccRate target, GccTime now)
{
  self->loss_before = get_loss (self);
  self->arrived_before = self->arrived;
  self->queueing_before = is_queueing (self) ? self->queueing : 0.;
  self->rate_before = target;
  self->test_rate = gcc_rate_from_double (
      self->params->fall.share * (gdouble) target);
  set_state (self, GCC_LOSS_TEST_FALL, self->test_rate, now);
}

static gboolean
is_growing (const GccLossTest *self, GccRate target)
{
  return (gdouble) target >=
      self->params->trigger.growth * (gdouble) self->first;
}

static void
wait_for_loss (
    GccLossTest *self, gboolean has_lost, GccRate target, GccTime now)
{
  const GccLossTestParams *params = self->params;

  if (!has_lost) {
    begin (self, now);
  } else if (has_lasted (self, params->trigger.after, now)) {
    if (is_growing (self, target))
      begin (self, now);
    else if (self->n_lost >= params->min_losses &&
        get_loss (self) >= params->trigger.min_loss && self->n_rtts > 0. &&
        gcc_time_has_passed (self->interval, self->last_path, now))
      begin_test (self, target, now);
  }
}

/* --- its result --- */

static gboolean
is_of_path (const GccLossTest *self)
{
  return get_loss (self) >= self->params->path.share * self->loss_before;
}

static gboolean
has_queued (const GccLossTest *self)
{
  return self->queueing_before > 0.;
}

/* Whether the loss is known to be that of the path. Other flows may have
 * refilled a queue, and at three times the capacity nearly as much is lost at
 * 0.7 of the rate. */
static gboolean
is_known (const GccLossTest *self)
{
  return is_of_path (self) && !has_queued (self) &&
      get_loss (self) <= self->params->path.max_loss;
}

/* After a test with a queue the interval does not grow. */
static void
wait_for_next (GccLossTest *self, GccTime now)
{
  if (self->last_path != GCC_TIME_NONE && !has_queued (self))
    self->interval = MIN (
        3 * self->interval, self->params->trigger.max_interval);
  self->last_path = now;
}

/* The loss without a queue is that of the path, and A_s goes back to its value
 * before the test. The known loss holds with a queue, too, and is lowered at
 * most. */
static void
leave_path (GccLossTest *self, GccTime now)
{
  if (is_known (self)) {
    gcc_experiment_conclude (&self->experiment, GCC_VERDICT_LOSSY_PATH, now);
    self->path_loss = get_loss (self);
    self->resumed = self->rate_before;
  } else {
    gcc_experiment_conclude (&self->experiment, GCC_VERDICT_UNKNOWN, now);
    self->path_loss = MIN (self->path_loss, get_loss (self));
  }
  wait_for_next (self, now);
  set_state (self, GCC_LOSS_TEST_NONE, GCC_RATE_NONE, now);
}

static gboolean
has_drained (const GccLossTest *self)
{
  return has_queued (self) &&
      (!is_queueing (self) ||
          self->queueing < self->params->others.stays * self->queueing_before);
}

static void
leave_to_others (GccLossTest *self, GccTime now)
{
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OTHERS, now);
  self->path_loss = 0.;
  set_state (self, GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE, now);
}

/* The received rate is corrected for the loss of the path, which occurs at any
 * rate. */
static void
keep_own (GccLossTest *self, GccTime now)
{
  gdouble rate = self->arrived_before / (1. - get_loss (self));

  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OWN, now);
  self->interval = self->params->trigger.interval;
  self->path_loss = 0.;
  self->last_own = now;
  set_state (self, GCC_LOSS_TEST_OWN,
      gcc_rate_from_double (self->params->own.share * rate), now);
}

/* A queue of this call drains at the lower rate, unless that rate is still far
 * above the capacity. */
static gboolean
is_of_others (const GccLossTest *self)
{
  return has_queued (self) && !has_drained (self) && is_others_queue (self) &&
      self->loss_before <= self->params->path.max_loss;
}

static void
conclude (GccLossTest *self, GccTime now)
{
  if (is_of_others (self))
    leave_to_others (self, now);
  else if (is_of_path (self))
    leave_path (self, now);
  else
    keep_own (self, now);
}

/* Whether the test has a result. A queue that has drained is one; otherwise,
 * enough packets have to be sent. */
static gboolean
has_told (const GccLossTest *self, GccTime now)
{
  const GccLossTestParams *params = self->params;

  return has_lasted (self, params->fall.min_duration, now) &&
      (has_drained (self) ||
          self->loss_before * self->n_packets >= params->min_losses);
}

static void
test (GccLossTest *self, GccTime now)
{
  if (has_told (self, now))
    conclude (self, now);
  else if (has_lasted (self, self->params->fall.max_duration, now))
    leave_path (self, now);
}

static gboolean
is_unchanged (const GccLossTest *self)
{
  return get_loss (self) >= self->params->others.unchanged * self->loss_before;
}

/* Beside other flows the rate is even lower than in the test, so its losses
 * check the result. */
static void
hold (GccLossTest *self, GccTime now)
{
  const GccLossTestParams *params = self->params;

  if (!has_lasted (self, params->memory, now))
    return;
  if (gcc_time_has_passed (params->memory, self->last_loss, now) ||
      (is_unchanged (self) && !is_others_queue (self)))
    set_state (self, GCC_LOSS_TEST_NONE, GCC_RATE_NONE, now);
  else
    begin (self, now);
}

/* Loss at a rate that had arrived shows that other flows have grown. When the
 * lowered rate would be below that of the test, which lost less, other flows
 * hold the queue. */
static void
lower_own (GccLossTest *self, GccTime now)
{
  GccRate rate = gcc_rate_from_double (
      self->params->own.lowered * (gdouble) self->rate);

  if (rate < self->test_rate) {
    leave_to_others (self, now);
    return;
  }
  self->last_own = now;
  set_state (self, GCC_LOSS_TEST_OWN, rate, now);
}

static void
watch_own (GccLossTest *self, GccTime now)
{
  const GccLossTestParams *params = self->params;

  if (gcc_time_has_passed (params->own.duration, self->last_own, now))
    set_state (self, GCC_LOSS_TEST_NONE, GCC_RATE_NONE, now);
  else if (self->n_lost < params->min_losses)
    return;
  else if (get_loss (self) >= params->own.lost_again * self->loss_before)
    lower_own (self, now);
  else
    begin (self, now);
}

/* --- events --- */

GccRate
gcc_loss_test_feed_report (
    GccLossTest *self, const GccLossReport *report, GccRate target, GccTime now)
{
  const GccLossTestParams *params = self->params;
  gboolean has_lost = report->fraction_lost > 0.;
  gboolean follows_outage = gcc_time_has_passed (
      params->trigger.max_gap, self->last_report, now);

  self->last_report = now;
  self->resumed = GCC_RATE_NONE;
  if (self->since == GCC_TIME_NONE)
    begin (self, now);
  if (has_lost)
    self->last_loss = now;
  if (self->state == GCC_LOSS_TEST_NONE ||
      has_lasted (self, params->fall.settles, now)) {
    note_rtt (self, report->rtt, now);
    note_loss (self, report, target);
  }

  switch (self->state) {
    case GCC_LOSS_TEST_OWN:
      watch_own (self, now);
      break;
    case GCC_LOSS_TEST_NONE:
      wait_for_loss (self, has_lost && !follows_outage, target, now);
      break;
    case GCC_LOSS_TEST_FALL:
      test (self, now);
      break;
    case GCC_LOSS_TEST_OTHERS:
      hold (self, now);
      break;
  }
  return self->resumed;
}

GccRate
gcc_loss_test_get_rate (const GccLossTest *self)
{
  return self->rate;
}

gdouble
gcc_loss_test_get_path_loss (const GccLossTest *self, GccTime now)
{
  return gcc_time_has_passed (self->params->memory, self->last_loss, now)
      ? 0.
      : self->path_loss;
}

GccLossTestState
gcc_loss_test_get_state (const GccLossTest *self)
{
  return self->state;
}

const GccExperiment *
gcc_loss_test_get_experiment (const GccLossTest *self)
{
  return &self->experiment;
}
