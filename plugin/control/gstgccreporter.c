/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "control/gstgccreporter.h"

#include <string.h>

#include "session/gstgccrtcp.h"
#include "support/gstgcccolumns.h"
#include "support/gstgccstream.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_receiver_debug);
#define GST_CAT_DEFAULT gst_gcc_receiver_debug

/* RFC 3550, section 5.1: in the second byte of a packet. */
#define MARKER_BIT 0x80

/* Of RTCP on its way, bytes. */
#define IP_UDP_HEADERS 28

void
gst_gcc_reporter_init (GstGccReporter *self, GstElement *element,
    GstGccTrace *trace, GstGccMessages *messages, const GccProfile *profile)
{
  self->element = element;
  self->trace = trace;
  self->messages = messages;
  g_mutex_init (&self->lock);
  self->profile = *profile;
  gcc_receiving_end_init (&self->end, &self->profile, FALSE, 0);
  self->told = GCC_RATE_NONE;
}

void
gst_gcc_reporter_clear (GstGccReporter *self)
{
  gcc_receiving_end_clear (&self->end);
  g_mutex_clear (&self->lock);
}

void
gst_gcc_reporter_start (
    GstGccReporter *self, const GccProfile *profile, gboolean always_remb)
{
  g_mutex_lock (&self->lock);
  gcc_receiving_end_clear (&self->end);
  self->profile = *profile;
  gcc_receiving_end_init (
      &self->end, &self->profile, always_remb, gst_gcc_time_now ());
  gcc_round_trip_init (&self->round_trip);
  gst_gcc_messages_start (self->messages);
  self->told = GCC_RATE_NONE;
  self->sender_was_told = FALSE;
  self->n_malformed = 0;
  memset (self->n_ecn, 0, sizeof self->n_ecn);
  self->is_running = TRUE;
  g_mutex_unlock (&self->lock);
}

void
gst_gcc_reporter_use_ccfb (GstGccReporter *self)
{
  g_mutex_lock (&self->lock);
  if (!gcc_receiving_end_uses_ccfb (&self->end))
    gcc_receiving_end_use_ccfb (&self->end);
  g_mutex_unlock (&self->lock);
}

GccTime
gst_gcc_reporter_get_interval (GstGccReporter *self)
{
  GccTime interval;

  g_mutex_lock (&self->lock);
  interval = self->profile.loss_reporter.interval;
  g_mutex_unlock (&self->lock);

  return interval;
}

void
gst_gcc_reporter_stop (GstGccReporter *self)
{
  g_mutex_lock (&self->lock);
  self->is_running = FALSE;
  g_mutex_unlock (&self->lock);
}

/* --- the estimate, with the lock held --- */

static const GccReceiver *
get_receiver (const GstGccReporter *self)
{
  return gcc_receiving_end_get_receiver (&self->end);
}

static void
trace (GstGccReporter *self, const gchar *event)
{
  gst_gcc_trace_write (
      self->trace, event, gcc_receiver_get_stats (get_receiver (self)));
}

/* Returns whether the estimate has changed. */
static gboolean
note (GstGccReporter *self, GccReceiverEvent event)
{
  GccRate estimate;

  if (event == GCC_RECEIVER_EVENT_NONE)
    return FALSE;

  trace (self, gcc_receiver_event_to_string (event));
  estimate = gcc_receiver_get_estimate (get_receiver (self));
  if (estimate == self->told)
    return FALSE;

  self->told = estimate;
  gst_gcc_messages_note_change (self->messages);
  return TRUE;
}

/* Timeouts are checked when a packet arrives or a report leaves. With neither
 * there is nothing to report. Returns whether the estimate has changed. */
static gboolean
check_timeout (GstGccReporter *self, GccTime now)
{
  return note (self, gcc_receiving_end_handle_timeout (&self->end, now));
}

/* The use of transport-wide feedback has begun or ended. */
static void
note_use (GstGccReporter *self)
{
  gboolean is_in_use = gcc_receiving_end_uses_feedback (&self->end);

  GST_INFO_OBJECT (self->element, "feedback about each packet is %s",
      is_in_use ? "sent" : "not sent any more");
  if (gcc_receiving_end_uses_ccfb (&self->end))
    trace (self, is_in_use ? "ccfb" : "no-ccfb");
  else
    trace (self, is_in_use ? "transport-cc" : "no-transport-cc");
  gst_gcc_messages_note_change (self->messages);
}

/* Only once, whatever the sender lacks. */
static gboolean
tells_of_sender (GstGccReporter *self, gboolean is_lacking)
{
  gboolean tells = is_lacking && !self->sender_was_told;

  self->sender_was_told |= tells;

  return tells;
}

/* --- packets --- */

static gboolean
has_marker (GstBuffer *buffer)
{
  guint8 byte;

  return gst_buffer_extract (buffer, 1, &byte, 1) == 1 &&
      (byte & MARKER_BIT) != 0;
}

