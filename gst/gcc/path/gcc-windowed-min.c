/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-windowed-min.h>

void
gcc_windowed_min_init (GccWindowedMin *self)
{
  *self = (GccWindowedMin){
    .window_start = GCC_TIME_NONE,
    .least_before = GCC_TIME_NONE,
    .least = GCC_TIME_NONE,
  };
}

void
gcc_windowed_min_feed (
    GccWindowedMin *self, GccTime time, GccTime window, GccTime now)
{
  if (gcc_time_has_passed (window, self->window_start, now)) {
    self->window_start = now;
    self->least_before = self->least;
    self->least = time;
  }
  self->least = MIN (self->least, time);
}

GccTime
gcc_windowed_min_get (const GccWindowedMin *self)
{
  if (self->least_before == GCC_TIME_NONE)
    return self->least;
  return MIN (self->least, self->least_before);
}

GccTime
gcc_windowed_min_get_excess (const GccWindowedMin *self, GccTime time)
{
  if (time < 0 || self->window_start == GCC_TIME_NONE)
    return GCC_TIME_NONE;
  return gcc_time_diff (time, gcc_windowed_min_get (self));
}

gboolean
gcc_windowed_min_get_step (
    const GccWindowedMin *self, GccTime window, GccTime now, GccTime *differs)
{
  if (self->least_before == GCC_TIME_NONE ||
      !gcc_time_has_passed (window, self->window_start, now))
    return FALSE;
  *differs = gcc_time_diff (self->least, self->least_before);

  return TRUE;
}
