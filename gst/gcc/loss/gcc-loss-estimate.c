/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-loss-estimate.h>

#include <math.h>

/* No bound, bit/s. */
#define UNBOUNDED G_MAXINT64

/* Least distance of a probability from 0 and from 1. */
#define MIN_PROBABILITY 1e-6

/* With this many observations or fewer, none is left out of the average. */
#define N_FEW 3

/* An age that no observation has. */
#define NO_AGE G_MAXUINT

/* A rise of more than this ends "decreasing", bit/s. */
#define LEAST_STEP 1

const gchar *
gcc_loss_estimate_state_to_string (GccLossEstimateState state)
{
  switch (state) {
    case GCC_LOSS_ESTIMATE_DELAY_BASED:
      return "delay-based";
    case GCC_LOSS_ESTIMATE_DECREASING:
      return "decreasing";
    case GCC_LOSS_ESTIMATE_INCREASING:
      return "increasing";
    case GCC_LOSS_ESTIMATE_PADDING:
      return "padding";
  }

  g_return_val_if_reached (NULL);
}

static GccRate
scale (gdouble factor, GccRate rate)
{
  return rate == UNBOUNDED ? UNBOUNDED : llround (factor * (gdouble) rate);
}

static gdouble
to_kilobytes (gint64 bytes)
{
  return (gdouble) bytes / 1000.;
}

/* Does not overflow: times are of the caller's clock, and UNBOUNDED is not a
 * time. */
static gboolean
is_within (GccTime time, GccTime since, GccTime duration)
{
  return since != GCC_TIME_NONE && gcc_time_diff (time, since) <= duration;
}

static void
reset_hold (GccLossEstimate *self)
{
  self->hold_end = GCC_TIME_NONE;
  self->hold = self->params->hold_0;
  self->held_rate = UNBOUNDED;
}

static void
reset_padding (GccLossEstimate *self)
{
  self->padding_start = GCC_TIME_NONE;
  self->padding_rate = 0;
}

void
gcc_loss_estimate_init (
    GccLossEstimate *self, const GccLossEstimateParams *params)
{
  g_return_if_fail (
      params->window > 0 && params->window <= GCC_LOSS_ESTIMATE_MAX_WINDOW);

  *self = (GccLossEstimate){
    .params = params,
    .min_rate = params->min_rate,
    .max_rate = UNBOUNDED,
    .acknowledged = GCC_RATE_NONE,
    .delay_based = UNBOUNDED,
    .last_sent = GCC_TIME_NONE,
    .upper_bound = UNBOUNDED,
    .best = { GCC_RATE_NONE, params->inherent_0 },
    .window_start = GCC_TIME_NONE,
    .window_rate = UNBOUNDED,
  };
  for (guint i = 0; i < params->window; i++) {
    self->weights[i] = pow (params->weight, i);
    self->average_weights[i] = pow (params->average_weight, i);
  }
  reset_hold (self);
  reset_padding (self);
}

void
gcc_loss_estimate_set_rate (GccLossEstimate *self, GccRate rate)
{
  self->best.rate = rate;
  self->rate = rate;
  self->state = GCC_LOSS_ESTIMATE_DELAY_BASED;
}

void
gcc_loss_estimate_set_limits (GccLossEstimate *self, GccRate min, GccRate max)
{
  self->min_rate = MAX (min, self->params->min_rate);
  self->max_rate = max > 0 ? max : UNBOUNDED;
}

/* --- observations --- */

static guint
get_n_remembered (const GccLossEstimate *self)
{
  return (guint) MIN (self->n_observations, self->params->window);
}

/* The observation that is @age observations old. */
static const GccLossObservation *
get_observation (const GccLossEstimate *self, guint age)
{
  guint slot = self->newest >= age ? self->newest - age
                                   : self->newest + self->params->window - age;

  return &self->observations[slot];
}

/* The number of observations is small. */
static GccRate
get_median_rate (const GccLossEstimate *self)
{
  GccRate rates[GCC_LOSS_ESTIMATE_MAX_WINDOW];
  guint n = get_n_remembered (self);

  for (guint age = 0; age < n; age++) {
    GccRate rate = get_observation (self, age)->rate;
    guint i = age;

    for (; i > 0 && rates[i - 1] > rate; i--)
      rates[i] = rates[i - 1];
    rates[i] = rate;
  }
  return n % 2 == 0 ? (rates[n / 2 - 1] + rates[n / 2]) / 2 : rates[n / 2];
}

