/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-packet-group.h>
#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFilterModel:
 * @GCC_FILTER_MODEL_CAPACITY: d(i) = ΔL(i)/C(i) + m(i) + v(i): two states
 * @GCC_FILTER_MODEL_GRADIENT: d(i) = m(i) + v(i): one state
 */
typedef enum {
  GCC_FILTER_MODEL_CAPACITY,
  GCC_FILTER_MODEL_GRADIENT,
} GccFilterModel;

/**
 * GccFilterStable:
 * @GCC_FILTER_STABLE_ALWAYS: always
 * @GCC_FILTER_STABLE_SIGNAL: while the detector signals normal
 * @GCC_FILTER_STABLE_GAMMA: while min (n, 60) · |m| < γ
 *
 * When the path counts as stable. Only then is the residual noise, and its
 * variance updated.
 */
typedef enum {
  GCC_FILTER_STABLE_ALWAYS,
  GCC_FILTER_STABLE_SIGNAL,
  GCC_FILTER_STABLE_GAMMA,
} GccFilterStable;

/**
 * GccArrivalFilterParams:
 * @model: which states are estimated
 * @stable: when the noise variance is updated
 * @inverse_capacity_0: 1/C(0), ms/byte
 * @m_0: m(0), ms
 * @E_0: diagonal of the error covariance E(0)
 * @Q: diagonal of the process noise covariance, for each group
 * @Q_period_ms: group period that @Q is given for: Q is scaled by the shortest
 *   group period over this one; 0 is unscaled
 * @Q_boost: multiple of Q that is added to E while m moves against the signal,
 *   so that the filter follows a queue that drains
 * @var_0: initial variance of the noise v, ms²
 * @var_min: least variance, ms²
 * @chi_rate: groups per second that χ is given for
 * @chi_start: χ of the noise filter for the first @n_start groups
 * @chi: χ afterwards
 * @n_start: number of groups at the start that use @chi_start
 * @f_max_groups: number of last groups over which f_max, the greatest frequency
 *   (shortest period), is taken
 * @max_deviations: a residual beyond this many σ is an outlier, and is clipped
 * @zero_mean: whether the noise is assumed to have zero mean; else the mean is
 *   estimated
 * @clips_to_positive: whether an outlier is clipped to the positive bound
 *   whatever its sign
 */
typedef struct {
  GccFilterModel model;
  GccFilterStable stable;
  gdouble inverse_capacity_0;
  gdouble m_0;
  gdouble E_0[2];
  gdouble Q[2];
  gdouble Q_period_ms;
  gdouble Q_boost;
  gdouble var_0;
  gdouble var_min;
  gdouble chi_rate;
  gdouble chi_start;
  gdouble chi;
  guint n_start;
  guint f_max_groups;
  gdouble max_deviations;
  gboolean zero_mean;
  gboolean clips_to_positive;
} GccArrivalFilterParams;

/* Most groups that f_max can be taken over. */
#define GCC_ARRIVAL_FILTER_MAX_PERIODS 60

/* Deltas are counted up to this; the count only tells how settled the filter
 * is. */
#define GCC_ARRIVAL_FILTER_MAX_DELTAS 1000

/**
 * GccArrivalFilter:
 *
 * The Kalman filter that separates the queueing delay gradient m(i) from the
 * noise of the path (draft-alvestrand-rmcat-congestion-03, section 3.2;
 * draft-ietf-rmcat-gcc-02, section 5.3). Fields are private; their names are
 * the drafts' symbols.
 */
typedef struct {
  const GccArrivalFilterParams *params;
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
    GccArrivalFilter *self, const GccArrivalFilterParams *params);

/**
 * gcc_arrival_filter_update:
 * @delta: differences between the last two groups
 * @signal: the detector's signal for the previous group
 * @gamma: γ, the detector's threshold, ms
 * @n_max: greatest number of deltas that m is multiplied by for the comparison
 *
 * Returns: m(i), ms per group; always finite
 */
gdouble gcc_arrival_filter_update (GccArrivalFilter *self,
    const GccGroupDelta *delta, GccSignal signal, gdouble gamma, guint n_max);

/* The number of deltas so far, at most %GCC_ARRIVAL_FILTER_MAX_DELTAS. */
guint gcc_arrival_filter_get_n_deltas (const GccArrivalFilter *self);

/* Variance of the noise v, ms². */
gdouble gcc_arrival_filter_get_variance (const GccArrivalFilter *self);

G_END_DECLS
