/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-rate-control.h>

#include <math.h>

/* Beyond any link, and within the range of the type, bit/s. */
#define MAX_RATE 1e12

static const GccRateControlState next_states[3][3] = {
  [GCC_RATE_CONTROL_HOLD] = {
    [GCC_SIGNAL_NORMAL] = GCC_RATE_CONTROL_INCREASE,
    [GCC_SIGNAL_UNDERUSE] = GCC_RATE_CONTROL_HOLD,
    [GCC_SIGNAL_OVERUSE] = GCC_RATE_CONTROL_DECREASE,
  },
  [GCC_RATE_CONTROL_INCREASE] = {
    [GCC_SIGNAL_NORMAL] = GCC_RATE_CONTROL_INCREASE,
    [GCC_SIGNAL_UNDERUSE] = GCC_RATE_CONTROL_HOLD,
    [GCC_SIGNAL_OVERUSE] = GCC_RATE_CONTROL_DECREASE,
  },
  [GCC_RATE_CONTROL_DECREASE] = {
    [GCC_SIGNAL_NORMAL] = GCC_RATE_CONTROL_HOLD,
    [GCC_SIGNAL_UNDERUSE] = GCC_RATE_CONTROL_HOLD,
    [GCC_SIGNAL_OVERUSE] = GCC_RATE_CONTROL_DECREASE,
  },
};

const gchar *
gcc_rate_control_state_to_string (GccRateControlState state)
{
  switch (state) {
    case GCC_RATE_CONTROL_HOLD:
      return "hold";
    case GCC_RATE_CONTROL_INCREASE:
      return "increase";
    case GCC_RATE_CONTROL_DECREASE:
      return "decrease";
  }

  g_return_val_if_reached (NULL);
}

GccRateControlState
gcc_rate_control_state_next (GccRateControlState state, GccSignal signal)
{
  return next_states[state][signal];
}

void
gcc_rate_control_init (GccRateControl *self, const GccRateControlParams *params)
{
  *self = (GccRateControl){
    .params = params,
    .state = params->initial_state,
    .last_action = params->initial_state,
    .rate = params->initial_rate,
    .min_rate = params->min_rate,
    .received_rate = GCC_RATE_NONE,
    .first_received_rate = GCC_TIME_NONE,
    .last_change = GCC_TIME_NONE,
    .last_update = GCC_TIME_NONE,
    .limited_since = GCC_TIME_NONE,
    .rtt = params->rtt,
    .region = GCC_RATE_CONTROL_MAX_UNKNOWN,
    .change_period_ms = (gfloat) params->change_period_ms,
  };
  gcc_link_capacity_init (&self->capacity, &params->capacity);
}

void
gcc_rate_control_reset (GccRateControl *self)
{
  GccRate min_rate = self->min_rate;
  GccTime rtt = self->rtt;

  gcc_rate_control_init (self, self->params);
  self->min_rate = min_rate;
  self->rtt = rtt;
}

void
gcc_rate_control_set_rtt (GccRateControl *self, GccTime rtt)
{
  g_return_if_fail (rtt >= 0);

  self->rtt = rtt;
}

static gdouble
to_kbps (GccRate rate)
{
  return (gdouble) rate / 1000.;
}

static gdouble
get_beta (const GccRateControl *self)
{
  const GccRateControlParams *params = self->params;

  return self->region == GCC_RATE_CONTROL_NEAR_MAX ? params->beta_near_max
                                                   : params->beta;
}

void
gcc_rate_control_forget_capacity (GccRateControl *self)
{
  gcc_link_capacity_forget (&self->capacity);
  self->region = GCC_RATE_CONTROL_MAX_UNKNOWN;
}

/* Time since the last change; a clock set back counts as none. */
static GccTime
get_time_since_change (const GccRateControl *self, GccTime now)
{
  return MAX (gcc_time_diff (now, self->last_change), 0);
}

/* Until there is an estimate A_r is the received rate. */
static void
initialize (GccRateControl *self, GccRate received_rate, GccTime now)
{
  const GccRateControlParams *params = self->params;

  if (received_rate <= 0)
    return;
  if (self->first_received_rate == GCC_TIME_NONE) {
    self->first_received_rate = now;
  } else if (gcc_time_diff (now, self->first_received_rate) >
      params->initial_time) {
    /* MIMD applies the least rate on a decrease only. */
    self->rate = params->law == GCC_RATE_CONTROL_AIMD
        ? MAX (received_rate, params->min_rate)
        : received_rate;
    self->is_initialized = TRUE;
  }
}

static void
change_state (GccRateControl *self, GccSignal signal, GccTime now)
{
  GccRateControlState next = gcc_rate_control_state_next (self->state, signal);

  /* Time spent in Hold does not count for the increase. */
  if (self->state == GCC_RATE_CONTROL_HOLD && next == GCC_RATE_CONTROL_INCREASE)
    self->last_change = now;
  self->state = next;
}