static gdouble
get_loss (const GccLossObservation *observation)
{
  return observation->bytes == 0
      ? 0.
      : (gdouble) observation->lost_bytes / (gdouble) observation->bytes;
}

/* Ages of the observations of the highest and of the lowest loss. */
static void
find_extremes (const GccLossEstimate *self, guint *highest, guint *lowest)
{
  gdouble max = 0., min = 1.;

  *highest = NO_AGE;
  *lowest = NO_AGE;
  if (self->n_observations <= N_FEW)
    return;
  /* the oldest first, because the first of equal ones counts */
  for (guint age = get_n_remembered (self); age-- > 0;) {
    gdouble loss = get_loss (get_observation (self, age));

    if (loss > max) {
      max = loss;
      *highest = age;
    }
    if (loss < min) {
      min = loss;
      *lowest = age;
    }
  }
}

/* A single observation of much loss is left out of the average, unless much was
 * sent in it. */
static gboolean
leaves_out_extremes (const GccLossEstimate *self, guint highest)
{
  GccRate rate = highest == NO_AGE ? 0 : get_observation (self, highest)->rate;

  return scale (self->params->median_factor, get_median_rate (self)) > rate;
}

static gdouble
get_average (const GccLossEstimate *self)
{
  gint64 bytes = 0, lost = 0;
  guint highest, lowest;
  gboolean leaves_out;

  find_extremes (self, &highest, &lowest);
  leaves_out = leaves_out_extremes (self, highest);
  for (guint age = 0; age < get_n_remembered (self); age++) {
    const GccLossObservation *observation = get_observation (self, age);
    gdouble weight = self->average_weights[age];

    if (leaves_out && (age == highest || age == lowest))
      continue;
    bytes += llround (weight * (gdouble) observation->bytes);
    lost += llround (weight * (gdouble) observation->lost_bytes);
  }
  return bytes == 0 ? 0. : (gdouble) lost / (gdouble) bytes;
}

static GccRate
get_upper_bound (const GccLossEstimate *self)
{
  gdouble excess = self->average_loss - self->params->bound_offset;

  return excess > 0. ? llround ((gdouble) self->params->bound_balance / excess)
                     : self->max_rate;
}

/* A packet that arrives after it was reported lost has already been counted as
 * sent. A packet whose time of arrival becomes known has been counted in
 * full. */
static void
add_packets (GccLossEstimate *self, const GccPacketResult *results, guint n)
{
  GccLossObservation *partial = &self->partial;

  for (guint i = 0; i < n; i++) {
    gint64 size = results[i].sent.size;

    if (results[i].had_arrived)
      continue;
    if (!results[i].was_lost)
      partial->bytes += size;
    if (!results[i].is_received)
      partial->lost_bytes += size;
    else if (results[i].was_lost)
      partial->lost_bytes = MAX (partial->lost_bytes - size, 0);
  }
}

static GccRate
get_sending_rate (const GccLossEstimate *self, GccTime duration)
{
  gdouble smoothing = self->params->rate_smoothing;
  GccRate now = llround ((gdouble) self->partial.bytes * 8. *
      (gdouble) GCC_SECOND / (gdouble) duration);

  return self->n_observations == 0
      ? now
      : scale (smoothing, get_observation (self, 0)->rate) +
          scale (1. - smoothing, now);
}

static void
complete (GccLossEstimate *self, GccTime duration)
{
  GccLossObservation *partial = &self->partial;

  partial->rate = get_sending_rate (self, duration);
  partial->lost_kilobytes = to_kilobytes (partial->lost_bytes);
  partial->received_kilobytes = to_kilobytes (
      partial->bytes - partial->lost_bytes);
  if (self->n_observations++ > 0)
    self->newest = (self->newest + 1) % self->params->window;
  self->observations[self->newest] = *partial;
  *partial = (GccLossObservation){ 0 };
  self->average_loss = get_average (self);
  self->upper_bound = get_upper_bound (self);
}

/* Returns whether this has completed an observation. */
static gboolean
observe (GccLossEstimate *self, const GccPacketResult *results, guint n)
{
  GccTime first = G_MAXINT64, last = G_MININT64;
  GccTime duration;

  if (n == 0)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    first = MIN (first, results[i].sent.time);
    last = MAX (last, results[i].sent.time);
  }
  add_packets (self, results, n);

  if (self->last_sent == GCC_TIME_NONE)
    self->last_sent = first;
  duration = gcc_time_diff (last, self->last_sent);
  if (duration <= 0 || duration < self->params->observation)
    return FALSE;

  self->last_sent = last;
  complete (self, duration);
  return TRUE;
}

