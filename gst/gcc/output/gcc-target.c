/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-target.h>

static gboolean
is_held_by (GccRate cap, GccRate rate)
{
  return cap != GCC_RATE_NONE && rate >= cap;
}

static GccTargetLimit
get_limit (const GccTarget *self, GccRate rate)
{
  if (rate <= self->min)
    return GCC_TARGET_LIMIT_MIN;
  if (rate >= self->max)
    return GCC_TARGET_LIMIT_MAX;
  if (is_held_by (self->remb, rate))
    return GCC_TARGET_LIMIT_REMB;
  if (is_held_by (self->delay_based, rate))
    return GCC_TARGET_LIMIT_DELAY;
  return GCC_TARGET_LIMIT_LOSS;
}

static void
set_rate (GccTarget *self, GccRate rate, GccReason cause)
{
  GccReason reason = gcc_reason_follow (
      self->result.reason, cause, self->result.rate, rate);

  self->result = (GccTargetResult){
    .rate = rate,
    .reason = reason,
    .limited_by = get_limit (self, rate),
    .may_rise = rate < self->max && !is_held_by (self->remb, rate) &&
        !is_held_by (self->delay_based, rate) &&
        !is_held_by (self->silence, rate),
  };
}

/* Eq. (2), then the limits: the only place where they apply. */
static void
set_bounded_rate (GccTarget *self, GccRate rate, GccReason cause)
{
  if (self->delay_based != GCC_RATE_NONE)
    rate = MIN (rate, self->delay_based);
  if (self->remb != GCC_RATE_NONE)
    rate = MIN (rate, self->remb);
  if (self->silence != GCC_RATE_NONE && rate > self->silence) {
    rate = self->silence;
    cause = GCC_REASON_SILENCE;
  }
  set_rate (self, CLAMP (rate, self->min, self->max), cause);
}

static gboolean
is_start_phase (const GccTarget *self, GccTime now)
{
  GccTime start_phase = self->params->start_phase;

  if (start_phase == 0 || self->is_lossy)
    return FALSE;
  return self->first_report == GCC_TIME_NONE ||
      !gcc_time_has_passed (start_phase, self->first_report, now);
}

/* The A_r of a receiver that measures exceeds the received rate only a little,
 * unless A_s has not followed: then A_r grows beyond what anything has shown. */
static gboolean
follows_remb (const GccTarget *self, GccRate before, GccTime now)
{
  return is_start_phase (self, now) ||
      (self->first_report != GCC_TIME_NONE &&
          gcc_time_has_passed (
              self->params->follow_after, self->last_loss, now) &&
          (gdouble) before <=
              self->params->follow_near * (gdouble) self->result.rate &&
          (gdouble) self->remb <=
              self->params->follow_ratio * (gdouble) self->result.rate);
}

void
gcc_target_init (GccTarget *self, const GccTargetParams *params, GccRate min,
    GccRate start, GccRate max)
{
  g_return_if_fail (min > 0 && min <= max);

  *self = (GccTarget){
    .params = params,
    .min = min,
    .max = max,
    .delay_based = GCC_RATE_NONE,
    .remb = GCC_RATE_NONE,
    .silence = GCC_RATE_NONE,
    .last_loss = GCC_TIME_NONE,
    .stepped_at = GCC_TIME_NONE,
    .first_report = GCC_TIME_NONE,
  };
  set_bounded_rate (self, start, GCC_REASON_START);
}

void
gcc_target_set_limits (GccTarget *self, GccRate min, GccRate max)
{
  g_return_if_fail (min > 0 && min <= max);

  self->min = min;
  self->max = max;
  set_bounded_rate (self, self->result.rate, GCC_REASON_LIMITS);
}

void
gcc_target_feed_report (
    GccTarget *self, const GccLossReport *report, GccTime now)
{
  if (self->first_report == GCC_TIME_NONE)
    self->first_report = now;
  if (!report->has_loss)
    return;

  self->is_lossy = report->fraction_lost > 0.;
  if (self->is_lossy)
    self->last_loss = now;
}

