/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-bayesian-rate.h>

#include <math.h>

void
gcc_bayesian_rate_init (
    GccBayesianRate *self, const GccBayesianRateParams *params)
{
  *self = (GccBayesianRate){
    .params = params,
    .last = GCC_TIME_NONE,
    .variance = params->variance_0,
  };
}

/* --- samples --- */

static void
advance (GccBayesianRate *self, GccTime arrival, GccTime window)
{
  GccTime gap;

  if (self->last != GCC_TIME_NONE && arrival < self->last) {
    self->last = GCC_TIME_NONE;
    self->bytes = 0;
    self->passed = 0;
  }
  gap = self->last == GCC_TIME_NONE ? 0 : gcc_time_diff (arrival, self->last);
  self->last = arrival;
  self->passed += gap;
  /* nothing for a whole window: the bytes before it are dropped */
  if (gap > window) {
    self->bytes = 0;
    self->passed %= window;
  }
}

/* Whether a window has ended before this packet, and its rate. */
static gboolean
take_sample (GccBayesianRate *self, gsize bytes, GccTime arrival, gdouble *kbps)
{
  GccTime window = self->has_estimate ? self->params->window
                                      : self->params->first_window;
  gboolean is_complete;

  advance (self, arrival, window);
  is_complete = self->passed >= window;
  if (is_complete) {
    *kbps = (gdouble) self->bytes * 8. / gcc_time_to_ms (window);
    self->passed -= window;
    self->bytes = 0;
  }
  self->bytes += (gint64) bytes;
  return is_complete;
}

/* --- the estimate --- */

static void
learn (GccBayesianRate *self, gdouble kbps)
{
  const GccBayesianRateParams *params = self->params;
  gdouble predicted = self->variance + params->variance_growth;
  gdouble uncertainty, variance;

  if (self->estimate_kbps <= 0.) {
    self->estimate_kbps = kbps;
    return;
  }
  uncertainty = params->scale * fabs (self->estimate_kbps - kbps) /
      self->estimate_kbps;
  variance = uncertainty * uncertainty;
  self->estimate_kbps = (variance * self->estimate_kbps + predicted * kbps) /
      (variance + predicted);
  self->variance = variance * predicted / (variance + predicted);
}

void
gcc_bayesian_rate_update (GccBayesianRate *self, gsize bytes, GccTime arrival)
{
  gdouble kbps;

  if (!take_sample (self, bytes, arrival, &kbps))
    return;
  learn (self, kbps);
  self->has_estimate = TRUE;
}

void
gcc_bayesian_rate_expect_change (GccBayesianRate *self)
{
  self->variance += self->params->alr_variance;
}

GccRate
gcc_bayesian_rate_get (const GccBayesianRate *self)
{
  return self->has_estimate ? llround (self->estimate_kbps * 1000.)
                            : GCC_RATE_NONE;
}

gdouble
gcc_bayesian_rate_get_variance (const GccBayesianRate *self)
{
  return self->variance;
}
