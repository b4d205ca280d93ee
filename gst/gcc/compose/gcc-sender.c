/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <math.h>

/* Published generations do not. */
static gboolean
watches_arrivals (const GccSender *self)
{
  return self->profile->arrival_watch != NULL;
}

/* --- from A_s to v --- */

/* The part of A_s for new media, as payload. */
static GccRate
get_new_payload (const GccSender *self)
{
  GccRate target = self->stats.target;

  return gcc_sender_path_get_payload (
      &self->path, target - gcc_sender_path_get_release (&self->path, target));
}

/* A_s may have fallen for reasons outside the send side, such as a REMB before
 * the first feedback. */
static GccRate
get_padding_rate (const GccSender *self)
{
  return MIN (
      gcc_send_side_get_padding_rate (gcc_sender_path_get_side (&self->path)),
      gcc_target_get_result (&self->target)->rate);
}

static void
update_ecn (GccSender *self)
{
  const GccSendSideEcn *ecn = gcc_send_side_get_ecn (
      gcc_sender_path_get_side (&self->path));

  if (!ecn->is_on)
    return;
  self->stats.ecn = gcc_ecn_check_get_state (&ecn->check);
  self->stats.ect1_packets = ecn->n_ect1;
  self->stats.ce_packets = ecn->n_ce;
  self->stats.l4s_alpha = gcc_l4s_get_alpha (&ecn->l4s);
}

static void
update_path (GccSender *self)
{
  GccSenderStats *stats = &self->stats;
  GccSendSide *side = gcc_sender_path_get_side (&self->path);
  const GccSendSideResult *result = gcc_send_side_get_result (side);
  const GccProber *prober = gcc_send_side_get_prober (side);
  gboolean is_running = gcc_send_side_is_running (side);

  stats->acknowledged = result->acknowledged;
  stats->delay_based = result->delay_based;
  stats->signal = result->signal;
  stats->m_ms = result->m_ms;
  stats->gamma_ms = result->gamma_ms;
  stats->loss_state = result->loss_state;
  stats->competition = result->competition;
  if (self->profile->send_side->rules != NULL)
    stats->verdict = result->verdict;
  stats->in_alr = result->in_alr;
  if (result->round_trip != GCC_TIME_NONE)
    stats->path_rtt_ms = gcc_time_to_ms (result->round_trip);
  if (result->queueing != GCC_TIME_NONE) {
    stats->path_queue_ms = gcc_time_to_ms (result->queueing);
    stats->path_noise_ms = gcc_time_to_ms (result->noise);
  }
  stats->path_capacity = result->capacity;
  stats->probe = result->probe;
  stats->probes = result->n_probes;
  stats->probe_results = result->n_probe_results;
  stats->probes_abandoned = gcc_prober_get_n_abandoned (prober);
  stats->probe_asked = result->probe_asked;
  stats->probe_abandoned = gcc_prober_get_abandoned (prober);
  stats->padding_rate = is_running ? get_padding_rate (self) : 0;
  stats->is_window_full = gcc_send_side_is_window_full (side);
  stats->feedbacks_lost = gcc_send_side_get_n_lost (side);
  update_ecn (self);
}

static void
update_target (GccSender *self)
{
  GccSenderStats *stats = &self->stats;

  stats->pacing_rate = gcc_sender_path_get_pacing_rate (&self->path);
  if (gcc_sender_path_get_side (&self->path) != NULL)
    update_path (self);
  stats->feedback = gcc_sender_path_get_feedback (&self->path);
  stats->loss_based = gcc_sender_path_is_steering (&self->path)
      ? gcc_send_side_get_result (gcc_sender_path_get_side (&self->path))
            ->loss_based
      : gcc_loss_control_get_rate (&self->loss_control);
  stats->target = gcc_target_get_result (&self->target)->rate;
  stats->reason = gcc_target_get_result (&self->target)->reason;
  stats->has_feedback = gcc_feedback_watch_has_feedback (&self->watch) &&
      !gcc_sender_is_cut_off (self);
  stats->encoder_target = gcc_media_budget_get_encoder_target (
      &self->budget, get_new_payload (self));
}