/* --- the model --- */

static gdouble
bound_inherent (const GccLossEstimate *self, const GccLossModel *model)
{
  const GccLossEstimateParams *params = self->params;
  gdouble max = model->rate <= 0 ? 1.
                                 : params->inherent_max +
          (gdouble) params->inherent_balance / (gdouble) model->rate;

  return MIN (MAX (model->inherent, params->inherent_min), MIN (max, 1.));
}

static gdouble
get_loss_probability (const GccLossModel *model, GccRate sent)
{
  gdouble inherent = CLAMP (model->inherent, 0., 1.);
  gdouble loss = inherent;

  if (sent > model->rate)
    loss += (1. - inherent) * (gdouble) (sent - model->rate) / (gdouble) sent;
  return CLAMP (loss, MIN_PROBABILITY, 1. - MIN_PROBABILITY);
}

/* A step towards the inherent loss under which the observed loss is the most
 * likely. */
static void
step_inherent (const GccLossEstimate *self, GccLossModel *model)
{
  gdouble first = 0., second = 0.;

  for (guint age = 0; age < get_n_remembered (self); age++) {
    const GccLossObservation *observation = get_observation (self, age);
    gdouble p = get_loss_probability (model, observation->rate);
    gdouble lost = observation->lost_kilobytes;
    gdouble received = observation->received_kilobytes;

    first += self->weights[age] * (lost / p - received / (1. - p));
    second -= self->weights[age] *
        (lost / (p * p) + received / ((1. - p) * (1. - p)));
  }
  if (second < 0.)
    model->inherent -= self->params->newton_step * first / second;
  model->inherent = bound_inherent (self, model);
}

/* The lower the loss, the more a higher rate is preferred. */
static gdouble
adjust_bias (const GccLossEstimate *self, gdouble bias)
{
  gdouble margin = self->params->bias_threshold - self->average_loss;

  return bias * margin / (self->params->bias_smoothing + fabs (margin));
}

static gdouble
get_bias (const GccLossEstimate *self, GccRate rate)
{
  gdouble kbps = round ((gdouble) rate / 1000.);

  return adjust_bias (self, self->params->bias) * kbps +
      adjust_bias (self, self->params->log_bias) * log (1. + kbps);
}

/* Most observations have the same p, the inherent loss: all that were sent at
 * the model's rate or below. */
static gdouble
get_objective (const GccLossEstimate *self, const GccLossModel *model)
{
  gdouble bias = get_bias (self, model->rate);
  gdouble p = 0., log_lost = 0., log_received = 0.;
  gdouble objective = 0.;

  for (guint age = 0; age < get_n_remembered (self); age++) {
    const GccLossObservation *observation = get_observation (self, age);
    gdouble before = p;
    gdouble lost = observation->lost_kilobytes;
    gdouble received = observation->received_kilobytes;

    p = get_loss_probability (model, observation->rate);
    if (p != before) {
      log_lost = log (p);
      log_received = log (1. - p);
    }
    objective += self->weights[age] *
        (lost * log_lost + received * log_received + bias * (lost + received));
  }
  return objective;
}

/* --- candidates --- */

static gboolean
is_loss_limited (const GccLossEstimate *self)
{
  return self->state != GCC_LOSS_ESTIMATE_DELAY_BASED;
}

static gboolean
is_padding (const GccLossEstimate *self)
{
  return self->params->padding > 0 &&
      is_within (self->last_sent, self->padding_start, self->params->padding);
}

static gboolean
is_acknowledged_candidate (const GccLossEstimate *self, gboolean in_alr)
{
  return self->acknowledged != GCC_RATE_NONE &&
      self->params->acknowledged_factor > 0. &&
      (!in_alr || self->params->acknowledged_in_alr || is_padding (self));
}

static guint
get_candidates (const GccLossEstimate *self, gboolean in_alr, GccRate *rates)
{
  const GccLossEstimateParams *params = self->params;
  GccRate best = self->best.rate;
  guint n = 0;

  for (guint i = 0; i < GCC_LOSS_ESTIMATE_FACTORS; i++)
    if (params->factors[i] > 0.)
      rates[n++] = scale (params->factors[i], best);
  if (is_acknowledged_candidate (self, in_alr))
    rates[n++] = scale (params->acknowledged_factor, self->acknowledged);
  if (params->delay_based_candidate && self->delay_based != UNBOUNDED &&
      self->delay_based > best)
    rates[n++] = self->delay_based;
  if (in_alr && params->upper_bound_candidate && best > self->upper_bound)
    rates[n++] = self->upper_bound;
  return n;
}

