/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-remote-rate-control.h>

#include <math.h>

/* The video that draft-ietf-rmcat-gcc-02, section 5.5 thinks of. */
#define FRAMES_PER_SECOND 30.
#define PACKET_BITS (1200. * 8.)

/* One feedback message with its headers, and the share of A_r it may take. */
#define FEEDBACK_BITS (80. * 8.)
#define FEEDBACK_SHARE 0.05

/* Bounds of the time after which an over-use that goes on is acted on again. */
#define MIN_REDUCTION_INTERVAL (10 * GCC_MSECOND)
#define MAX_REDUCTION_INTERVAL (200 * GCC_MSECOND)

/* A received rate that many standard deviations off the known capacity is of
 * another link. */
#define CAPACITY_DEVIATIONS 3.

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
gcc_remote_rate_control_init (GccRemoteRateControl *self,
    const GccProfile *profile)
{
  const GccRemoteRateParams *params = &profile->remote_rate;

  *self = (GccRemoteRateControl) {
    .profile = profile,
    .state = params->initial_state,
    .last_action = params->initial_state,
    .rate = params->initial_rate,
    .received_rate = GCC_RATE_NONE,
    .first_received_rate = GCC_TIME_NONE,
    .last_change = GCC_TIME_NONE,
    .rtt = params->rtt,
  };
  gcc_link_capacity_init (&self->capacity);
}

void
gcc_remote_rate_control_set_rtt (GccRemoteRateControl *self, GccTime rtt)
{
  g_return_if_fail (rtt >= 0);

  self->rtt = rtt;
}

static gdouble
to_kbps (GccRate rate)
{
  return (gdouble) rate / 1000.;
}

/* Time since the last change; a clock set back counts as none. */
static GccTime
get_time_since_change (const GccRemoteRateControl *self, GccTime now)
{
  return MAX (gcc_time_diff (now, self->last_change), 0);
}

/* Until there is an estimate A_r is what arrives. */
static void
initialize (GccRemoteRateControl *self, GccRate received_rate, GccTime now)
{
  const GccRemoteRateParams *params = &self->profile->remote_rate;

  if (received_rate == GCC_RATE_NONE)
    return;
  if (self->first_received_rate == GCC_TIME_NONE) {
    self->first_received_rate = now;
  } else if (gcc_time_diff (now, self->first_received_rate) >
      params->initial_time) {
    self->rate = received_rate;
    self->is_initialized = TRUE;
  }
}

static void
change_state (GccRemoteRateControl *self, GccSignal signal, GccTime now)
{
  GccRateControlState next = gcc_rate_control_state_next (self->state, signal);

  /* The time on hold is no time to grow for. */
  if (self->state == GCC_RATE_CONTROL_HOLD && next == GCC_RATE_CONTROL_INCREASE)
    self->last_change = now;
  self->state = next;
}

/* Half a packet (draft: α · expected packet size) per response time. */
gdouble
gcc_remote_rate_control_get_additive_rate (const GccRemoteRateControl *self)
{
  const GccRemoteRateParams *params = &self->profile->remote_rate;
  gdouble frame_bits = (gdouble) self->rate / FRAMES_PER_SECOND;
  gdouble packets = MAX (ceil (frame_bits / PACKET_BITS), 1.);
  GccTime response_time = self->rtt + params->response_delay;
  gdouble rate = params->additive_packets * frame_bits / packets *
      (gdouble) GCC_SECOND / (gdouble) response_time;

  return MAX (rate, params->min_additive_rate);
}

static gdouble
get_additive_step (const GccRemoteRateControl *self, GccTime passed)
{
  const GccRemoteRateParams *params = &self->profile->remote_rate;
  gdouble seconds = (gdouble) passed / (gdouble) GCC_SECOND;
  gdouble step = gcc_remote_rate_control_get_additive_rate (self) * seconds;

  return MAX (step, params->min_additive_step);
}

static gdouble
get_multiplicative_step (const GccRemoteRateControl *self, GccTime passed)
{
  const GccRemoteRateParams *params = &self->profile->remote_rate;
  gdouble seconds = MIN ((gdouble) passed / (gdouble) GCC_SECOND, 1.);
  gdouble step = (gdouble) self->rate * (pow (params->eta, seconds) - 1.);

  return MAX (step, (gdouble) params->min_increase);
}