static void
update_rates (GccSender *self, GccTime now)
{
  const GccMediaRates *rates = gcc_media_budget_measure (&self->budget, now);
  GccSenderStats *stats = &self->stats;

  stats->video_rate = rates->video;
  stats->audio_rate = rates->audio;
  stats->fec_rate = rates->fec;
  stats->rtx_rate = rates->rtx;
  stats->sent_padding_rate = rates->padding;
}

void
gcc_sender_update (GccSender *self, GccTime now)
{
  gcc_sender_path_give_up_late (&self->path, now);
  update_rates (self, now);
  update_target (self);
  self->stats.fec_percentage = gcc_media_budget_get_fec_percentage (
      &self->budget, get_new_payload (self), self->rtt, now);
}

/* --- events --- */

void
gcc_sender_init (GccSender *self, const GccProfile *profile, GccRate min,
    GccRate start, GccRate max)
{
  g_return_if_fail (min > 0 && min <= max);

  self->profile = profile;
  gcc_sent_streams_init (&self->streams);
  gcc_reporters_init (&self->reporters, &profile->loss.reports);
  gcc_loss_aggregator_init (&self->aggregator, &profile->loss.reports);
  gcc_target_init (&self->target, &profile->target, min, start, max);
  gcc_loss_control_init (&self->loss_control, &profile->loss,
      gcc_target_get_result (&self->target));
  if (watches_arrivals (self))
    gcc_arrival_watch_init (&self->arrivals, profile->arrival_watch);
  gcc_feedback_watch_init (&self->watch, &profile->feedback_watch);
  gcc_sender_path_init (
      &self->path, profile->send_side, &profile->transport_watch);
  self->remb_ssrc = 0;
  self->was_silent = FALSE;
  self->has_strange_remb = FALSE;
  gcc_media_budget_init (&self->budget,
      &(GccMediaBudgetParams){
          .sent_rates = &profile->sent_rates,
          .protection = &profile->protection,
          .fec = &profile->fec,
          .retransmission = &profile->retransmission,
      });
  self->rtt = GCC_TIME_NONE;

  self->stats = (GccSenderStats){
    .fraction_lost = NAN,
    .rtt_ms = NAN,
    .remb = GCC_RATE_NONE,
    .acknowledged = GCC_RATE_NONE,
    .delay_based = GCC_RATE_NONE,
    .signal = GCC_SIGNAL_ABSENT,
    .m_ms = NAN,
    .gamma_ms = NAN,
    .loss_state = GCC_LOSS_ESTIMATE_ABSENT,
    .competition = GCC_COMPETITION_ABSENT,
    .verdict = GCC_VERDICT_ABSENT,
    .path_rtt_ms = NAN,
    .path_queue_ms = NAN,
    .path_noise_ms = NAN,
    .path_capacity = GCC_RATE_NONE,
    .probe = GCC_RATE_NONE,
    .probe_asked = GCC_RATE_NONE,
    .pacing_rate = GCC_RATE_NONE,
    .ecn = GCC_ECN_OFF,
    .l4s_alpha = NAN,
  };
  update_target (self);
}

void
gcc_sender_clear (GccSender *self)
{
  gcc_sender_path_clear (&self->path);
}

GccSender *
gcc_sender_new (
    const GccProfile *profile, GccRate min, GccRate start, GccRate max)
{
  GccSender *self;

  g_return_val_if_fail (min > 0 && min <= max, NULL);

  self = g_new (GccSender, 1);
  gcc_sender_init (self, profile, min, start, max);
  return self;
}

void
gcc_sender_free (GccSender *self)
{
  gcc_sender_clear (self);
  g_free (self);
}

