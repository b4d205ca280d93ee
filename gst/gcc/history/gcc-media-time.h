/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccMediaTime:
 * @has_begun: whether there was a packet
 * @last: when the last one was
 *
 * Time with media, from one packet to the next. While no packet is sent, no
 * feedback can be missing. Zero-initialised: there was none.
 */
typedef struct {
  gboolean has_begun;
  GccTime last;
} GccMediaTime;

/**
 * gcc_media_time_pass:
 * @max_gap: a pause between two packets counts as this at most; at least 0
 * @now: when a packet leaves or arrives
 *
 * Returns: the time since the packet before; 0 for the first one, and when the
 *   clock was set back
 */
GccTime gcc_media_time_pass (GccMediaTime *self, GccTime max_gap, GccTime now);

G_END_DECLS
