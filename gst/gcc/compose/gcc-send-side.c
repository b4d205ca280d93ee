/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-send-side.h>

#include <math.h>

/* Number of packets in the mean sizes. */
#define MEAN_PACKETS 128

/* Fifty are two seconds of a call with 30 frames a second and as many large packets;
 * a queue that is full loses a part of both kinds. */
static const GccLargeLossParams large_loss_params = {
  .least = 50, .most = 1000, .lost = 0.95, .passed = 0.2
};

/* Published generations have none. */
static gboolean
has_rules (const GccSendSide *self)
{
  return self->params->rules != NULL;
}

/* --- probes --- */

static void
ask_for_probes (GccSendSide *self, GccTime now)
{
  GccProbeRequest request;

  while (gcc_probe_controller_fetch (&self->probe_controller, &request)) {
    gcc_prober_add (&self->prober, &request, now);
    if (has_rules (self))
      gcc_send_side_rules_set_link (&self->rules, GCC_RATE_NONE);
    self->result.n_probes++;
    self->result.probe_asked = request.rate;
  }
}

static void
update_writable (GccSendSide *self, GccTime now)
{
  gcc_probe_controller_set_writable (&self->probe_controller,
      self->is_probing && self->is_running &&
          !gcc_send_side_ecn_is_full (&self->ecn, now),
      now);
  ask_for_probes (self, now);
}

void
gcc_send_side_set_probing (GccSendSide *self, gboolean is_probing, GccTime now)
{
  self->is_probing = is_probing;
  if (!is_probing)
    gcc_prober_init (&self->prober, self->params->prober);
  update_writable (self, now);
}

/* --- from start to stop --- */

static void
init_detector (GccSendSide *self)
{
  gcc_inter_arrival_init (&self->groups, self->params->groups);
  if (self->params->filter != NULL)
    gcc_arrival_filter_init (&self->filter, self->params->filter);
  else
    gcc_trendline_init (&self->trendline, self->params->trendline);
  gcc_overuse_detector_init (&self->detector, self->params->detector);
  self->had_overuse = FALSE;
  self->last_arrival = GCC_TIME_NONE;
  if (has_rules (self))
    gcc_send_side_rules_forget_probe (&self->rules);
}

/* Sets the stages that continue from @rate as if it had always been the
 * estimate. */
static void
init_rates (GccSendSide *self, GccRate rate, GccTime now)
{
  const GccSendSideParams *params = self->params;

  init_detector (self);
  gcc_acknowledged_rate_init (&self->acknowledged, params->acknowledged);
  gcc_rate_control_init (&self->rate_control, params->rate_control);
  gcc_rate_control_set_min (&self->rate_control, self->min);
  gcc_rate_control_set_rate (&self->rate_control, rate, now);
  gcc_probe_estimator_init (&self->probes, params->probes);
  gcc_loss_estimate_init (&self->loss, params->loss);
  gcc_loss_estimate_set_rate (&self->loss, rate);
  gcc_congestion_window_init (&self->window, params->window);
  gcc_rtt_backoff_init (&self->backoff, params->backoff);
  if (has_rules (self))
    gcc_send_side_rules_restart (&self->rules);
  self->result.competition = GCC_COMPETITION_NONE;
  self->result.queueing = GCC_TIME_NONE;
  self->result.capacity = GCC_RATE_NONE;
  self->result.verdict = has_rules (self) ? GCC_VERDICT_NONE
                                          : GCC_VERDICT_ABSENT;
  self->is_tested = FALSE;
  self->backed_off = GCC_RATE_NONE;
  self->result.acknowledged = GCC_RATE_NONE;
  self->result.delay_based = rate;
  self->result.delay_reason = GCC_REASON_GROWTH;
  self->result.loss_based = GCC_RATE_NONE;
  self->result.is_backing_off = FALSE;
}

