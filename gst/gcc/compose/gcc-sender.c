/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/compose/gcc-sender-stats.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

/* --- from A_s to v --- */

/* The part of A_s for new media, as payload. */
static GccRate
get_new_payload (const GccSender *self)
{
  const GccSenderPath *path = &self->control.path;
  GccRate target = self->stats.target;
  GccRate release = path->side != NULL
      ? gcc_send_side_ecn_get_release (&path->side->rates.ecn, target)
      : 0;

  return gcc_sender_path_get_payload (path, target - release);
}

static void
update_target (GccSender *self)
{
  gcc_sender_stats_take_control (&self->stats, &self->control);
  self->stats.encoder_target = gcc_media_budget_get_encoder_target (
      &self->budget, get_new_payload (self));
}

/* Gives up a cluster that is late. Otherwise the next packet would do so, whenever it
 * comes. */
static void
give_up_late (GccSender *self, GccTime now)
{
  GccSendSide *side = self->control.path.side;
  GccProbeInfo probe;

  if (side != NULL)
    gcc_prober_get_probe (&side->probing.prober, now, &probe);
}

void
gcc_sender_update (GccSender *self, GccTime now)
{
  give_up_late (self, now);
  gcc_sender_stats_take_rates (
      &self->stats, gcc_media_budget_measure (&self->budget, now));
  update_target (self);
  self->stats.fec_percentage = gcc_media_budget_get_fec_percentage (
      &self->budget, get_new_payload (self), self->control.rtt, now);
}

/* --- begin and end --- */

void
gcc_sender_init (GccSender *self, const GccProfile *profile, GccRate min,
    GccRate start, GccRate max)
{
  g_return_if_fail (min > 0 && min <= max);

  gcc_sender_control_init (&self->control, profile, min, start, max);
  gcc_media_budget_init (&self->budget,
      &(GccMediaBudgetParams){
          .sent_rates = &profile->sent_rates,
          .protection = &profile->protection,
          .fec = &profile->fec,
          .retransmission = &profile->retransmission,
      });
  gcc_sender_stats_init (&self->stats);
  update_target (self);
}