static GccRate
get_max_candidate (const GccLossEstimate *self)
{
  GccRate max = is_loss_limited (self) ? self->window_rate : self->max_rate;

  return MAX (self->best.rate, max);
}

static GccLossModel
find_best (const GccLossEstimate *self, gboolean in_alr)
{
  GccRate rates[GCC_LOSS_ESTIMATE_CANDIDATES];
  guint n = get_candidates (self, in_alr, rates);
  GccLossModel best = self->best;
  gdouble highest = -G_MAXDOUBLE;

  for (guint i = 0; i < n; i++) {
    GccLossModel model = { MIN (rates[i], get_max_candidate (self)),
      self->best.inherent };
    gdouble objective;

    model.inherent = bound_inherent (self, &model);
    for (guint step = 0; step < self->params->newton_steps; step++)
      step_inherent (self, &model);
    objective = get_objective (self, &model);
    if (objective > highest ||
        (objective == highest && model.rate > best.rate)) {
      highest = objective;
      best = model;
    }
  }
  return best;
}

/* --- bounds of the best one --- */

static GccRate
get_lower_bound (const GccLossEstimate *self)
{
  GccRate bound = self->acknowledged == GCC_RATE_NONE
      ? 0
      : scale (self->params->floor, self->acknowledged);

  return MAX (bound, self->min_rate);
}

static gboolean
is_rising (const GccLossEstimate *self, GccRate from, GccRate to)
{
  gboolean has_risen = self->state == GCC_LOSS_ESTIMATE_INCREASING ||
      self->state == GCC_LOSS_ESTIMATE_PADDING;

  return is_loss_limited (self) && (from < to || (from == to && has_risen));
}

static gdouble
get_ramp_up (const GccLossEstimate *self)
{
  const GccLossEstimateParams *params = self->params;
  gboolean is_low = self->held_rate != UNBOUNDED &&
      self->acknowledged < scale (params->held_threshold, self->held_rate);

  return is_low ? params->held_ramp_up : params->ramp_up;
}

static void
release (GccLossEstimate *self)
{
  if (self->state == GCC_LOSS_ESTIMATE_DECREASING && self->average_loss <= 0. &&
      self->acknowledged != GCC_RATE_NONE &&
      scale (get_ramp_up (self), self->acknowledged) <= self->rate)
    self->held_rate = UNBOUNDED;
}

static void
bound_by_acknowledged (const GccLossEstimate *self, GccLossModel *best)
{
  GccRate old = self->best.rate;
  GccRate max;

  if (!is_rising (self, old, best->rate) || self->acknowledged == GCC_RATE_NONE)
    return;

  max = scale (get_ramp_up (self), self->acknowledged);
  best->rate = MAX (old, MIN (best->rate, max));
  if (self->state == GCC_LOSS_ESTIMATE_DECREASING && best->rate == self->rate)
    best->rate += LEAST_STEP;
}

static void
bound_rise (const GccLossEstimate *self, GccLossModel *best)
{
  const GccLossEstimateParams *params = self->params;

  if (params->needs_inherent && self->average_loss > best->inherent)
    best->rate = MIN (best->rate, self->best.rate);
  if (!is_loss_limited (self))
    return;
  if (self->window_start != GCC_TIME_NONE &&
      gcc_time_diff (self->last_sent, self->window_start) <
          params->increase_window)
    best->rate = MIN (best->rate, self->window_rate);
  bound_by_acknowledged (self, best);
}

static GccRate
bound (const GccLossEstimate *self, GccRate rate)
{
  rate = MIN (rate, MIN (self->upper_bound, self->delay_based));
  return MAX (rate, get_lower_bound (self));
}

static void
set_best (GccLossEstimate *self, GccLossModel best, GccRate bounded)
{
  if (self->params->bounds_best && bounded < best.rate) {
    self->best = (GccLossModel){ bounded, 0. };
    return;
  }
  self->best = best;
  if (self->params->floor > 0.)
    self->best.rate = MAX (best.rate, get_lower_bound (self));
}

/* --- states --- */