/* With the lock held. */
static void
feed_ccfb (GstGccReporter *self, const GstGccArrival *arrival,
    gboolean is_marker, GccTime now)
{
  GccCcfbPacket packet = {
    .ssrc = arrival->packet.ssrc,
    .seq = arrival->seq,
    .size = gst_buffer_get_size (arrival->buffer),
    .is_marker = is_marker,
    .ecn = arrival->ecn,
    .arrival = arrival->packet.arrival,
  };

  self->n_ecn[arrival->ecn]++;
  gcc_receiving_end_feed_ccfb (&self->end, &packet, now);
}

/* With the lock held. A number is looked for only where it changes the state;
 * RFC 8888 needs none. */
static void
feed_media (GstGccReporter *self, const GstGccArrival *arrival, GccTime now)
{
  gboolean is_marker = has_marker (arrival->buffer);
  gboolean uses_ccfb = gcc_receiving_end_uses_ccfb (&self->end);
  gboolean is_numbered = gcc_receiving_end_awaits_number (&self->end) &&
      (uses_ccfb ||
          gst_gcc_stream_is_numbered (
              arrival->buffer, arrival->transport_cc_id));

  if (gcc_receiving_end_feed_media (&self->end, is_marker, is_numbered, now))
    note_use (self);
  if (uses_ccfb)
    feed_ccfb (self, arrival, is_marker, now);
}

GstGccArrivalNews
gst_gcc_reporter_feed (
    GstGccReporter *self, GstGccArrival *arrival, GccTime now)
{
  GccReceivingEnd *end = &self->end;
  GstGccArrivalNews news;

  g_mutex_lock (&self->lock);
  news.has_changed = note (self,
      gcc_receiving_end_feed (end, &arrival->packet, arrival->seq,
          arrival->source, arrival->timestamp, now));
  news.has_changed |= check_timeout (self, now);
  news.uses_abs_send_time = gcc_receiver_uses_abs_send_time (
      get_receiver (self));
  feed_media (self, arrival, now);
  news.feedback_interval = gcc_receiving_end_get_feedback_interval (end);
  news.lacks_numbers = tells_of_sender (
      self, arrival->expects_number && gcc_receiving_end_lacks_numbers (end));
  news.clock_factor = gcc_receiving_end_check_clock (end, &arrival->packet);
  news.asks_for_report = gcc_receiving_end_asks_for_report (end, now);
  news.posts = gst_gcc_messages_take (self->messages);
  g_mutex_unlock (&self->lock);

  return news;
}

void
gst_gcc_reporter_count_malformed (GstGccReporter *self)
{
  g_mutex_lock (&self->lock);
  if (self->n_malformed++ == 0)
    GST_WARNING_OBJECT (self->element, "not measuring malformed RTP packets");
  g_mutex_unlock (&self->lock);
}

/* --- RTCP that arrives --- */

/* The round-trip time comes from reports about streams of ours, if the session
 * also sends, and from DLRRs about our receiver reference times. */
static GccTime
round_trip_time (const GstGccRtcp *rtcp)
{
  GccTime rtt = rtcp->rtt;

  for (guint i = 0; i < rtcp->n_blocks; i++)
    rtt = MAX (rtt, rtcp->blocks[i].rtt);

  return rtt;
}

/* With the lock held. */
static void
take_rtcp (GstGccReporter *self, const GstGccRtcp *rtcp, GccTime now)
{
  for (guint i = 0; i < rtcp->n_sender_reports; i++) {
    const GstGccReferenceTime *report = &rtcp->sender_reports[i];

    gcc_receiving_end_feed_sender_report (
        &self->end, report->ssrc, report->ntp, report->arrival);
  }
  gcc_receiving_end_feed_rtcp (&self->end, rtcp->n_sender_reports > 0,
      rtcp->rtt != GCC_TIME_NONE, round_trip_time (rtcp), now);
}

gboolean
gst_gcc_reporter_receive (GstGccReporter *self, GstBuffer *buffer, GccTime now)
{
  gboolean lacks_answers = FALSE;
  GstGccRtcp rtcp;

  g_mutex_lock (&self->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &self->round_trip, now);
  if (self->is_running) {
    if (rtcp.valid)
      take_rtcp (self, &rtcp, now);
    lacks_answers = tells_of_sender (
        self, gcc_receiving_end_lacks_answers (&self->end, now));
  }
  g_mutex_unlock (&self->lock);

  return lacks_answers;
}

/* --- RTCP that leaves, with the lock held --- */

/* Returns whether something was added. */
static gboolean
report_loss (
    GstGccReporter *self, GstBuffer *buffer, guint32 reporter, GccTime now)
{
  guint n;
  GccReception *receptions = gcc_receiving_end_get_receptions (&self->end, &n);
  gboolean has_blocks = gst_gcc_rtcp_update_blocks (
                            buffer, receptions, n, now) > 0;
  gboolean added = !has_blocks &&
      gcc_receiving_end_is_loss_due (&self->end, now) &&
      gst_gcc_rtcp_add_blocks (buffer, reporter, receptions, n, now);

  if (has_blocks || added)
    gcc_receiving_end_note_loss (&self->end, now);
  return added;
}

