/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "control/gstgccfeedback.h"

#include <gst/gcc/profiles/gcc-profile-private.h>

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* Numbered packets without feedback for this long are reported: several reports
 * come in this time. */
#define TRANSPORT_PATIENCE (5 * GCC_SECOND)

/* Media without a measurement of the path for this long is reported: in some
 * profiles a REMB waits for a report, and reports are seconds apart. */
#define MEASURED_PATIENCE (15 * GCC_SECOND)

void
gst_gcc_feedback_init (GstGccFeedback *self, GstGccController *controller)
{
  *self = (GstGccFeedback){ .controller = controller };
}

void
gst_gcc_feedback_start (GstGccFeedback *self, const GccProfile *profile)
{
  self->profile = profile;
  gcc_round_trip_init (&self->round_trip);
  self->receiver_reference_time = (GstGccReferenceTime){ 0 };
  self->is_silent = FALSE;
  self->has_come = FALSE;
  self->is_misplaced = FALSE;
  self->is_transport_missing = FALSE;
  self->reported_at = 0;
  self->is_unmeasured = FALSE;
  self->is_unused = FALSE;
  self->has_unused = FALSE;
  self->is_remb_told = FALSE;
  self->large_limit = 0;
  self->n_malformed_rembs = 0;
  self->n_malformed_transport = 0;
  self->n_malformed_ccfb = 0;
}

/* As in the session's own `twcc-stats`, which are empty while gccsender numbers
 * the packets. */
static void
add_transport_stats (const GstGccFeedback *self, GstStructure *stats)
{
  const GccSendSide *side = gcc_sender_get_send_side (self->controller->sender);
  GccArrivalRates rates;

  if (side == NULL)
    return;
  rates = gcc_acknowledged_rate_get_rates (&side->rates.acknowledged);
  if (rates.sent == GCC_RATE_NONE || rates.received == GCC_RATE_NONE)
    return;
  gst_structure_set (stats, "bitrate-sent", G_TYPE_UINT,
      (guint) MIN (rates.sent, G_MAXUINT), "bitrate-recv", G_TYPE_UINT,
      (guint) MIN (rates.received, G_MAXUINT), "packet-loss-pct", G_TYPE_DOUBLE,
      100. * side->rates.loss.average_loss, "avg-delta-of-delta", G_TYPE_INT64,
      rates.mean_delta, NULL);
}

void
gst_gcc_feedback_add_stats (const GstGccFeedback *self, GstStructure *stats)
{
  gst_structure_set (stats, "malformed-remb", G_TYPE_UINT64,
      self->n_malformed_rembs, "malformed-transport-cc", G_TYPE_UINT64,
      self->n_malformed_transport, "malformed-ccfb", G_TYPE_UINT64,
      self->n_malformed_ccfb, NULL);
  add_transport_stats (self, stats);
}

/* --- what arrives, with the lock held --- */

static const GccSenderStats *
get_stats (const GstGccFeedback *self)
{
  return gcc_sender_get_stats (self->controller->sender);
}

static gboolean
has_feedback (GstGccFeedback *self)
{
  return get_stats (self)->has_feedback;
}

static void
count_malformed (GstGccFeedback *self, const GstGccRtcp *rtcp)
{
  if (rtcp->malformed_remb && self->n_malformed_rembs++ == 0)
    GST_WARNING_OBJECT (
        self->controller->element, "ignoring malformed REMB messages");
}

static void
warn_of_ignored (GstGccFeedback *self, GccSenderStats before)
{
  const GccSenderStats *stats = get_stats (self);

  if (before.reports_ignored == 0 && stats->reports_ignored > 0)
    GST_WARNING_OBJECT (self->controller->element,
        "ignoring report blocks about packets that were not sent, or that are "
        "older than the last");
  if (before.rembs_ignored == 0 && stats->rembs_ignored > 0)
    GST_WARNING_OBJECT (self->controller->element,
        "ignoring REMBs that name no stream of this session, or whose sender "
        "does not report on one");
  if (before.feedbacks_ignored == 0 && stats->feedbacks_ignored > 0 &&
      self->controller->n_numbered > 0)
    GST_WARNING_OBJECT (self->controller->element,
        "ignoring transport-wide feedback that tells nothing of what was sent");
}

