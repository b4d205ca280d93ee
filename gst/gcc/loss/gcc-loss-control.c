/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-loss-control.h>

#include <gst/gcc/loss/gcc-tfrc.h>

/* Callers' clocks may have a resolution of 1 ms: an interval that is short by
 * less has passed. */
#define TOLERANCE GCC_MSECOND

void
gcc_loss_control_init (GccLossControl *self, const GccLossParams *params,
    const GccTargetResult *target)
{
  *self = (GccLossControl){
    .params = params,
    .target = *target,
    .rate = target->rate,
    .rtt = GCC_TIME_NONE,
    .last_report = GCC_TIME_NONE,
    .last_increase = 0,
    .last_decrease = GCC_TIME_NONE,
    .last_update = GCC_TIME_NONE,
  };
}

/* --- the least A_s of the last interval ---
 *
 * The history holds the rates that were in force and until when, ascending in
 * both: a rate that was followed by a lower one is never the least again. */

static void
remember_target (GccLossControl *self, GccTime until)
{
  while (self->n_history > 0 &&
      self->history[self->n_history - 1].rate >= self->target.rate)
    self->n_history--;

  if (self->n_history == GCC_LOSS_CONTROL_HISTORY) {
    self->history[self->n_history - 1].until = until;
  } else {
    self->history[self->n_history].rate = self->target.rate;
    self->history[self->n_history].until = until;
    self->n_history++;
  }
}

static GccRate
get_least_target (GccLossControl *self, GccTime now)
{
  GccTime interval = self->params->increase_interval - TOLERANCE;
  guint n_old = 0;

  while (n_old < self->n_history &&
      gcc_time_has_passed (interval + 1, self->history[n_old].until, now))
    n_old++;

  self->n_history -= n_old;
  for (guint i = 0; n_old > 0 && i < self->n_history; i++)
    self->history[i] = self->history[i + n_old];

  return self->n_history > 0 ? MIN (self->history[0].rate, self->target.rate)
                             : self->target.rate;
}

/* --- eq. (1) --- */

static GccRate
get_increased (const GccLossControl *self, GccRate from)
{
  const GccLossParams *params = self->params;

  return gcc_rate_add (
      gcc_rate_from_double ((gdouble) from * params->increase + 0.5),
      params->increase_offset);
}

/* An increase that starts from the least A_s of the last interval may end below
 * the present A_s, which is then kept. */
static GccRate
increase (GccLossControl *self, GccTime now)
{
  const GccLossParams *params = self->params;

  self->reason = GCC_REASON_GROWTH;
  if (params->increase_from_min) {
    self->rate = get_increased (self, get_least_target (self, now));
  } else {
    /* The clock's zero counts as the last increase, as in libwebrtc: the first
     * report is acted on, unless the clock has just started. */
    if (!gcc_time_has_passed (
            params->increase_interval, self->last_increase, now))
      return GCC_RATE_NONE;
    self->last_increase = now;
    self->rate = get_increased (self, self->target.rate);
  }
  return MAX (self->rate, self->target.rate);
}

/* At most once for a report, and only after reports can show the effect of the
 * last decrease. */
static gboolean
is_time_to_decrease (const GccLossControl *self, GccTime now)
{
  GccTime interval = self->params->decrease_interval;

  if (interval < 0)
    return self->may_decrease;
  return self->may_decrease &&
      gcc_time_has_passed (gcc_time_add (interval, MAX (self->rtt, 0)),
          self->last_decrease, now);
}

/* A rate is above 0, also where the minimum is 1 bit/s. */
static GccRate
lower (const GccLossControl *self, gdouble factor)
{
  return MAX (gcc_rate_from_double (factor * (gdouble) self->target.rate), 1);
}

static GccRate
decrease (GccLossControl *self, GccTime now)
{
  const GccLossParams *params = self->params;
  gdouble p = self->fraction_lost;
  GccRate rate = lower (self, 1. - params->decrease * p);

  if (params->tfrc_packet != 0 && self->rtt != GCC_TIME_NONE) {
    /* C13: 255/256 counts as all */
    rate = MAX (rate,
        gcc_tfrc_throughput (params->tfrc_packet, self->rtt, p * 256. / 255.));
    /* At short round-trip times the equation may exceed A_s. */
    if (!params->tfrc_raises)
      rate = MIN (rate, self->target.rate);
  }

  self->may_decrease = FALSE;
  self->last_decrease = now;
  self->reason = GCC_REASON_LOSS;
  self->rate = rate;
  return rate;
}

