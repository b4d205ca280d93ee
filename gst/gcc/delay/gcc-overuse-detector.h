/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccOveruseDetectorParams:
 * @gamma_0: initial γ (constant if static), ms × deltas: it is compared with
 *   min (n, @n_max) · m
 * @min_deltas: number of deltas before which no signal is given
 * @n_max: greatest number of deltas that m is multiplied by
 * @gamma_halves: whether γ is halved while the rate control knows a maximum
 * @k_u: K_u, gain of γ when |m| is above it, 1/ms; 0 is static
 * @k_d: K_d, gain of γ when |m| is below it, 1/ms
 * @gamma_min: least γ, ms
 * @gamma_max: greatest γ, ms
 * @max_excess: γ is not adapted when |m| exceeds it by more than this, ms
 * @max_dt: upper bound of Δt in one adaptation; 0 is no bound
 * @overuse_time_ms: time above γ after which over-use is signalled, ms
 * @min_overuses: least number of groups above γ before it is signalled
 */
typedef struct {
  gdouble gamma_0;
  guint min_deltas;
  guint n_max;
  gboolean gamma_halves;
  gdouble k_u;
  gdouble k_d;
  gdouble gamma_min;
  gdouble gamma_max;
  gdouble max_excess;
  GccTime max_dt;
  gdouble overuse_time_ms;
  guint min_overuses;
} GccOveruseDetectorParams;

/**
 * GccOveruseDetector:
 * @modified_m: min (n, 60) · m(i), last compared with γ, ms
 * @signal: by the last comparison
 *
 * Compares m(i) with γ, and adapts γ in profiles that do so
 * (draft-ietf-rmcat-gcc-02, section 5.4). The other fields are private.
 */
typedef struct {
  const GccOveruseDetectorParams *params;
  GccSignal signal;
  gdouble gamma;
  gboolean is_halved;
  gdouble modified_m;
  gdouble previous_m;
  gdouble overuse_time_ms;
  guint n_overuses;
  GccTime last_update;
} GccOveruseDetector;

void gcc_overuse_detector_init (
    GccOveruseDetector *self, const GccOveruseDetectorParams *params);

/**
 * gcc_overuse_detector_update:
 * @m: m(i), ms per group
 * @n_deltas: number of deltas that m is based on
 * @departure_ms: T(i) - T(i-1), ms
 *
 * Returns: the signal, which holds until the next update
 */
GccSignal gcc_overuse_detector_update (GccOveruseDetector *self, gdouble m,
    guint n_deltas, gdouble departure_ms, GccTime now);

/* Halves γ, or restores it, in profiles that do so. */
void gcc_overuse_detector_set_halved (
    GccOveruseDetector *self, gboolean halved);

/* γ as used in the comparison, ms. */
gdouble gcc_overuse_detector_get_gamma (const GccOveruseDetector *self);

G_END_DECLS