void
gcc_send_side_init (GccSendSide *self, const GccSendSideParams *params,
    GccRate min, GccRate start, GccRate max, GccTime now)
{
  self->params = params;
  self->next_seq = 0;
  self->mean_payload = self->mean_size = 0.;
  self->n_means = 0;
  self->last_excused = G_MININT64;
  self->n_arrived = 0;
  self->has_feedback = FALSE;
  self->is_probing = TRUE;
  self->is_running = TRUE;
  self->streams_wait = FALSE;
  self->last_update = now;
  self->min = min;
  self->max = max;
  self->target = start;
  self->result = (GccSendSideResult){
    .round_trip = GCC_TIME_NONE,
    .m_ms = NAN,
    .gamma_ms = NAN,
    .probe = GCC_RATE_NONE,
    .probe_asked = GCC_RATE_NONE,
  };
  gcc_sent_history_init (&self->history, params->history);
  gcc_large_loss_init (&self->large_loss, &large_loss_params, params->overhead);
  gcc_alr_detector_init (&self->alr, params->alr);
  gcc_alr_detector_set_estimate (&self->alr, start);
  gcc_prober_init (&self->prober, params->prober);
  if (params->rules != NULL)
    gcc_send_side_rules_init (&self->rules, params->rules);
  gcc_send_side_ecn_init (&self->ecn, params->ecn);
  init_rates (self, start, now);
  gcc_probe_controller_init (
      &self->probe_controller, params->probe_controller, now);
  gcc_probe_controller_set_probes_in_alr (&self->probe_controller, TRUE);
  gcc_probe_controller_set_rates (&self->probe_controller, start, max, now);
  ask_for_probes (self, now);
}

void
gcc_send_side_resume (GccSendSide *self, GccRate target, GccTime now)
{
  self->is_running = TRUE;
  self->target = target;
  init_rates (self, target, now);
  gcc_alr_detector_set_estimate (&self->alr, target);
  gcc_probe_controller_set_estimate (
      &self->probe_controller, target, GCC_RATE_LIMIT_DELAY, now);
  update_writable (self, now);
}

void
gcc_send_side_restart (GccSendSide *self, GccRate target, GccTime now)
{
  if (has_rules (self)) {
    gcc_prober_init (&self->prober, self->params->prober);
    gcc_send_side_rules_forget_clusters (&self->rules, now);
  }
  gcc_send_side_resume (self, target, now);
}

void
gcc_send_side_pause (GccSendSide *self, GccTime now)
{
  self->is_running = FALSE;
  gcc_prober_init (&self->prober, self->params->prober);
  update_writable (self, now);
}

void
gcc_send_side_set_streams_wait (GccSendSide *self, gboolean wait)
{
  self->streams_wait = wait;
  gcc_probe_controller_set_streams_wait (&self->probe_controller, wait);
}

void
gcc_send_side_set_limits (GccSendSide *self, GccRate min, GccRate max)
{
  self->min = min;
  self->max = max;
  gcc_rate_control_set_min (&self->rate_control, min);
  self->target = MIN (self->target, max);
}

void
gcc_send_side_set_ecn (GccSendSide *self, gboolean is_on)
{
  gcc_send_side_ecn_set_on (&self->ecn, is_on);
}

void
gcc_send_side_set_held (GccSendSide *self, gint64 bytes)
{
  gcc_send_side_ecn_set_held (&self->ecn, bytes);
}

const GccSendSideEcn *
gcc_send_side_get_ecn (const GccSendSide *self)
{
  return &self->ecn;
}

/* --- what leaves --- */

guint16
gcc_send_side_take_seq (GccSendSide *self)
{
  return self->next_seq++;
}

void
gcc_send_side_skip_seqs (GccSendSide *self, guint64 n)
{
  self->next_seq = (guint16) (self->next_seq + n);
  gcc_sent_history_skip (&self->history, n);
}

gboolean
gcc_send_side_is_of_others (
    const GccSendSide *self, const GccTransportFeedback *feedback)
{
  return gcc_sent_history_is_of_others (&self->history, feedback);
}

/* The larger the packets, the smaller the share of headers. */
static void
note_payload (GccSendSide *self, gsize bytes, gsize size)
{
  self->n_means = MIN (self->n_means + 1, MEAN_PACKETS);
  self->mean_payload += ((gdouble) MIN (bytes, size) - self->mean_payload) /
      (gdouble) self->n_means;
  self->mean_size += ((gdouble) size - self->mean_size) /
      (gdouble) self->n_means;
}

