/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-frame-rate.h>

/* The due time follows the frames by one part in so many: intervals are rounded,
 * and clocks of cameras drift. */
#define FOLLOWS 16

void
gcc_frame_rate_init (GccFrameRate *self)
{
  self->due = GCC_TIME_NONE;
}

/* A frame that is early by more than an interval, or late by one, belongs to
 * another time line. */
static gboolean
is_in_step (const GccFrameRate *self, GccTime time, GccTime interval)
{
  GccTime late = gcc_time_diff (time, self->due);

  return self->due != GCC_TIME_NONE && late >= -interval && late < interval;
}

gboolean
gcc_frame_rate_takes (
    GccFrameRate *self, GccTime time, GccTime interval, GccTime jitter)
{
  GccTime late;

  if (interval <= 0 || time == GCC_TIME_NONE) {
    self->due = GCC_TIME_NONE;
    return TRUE;
  }
  if (!is_in_step (self, time, interval)) {
    self->due = gcc_time_add (time, interval);
    return TRUE;
  }
  late = gcc_time_diff (time, self->due);
  if (late < -jitter)
    return FALSE;
  self->due = gcc_time_add (self->due, gcc_time_add (interval, late / FOLLOWS));

  return TRUE;
}
