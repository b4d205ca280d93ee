/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/rate/gcc-link-capacity.h>

G_BEGIN_DECLS

/**
 * GccMimdParams:
 * @above_deviations: a received rate this many standard deviations above the
 *   estimated capacity is above the maximum
 * @min_increase: a constant added to each step, bit/s
 * @max_ratio: A_r does not grow beyond this times R
 * @max_ratio_received: the bound applies above this R, bit/s
 * @max_ratio_rate: the bound applies above this A_r, bit/s
 * @change_period_ms: initial mean time between updates, which is part of the
 *   response time, ms
 * @change_period_weight: weight of a new sample in that mean
 * @boost_unknown: fraction of the growth that is added to it while no maximum
 *   is known
 * @brake_near_max: fraction of the growth that is taken from it near the
 *   maximum
 * @eta_min: least η per second of eq. (3)
 * @eta_max: greatest η per second of eq. (3)
 * @B: B of eq. (3)
 * @b: b of eq. (3), 1/ms
 * @d: d of eq. (3)
 * @c1: c_1 of eq. (3), 1/ms
 * @c2: c_2 of eq. (3), ms
 */
typedef struct {
  gdouble above_deviations;
  GccRate min_increase;
  gdouble max_ratio;
  GccRate max_ratio_received;
  GccRate max_ratio_rate;
  gdouble change_period_ms;
  gdouble change_period_weight;
  gdouble boost_unknown;
  gdouble brake_near_max;
  gdouble eta_min;
  gdouble eta_max;
  gdouble B;
  gdouble b;
  gdouble d;
  gdouble c1;
  gdouble c2;
} GccMimdParams;

/**
 * GccMimd:
 *
 * How A_r grew in 2013: always by a factor, at three speeds (eq. (3) of the 2013
 * papers). That generation computed in single precision. Fields are private.
 */
typedef struct {
  const GccMimdParams *params;
  gfloat change_period_ms;
  GccTime last_update;
  GccRate max_hold_rate;
} GccMimd;

void gcc_mimd_init (GccMimd *self, const GccMimdParams *params);

/* An update of A_r: the mean time between them is part of the response time. */
void gcc_mimd_feed_update (GccMimd *self, GccTime now);

/* R(t) while A_r is held, bit/s. */
void gcc_mimd_feed_hold (GccMimd *self, GccRate received_rate);

/* The greatest R(t) in Hold since the last call, bit/s; 0: there was none. */
GccRate gcc_mimd_take_hold (GccMimd *self);

/**
 * gcc_mimd_grow:
 * @rate: A_r, bit/s
 * @region: region of A_r
 * @response_time: RTT plus the response delay
 * @noise_variance: of the arrival filter, ms²
 * @passed: time since the last change
 *
 * Returns: the new A_r, bit/s
 */
GccRate gcc_mimd_grow (const GccMimd *self, GccRate rate,
    GccRateControlRegion region, GccTime response_time, gdouble noise_variance,
    GccTime passed);

/* Whether A_r may be @rate, bit/s, while @received_rate arrives. */
gboolean gcc_mimd_allows (
    const GccMimd *self, GccRate rate, GccRate received_rate);

G_END_DECLS