void
gcc_send_side_feed_sent (
    GccSendSide *self, const GccSentPacket *packet, GccTime now)
{
  gsize size = packet->size + self->params->overhead;
  GccSentRecord record = {
    .time = now,
    .size = (guint32) MIN (size, G_MAXUINT16),
    .ssrc = packet->ssrc,
    .rtp_seq = packet->seq,
    .is_audio = packet->kind == GCC_SENT_AUDIO,
  };

  gcc_alr_detector_feed_sent (&self->alr, record.size, now);
  if (!packet->is_padding)
    note_payload (self, packet->payload_size, record.size);
  if (!packet->is_numbered) {
    gcc_sent_history_add_unnumbered (&self->history, record.size);
    return;
  }

  gcc_prober_get_probe (&self->prober, now, &record.probe);
  gcc_sent_history_add (&self->history, packet->transport_seq, &record);
  gcc_prober_feed_sent (&self->prober, record.size, now);
  gcc_rtt_backoff_feed_sent (&self->backoff, now);
  gcc_send_side_ecn_feed_sent (&self->ecn, now);
}

/* --- what became of it --- */

static void
follow_alr (GccSendSide *self, GccTime now)
{
  GccTime start = gcc_alr_detector_get_start (&self->alr);

  self->result.in_alr = start != GCC_TIME_NONE;
  gcc_probe_controller_set_alr_start (&self->probe_controller, start, now);
}

static void
measure_round_trip (
    GccSendSide *self, const GccPacketResult *packets, guint n, GccTime now)
{
  GccTime max_feedback, propagation;

  if (!gcc_packet_results_get_round_trip (
          packets, n, now, &max_feedback, &propagation))
    return;

  propagation = MAX (propagation, 0);
  gcc_congestion_window_feed_feedback (&self->window, max_feedback);
  gcc_rtt_backoff_feed_feedback (&self->backoff, propagation, now);
  gcc_rate_control_set_rtt (&self->rate_control, propagation);
  self->result.round_trip = propagation;
}

/* --- the rates --- */

/* The growth of the queue per group, m. */
static gdouble
estimate_growth (
    GccSendSide *self, const GccInterArrivalDelta *delta, GccTime arrival)
{
  gdouble departure_ms = gcc_time_to_ms (delta->departure);
  gdouble arrival_ms = gcc_time_to_ms (delta->arrival);
  GccGroupDelta group = { departure_ms, arrival_ms, delta->size };

  if (self->params->filter == NULL)
    return gcc_trendline_update (
        &self->trendline, arrival_ms, departure_ms, arrival);
  return gcc_arrival_filter_update (&self->filter, &group,
      gcc_overuse_detector_get_signal (&self->detector),
      gcc_overuse_detector_get_gamma (&self->detector),
      self->params->detector->n_max);
}

static guint
get_n_deltas (const GccSendSide *self)
{
  return self->params->filter != NULL
      ? gcc_arrival_filter_get_n_deltas (&self->filter)
      : gcc_trendline_get_n_deltas (&self->trendline);
}

static void
detect (GccSendSide *self, const GccPacketResult *packet, GccTime now)
{
  GccInterArrivalDelta delta;
  gdouble m;

  if (self->last_arrival != GCC_TIME_NONE &&
      gcc_time_diff (now, self->last_arrival) > self->params->detector_timeout)
    init_detector (self);
  self->last_arrival = now;
  if (!gcc_inter_arrival_update (&self->groups, packet->sent.time,
          packet->arrival, packet->sent.size, now, &delta))
    return;

  m = estimate_growth (self, &delta, packet->arrival);
  gcc_overuse_detector_update (&self->detector, m, get_n_deltas (self),
      gcc_time_to_ms (delta.departure), packet->arrival);
}

static GccSignal
get_signal (GccSendSide *self, GccTime now)
{
  GccSignal signal;

  if (!has_rules (self))
    return gcc_overuse_detector_get_signal (&self->detector);
  signal = gcc_send_side_rules_get_signal (
      &self->rules, &self->detector, self->params->detector->gamma_0);
  gcc_send_side_rules_feed_signal (
      &self->rules, signal, &self->probe_controller, now);
  return signal;
}