/* --- increase, AIMD: draft-ietf-rmcat-gcc-02, section 5.5 --- */

/* Half a packet (draft: α · expected packet size) per response time. Frames and
 * packets have whole bytes: a frame of 3600.1 bytes takes three packets. */
gdouble
gcc_rate_control_get_additive_rate (const GccRateControl *self)
{
  const GccRateControlParams *params = self->params;
  gdouble frame_bytes = round ((gdouble) self->rate / params->frame_rate / 8.);
  gdouble packets = MAX (ceil (frame_bytes / params->packet_size), 1.);
  gdouble packet_bits = round (frame_bytes / packets) * 8.;
  gdouble rate = params->additive_packets * packet_bits /
      gcc_time_to_seconds (gcc_time_add (self->rtt, params->response_delay));

  return MAX (rate, params->min_additive_rate);
}

/* As CUBIC's window does (RFC 9438, section 4.1): slowly near the capacity where
 * over-use was, so that a queue is found while it is short; faster below, where
 * there is none, and above, where the path may take more. */
static gdouble
get_steepness (const GccRateControl *self)
{
  const GccPlateauParams *params = &self->params->plateau;
  gdouble least = self->is_watched ? params->watched_steepness
                                   : params->min_steepness;
  gdouble capacity, distance;

  if (params->max_steepness <= 0.)
    return 1.;

  capacity = 1000. * gcc_link_capacity_get_average (&self->capacity);
  distance = (gdouble) self->rate / MAX (capacity, 1.) - 1.;
  return CLAMP (
      distance < 0. ? -params->below * distance : params->above * distance,
      least, params->max_steepness);
}

/* Half a packet is much where the rate is low: of 150 kbit/s 11 % a second. */
static gdouble
get_plateau_rate (const GccRateControl *self)
{
  gdouble rate = gcc_rate_control_get_additive_rate (self);

  if (self->params->plateau.max_growth <= 0.)
    return rate;
  return MIN (rate, self->params->plateau.max_growth * (gdouble) self->rate);
}

static gdouble
get_additive_step (const GccRateControl *self, GccTime passed)
{
  const GccRateControlParams *params = self->params;
  gdouble seconds = gcc_time_to_seconds (passed);
  gdouble response_time = gcc_time_to_seconds (
      gcc_time_add (self->rtt, params->response_delay));
  gdouble step;

  if (params->max_additive_responses > 0.)
    seconds = MIN (seconds, params->max_additive_responses * response_time);
  step = get_steepness (self) * get_plateau_rate (self) * seconds;
  return MAX (step, params->min_additive_step);
}

gboolean
gcc_rate_control_is_limited (const GccRateControl *self)
{
  return self->limited_since != GCC_TIME_NONE;
}

/* A link that is much faster than A_r is no limit yet, or a token bucket. */
static gboolean
is_link_near (const GccRateControl *self)
{
  return self->link > 0 &&
      (gdouble) self->link <
      self->params->start_link_range * (gdouble) self->rate;
}

/* While nothing has told of a limit, what arrives is the only one, and the link. */
static gboolean
is_starting (const GccRateControl *self)
{
  const GccRateControlParams *params = self->params;
  gboolean is_known = is_link_near (self);
  gdouble ratio = is_known ? params->start_link_ratio : params->start_ratio;

  return params->start_eta > 0. && !gcc_rate_control_is_limited (self) &&
      !(is_known && self->rate >= self->link) &&
      (gdouble) self->rate < ratio * (gdouble) self->received_rate;
}

static gdouble
get_multiplicative_step (const GccRateControl *self, GccTime passed)
{
  const GccRateControlParams *params = self->params;
  gdouble seconds = gcc_time_to_seconds (MIN (passed, params->max_eta_time));
  gdouble eta = is_starting (self) ? params->start_eta : params->eta;
  gdouble step = (gdouble) self->rate * (pow (eta, seconds) - 1.);

  return MAX (step, (gdouble) params->min_increase);
}

static GccRate
increase_aimd (GccRateControl *self, GccTime now)
{
  GccTime passed = get_time_since_change (self, now);

  if (gcc_link_capacity_is_exceeded (&self->capacity,
          to_kbps (self->received_rate), self->params->unknown_deviations)) {
    gcc_rate_control_forget_capacity (self);
    if (gcc_time_has_passed (
            self->params->start_after, self->limited_since, now))
      self->limited_since = GCC_TIME_NONE;
  }

  self->last_change = now;
  return gcc_rate_add (self->rate,
      gcc_rate_from_double (gcc_link_capacity_is_known (&self->capacity)
              ? get_additive_step (self, passed)
              : get_multiplicative_step (self, passed)));
}

