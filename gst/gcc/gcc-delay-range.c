/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-delay-range.h>

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

GccTime
gcc_delay_range_get_variation (const GccDelayRange *self)
{
  return gcc_time_diff (self->longest, self->shortest);
}
