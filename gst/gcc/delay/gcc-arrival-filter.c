/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-arrival-filter.h>

#include <math.h>

void
gcc_arrival_filter_init (
    GccArrivalFilter *self, const GccArrivalFilterParams *params)
{
  *self = (GccArrivalFilter){
    .params = params,
    .inverse_capacity = params->inverse_capacity_0,
    .m = params->m_0,
    .previous_m = params->m_0,
    .E = { { params->E_0[0], 0. }, { 0., params->E_0[1] } },
    .var = params->var_0,
    .smoothing_chi = -1., /* none computed yet */
  };
}

static gdouble
find_min_period (const GccArrivalFilter *self)
{
  gdouble min = self->periods[0];

  for (guint i = 1; i < self->n_periods; i++)
    min = MIN (min, self->periods[i]);
  return min;
}

/* 1 / f_max in ms: the shortest of the last group periods. */
static gdouble
update_min_period (GccArrivalFilter *self, gdouble period)
{
  gboolean is_full = self->n_periods == self->params->f_max_groups;
  gdouble oldest = is_full ? self->periods[self->next_period] : INFINITY;

  self->periods[self->next_period] = period;
  self->next_period = (self->next_period + 1) % self->params->f_max_groups;
  if (!is_full)
    self->n_periods++;

  if (self->n_periods == 1 || period <= self->min_period)
    self->min_period = period;
  else if (oldest <= self->min_period)
    self->min_period = find_min_period (self);
  return self->min_period;
}

static gboolean
is_stable (
    const GccArrivalFilter *self, GccSignal signal, gdouble gamma, guint n_max)
{
  switch (self->params->stable) {
    case GCC_FILTER_STABLE_ALWAYS:
      return TRUE;
    case GCC_FILTER_STABLE_SIGNAL:
      return signal == GCC_SIGNAL_NORMAL;
    case GCC_FILTER_STABLE_GAMMA:
      return MIN (self->n, n_max) * fabs (self->m) < gamma;
  }

  g_return_val_if_reached (FALSE);
}

/* The smoothing factor (1 - χ)^(30 / (1000 f_max)), f_max in 1/ms. The result
 * is cached, because its inputs seldom change and pow() is the most expensive
 * call here. */
static gdouble
get_smoothing (GccArrivalFilter *self, gdouble period)
{
  const GccArrivalFilterParams *params = self->params;
  gdouble chi = self->n > params->n_start ? params->chi : params->chi_start;

  if (chi != self->smoothing_chi || period != self->smoothing_period) {
    self->smoothing = pow (1. - chi, period * (params->chi_rate / 1000.));
    self->smoothing_chi = chi;
    self->smoothing_period = period;
  }
  return self->smoothing;
}

static gdouble
clip_outlier (const GccArrivalFilter *self, gdouble residual)
{
  gdouble limit = self->params->max_deviations * sqrt (self->var);

  if (fabs (residual) < limit)
    return residual;
  return residual < 0. && !self->params->clips_to_positive ? -limit : limit;
}

static void
learn_noise (GccArrivalFilter *self, gdouble residual, gdouble period)
{
  gdouble beta = get_smoothing (self, period);
  gdouble error;

  if (!self->params->zero_mean)
    self->mean = beta * self->mean + (1. - beta) * residual;
  error = self->mean - residual;
  self->var = beta * self->var + (1. - beta) * error * error;
  self->var = MAX (self->var, self->params->var_min);
}

/* E += Q. When m falls although the path is over-used, the queue has begun to
 * drain (and conversely): the filter then has to follow faster. */
static void
add_process_noise (GccArrivalFilter *self, GccSignal signal, gdouble period)
{
  const GccArrivalFilterParams *params = self->params;
  gdouble scale = params->Q_period_ms > 0. ? period / params->Q_period_ms : 1.;
  gboolean turns = (signal == GCC_SIGNAL_OVERUSE &&
                       self->m < self->previous_m) ||
      (signal == GCC_SIGNAL_UNDERUSE && self->m > self->previous_m);

  self->E[0][0] += params->Q[0] * scale;
  self->E[1][1] += params->Q[1] * scale;
  if (turns)
    self->E[1][1] += params->Q_boost * params->Q[1] * scale;
}

/* k = E h / (var + h' E h); θ += k · z; E = (I - k h') E. Without the capacity
 * state ΔL is 0, which reduces this to the scalar filter of m. */
static void
correct_state (GccArrivalFilter *self, gdouble size_delta, gdouble residual)
{
  gdouble h[2] = { size_delta, 1. };
  gdouble E[2][2] = {
    { self->E[0][0], self->E[0][1] },
    { self->E[1][0], self->E[1][1] },
  };
  gdouble Eh[2] = {
    E[0][0] * h[0] + E[0][1] * h[1],
    E[1][0] * h[0] + E[1][1] * h[1],
  };
  gdouble denominator = self->var + h[0] * Eh[0] + h[1] * Eh[1];
  gdouble k[2] = { Eh[0] / denominator, Eh[1] / denominator };

  for (guint row = 0; row < 2; row++) {
    for (guint column = 0; column < 2; column++) {
      self->E[row][column] = (row == 0 ? 1. - k[0] * h[0] : -k[1] * h[0]) *
              E[0][column] +
          (row == 0 ? -k[0] : 1. - k[1]) * E[1][column];
    }
  }

  self->inverse_capacity += k[0] * residual;
  self->previous_m = self->m;
  self->m += k[1] * residual;
}

/* A variance cannot be negative. After input that no path produces, rounding
 * can make it negative; the filter then starts over. */
static gboolean
is_sound (const GccArrivalFilter *self)
{
  return self->E[0][0] >= 0. && self->E[1][1] >= 0. &&
      isfinite (self->E[0][0]) && isfinite (self->E[1][1]) &&
      isfinite (self->E[0][1]) && isfinite (self->E[1][0]) &&
      isfinite (self->inverse_capacity) && isfinite (self->m) &&
      isfinite (self->mean) && isfinite (self->var);
}

static void
relearn (GccArrivalFilter *self)
{
  const GccArrivalFilterParams *params = self->params;

  self->inverse_capacity = params->inverse_capacity_0;
  self->m = self->previous_m = params->m_0;
  self->E[0][0] = params->E_0[0];
  self->E[1][1] = params->E_0[1];
  self->E[0][1] = self->E[1][0] = 0.;
  self->mean = 0.;
  self->var = params->var_0;
}

gdouble
gcc_arrival_filter_update (GccArrivalFilter *self, const GccGroupDelta *delta,
    GccSignal signal, gdouble gamma, guint n_max)
{
  gdouble period = update_min_period (self, delta->departure_ms);
  gboolean has_capacity = self->params->model == GCC_FILTER_MODEL_CAPACITY;
  gdouble size_delta = has_capacity ? (gdouble) delta->size : 0.;
  gdouble residual = delta->arrival_ms - delta->departure_ms -
      self->inverse_capacity * size_delta - self->m;

  self->n = MIN (self->n + 1, GCC_ARRIVAL_FILTER_MAX_DELTAS);
  add_process_noise (self, signal, period);
  if (is_stable (self, signal, gamma, n_max))
    learn_noise (self, clip_outlier (self, residual), period);
  correct_state (self, size_delta, residual);

  if (!is_sound (self))
    relearn (self);
  return self->m;
}

guint
gcc_arrival_filter_get_n_deltas (const GccArrivalFilter *self)
{
  return self->n;
}

gdouble
gcc_arrival_filter_get_variance (const GccArrivalFilter *self)
{
  return self->var;
}