/* --- increase, MIMD: the 2013 papers --- */

static void
update_region (GccRateControl *self)
{
  gdouble received_kbps = to_kbps (self->received_rate);

  if (gcc_link_capacity_is_exceeded (
          &self->capacity, received_kbps, self->params->unknown_deviations))
    gcc_rate_control_forget_capacity (self);
  else if (gcc_link_capacity_is_exceeded (
               &self->capacity, received_kbps, self->params->above_deviations))
    self->region = GCC_RATE_CONTROL_ABOVE_MAX;
}

/* η per second, eq. (3): slower when the response is late or the path noisy. */
static gdouble
get_eta (const GccRateControl *self, gdouble noise_variance)
{
  const GccRateControlParams *params = self->params;
  gdouble response_ms = floor (self->change_period_ms + 0.5f) +
      gcc_time_to_ms (gcc_time_add (self->rtt, params->response_delay));
  gdouble late_ms = params->d * response_ms -
      (params->c1 * noise_variance + params->c2);
  gdouble eta = params->eta_min + params->B / (1. + exp (params->b * late_ms));

  return CLAMP (eta, params->eta_min, params->eta_max);
}

static gdouble
get_growth (const GccRateControl *self, gdouble noise_variance, GccTime passed)
{
  gdouble growth = pow (
      get_eta (self, noise_variance), gcc_time_to_seconds (passed));

  switch (self->region) {
    case GCC_RATE_CONTROL_MAX_UNKNOWN:
      return growth + self->params->boost_unknown * (growth - 1.);
    case GCC_RATE_CONTROL_NEAR_MAX:
      return growth - self->params->brake_near_max * (growth - 1.);
    case GCC_RATE_CONTROL_ABOVE_MAX:
      return growth;
  }

  g_return_val_if_reached (1.);
}

/* Returns whether A_r was restored to the received rate in Hold. */
static gboolean
recover (GccRateControl *self, GccRate *rate)
{
  gfloat held = (gfloat) get_beta (self) * (gfloat) self->max_hold_rate;
  gboolean recovers = self->max_hold_rate > 0 && held > (gfloat) *rate;

  if (recovers) {
    *rate = gcc_rate_from_double (held);
    gcc_link_capacity_set (&self->capacity, held / 1000.);
    self->region = GCC_RATE_CONTROL_NEAR_MAX;
  }
  self->max_hold_rate = 0;
  return recovers;
}

static GccRate
increase_mimd (GccRateControl *self, gdouble noise_variance, GccTime now,
    gboolean *recovers)
{
  GccTime passed = get_time_since_change (self, now);
  gdouble growth;
  GccRate rate;

  update_region (self);
  growth = get_growth (self, noise_variance, passed);
  /* after a clock jump the growth may be anything */
  rate = (GccRate) MIN ((gdouble) self->rate * growth, MAX_RATE) +
      self->params->min_increase;
  *recovers = recover (self, &rate);
  self->last_change = now;
  return rate;
}

/* Mean time between updates: part of the response time. */
static void
update_change_period (GccRateControl *self, GccTime now)
{
  gfloat weight = (gfloat) self->params->change_period_weight;
  GccTime period = self->last_update == GCC_TIME_NONE
      ? 0
      : MAX (gcc_time_diff (now, self->last_update), 0);

  self->last_update = now;
  self->change_period_ms = (1.f - weight) * self->change_period_ms +
      weight * (gfloat) gcc_time_to_ms (period);
}

/* --- decrease --- */

static GccRate
decrease (GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  const GccRateControlParams *params = self->params;
  gdouble beta = input->beta > 0. ? input->beta : get_beta (self);
  gdouble received_kbps = to_kbps (self->received_rate);
  GccRate rate = gcc_rate_from_double (
      beta * (gdouble) self->received_rate + 0.5);

  self->last_change = now;
  self->limited_since = now;
  if (params->rests_in_hold)
    self->state = GCC_RATE_CONTROL_HOLD;

  if (rate > params->decrease_offset)
    rate -= params->decrease_offset;
  if (self->received_rate == GCC_RATE_NONE)
    return self->rate;
  /* So low a received rate tells nothing about the link. (MIMD may be below
   * the minimum, and is raised to it.) */
  if (self->received_rate < params->min_rate)
    return params->min_rate;

  /* R is so far above A_r that β · R would raise it. */
  if (rate > self->rate && gcc_link_capacity_is_known (&self->capacity))
    rate = gcc_rate_from_double (
        beta * gcc_link_capacity_get_average (&self->capacity) * 1000. + 0.5);
  rate = MIN (rate, self->rate);

  if (gcc_link_capacity_is_missed (
          &self->capacity, received_kbps, self->params->unknown_deviations))
    gcc_link_capacity_forget (&self->capacity);
  gcc_link_capacity_update (&self->capacity, received_kbps);
  self->region = GCC_RATE_CONTROL_NEAR_MAX;
  return rate;
}

