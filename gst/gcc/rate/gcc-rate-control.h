/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/rate/gcc-aimd.h>
#include <gst/gcc/rate/gcc-link-capacity.h>
#include <gst/gcc/rate/gcc-mimd.h>

G_BEGIN_DECLS

const gchar *gcc_rate_control_state_to_string (GccRateControlState state);

/**
 * GccRateControlParams:
 * @initial_state: first state of the state machine
 * @rests_in_hold: whether Decrease becomes Hold as soon as it was applied
 * @initial_time: A_r starts at R once R has been known for longer than this
 * @min_rate: least A_r, bit/s
 * @initial_rate: value of A_r while it is unknown, bit/s
 * @beta: β, A_r = β · R on a decrease (the papers' α)
 * @beta_near_max: β near the known maximum
 * @decrease_offset: a decrease goes this far below β · R where β · R is
 *   greater, bit/s
 * @capacity: estimate of the link's capacity
 * @unknown_deviations: a received rate this many standard deviations off the
 *   estimated capacity means that the capacity has changed
 * @rtt: round-trip time until it is set
 * @response_delay: added to the RTT; the sum is the response time
 * @reduce_ratio: over-use lowers A_r again at once when A_r > this · R
 * @min_reduce_interval: otherwise it does so after one RTT, but not sooner than
 *   this
 * @max_reduce_interval: and not later than this
 * @aimd: how A_r grows: additively near the known maximum, else by a factor
 * @mimd: (nullable): growth by a factor only, in place of @aimd
 */
typedef struct {
  GccRateControlState initial_state;
  gboolean rests_in_hold;
  GccTime initial_time;
  GccRate min_rate;
  GccRate initial_rate;
  gdouble beta;
  gdouble beta_near_max;
  GccRate decrease_offset;
  GccLinkCapacityParams capacity;
  gdouble unknown_deviations;
  GccTime rtt;
  GccTime response_delay;
  gdouble reduce_ratio;
  GccTime min_reduce_interval;
  GccTime max_reduce_interval;
  GccAimdParams aimd;
  const GccMimdParams *mimd;
} GccRateControlParams;

/* The state that follows @state on @signal (draft-ietf-rmcat-gcc-02,
 * section 5.5). */
GccRateControlState gcc_rate_control_state_next (
    GccRateControlState state, GccSignal signal);

/**
 * GccRateControlInput:
 * @signal: of the over-use detector
 * @received_rate: R(t), bit/s; %GCC_RATE_NONE if unknown
 * @noise_variance: of the arrival filter, ms²
 * @link: rate of the link, bit/s; not positive if unknown
 * @has_growth: whether A_r grows by @growth, and not by the profile's numbers
 * @growth: bit/s per s
 * @growth_end: A_r at which one update of it ends; not positive if none does
 */
typedef struct {
  GccSignal signal;
  GccRate received_rate;
  gdouble noise_variance;
  GccRate link;
  gboolean has_growth;
  gdouble growth;
  GccRate growth_end;
} GccRateControlInput;

/**
 * GccRateControl:
 *
 * The rate controller: it computes A_r, the rate that the sender should not
 * exceed, from the delay detector's signal and the received rate R(t). The
 * papers call it the remote rate controller, because theirs runs at the
 * receiver; this one runs at either end. Fields are private.
 */
typedef struct {
  const GccRateControlParams *params;
  GccRateControlState state;
  GccRateControlState last_action;
  gboolean is_initialized;
  GccTime limited_since;
  GccRate rate;
  GccRate min_rate;
  GccRate link;
  gboolean has_growth;
  gdouble growth;
  GccRate growth_end;
  GccRate received_rate;
  GccTime first_received_rate;
  GccTime last_change;
  GccTime rtt;
  GccLinkCapacity capacity;
  GccRateControlRegion region;
  GccMimd mimd;
} GccRateControl;

void gcc_rate_control_init (
    GccRateControl *self, const GccRateControlParams *params);

/* Forgets everything except the least rate and the round-trip time. */
void gcc_rate_control_reset (GccRateControl *self);

/* The round-trip time, not negative. */
void gcc_rate_control_set_rtt (GccRateControl *self, GccTime rtt);

/**
 * gcc_rate_control_update:
 *
 * Returns: A_r in bit/s, or %GCC_RATE_NONE while it is unknown
 */
GccRate gcc_rate_control_update (
    GccRateControl *self, const GccRateControlInput *input, GccTime now);

/* The least A_r, bit/s, where it exceeds the profile's. The sender sends as
 * much in any case, and a start from below it would only take time. */
void gcc_rate_control_set_min (GccRateControl *self, GccRate min);

/* Sets A_r to @rate, bit/s: that of a probe, of a drain, or of trains. */
void gcc_rate_control_set_rate (
    GccRateControl *self, GccRate rate, GccTime now);

/* A queue that has drained has shown that the path takes @capacity, bit/s: A_r grows
 * slowly near it, as after over-use. */
void gcc_rate_control_feed_capacity (
    GccRateControl *self, GccRate capacity, GccTime now);

/* A probe has shown @rate, bit/s: where that is more, over-use at a lower rate is no
 * sample of the link. */
void gcc_rate_control_feed_probe (GccRateControl *self, GccRate rate);

/* Over-use before now had another cause than A_r, and is no sample of the
 * link. */
void gcc_rate_control_forget_capacity (GccRateControl *self);

/* Whether continuing over-use should lower A_r again now. */
gboolean gcc_rate_control_is_time_to_reduce (
    const GccRateControl *self, GccRate received_rate, GccTime now);

/* A_r in bit/s, or %GCC_RATE_NONE while it is unknown. */
GccRate gcc_rate_control_get_rate (const GccRateControl *self);

/* The state in which the last update was made; a Decrease may have ended
 * since. */
GccRateControlState gcc_rate_control_get_last_action (
    const GccRateControl *self);

/* The region after the last update. */
GccRateControlRegion gcc_rate_control_get_region (const GccRateControl *self);

/* The additive increase per second, bit/s. */
gdouble gcc_rate_control_get_additive_rate (const GccRateControl *self);

G_END_DECLS