/* @before: the counts before. */
static void
tell_of_change (GstGccFeedback *self, GccSenderStats before)
{
  const GccSenderStats *stats = get_stats (self);

  if (stats->reports > before.reports || stats->rembs > before.rembs)
    self->reported_at = self->controller->untold_time;
  warn_of_ignored (self, before);
  if (!before.has_feedback && has_feedback (self))
    gst_gcc_trace_write (self->controller->trace, "feedback", get_stats (self));
}

typedef struct {
  GstGccFeedback *feedback;
  GccTime now;
} Arrival;

static gboolean
take_fci (const guint8 *fci, gsize length, gpointer user_data)
{
  Arrival *self = user_data;
  GstGccFeedback *feedback = self->feedback;
  GccSenderEvent event = gcc_sender_feed_transport_feedback (
      feedback->controller->sender, fci, length, self->now);

  if (event == GCC_SENDER_EVENT_MALFORMED)
    return FALSE;
  feedback->has_unused |= feedback->profile->send_side == NULL;
  gst_gcc_controller_trace (feedback->controller, event);

  return TRUE;
}

static gboolean
take_ccfb_body (const guint8 *body, gsize length, gpointer user_data)
{
  Arrival *self = user_data;
  GstGccController *controller = self->feedback->controller;
  GccSenderEvent event = gcc_sender_feed_ccfb (
      controller->sender, body, length, self->now);

  if (event == GCC_SENDER_EVENT_MALFORMED)
    return FALSE;
  gst_gcc_controller_trace (controller, event);

  return TRUE;
}

/* @before: the count before. */
static void
note_feedback (GstGccFeedback *self, guint64 before)
{
  if (get_stats (self)->feedbacks == before)
    return;
  self->controller->untold_time = 0;
  self->reported_at = 0;
}

static void
take_transport_feedback (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  Arrival arrival = { .feedback = self, .now = now };
  guint64 before = get_stats (self)->feedbacks;
  guint n_malformed;

  n_malformed = gst_gcc_rtcp_read_transport_feedback (
      buffer, take_fci, &arrival);
  if (n_malformed > 0 && self->n_malformed_transport == 0)
    GST_WARNING_OBJECT (self->controller->element,
        "ignoring malformed transport-wide feedback");
  self->n_malformed_transport += n_malformed;
  note_feedback (self, before);
}

static void
take_ccfb (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  Arrival arrival = { .feedback = self, .now = now };
  guint64 before = get_stats (self)->feedbacks;
  guint n_malformed = gst_gcc_rtcp_read_ccfb (buffer, take_ccfb_body, &arrival);

  if (n_malformed > 0 && self->n_malformed_ccfb == 0)
    GST_WARNING_OBJECT (
        self->controller->element, "ignoring malformed reports of RFC 8888");
  self->n_malformed_ccfb += n_malformed;
  note_feedback (self, before);
}

static void
take_rtcp (GstGccFeedback *self, const GstGccRtcp *rtcp, GccTime now)
{
  GccSenderStats before = *get_stats (self);

  gst_gcc_controller_trace (self->controller,
      gcc_sender_feed_reports (
          self->controller->sender, rtcp->blocks, rtcp->n_blocks, now));
  for (guint i = 0; i < rtcp->n_rembs; i++)
    gst_gcc_controller_trace (self->controller,
        gcc_sender_feed_remb (self->controller->sender, &rtcp->rembs[i], now));
  for (guint i = 0; i < rtcp->n_byes; i++)
    gcc_sender_feed_bye (self->controller->sender, rtcp->byes[i], now);
  tell_of_change (self, before);
}

