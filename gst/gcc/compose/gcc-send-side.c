/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-send-side.h>

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
  if (gcc_probing_fetch (&self->probing, now) && has_rules (self))
    gcc_send_side_rules_set_link (&self->rates.rules, GCC_RATE_NONE);
}

static void
update_writable (GccSendSide *self, GccTime now)
{
  gcc_probe_controller_set_writable (&self->probing.controller,
      self->is_probing && self->is_running &&
          !gcc_send_side_ecn_is_full (&self->rates.ecn, now),
      now);
  ask_for_probes (self, now);
}

void
gcc_send_side_set_probing (GccSendSide *self, gboolean is_probing, GccTime now)
{
  self->is_probing = is_probing;
  if (!is_probing)
    gcc_probing_stop (&self->probing);
  update_writable (self, now);
}

/* --- from start to stop --- */

/* Nothing is in flight, and no round trip is too long. */
static void
init_limits (GccSendSide *self)
{
  gcc_congestion_window_init (&self->window, self->params->window);
  gcc_rtt_backoff_init (&self->backoff, self->params->backoff);
  self->is_backing_off = FALSE;
  self->backed_off = GCC_RATE_NONE;
}

void
gcc_send_side_init (GccSendSide *self, const GccSendSideParams *params,
    GccRate min, GccRate start, GccRate max, GccTime now)
{
  self->params = params;
  self->next_seq = 0;
  gcc_packet_sizes_init (&self->sizes);
  self->last_excused = G_MININT64;
  self->n_arrived = 0;
  self->has_feedback = FALSE;
  self->is_probing = TRUE;
  self->is_running = TRUE;
  self->in_alr = FALSE;
  self->last_update = now;
  self->max = max;
  self->target = start;
  gcc_sent_history_init (&self->history, params->history);
  gcc_large_loss_init (&self->large_loss, &large_loss_params, params->overhead);
  gcc_alr_detector_init (&self->alr, params->alr);
  gcc_alr_detector_set_estimate (&self->alr, start);
  gcc_send_side_rates_init (&self->rates, params, min, start, now);
  init_limits (self);
  gcc_probing_init (&self->probing, params->prober, params->probe_controller,
      start, max, now);
  ask_for_probes (self, now);
}

void
gcc_send_side_resume (GccSendSide *self, GccRate target, GccTime now)
{
  self->is_running = TRUE;
  self->target = target;
  gcc_send_side_rates_restart (&self->rates, target, now);
  init_limits (self);
  gcc_alr_detector_set_estimate (&self->alr, target);
  gcc_probe_controller_set_estimate (
      &self->probing.controller, target, GCC_RATE_LIMIT_DELAY, now);
  update_writable (self, now);
}

void
gcc_send_side_restart (GccSendSide *self, GccRate target, GccTime now)
{
  if (has_rules (self)) {
    gcc_probing_stop (&self->probing);
    gcc_send_side_rules_forget_clusters (&self->rates.rules, now);
  }
  gcc_send_side_resume (self, target, now);
}

void
gcc_send_side_pause (GccSendSide *self, GccTime now)
{
  self->is_running = FALSE;
  gcc_probing_stop (&self->probing);
  update_writable (self, now);
}

void
gcc_send_side_set_wanted (GccSendSide *self, GccRate wanted)
{
  gcc_send_side_rates_set_streams_wait (&self->rates, wanted > 0);
  gcc_probe_controller_set_wanted (&self->probing.controller, wanted);
}

void
gcc_send_side_set_limits (GccSendSide *self, GccRate min, GccRate max)
{
  self->max = max;
  gcc_send_side_rates_set_min (&self->rates, min);
  self->target = MIN (self->target, max);
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
    gcc_packet_sizes_feed (&self->sizes, packet->payload_size, record.size);
  if (!packet->is_numbered) {
    gcc_sent_history_add_unnumbered (&self->history, record.size);
    return;
  }

  gcc_prober_get_probe (&self->probing.prober, now, &record.probe);
  gcc_sent_history_add (&self->history, packet->transport_seq, &record);
  gcc_prober_feed_sent (&self->probing.prober, record.size, now);
  gcc_rtt_backoff_feed_sent (&self->backoff, now);
  gcc_send_side_ecn_feed_sent (&self->rates.ecn, now);
}

