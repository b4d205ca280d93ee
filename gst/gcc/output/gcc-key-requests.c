/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-key-requests.h>

gboolean
gcc_key_cost_feed (GccKeyCost *self, guint32 timestamp, gsize bytes)
{
  gboolean begins = !self->has_frame || timestamp != self->timestamp;

  self->has_frame = TRUE;
  self->timestamp = timestamp;
  self->bytes = begins ? bytes : self->bytes + bytes;
  self->greatest = MAX (self->greatest, self->bytes);

  return begins;
}

void
gcc_key_cost_requested (GccKeyCost *self)
{
  self->greatest_before = self->greatest;
  self->greatest = 0;
}

GccTime
gcc_key_cost_get_interval (
    const GccKeyCost *self, const GccKeyRequestsParams *params, GccRate rate)
{
  gdouble bits = 8. * (gdouble) MAX (self->greatest, self->greatest_before);
  gdouble seconds = bits / (params->share * (gdouble) rate);
  gdouble interval = MIN (
      seconds * (gdouble) GCC_SECOND, (gdouble) params->max_wait);

  return (GccTime) (interval + 0.5);
}

GccKeyVerdict
gcc_key_requests_judge (GccTime asked_at, GccTime passed_at, GccTime frame_at,
    GccTime interval, GccTime now)
{
  /* The clock may have been set back since. */
  if (passed_at == GCC_TIME_NONE || gcc_time_diff (now, passed_at) < 0)
    return GCC_KEY_PASSES;
  if (gcc_time_diff (asked_at, passed_at) <= 0)
    return GCC_KEY_IS_ANSWERED;
  if (gcc_time_diff (now, passed_at) >= interval)
    return GCC_KEY_PASSES;

  return frame_at == GCC_TIME_NONE || gcc_time_diff (frame_at, passed_at) <= 0
      ? GCC_KEY_IS_ANSWERED
      : GCC_KEY_WAITS;
}
