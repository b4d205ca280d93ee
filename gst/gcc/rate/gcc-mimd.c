/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-mimd.h>

#include <math.h>

/* Beyond any link, and within the range of the type, bit/s. */
#define MAX_RATE 1e12

void
gcc_mimd_init (GccMimd *self, const GccMimdParams *params)
{
  *self = (GccMimd){
    .params = params,
    .change_period_ms = (gfloat) params->change_period_ms,
    .last_update = GCC_TIME_NONE,
  };
}

void
gcc_mimd_feed_update (GccMimd *self, GccTime now)
{
  gfloat weight = (gfloat) self->params->change_period_weight;
  GccTime period = self->last_update == GCC_TIME_NONE
      ? 0
      : MAX (gcc_time_diff (now, self->last_update), 0);

  self->last_update = now;
  self->change_period_ms = (1.f - weight) * self->change_period_ms +
      weight * (gfloat) gcc_time_to_ms (period);
}

void
gcc_mimd_feed_hold (GccMimd *self, GccRate received_rate)
{
  self->max_hold_rate = MAX (self->max_hold_rate, received_rate);
}

GccRate
gcc_mimd_take_hold (GccMimd *self)
{
  GccRate rate = self->max_hold_rate;

  self->max_hold_rate = 0;
  return rate;
}

/* η per second, eq. (3): slower when the response is late or the path noisy. */
static gdouble
get_eta (const GccMimd *self, GccTime response_time, gdouble noise_variance)
{
  const GccMimdParams *params = self->params;
  gdouble response_ms = floor (self->change_period_ms + 0.5f) +
      gcc_time_to_ms (response_time);
  gdouble late_ms = params->d * response_ms -
      (params->c1 * noise_variance + params->c2);
  gdouble eta = params->eta_min + params->B / (1. + exp (params->b * late_ms));

  return CLAMP (eta, params->eta_min, params->eta_max);
}

static gdouble
adapt (const GccMimd *self, gdouble growth, GccRateControlRegion region)
{
  switch (region) {
    case GCC_RATE_CONTROL_MAX_UNKNOWN:
      return growth + self->params->boost_unknown * (growth - 1.);
    case GCC_RATE_CONTROL_NEAR_MAX:
      return growth - self->params->brake_near_max * (growth - 1.);
    case GCC_RATE_CONTROL_ABOVE_MAX:
      return growth;
  }

  g_return_val_if_reached (1.);
}

GccRate
gcc_mimd_grow (const GccMimd *self, GccRate rate, GccRateControlRegion region,
    GccTime response_time, gdouble noise_variance, GccTime passed)
{
  gdouble growth = pow (get_eta (self, response_time, noise_variance),
      gcc_time_to_seconds (passed));

  growth = adapt (self, growth, region);
  /* after a clock jump the growth may be anything */
  return (GccRate) MIN ((gdouble) rate * growth, MAX_RATE) +
      self->params->min_increase;
}

gboolean
gcc_mimd_allows (const GccMimd *self, GccRate rate, GccRate received_rate)
{
  const GccMimdParams *params = self->params;
  gboolean is_bound = received_rate > params->max_ratio_received ||
      rate > params->max_ratio_rate;

  return !is_bound ||
      (gdouble) rate <= params->max_ratio * (gdouble) received_rate;
}