/* --- what became of it --- */

static void
follow_alr (GccSendSide *self, GccTime now)
{
  GccTime start = self->alr.start;

  self->in_alr = start != GCC_TIME_NONE;
  gcc_probe_controller_set_alr_start (&self->probing.controller, start, now);
}

/* Returns the shortest; %GCC_TIME_NONE where @packets show none. */
static GccTime
measure_round_trip (
    GccSendSide *self, const GccPacketResult *packets, guint n, GccTime now)
{
  GccTime max_feedback, propagation;

  if (!gcc_packet_results_get_round_trip (
          packets, n, now, &max_feedback, &propagation))
    return GCC_TIME_NONE;

  propagation = MAX (propagation, 0);
  gcc_congestion_window_feed_feedback (&self->window, max_feedback);
  gcc_rtt_backoff_feed_feedback (&self->backoff, propagation, now);
  return propagation;
}

/* The first @n of the packets have news. @reduction: for their marks */
static gboolean
follow_results (GccSendSide *self, guint n, gdouble reduction, GccTime now)
{
  GccSendSideInput input = {
    .packets = self->packets,
    .n = n,
    .reduction = reduction,
    .mean_size = self->sizes.size,
    .target = self->target,
    .history = &self->history,
    .controller = &self->probing.controller,
  };

  if (n == 0)
    return FALSE;

  self->has_feedback = TRUE;
  gcc_large_loss_feed (&self->large_loss, self->packets, n);
  input.first = self->packets[0].sent;
  input.last = self->packets[n - 1].sent;
  input.is_excused = input.last.seq <= self->last_excused;
  input.n_arrived = self->n_arrived = gcc_packet_results_sort (
      self->packets, n);
  if (has_rules (self))
    input.n_stale = gcc_send_side_rules_count_stale (
        &self->rates.rules, self->packets, input.n_arrived);
  follow_alr (self, now);
  input.in_alr = self->in_alr;
  input.round_trip = measure_round_trip (self, self->packets + input.n_stale,
      input.n_arrived - input.n_stale, now);
  gcc_send_side_rates_update (&self->rates, &input, now);
  ask_for_probes (self, now);
  return TRUE;
}

static gboolean
feed_transport (GccSendSide *self, GccTransportFeedback *feedback, GccTime now)
{
  guint n = gcc_sent_history_match (&self->history, feedback, now,
      self->packets, G_N_ELEMENTS (self->packets));

  return follow_results (self, n, 0., now);
}

static gboolean
feed_ccfb (GccSendSide *self, GccCcfb *report, GccTime now)
{
  guint n = gcc_sent_history_match_ccfb (
      &self->history, report, now, self->packets, G_N_ELEMENTS (self->packets));
  gdouble reduction = gcc_send_side_ecn_feed (
      &self->rates.ecn, self->packets, n, self->rates.result.queueing, now);

  if (self->rates.ecn.is_on)
    update_writable (self, now);
  return follow_results (self, n, reduction, now);
}

gboolean
gcc_send_side_feed (
    GccSendSide *self, const GccPathFeedback *feedback, GccTime now)
{
  return feedback->ccfb != NULL
      ? feed_ccfb (self, feedback->ccfb, now)
      : feed_transport (self, feedback->transport, now);
}

gboolean
gcc_send_side_is_unanswered (const GccSendSide *self)
{
  return self->is_backing_off && gcc_rtt_backoff_is_unanswered (&self->backoff);
}

void
gcc_send_side_excuse_loss (GccSendSide *self)
{
  self->last_excused = gcc_sent_history_skip_lost (&self->history);
}

