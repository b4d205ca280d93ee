/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-send-side-rules.h>

#include <math.h>

void
gcc_send_side_rules_init (
    GccSendSideRules *self, const GccSendSideRulesParams *params)
{
  self->params = params;
  self->told_seq = -1;
  self->told_time = 0;
  self->delay = 0;
  self->round_trip = GCC_TIME_NONE;
  self->highest_seq = -1;
  self->n_just_arrived = 0;
  self->rate_set = GCC_TIME_NONE;
  gcc_send_side_rules_restart (self);
}

void
gcc_send_side_rules_restart (GccSendSideRules *self)
{
  gcc_acknowledged_rate_init (&self->recent, &self->params->recent);
  gcc_burst_rate_init (&self->burst, &self->params->burst);
  gcc_competition_init (&self->competition, &self->params->competition);
  gcc_experiment_init (&self->experiment);
  gcc_loss_test_init (&self->loss_test, self->params->loss_test);
  self->clustered = GCC_TIME_NONE;
  self->link = GCC_RATE_NONE;
  self->had_gap = FALSE;
  self->has_resumed = FALSE;
  gcc_send_side_rules_forget_probe (self);
}

void
gcc_send_side_rules_forget_probe (GccSendSideRules *self)
{
  self->raised = GCC_TIME_NONE;
}

void
gcc_send_side_rules_forget_rate (GccSendSideRules *self)
{
  gcc_acknowledged_rate_init (&self->recent, &self->params->recent);
  self->has_resumed = TRUE;
}

/* --- feedback that is late, or not there --- */

/* Whether feedback has long covered newer packets: the arrivals of that time
 * are known. */
static gboolean
is_stale (const GccSendSideRules *self, const GccSentRecord *sent)
{
  return sent->seq < self->told_seq &&
      gcc_time_diff (self->told_time, sent->time) >= self->params->max_gap;
}

guint
gcc_send_side_rules_count_stale (
    const GccSendSideRules *self, const GccPacketResult *packets, guint n)
{
  guint n_stale = 0;

  while (n_stale < n && is_stale (self, &packets[n_stale].sent))
    n_stale++;
  return n_stale;
}

/* No feedback covers the packets of the gap: R(t) over that time would be too
 * low. */
static void
skip_gap (GccSendSideRules *self, GccAcknowledgedRate *acknowledged)
{
  gcc_acknowledged_rate_skip (acknowledged);
  gcc_acknowledged_rate_skip (&self->recent);
  self->had_gap = TRUE;
}

void
gcc_send_side_rules_feed_numbers (GccSendSideRules *self,
    const GccSentRecord *first, const GccSentRecord *last,
    const GccSentHistory *history, GccAcknowledgedRate *acknowledged)
{
  if (self->told_seq >= 0 && first->previous > self->told_seq &&
      !gcc_sent_history_is_lost (history, first->previous))
    skip_gap (self, acknowledged);
  if (last->seq > self->told_seq) {
    self->told_seq = last->seq;
    self->told_time = last->time;
  }
}

static gboolean
knows_rate (GccSendSideRules *self, const GccAcknowledgedRate *acknowledged)
{
  if ((self->had_gap || self->has_resumed) &&
      !gcc_acknowledged_rate_is_settled (acknowledged))
    return FALSE;
  self->had_gap = self->has_resumed = FALSE;
  return TRUE;
}

/* --- the rates --- */

/* A packet that overtakes others has not waited in the queue, and would be taken
 * for a shorter path. Behind a gap it is not known whether a packet has. */
static gboolean
is_in_order (gint64 *highest, gboolean *has_gap, const GccSentRecord *sent)
{
  if (*highest >= 0 && sent->previous > *highest)
    *has_gap = TRUE;
  else if (sent->seq <= *highest)
    *has_gap = FALSE;
  *highest = MAX (*highest, sent->seq);
  return !*has_gap;
}

/* The least delay from departure to arrival, by two clocks, and the least round
 * trip without the time that the receiver kept a packet waiting for its feedback.
 * Where all packets are out of order both stay what they were. */
static void
measure_delays (GccSendSideRules *self, const GccPacketResult *packets, guint n,
    GccTime now)
{
  GccTime least = G_MAXINT64;
  gboolean has_gap = FALSE;

  for (guint i = 0; i < n; i++)
    if (is_in_order (&self->highest_seq, &has_gap, &packets[i].sent))
      least = MIN (
          least, gcc_time_diff (packets[i].arrival, packets[i].sent.time));
  if (least == G_MAXINT64)
    return;
  self->delay = least;
  self->round_trip = MAX (
      gcc_time_diff (gcc_time_shift (now, least), packets[n - 1].arrival), 0);
}