/* The queue that over-use came with has drained when under-use ends. */
static void
follow_signal (GccSendSide *self, GccTime now)
{
  GccSignal before = self->result.signal;
  GccSignal signal = get_signal (self, now);

  if (signal == GCC_SIGNAL_OVERUSE)
    self->had_overuse = TRUE;
  if (before == GCC_SIGNAL_UNDERUSE && signal == GCC_SIGNAL_NORMAL &&
      self->had_overuse) {
    self->had_overuse = FALSE;
    gcc_probe_controller_feed_recovery (&self->probe_controller, now);
  }
  self->result.signal = signal;
  self->result.m_ms = gcc_overuse_detector_get_modified_m (&self->detector);
  self->result.gamma_ms = gcc_overuse_detector_get_gamma (&self->detector);
}

static gboolean
may_lower (const GccSendSide *self)
{
  return self->params->probes_lower &&
      !gcc_probe_estimator_is_lower_bound (&self->probes);
}

/* A result that is far above the rate of the link has the bound of growth. */
static GccRate
bound_probe (const GccSendSide *self, GccRate probe, GccRate before)
{
  GccAimdInput input = {
    .rate = before,
    .received_rate = MAX (before, self->result.acknowledged),
  };

  if (!has_rules (self) || !gcc_send_side_rules_bounds_probes (&self->rules))
    return probe;
  return gcc_aimd_limit (&self->params->rate_control->aimd, &input, probe);
}

/* A result below the received rate is an error of the prober, or due to short
 * bursts of others. */
static GccRate
take_probe (GccSendSide *self, GccTime now)
{
  GccRate before = gcc_rate_control_get_rate (&self->rate_control);
  GccRate probe = gcc_probe_estimator_fetch (&self->probes);

  if (probe == GCC_RATE_NONE)
    return GCC_RATE_NONE;

  self->result.probe = probe;
  probe = bound_probe (self, probe, before);
  self->result.n_probe_results++;
  if (probe <= before && !may_lower (self))
    return GCC_RATE_NONE;
  if (has_rules (self))
    gcc_send_side_rules_feed_probe (
        &self->rules, probe, before, &self->probe_controller, now);
  if (self->result.acknowledged != GCC_RATE_NONE)
    probe = MAX (probe,
        MIN (before,
            gcc_rate_from_double (self->params->probe_floor *
                (gdouble) self->result.acknowledged)));
  if (has_rules (self) && may_lower (self))
    gcc_send_side_rules_set_link (&self->rules, probe);
  return probe;
}

/* Only the signal is known yet. */
static void
halve (GccSendSide *self, GccTime now)
{
  GccRate rate = gcc_rate_control_get_rate (&self->rate_control);

  if (gcc_rate_control_is_time_to_reduce (
          &self->rate_control, rate / 2 - 1, now))
    gcc_rate_control_set_rate (&self->rate_control, rate / 2, now);
}

/* Whether the loss based rate is that of losses long past. It grows by what is received,
 * which is little where the application is the limit, and nothing of streams that
 * wait. */
static gboolean
is_loss_outdated (const GccSendSide *self)
{
  return (self->streams_wait || self->result.in_alr) && has_rules (self) &&
      gcc_loss_estimate_get_average_loss (&self->loss) <= 0.;
}

/* Over-use lowers the rate to a share of the link's rate. */
static GccRate
get_received_rate (const GccSendSide *self, gboolean is_over, GccTime now)
{
  GccRate acknowledged = self->result.acknowledged;

  return is_over && has_rules (self)
      ? gcc_send_side_rules_get_full_rate (&self->rules, acknowledged,
            gcc_rate_control_get_rate (&self->rate_control),
            self->params->rate_control->beta, now)
      : acknowledged;
}

/* @cause: why the rate control has computed its rate */
static void
take_delay_based (GccSendSide *self, GccReason cause)
{
  GccSendSideResult *result = &self->result;
  GccRate rate = gcc_rate_control_get_rate (&self->rate_control);

  result->delay_reason = gcc_reason_follow (
      result->delay_reason, cause, result->delay_based, rate);
  result->delay_based = rate;
}

