/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-control.h>

#include <gst/gcc/history/gcc-deadline.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

void
gcc_sender_control_init (GccSenderControl *self, const GccProfile *profile,
    GccRate min, GccRate start, GccRate max)
{
  gcc_sent_streams_init (&self->streams);
  gcc_sender_path_init (
      &self->path, profile->send_side, &profile->transport_watch);
  self->counts = (GccSenderCounts){ 0 };
  gcc_reports_init (&self->reports, &profile->loss.reports);
  gcc_target_init (&self->target, &profile->target, min, start, max);
  gcc_loss_control_init (&self->loss, &profile->loss, &self->target.result);
  gcc_silence_init (
      &self->silence, &profile->feedback_watch, profile->arrival_watch);
  self->rtt = GCC_TIME_NONE;
}

void
gcc_sender_control_clear (GccSenderControl *self)
{
  gcc_sender_path_clear (&self->path);
}

void
gcc_sender_control_set_limits (GccSenderControl *self, GccRate min, GccRate max)
{
  gcc_target_set_limits (&self->target, min, max);
  if (self->path.side != NULL)
    gcc_send_side_set_limits (self->path.side, min, max);
  gcc_loss_control_feed_limited_target (&self->loss, &self->target.result);
}

void
gcc_sender_control_feed_sent (
    GccSenderControl *self, const GccSentPacket *packet, GccTime now)
{
  gcc_sent_stream_feed (
      gcc_sent_streams_take (&self->streams, packet->ssrc, packet->kind, now),
      packet->seq, now);
  gcc_silence_feed_sent (&self->silence, now);
  gcc_sender_path_feed_sent (&self->path, packet, now);
}

/* --- from the rates to A_s --- */

/* Eq. (1) starts from the A_s in force. */
static void
tell_loss (GccSenderControl *self, GccTime now)
{
  gcc_loss_control_feed_target (&self->loss, &self->target.result, now);
}

/* So do the probes of the path. */
static void
tell_path (GccSenderControl *self, GccTime now)
{
  if (self->path.side != NULL)
    gcc_send_side_feed_target (self->path.side, self->target.result.rate, now);
}

void
gcc_sender_control_restart (GccSenderControl *self, GccRate rate, GccTime now)
{
  gcc_target_restart (&self->target, rate);
  gcc_sender_path_restart (&self->path, self->target.result.rate, now);
  tell_loss (self, now);
}

static void
follow_loss (GccSenderControl *self, GccRate loss_based, GccTime now)
{
  if (loss_based == GCC_RATE_NONE || gcc_sender_path_is_steering (&self->path))
    return;

  gcc_target_feed_loss_based (&self->target, loss_based, self->loss.reason);
  tell_loss (self, now);
}

static void
follow_path (GccSenderControl *self, GccTime now)
{
  const GccSendSide *side = self->path.side;

  gcc_target_feed_estimate (&self->target, side->rates.result.delay_based,
      gcc_send_side_get_rate (side), gcc_send_side_get_reason (side));
  tell_loss (self, now);
  tell_path (self, now);
}

/* --- silence --- */

static void
bound_by_silence (GccSenderControl *self, GccRate rate, GccTime now)
{
  gcc_reports_begin_silence (&self->reports);
  gcc_target_feed_silence (&self->target, rate);
  tell_loss (self, now);
  tell_path (self, now);
}

/* The path notices that no feedback comes sooner, but not that no packet arrives. */
static void
follow_silence (GccSenderControl *self, GccTime now)
{
  GccRate rate = gcc_silence_handle_timeout (
      &self->silence, self->target.result.rate);

  if (rate != GCC_RATE_NONE &&
      (gcc_silence_is_cut_off (&self->silence) ||
          !gcc_sender_path_is_unanswered (&self->path)))
    bound_by_silence (self, rate, now);
}

/* Time has changed the estimate of the path. */
static void
follow_path_in_time (GccSenderControl *self, GccTime now)
{
  if (!gcc_sender_path_is_steering (&self->path) ||
      gcc_silence_is_cut_off (&self->silence))
    return;

  if (self->silence.watches_arrivals &&
      gcc_sender_path_is_unanswered (&self->path))
    bound_by_silence (self, gcc_send_side_get_rate (self->path.side), now);
  else
    follow_path (self, now);
}

/* The loss of packets that left in a silence shows nothing of the path after it. */
static void
excuse_loss (GccSenderControl *self)
{
  if (self->path.side != NULL && self->silence.watches_arrivals &&
      (gcc_silence_is_silent (&self->silence) ||
          gcc_sender_path_is_unanswered (&self->path)))
    gcc_send_side_excuse_loss (self->path.side);
}

