/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-loss-params.h>
#include <gst/gcc/gcc-report-reader.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Rates of the last interval that are remembered. When more changes than this
 * come within it, the lower of two neighbours stands for both. */
#define GCC_LOSS_CONTROL_HISTORY 64

/**
 * GccLossControl:
 *
 * The loss-based controller: eq. (1) of the papers makes a rate of the loss
 * reports, and eq. (2) the lesser of it and A_r the rate A_s to send at. The
 * limits are applied once, last. Fields are private.
 */
typedef struct {
  const GccLossParams *params;
  GccRate min;
  GccRate max;
  GccRate target;
  GccRate loss_based;
  GccRate remb;
  GccTime rtt;
  gboolean has_loss;
  guint8 fraction_lost;
  gboolean may_decrease;
  GccTime first_report;
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

/* Rates in bit/s; 0 < @min <= @max. */
void gcc_loss_control_init (GccLossControl *self, const GccLossParams *params,
    GccRate min, GccRate start, GccRate max);
void gcc_loss_control_set_limits (
    GccLossControl *self, GccRate min, GccRate max);

/* Each returns whether A_s has changed. A REMB never raises it, except in the
 * profile's start phase; more loss never does, either. */
gboolean gcc_loss_control_feed_report (
    GccLossControl *self, const GccLossReport *report, GccTime now);
gboolean gcc_loss_control_feed_remb (
    GccLossControl *self, GccRate remb, GccTime now);
gboolean gcc_loss_control_handle_timeout (GccLossControl *self, GccTime now);

/* A REMB has ended: @remb, which is not less, is what the others leave, or
 * %GCC_RATE_NONE. A_s stays where it is and grows from there. */
void gcc_loss_control_release_remb (GccLossControl *self, GccRate remb);

/* When time alone may change A_s; %GCC_TIME_NONE while it cannot. */
GccTime gcc_loss_control_next_timeout (const GccLossControl *self);

/* A_s, bit/s. */
GccRate gcc_loss_control_get_target (const GccLossControl *self);

/* What eq. (1) said last, before A_r and the limits, bit/s. */
GccRate gcc_loss_control_get_loss_based (const GccLossControl *self);

G_END_DECLS