void
gcc_sender_set_limits (GccSender *self, GccRate min, GccRate max)
{
  gcc_target_set_limits (&self->target, min, max);
  gcc_sender_path_set_limits (&self->path, min, max);
  gcc_loss_control_feed_limited_target (
      &self->loss_control, gcc_target_get_result (&self->target));
  update_target (self);
}

/* --- from reports, REMBs and transport-wide feedback to A_s ---
 *
 * feedback ─► send side ─────────────────────────────┐
 * reports ─► fraction lost ─► loss control, eq. (1) ─┐
 *                                 ▲                  ├─► target ─┬─► A_s
 * REMBs ───► A_r ─────────────────┼──────────────────┤           │
 * neither ─► silence ─────────────┼──────────────────┘           │
 *                                 └──────────────────────────────┘
 */

static void
tell_target (GccSender *self, GccTime now)
{
  gcc_loss_control_feed_target (
      &self->loss_control, gcc_target_get_result (&self->target), now);
}

static void
follow_loss (GccSender *self, GccRate loss_based, GccTime now)
{
  if (loss_based == GCC_RATE_NONE || gcc_sender_path_is_steering (&self->path))
    return;

  gcc_target_feed_loss_based (&self->target, loss_based,
      gcc_loss_control_get_reason (&self->loss_control));
  tell_target (self, now);
}

void
gcc_sender_restart (GccSender *self, GccRate rate, GccTime now)
{
  g_return_if_fail (rate > 0);

  gcc_target_restart (&self->target, rate);
  gcc_sender_path_restart (
      &self->path, gcc_target_get_result (&self->target)->rate, now);
  tell_target (self, now);
  gcc_sender_update (self, now);
}

static void
follow_path (GccSender *self, GccTime now)
{
  const GccSendSide *side = gcc_sender_path_get_side (&self->path);

  gcc_target_feed_estimate (&self->target,
      gcc_send_side_get_result (side)->delay_based,
      gcc_send_side_get_rate (side), gcc_send_side_get_reason (side));
  tell_target (self, now);
  gcc_sender_path_feed_target (
      &self->path, gcc_target_get_result (&self->target)->rate, now);
}

/* Reports or REMBs have come. They take over if no transport-wide feedback
 * comes. */
static void
check_path (GccSender *self, GccTime now)
{
  if (!gcc_sender_path_feed_other (&self->path, now))
    return;

  gcc_target_release_estimate (&self->target);
  tell_target (self, now);
}

/* Whether the REMB in force is of another end than the one before. */
static gboolean
take_remb (GccSender *self)
{
  guint32 ssrc = gcc_reporters_get_remb_ssrc (&self->reporters);
  gboolean is_other = self->stats.remb != GCC_RATE_NONE &&
      ssrc != self->remb_ssrc;

  self->stats.remb = gcc_reporters_get_remb (&self->reporters);
  self->remb_ssrc = ssrc;
  return is_other && self->stats.remb != GCC_RATE_NONE;
}

static void
follow_remb (GccSender *self, GccTime now)
{
  if (take_remb (self))
    gcc_target_feed_other_remb (&self->target, self->stats.remb, now);
  else
    gcc_target_feed_remb (&self->target, self->stats.remb, now);
  tell_target (self, now);
  if (gcc_sender_path_is_steering (&self->path))
    follow_path (self, now);
}

/* The rate to which silence lowers A_s, bit/s; %GCC_RATE_NONE if it does not.
 * Reports that show no arrival say more than none do. */
static GccRate
get_silence (GccSender *self)
{
  GccRate target = gcc_target_get_result (&self->target)->rate;
  GccRate rate = gcc_feedback_watch_handle_timeout (&self->watch, target);

  if (gcc_sender_is_cut_off (self))
    return gcc_arrival_watch_handle_timeout (&self->arrivals, target);
  return gcc_sender_path_is_unanswered (&self->path) ? GCC_RATE_NONE : rate;
}

