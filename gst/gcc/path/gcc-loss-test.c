/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-loss-test.h>

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
}

/* --- reports --- */

static void
begin (GccLossTest *self, GccTime now)
{
  self->since = now;
  self->first = GCC_RATE_NONE;
  self->n_packets = self->n_lost = 0.;
  self->n_rates = self->arrived = 0.;
}

static gboolean
has_lasted (const GccLossTest *self, GccTime duration, GccTime now)
{
  return gcc_time_has_passed (duration, self->since, now);
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
        get_loss (self) >= params->trigger.min_loss &&
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

/* Whether the loss is known to be that of the path: at three times the capacity
 * nearly as much is lost at 0.7 of the rate. */
static gboolean
is_known (const GccLossTest *self)
{
  return is_of_path (self) && get_loss (self) <= self->params->path.max_loss;
}

static void
wait_for_next (GccLossTest *self, GccTime now)
{
  if (self->last_path != GCC_TIME_NONE)
    self->interval = MIN (
        3 * self->interval, self->params->trigger.max_interval);
  self->last_path = now;
}

/* The loss is that of the path, and A_s goes back to its value before the test. A
 * known loss is lowered at most by a test without a result. */
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

static void
conclude (GccLossTest *self, GccTime now)
{
  if (is_of_path (self))
    leave_path (self, now);
  else
    keep_own (self, now);
}

/* Enough packets have to be sent for a result. */
static gboolean
has_told (const GccLossTest *self, GccTime now)
{
  const GccLossTestParams *params = self->params;

  return has_lasted (self, params->fall.min_duration, now) &&
      self->loss_before * self->n_packets >= params->min_losses;
}

static void
test (GccLossTest *self, GccTime now)
{
  if (has_told (self, now))
    conclude (self, now);
  else if (has_lasted (self, self->params->fall.max_duration, now))
    leave_path (self, now);
}

/* Loss at a rate that had arrived shows that the link takes less. Loss at the rate
 * of the test, which lost less, shows that the result was due to chance. */
static void
lower_own (GccLossTest *self, GccTime now)
{
  GccRate rate = gcc_rate_from_double (
      self->params->own.lowered * (gdouble) self->rate);

  if (rate < self->test_rate) {
    gcc_experiment_conclude (&self->experiment, GCC_VERDICT_UNKNOWN, now);
    set_state (self, GCC_LOSS_TEST_NONE, GCC_RATE_NONE, now);
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