static gboolean
has_probe (const GccPacketResult *packets, guint n)
{
  while (n > 0)
    if (packets[--n].sent.probe.id != GCC_PROBE_NONE)
      return TRUE;
  return FALSE;
}

gboolean
gcc_send_side_rules_feed_packets (GccSendSideRules *self,
    const GccPacketResult *packets, guint n,
    const GccAcknowledgedRate *acknowledged, GccTime now)
{
  measure_delays (self, packets, n, now);
  if (has_probe (packets, n))
    self->clustered = now;
  self->n_just_arrived = n;
  gcc_acknowledged_rate_update (&self->recent, packets, n);
  for (guint i = 0; i < n; i++)
    gcc_burst_rate_feed (&self->burst, &packets[i]);
  return knows_rate (self, acknowledged);
}

/* On a path with jitter a queue has to grow by more than the noise. The noise
 * is added to γ at its start, because γ follows m, and m would never exceed the
 * sum. */
static GccSignal
get_signal (const GccSendSideRules *self, const GccOveruseDetector *detector,
    gdouble gamma_0)
{
  GccTime noise = gcc_path_queue_get_noise (&self->competition.queue);
  gdouble m = detector->modified_m;

  if (noise > 0 && fabs (m) < gamma_0 + gcc_time_to_ms (noise))
    return GCC_SIGNAL_NORMAL;
  return detector->signal;
}

static gboolean
is_noisy (const GccSendSideRules *self)
{
  return gcc_path_queue_is_noisy (&self->competition.queue);
}

gboolean
gcc_send_side_rules_bounds_probes (const GccSendSideRules *self)
{
  return is_noisy (self) || self->competition.capacity != GCC_RATE_NONE;
}

static gboolean
has_room (const GccSendSideRules *self)
{
  return gcc_competition_get_state (&self->competition) ==
      GCC_COMPETITION_NONE &&
      !gcc_competition_loses_packets (&self->competition);
}

GccRate
gcc_send_side_rules_get_burst_rate (const GccSendSideRules *self)
{
  return has_room (self) ? gcc_burst_rate_get (&self->burst) : GCC_RATE_NONE;
}

/* The present received rate. Just after a change the whole window still shows the
 * old rate, so a short window counts. A noisy path delivers packets in clumps, and
 * a short window may hold little but a clump. */
static GccRate
get_recent_rate (const GccSendSideRules *self, GccRate acknowledged)
{
  GccRate recent = gcc_acknowledged_rate_get (&self->recent);

  return is_noisy (self) && !self->has_resumed ? MIN (recent, acknowledged)
                                               : recent;
}

/* Just after a raise R(t) is still the old one, and the shorter window shows
 * more. */
static GccRate
get_raised_rate (const GccSendSideRules *self, GccRate acknowledged)
{
  return MAX (gcc_acknowledged_rate_get (&self->recent), acknowledged);
}

static gboolean
has_just_probed (const GccSendSideRules *self, GccTime now)
{
  return self->clustered != GCC_TIME_NONE &&
      gcc_time_diff (now, self->clustered) <
      self->params->competition.queue.round;
}

/* A queue that is there although less than A_s arrives is not due to A_s: just
 * after a probe it is that of the cluster. In the short window the cluster's own
 * bytes may make up for what is not sent, so the long one counts. */
GccRate
gcc_send_side_rules_get_full_rate (const GccSendSideRules *self,
    GccRate acknowledged, GccRate before, gdouble beta, GccTime now)
{
  GccRate rate = get_raised_rate (self, acknowledged);

  if (self->link != GCC_RATE_NONE && has_just_probed (self, now) &&
      (gdouble) acknowledged < beta * (gdouble) before)
    rate = MAX (rate, gcc_rate_from_double ((gdouble) self->link / beta));
  return rate;
}

/* --- probes --- */

void
gcc_send_side_rules_forget_clusters (GccSendSideRules *self, GccTime now)
{
  self->rate_set = now;
}

gboolean
gcc_send_side_rules_is_forgotten (
    const GccSendSideRules *self, const GccSentRecord *sent)
{
  return self->rate_set != GCC_TIME_NONE &&
      gcc_time_diff (sent->time, self->rate_set) < 0;
}

void
gcc_send_side_rules_feed_probe (GccSendSideRules *self, GccRate probe,
    GccRate before, GccProbeController *controller, GccTime now)
{
  if ((gdouble) probe > self->params->raise * (gdouble) before)
    self->raised = now;
  else
    gcc_probe_controller_feed_verdict (controller, TRUE);
}

void
gcc_send_side_rules_set_link (GccSendSideRules *self, GccRate link)
{
  self->link = link;
}