static gboolean
is_silent (const GccSender *self)
{
  return gcc_feedback_watch_is_silent (&self->watch) ||
      gcc_sender_is_cut_off (self);
}

/* Whether nothing but silence sets the rate. */
static gboolean
is_lowered (const GccSender *self)
{
  return gcc_feedback_watch_lowers (&self->watch) ||
      gcc_sender_is_cut_off (self);
}

/* The longest that is known. */
static GccTime
get_round_trip (const GccSender *self)
{
  return MAX (self->rtt, gcc_sender_path_get_round_trip (&self->path));
}

static void
bound_by_silence (GccSender *self, GccRate rate, GccTime now)
{
  self->was_silent = TRUE;
  gcc_target_feed_silence (&self->target, rate);
  tell_target (self, now);
  gcc_sender_path_feed_target (
      &self->path, gcc_target_get_result (&self->target)->rate, now);
}

static void
follow_silence (GccSender *self, GccTime now)
{
  GccRate rate = get_silence (self);

  if (rate != GCC_RATE_NONE)
    bound_by_silence (self, rate, now);
}

/* Time has changed the estimate of the path. */
static void
follow_path_in_time (GccSender *self, GccTime now)
{
  if (!gcc_sender_path_is_steering (&self->path) ||
      gcc_sender_is_cut_off (self))
    return;

  if (watches_arrivals (self) && gcc_sender_path_is_unanswered (&self->path))
    bound_by_silence (self,
        gcc_send_side_get_rate (gcc_sender_path_get_side (&self->path)), now);
  else
    follow_path (self, now);
}

/* The loss of packets that left in a silence shows nothing of the path after it. */
static void
excuse_loss (GccSender *self)
{
  if (watches_arrivals (self) &&
      (is_silent (self) || gcc_sender_path_is_unanswered (&self->path)))
    gcc_sender_path_excuse_loss (&self->path);
}

/* Feedback has come that ends a silence, if there was one. */
static void
end_silence (GccSender *self, GccTime now)
{
  excuse_loss (self);
  gcc_target_end_silence (&self->target);
  tell_target (self, now);
}

/* The first report with news after a silence covers what was lost in it. */
static void
forget_silence (GccSender *self)
{
  if (self->was_silent)
    gcc_loss_aggregator_forget (&self->aggregator);
  self->was_silent = FALSE;
}

/* Feedback shows a packet that has arrived. */
static void
take_news (GccSender *self, GccTime now)
{
  if (watches_arrivals (self)) {
    end_silence (self, now);
    gcc_arrival_watch_feed_news (&self->arrivals, now);
  }
  gcc_feedback_watch_feed_feedback (&self->watch, now);
}

/* To be called after reporters may have left. One that is only silent has not said
 * that more may be sent. */
static gboolean
release_rembs (GccSender *self, gboolean times_out, GccTime now)
{
  GccRate remb;

  gcc_reporters_set_transport_feedback (
      &self->reporters, gcc_sender_path_is_reported (&self->path));
  remb = gcc_reporters_get_remb (&self->reporters);
  if (remb == self->stats.remb)
    return FALSE;

  if (take_remb (self) && !times_out)
    gcc_target_feed_other_remb (&self->target, remb, now);
  else
    gcc_target_release_remb (&self->target, remb);
  tell_target (self, now);
  return TRUE;
}

/**
 * News:
 * @n_blocks: report blocks that count
 * @has_first: whether one is the first of its reporter on its stream
 * @is_new: whether one shows a packet that was not known to have arrived
 */
typedef struct {
  guint n_blocks;
  gboolean has_first;
  gboolean is_new;
} News;

