/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccRateControlRegion:
 * @GCC_RATE_CONTROL_MAX_UNKNOWN: no maximum is known
 * @GCC_RATE_CONTROL_NEAR_MAX: A_r is near the known maximum
 * @GCC_RATE_CONTROL_ABOVE_MAX: the received rate is above the known maximum
 *
 * Where A_r is relative to the rate at which over-use occurred before.
 */
typedef enum {
  GCC_RATE_CONTROL_MAX_UNKNOWN,
  GCC_RATE_CONTROL_NEAR_MAX,
  GCC_RATE_CONTROL_ABOVE_MAX,
} GccRateControlRegion;

/**
 * GccLinkCapacityParams:
 * @weight: weight of a new sample in the averages
 * @min_variance: least normalised variance (variance over average), kbit/s
 * @max_variance: greatest normalised variance, kbit/s
 */
typedef struct {
  gdouble weight;
  gdouble min_variance;
  gdouble max_variance;
} GccLinkCapacityParams;

/**
 * GccLinkCapacity:
 * @is_known: whether the capacity is known
 * @average: the capacity, kbit/s; undefined while it is not known
 * @variance: its normalised variance, kbit/s; undefined like it
 *
 * An estimate of the link's capacity: the exponential average of the rate
 * received at each over-use, and the variance of those rates
 * (draft-ietf-rmcat-gcc-02, section 5.5). Rates are in kbit/s here, the unit in
 * which the variance is normalised. The other fields are private.
 */
typedef struct {
  const GccLinkCapacityParams *params;
  gboolean is_known;
  gdouble average;
  gdouble variance;
} GccLinkCapacity;

void gcc_link_capacity_init (
    GccLinkCapacity *self, const GccLinkCapacityParams *params);

/* Adds the rate received at an over-use, kbit/s. */
void gcc_link_capacity_update (GccLinkCapacity *self, gdouble kbps);

/* Sets the capacity, kbit/s; the variance stays. */
void gcc_link_capacity_set (GccLinkCapacity *self, gdouble kbps);

void gcc_link_capacity_forget (GccLinkCapacity *self);

/* Whether a rate lies more than @n standard deviations above, or below, the
 * average. FALSE while the capacity is not known. */
gboolean gcc_link_capacity_is_exceeded (
    const GccLinkCapacity *self, gdouble kbps, gdouble n);
gboolean gcc_link_capacity_is_missed (
    const GccLinkCapacity *self, gdouble kbps, gdouble n);

G_END_DECLS
