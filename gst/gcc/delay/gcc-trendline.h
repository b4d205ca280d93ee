/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Greatest #GccTrendlineParams.window. */
#define GCC_TRENDLINE_MAX_WINDOW 200

/**
 * GccTrendlineParams:
 * @window: deltas that the line is laid through, 2 to
 *   %GCC_TRENDLINE_MAX_WINDOW
 * @smoothing: share of the smoothed delay that stays with each delta
 * @gain: factor of the slope before it is compared with γ
 * @max_deltas: greatest count of deltas
 */
typedef struct {
  guint window;
  gdouble smoothing;
  gdouble gain;
  guint max_deltas;
} GccTrendlineParams;

typedef struct {
  GccTime arrival;
  gdouble delay_ms;
} GccTrendlinePoint;

/* Sums over times of arrival x, µs, and delays y, ms, both relative to an
 * origin. */
typedef struct {
  gdouble x;
  gdouble y;
  gdouble xx;
  gdouble xy;
} GccTrendlineSums;

/**
 * GccTrendline:
 * @n_deltas: the number of deltas that m is based on
 *
 * The arrival filter since 2017: the slope of the smoothed queueing delay over
 * the time of arrival. The other fields are private.
 */
typedef struct {
  const GccTrendlineParams *params;
  gdouble accumulated_ms;
  gdouble smoothed_ms;
  gdouble slope;
  guint n_deltas;
  guint n_points;
  guint next;
  GccTrendlinePoint origin;
  GccTrendlineSums sums;
  GccTrendlinePoint points[GCC_TRENDLINE_MAX_WINDOW];
} GccTrendline;

void gcc_trendline_init (GccTrendline *self, const GccTrendlineParams *params);

/**
 * gcc_trendline_update:
 * @arrival_ms: t(i) - t(i-1), ms
 * @departure_ms: T(i) - T(i-1), ms
 * @arrival: t(i)
 *
 * Returns: m(i), the slope times the gain, for the over-use detector; 0 until
 *   the window is full
 */
gdouble gcc_trendline_update (GccTrendline *self, gdouble arrival_ms,
    gdouble departure_ms, GccTime arrival);

G_END_DECLS