/* --- what came of the rates --- */

void
gcc_send_side_feed_target (GccSendSide *self, GccRate target, GccTime now)
{
  self->target = target;
  gcc_alr_detector_set_estimate (&self->alr, target);
  gcc_congestion_window_set_rate (&self->window, target);
  gcc_probe_controller_set_estimate (&self->probing.controller, target,
      self->is_backing_off
          ? GCC_RATE_LIMIT_RTT
          : gcc_send_side_rates_get_limit (&self->rates, self->in_alr),
      now);
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
  gboolean was_active = self->is_backing_off;

  self->is_backing_off = gcc_rtt_backoff_is_active (&self->backoff);
  self->backed_off = self->is_backing_off
      ? gcc_rtt_backoff_update (&self->backoff, self->target, now)
      : GCC_RATE_NONE;
  return was_active || self->is_backing_off;
}

gboolean
gcc_send_side_handle_timeout (GccSendSide *self, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_update);

  /* a clock that was set back starts another interval */
  if (passed >= 0 && passed < self->params->update_interval)
    return FALSE;

  self->last_update = now;
  gcc_send_side_ecn_handle_timeout (
      &self->rates.ecn, self->rates.result.round_trip, now);
  follow_alr (self, now);
  gcc_probe_controller_set_rates (&self->probing.controller, 0, self->max, now);
  gcc_probe_controller_update (&self->probing.controller, now);
  ask_for_probes (self, now);
  return back_off (self, now);
}

/* --- results --- */

GccRate
gcc_send_side_get_rate (const GccSendSide *self)
{
  GccRate rate = self->rates.result.delay_based;

  if (self->rates.result.loss_based != GCC_RATE_NONE)
    rate = MIN (rate, self->rates.result.loss_based);
  if (self->backed_off != GCC_RATE_NONE)
    rate = MIN (rate, self->backed_off);
  return rate;
}

GccReason
gcc_send_side_get_reason (const GccSendSide *self)
{
  const GccSendSideResult *result = &self->rates.result;
  GccRate rate = gcc_send_side_get_rate (self);

  if (rate == self->backed_off)
    return GCC_REASON_ROUND_TRIP;
  return rate < result->delay_based ? GCC_REASON_LOSS : result->delay_reason;
}

/* Where the application is the limit a frame need not wait for its own pace. */
static GccRate
get_burst_rate (const GccSendSide *self)
{
  return has_rules (self) && self->target >= self->max
      ? gcc_send_side_rules_get_burst_rate (&self->rates.rules)
      : GCC_RATE_NONE;
}

static gdouble
get_pacing_factor (const GccSendSide *self, gboolean has_room)
{
  if (gcc_send_side_ecn_was_full (&self->rates.ecn))
    return self->params->ecn->pacing_factor;
  return self->has_feedback && !has_room ? self->params->pacing_factor
                                         : self->params->first_pacing_factor;
}

GccRate
gcc_send_side_get_pacing_rate (const GccSendSide *self)
{
  GccRate burst;
  gdouble factor;
  GccRate rate;

  if (!self->is_running)
    return GCC_RATE_NONE;

  burst = get_burst_rate (self);
  factor = get_pacing_factor (self, burst != GCC_RATE_NONE);
  rate = gcc_rate_from_double (factor * (gdouble) self->target);
  return MAX (MAX (rate, burst), 1);
}

GccRate
gcc_send_side_get_padding_rate (const GccSendSide *self)
{
  return self->is_running && self->params->pads &&
          self->rates.result.loss_based != GCC_RATE_NONE &&
          self->rates.result.loss_state == GCC_LOSS_ESTIMATE_PADDING
      ? self->target
      : 0;
}

gboolean
gcc_send_side_is_window_full (const GccSendSide *self)
{
  return self->params->holds_media && self->is_running &&
      gcc_congestion_window_is_full (&self->window, self->history.in_flight);
}