static gboolean
has_fresh_report (const GccLossControl *self, GccTime now)
{
  return self->has_loss &&
      (self->params->report_timeout == 0 ||
          !gcc_time_has_passed (
              self->params->report_timeout, self->last_report, now));
}

static gboolean
is_rtt_too_long (const GccLossControl *self)
{
  return self->params->max_rtt != 0 && self->rtt > self->params->max_rtt;
}

static GccRate
back_off (GccLossControl *self, GccTime now)
{
  if (!gcc_time_has_passed (
          self->params->max_rtt_interval, self->last_decrease, now))
    return GCC_RATE_NONE;

  self->last_decrease = now;
  self->reason = GCC_REASON_ROUND_TRIP;
  self->rate = lower (self, self->params->max_rtt_decrease);
  return self->rate;
}

static gboolean
is_loss_high (const GccLossControl *self)
{
  return self->fraction_lost > self->params->p_high;
}

static gboolean
is_loss_low (const GccLossControl *self)
{
  return self->fraction_lost <= self->params->p_low;
}

static GccRate
update (GccLossControl *self, GccTime now)
{
  self->last_update = now;
  if (!has_fresh_report (self, now))
    return GCC_RATE_NONE;
  if (is_rtt_too_long (self))
    return back_off (self, now);
  if (is_loss_low (self))
    return increase (self, now);
  if (is_loss_high (self) && is_time_to_decrease (self, now))
    return decrease (self, now);
  return GCC_RATE_NONE;
}

/* --- events --- */

GccRate
gcc_loss_control_feed_report (
    GccLossControl *self, const GccLossReport *report, GccTime now)
{
  if (report->rtt >= 0)
    self->rtt = report->rtt;
  if (!report->has_loss)
    return GCC_RATE_NONE;

  self->has_loss = TRUE;
  self->fraction_lost = report->fraction_lost;
  self->may_decrease = TRUE;
  self->last_report = now;
  return update (self, now);
}

GccRate
gcc_loss_control_handle_timeout (GccLossControl *self, GccTime now)
{
  return self->params->increase_from_min ? update (self, now) : GCC_RATE_NONE;
}

void
gcc_loss_control_feed_target (
    GccLossControl *self, const GccTargetResult *target, GccTime now)
{
  if (target->rate != self->target.rate) {
    if (target->restarts)
      self->n_history = 0;
    else
      remember_target (self, now);
  }
  self->target = *target;
}

void
gcc_loss_control_feed_limited_target (
    GccLossControl *self, const GccTargetResult *target)
{
  self->target = *target;
}

/* When A_s could grow: at once while it is below what the least rate of the
 * last interval allows (because a REMB limited it), else when that rate
 * expires. Never while a REMB or the maximum limits it. */
static GccTime
get_next_increase (const GccLossControl *self)
{
  if (!self->target.may_rise)
    return GCC_TIME_NONE;
  if (self->n_history == 0 ||
      get_increased (self, self->history[0].rate) > self->target.rate)
    return self->last_update;
  return gcc_time_add (self->history[0].until, self->params->increase_interval);
}

static GccTime
get_next_decrease (const GccLossControl *self, GccTime interval)
{
  return self->last_decrease == GCC_TIME_NONE
      ? self->last_update
      : gcc_time_add (self->last_decrease, interval);
}

GccTime
gcc_loss_control_next_timeout (const GccLossControl *self)
{
  const GccLossParams *params = self->params;
  gdouble p = self->fraction_lost;
  GccTime next = GCC_TIME_NONE;

  if (!params->increase_from_min || !self->has_loss)
    return GCC_TIME_NONE;

  if (is_rtt_too_long (self)) {
    if (self->target.limited_by != GCC_TARGET_LIMIT_MIN)
      next = get_next_decrease (self, params->max_rtt_interval);
  } else if (is_loss_low (self)) {
    next = get_next_increase (self);
  } else if (p > params->p_high && self->may_decrease) {
    if (self->target.limited_by != GCC_TARGET_LIMIT_MIN)
      next = get_next_decrease (
          self, gcc_time_add (params->decrease_interval, MAX (self->rtt, 0)));
  }
  if (next == GCC_TIME_NONE)
    return GCC_TIME_NONE;

  next = MAX (next, gcc_time_add (self->last_update, params->tick));
  if (params->report_timeout != 0 &&
      next >= gcc_time_add (self->last_report, params->report_timeout))
    return GCC_TIME_NONE;
  return next;
}
