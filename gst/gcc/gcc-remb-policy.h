/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRembPolicyParams:
 * @interval: between REMBs
 * @drop: a REMB is due at once when A_r falls below this times the last
 * @early: whether a REMB that is due may ask for an early RTCP report; else it
 *   waits for the next regular one
 */
typedef struct {
  GccTime interval;
  gdouble drop;
  gboolean early;
} GccRembPolicyParams;

/**
 * GccRembPolicy:
 *
 * Decides when A_r is told to the sender: regularly, and at once when it has
 * fallen by more than 3 %. Fields are private.
 */
typedef struct {
  const GccRembPolicyParams *params;
  GccTime last_time;
  GccRate last_remb;
  GccRate last_estimate;
} GccRembPolicy;

/* The first REMB is due one interval after @now at the earliest. */
void gcc_remb_policy_init (
    GccRembPolicy *self, const GccRembPolicyParams *params, GccTime now);

/* Whether @estimate, a new A_r in bit/s, is due at the sender. If so it counts
 * as sent. */
gboolean gcc_remb_policy_update (
    GccRembPolicy *self, GccRate estimate, GccTime now);

/* The last A_r that was due, bit/s, or %GCC_RATE_NONE. */
GccRate gcc_remb_policy_get_last_remb (const GccRembPolicy *self);

G_END_DECLS