/* --- A_r stays close to R when the sender does not use it --- */

static GccRate
limit_aimd (const GccRateControl *self, GccRate rate)
{
  const GccRateControlParams *params = self->params;
  gdouble max = params->max_ratio * (gdouble) self->received_rate +
      params->max_ratio_offset;

  if (self->received_rate != GCC_RATE_NONE && rate > self->rate &&
      (gdouble) rate > max)
    rate = MAX (self->rate, gcc_rate_from_double (max));
  return MAX (rate, self->min_rate);
}

static GccRate
limit_mimd (GccRateControl *self, GccRate rate, GccTime now)
{
  const GccRateControlParams *params = self->params;
  gboolean is_bound = self->received_rate > params->max_ratio_received ||
      rate > params->max_ratio_rate;

  if (!is_bound ||
      (gdouble) rate <= params->max_ratio * (gdouble) self->received_rate)
    return rate;
  self->last_change = now;
  return self->rate;
}

/* --- the state machine --- */

static GccRate
control_aimd (
    GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  switch (self->state) {
    case GCC_RATE_CONTROL_HOLD:
      return self->rate;
    case GCC_RATE_CONTROL_INCREASE:
      return limit_aimd (self, increase_aimd (self, now));
    case GCC_RATE_CONTROL_DECREASE:
      self->is_initialized = TRUE;
      return limit_aimd (self, decrease (self, input, now));
  }

  g_return_val_if_reached (self->rate);
}

static GccRate
control_mimd (
    GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  gboolean recovers = FALSE;
  GccRate rate = self->rate;

  update_change_period (self, now);
  switch (self->state) {
    case GCC_RATE_CONTROL_HOLD:
      self->max_hold_rate = MAX (self->max_hold_rate, self->received_rate);
      break;
    case GCC_RATE_CONTROL_INCREASE:
      rate = increase_mimd (self, input->noise_variance, now, &recovers);
      break;
    case GCC_RATE_CONTROL_DECREASE:
      rate = decrease (self, input, now);
      break;
  }
  return recovers ? rate : limit_mimd (self, rate, now);
}

GccRate
gcc_rate_control_update (
    GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  gboolean is_mimd = self->params->law == GCC_RATE_CONTROL_MIMD;

  if (!self->is_initialized)
    initialize (self, input->received_rate, now);
  if (input->received_rate != GCC_RATE_NONE)
    self->received_rate = input->received_rate;
  self->is_watched = input->is_watched;
  self->link = input->link;

  /* AIMD waits for its first rate, but over-use sets one at once if R is known.
   * MIMD updates the maximum meanwhile. */
  if (!self->is_initialized && !is_mimd &&
      (input->signal != GCC_SIGNAL_OVERUSE ||
          self->received_rate == GCC_RATE_NONE))
    return GCC_RATE_NONE;

  change_state (self, input->signal, now);
  self->last_action = self->state;
  self->rate = is_mimd ? control_mimd (self, input, now)
                       : control_aimd (self, input, now);
  return gcc_rate_control_get_rate (self);
}

void
gcc_rate_control_set_min (GccRateControl *self, GccRate min)
{
  self->min_rate = MAX (min, self->params->min_rate);
  if (self->is_initialized)
    self->rate = MAX (self->rate, self->min_rate);
}

void
gcc_rate_control_set_rate (GccRateControl *self, GccRate rate, GccTime now)
{
  self->is_initialized = TRUE;
  self->rate = MAX (rate, self->min_rate);
  self->last_change = now;
}

void
gcc_rate_control_raise (GccRateControl *self, GccRate rate, GccTime now)
{
  gcc_rate_control_forget_capacity (self);
  self->limited_since = GCC_TIME_NONE;
  gcc_rate_control_set_rate (self, rate, now);
}

gboolean
gcc_rate_control_is_time_to_reduce (
    const GccRateControl *self, GccRate received_rate, GccTime now)
{
  const GccRateControlParams *params = self->params;
  GccTime interval = CLAMP (
      self->rtt, params->min_reduce_interval, params->max_reduce_interval);

  if (self->last_change == GCC_TIME_NONE ||
      gcc_time_diff (now, self->last_change) >= interval)
    return TRUE;
  return self->is_initialized &&
      (gdouble) self->rate > params->reduce_ratio * (gdouble) received_rate;
}

GccRate
gcc_rate_control_get_rate (const GccRateControl *self)
{
  return self->is_initialized ? self->rate : GCC_RATE_NONE;
}

GccRateControlState
gcc_rate_control_get_last_action (const GccRateControl *self)
{
  return self->last_action;
}

GccRateControlRegion
gcc_rate_control_get_region (const GccRateControl *self)
{
  return self->region;
}