static gboolean
is_held (const GccLossEstimate *self, GccRate bounded)
{
  return self->state == GCC_LOSS_ESTIMATE_DECREASING &&
      self->hold_end != GCC_TIME_NONE && self->hold_end > self->last_sent &&
      bounded < self->delay_based;
}

static gboolean
is_limit (const GccLossEstimate *self, GccRate bounded)
{
  return bounded < self->delay_based && bounded < self->max_rate;
}

static gboolean
can_keep_rising (const GccLossEstimate *self, GccRate bounded)
{
  return self->params->padding == 0 ||
      self->state != GCC_LOSS_ESTIMATE_PADDING || is_padding (self) ||
      self->padding_rate < bounded;
}

static void
rise (GccLossEstimate *self, GccRate bounded)
{
  if (self->params->padding == 0) {
    self->state = GCC_LOSS_ESTIMATE_INCREASING;
    return;
  }
  if (bounded > self->padding_rate) {
    self->padding_rate = bounded;
    self->padding_start = self->last_sent;
  }
  self->state = GCC_LOSS_ESTIMATE_PADDING;
}

static void
fall (GccLossEstimate *self, GccRate bounded)
{
  const GccLossEstimateParams *params = self->params;

  if (self->state != GCC_LOSS_ESTIMATE_DECREASING && params->hold_factor > 0.) {
    self->hold_end = self->last_sent + self->hold;
    self->hold = (GccTime) MIN (
        params->hold_factor * (gdouble) self->hold, (gdouble) params->hold_max);
    self->held_rate = bounded;
  }
  reset_padding (self);
  self->state = GCC_LOSS_ESTIMATE_DECREASING;
}

static void
change_state (GccLossEstimate *self, GccRate bounded)
{
  if (is_limit (self, bounded) && is_rising (self, self->rate, bounded) &&
      can_keep_rising (self, bounded)) {
    rise (self, bounded);
  } else if (is_limit (self, bounded)) {
    fall (self, bounded);
  } else {
    reset_hold (self);
    reset_padding (self);
    self->state = GCC_LOSS_ESTIMATE_DELAY_BASED;
  }
  self->rate = bounded;
}

/* Bounds the estimate's rise in the next window. */
static void
open_window (GccLossEstimate *self)
{
  const GccLossEstimateParams *params = self->params;
  gboolean is_over = self->window_start == GCC_TIME_NONE ||
      gcc_time_diff (self->last_sent, self->window_start) >
          params->increase_window;

  if (!is_loss_limited (self) || !is_over)
    return;
  self->window_rate = MAX (
      params->min_window_rate, scale (params->max_increase, self->best.rate));
  self->window_start = self->last_sent;
}

void
gcc_loss_estimate_update (
    GccLossEstimate *self, const GccLossEstimateInput *input)
{
  GccRate delay_based = input->delay_based;
  GccLossModel best;
  GccRate bounded;

  if (input->acknowledged != GCC_RATE_NONE)
    self->acknowledged = input->acknowledged;
  if (input->releases)
    release (self);
  self->delay_based = delay_based == GCC_RATE_NONE ? UNBOUNDED : delay_based;
  if (!observe (self, input->results, input->n_results))
    return;
  if (self->best.rate == GCC_RATE_NONE) {
    if (delay_based == GCC_RATE_NONE)
      return;
    gcc_loss_estimate_set_rate (self, delay_based);
  }

  best = find_best (self, input->in_alr);
  bound_rise (self, &best);
  bounded = bound (self, best.rate);
  set_best (self, best, bounded);

  if (is_held (self, bounded)) {
    self->held_rate = MAX (self->held_rate, get_lower_bound (self));
    self->rate = MIN (self->held_rate, bounded);
    return;
  }
  change_state (self, bounded);
  open_window (self);
}

/* --- the result --- */

gboolean
gcc_loss_estimate_is_ready (const GccLossEstimate *self)
{
  return self->best.rate != GCC_RATE_NONE &&
      self->n_observations >= self->params->min_observations;
}

GccRate
gcc_loss_estimate_get_rate (const GccLossEstimate *self)
{
  if (gcc_loss_estimate_is_ready (self))
    return self->rate;
  return self->delay_based == UNBOUNDED ? GCC_RATE_NONE : self->delay_based;
}

GccLossEstimateState
gcc_loss_estimate_get_state (const GccLossEstimate *self)
{
  return gcc_loss_estimate_is_ready (self) ? self->state
                                           : GCC_LOSS_ESTIMATE_DELAY_BASED;
}
