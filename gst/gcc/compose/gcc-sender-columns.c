/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-sender.h>

#include <stddef.h>

#define COLUMN(name, type, member, description) \
  { name, GCC_COLUMN_##type, offsetof (GccSenderStats, member), description }

const GccColumn gcc_sender_columns[] = {
  COLUMN ("fraction_lost", DOUBLE, fraction_lost,
      "fraction lost that was acted on last, 0 to 1"),
  COLUMN ("rtt_ms", DOUBLE, rtt_ms, "last round-trip time, ms"),
  COLUMN ("remb_bps", RATE, remb, "A_r, the least REMB in force, bit/s"),
  COLUMN ("loss_based_bps", RATE, loss_based,
      "what eq. (1) said last, before A_r and the limits, bit/s"),
  COLUMN ("a_s_bps", RATE, target, "A_s, the rate to send at, bit/s"),
  COLUMN ("reason", REASON, reason, "why A_s changed last"),
  COLUMN ("r_video_bps", RATE, video_rate, "what video sent of late, bit/s"),
  COLUMN ("r_audio_bps", RATE, audio_rate, "what audio takes of A_s, bit/s"),
  COLUMN ("r_fec_bps", RATE, fec_rate, "what FEC takes of A_s, bit/s"),
  COLUMN (
      "r_rtx_bps", RATE, rtx_rate, "what retransmission takes of A_s, bit/s"),
  COLUMN ("r_padding_bps", RATE, sent_padding_rate,
      "what padding takes of A_s, bit/s"),
  COLUMN ("v_bps", RATE, encoder_target,
      "v, what is left of A_s for the encoders, bit/s"),
  COLUMN ("fec_percentage", UINT64, fec_percentage,
      "FEC packets wanted for a hundred media packets"),
  COLUMN ("rtx", UINT64, retransmissions, "packets allowed to be sent again"),
  COLUMN ("rtx_dropped", UINT64, retransmissions_dropped,
      "packets asked for again and not allowed"),
  COLUMN ("n_dd", UINT64, n_decreases_by_remb, "REMBs that lowered A_s"),
  COLUMN ("has_feedback", BOOLEAN, has_feedback,
      "whether reports or REMBs come that count, 0 or 1"),
  COLUMN ("reports", UINT64, reports, "RTCP report blocks taken"),
  COLUMN ("rembs", UINT64, rembs, "REMBs taken"),
  COLUMN ("reports_ignored", UINT64, reports_ignored,
      "RTCP report blocks about our streams that do not count"),
  COLUMN ("rembs_ignored", UINT64, rembs_ignored, "REMBs that do not count"),
  COLUMN ("feedback", FEEDBACK, feedback,
      "what A_s follows: transport-cc, ccfb, or remb and reports"),
  COLUMN ("r_ack_bps", RATE, acknowledged,
      "R(t) as transport-wide feedback tells it, bit/s"),
  COLUMN ("delay_based_bps", RATE, delay_based,
      "the sender's own delay-based rate, bit/s"),
  COLUMN ("signal", SIGNAL, signal, "of its over-use detector"),
  COLUMN ("m_ms", DOUBLE, m_ms, "what was compared with gamma last, ms"),
  COLUMN ("gamma_ms", DOUBLE, gamma_ms, "gamma, the detector's threshold, ms"),
  COLUMN (
      "loss_state", LOSS_ESTIMATE, loss_state, "state of the loss estimate"),
  COLUMN ("competition", COMPETITION, competition,
      "whether others hold the queue: none, drain or tcp"),
  COLUMN ("verdict", VERDICT, verdict,
      "what sending less has shown last: own, others, longer-path, "
      "slower-link, lossy-path or unknown"),
  COLUMN ("alr", BOOLEAN, in_alr,
      "whether the application, not the path, is the limit, 0 or 1"),
  COLUMN ("path_rtt_ms", DOUBLE, path_rtt_ms,
      "round-trip time of the last transport-wide feedback, ms"),
  COLUMN ("path_queue_ms", DOUBLE, path_queue_ms, "queue of the path, ms"),
  COLUMN ("path_noise_ms", DOUBLE, path_noise_ms,
      "noise of its round trips, ms; 0 on a quiet path"),
  COLUMN ("path_capacity_bps", RATE, path_capacity,
      "what the last drain has shown of the link, bit/s"),
  COLUMN ("probe_bps", RATE, probe, "what the last probe measured, bit/s"),
  COLUMN ("probes", UINT64, probes, "probe clusters asked for"),
  COLUMN (
      "probe_results", UINT64, probe_results, "measurements of probe clusters"),
  COLUMN ("probes_abandoned", UINT64, probes_abandoned,
      "probe clusters given up before they were complete"),
  COLUMN ("probe_asked_bps", RATE, probe_asked,
      "what the last probe cluster was to measure, bit/s"),
  COLUMN ("probe_abandoned", STRING, probe_abandoned,
      "why the last of those was given up: late, newer or stopped"),
  COLUMN (
      "pacing_bps", RATE, pacing_rate, "rate at which packets leave, bit/s"),
  COLUMN ("padding_bps", RATE, padding_rate,
      "rate that padding should make up, bit/s"),
  COLUMN ("window_full", BOOLEAN, is_window_full,
      "whether media waits for feedback, 0 or 1"),
  COLUMN (
      "feedbacks", UINT64, feedbacks, "transport-wide feedback messages taken"),
  COLUMN ("feedbacks_lost", UINT64, feedbacks_lost,
      "transport-wide feedback messages that are missing, by their count"),
  COLUMN ("feedbacks_ignored", UINT64, feedbacks_ignored,
      "transport-wide feedback messages that tell nothing of what was sent"),
  COLUMN ("ecn", ECN, ecn,
      "whether packets leave with ECT(1): off, testing, capable, bleached, "
      "dropped or always-marked"),
  COLUMN ("ect1_packets", UINT64, ect1_packets,
      "packets that reports show with ECT(1)"),
  COLUMN (
      "ce_packets", UINT64, ce_packets, "packets that reports show with CE"),
  COLUMN ("l4s_alpha", DOUBLE, l4s_alpha,
      "alpha, mean share of packets with CE, 0 to 1"),
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
    case GCC_SENDER_EVENT_TRANSPORT:
      return "transport-feedback";
    case GCC_SENDER_EVENT_PROBE:
      return "probe";
    case GCC_SENDER_EVENT_PROBE_RESULT:
      return "probe_result";
    case GCC_SENDER_EVENT_TIMEOUT:
      return "timeout";
    case GCC_SENDER_EVENT_SILENCE:
      return "silence";
    case GCC_SENDER_EVENT_MALFORMED:
      return "malformed";
  }

  g_return_val_if_reached (NULL);
}
