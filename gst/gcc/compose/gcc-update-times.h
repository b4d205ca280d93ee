/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/profiles/gcc-receiver-params.h>

G_BEGIN_DECLS

/**
 * GccUpdateTimes:
 *
 * The times at which A_r is updated: the feedback is to take a share of A_r, within
 * limits. A timer runs for them, or each packet asks. Fields are private.
 */
typedef struct {
  const GccReceiverParams *params;
  /* between updates, and the A_r for which it was computed */
  GccTime interval;
  GccRate interval_estimate;
  GccTime last;
  GccTime next;
} GccUpdateTimes;

/* No timer runs. */
void gcc_update_times_init (
    GccUpdateTimes *self, const GccReceiverParams *params);
void gcc_update_times_stop (GccUpdateTimes *self);

/* A timer runs from now on, if none does; the first update is due. */
void gcc_update_times_begin (GccUpdateTimes *self, GccTime now);

/* A_r, bit/s, or %GCC_RATE_NONE, may have changed, which changes the current interval,
 * too. */
void gcc_update_times_feed_estimate (GccUpdateTimes *self, GccRate estimate);

/* A_r was updated by the clock. */
void gcc_update_times_feed_update (GccUpdateTimes *self, GccTime now);

/* When the timer's next update is due; %GCC_TIME_NONE: no timer runs. */
GccTime gcc_update_times_get_next (const GccUpdateTimes *self);

/* Whether it is, where A_r is @estimate. After a clock that was set back it is an
 * interval away. */
gboolean gcc_update_times_is_timer_due (
    GccUpdateTimes *self, GccRate estimate, GccTime now);

/* Whether the last update is longer ago than the interval, or there was none. */
gboolean gcc_update_times_is_due (
    GccUpdateTimes *self, GccRate estimate, GccTime now);

G_END_DECLS
