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
 * and at most twice as long: the excess over it is queueing. Fields are
 * private.
 */
typedef struct {
  GccTime window_start;
  GccTime least_before;
  GccTime least;
} GccWindowedMin;

void gcc_windowed_min_init (GccWindowedMin *self);
void gcc_windowed_min_feed (
    GccWindowedMin *self, GccTime time, GccTime window, GccTime now);

/* The least time; %GCC_TIME_NONE before the first. */
GccTime gcc_windowed_min_get (const GccWindowedMin *self);

/* Whether a window ends now that has one before it; @differs is its least less
 * that of the window before. */
gboolean gcc_windowed_min_get_step (
    const GccWindowedMin *self, GccTime window, GccTime now, GccTime *differs);

/* The excess of @time over the least; negative while one of them is not
 * known. */
GccTime gcc_windowed_min_get_excess (const GccWindowedMin *self, GccTime time);

G_END_DECLS
