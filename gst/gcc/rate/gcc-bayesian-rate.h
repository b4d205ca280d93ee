/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccBayesianRateParams:
 * @first_window: that the first value is an average of; whole ms, at least 1
 * @window: that each sample is an average of; whole ms, at least 1
 * @scale: uncertainty of a sample as far off as the estimate is high, kbit/s
 * @variance_0: of the estimate at the start, (kbit/s)²
 * @variance_growth: of the estimate with each sample, (kbit/s)²
 * @alr_variance: of the estimate when the application ceases to be the limit,
 *   in addition, (kbit/s)²
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
 * R(t) as the sender knew it before #GccAcknowledgedRate: samples that far from
 * the estimate are taken for less certain. Fields are private.
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

/* Of R(t), (kbit/s)². */
gdouble gcc_bayesian_rate_get_variance (const GccBayesianRate *self);

G_END_DECLS
