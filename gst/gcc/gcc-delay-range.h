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

/* The longest less the shortest. */
GccTime gcc_delay_range_get_variation (const GccDelayRange *self);

G_END_DECLS
