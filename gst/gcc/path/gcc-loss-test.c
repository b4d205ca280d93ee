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
    .most = GCC_RATE_NONE,
    .last_path = GCC_TIME_NONE,
    .interval = params->trigger.interval,
  };
  gcc_experiment_init (&self->experiment);
}

/* --- what is lost --- */

static void
count_anew (GccLossTest *self, GccRate target, GccTime now)
{
  self->since = self->last_loss = now;
  self->first = target;
  self->n_lost = self->n_arrived = 0;
}

static gdouble
get_loss (const GccLossTest *self)
{
  guint n = self->n_lost + self->n_arrived;

  return n > 0 ? (gdouble) self->n_lost / n : 0.;
}

static gboolean
has_lasted (const GccLossTest *self, GccTime duration, GccTime now)
{
  return gcc_time_has_passed (duration, self->since, now);
}

/* --- the test --- */

static void
set_most (GccLossTest *self, GccRate most, GccTime now)
{
  self->is_testing = FALSE;
  self->most = most;
  self->most_since = now;
}

static void
begin_test (GccLossTest *self, GccRate target, GccTime now)
{
  self->loss_before = get_loss (self);
  self->rate_before = target;
  set_most (
      self, gcc_rate_from_double (self->params->share * (gdouble) target), now);
  self->is_testing = TRUE;
  count_anew (self, target, now);
}

static gboolean
is_worth_a_test (const GccLossTest *self, GccTime now)
{
  const GccLossTestTriggerParams *params = &self->params->trigger;

  return self->n_lost >= params->min_losses &&
      get_loss (self) >= params->min_loss &&
      gcc_time_has_passed (self->interval, self->last_path, now);
}

/* One second without loss, or without feedback, ends the time that is looked at: the
 * loss of an outage has another cause than A_s. */
static void
watch (GccLossTest *self, GccRate target, GccTime now)
{
  const GccLossTestTriggerParams *params = &self->params->trigger;

  if (gcc_time_diff (now, self->last_loss) >= GCC_SECOND ||
      (gdouble) target >= params->growth * (gdouble) self->first)
    count_anew (self, target, now);
  else if (has_lasted (self, params->after, now) && is_worth_a_test (self, now))
    begin_test (self, target, now);
  if (!self->is_testing && self->most != GCC_RATE_NONE &&
      gcc_time_has_passed (self->params->own_duration, self->most_since, now))
    set_most (self, GCC_RATE_NONE, now);
}

/* --- its result --- */

/* At three times the capacity nearly as much is lost at 0.7 of the rate. */
static gboolean
is_of_path (const GccLossTest *self)
{
  return get_loss (self) >= self->params->same * self->loss_before;
}

/* A_s is as before where the path is known to lose by itself. */
static GccRate
end_on_path (GccLossTest *self, GccTime now)
{
  const GccLossTestTriggerParams *params = &self->params->trigger;
  gboolean is_known = is_of_path (self) &&
      get_loss (self) <= self->params->max_loss;

  if (self->last_path != GCC_TIME_NONE)
    self->interval = MIN (3 * self->interval, params->max_interval);
  self->last_path = now;
  set_most (self, GCC_RATE_NONE, now);
  gcc_experiment_conclude (&self->experiment,
      is_known ? GCC_VERDICT_LOSSY_PATH : GCC_VERDICT_UNKNOWN, now);
  return is_known ? self->rate_before : GCC_RATE_NONE;
}

/* The received rate is corrected for the loss of the path, which occurs at any
 * rate. */
static void
end_own (GccLossTest *self, GccTime now)
{
  gdouble arrived = (1. - self->loss_before) / (1. - get_loss (self)) *
      (gdouble) self->rate_before;

  self->interval = self->params->trigger.interval;
  set_most (
      self, gcc_rate_from_double (self->params->own_share * arrived), now);
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OWN, now);
}

/* With fewer packets the loss is chance. */
static gboolean
tells_enough (const GccLossTest *self)
{
  return self->loss_before * (self->n_lost + self->n_arrived) >=
      self->params->trigger.min_losses;
}

static GccRate
test (GccLossTest *self, GccRate target, GccTime now)
{
  GccTime duration = self->params->duration;
  GccRate resumed = GCC_RATE_NONE;

  if (!has_lasted (self, tells_enough (self) ? duration : 2 * duration, now))
    return GCC_RATE_NONE;
  if (is_of_path (self) || !tells_enough (self))
    resumed = end_on_path (self, now);
  else
    end_own (self, now);
  count_anew (self, target, now);
  return resumed;
}

/* --- events --- */

GccRate
gcc_loss_test_feed (GccLossTest *self, guint n_lost, guint n_arrived,
    GccRate target, GccTime now)
{
  GccRate resumed = GCC_RATE_NONE;

  self->n_lost += n_lost;
  self->n_arrived += n_arrived;
  if (self->is_testing)
    resumed = test (self, target, now);
  else
    watch (self, target, now);
  if (n_lost > 0)
    self->last_loss = now;
  return resumed;
}