static GccRate
increase (GccRemoteRateControl *self, GccTime now)
{
  GccTime passed = get_time_since_change (self, now);
  gdouble step;

  if (gcc_link_capacity_is_exceeded (&self->capacity,
          to_kbps (self->received_rate), CAPACITY_DEVIATIONS))
    gcc_link_capacity_forget (&self->capacity);

  step = self->capacity.is_known ? get_additive_step (self, passed)
      : get_multiplicative_step (self, passed);
  self->last_change = now;
  return self->rate + (GccRate) step;
}

static GccRate
decrease (GccRemoteRateControl *self, GccTime now)
{
  gdouble beta = self->profile->remote_rate.beta;
  gdouble received_kbps = to_kbps (self->received_rate);
  GccRate rate = (GccRate) (beta * (gdouble) self->received_rate + 0.5);

  /* More arrives than A_r allows: β · R would raise it. */
  if (rate > self->rate && self->capacity.is_known)
    rate = (GccRate) (beta * self->capacity.average * 1000. + 0.5);
  rate = MIN (rate, self->rate);

  if (gcc_link_capacity_is_missed (&self->capacity, received_kbps,
          CAPACITY_DEVIATIONS))
    gcc_link_capacity_forget (&self->capacity);
  gcc_link_capacity_update (&self->capacity, received_kbps);

  self->is_initialized = TRUE;
  if (self->profile->remote_rate.rests_in_hold)
    self->state = GCC_RATE_CONTROL_HOLD;
  self->last_change = now;
  return rate;
}

/* A_r must not run away from a sender that does not use it. */
static GccRate
limit (const GccRemoteRateControl *self, GccRate rate)
{
  const GccRemoteRateParams *params = &self->profile->remote_rate;
  gdouble max = params->max_ratio * (gdouble) self->received_rate +
      params->max_ratio_offset;

  if (rate > self->rate && (gdouble) rate > max)
    rate = MAX (self->rate, (GccRate) max);
  return MAX (rate, params->min_rate);
}

GccRate
gcc_remote_rate_control_update (GccRemoteRateControl *self,
    const GccRateControlInput *input, GccTime now)
{
  GccRate rate = self->rate;

  if (!self->is_initialized)
    initialize (self, input->received_rate, now);
  if (input->received_rate != GCC_RATE_NONE)
    self->received_rate = input->received_rate;

  /* An over-use tells a rate at once, however young the session is. */
  if (self->received_rate == GCC_RATE_NONE ||
      (!self->is_initialized && input->signal != GCC_SIGNAL_OVERUSE))
    return GCC_RATE_NONE;

  change_state (self, input->signal, now);
  self->last_action = self->state;
  switch (self->state) {
    case GCC_RATE_CONTROL_HOLD:
      rate = self->rate;
      break;
    case GCC_RATE_CONTROL_INCREASE:
      rate = increase (self, now);
      break;
    case GCC_RATE_CONTROL_DECREASE:
      rate = decrease (self, now);
      break;
  }
  self->rate = limit (self, rate);
  return self->rate;
}

gboolean
gcc_remote_rate_control_is_time_to_reduce (const GccRemoteRateControl *self,
    GccRate received_rate, GccTime now)
{
  GccTime interval =
      CLAMP (self->rtt, MIN_REDUCTION_INTERVAL, MAX_REDUCTION_INTERVAL);

  if (self->last_change == GCC_TIME_NONE ||
      gcc_time_diff (now, self->last_change) >= interval)
    return TRUE;
  return self->is_initialized && (gdouble) self->rate >
      self->profile->remote_rate.reduce_ratio * (gdouble) received_rate;
}

GccRate
gcc_remote_rate_control_get_rate (const GccRemoteRateControl *self)
{
  return self->is_initialized ? self->rate : GCC_RATE_NONE;
}

GccRateControlState
gcc_remote_rate_control_get_last_action (const GccRemoteRateControl *self)
{
  return self->last_action;
}

GccTime
gcc_remote_rate_control_get_interval (const GccRemoteRateControl *self)
{
  const GccFeedbackParams *params = &self->profile->feedback;
  gdouble interval = FEEDBACK_BITS / (FEEDBACK_SHARE * (gdouble) self->rate) *
      (gdouble) GCC_SECOND;

  return (GccTime) CLAMP (interval, (gdouble) params->min_interval,
      (gdouble) params->max_interval);
}
