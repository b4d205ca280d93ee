/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/loss/gcc-loss-params.h>
#include <gst/gcc/output/gcc-target.h>

G_BEGIN_DECLS

/* Most rates of the last interval that are remembered. If there are more, the
 * lower of two neighbours replaces both. */
#define GCC_LOSS_CONTROL_HISTORY 64

/**
 * GccLossControl:
 * @rate: the last rate by eq. (1), bit/s
 * @reason: why that rate was computed
 *
 * The loss-based controller: eq. (1) of the papers, which computes a rate from
 * the fraction lost and the A_s in force. How A_s follows from that rate is in
 * gcc-target.h. The other fields are private.
 */
typedef struct {
  const GccLossParams *params;
  GccTargetResult target;
  GccRate rate;
  GccReason reason;
  GccTime rtt;
  gboolean has_loss;
  gdouble fraction_lost;
  gboolean may_decrease;
  GccTime last_report;
  GccTime last_increase;
  GccTime last_decrease;
  GccTime last_update;
  struct {
    GccRate rate;
    GccTime until;
  } history[GCC_LOSS_CONTROL_HISTORY];
  guint n_history;
} GccLossControl;

/* @target: the initial A_s, bit/s. */
void gcc_loss_control_init (GccLossControl *self, const GccLossParams *params,
    const GccTargetResult *target);

/* Each returns the rate that A_s should have by eq. (1), bit/s, or
 * %GCC_RATE_NONE to leave it as it is. Loss raises it only by
 * #GccLossParams.tfrc_raises. */
GccRate gcc_loss_control_feed_report (
    GccLossControl *self, const GccLossReport *report, GccTime now);
GccRate gcc_loss_control_handle_timeout (GccLossControl *self, GccTime now);

/* Sets the A_s in force, after this rate or another was applied: eq. (1)
 * continues from it. */
void gcc_loss_control_feed_target (
    GccLossControl *self, const GccTargetResult *target, GccTime now);

/* Sets the A_s in force after the limits were set. An increase may not start
 * from an A_s before that. */
void gcc_loss_control_feed_limited_target (
    GccLossControl *self, const GccTargetResult *target);

/* When time alone may change the rate; %GCC_TIME_NONE while it cannot. */
GccTime gcc_loss_control_next_timeout (const GccLossControl *self);

G_END_DECLS
