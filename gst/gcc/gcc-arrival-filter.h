/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-packet-group.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Most groups that f_max can look back on. */
#define GCC_ARRIVAL_FILTER_MAX_PERIODS 60

/* Deltas are counted up to here; the count only tells the filter's age. */
#define GCC_ARRIVAL_FILTER_MAX_DELTAS 1000

/**
 * GccArrivalFilter:
 *
 * The Kalman filter that tells the queueing delay's gradient m(i) from the
 * noise of the path (draft-alvestrand-rmcat-congestion-03, section 3.2;
 * draft-ietf-rmcat-gcc-02, section 5.3). Fields are private; their names are
 * the drafts' symbols.
 */
typedef struct {
  const GccFilterParams *params;
  guint n;
  gdouble inverse_capacity;
  gdouble m;
  gdouble previous_m;
  gdouble E[2][2];
  gdouble mean;
  gdouble var;
  gdouble periods[GCC_ARRIVAL_FILTER_MAX_PERIODS];
  guint n_periods;
  guint next_period;
  gdouble min_period;
  gdouble smoothing;
  gdouble smoothing_chi;
  gdouble smoothing_period;
} GccArrivalFilter;

void gcc_arrival_filter_init (
    GccArrivalFilter *self, const GccProfile *profile);

/**
 * gcc_arrival_filter_update:
 * @delta: between the last two groups
 * @signal: what the detector said of the group before
 * @gamma: γ, what the detector will compare with, ms
 * @n_max: deltas that m is multiplied with at most in that comparison
 *
 * Returns: m(i), ms per group; always finite
 */
gdouble gcc_arrival_filter_update (GccArrivalFilter *self,
    const GccGroupDelta *delta, GccSignal signal, gdouble gamma, guint n_max);

/* Deltas so far, at most %GCC_ARRIVAL_FILTER_MAX_DELTAS. */
guint gcc_arrival_filter_get_n_deltas (const GccArrivalFilter *self);

/* Variance of the noise v, ms². */
gdouble gcc_arrival_filter_get_variance (const GccArrivalFilter *self);

G_END_DECLS