/* Feedback has come that ends a silence, if there was one. */
static void
end_silence (GccSenderControl *self, GccTime now)
{
  excuse_loss (self);
  gcc_target_end_silence (&self->target);
  tell_loss (self, now);
}

/* Feedback shows a packet that has arrived. */
static void
take_news (GccSenderControl *self, GccTime now)
{
  if (self->silence.watches_arrivals)
    end_silence (self, now);
  gcc_silence_feed_news (&self->silence, now);
}

/* --- reports --- */

/* Reports or REMBs have come. They take over if no feedback about packets comes. */
static void
check_path (GccSenderControl *self, GccTime now)
{
  if (!gcc_sender_path_feed_other (&self->path, now))
    return;

  gcc_target_release_estimate (&self->target);
  tell_loss (self, now);
}

/* The longest that is known. */
static GccTime
get_round_trip (const GccSenderControl *self)
{
  const GccSendSide *side = self->path.side;

  return side != NULL ? MAX (self->rtt, side->rates.result.round_trip)
                      : self->rtt;
}

/* Returns whether a silence has begun. A report that shows no new packet is
 * no feedback. */
static gboolean
follow_news (GccSenderControl *self, const GccReportNews *news, GccTime now)
{
  gboolean was_silent = gcc_silence_is_silent (&self->silence);

  if (news->is_new || !self->silence.watches_arrivals) {
    gcc_reports_end_silence (&self->reports);
    take_news (self, now);
    check_path (self, now);
    return FALSE;
  }
  if (!news->has_first) {
    gcc_silence_feed_no_news (&self->silence, get_round_trip (self));
    follow_silence (self, now);
  }
  return !was_silent && gcc_silence_is_silent (&self->silence);
}

gboolean
gcc_sender_control_feed_reports (GccSenderControl *self,
    const GccReportBlock *blocks, guint n_blocks, GccLossReport *report,
    gboolean *began, GccTime now)
{
  GccReportNews news = gcc_reports_feed (
      &self->reports, &self->streams, blocks, n_blocks, now);

  self->counts.reports += news.n_blocks;
  self->counts.reports_ignored += news.n_ignored;
  if (news.n_blocks == 0)
    return FALSE;

  *began = follow_news (self, &news, now);
  *report = gcc_loss_aggregator_finish (&self->reports.aggregator);
  gcc_target_feed_report (&self->target, report, now);
  follow_loss (
      self, gcc_loss_control_feed_report (&self->loss, report, now), now);
  if (report->rtt >= 0)
    self->rtt = report->rtt;
  return TRUE;
}

/* --- REMBs --- */

static void
follow_remb (GccSenderControl *self, GccTime now)
{
  if (gcc_reports_take_remb (&self->reports))
    gcc_target_feed_other_remb (&self->target, self->reports.remb, now);
  else
    gcc_target_feed_remb (&self->target, self->reports.remb, now);
  tell_loss (self, now);
  if (gcc_sender_path_is_steering (&self->path))
    follow_path (self, now);
}

/* A REMB has been taken. @before: A_s, bit/s */
static void
judge_remb (GccSenderControl *self, const GccRemb *remb, GccRate before)
{
  GccRate rate = self->target.result.rate;
  GccRate estimate = gcc_sender_path_is_steering (&self->path)
      ? gcc_send_side_get_rate (self->path.side)
      : before;

  if (rate < before)
    self->counts.n_decreases_by_remb++;
  if (rate < estimate / 2)
    gcc_reports_suspect (&self->reports, remb);
}

gboolean
gcc_sender_control_feed_remb (
    GccSenderControl *self, const GccRemb *remb, GccTime now)
{
  GccRate before = self->target.result.rate;
  gboolean arrives = !gcc_silence_is_cut_off (&self->silence);

  if (!gcc_reports_feed_remb (&self->reports, &self->streams, remb,
          gcc_sender_path_is_reported (&self->path), now)) {
    self->counts.rembs_ignored++;
    return FALSE;
  }

  self->counts.rembs++;
  if (arrives)
    end_silence (self, now);
  gcc_silence_feed_feedback (&self->silence, now);
  if (arrives)
    check_path (self, now);
  follow_remb (self, now);
  judge_remb (self, remb, before);
  return TRUE;
}

/* To be called after reporters may have left. One that is only silent has not said
 * that more may be sent. */
