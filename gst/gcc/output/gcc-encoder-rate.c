/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-rate.h>

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

/* Counts the cost of the waiting so far, and takes @rate as the wanted rate. */
static void
wait_for (GccEncoderRate *self, GccRate rate, GccTime now)
{
  GccTime passed = MAX (gcc_time_diff (now, self->updated_at), 0);
  gdouble before = get_change (self, self->wanted);

  self->waited += ABS (before) * (gdouble) passed;
  if (before * get_change (self, rate) <= 0.)
    self->waited = 0.;
  self->wanted = rate;
  self->updated_at = now;
}

gboolean
gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime cost, GccRate rate, GccTime now)
{
  if (gcc_encoder_rate_is_set (self)) {
    wait_for (self, rate, now);
    if (rate == self->rate)
      return FALSE;
    if (self->waited < (gdouble) cost &&
        get_change (self, rate) > -params->min_fall)
      return FALSE;
  }
  *self = (GccEncoderRate){ .rate = rate, .wanted = rate, .updated_at = now };

  return TRUE;
}
