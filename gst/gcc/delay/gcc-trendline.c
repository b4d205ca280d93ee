/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-trendline.h>

/* Within this distance from the origin of the sums, the squares of µs and their
 * sums are exact. */
#define MAX_DISTANCE (2 * GCC_SECOND)

void
gcc_trendline_init (GccTrendline *self, const GccTrendlineParams *params)
{
  g_return_if_fail (
      params->window >= 2 && params->window <= GCC_TRENDLINE_MAX_WINDOW);

  self->params = params;
  self->accumulated_ms = 0.;
  self->smoothed_ms = 0.;
  self->slope = 0.;
  self->n_deltas = 0;
  self->n_points = 0;
  self->next = 0;
  self->origin = (GccTrendlinePoint){ 0, 0. };
  self->sums = (GccTrendlineSums){ .x = 0. };
}

/* With a @sign of -1, @point is taken out. */
static void
count (GccTrendline *self, const GccTrendlinePoint *point, gdouble sign)
{
  GccTrendlineSums *sums = &self->sums;
  gdouble x = (gdouble) gcc_time_diff (point->arrival, self->origin.arrival);
  gdouble y = point->delay_ms - self->origin.delay_ms;

  sums->x += sign * x;
  sums->y += sign * y;
  sums->xx += sign * x * x;
  sums->xy += sign * x * y;
}

static void
recount (GccTrendline *self, GccTrendlinePoint origin)
{
  self->origin = origin;
  self->sums = (GccTrendlineSums){ .x = 0. };
  for (guint i = 0; i < self->n_points; i++)
    count (self, &self->points[i], 1.);
}

static gboolean
is_far (const GccTrendline *self, const GccTrendlinePoint *point)
{
  GccTime distance = gcc_time_diff (point->arrival, self->origin.arrival);

  return distance > MAX_DISTANCE || distance < -MAX_DISTANCE;
}

/* Rounding errors stay in the sums until these are computed anew: once in a
 * window, and when a point is far off. */
static void
add_point (GccTrendline *self, GccTrendlinePoint point)
{
  GccTrendlinePoint *slot = &self->points[self->next];
  gboolean is_full = self->n_points == self->params->window;
  gboolean is_stale = is_far (self, &point) || (is_full && is_far (self, slot));

  self->next = (self->next + 1) % self->params->window;
  self->n_points += !is_full;
  if (is_full)
    count (self, slot, -1.);
  *slot = point;
  if (is_stale || self->next == 0)
    recount (self, point);
  else
    count (self, slot, 1.);
}

/* Least squares. The slope is kept when all points have the same time. */
static void
fit_line (GccTrendline *self)
{
  const GccTrendlineSums *sums = &self->sums;
  gdouble n = self->n_points;
  gdouble covariance = n * sums->xy - sums->x * sums->y;
  gdouble variance = n * sums->xx - sums->x * sums->x;

  if (variance != 0.)
    self->slope = covariance / variance * GCC_MSECOND;
}

gdouble
gcc_trendline_update (GccTrendline *self, gdouble arrival_ms,
    gdouble departure_ms, GccTime arrival)
{
  const GccTrendlineParams *params = self->params;

  self->n_deltas = MIN (self->n_deltas + 1, params->max_deltas);
  self->accumulated_ms += arrival_ms - departure_ms;
  self->smoothed_ms = params->smoothing * self->smoothed_ms +
      (1. - params->smoothing) * self->accumulated_ms;
  add_point (self, (GccTrendlinePoint){ arrival, self->smoothed_ms });

  if (self->n_points == params->window)
    fit_line (self);
  return self->slope * params->gain;
}