static void
take_rate (GccSendSide *self, GccRate rate, GccReason cause, GccTime now)
{
  gcc_rate_control_set_rate (&self->rate_control, rate, now);
  take_delay_based (self, cause);
}

/* Under-use rests, too. */
static GccSignal
get_control_signal (const GccSendSide *self)
{
  GccSignal signal = self->result.signal;

  return signal == GCC_SIGNAL_NORMAL && has_rules (self) &&
          gcc_send_side_rules_is_at_link (&self->rules, &self->probe_controller,
              gcc_rate_control_get_rate (&self->rate_control))
      ? GCC_SIGNAL_UNDERUSE
      : signal;
}

static void
control (GccSendSide *self, GccRate probe, GccTime now)
{
  gboolean is_over = self->result.signal == GCC_SIGNAL_OVERUSE;
  GccRate acknowledged = get_received_rate (self, is_over, now);
  GccRateControlInput input = {
    .signal = get_control_signal (self),
    .received_rate = acknowledged,
    .has_growth = gcc_send_side_ecn_is_full (&self->ecn, now),
  };

  if (input.has_growth)
    input.growth = gcc_send_side_ecn_get_growth (&self->ecn,
        gcc_rate_control_get_rate (&self->rate_control),
        self->result.acknowledged, self->mean_size, self->result.round_trip);
  if (!is_over && probe != GCC_RATE_NONE) {
    take_rate (self, probe, GCC_REASON_PROBE, now);
    if (is_loss_outdated (self))
      gcc_loss_estimate_set_rate (&self->loss, probe);
    return;
  }
  if (is_over && acknowledged == GCC_RATE_NONE)
    halve (self, now);
  else if (!is_over ||
      gcc_rate_control_is_time_to_reduce (
          &self->rate_control, acknowledged, now))
    gcc_rate_control_update (&self->rate_control, &input, now);
  take_delay_based (self, is_over ? GCC_REASON_OVERUSE : GCC_REASON_GROWTH);
}

static void
measure_rate (
    GccSendSide *self, const GccPacketResult *packets, guint n, GccTime now)
{
  gcc_acknowledged_rate_update (&self->acknowledged, packets, n);
  if (has_rules (self))
    gcc_send_side_rules_feed_packets (&self->rules, packets, n, now);
  if (!has_rules (self) ||
      gcc_send_side_rules_knows_rate (&self->rules, &self->acknowledged))
    self->result.acknowledged = gcc_acknowledged_rate_get (&self->acknowledged);
}

static void
estimate_by_delay (
    GccSendSide *self, const GccPacketResult *packets, guint n, GccTime now)
{
  measure_rate (self, packets, n, now);
  for (guint i = 0; i < n; i++) {
    if (!has_rules (self) ||
        !gcc_send_side_rules_is_forgotten (&self->rules, &packets[i].sent))
      gcc_probe_estimator_update (&self->probes, &packets[i]);
    detect (self, &packets[i], now);
  }
  follow_signal (self, now);
  control (self, take_probe (self, now), now);
}

/* Marks say that the link is full before a queue does: A_s falls, and needs no
 * other limit. */
static void
follow_marks (GccSendSide *self, gdouble reduction, GccTime now)
{
  GccRate before = gcc_rate_control_get_rate (&self->rate_control);
  GccRate rate;

  if (before == GCC_RATE_NONE)
    return;
  rate = gcc_send_side_ecn_lower (&self->ecn, self->packets, self->n_arrived,
      before, self->min, reduction, now);
  if (rate >= before)
    return;
  gcc_rate_control_forget_capacity (&self->rate_control);
  take_rate (self, rate, GCC_REASON_ECN, now);
}

/* A link that marks loses nothing, and the loss estimate rises too slowly there. */
static gboolean
trusts_marks (const GccSendSide *self)
{
  return gcc_send_side_ecn_is_capable (&self->ecn) &&
      gcc_loss_estimate_get_average_loss (&self->loss) <
      self->params->ecn->max_loss;
}