/* Aggregates the blocks that count. */
static News
read_blocks (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now)
{
  News news = { 0 };

  gcc_reporters_begin_report (&self->reporters);
  for (guint i = 0; i < n_blocks; i++) {
    const GccSentStream *stream = gcc_sent_streams_find (
        &self->streams, blocks[i].ssrc);
    GccCoveredBlock covered;

    if (stream == NULL)
      continue;
    if (!gcc_reporters_take_block (
            &self->reporters, stream, &blocks[i], now, &covered)) {
      self->stats.reports_ignored++;
      continue;
    }
    gcc_loss_aggregator_feed (&self->aggregator, &covered);
    news.n_blocks++;
    news.has_first |= covered.is_first;
    news.is_new |= gcc_sent_streams_tell (
        &self->streams, blocks[i].ssrc, (guint16) blocks[i].ext_highest_seq);
  }
  self->stats.reports += news.n_blocks;
  return news;
}

/* Returns whether a silence has begun. A report that shows no new packet is
 * no feedback. */
static gboolean
follow_news (GccSender *self, const News *news, GccTime now)
{
  gboolean was_silent = is_silent (self);

  if (news->is_new || !watches_arrivals (self)) {
    forget_silence (self);
    take_news (self, now);
    check_path (self, now);
    return FALSE;
  }
  if (!news->has_first) {
    gcc_arrival_watch_feed_no_news (&self->arrivals, get_round_trip (self));
    follow_silence (self, now);
  }
  return !was_silent && is_silent (self);
}

GccSenderEvent
gcc_sender_feed_reports (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now)
{
  News news = read_blocks (self, blocks, n_blocks, now);
  GccLossReport report;
  gboolean began;

  if (news.n_blocks == 0)
    return GCC_SENDER_EVENT_NONE;

  began = follow_news (self, &news, now);
  report = gcc_loss_aggregator_finish (&self->aggregator);
  gcc_target_feed_report (&self->target, &report, now);
  follow_loss (self,
      gcc_loss_control_feed_report (&self->loss_control, &report, now), now);
  if (report.rtt >= 0) {
    self->rtt = report.rtt;
    self->stats.rtt_ms = gcc_time_to_ms (report.rtt);
  }
  if (report.has_loss) {
    self->stats.fraction_lost = report.fraction_lost;
    gcc_media_budget_feed_loss (&self->budget, report.fraction_lost, now);
  }
  gcc_sender_update (self, now);
  return began ? GCC_SENDER_EVENT_SILENCE : GCC_SENDER_EVENT_REPORT;
}

/* @remb has been taken: is it of an SSRC that reports on nothing?
 * @before: A_s, bit/s */
static void
note_strange_remb (GccSender *self, const GccRemb *remb, GccRate before)
{
  GccRate estimate = gcc_sender_path_is_steering (&self->path)
      ? gcc_send_side_get_rate (gcc_sender_path_get_side (&self->path))
      : before;

  if (self->has_strange_remb ||
      !gcc_reporters_has_other_remb (&self->reporters) ||
      self->stats.target >= estimate / 2)
    return;
  self->has_strange_remb = TRUE;
  self->strange_remb = *remb;
}

const GccRemb *
gcc_sender_get_strange_remb (const GccSender *self)
{
  return self->has_strange_remb ? &self->strange_remb : NULL;
}

GccSenderEvent
gcc_sender_feed_remb (GccSender *self, const GccRemb *remb, GccTime now)
{
  GccRate before = self->stats.target;

  gcc_reporters_set_transport_feedback (
      &self->reporters, gcc_sender_path_is_reported (&self->path));
  if (!gcc_reporters_take_remb (&self->reporters, &self->streams, remb, now)) {
    self->stats.rembs_ignored++;
    return GCC_SENDER_EVENT_NONE;
  }

  if (!gcc_sender_is_cut_off (self))
    end_silence (self, now);
  gcc_feedback_watch_feed_feedback (&self->watch, now);
  if (!gcc_sender_is_cut_off (self))
    check_path (self, now);
  self->stats.rembs++;
  follow_remb (self, now);
  gcc_sender_update (self, now);
  if (self->stats.target < before)
    self->stats.n_decreases_by_remb++;
  note_strange_remb (self, remb, before);
  return GCC_SENDER_EVENT_REMB;
}

