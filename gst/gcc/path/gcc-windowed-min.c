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
gcc_windowed_min_begin (GccWindowedMin *self, GccTime time, GccTime now)
{
  gcc_windowed_min_init (self);
  self->window_start = now;
  self->least = time;
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
