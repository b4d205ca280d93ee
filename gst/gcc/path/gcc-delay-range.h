/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccDelayRange:
 * @since: when it began
 * @shortest: delay since then
 * @longest: the same
 *
 * How much a delay varies: one that hardly does is that of the path, and not of
 * a queue that others fill until they lose packets.
 */
typedef struct {
  GccTime since;
  GccTime shortest;
  GccTime longest;
} GccDelayRange;

void gcc_delay_range_begin (GccDelayRange *self, GccTime delay, GccTime now);
void gcc_delay_range_feed (GccDelayRange *self, GccTime delay);

/* Takes a delay into windows of @duration, one after the other; the first begins with
 * the first delay, where @self has @since of %GCC_TIME_NONE. Returns whether one is
 * over: then @ended is it, and the next has begun with @delay. */
gboolean gcc_delay_range_feed_window (GccDelayRange *self, GccTime delay,
    GccTime duration, GccDelayRange *ended, GccTime now);

/* The longest less the shortest. */
GccTime gcc_delay_range_get_variation (const GccDelayRange *self);

G_END_DECLS