GccSenderEvent
gcc_sender_feed_bye (GccSender *self, guint32 ssrc, GccTime now)
{
  gcc_reporters_take_bye (&self->reporters, ssrc);
  if (!release_rembs (self, FALSE, now))
    return GCC_SENDER_EVENT_NONE;
  gcc_sender_update (self, now);
  return GCC_SENDER_EVENT_REMB;
}

GccSentKind
gcc_sender_announce (GccSender *self, const GccSentPacket *packet, GccTime now)
{
  return gcc_sent_streams_take (&self->streams, packet->ssrc, packet->kind, now)
      ->kind;
}

void
gcc_sender_feed_sent (GccSender *self, const GccSentPacket *packet, GccTime now)
{
  gcc_sent_stream_feed (
      gcc_sent_streams_take (&self->streams, packet->ssrc, packet->kind, now),
      packet->seq, now);
  gcc_feedback_watch_feed_sent (&self->watch, now);
  if (watches_arrivals (self))
    gcc_arrival_watch_feed_sent (&self->arrivals, now);
  gcc_sender_path_feed_sent (&self->path, packet, now);
  gcc_media_budget_feed_sent (&self->budget, packet, now);
}

/* --- transport-wide feedback --- */

static gboolean
use_feedback (GccSender *self, GccFeedback kind, GccTime now)
{
  gboolean is_followed = gcc_sender_path_use (
      &self->path, kind, &self->target, now);

  update_target (self);
  return is_followed;
}

gboolean
gcc_sender_use_transport_feedback (GccSender *self, GccTime now)
{
  return use_feedback (self, GCC_FEEDBACK_TRANSPORT_CC, now);
}

gboolean
gcc_sender_use_ccfb (GccSender *self, GccTime now)
{
  return use_feedback (self, GCC_FEEDBACK_CCFB, now);
}

guint16
gcc_sender_take_transport_seq (GccSender *self)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  g_return_val_if_fail (side != NULL, 0);

  return gcc_send_side_take_seq (side);
}

void
gcc_sender_skip_transport_seqs (GccSender *self, guint64 n)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  g_return_if_fail (side != NULL);

  gcc_send_side_skip_seqs (side, n);
}

/* Whether the last feedback shows packets that have arrived. */
static gboolean
tells_of_arrivals (GccSender *self)
{
  guint n;
  const GccPacketResult *arrived = gcc_send_side_get_arrived (
      gcc_sender_path_get_side (&self->path), &n);

  for (guint i = 0; i < n; i++)
    gcc_sent_streams_tell (
        &self->streams, arrived[i].sent.ssrc, arrived[i].sent.rtp_seq);
  return n > 0;
}

/* Returns whether the feedback has news about the sent packets. */
static gboolean
take_feedback (GccSender *self, const GccPathFeedback *feedback, GccTime now)
{
  excuse_loss (self);
  if (!gcc_sender_path_feed (&self->path, feedback,
          gcc_target_get_rate_before_silence (&self->target), now))
    return FALSE;

  if (tells_of_arrivals (self) || !watches_arrivals (self)) {
    take_news (self, now);
    gcc_sender_path_feed_news (&self->path, now);
  }
  self->stats.feedbacks++;
  follow_path (self, now);
  gcc_sender_update (self, now);
  return TRUE;
}

static gboolean
is_of_others (const GccSender *self, const GccTransportFeedback *feedback)
{
  const GccSendSide *side = gcc_sender_path_get_side (&self->path);

  return side != NULL && gcc_send_side_is_of_others (side, feedback);
}