static void
estimate_by_loss (GccSendSide *self, guint n)
{
  GccSendSideResult *result = &self->result;
  GccRate rate;

  gcc_send_side_ecn_lose_classic (&self->ecn, self->packets, n);
  gcc_loss_estimate_set_acknowledged (&self->loss, result->acknowledged);
  /* An encoder that sends four fifths would keep the rate of losses long past. */
  if (has_rules (self))
    gcc_loss_estimate_release (&self->loss);
  gcc_loss_estimate_update (
      &self->loss, self->packets, n, result->delay_based, result->in_alr);
  rate = gcc_loss_estimate_get_rate (&self->loss);
  result->loss_state = gcc_loss_estimate_get_state (&self->loss);
  result->loss_based = gcc_loss_estimate_is_ready (&self->loss) &&
          rate < result->delay_based && !trusts_marks (self)
      ? rate
      : GCC_RATE_NONE;
}

static void
take_verdict (GccSendSide *self, const GccSendSideVerdict *verdict, GccTime now)
{
  GccSendSideResult *result = &self->result;

  result->competition = verdict->state;
  if (verdict->has_drained) {
    init_detector (self);
    result->signal = GCC_SIGNAL_NORMAL;
  }
  if (verdict->capacity != GCC_RATE_NONE)
    gcc_rate_control_feed_capacity (
        &self->rate_control, verdict->capacity, now);
  if (verdict->rate != GCC_RATE_NONE &&
      !gcc_send_side_ecn_is_full (&self->ecn, now)) {
    take_rate (self, verdict->rate,
        gcc_competition_state_to_reason (verdict->state), now);
    result->loss_based = GCC_RATE_NONE;
  }
  self->is_tested = verdict->most != GCC_RATE_NONE;
  if (self->is_tested && result->delay_based > verdict->most)
    take_rate (self, verdict->most, verdict->most_reason, now);
}

static void
follow_rules (GccSendSide *self, GccTime now)
{
  GccSendSideResult *result = &self->result;
  GccCompetitionInput input = {
    .is_overused = result->signal == GCC_SIGNAL_OVERUSE,
    .acknowledged = result->acknowledged,
    .round_trip = result->round_trip != GCC_TIME_NONE ? result->round_trip : -1,
    .in_alr = result->in_alr,
    .target = self->target,
  };
  GccSendSideVerdict verdict = gcc_send_side_rules_update (
      &self->rules, &input, &self->history, now);
  const GccCompetition *competition = &self->rules.competition;

  result->queueing = gcc_competition_get_queueing (competition);
  result->noise = gcc_competition_get_noise (competition);
  result->capacity = gcc_competition_get_capacity (competition);
  result->verdict = gcc_send_side_rules_get_verdict (&self->rules);
  take_verdict (self, &verdict, now);
  gcc_probe_controller_set_lossy (
      &self->probe_controller, gcc_competition_loses_packets (competition));
}

gboolean
gcc_send_side_has_feedback (const GccSendSide *self)
{
  return self->has_feedback;
}

gboolean
gcc_send_side_is_running (const GccSendSide *self)
{
  return self->is_running;
}

/* @packets are in the order of arrival. */
static guint
count_stale (const GccSendSide *self, guint n)
{
  return has_rules (self)
      ? gcc_send_side_rules_count_stale (&self->rules, self->packets, n)
      : 0;
}

/* The first @n of the packets have news. @reduction: for their marks */
static gboolean
follow_results (GccSendSide *self, guint n, gdouble reduction, GccTime now)
{
  GccSentRecord first, last;
  const GccPacketResult *fresh;
  guint n_arrived, n_fresh;
  gboolean follows_rules;

  if (n == 0)
    return FALSE;

  self->has_feedback = TRUE;
  gcc_large_loss_feed (&self->large_loss, self->packets, n);
  first = self->packets[0].sent;
  last = self->packets[n - 1].sent;
  n_arrived = self->n_arrived = gcc_packet_results_sort (self->packets, n);
  n_fresh = n_arrived - count_stale (self, n_arrived);
  fresh = self->packets + n_arrived - n_fresh;
  /* without times neither the queue nor the rate is known */
  follows_rules = n_arrived > 0 && has_rules (self);
  if (follows_rules)
    gcc_send_side_rules_feed_numbers (
        &self->rules, &first, &last, &self->history, &self->acknowledged);
  follow_alr (self, now);
  measure_round_trip (self, fresh, n_fresh, now);
  if (n_fresh > 0)
    estimate_by_delay (self, fresh, n_fresh, now);
  follow_marks (self, reduction, now);
  if (last.seq > self->last_excused)
    estimate_by_loss (self, n);
  if (follows_rules)
    follow_rules (self, now);
  ask_for_probes (self, now);
  return TRUE;
}

