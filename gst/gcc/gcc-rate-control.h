/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-link-capacity.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* The state that follows @state on @signal (draft-ietf-rmcat-gcc-02,
 * section 5.5). */
GccRateControlState gcc_rate_control_state_next (
    GccRateControlState state, GccSignal signal);

/**
 * GccRateControlInput:
 * @signal: of the over-use detector
 * @received_rate: R(t), bit/s; %GCC_RATE_NONE where unknown
 * @noise_variance: of the arrival filter, ms²
 */
typedef struct {
  GccSignal signal;
  GccRate received_rate;
  gdouble noise_variance;
} GccRateControlInput;

/**
 * GccRateControlRegion:
 * @GCC_RATE_CONTROL_MAX_UNKNOWN: nothing is known of a maximum
 * @GCC_RATE_CONTROL_NEAR_MAX: A_r is near the known maximum
 * @GCC_RATE_CONTROL_ABOVE_MAX: more arrives than at the known maximum
 *
 * Where A_r is in respect to the rate at which over-use was seen before.
 */
typedef enum {
  GCC_RATE_CONTROL_MAX_UNKNOWN,
  GCC_RATE_CONTROL_NEAR_MAX,
  GCC_RATE_CONTROL_ABOVE_MAX,
} GccRateControlRegion;

/**
 * GccRateControl:
 *
 * The rate controller: from the delay detector's signal and the received rate
 * R(t) it makes A_r, the rate that the sender should not exceed. The papers
 * call it the remote rate controller, since theirs runs at the receiver; it
 * does not know where it runs. Fields are private.
 */
typedef struct {
  const GccProfile *profile;
  GccRateControlState state;
  GccRateControlState last_action;
  gboolean is_initialized;
  GccRate rate;
  GccRate received_rate;
  GccTime first_received_rate;
  GccTime last_change;
  GccTime last_update;
  GccTime rtt;
  GccLinkCapacity capacity;
  GccRateControlRegion region;
  GccRate max_hold_rate;
  gfloat change_period_ms;
} GccRateControl;

void gcc_rate_control_init (GccRateControl *self, const GccProfile *profile);

/* The round-trip time, not negative. */
void gcc_rate_control_set_rtt (GccRateControl *self, GccTime rtt);

/**
 * gcc_rate_control_update:
 *
 * Returns: A_r in bit/s, or %GCC_RATE_NONE while it is unknown
 */
GccRate gcc_rate_control_update (
    GccRateControl *self, const GccRateControlInput *input, GccTime now);

/* Takes the rate of a successful probe, bit/s, for A_r. */
void gcc_rate_control_set_rate (
    GccRateControl *self, GccRate rate, GccTime now);

/* Whether an over-use that goes on should lower A_r again now. */
gboolean gcc_rate_control_is_time_to_reduce (
    const GccRateControl *self, GccRate received_rate, GccTime now);

/* A_r in bit/s, or %GCC_RATE_NONE while it is unknown. */
GccRate gcc_rate_control_get_rate (const GccRateControl *self);

/* What the last update did, which Decrease may already have left again. */
GccRateControlState gcc_rate_control_get_last_action (
    const GccRateControl *self);

/* Where the last update has left A_r. */
GccRateControlRegion gcc_rate_control_get_region (const GccRateControl *self);

/* What the additive increase is in a second, bit/s. */
gdouble gcc_rate_control_get_additive_rate (const GccRateControl *self);

G_END_DECLS
