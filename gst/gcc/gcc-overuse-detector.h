/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccOveruseDetector:
 *
 * Compares m(i) with γ, and adapts γ where the profile does so
 * (draft-ietf-rmcat-gcc-02, section 5.4). Fields are private.
 */
typedef struct {
  const GccDetectorParams *params;
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
    GccOveruseDetector *self, const GccProfile *profile);

/**
 * gcc_overuse_detector_update:
 * @m: m(i), ms per group
 * @n_deltas: groups that m stands on
 * @departure_ms: T(i) - T(i-1), ms
 *
 * Returns: the signal, which holds until the next update
 */
GccSignal gcc_overuse_detector_update (GccOveruseDetector *self, gdouble m,
    guint n_deltas, gdouble departure_ms, GccTime now);

/* Halves γ, or makes it whole again, in a profile that does so. */
void gcc_overuse_detector_set_halved (
    GccOveruseDetector *self, gboolean halved);

GccSignal gcc_overuse_detector_get_signal (const GccOveruseDetector *self);

/* γ as it is compared, ms. */
gdouble gcc_overuse_detector_get_gamma (const GccOveruseDetector *self);

/* min (n, 60) · m(i), what was compared last with γ, ms. */
gdouble gcc_overuse_detector_get_modified_m (const GccOveruseDetector *self);

G_END_DECLS