static gboolean
release_rembs (GccSenderControl *self, gboolean times_out, GccTime now)
{
  if (!gcc_reports_has_other_rate (
          &self->reports, gcc_sender_path_is_reported (&self->path)))
    return FALSE;

  if (gcc_reports_take_remb (&self->reports) && !times_out)
    gcc_target_feed_other_remb (&self->target, self->reports.remb, now);
  else
    gcc_target_release_remb (&self->target, self->reports.remb);
  tell_loss (self, now);
  return TRUE;
}

gboolean
gcc_sender_control_feed_bye (GccSenderControl *self, guint32 ssrc, GccTime now)
{
  gcc_reporters_take_bye (&self->reports.reporters, ssrc);
  return release_rembs (self, FALSE, now);
}

/* --- feedback about packets --- */

/* Whether the last feedback shows packets that have arrived. */
static gboolean
tells_of_arrivals (GccSenderControl *self)
{
  const GccSendSide *side = self->path.side;

  for (guint i = 0; i < side->n_arrived; i++)
    gcc_sent_streams_tell (&self->streams, side->packets[i].sent.ssrc,
        side->packets[i].sent.rtp_seq);
  return side->n_arrived > 0;
}

/* Returns whether the feedback has news about the sent packets. */
static gboolean
take_feedback (
    GccSenderControl *self, const GccPathFeedback *feedback, GccTime now)
{
  excuse_loss (self);
  if (!gcc_sender_path_feed (&self->path, feedback,
          gcc_target_get_rate_before_silence (&self->target), now))
    return FALSE;

  if (tells_of_arrivals (self) || !self->silence.watches_arrivals) {
    take_news (self, now);
    gcc_feedback_watch_feed_feedback (&self->path.watch, now);
  }
  self->counts.feedbacks++;
  follow_path (self, now);
  return TRUE;
}

static gboolean
is_of_others (
    const GccSenderControl *self, const GccTransportFeedback *feedback)
{
  const GccSendSide *side = self->path.side;

  return side != NULL &&
      gcc_sent_history_is_of_others (&side->history, feedback);
}

gboolean
gcc_sender_control_feed_transport (
    GccSenderControl *self, GccTransportFeedback feedback, GccTime now)
{
  GccTransportFeedback whole = feedback;
  gboolean has_news = gcc_sender_path_takes (
                          &self->path, GCC_FEEDBACK_TRANSPORT_CC) &&
      take_feedback (self, &(GccPathFeedback){ .transport = &feedback }, now);

  if (!has_news && !is_of_others (self, &whole))
    self->counts.feedbacks_ignored++;
  return has_news;
}

gboolean
gcc_sender_control_feed_ccfb (
    GccSenderControl *self, GccCcfb report, GccTime now)
{
  gboolean has_news = gcc_sender_path_takes (&self->path, GCC_FEEDBACK_CCFB) &&
      gcc_sent_streams_confirm (&self->streams, report) &&
      take_feedback (self, &(GccPathFeedback){ .ccfb = &report }, now);

  if (!has_news)
    self->counts.feedbacks_ignored++;
  return has_news;
}

/* --- time --- */

GccTime
gcc_sender_control_next_timeout (const GccSenderControl *self)
{
  GccTime next = gcc_deadline_get_earlier (
      gcc_silence_next_timeout (&self->silence),
      gcc_reporters_next_timeout (&self->reports.reporters));

  if (self->path.side != NULL)
    next = gcc_deadline_get_earlier (
        next, gcc_send_side_next_timeout (self->path.side));
  if (gcc_silence_lowers (&self->silence) ||
      gcc_sender_path_is_steering (&self->path))
    return next;
  return gcc_deadline_get_earlier (
      next, gcc_loss_control_next_timeout (&self->loss));
}

gboolean
gcc_sender_control_handle_timeout (GccSenderControl *self, GccTime now)
{
  gboolean was_silent = gcc_silence_is_silent (&self->silence);

  gcc_reporters_handle_timeout (&self->reports.reporters, now);
  release_rembs (self, TRUE, now);
  follow_silence (self, now);
  if (self->path.side != NULL &&
      gcc_send_side_handle_timeout (self->path.side, now))
    follow_path_in_time (self, now);
  if (!gcc_silence_lowers (&self->silence))
    follow_loss (self, gcc_loss_control_handle_timeout (&self->loss, now), now);
  return !was_silent && gcc_silence_is_silent (&self->silence);
}

GccRate
gcc_sender_control_get_loss_based (const GccSenderControl *self)
{
  return gcc_sender_path_is_steering (&self->path)
      ? self->path.side->rates.result.loss_based
      : self->loss.rate;
}
