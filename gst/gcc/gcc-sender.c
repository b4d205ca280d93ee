/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-sender.h>

#include <math.h>
#include <stddef.h>

#define COLUMN(name, type, member, description) \
  { name, GCC_COLUMN_##type, offsetof (GccSenderStats, member), description }

const GccColumn gcc_sender_columns[] = {
  COLUMN ("fraction_lost", DOUBLE, fraction_lost,
      "fraction lost that was acted on last, 0 to 1"),
  COLUMN ("rtt_ms", DOUBLE, rtt_ms, "last round-trip time, ms"),
  COLUMN ("remb_bps", RATE, remb, "A_r, the rate of the last REMB, bit/s"),
  COLUMN ("loss_based_bps", RATE, loss_based,
      "what eq. (1) said last, before A_r and the limits, bit/s"),
  COLUMN ("a_s_bps", RATE, target, "A_s, the rate to send at, bit/s"),
  COLUMN ("r_fec_bps", RATE, fec_rate, "what FEC takes of A_s, bit/s"),
  COLUMN (
      "r_rtx_bps", RATE, rtx_rate, "what retransmission takes of A_s, bit/s"),
  COLUMN ("v_bps", RATE, encoder_target,
      "v, what is left of A_s for the encoders, bit/s"),
  COLUMN ("n_dd", UINT64, n_decreases_by_remb, "REMBs that lowered A_s"),
  COLUMN ("reports", UINT64, reports, "RTCP report blocks taken"),
  COLUMN ("rembs", UINT64, rembs, "REMBs taken"),
};

const guint gcc_sender_n_columns = G_N_ELEMENTS (gcc_sender_columns);

const gchar *
gcc_sender_event_to_string (GccSenderEvent event)
{
  switch (event) {
    case GCC_SENDER_EVENT_NONE:
      return "none";
    case GCC_SENDER_EVENT_REPORT:
      return "report";
    case GCC_SENDER_EVENT_REMB:
      return "remb";
    case GCC_SENDER_EVENT_TIMEOUT:
      return "timeout";
  }

  g_return_val_if_reached (NULL);
}

static void
update_stats (GccSender *self)
{
  GccSenderStats *stats = &self->stats;

  stats->loss_based = gcc_loss_control_get_loss_based (&self->loss_control);
  stats->target = gcc_loss_control_get_target (&self->loss_control);
  stats->encoder_target = stats->target - stats->fec_rate - stats->rtx_rate;
}

void
gcc_sender_init (GccSender *self, const GccProfile *profile, GccRate min,
    GccRate start, GccRate max)
{
  g_return_if_fail (min > 0 && min <= max);

  self->profile = profile;
  gcc_report_reader_init (&self->reports, profile);
  gcc_loss_control_init (&self->loss_control, profile, min, start, max);

  self->stats = (GccSenderStats){
    .fraction_lost = NAN,
    .rtt_ms = NAN,
    .remb = GCC_RATE_NONE,
  };
  update_stats (self);
}

void
gcc_sender_clear (GccSender *self)
{
  (void) self;
}

void
gcc_sender_set_limits (GccSender *self, GccRate min, GccRate max)
{
  gcc_loss_control_set_limits (&self->loss_control, min, max);
  update_stats (self);
}

GccSenderEvent
gcc_sender_feed_reports (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now)
{
  GccLossReport report;

  if (n_blocks == 0)
    return GCC_SENDER_EVENT_NONE;

  report = gcc_report_reader_feed (&self->reports, blocks, n_blocks);
  gcc_loss_control_feed_report (&self->loss_control, &report, now);

  self->stats.reports += n_blocks;
  if (report.has_loss)
    self->stats.fraction_lost = report.fraction_lost / 256.;
  if (report.rtt >= 0)
    self->stats.rtt_ms = gcc_time_to_ms (report.rtt);
  update_stats (self);
  return GCC_SENDER_EVENT_REPORT;
}

GccSenderEvent
gcc_sender_feed_remb (GccSender *self, GccRate remb, GccTime now)
{
  GccRate before = gcc_loss_control_get_target (&self->loss_control);

  if (remb < 0)
    return GCC_SENDER_EVENT_NONE;

  gcc_loss_control_feed_remb (&self->loss_control, remb, now);

  self->stats.rembs++;
  self->stats.remb = remb;
  update_stats (self);
  if (self->stats.target < before)
    self->stats.n_decreases_by_remb++;
  return GCC_SENDER_EVENT_REMB;
}

GccTime
gcc_sender_next_timeout (const GccSender *self)
{
  return gcc_loss_control_next_timeout (&self->loss_control);
}

GccSenderEvent
gcc_sender_handle_timeout (GccSender *self, GccTime now)
{
  if (!gcc_loss_control_handle_timeout (&self->loss_control, now))
    return GCC_SENDER_EVENT_NONE;

  update_stats (self);
  return GCC_SENDER_EVENT_TIMEOUT;
}

GccRate
gcc_sender_get_target (const GccSender *self)
{
  return gcc_loss_control_get_target (&self->loss_control);
}

const GccSenderStats *
gcc_sender_get_stats (const GccSender *self)
{
  return &self->stats;
}
