/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * GccLinkCapacityParams:
 * @weight: of a new sample in the averages
 * @min_variance: least variance over average, kbit/s
 * @max_variance: greatest variance over average, kbit/s
 */
typedef struct {
  gdouble weight;
  gdouble min_variance;
  gdouble max_variance;
} GccLinkCapacityParams;

/**
 * GccLinkCapacity:
 *
 * What over-use has taught of the link's capacity: an exponential average of
 * the rate received at each over-use, and how far from it those rates lay
 * (draft-ietf-rmcat-gcc-02, section 5.5). Rates are kbit/s here, the unit that
 * its variance is normalised in. Fields are private.
 */
typedef struct {
  const GccLinkCapacityParams *params;
  gboolean is_known;
  gdouble average;
  gdouble variance;
} GccLinkCapacity;

void gcc_link_capacity_init (
    GccLinkCapacity *self, const GccLinkCapacityParams *params);

/* Learns the rate received at an over-use, kbit/s. */
void gcc_link_capacity_update (GccLinkCapacity *self, gdouble kbps);

/* Takes this rate for the capacity, without learning its variance, kbit/s. */
void gcc_link_capacity_set (GccLinkCapacity *self, gdouble kbps);

void gcc_link_capacity_forget (GccLinkCapacity *self);

gboolean gcc_link_capacity_is_known (const GccLinkCapacity *self);

/* The capacity, kbit/s, and the variance over it, kbit/s. They say nothing
 * while it is not known. */
gdouble gcc_link_capacity_get_average (const GccLinkCapacity *self);
gdouble gcc_link_capacity_get_variance (const GccLinkCapacity *self);

/* Whether a rate lies more than @n standard deviations above, or below, the
 * average. FALSE while the capacity is not known. */
gboolean gcc_link_capacity_is_exceeded (
    const GccLinkCapacity *self, gdouble kbps, gdouble n);
gboolean gcc_link_capacity_is_missed (
    const GccLinkCapacity *self, gdouble kbps, gdouble n);

G_END_DECLS