/* --- silence --- */

typedef enum {
  SILENCE = 1 << 0,
  FEEDBACK = 1 << 1,
  TRANSPORT_MISSING = 1 << 2,
  TRANSPORT_FEEDBACK = 1 << 3,
  UNMEASURED = 1 << 4,
  UNUSED = 1 << 5,
  STOP = 1 << 6,
  CUT_OFF = 1 << 7,
  STRANGE_REMB = 1 << 8,
  LARGE_LOST = 1 << 9,
  CCFB_MISSING = 1 << 10,
  CCFB = 1 << 11,
} News;

/* With the lock held, as the next ones. */
static News
get_news_of_feedback (GstGccFeedback *self)
{
  gboolean was_silent = self->is_silent;
  gboolean had_come = self->has_come;

  self->is_silent = gcc_sender_is_silent (self->controller->sender);
  self->has_come |= has_feedback (self);
  if (self->is_silent == was_silent)
    return 0;
  if (!self->is_silent)
    return FEEDBACK;
  if (gcc_sender_is_cut_off (self->controller->sender))
    return CUT_OFF;
  return had_come ? STOP : SILENCE;
}

/* Reports go on without it, so the way back is open: where all stops at once, the
 * last report comes soon after the last feedback. */
static gboolean
is_transport_missing (GstGccFeedback *self)
{
  return has_feedback (self) && self->reported_at > TRANSPORT_PATIENCE / 2 &&
      self->controller->untold_time > TRANSPORT_PATIENCE;
}

static News
get_news_of_transport (GstGccFeedback *self)
{
  gboolean was_missing = self->is_transport_missing;

  if (was_missing && !has_feedback (self))
    return 0;
  self->is_transport_missing = is_transport_missing (self);
  if (self->is_transport_missing == was_missing)
    return 0;
  if (gcc_sender_follows_ccfb (self->controller->sender))
    return was_missing ? CCFB : CCFB_MISSING;
  return was_missing ? TRANSPORT_FEEDBACK : TRANSPORT_MISSING;
}

/* Reports measure loss alone. */
static gboolean
is_unmeasured (GstGccFeedback *self)
{
  const GccSenderStats *stats = get_stats (self);

  return stats->has_feedback && !self->has_unused && stats->rembs == 0 &&
      stats->feedbacks == 0 && self->controller->n_numbered == 0 &&
      stats->video_rate > 0 && self->controller->sent_time > MEASURED_PATIENCE;
}

static News
get_news_of_measuring (GstGccFeedback *self)
{
  if (self->is_unmeasured || !is_unmeasured (self))
    return 0;
  self->is_unmeasured = TRUE;
  return UNMEASURED;
}

static News
get_news_of_unused (GstGccFeedback *self)
{
  if (self->is_unused || !self->has_unused)
    return 0;
  self->is_unused = TRUE;
  return UNUSED;
}

static News
get_news_of_remb (GstGccFeedback *self)
{
  const GccRemb *remb = gcc_sender_get_strange_remb (self->controller->sender);

  if (self->is_remb_told || remb == NULL)
    return 0;
  self->is_remb_told = TRUE;
  self->strange_remb = *remb;
  return STRANGE_REMB;
}

static News
get_news_of_large_packets (GstGccFeedback *self)
{
  const GccSendSide *side = gcc_sender_get_send_side (self->controller->sender);

  if (self->large_limit > 0 || side == NULL)
    return 0;
  self->large_limit = gcc_large_loss_get_limit (&side->large_loss);
  return self->large_limit > 0 ? LARGE_LOST : 0;
}

/* Messages for the bus, posted without the lock. */
static News
get_news (GstGccFeedback *self)
{
  if (!self->controller->is_running || self->is_misplaced)
    return 0;
  return get_news_of_feedback (self) | get_news_of_transport (self) |
      get_news_of_measuring (self) | get_news_of_unused (self) |
      get_news_of_remb (self) | get_news_of_large_packets (self);
}