gboolean
gcc_send_side_feed_feedback (
    GccSendSide *self, GccTransportFeedback *feedback, GccTime now)
{
  guint n = gcc_sent_history_match (&self->history, feedback, now,
      self->packets, G_N_ELEMENTS (self->packets));

  return follow_results (self, n, 0., now);
}

gboolean
gcc_send_side_feed_ccfb (GccSendSide *self, GccCcfb *report, GccTime now)
{
  guint n = gcc_sent_history_match_ccfb (
      &self->history, report, now, self->packets, G_N_ELEMENTS (self->packets));
  gdouble reduction = gcc_send_side_ecn_feed (
      &self->ecn, self->packets, n, self->result.queueing, now);

  if (self->ecn.is_on)
    update_writable (self, now);
  return follow_results (self, n, reduction, now);
}

gboolean
gcc_send_side_is_unanswered (const GccSendSide *self)
{
  return self->result.is_backing_off &&
      gcc_rtt_backoff_is_unanswered (&self->backoff);
}

void
gcc_send_side_excuse_loss (GccSendSide *self)
{
  self->last_excused = gcc_sent_history_skip_lost (&self->history);
}

const GccPacketResult *
gcc_send_side_get_arrived (const GccSendSide *self, guint *n)
{
  *n = self->n_arrived;
  return self->packets;
}

/* --- what came of the rates --- */

static GccRateLimit
get_limit (const GccSendSide *self)
{
  const GccSendSideResult *result = &self->result;

  if (result->is_backing_off)
    return GCC_RATE_LIMIT_RTT;
  if (result->competition != GCC_COMPETITION_NONE || self->is_tested)
    return GCC_RATE_LIMIT_DELAY_INCREASED;
  if (result->loss_based != GCC_RATE_NONE && !is_loss_outdated (self))
    return result->loss_state == GCC_LOSS_ESTIMATE_INCREASING
        ? GCC_RATE_LIMIT_LOSS_INCREASING
        : GCC_RATE_LIMIT_LOSS;
  return result->signal == GCC_SIGNAL_NORMAL ? GCC_RATE_LIMIT_DELAY
                                             : GCC_RATE_LIMIT_DELAY_INCREASED;
}

void
gcc_send_side_feed_target (GccSendSide *self, GccRate target, GccTime now)
{
  self->target = target;
  gcc_alr_detector_set_estimate (&self->alr, target);
  gcc_congestion_window_set_rate (&self->window, target);
  gcc_probe_controller_set_estimate (
      &self->probe_controller, target, get_limit (self), now);
  ask_for_probes (self, now);
}

/* --- time --- */

GccTime
gcc_send_side_next_timeout (const GccSendSide *self)
{
  return gcc_time_add (self->last_update, self->params->update_interval);
}

/* Returns whether the rates have to be updated. */
static gboolean
back_off (GccSendSide *self, GccTime now)
{
  gboolean was_active = self->result.is_backing_off;

  self->result.is_backing_off = gcc_rtt_backoff_is_active (&self->backoff);
  self->backed_off = self->result.is_backing_off
      ? gcc_rtt_backoff_update (&self->backoff, self->target, now)
      : GCC_RATE_NONE;
  return was_active || self->result.is_backing_off;
}

gboolean
gcc_send_side_handle_timeout (GccSendSide *self, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_update);

  /* a clock that was set back starts another interval */
  if (passed >= 0 && passed < self->params->update_interval)
    return FALSE;

  self->last_update = now;
  gcc_send_side_ecn_handle_timeout (&self->ecn, self->result.round_trip, now);
  follow_alr (self, now);
  gcc_probe_controller_set_rates (&self->probe_controller, 0, self->max, now);
  gcc_probe_controller_update (&self->probe_controller, now);
  ask_for_probes (self, now);
  return back_off (self, now);
}

