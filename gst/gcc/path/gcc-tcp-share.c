/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-tcp-share.h>

void
gcc_tcp_share_init (GccTcpShare *self, const GccTcpShareParams *params)
{
  *self = (GccTcpShare){
    .params = params,
    .rtt = GCC_TIME_NONE,
    .queue_since = GCC_TIME_NONE,
    .alone_since = GCC_TIME_NONE,
    .last_report = GCC_TIME_NONE,
  };
  gcc_experiment_init (&self->experiment);
  gcc_windowed_min_init (&self->least_rtt);
  gcc_loss_test_init (&self->test, &params->test);
  gcc_cubic_flow_init (&self->cubic, &params->cubic);
}

/* --- the holder of the queue --- */

static gboolean
is_shared (const GccTcpShare *self)
{
  return self->is_beside_tcp ||
      gcc_loss_test_get_state (&self->test) == GCC_LOSS_TEST_OTHERS;
}

static void
note_queue (GccTcpShare *self, GccTime now)
{
  self->alone_since = GCC_TIME_NONE;
  if (self->queue_since == GCC_TIME_NONE)
    self->queue_since = now;
}

/* A_s without other flows is the rate of the link, or less. */
static void
note_no_queue (GccTcpShare *self, GccRate target, GccTime now)
{
  self->queue_since = GCC_TIME_NONE;
  if (self->alone_since == GCC_TIME_NONE)
    self->alone_since = now;
  if (!is_shared (self) &&
      gcc_time_diff (now, self->alone_since) >= self->params->alone)
    gcc_cubic_flow_feed_alone (&self->cubic, target);
}

/* A flow that fills a queue until packets are lost leaves it shorter then. A
 * round trip that is always as long is that of the path, even if the path was
 * shorter before. */
static void
check_path (GccTcpShare *self, GccTime now)
{
  GccDelayRange ended;

  if (!gcc_delay_range_feed_window (
          &self->rtts, self->rtt, self->params->steady_time, &ended, now) ||
      gcc_delay_range_get_variation (&ended) >= self->params->steady)
    return;
  gcc_experiment_conclude (&self->experiment, GCC_VERDICT_LONGER_PATH, now);
  gcc_windowed_min_begin (&self->least_rtt, ended.shortest, now);
}

static void
note_rtt (GccTcpShare *self, GccTime rtt, GccRate target, GccTime now)
{
  GccTime queueing;

  self->rtt = rtt;
  gcc_windowed_min_feed (&self->least_rtt, rtt, self->params->rtt_window, now);
  if (self->is_beside_tcp)
    check_path (self, now);
  queueing = gcc_windowed_min_get_excess (&self->least_rtt, rtt);
  if (queueing <= self->params->empty_queueing)
    self->is_beside_tcp = FALSE;
  if (queueing >= self->params->min_queueing)
    note_queue (self, now);
  else
    note_no_queue (self, target, now);
}

static gboolean
is_held_by_others (const GccTcpShare *self, GccTime now)
{
  return self->queue_since != GCC_TIME_NONE &&
      gcc_time_diff (now, self->queue_since) >= self->params->min_time;
}

/* --- the share --- */

/* A long queue is full once between two reports, a short queue many times. */
static guint
count_losses (const GccTcpShare *self, const GccLossReport *report)
{
  gdouble n = gcc_loss_report_get_n_lost (report);

  if (report->fraction_lost <= 0.)
    return 0;
  return self->is_beside_tcp ? 1 : (guint) CLAMP (n + 0.5, 1., G_MAXINT);
}

/* The holder of a long queue is known, so there is nothing to test. */
static GccRate
note_loss (
    GccTcpShare *self, const GccLossReport *report, GccRate target, GccTime now)
{
  gboolean was_shared = is_shared (self);
  GccRate resumed;

  if (self->is_beside_tcp)
    return GCC_RATE_NONE;
  resumed = gcc_loss_test_feed_report (&self->test, report, target, now);
  gcc_experiment_follow (
      &self->experiment, gcc_loss_test_get_experiment (&self->test));
  if (report->fraction_lost > 0. && is_held_by_others (self, now)) {
    self->is_beside_tcp = TRUE;
    gcc_experiment_conclude (&self->experiment, GCC_VERDICT_OTHERS, now);
    gcc_delay_range_begin (&self->rtts, self->rtt, now);
    gcc_loss_test_init (&self->test, &self->params->test);
  }
  if (is_shared (self) && !was_shared)
    gcc_cubic_flow_begin (&self->cubic, (gdouble) target, self->rtt, now);
  return resumed;
}

/* --- events --- */

GccRate
gcc_tcp_share_feed_report (
    GccTcpShare *self, const GccLossReport *report, GccRate target, GccTime now)
{
  GccTime passed = CLAMP (
      gcc_time_diff (now, self->last_report), 0, GCC_SECOND);

  self->last_report = now;
  if (report->rtt >= 0)
    note_rtt (self, report->rtt, target, now);
  if (!report->has_loss)
    return GCC_RATE_NONE;

  if (is_shared (self))
    gcc_cubic_flow_update (
        &self->cubic, count_losses (self, report), self->rtt, passed, now);
  return note_loss (self, report, target, now);
}

gdouble
gcc_tcp_share_get_path_loss (const GccTcpShare *self, GccTime now)
{
  return gcc_loss_test_get_path_loss (&self->test, now);
}

GccVerdict
gcc_tcp_share_get_verdict (const GccTcpShare *self)
{
  return self->experiment.verdict;
}

GccCompetitionState
gcc_tcp_share_get_state (const GccTcpShare *self)
{
  if (is_shared (self))
    return GCC_COMPETITION_TCP;
  return gcc_loss_test_get_state (&self->test) == GCC_LOSS_TEST_FALL
      ? GCC_COMPETITION_DRAIN
      : GCC_COMPETITION_NONE;
}

GccRate
gcc_tcp_share_get_rate (const GccTcpShare *self)
{
  return is_shared (self)
      ? gcc_rate_from_double (gcc_cubic_flow_get_rate (&self->cubic))
      : gcc_loss_test_get_rate (&self->test);
}

GccReason
gcc_tcp_share_get_reason (const GccTcpShare *self)
{
  return gcc_competition_state_to_reason (gcc_tcp_share_get_state (self));
}

static gdouble
get_pacing_factor (const GccTcpShare *self)
{
  if (self->is_beside_tcp)
    return self->params->pacing_factor;
  return gcc_loss_test_was_own (&self->test) ? self->params->own_pacing_factor
                                             : 0.;
}

GccRate
gcc_tcp_share_get_pacing_rate (const GccTcpShare *self, GccRate target)
{
  gdouble factor = get_pacing_factor (self);

  return factor > 0. ? gcc_rate_from_double (factor * (gdouble) target)
                     : GCC_RATE_NONE;
}