void
gcc_target_feed_loss_based (GccTarget *self, GccRate rate, GccReason cause)
{
  set_bounded_rate (self, rate, cause);
}

void
gcc_target_feed_estimate (
    GccTarget *self, GccRate delay_based, GccRate rate, GccReason cause)
{
  self->delay_based = delay_based;
  set_bounded_rate (self, rate, cause);
}

void
gcc_target_release_estimate (GccTarget *self)
{
  self->delay_based = GCC_RATE_NONE;
  set_rate (self, self->result.rate, self->result.reason);
}

void
gcc_target_feed_silence (GccTarget *self, GccRate rate)
{
  if (self->silence == GCC_RATE_NONE)
    self->before_silence = self->result.rate;
  self->silence = MIN (rate, self->result.rate);
  set_bounded_rate (self, self->silence, GCC_REASON_SILENCE);
}

/* Changes at once: the sources continue from there. */
static void
restart (GccTarget *self, GccRate rate, GccReason cause)
{
  set_bounded_rate (self, rate, cause);
  self->result.restarts = TRUE;
}

GccRate
gcc_target_get_rate_before_silence (const GccTarget *self)
{
  return self->silence == GCC_RATE_NONE
      ? self->result.rate
      : MAX (self->before_silence, self->result.rate);
}

void
gcc_target_end_silence (GccTarget *self)
{
  GccRate rate = gcc_target_get_rate_before_silence (self);

  if (self->silence == GCC_RATE_NONE)
    return;
  self->silence = GCC_RATE_NONE;
  restart (self, rate, GCC_REASON_GROWTH);
}

void
gcc_target_restart (GccTarget *self, GccRate rate)
{
  self->delay_based = GCC_RATE_NONE;
  self->silence = GCC_RATE_NONE;
  restart (self, rate, GCC_REASON_LIMITS);
}

/* --- REMBs ---
 *
 * Where the bound of one end, as that of an SFU, has held A_s, the A_r that is left may
 * be as old. A_s rises to it by steps, each of which the receiver has time to judge. */

static gboolean
is_freed (const GccTarget *self, GccRate before, GccTime now)
{
  return self->params->freed_step > 0. && self->remb > before &&
      is_held_by (before, self->result.rate) &&
      self->first_report != GCC_TIME_NONE && !follows_remb (self, before, now);
}

static gboolean
may_step (const GccTarget *self, GccTime now)
{
  return self->result.rate < self->remb &&
      gcc_time_has_passed (self->params->follow_after, self->last_loss, now);
}

static gboolean
is_step_due (const GccTarget *self, GccTime now)
{
  return self->stepped_at == GCC_TIME_NONE ||
      gcc_time_has_passed (self->params->freed_interval, self->stepped_at, now);
}

static void
step_up (GccTarget *self, GccTime now)
{
  GccRate rate = gcc_rate_from_double (
      self->params->freed_step * (gdouble) self->result.rate);

  self->stepped_at = now;
  restart (self, MIN (rate, self->remb), GCC_REASON_REMB);
  self->is_freed = may_step (self, now);
}

static void
follow_remb (GccTarget *self, GccRate before, GccTime now)
{
  self->is_freed = self->is_freed && may_step (self, now);
  if (self->is_freed && is_step_due (self, now))
    step_up (self, now);
  else if (!self->is_freed && follows_remb (self, before, now))
    restart (self, MAX (self->remb, self->result.rate), GCC_REASON_REMB);
  else
    set_bounded_rate (self, self->result.rate, GCC_REASON_REMB);
}

void
gcc_target_feed_remb (GccTarget *self, GccRate remb, GccTime now)
{
  GccRate before = self->remb;

  if (remb < 0)
    return;

  self->remb = remb;
  follow_remb (self, before, now);
}

void
gcc_target_feed_other_remb (GccTarget *self, GccRate remb, GccTime now)
{
  GccRate before = self->remb;

  self->remb = remb;
  self->is_freed = is_freed (self, before, now);
  follow_remb (self, before, now);
}

void
gcc_target_release_remb (GccTarget *self, GccRate remb)
{
  self->remb = remb;
  set_rate (self, self->result.rate, self->result.reason);
}