/* --- results --- */

const GccSendSideResult *
gcc_send_side_get_result (const GccSendSide *self)
{
  return &self->result;
}

GccRate
gcc_send_side_get_rate (const GccSendSide *self)
{
  GccRate rate = self->result.delay_based;

  if (self->result.loss_based != GCC_RATE_NONE)
    rate = MIN (rate, self->result.loss_based);
  if (self->backed_off != GCC_RATE_NONE)
    rate = MIN (rate, self->backed_off);
  return rate;
}

GccReason
gcc_send_side_get_reason (const GccSendSide *self)
{
  const GccSendSideResult *result = &self->result;
  GccRate rate = gcc_send_side_get_rate (self);

  if (rate == self->backed_off)
    return GCC_REASON_ROUND_TRIP;
  return rate < result->delay_based ? GCC_REASON_LOSS : result->delay_reason;
}

/* Where the application is the limit a frame need not wait for its own pace. */
static gboolean
has_room (const GccSendSide *self)
{
  return has_rules (self) && self->target >= self->max &&
      gcc_send_side_rules_has_room (&self->rules);
}

static gdouble
get_pacing_factor (const GccSendSide *self)
{
  if (gcc_send_side_ecn_was_full (&self->ecn))
    return self->params->ecn->pacing_factor;
  return self->has_feedback && !has_room (self)
      ? self->params->pacing_factor
      : self->params->first_pacing_factor;
}

GccRate
gcc_send_side_get_pacing_rate (const GccSendSide *self)
{
  GccRate rate = gcc_rate_from_double (
      get_pacing_factor (self) * (gdouble) self->target);

  if (has_room (self))
    rate = MAX (rate, gcc_send_side_rules_get_burst_rate (&self->rules));
  return MAX (rate, 1);
}

GccRate
gcc_send_side_get_padding_rate (const GccSendSide *self)
{
  return self->params->pads && self->result.loss_based != GCC_RATE_NONE &&
          self->result.loss_state == GCC_LOSS_ESTIMATE_PADDING
      ? self->target
      : 0;
}

gboolean
gcc_send_side_is_window_full (GccSendSide *self)
{
  if (!self->params->holds_media || !self->is_running)
    return FALSE;

  gcc_congestion_window_set_in_flight (
      &self->window, gcc_sent_history_get_in_flight (&self->history));
  return gcc_congestion_window_is_full (&self->window);
}

/* The loss based rate has followed the drain, and takes a report to return. */
static gboolean
is_loss_of_drain (const GccSendSide *self)
{
  return self->result.loss_based != GCC_RATE_NONE &&
      self->result.loss_state == GCC_LOSS_ESTIMATE_DELAY_BASED;
}

GccRate
gcc_send_side_get_rate_after_drain (const GccSendSide *self)
{
  if (!has_rules (self))
    return GCC_RATE_NONE;
  if (is_loss_of_drain (self))
    return self->result.delay_based;

  return gcc_send_side_rules_get_rate_after_drain (&self->rules);
}

gdouble
gcc_send_side_get_payload_share (const GccSendSide *self)
{
  return self->n_means > 0 ? self->mean_payload / self->mean_size : 1.;
}

guint64
gcc_send_side_get_n_lost (const GccSendSide *self)
{
  return gcc_sent_history_get_stats (&self->history)->n_feedbacks_lost;
}

gsize
gcc_send_side_get_large_limit (const GccSendSide *self)
{
  return gcc_large_loss_get_limit (&self->large_loss);
}

GccArrivalRates
gcc_send_side_get_arrival_rates (const GccSendSide *self)
{
  return gcc_acknowledged_rate_get_rates (&self->acknowledged);
}

gdouble
gcc_send_side_get_average_loss (const GccSendSide *self)
{
  return gcc_loss_estimate_get_average_loss (&self->loss);
}

GccProber *
gcc_send_side_get_prober (GccSendSide *self)
{
  return &self->prober;
}
