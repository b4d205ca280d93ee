/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-delay-range.h>

void
gcc_delay_range_begin (GccDelayRange *self, GccTime delay, GccTime now)
{
  *self = (GccDelayRange){ now, delay, delay };
}

void
gcc_delay_range_feed (GccDelayRange *self, GccTime delay)
{
  self->shortest = MIN (self->shortest, delay);
  self->longest = MAX (self->longest, delay);
}

gboolean
gcc_delay_range_feed_window (GccDelayRange *self, GccTime delay,
    GccTime duration, GccDelayRange *ended, GccTime now)
{
  if (self->since == GCC_TIME_NONE) {
    gcc_delay_range_begin (self, delay, now);
    return FALSE;
  }
  gcc_delay_range_feed (self, delay);
  if (!gcc_time_has_passed (duration, self->since, now))
    return FALSE;
  *ended = *self;
  gcc_delay_range_begin (self, delay, now);
  return TRUE;
}

GccTime
gcc_delay_range_get_variation (const GccDelayRange *self)
{
  return gcc_time_diff (self->longest, self->shortest);
}
