/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-stats.h>

#include <math.h>

void
gcc_sender_stats_init (GccSenderStats *self)
{
  *self = (GccSenderStats){
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
}

static void
take_ecn (GccSenderStats *self, const GccSendSideEcn *ecn)
{
  if (!ecn->is_on)
    return;

  self->ecn = ecn->check.state;
  self->ect1_packets = ecn->n_ect1;
  self->ce_packets = ecn->n_ce;
  self->l4s_alpha = ecn->l4s.alpha;
}

static void
take_result (GccSenderStats *self, const GccSendSideResult *result)
{
  self->acknowledged = result->acknowledged;
  self->delay_based = result->delay_based;
  self->signal = result->signal;
  self->m_ms = result->m_ms;
  self->gamma_ms = result->gamma_ms;
  self->loss_state = result->loss_state;
  self->competition = result->competition;
  self->verdict = result->verdict;
  if (result->round_trip != GCC_TIME_NONE)
    self->path_rtt_ms = gcc_time_to_ms (result->round_trip);
  if (result->queueing != GCC_TIME_NONE) {
    self->path_queue_ms = gcc_time_to_ms (result->queueing);
    self->path_noise_ms = gcc_time_to_ms (result->noise);
  }
  self->path_capacity = result->capacity;
  self->probe = result->probe;
  self->probe_results = result->n_probe_results;
}

static void
take_probing (GccSenderStats *self, const GccProbing *probing)
{
  self->probes = probing->n_asked;
  self->probe_asked = probing->asked;
  self->probes_abandoned = probing->prober.n_abandoned;
  self->probe_abandoned = probing->prober.abandoned;
}

/* A_s may have fallen for reasons outside the send side, such as a REMB before
 * the first feedback. */
static void
take_send_side (GccSenderStats *self, GccSendSide *side)
{
  GccRate padding = gcc_send_side_get_padding_rate (side);

  take_result (self, &side->rates.result);
  take_ecn (self, &side->rates.ecn);
  self->in_alr = side->in_alr;
  take_probing (self, &side->probing);
  self->pacing_rate = gcc_send_side_get_pacing_rate (side);
  self->padding_rate = MIN (padding, self->target);
  self->is_window_full = gcc_send_side_is_window_full (side);
  self->feedbacks_lost = side->history.stats.n_feedbacks_lost;
}

void
gcc_sender_stats_take_counts (
    GccSenderStats *self, const GccSenderCounts *counts)
{
  self->reports = counts->reports;
  self->reports_ignored = counts->reports_ignored;
  self->rembs = counts->rembs;
  self->rembs_ignored = counts->rembs_ignored;
  self->n_decreases_by_remb = counts->n_decreases_by_remb;
  self->feedbacks = counts->feedbacks;
  self->feedbacks_ignored = counts->feedbacks_ignored;
}

void
gcc_sender_stats_take_control (
    GccSenderStats *self, const GccSenderControl *control)
{
  const GccTargetResult *result = &control->target.result;
  GccSendSide *side = control->path.side;

  gcc_sender_stats_take_counts (self, &control->counts);
  self->target = result->rate;
  self->reason = result->reason;
  self->remb = control->reports.remb;
  self->loss_based = gcc_sender_control_get_loss_based (control);
  self->has_feedback = gcc_silence_has_feedback (&control->silence);
  self->feedback = gcc_sender_path_get_feedback (&control->path);
  if (side != NULL)
    take_send_side (self, side);
}

void
gcc_sender_stats_take_rates (GccSenderStats *self, const GccMediaRates *rates)
{
  self->video_rate = rates->video;
  self->audio_rate = rates->audio;
  self->fec_rate = rates->fec;
  self->rtx_rate = rates->rtx;
  self->sent_padding_rate = rates->padding;
}
