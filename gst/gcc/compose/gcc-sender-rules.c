/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-rules.h>

void
gcc_sender_rules_init (GccSenderRules *self, const GccSenderRulesParams *params)
{
  self->params = params;
  gcc_tcp_share_init (&self->tcp_share, &params->tcp_share);
  gcc_queue_loss_init (&self->queue_loss, &params->queue_loss);
  self->path_loss = 0.;
  self->rtt = GCC_TIME_NONE;
}

static GccRate
get_target (const GccSenderRates *rates)
{
  return gcc_target_get_result (rates->target)->rate;
}

static void
tell_target (const GccSenderRates *rates, GccTime now)
{
  gcc_loss_control_feed_target (
      rates->loss_control, gcc_target_get_result (rates->target), now);
}

/* --- beside loss-based traffic --- */

static void
set_path_loss (
    GccSenderRules *self, const GccSenderRates *rates, gdouble path_loss)
{
  self->path_loss = path_loss;
  gcc_loss_control_feed_path (rates->loss_control, path_loss);
}

static void
share (GccSenderRules *self, const GccSenderRates *rates,
    const GccLossReport *report, GccTime now)
{
  GccRate before = gcc_tcp_share_get_rate (&self->tcp_share);
  GccRate resumed = gcc_tcp_share_feed_report (
      &self->tcp_share, report, get_target (rates), now);
  GccRate rate = gcc_tcp_share_get_rate (&self->tcp_share);

  set_path_loss (
      self, rates, gcc_tcp_share_get_path_loss (&self->tcp_share, now));
  if (rate == GCC_RATE_NONE && before == GCC_RATE_NONE)
    return;
  gcc_target_feed_tcp_share (
      rates->target, rate, gcc_tcp_share_get_reason (&self->tcp_share));
  if (resumed != GCC_RATE_NONE)
    gcc_target_resume (rates->target, resumed);
  tell_target (rates, now);
}

void
gcc_sender_rules_release (GccSenderRules *self, const GccSenderRates *rates)
{
  gcc_tcp_share_init (&self->tcp_share, &self->params->tcp_share);
  set_path_loss (self, rates, 0.);
  gcc_target_feed_tcp_share (rates->target, GCC_RATE_NONE, GCC_REASON_TCP);
}

/* --- a full queue --- */

static void
note_queue_loss (GccSenderRules *self, const GccLossReport *report, GccTime now)
{
  if (report->rtt >= 0) {
    self->rtt = report->rtt;
    gcc_queue_loss_feed_rtt (&self->queue_loss, report->rtt, now);
  }
  if (report->has_loss)
    gcc_queue_loss_feed_loss (
        &self->queue_loss, report->fraction_lost, self->rtt, now);
}

void
gcc_sender_rules_feed_remb (GccSenderRules *self, GccRate remb, GccTime now)
{
  gcc_queue_loss_feed_remb (&self->queue_loss, remb, now);
}

gdouble
gcc_sender_rules_get_max_share (const GccSenderRules *self, GccTime now)
{
  return gcc_queue_loss_is_full (&self->queue_loss, now)
      ? self->params->queue_share
      : 1.;
}

/* --- reports --- */

void
gcc_sender_rules_feed_report (GccSenderRules *self, const GccSenderRates *rates,
    const GccLossReport *report, gboolean is_steered, GccTime now)
{
  if (!is_steered)
    share (self, rates, report, now);
  note_queue_loss (self, report, now);
}

GccRate
gcc_sender_rules_get_pacing_rate (const GccSenderRules *self, GccRate target)
{
  return gcc_tcp_share_get_pacing_rate (&self->tcp_share, target);
}

GccCompetitionState
gcc_sender_rules_get_state (const GccSenderRules *self)
{
  return gcc_tcp_share_get_state (&self->tcp_share);
}

GccVerdict
gcc_sender_rules_get_verdict (const GccSenderRules *self)
{
  return gcc_tcp_share_get_verdict (&self->tcp_share);
}

gdouble
gcc_sender_rules_get_path_loss (const GccSenderRules *self)
{
  return self->path_loss;
}