void
gcc_sender_clear (GccSender *self)
{
  gcc_sender_control_clear (&self->control);
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

/* --- what the application sets --- */

void
gcc_sender_set_limits (GccSender *self, GccRate min, GccRate max)
{
  gcc_sender_control_set_limits (&self->control, min, max);
  update_target (self);
}

void
gcc_sender_restart (GccSender *self, GccRate rate, GccTime now)
{
  g_return_if_fail (rate > 0);

  gcc_sender_control_restart (&self->control, rate, now);
  gcc_sender_update (self, now);
}

static gboolean
use_feedback (GccSender *self, GccFeedback kind, GccTime now)
{
  gboolean is_followed = gcc_sender_path_use (
      &self->control.path, kind, &self->control.target, now);

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

void
gcc_sender_set_probing (GccSender *self, gboolean is_probing, GccTime now)
{
  gcc_sender_path_set_probing (&self->control.path, is_probing, now);
}

void
gcc_sender_set_ecn (GccSender *self, gboolean uses_ecn)
{
  gcc_sender_path_set_ecn (&self->control.path, uses_ecn);
}

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

/* --- messages of receivers, and time --- */

/* The message does not count, or not yet. */
static GccSenderEvent
ignore (GccSender *self)
{
  gcc_sender_stats_take_counts (&self->stats, &self->control.counts);
  return GCC_SENDER_EVENT_NONE;
}

GccSenderEvent
gcc_sender_feed_reports (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now)
{
  GccLossReport report;
  gboolean began;

  if (!gcc_sender_control_feed_reports (
          &self->control, blocks, n_blocks, &report, &began, now))
    return ignore (self);

  if (report.rtt >= 0)
    self->stats.rtt_ms = gcc_time_to_ms (report.rtt);
  if (report.has_loss) {
    self->stats.fraction_lost = report.fraction_lost;
    gcc_media_budget_feed_loss (&self->budget, report.fraction_lost, now);
  }
  gcc_sender_update (self, now);
  return began ? GCC_SENDER_EVENT_SILENCE : GCC_SENDER_EVENT_REPORT;
}

GccSenderEvent
gcc_sender_feed_remb (GccSender *self, const GccRemb *remb, GccTime now)
{
  if (!gcc_sender_control_feed_remb (&self->control, remb, now))
    return ignore (self);

  gcc_sender_update (self, now);
  return GCC_SENDER_EVENT_REMB;
}

GccSenderEvent
gcc_sender_feed_bye (GccSender *self, guint32 ssrc, GccTime now)
{
  if (!gcc_sender_control_feed_bye (&self->control, ssrc, now))
    return ignore (self);

  gcc_sender_update (self, now);
  return GCC_SENDER_EVENT_REMB;
}

/* Feedback had news. */
static GccSenderEvent
take_feedback (GccSender *self, GccTime now)
{
  guint64 n_results = self->stats.probe_results;
  guint64 n_probes = self->stats.probes;

  gcc_sender_update (self, now);
  if (self->stats.probe_results > n_results)
    return GCC_SENDER_EVENT_PROBE_RESULT;
  return self->stats.probes > n_probes ? GCC_SENDER_EVENT_PROBE
                                       : GCC_SENDER_EVENT_TRANSPORT;
}

GccSenderEvent
gcc_sender_feed_transport_feedback (
    GccSender *self, const guint8 *fci, gsize length, GccTime now)
{
  GccTransportFeedback feedback;

  if (!gcc_transport_feedback_parse_fci (&feedback, fci, length))
    return GCC_SENDER_EVENT_MALFORMED;
  return gcc_sender_control_feed_transport (&self->control, feedback, now)
      ? take_feedback (self, now)
      : ignore (self);
}

GccSenderEvent
gcc_sender_feed_ccfb (
    GccSender *self, const guint8 *body, gsize length, GccTime now)
{
  GccCcfb report;

  if (!gcc_ccfb_parse (&report, body, length))
    return GCC_SENDER_EVENT_MALFORMED;
  return gcc_sender_control_feed_ccfb (&self->control, report, now)
      ? take_feedback (self, now)
      : ignore (self);
}

GccTime
gcc_sender_next_timeout (const GccSender *self)
{
  return gcc_sender_control_next_timeout (&self->control);
}

GccSenderEvent
gcc_sender_handle_timeout (GccSender *self, GccTime now)
{
  GccRate before = self->stats.target;
  guint64 n_probes = self->stats.probes;
  gboolean began = gcc_sender_control_handle_timeout (&self->control, now);

  gcc_sender_update (self, now);
  if (began)
    return GCC_SENDER_EVENT_SILENCE;
  if (self->stats.probes > n_probes)
    return GCC_SENDER_EVENT_PROBE;
  return self->stats.target != before ? GCC_SENDER_EVENT_TIMEOUT
                                      : GCC_SENDER_EVENT_NONE;
}

/* --- what leaves --- */

GccSentKind
gcc_sender_announce (GccSender *self, const GccSentPacket *packet, GccTime now)
{
  return gcc_sent_streams_take (
      &self->control.streams, packet->ssrc, packet->kind, now)
      ->kind;
}

void
gcc_sender_feed_sent (GccSender *self, const GccSentPacket *packet, GccTime now)
{
  gcc_sender_control_feed_sent (&self->control, packet, now);
  gcc_media_budget_feed_sent (&self->budget, packet, now);
}

guint16
gcc_sender_take_transport_seq (GccSender *self)
{
  GccSendSide *side = self->control.path.side;

  g_return_val_if_fail (side != NULL, 0);

  return gcc_send_side_take_seq (side);
}

void
gcc_sender_skip_transport_seqs (GccSender *self, guint64 n)
{
  GccSendSide *side = self->control.path.side;

  g_return_if_fail (side != NULL);

  gcc_send_side_skip_seqs (side, n);
}

void
gcc_sender_set_held (GccSender *self, gint64 bytes)
{
  GccSendSide *side = self->control.path.side;

  if (side != NULL)
    gcc_send_side_ecn_set_held (&side->rates.ecn, bytes);
}

gboolean
gcc_sender_sends_ect1 (const GccSender *self)
{
  const GccSenderPath *path = &self->control.path;

  return gcc_sender_path_takes (path, GCC_FEEDBACK_CCFB) &&
      gcc_send_side_ecn_marks (&path->side->rates.ecn);
}

void
gcc_sender_feed_queued (GccSender *self, gsize size, GccTime now)
{
  GccSendSide *side = self->control.path.side;

  (void) now;

  if (side != NULL)
    gcc_prober_feed_queued (&side->probing.prober, size);
}

GccTime
gcc_sender_next_probe (GccSender *self, GccTime now)
{
  GccSendSide *side = self->control.path.side;

  give_up_late (self, now);
  return side != NULL ? gcc_prober_next_send (&side->probing.prober, now)
                      : GCC_TIME_NONE;
}

gsize
gcc_sender_get_probe_size (GccSender *self)
{
  GccSendSide *side = self->control.path.side;

  return side != NULL ? gcc_prober_get_min_bytes (&side->probing.prober) : 0;
}

gboolean
gcc_sender_is_window_full (GccSender *self)
{
  GccSendSide *side = self->control.path.side;

  return side != NULL && gcc_send_side_is_window_full (side);
}

void
gcc_sender_begin_request (GccSender *self, GccTime now)
{
  gcc_sender_update (self, now);
  gcc_media_budget_begin_request (&self->budget, self->stats.target,
      get_new_payload (self), self->control.rtt, now);
}

gboolean
gcc_sender_allow_retransmission (
    GccSender *self, guint32 ssrc, guint16 seq, GccTime now)
{
  gboolean allowed = gcc_media_budget_allow_retransmission (
      &self->budget, ssrc, seq, self->control.rtt, now);

  if (allowed)
    self->stats.retransmissions++;
  else
    self->stats.retransmissions_dropped++;
  return allowed;
}

/* --- what is known --- */

GccRate
gcc_sender_get_target (const GccSender *self)
{
  return self->control.target.result.rate;
}

GccRate
gcc_sender_get_media_target (const GccSender *self)
{
  return gcc_media_budget_get_media_target (&self->budget,
      gcc_sender_path_get_payload (&self->control.path, self->stats.target));
}

/* A_s, or what it will be after a drain. */
static GccRate
get_lasting (const GccSender *self)
{
  GccRate after = gcc_sender_path_get_rate_after_drain (&self->control.path);

  return MAX (after, self->stats.target);
}

GccRate
gcc_sender_get_lasting_target (const GccSender *self)
{
  return gcc_media_budget_get_lasting_target (&self->budget,
      gcc_sender_path_get_payload (&self->control.path, get_lasting (self)));
}

/* The A_s of which @v is left. */
static GccRate
get_wanted (const GccSender *self, GccRate v)
{
  GccRate lasting = get_lasting (self);
  GccRate payload = gcc_sender_path_get_payload (&self->control.path, lasting);
  GccRate needed = gcc_media_budget_get_payload_for (&self->budget, payload, v);

  return gcc_rate_from_double ((gdouble) lasting * (gdouble) MAX (needed, 1) /
      (gdouble) MAX (payload, 1));
}

void
gcc_sender_set_wanted (
    GccSender *self, GccRate v, gboolean resumes, GccTime now)
{
  GccSendSide *side = self->control.path.side;

  if (side == NULL)
    return;
  gcc_send_side_set_wanted (side, v > 0 ? MAX (get_wanted (self, v), 1) : 0);
  if (resumes)
    gcc_send_side_rates_feed_resumption (&side->rates, now);
}

gboolean
gcc_sender_is_silence_due (const GccSender *self)
{
  return gcc_silence_next_timeout (&self->control.silence) != GCC_TIME_NONE;
}

gboolean
gcc_sender_is_silent (const GccSender *self)
{
  return gcc_silence_is_unheard (&self->control.silence);
}

gboolean
gcc_sender_is_cut_off (const GccSender *self)
{
  return gcc_silence_is_cut_off (&self->control.silence);
}

const gchar *
gcc_sender_get_feedback_reason (const GccSender *self)
{
  return gcc_sender_path_get_reason (&self->control.path);
}

const GccRemb *
gcc_sender_get_strange_remb (const GccSender *self)
{
  return gcc_reports_get_strange_remb (&self->control.reports);
}

const GccSenderStats *
gcc_sender_get_stats (const GccSender *self)
{
  return &self->stats;
}
