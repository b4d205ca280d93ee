/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccWindowedMin:
 *
 * The least of some times (round trips, delays) over at least the last window,
 * and at most twice as long: the excess over it is queueing. The times may be
 * negative, because the clocks of two ends need not agree. Fields are private.
 */
typedef struct {
  GccTime window_start;
  GccTime least_before;
  GccTime least;
} GccWindowedMin;

void gcc_windowed_min_init (GccWindowedMin *self);

/* Forgets the times before, and takes @time. */
void gcc_windowed_min_begin (GccWindowedMin *self, GccTime time, GccTime now);

static inline void
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

/* The least time; %GCC_TIME_NONE before the first. */
static inline GccTime
gcc_windowed_min_get (const GccWindowedMin *self)
{
  if (self->least_before == GCC_TIME_NONE)
    return self->least;
  return MIN (self->least, self->least_before);
}

/* The last @passed does not count: the times do not age in it. */
static inline void
gcc_windowed_min_hold (GccWindowedMin *self, GccTime passed)
{
  if (self->window_start != GCC_TIME_NONE)
    self->window_start = gcc_time_shift (self->window_start, passed);
}

/* Whether a window ends now that has one before it; @differs is its least less
 * that of the window before. */
gboolean gcc_windowed_min_get_step (
    const GccWindowedMin *self, GccTime window, GccTime now, GccTime *differs);

/* The excess of @time over the least; %GCC_TIME_NONE while one of them is not
 * known. */
static inline GccTime
gcc_windowed_min_get_excess (const GccWindowedMin *self, GccTime time)
{
  if (time == GCC_TIME_NONE || self->window_start == GCC_TIME_NONE)
    return GCC_TIME_NONE;
  return gcc_time_diff (time, gcc_windowed_min_get (self));
}

G_END_DECLS
