/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* CoDel (RFC 8289), asked when a packet comes: a queue that is first in, first
 * out knows then how long it will have waited. */

#include <gst/gcc/gcc-types.h>

typedef struct {
  /* since when packets wait for too long, and an interval; %GCC_TIME_NONE: not */
  GccTime first_above;
  gboolean is_dropping;
  GccTime next_drop;
  guint count;
  guint last_count;
} JudgeCodel;

/* @leaves: the end of the packet's @wait. Times of a queue increase. */
gboolean judge_codel_drops (
    JudgeCodel *self, GccTime target, GccTime wait, GccTime leaves);
