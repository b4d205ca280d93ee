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
  self->path_loss = 0.;
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

static void
set_path_loss (
    GccSenderRules *self, const GccSenderRates *rates, gdouble path_loss)
{
  self->path_loss = path_loss;
  gcc_loss_control_feed_path (rates->loss_control, path_loss);
}

void
gcc_sender_rules_feed_report (GccSenderRules *self, const GccSenderRates *rates,
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
