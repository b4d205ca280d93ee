/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccDelayRange:
 * @since: begin of the range
 * @shortest: shortest delay since then
 * @longest: longest delay since then
 *
 * The variation of a delay. A delay that hardly varies is that of the path, and
 * not of a queue that other flows fill until packets are lost.
 */
typedef struct {
  GccTime since;
  GccTime shortest;
  GccTime longest;
} GccDelayRange;

static inline void
gcc_delay_range_begin (GccDelayRange *self, GccTime delay, GccTime now)
{
  *self = (GccDelayRange){ now, delay, delay };
}

static inline void
gcc_delay_range_feed (GccDelayRange *self, GccTime delay)
{
  self->shortest = MIN (self->shortest, delay);
  self->longest = MAX (self->longest, delay);
}

/* Takes a delay into windows of @duration, one after the other. The first
 * window begins with the first delay, where @self has @since of %GCC_TIME_NONE.
 * Returns whether a window has ended: then @ended is that window, and the next
 * has begun with @delay. */
static inline gboolean
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

/* The longest delay less the shortest. */
static inline GccTime
gcc_delay_range_get_variation (const GccDelayRange *self)
{
  return gcc_time_diff (self->longest, self->shortest);
}

G_END_DECLS