static void
tell_silence (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("No RTCP feedback: packets leave, and nobody reports on them."),
      ("The receiver is gone or was never there; or its RTCP finds no way "
       "back: RTP and RTCP ports swapped or blocked by a firewall, nothing "
       "linked to recv_rtcp_sink; or it reports on another SSRC than is "
       "sent; or, with GStreamer 1.26 and later, the application ignores "
       "LATENCY messages, so that an rtpsession makes no reports: call "
       "gst_bin_recalculate_latency(). Until a report comes, no rate can "
       "be known to fit the network."));
}

static void
tell_stop (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("RTCP feedback has stopped: packets leave, and nobody reports on them "
       "any more."),
      ("The receiver has gone, or the network between the two is cut in one "
       "direction or both. With the default profile the bitrate falls to "
       "\"min-bitrate\" meanwhile, and of that audio leaves little for video. "
       "It rises again when a report comes."));
}

static void
tell_cut_off (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("No packet arrives: reports come back, and show none that is new."),
      ("The way back works, and the way there does not: the network loses all "
       "packets of one direction, a firewall or a NAT has closed the port of "
       "RTP, or the receiver has moved. The bitrate falls until a packet is "
       "known to have arrived, and is then what it was."));
}

static void
tell_ccfb_missing (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("No report of RFC 8888: other reports come back, but none about each "
       "packet. REMB and receiver reports are followed."),
      ("The other end does not send them: gccreceiver is not set to "
       "feedback=ccfb, or the SDP answer lacks \"a=rtcp-fb:... ack ccfb\". Set "
       "feedback=remb if that is what you want."));
}

static void
tell_transport_missing (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("No transport-wide feedback: reports come back, but none about the "
       "numbers in the packets. REMB and receiver reports are followed."),
      ("The other end does not know the header extension: the SDP answer lacks "
       "its a=extmap line or \"a=rtcp-fb:... transport-cc\"; gccreceiver is "
       "not set to feedback=transport-cc, or the caps of an rtpsession have "
       "no extmap of it; or something on the way removes it. Set "
       "feedback=remb if that is what you want."));
}

static void
tell_unmeasured (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("Nobody measures the path: only receiver reports come back, and the "
       "bitrate follows loss alone."),
      ("Neither REMB nor transport-wide feedback comes. Put gccreceiver "
       "upstream "
       "of the RTP session of the other end, or have that end send REMB; with "
       "gccreceiver there, feedback=transport-cc at both ends is best."));
}

static void
tell_unused (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("Transport-wide feedback comes, which profile %s does not follow: the "
       "bitrate follows receiver reports and REMB.",
          self->profile->name),
      ("An end that sends it sends no REMB as a rule. Set profile=recommended, "
       "or leave transport-cc out at the other end: feedback=remb at "
       "gccreceiver, or no a=extmap of it in the SDP answer."));
}

/* It is written once. */
static void
tell_strange_remb (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, READ,
      ("A REMB of %" G_GINT64_FORMAT " bit/s from SSRC %u, which reports on "
       "nothing, has lowered the target by more than half.",
          self->strange_remb.rate, self->strange_remb.sender),
      ("It may be the limit of a server that forwards the media, and then all "
       "is well; or a packet that somebody has forged: use SRTP, which "
       "protects RTCP, too. A REMB that is not repeated ends after 15 s in "
       "the default profile."));
}

/* It is written once. */
static void
tell_large_lost (GstGccFeedback *self)
{
  GST_ELEMENT_WARNING (self->controller->element, RESOURCE, WRITE,
      ("Packets of %u bytes and more are lost, and smaller ones arrive.",
          (guint) self->large_limit),
      ("A tunnel on the way takes no larger ones, and does not say so. Set mtu "
       "of the payloader to 1200, which fits most paths, or less."));
}

