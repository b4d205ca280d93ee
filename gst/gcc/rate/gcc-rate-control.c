/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-rate-control.h>

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
    .limited_since = GCC_TIME_NONE,
    .rtt = params->rtt,
    .region = GCC_RATE_CONTROL_MAX_UNKNOWN,
  };
  gcc_link_capacity_init (&self->capacity, &params->capacity);
  if (params->mimd != NULL)
    gcc_mimd_init (&self->mimd, params->mimd);
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

static GccTime
get_response_time (const GccRateControl *self)
{
  return gcc_time_add (self->rtt, self->params->response_delay);
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
    self->rate = params->mimd == NULL ? MAX (received_rate, params->min_rate)
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

gdouble
gcc_rate_control_get_additive_rate (const GccRateControl *self)
{
  return gcc_aimd_get_additive_rate (
      &self->params->aimd, self->rate, get_response_time (self));
}

static GccAimdInput
get_aimd_input (const GccRateControl *self)
{
  return (GccAimdInput){
    .rate = self->rate,
    .received_rate = self->received_rate,
    .response_time = get_response_time (self),
    .capacity = 1000. * self->capacity.average,
    .is_limited = self->limited_since != GCC_TIME_NONE,
    .link = self->link,
  };
}

/* R exceeds the limit that over-use had shown. */
static void
note_more (GccRateControl *self, GccTime now)
{
  const GccAimdStartParams *start = self->params->aimd.start;

  gcc_rate_control_forget_capacity (self);
  if (start != NULL &&
      gcc_time_has_passed (start->after, self->limited_since, now))
    self->limited_since = GCC_TIME_NONE;
}

static GccRate
limit_aimd (const GccRateControl *self, GccRate rate)
{
  GccAimdInput input = get_aimd_input (self);

  return MAX (
      gcc_aimd_limit (&self->params->aimd, &input, rate), self->min_rate);
}

/* Between two reports @growth is taken as constant, though it becomes less on the
 * way to @growth_end. */
static gdouble
get_given_step (const GccRateControl *self, GccTime passed)
{
  gdouble step = self->growth *
      gcc_time_to_seconds (MIN (passed, self->params->aimd.max_eta_time));

  return self->growth_end > 0
      ? MIN (step, (gdouble) MAX (self->growth_end - self->rate, 0))
      : step;
}

static gdouble
get_aimd_step (const GccRateControl *self, GccTime passed)
{
  const GccAimdParams *params = &self->params->aimd;
  GccAimdInput input = get_aimd_input (self);

  if (self->has_growth)
    return get_given_step (self, passed);
  return self->capacity.is_known
      ? gcc_aimd_get_additive_step (params, &input, passed)
      : gcc_aimd_get_multiplicative_step (params, &input, passed);
}

static GccRate
increase_aimd (GccRateControl *self, GccTime now)
{
  GccTime passed = get_time_since_change (self, now);
  gdouble step;

  if (gcc_link_capacity_is_exceeded (&self->capacity,
          to_kbps (self->received_rate), self->params->unknown_deviations))
    note_more (self, now);
  step = get_aimd_step (self, passed);
  self->last_change = now;
  return gcc_rate_add (self->rate, gcc_rate_from_double (step));
}

/* --- increase, MIMD: the 2013 papers --- */

static void
update_region (GccRateControl *self)
{
  gdouble received_kbps = to_kbps (self->received_rate);

  if (gcc_link_capacity_is_exceeded (
          &self->capacity, received_kbps, self->params->unknown_deviations))
    gcc_rate_control_forget_capacity (self);
  else if (gcc_link_capacity_is_exceeded (&self->capacity, received_kbps,
               self->params->mimd->above_deviations))
    self->region = GCC_RATE_CONTROL_ABOVE_MAX;
}

/* Returns whether A_r was restored to the received rate in Hold. */
static gboolean
recover (GccRateControl *self, GccRate *rate)
{
  gfloat held = (gfloat) get_beta (self) *
      (gfloat) gcc_mimd_take_hold (&self->mimd);

  if (held <= (gfloat) *rate)
    return FALSE;
  *rate = gcc_rate_from_double (held);
  gcc_link_capacity_set (&self->capacity, held / 1000.);
  self->region = GCC_RATE_CONTROL_NEAR_MAX;
  return TRUE;
}

static GccRate
increase_mimd (GccRateControl *self, gdouble noise_variance, GccTime now,
    gboolean *recovers)
{
  GccTime passed = get_time_since_change (self, now);
  GccRate rate;

  update_region (self);
  rate = gcc_mimd_grow (&self->mimd, self->rate, self->region,
      get_response_time (self), noise_variance, passed);
  *recovers = recover (self, &rate);
  self->last_change = now;
  return rate;
}

/* A_r stays close to R when the sender does not use it. */
static GccRate
limit_mimd (GccRateControl *self, GccRate rate, GccTime now)
{
  if (gcc_mimd_allows (&self->mimd, rate, self->received_rate))
    return rate;
  self->last_change = now;
  return self->rate;
}

/* --- decrease --- */

static void
note_capacity (GccRateControl *self, gdouble kbps)
{
  if (gcc_link_capacity_is_missed (
          &self->capacity, kbps, self->params->unknown_deviations))
    gcc_link_capacity_forget (&self->capacity);
  gcc_link_capacity_update (&self->capacity, kbps);
}

static GccRate
decrease (GccRateControl *self, GccTime now)
{
  const GccRateControlParams *params = self->params;
  gdouble beta = get_beta (self);
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
  /* A received rate this low is no sample of the link. (MIMD may be below the
   * minimum, and is raised to it.) */
  if (self->received_rate < params->min_rate)
    return params->min_rate;

  /* R is so far above A_r that β · R would raise it. */
  if (rate > self->rate && self->capacity.is_known)
    rate = gcc_rate_from_double (beta * self->capacity.average * 1000. + 0.5);
  rate = MIN (rate, self->rate);

  note_capacity (self, received_kbps);
  self->region = GCC_RATE_CONTROL_NEAR_MAX;
  return rate;
}

/* --- the state machine --- */

static GccRate
control_aimd (GccRateControl *self, GccTime now)
{
  switch (self->state) {
    case GCC_RATE_CONTROL_HOLD:
      return self->rate;
    case GCC_RATE_CONTROL_INCREASE:
      return limit_aimd (self, increase_aimd (self, now));
    case GCC_RATE_CONTROL_DECREASE:
      self->is_initialized = TRUE;
      return limit_aimd (self, decrease (self, now));
  }

  g_return_val_if_reached (self->rate);
}

static GccRate
control_mimd (
    GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  gboolean recovers = FALSE;
  GccRate rate = self->rate;

  gcc_mimd_feed_update (&self->mimd, now);
  switch (self->state) {
    case GCC_RATE_CONTROL_HOLD:
      gcc_mimd_feed_hold (&self->mimd, self->received_rate);
      break;
    case GCC_RATE_CONTROL_INCREASE:
      rate = increase_mimd (self, input->noise_variance, now, &recovers);
      break;
    case GCC_RATE_CONTROL_DECREASE:
      rate = decrease (self, now);
      break;
  }
  return recovers ? rate : limit_mimd (self, rate, now);
}

GccRate
gcc_rate_control_update (
    GccRateControl *self, const GccRateControlInput *input, GccTime now)
{
  gboolean is_mimd = self->params->mimd != NULL;

  if (!self->is_initialized)
    initialize (self, input->received_rate, now);
  if (input->received_rate != GCC_RATE_NONE)
    self->received_rate = input->received_rate;
  self->link = input->link;
  self->has_growth = input->has_growth;
  self->growth = input->growth;
  self->growth_end = input->growth_end;

  /* AIMD waits for its first rate, but over-use sets one at once if R is known.
   * MIMD updates the maximum meanwhile. */
  if (!self->is_initialized && !is_mimd &&
      (input->signal != GCC_SIGNAL_OVERUSE ||
          self->received_rate == GCC_RATE_NONE))
    return GCC_RATE_NONE;

  change_state (self, input->signal, now);
  self->last_action = self->state;
  self->rate = is_mimd ? control_mimd (self, input, now)
                       : control_aimd (self, now);
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
gcc_rate_control_feed_capacity (
    GccRateControl *self, GccRate capacity, GccTime now)
{
  self->limited_since = now;
  note_capacity (self, to_kbps (capacity));
}

void
gcc_rate_control_feed_probe (GccRateControl *self, GccRate rate)
{
  if (gcc_link_capacity_is_exceeded (
          &self->capacity, to_kbps (rate), self->params->unknown_deviations))
    gcc_rate_control_forget_capacity (self);
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
