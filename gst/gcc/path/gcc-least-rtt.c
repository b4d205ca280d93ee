/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-least-rtt.h>

void
gcc_least_rtt_init (GccLeastRtt *self)
{
  *self = (GccLeastRtt){
    .window_start = GCC_TIME_NONE,
    .least_before = GCC_TIME_NONE,
    .least = GCC_TIME_NONE,
  };
}

void
gcc_least_rtt_feed (GccLeastRtt *self, GccTime rtt, GccTime window, GccTime now)
{
  if (gcc_time_has_passed (window, self->window_start, now)) {
    self->window_start = now;
    self->least_before = self->least;
    self->least = rtt;
  }
  self->least = MIN (self->least, rtt);
}

static GccTime
get_least (const GccLeastRtt *self)
{
  if (self->least_before == GCC_TIME_NONE)
    return self->least;
  return MIN (self->least, self->least_before);
}

GccTime
gcc_least_rtt_get_queueing (const GccLeastRtt *self, GccTime rtt)
{
  if (rtt < 0 || self->window_start == GCC_TIME_NONE)
    return GCC_TIME_NONE;
  return gcc_time_diff (rtt, get_least (self));
}