/* @before: the counts before feedback that had news */
static GccSenderEvent
get_event (const GccSender *self, const GccSenderStats *before)
{
  if (self->stats.probe_results > before->probe_results)
    return GCC_SENDER_EVENT_PROBE_RESULT;
  return self->stats.probes > before->probes ? GCC_SENDER_EVENT_PROBE
                                             : GCC_SENDER_EVENT_TRANSPORT;
}

GccSenderEvent
gcc_sender_feed_transport_feedback (
    GccSender *self, const guint8 *fci, gsize length, GccTime now)
{
  GccSenderStats before = self->stats;
  GccTransportFeedback feedback, whole;

  if (!gcc_transport_feedback_parse_fci (&feedback, fci, length))
    return GCC_SENDER_EVENT_MALFORMED;
  whole = feedback;
  if (!gcc_sender_path_takes (&self->path, GCC_FEEDBACK_TRANSPORT_CC) ||
      !take_feedback (
          self, &(GccPathFeedback){ .transport = &feedback }, now)) {
    if (!is_of_others (self, &whole))
      self->stats.feedbacks_ignored++;
    return GCC_SENDER_EVENT_NONE;
  }
  return get_event (self, &before);
}

GccSenderEvent
gcc_sender_feed_ccfb (
    GccSender *self, const guint8 *body, gsize length, GccTime now)
{
  GccSenderStats before = self->stats;
  GccCcfb report;

  if (!gcc_ccfb_parse (&report, body, length))
    return GCC_SENDER_EVENT_MALFORMED;
  if (!gcc_sender_path_takes (&self->path, GCC_FEEDBACK_CCFB) ||
      !gcc_sent_streams_confirm (&self->streams, report) ||
      !take_feedback (self, &(GccPathFeedback){ .ccfb = &report }, now)) {
    self->stats.feedbacks_ignored++;
    return GCC_SENDER_EVENT_NONE;
  }
  return get_event (self, &before);
}

void
gcc_sender_set_ecn (GccSender *self, gboolean uses_ecn)
{
  gcc_sender_path_set_ecn (&self->path, uses_ecn);
}

void
gcc_sender_set_held (GccSender *self, gint64 bytes)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  if (side != NULL)
    gcc_send_side_set_held (side, bytes);
}

gboolean
gcc_sender_sends_ect1 (const GccSender *self)
{
  return gcc_sender_path_sends_ect1 (&self->path);
}

const gchar *
gcc_sender_get_feedback_reason (const GccSender *self)
{
  return gcc_sender_path_get_reason (&self->path);
}

void
gcc_sender_set_probing (GccSender *self, gboolean is_probing, GccTime now)
{
  gcc_sender_path_set_probing (&self->path, is_probing, now);
}

void
gcc_sender_feed_queued (GccSender *self, gsize size, GccTime now)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  (void) now;

  if (side != NULL)
    gcc_prober_feed_queued (gcc_send_side_get_prober (side), size);
}

GccTime
gcc_sender_next_probe (GccSender *self, GccTime now)
{
  return gcc_sender_path_next_probe (&self->path, now);
}

gboolean
gcc_sender_is_window_full (GccSender *self)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  return side != NULL && gcc_send_side_is_window_full (side);
}

gsize
gcc_sender_get_probe_size (GccSender *self)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  return side != NULL
      ? gcc_prober_get_min_bytes (gcc_send_side_get_prober (side))
      : 0;
}

/* --- FEC and retransmission --- */

void
gcc_sender_set_pixels (GccSender *self, guint pixels)
{
  gcc_media_budget_set_pixels (&self->budget, pixels);
}

void
gcc_sender_set_reserved (GccSender *self, GccRate reserved)
{
  gcc_media_budget_set_reserved (&self->budget, reserved);
  update_target (self);
}

void
gcc_sender_set_streams_wait (GccSender *self, gboolean wait)
{
  GccSendSide *side = gcc_sender_path_get_side (&self->path);

  if (side != NULL)
    gcc_send_side_set_streams_wait (side, wait);
}