/* Whether the packet is to carry A_r: every report does, and of the feedback
 * that sessions of reduced size send early one packet when a REMB is due. */
static gboolean
carries_remb (GstGccReporter *self, GstBuffer *buffer, guint32 *reporter)
{
  return gst_gcc_rtcp_is_report (buffer, reporter) ||
      (gcc_receiving_end_is_remb_due (&self->end) &&
          gst_gcc_rtcp_is_early_feedback (buffer, reporter));
}

/* Returns whether it was added. */
static gboolean
add_remb (GstGccReporter *self, GstBuffer *buffer, guint32 internal_ssrc)
{
  GccRemb remb = { .sender = internal_ssrc };

  if (!gcc_receiving_end_get_remb (&self->end, &remb) ||
      !carries_remb (self, buffer, &remb.sender) ||
      !gst_gcc_rtcp_add_remb (buffer, &remb))
    return FALSE;

  GST_LOG_OBJECT (
      self->element, "REMB %" G_GINT64_FORMAT " bit/s leaves", remb.rate);
  gcc_receiving_end_note_remb (&self->end);
  return TRUE;
}

/* Returns whether it was added. */
static gboolean
add_ccfb (
    GstGccReporter *self, GstBuffer *buffer, guint32 internal_ssrc, GccTime now)
{
  guint8 body[GCC_CCFB_MAX_BODY];
  guint32 reporter = internal_ssrc;
  gsize length;

  if (!gcc_receiving_end_uses_ccfb (&self->end) ||
      (!gst_gcc_rtcp_is_report (buffer, &reporter) &&
          !gst_gcc_rtcp_is_early_feedback (buffer, &reporter)))
    return FALSE;
  length = gcc_receiving_end_write_ccfb (
      &self->end, body, gst_gcc_rtcp_get_ccfb_room (buffer), now);
  if (length == 0 || !gst_gcc_rtcp_add_ccfb (buffer, reporter, body, length))
    return FALSE;

  if (gcc_receiving_end_note_ccfb (
          &self->end, gst_buffer_get_size (buffer) + IP_UDP_HEADERS, now))
    note_use (self);
  return TRUE;
}

gboolean
gst_gcc_reporter_send (GstGccReporter *self, GstBuffer *buffer,
    gboolean is_early, gboolean measures, guint32 internal_ssrc, GccTime now,
    gboolean *has_changed)
{
  gboolean is_report, added = FALSE;
  guint32 reporter;

  g_mutex_lock (&self->lock);
  measures &= self->is_running;
  *has_changed = measures && check_timeout (self, now);

  gst_gcc_rtcp_note_sender_reports (buffer, &self->round_trip, now);
  is_report = gst_gcc_rtcp_is_report (buffer, &reporter);
  if (is_report && measures)
    added = report_loss (self, buffer, reporter, now);
  if (is_report && !is_early)
    gst_gcc_rtcp_add_receiver_reference_time (
        buffer, reporter, &self->round_trip, now);
  if (measures) {
    added |= add_remb (self, buffer, internal_ssrc);
    added |= add_ccfb (self, buffer, internal_ssrc, now);
  }
  g_mutex_unlock (&self->lock);

  return added;
}

void
gst_gcc_reporter_note_feedback (GstGccReporter *self)
{
  g_mutex_lock (&self->lock);
  if (self->is_running && gcc_receiving_end_note_feedback (&self->end))
    note_use (self);
  g_mutex_unlock (&self->lock);
}

/* --- what is asked --- */

GccRate
gst_gcc_reporter_get_estimate (GstGccReporter *self)
{
  GccRate estimate;

  g_mutex_lock (&self->lock);
  estimate = gcc_receiver_get_estimate (get_receiver (self));
  g_mutex_unlock (&self->lock);

  return estimate;
}

/* Name of the feedback that the sender gets. */
static const gchar *
get_feedback (const GstGccReporter *self)
{
  if (gcc_receiving_end_sends_remb (&self->end))
    return "remb";
  return gcc_receiving_end_uses_ccfb (&self->end) ? "ccfb" : "transport-cc";
}

GstStructure *
gst_gcc_reporter_create_stats (GstGccReporter *self)
{
  GstStructure *stats;

  g_mutex_lock (&self->lock);
  stats = gst_gcc_columns_to_structure ("gccreceiver", gcc_receiver_columns,
      gcc_receiver_n_columns, gcc_receiver_get_stats (get_receiver (self)));
  gst_structure_set (stats, "malformed", G_TYPE_UINT64, self->n_malformed,
      "abs-send-time", G_TYPE_BOOLEAN,
      gcc_receiver_uses_abs_send_time (get_receiver (self)), "feedback",
      G_TYPE_STRING, get_feedback (self), "transport-feedbacks", G_TYPE_UINT64,
      gcc_receiving_end_get_n_feedbacks (&self->end), "ect1-packets",
      G_TYPE_UINT64, self->n_ecn[GCC_ECN_ECT_1], "ce-packets", G_TYPE_UINT64,
      self->n_ecn[GCC_ECN_CE], NULL);
  g_mutex_unlock (&self->lock);

  return stats;
}
