/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-trendline.h>

void
gcc_trendline_init (GccTrendline *self, const GccTrendlineParams *params)
{
  g_return_if_fail (
      params->window >= 2 && params->window <= GCC_TRENDLINE_MAX_WINDOW);

  self->params = params;
  self->first_arrival = GCC_TIME_NONE;
  self->accumulated_ms = 0.;
  self->smoothed_ms = 0.;
  self->slope = 0.;
  self->n_deltas = 0;
  self->n_points = 0;
  self->next = 0;
}

static void
add_point (GccTrendline *self, gdouble arrival_ms, gdouble delay_ms)
{
  self->points[self->next] = (GccTrendlinePoint){ arrival_ms, delay_ms };
  self->next = (self->next + 1) % self->params->window;
  self->n_points = MIN (self->n_points + 1, self->params->window);
}

static GccTrendlinePoint
get_mean (const GccTrendline *self)
{
  GccTrendlinePoint mean = { 0., 0. };

  for (guint i = 0; i < self->n_points; i++) {
    mean.arrival_ms += self->points[i].arrival_ms;
    mean.delay_ms += self->points[i].delay_ms;
  }
  mean.arrival_ms /= self->n_points;
  mean.delay_ms /= self->n_points;
  return mean;
}

/* Least squares. All points at one time have no slope: it stays. */
static void
fit_line (GccTrendline *self)
{
  GccTrendlinePoint mean = get_mean (self);
  gdouble covariance = 0., variance = 0.;

  for (guint i = 0; i < self->n_points; i++) {
    gdouble x = self->points[i].arrival_ms - mean.arrival_ms;

    covariance += x * (self->points[i].delay_ms - mean.delay_ms);
    variance += x * x;
  }
  if (variance != 0.)
    self->slope = covariance / variance;
}

gdouble
gcc_trendline_update (GccTrendline *self, gdouble arrival_ms,
    gdouble departure_ms, GccTime arrival)
{
  const GccTrendlineParams *params = self->params;

  if (self->first_arrival == GCC_TIME_NONE)
    self->first_arrival = arrival;
  self->n_deltas = MIN (self->n_deltas + 1, params->max_deltas);
  self->accumulated_ms += arrival_ms - departure_ms;
  self->smoothed_ms = params->smoothing * self->smoothed_ms +
      (1. - params->smoothing) * self->accumulated_ms;
  add_point (self,
      gcc_time_to_ms (gcc_time_diff (arrival, self->first_arrival)),
      self->smoothed_ms);

  if (self->n_points == params->window)
    fit_line (self);
  return self->slope * params->gain;
}

guint
gcc_trendline_get_n_deltas (const GccTrendline *self)
{
  return self->n_deltas;
}
