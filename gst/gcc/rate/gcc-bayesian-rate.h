/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccBayesianRateParams:
 * @first_window: time that the first value is an average of; whole ms, at least
 *   1
 * @window: time that each sample is an average of; whole ms, at least 1
 * @scale: uncertainty of a sample that differs from the estimate by the
 *   estimate itself, kbit/s
 * @variance_0: variance of the estimate at the start, (kbit/s)²
 * @variance_growth: added to the variance with each sample, (kbit/s)²
 * @alr_variance: added to the variance when the application ceases to be the
 *   limit, (kbit/s)²
 */
typedef struct {
  GccTime first_window;
  GccTime window;
  gdouble scale;
  gdouble variance_0;
  gdouble variance_growth;
  gdouble alr_variance;
} GccBayesianRateParams;

/**
 * GccBayesianRate:
 *
 * R(t) at the sender, as generations before #GccAcknowledgedRate computed it:
 * the further a sample is from the estimate, the less certain it counts. Fields
 * are private.
 */
typedef struct {
  const GccBayesianRateParams *params;
  GccTime last;
  GccTime passed;
  gint64 bytes;
  gboolean has_estimate;
  gdouble estimate_kbps;
  gdouble variance;
} GccBayesianRate;

void gcc_bayesian_rate_init (
    GccBayesianRate *self, const GccBayesianRateParams *params);

/* A packet of @bytes has arrived, in the order of arrival. */
void gcc_bayesian_rate_update (
    GccBayesianRate *self, gsize bytes, GccTime arrival);

/* The application has ceased to be the limit: the rate may change at once. */
void gcc_bayesian_rate_expect_change (GccBayesianRate *self);

/* R(t) in bit/s, %GCC_RATE_NONE while it is unknown. */
GccRate gcc_bayesian_rate_get (const GccBayesianRate *self);

/* The variance of R(t), (kbit/s)². */
gdouble gcc_bayesian_rate_get_variance (const GccBayesianRate *self);

G_END_DECLS