gboolean
gcc_send_side_rules_is_at_link (const GccSendSideRules *self,
    const GccProbeController *controller, GccRate rate)
{
  return self->link != GCC_RATE_NONE &&
      (gdouble) rate >= self->params->held * (gdouble) self->link &&
      gcc_competition_get_state (&self->competition) == GCC_COMPETITION_NONE &&
      gcc_probe_controller_probes_while_busy (controller);
}

/* On a noisy path a drain may begin without over-use. */
static void
judge_raise (GccSendSideRules *self, GccSignal signal,
    GccProbeController *controller, GccTime now)
{
  gboolean is_over = signal == GCC_SIGNAL_OVERUSE ||
      gcc_competition_get_state (&self->competition) == GCC_COMPETITION_DRAIN;

  if (is_over)
    gcc_burst_rate_init (&self->burst, &self->params->burst);
  if (self->raised == GCC_TIME_NONE ||
      (!is_over &&
          gcc_time_diff (now, self->raised) < self->params->judged_after))
    return;
  gcc_probe_controller_feed_verdict (controller, !is_over);
  self->raised = GCC_TIME_NONE;
}

GccSignal
gcc_send_side_rules_feed_signal (GccSendSideRules *self,
    const GccOveruseDetector *detector, gdouble gamma_0,
    GccProbeController *controller, GccTime now)
{
  GccSignal signal = get_signal (self, detector, gamma_0);

  judge_raise (self, signal, controller, now);
  return signal;
}

/* --- the queue --- */

GccRate
gcc_send_side_rules_get_rate_after_drain (const GccSendSideRules *self)
{
  return gcc_competition_get_state (&self->competition) == GCC_COMPETITION_DRAIN
      ? gcc_rate_from_double (self->params->competition.holder.own.share *
            (gdouble) self->competition.holder.rate_before)
      : GCC_RATE_NONE;
}

static GccSendSideVerdict
judge_queue (
    GccSendSideRules *self, const GccCompetitionInput *input, GccTime now)
{
  GccCompetition *competition = &self->competition;
  const GccHolderResult *result = gcc_competition_feed (
      competition, input, now);
  GccSendSideVerdict verdict = {
    .state = gcc_competition_get_state (competition),
    .rate = gcc_competition_get_rate (competition),
    .most = GCC_RATE_NONE,
    .capacity = competition->capacity,
    .queueing = competition->queue.queueing,
    .noise = gcc_path_queue_get_noise (&competition->queue),
    .is_lossy = gcc_competition_loses_packets (competition),
    .has_just_lost = gcc_competition_has_just_lost (competition),
    .has_drained = result != NULL && result->state == GCC_COMPETITION_NONE,
  };

  if (verdict.has_drained) {
    verdict.rate = result->rate;
    gcc_send_side_rules_forget_probe (self);
  }
  return verdict;
}

/* --- losses --- */

/* Losses have a known cause while other flows hold a queue, or while one
 * drains. */
static void
test_losses (GccSendSideRules *self, const GccCompetitionInput *input,
    GccSendSideVerdict *verdict, GccTime now)
{
  GccLossTest *test = &self->loss_test;
  GccRate resumed;

  if (verdict->state != GCC_COMPETITION_NONE) {
    gcc_loss_test_init (test, self->params->loss_test);
    return;
  }
  resumed = gcc_loss_test_feed (
      test, input->n_lost, input->n_arrived, input->target, now);
  verdict->most = test->most;
  verdict->most_reason = test->is_testing ? GCC_REASON_DRAIN
                                          : GCC_REASON_DRAIN_OVER;
  if (resumed != GCC_RATE_NONE)
    verdict->rate = resumed;
}

GccSendSideVerdict
gcc_send_side_rules_update (GccSendSideRules *self, GccCompetitionInput *input,
    GccSentHistory *history, GccTime now)
{
  GccSendSideVerdict verdict;

  input->acknowledged = get_recent_rate (self, input->acknowledged);
  input->delay = self->delay;
  if (self->round_trip != GCC_TIME_NONE && input->round_trip >= 0)
    input->round_trip = self->round_trip;
  input->n_arrived = self->n_just_arrived;
  self->n_just_arrived = 0;
  input->n_lost = gcc_sent_history_take_lost (history, self->told_seq);
  verdict = judge_queue (self, input, now);
  test_losses (self, input, &verdict, now);
  gcc_experiment_follow (
      &self->experiment, &self->competition.holder.experiment);
  gcc_experiment_follow (&self->experiment, &self->loss_test.experiment);
  verdict.found = self->experiment.verdict;
  return verdict;
}
