/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-rate.h>

#include <math.h>

void
gcc_encoder_rate_init (GccEncoderRate *self)
{
  *self = (GccEncoderRate){ .rate = GCC_RATE_NONE };
}

gboolean
gcc_encoder_rate_is_set (const GccEncoderRate *self)
{
  return self->rate != GCC_RATE_NONE;
}

/* The distance, as a fraction of the rate that is set. */
static gdouble
get_change (const GccEncoderRate *self, GccRate rate)
{
  return (gdouble) rate / (gdouble) MAX (self->rate, 1) - 1.;
}

/* The cost of setting @rate. */
static gdouble
get_cost (const GccEncoderRate *self, const GccEncoderRateParams *params,
    GccTime cost, GccRate rate)
{
  gboolean is_dear = rate > self->rate &&
      get_change (self, rate) < params->min_rise;
  gdouble factor = is_dear ? 1. + params->rise_cost * self->recent : 1.;

  return factor * (gdouble) cost;
}

/* Counts the cost of the waiting so far, and takes @rate as the wanted rate. */
static void
wait_for (GccEncoderRate *self, const GccEncoderRateParams *params,
    GccRate rate, GccTime now)
{
  GccTime passed = MAX (gcc_time_diff (now, self->updated_at), 0);
  gdouble before = get_change (self, self->wanted);

  self->waited += ABS (before) * (gdouble) passed;
  if (before * get_change (self, rate) <= 0.)
    self->waited = 0.;
  self->recent *= exp (-(gdouble) passed / (gdouble) params->memory);
  self->wanted = rate;
  self->updated_at = now;
}

static void
set (GccEncoderRate *self, GccRate rate, GccTime now)
{
  if (gcc_encoder_rate_is_set (self) && rate < self->rate)
    self->recent += 1.;
  self->rate = rate;
  self->wanted = rate;
  self->waited = 0.;
  self->updated_at = now;
}

gboolean
gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost, GccRate rate, GccTime now)
{
  if (gcc_encoder_rate_is_set (self)) {
    wait_for (self, params, rate, now);
    if (rate == self->rate)
      return FALSE;
    if (self->waited < get_cost (self, params, cost, rate) &&
        get_change (self, rate) > -params->min_fall)
      return FALSE;
  }
  set (self, rate, now);

  return TRUE;
}

GccTime
gcc_encoder_rate_get_due (const GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost)
{
  gdouble left;

  if (!gcc_encoder_rate_is_set (self) || self->wanted == self->rate)
    return GCC_TIME_NONE;
  left = get_cost (self, params, cost, self->wanted) - self->waited;
  left = ceil (MAX (left, 0.) / ABS (get_change (self, self->wanted)));
  /* as good as never */
  if (left > (gdouble) GCC_ENCODER_RATE_MAX_WAIT)
    return GCC_TIME_NONE;

  return gcc_time_add (self->updated_at, (GccTime) left);
}
