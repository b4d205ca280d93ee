/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccLeastRtt:
 *
 * The least round-trip time of at least the last window, and at most of twice
 * that: what is above it is queueing. Fields are private.
 */
typedef struct {
  GccTime window_start;
  GccTime least_before;
  GccTime least;
} GccLeastRtt;

void gcc_least_rtt_init (GccLeastRtt *self);
void gcc_least_rtt_feed (
    GccLeastRtt *self, GccTime rtt, GccTime window, GccTime now);

/* How much @rtt is above the least; negative while one of them is not known. */
GccTime gcc_least_rtt_get_queueing (const GccLeastRtt *self, GccTime rtt);

G_END_DECLS
