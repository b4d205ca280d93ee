/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-encoder-rate.h>

void
gcc_encoder_rate_init (GccEncoderRate *self)
{
  *self = (GccEncoderRate){ .rate = GCC_RATE_NONE, .set_at = GCC_TIME_NONE };
}

gboolean
gcc_encoder_rate_is_set (const GccEncoderRate *self)
{
  return self->rate != GCC_RATE_NONE;
}

/* From the last change to that to @rate. */
static GccTime
get_wait (const GccEncoderRate *self, const GccEncoderRateParams *params,
    GccTime interval, GccRate rate)
{
  gdouble change = (gdouble) rate / (gdouble) MAX (self->rate, 1) - 1.;

  if (change <= -params->min_fall)
    return 0;
  if (ABS (change) <= params->step)
    return interval;

  return (GccTime) ((gdouble) interval * params->step / ABS (change));
}

gboolean
gcc_encoder_rate_update (GccEncoderRate *self,
    const GccEncoderRateParams *params, GccTime interval, GccRate rate,
    GccTime now)
{
  if (rate == self->rate)
    return FALSE;
  if (gcc_encoder_rate_is_set (self) &&
      !gcc_time_has_passed (
          get_wait (self, params, interval, rate), self->set_at, now))
    return FALSE;

  *self = (GccEncoderRate){ rate, now };

  return TRUE;
}
