/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-signal.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/rate/gcc-link-capacity.h>

G_BEGIN_DECLS

/**
 * GccRateControlState:
 * @GCC_RATE_CONTROL_HOLD: A_r is kept
 * @GCC_RATE_CONTROL_INCREASE: A_r is raised
 * @GCC_RATE_CONTROL_DECREASE: A_r is lowered to β · R
 *
 * States of the rate controller's finite state machine.
 */
typedef enum {
  GCC_RATE_CONTROL_HOLD,
  GCC_RATE_CONTROL_INCREASE,
  GCC_RATE_CONTROL_DECREASE,
} GccRateControlState;

const gchar *gcc_rate_control_state_to_string (GccRateControlState state);

/**
 * GccRateControlLaw:
 * @GCC_RATE_CONTROL_AIMD: additive near the known maximum, else multiplicative
 * @GCC_RATE_CONTROL_MIMD: multiplicative by eq. (3) of the 2013 papers, at
 *   three speeds
 */
typedef enum {
  GCC_RATE_CONTROL_AIMD,
  GCC_RATE_CONTROL_MIMD,
} GccRateControlLaw;

/**
 * GccPlateauParams:
 * @below: steepness for the distance below the known capacity, as a share of it
 * @above: the same above it
 * @min_steepness: at the capacity
 * @watched_steepness: the same where a queue is found while it is short
 * @max_steepness: greatest; 0: it is always 1
 * @max_growth: share of A_r that the additive increase is at most, 1/s, before
 *   its steepness; 0: it is not bounded
 *
 * How steep the additive increase is, as a factor of it.
 */
typedef struct {
  gdouble below;
  gdouble above;
  gdouble min_steepness;
  gdouble watched_steepness;
  gdouble max_steepness;
  gdouble max_growth;
} GccPlateauParams;

/**
 * GccRateControlParams:
 * @law: how A_r grows
 * @initial_state: of the state machine
 * @rests_in_hold: whether Decrease becomes Hold as soon as it was applied
 * @initial_time: A_r starts at R once R has been known for longer than this
 * @min_rate: least A_r, bit/s
 * @initial_rate: value of A_r while it is unknown, bit/s
 * @beta: β, A_r = β · R on a decrease (the papers' α)
 * @beta_near_max: β near the known maximum
 * @decrease_offset: a decrease goes so far below β · R, where that is more than
 *   this, bit/s
 * @capacity: estimate of the link's capacity
 * @unknown_deviations: a received rate this many standard deviations off the
 *   estimated capacity means that the capacity has changed
 * @above_deviations: one this many above it is above the maximum (MIMD)
 * @rtt: round-trip time until it is set
 * @response_delay: added to the RTT to give the response time
 * @min_increase: least multiplicative step, bit/s (AIMD), or a constant added
 *   to each (MIMD)
 * @max_ratio: A_r does not grow beyond this times R
 * @max_ratio_offset: plus this, bit/s (AIMD)
 * @max_ratio_received: the bound applies above this R, bit/s (MIMD)
 * @max_ratio_rate: the bound applies above this A_r, bit/s (MIMD)
 * @reduce_ratio: over-use lowers A_r again at once when A_r > this · R
 * @min_reduce_interval: else after one RTT, but not sooner than this
 * @max_reduce_interval: nor later than this
 * @eta: η, factor of A_r per second (AIMD)
 * @start_eta: the same until over-use has told of a limit, and again after R has
 *   shown that there is more; 0: there is no such phase (AIMD)
 * @start_after: over-use before that has to be so long ago: meanwhile R may only
 *   be catching up (AIMD)
 * @start_ratio: above this times R it is @eta meanwhile, too (AIMD)
 * @start_link_ratio: the same where it is known what the link passes, which ends
 *   that phase, too: A_r need not wait for R to tell (AIMD)
 * @start_link_range: it is if that is less than this times A_r (AIMD)
 * @max_eta_time: upper bound of the time in one multiplicative step (AIMD)
 * @frame_rate: frame rate assumed in the additive step, 1/s (AIMD)
 * @packet_size: greatest packet size assumed in it, bytes (AIMD)
 * @additive_packets: packets per response time that the additive step adds
 *   (AIMD)
 * @min_additive_rate: least additive increase, bit/s per s; 0 is none (AIMD)
 * @min_additive_step: least additive step, bit/s; 0 is none (AIMD)
 * @max_additive_responses: upper bound of the response times in one additive
 *   step; 0 is no bound (AIMD)
 * @plateau: how it slows near the known capacity (AIMD)
 * @change_period_ms: initial mean time between updates, which is part of the
 *   response time, ms (MIMD)
 * @change_period_weight: of a new sample in that mean (MIMD)
 * @boost_unknown: fraction of the growth that is added to it while no maximum
 *   is known (MIMD)
 * @brake_near_max: fraction of the growth that is taken from it near the
 *   maximum (MIMD)
 * @eta_min: least η per second of eq. (3) (MIMD)
 * @eta_max: greatest η per second of eq. (3) (MIMD)
 * @B: of eq. (3) (MIMD)
 * @b: of eq. (3), 1/ms (MIMD)
 * @d: of eq. (3) (MIMD)
 * @c1: of eq. (3), 1/ms (MIMD)
 * @c2: of eq. (3), ms (MIMD)
 */
typedef struct {
  GccRateControlLaw law;
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
  gdouble above_deviations;
  GccTime rtt;
  GccTime response_delay;
  GccRate min_increase;
  gdouble max_ratio;
  gdouble max_ratio_offset;
  GccRate max_ratio_received;
  GccRate max_ratio_rate;
  gdouble reduce_ratio;
  GccTime min_reduce_interval;
  GccTime max_reduce_interval;
  gdouble eta;
  gdouble start_eta;
  gdouble start_ratio;
  gdouble start_link_ratio;
  gdouble start_link_range;
  GccTime start_after;
  GccTime max_eta_time;
  gdouble frame_rate;
  gdouble packet_size;
  gdouble additive_packets;
  gdouble min_additive_rate;
  gdouble min_additive_step;
  gdouble max_additive_responses;
  GccPlateauParams plateau;
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
 * @beta: share of R(t) that over-use lowers A_r to; 0: that of the profile
 * @is_watched: whether a queue would be found while it is short
 * @link: what the link passes at most, bit/s; not positive if unknown
 */
typedef struct {
  GccSignal signal;
  GccRate received_rate;
  gdouble noise_variance;
  gdouble beta;
  gboolean is_watched;
  GccRate link;
} GccRateControlInput;

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
  gboolean is_watched;
  GccRate link;
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

/* The least A_r, bit/s, where that is more than the profile's: what is sent
 * anyway. Another start from below it would only take time. */
void gcc_rate_control_set_min (GccRateControl *self, GccRate min);

/* Sets A_r to the rate of a successful probe, bit/s. */
void gcc_rate_control_set_rate (
    GccRateControl *self, GccRate rate, GccTime now);

/* Whether something has told what the path takes. */
gboolean gcc_rate_control_is_limited (const GccRateControl *self);

/* Sets A_r to @rate, bit/s, since the link has become faster: what over-use has told of
 * its limit is void, and A_r grows as it did before there was one. */
void gcc_rate_control_raise (GccRateControl *self, GccRate rate, GccTime now);

/* Over-use before now was not that of A_r, and tells nothing of the link. */
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