/* Without the lock. */
static void
tell_news (GstGccFeedback *self, News news)
{
  if (news & SILENCE)
    tell_silence (self);
  if (news & STOP)
    tell_stop (self);
  if (news & CUT_OFF)
    tell_cut_off (self);
  if (news & STRANGE_REMB)
    tell_strange_remb (self);
  if (news & LARGE_LOST)
    tell_large_lost (self);
  if (news & FEEDBACK)
    GST_ELEMENT_INFO (self->controller->element, RESOURCE, READ,
        ("RTCP feedback has come: the bitrate follows it."), (NULL));
  if (news & TRANSPORT_MISSING)
    tell_transport_missing (self);
  if (news & CCFB_MISSING)
    tell_ccfb_missing (self);
  if (news & UNMEASURED)
    tell_unmeasured (self);
  if (news & UNUSED)
    tell_unused (self);
  if (news & TRANSPORT_FEEDBACK)
    GST_ELEMENT_INFO (self->controller->element, RESOURCE, READ,
        ("Transport-wide feedback has come: the bitrate follows it."), (NULL));
  if (news & CCFB)
    GST_ELEMENT_INFO (self->controller->element, RESOURCE, READ,
        ("Reports of RFC 8888 have come: the bitrate follows them."), (NULL));
}

/* Releases the lock, and posts the news without it. */
static void
unlock (GstGccFeedback *self)
{
  News news = get_news (self);

  g_mutex_unlock (&self->controller->lock);
  tell_news (self, news);
}

static void
take_reports_of_packets (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  GccSenderStats before = *get_stats (self);

  take_ccfb (self, buffer, now);
  tell_of_change (self, before);
}

void
gst_gcc_feedback_receive (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  GstGccRtcp rtcp;

  g_mutex_lock (&self->controller->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &self->round_trip, now);
  count_malformed (self, &rtcp);
  if (rtcp.receiver_reference_time.ntp != 0)
    self->receiver_reference_time = rtcp.receiver_reference_time;
  if (self->controller->is_running) {
    gst_gcc_controller_handle_timeout (self->controller, now);
    take_rtcp (self, &rtcp, now);
    if (rtcp.valid)
      take_reports_of_packets (self, buffer, now);
  }
  unlock (self);
}

gboolean
gst_gcc_feedback_take_transport (
    GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  gboolean is_ours = FALSE;

  g_mutex_lock (&self->controller->lock);
  if (self->controller->is_running) {
    GccSenderStats before = *get_stats (self);

    is_ours = self->controller->n_numbered > 0;
    gst_gcc_controller_skip_numbers (self->controller);
    gst_gcc_controller_handle_timeout (self->controller, now);
    take_transport_feedback (self, buffer, now);
    tell_of_change (self, before);
  }
  unlock (self);

  return is_ours;
}

/* --- what leaves --- */

void
gst_gcc_feedback_send (GstGccFeedback *self, GstBuffer *buffer, GccTime now)
{
  guint32 ssrc;

  g_mutex_lock (&self->controller->lock);
  gst_gcc_rtcp_note_sender_reports (buffer, &self->round_trip, now);
  if (self->receiver_reference_time.ntp != 0 &&
      gst_gcc_rtcp_is_report (buffer, &ssrc) &&
      gst_gcc_rtcp_add_dlrr (buffer, ssrc, &self->receiver_reference_time, now))
    self->receiver_reference_time.ntp = 0;
  if (self->controller->is_running)
    gst_gcc_controller_handle_timeout (self->controller, now);
  unlock (self);
}

/* --- neither --- */

void
gst_gcc_feedback_check (GstGccFeedback *self, GccTime now)
{
  g_mutex_lock (&self->controller->lock);
  self->controller->is_check_due = FALSE;
  if (self->controller->is_running)
    gst_gcc_controller_handle_timeout (self->controller, now);
  unlock (self);
}