void
gcc_sender_begin_request (GccSender *self, GccTime now)
{
  gcc_sender_update (self, now);
  gcc_media_budget_begin_request (&self->budget, self->stats.target,
      get_new_payload (self), self->rtt, now);
}

gboolean
gcc_sender_allow_retransmission (
    GccSender *self, guint32 ssrc, guint16 seq, GccTime now)
{
  gboolean allowed = gcc_media_budget_allow_retransmission (
      &self->budget, ssrc, seq, self->rtt, now);

  if (allowed)
    self->stats.retransmissions++;
  else
    self->stats.retransmissions_dropped++;
  return allowed;
}

static GccTime
get_earlier (GccTime a, GccTime b)
{
  if (a == GCC_TIME_NONE || b == GCC_TIME_NONE)
    return MAX (a, b);
  return MIN (a, b);
}

GccTime
gcc_sender_next_timeout (const GccSender *self)
{
  GccTime next = get_earlier (gcc_feedback_watch_next_timeout (&self->watch),
      gcc_reporters_next_timeout (&self->reporters));

  next = get_earlier (next, gcc_sender_path_next_timeout (&self->path));
  if (watches_arrivals (self))
    next = get_earlier (next, gcc_arrival_watch_next_timeout (&self->arrivals));
  if (is_lowered (self) || gcc_sender_path_is_steering (&self->path))
    return next;
  return get_earlier (
      next, gcc_loss_control_next_timeout (&self->loss_control));
}

gboolean
gcc_sender_is_silence_due (const GccSender *self)
{
  return gcc_feedback_watch_next_timeout (&self->watch) != GCC_TIME_NONE ||
      (watches_arrivals (self) &&
          gcc_arrival_watch_next_timeout (&self->arrivals) != GCC_TIME_NONE);
}

gboolean
gcc_sender_is_silent (const GccSender *self)
{
  return gcc_feedback_watch_is_silent (&self->watch);
}

gboolean
gcc_sender_is_cut_off (const GccSender *self)
{
  return watches_arrivals (self) &&
      gcc_arrival_watch_is_failing (&self->arrivals);
}

GccSenderEvent
gcc_sender_handle_timeout (GccSender *self, GccTime now)
{
  GccRate before = self->stats.target;
  guint64 n_probes = self->stats.probes;
  gboolean was_silent = is_silent (self);

  gcc_reporters_handle_timeout (&self->reporters, now);
  release_rembs (self, TRUE, now);
  follow_silence (self, now);
  if (gcc_sender_path_handle_timeout (&self->path, now))
    follow_path_in_time (self, now);
  if (!is_lowered (self))
    follow_loss (
        self, gcc_loss_control_handle_timeout (&self->loss_control, now), now);
  gcc_sender_update (self, now);
  if (!was_silent && is_silent (self))
    return GCC_SENDER_EVENT_SILENCE;
  if (self->stats.probes > n_probes)
    return GCC_SENDER_EVENT_PROBE;
  return self->stats.target != before ? GCC_SENDER_EVENT_TIMEOUT
                                      : GCC_SENDER_EVENT_NONE;
}

GccRate
gcc_sender_get_target (const GccSender *self)
{
  return gcc_target_get_result (&self->target)->rate;
}

GccRate
gcc_sender_get_media_target (const GccSender *self)
{
  return gcc_media_budget_get_media_target (&self->budget,
      gcc_sender_path_get_payload (&self->path, self->stats.target));
}

GccRate
gcc_sender_get_lasting_target (const GccSender *self)
{
  GccRate after = gcc_sender_path_get_rate_after_drain (&self->path);

  return gcc_media_budget_get_lasting_target (&self->budget,
      gcc_sender_path_get_payload (
          &self->path, MAX (after, self->stats.target)));
}

const GccSenderStats *
gcc_sender_get_stats (const GccSender *self)
{
  return &self->stats;
}
