/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-gccreceiver
 * @title: gccreceiver
 * @short_description: Tells an RTP sender what rate the network can carry
 * @see_also: gccsender, rtpbin
 *
 * The receiving side of Google Congestion Control. Place it where RTP packets
 * arrive, upstream of the RTP session and its jitter buffer; packets pass
 * unchanged. It measures the variation of the one-way delay between groups of
 * packets. While the delay grows, a queue on the path is filling, and the rate
 * A_r that the sender is asked not to exceed falls below the rate received;
 * otherwise A_r grows.
 *
 * The RTP session, which the element finds by itself, carries A_r to the sender
 * in REMB messages (`goog-remb`), which #gccsender, Chrome and other WebRTC
 * implementations follow, unless it sends transport-wide feedback, from which
 * the sender estimates the rate by itself. The element configures the session for feedback
 * (AVPF) and for more frequent reports.
 *
 * Every change of the estimate is notified (`notify::estimated-bitrate`), and
 * posted as an element message `gccreceiver`, at most ten times per second, unless
 * #GccReceiver:post-messages is %FALSE. It has what a person follows of
 * #GccReceiver:stats: a-r-bps, r-bps, signal and feedback.
 *
 * Set `socket-timestamp=realtime` on udpsrc to have the kernel's arrival times.
 * Otherwise a packet arrives when udpsrc reads it.
 *
 * The caps should have a `clock-rate`; 90000 is assumed otherwise. Packets with
 * a payload type other than the `payload` of the caps, if there is one, and
 * packets whose `encoding-name` is that of retransmissions (RTX) or FEC count
 * only towards the rate received: their timestamps do not tell when they were
 * sent.
 *
 * ## Receive and display video from #gccsender
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   udpsrc port=5000 socket-timestamp=realtime \
 *       caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" \
 *      ! gccreceiver feedback=transport-cc ! rtp.recv_rtp_sink_0 \
 *   rtp. ! rtpvp8depay ! vp8dec ! videoconvert ! autovideosink \
 *   udpsrc port=5001 ! rtp.recv_rtcp_sink_0 \
 *   rtp.send_rtcp_src_0 ! udpsink host=SENDER port=5005 async=false
 * ]|
 *
 * ## abs-send-time
 *
 * RTP timestamps tell when a frame was captured. The header extension
 * abs-send-time (see #rtphdrextabssendtime) tells when a packet was sent, and
 * can be compared between streams and payload types. Profiles that use it do so
 * once the caps name it as an `extmap-N`, as caps made from SDP do, and a
 * packet has it; after 30 packets without it, RTP timestamps are used again.
 * The field `abs-send-time` of #GccReceiver:stats tells which are in use.
 * #rtphdrextabssendtime has a line for each end.
 *
 * ## Transport-wide feedback
 *
 * The sender can also estimate the path by itself, from feedback about when
 * each packet arrived (transport-cc). The RTP session sends it when the caps
 * have the header extension
 * `http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01`
 * as an `extmap-N`, and packets carry it. #GccReceiver:feedback tells what
 * gccreceiver does about it:
 *
 * * `auto`: the caps stay as they are;
 * * `transport-cc`: caps that have no such extension get it as `extmap-12`, as
 *   #gccsender with `feedback=transport-cc` numbers packets. The caps must have
 *   a `payload`, or rtpsession does not read it;
 * * `remb`: the extension is taken out of the caps, so that the session sends
 *   no such feedback.
 *
 * While the feedback goes out no REMB is sent, nor before the first when packets
 * have the extension; two seconds of media without it bring REMB back. libwebrtc
 * keeps to the last REMB, whatever the feedback tells: so where that takes over
 * three reports have a REMB of 1 Gbit/s, which is no bound.
 *
 * With `remb` both are sent where the extension stays negotiated: in webrtcbin
 * the session has it from SDP and not from the caps of a pad, so that it can be
 * neither taken out nor added here. Leave it out of the answer instead. A session
 * that has once seen the extension also keeps it until its rtpbin goes.
 *
 * The field `feedback` of #GccReceiver:stats tells which of the two the sender
 * gets now, `transport-feedbacks` how many feedback packets have left.
 *
 * The RTP session sends feedback at each marker (the end of a frame), or else
 * at an interval that is tested whenever a packet arrives. gccreceiver sets its
 * `twcc-feedback-interval` to 50 ms while there are no markers for more than
 * 100 ms, as with audio, and `rtcp-fraction` to 0.5, so that feedback is not
 * held back; both only when they have their defaults and
 * #GccReceiver:configure-session is %TRUE, and until the element leaves.
 *
 * ## Trace the estimator
 *
 * `gccreceiver trace-location=receiver.csv` writes every control event to a
 * file.
 *
 * Since: 0.1
 */

#include "gstgccreceiver.h"

#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/report/gcc-answer-watch.h>
#include <gst/gcc/report/gcc-arrival-time.h>
#include <gst/gcc/report/gcc-clock-check.h>
#include <gst/gcc/report/gcc-loss-reporter.h>
#include <gst/gcc/report/gcc-remb-release.h>
#include <gst/gcc/wire/gcc-round-trip.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#include "session/gstgccplace.h"
#include "session/gstgccrtcp.h"
#include "session/gstgcctransportcaps.h"
#include "session/gstgccwalk.h"
#include "support/gstgcccolumns.h"
#include "support/gstgccstream.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_STATIC (gst_gcc_receiver_debug);
#define GST_CAT_DEFAULT gst_gcc_receiver_debug

/* ms times deltas, as in the profiles; the maximum is that of the drafts. Below
 * 0: as in the profile. */
#define DEFAULT_OVERUSE_THRESHOLD (-1.)
#define MAX_OVERUSE_THRESHOLD 600.

/* as in the profile */
#define DEFAULT_REPORT_INTERVAL 0
#define MAX_REPORT_INTERVAL 60000

/* RFC 3550: seven bits. */
#define N_PAYLOAD_TYPES 128

/* So many packets of other payload types than the caps': it is not that another
 * one is repaired before the first of it comes. */
#define MAX_FOREIGN 50

#define JITTER_BUFFER "rtpjitterbuffer"

/* So long media comes before numbers are missed that it was asked for. */
#define NUMBERS_PATIENCE (5 * GCC_SECOND)

/* How often the session is looked at: it may be another one, or another
 * element that shares it may have reset what it had set. */
#define FEEDBACK_SETTINGS_INTERVAL (1 * GCC_SECOND)

/* RFC 3550, section 5.1: in the second byte of a packet. */
#define MARKER_BIT 0x80

/* What a person follows; an application reads the rest in `stats`. */
static const gchar *const message_fields[] = { "a-r-bps", "r-bps", "signal",
  "feedback", NULL };

enum {
  PROP_0,
  PROP_ESTIMATED_BITRATE,
  PROP_OVERUSE_THRESHOLD,
  PROP_REPORT_INTERVAL,
  PROP_STATS,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

static GstStaticCaps unix_time_caps = GST_STATIC_CAPS ("timestamp/x-unix");

struct _GstGccReceiver {
  GstGccElement parent;

  /* protected by the object lock */
  gdouble overuse_threshold;
  guint report_interval;

  /* Protects what follows. With it held, the clock may be read, the trace
   * written and a bus message built, no more: no media is pushed, no file
   * written, and neither another element nor the application called. */
  GMutex lock;
  gboolean is_running;
  GccRoundTrip round_trip;
  GccReceiver *controller;
  GccRate told;
  GccArrivalTime arrival_time;
  GccRembRequest remb_request;
  GccRembRelease remb_release;
  GccLossReporter loss;
  GccFeedbackUse feedback_use;
  GccFeedbackTrigger feedback_trigger;
  GccAnswerWatch answers;
  gboolean sender_was_told;
  GstGccFeedbackMode feedback_mode;
  gboolean uses_transport_cc;
  guint64 malformed;

  /* Used in the streaming thread only. Where one session has many payload
   * types, as in webrtcbin, the caps of the pad tell nothing: the formats are
   * then the session's, by payload type. */
  GstGccStream stream;
  GstGccStream by_payload_type[N_PAYLOAD_TYPES];
  gboolean is_known[N_PAYLOAD_TYPES];
  gboolean uses_abs_send_time;
  GstCaps *unix_time;
  /* of the transport-wide header extension; 0: none that rtpsession reads */
  guint transport_cc_id;
  gboolean caps_were_told;
  GccTime feedback_interval;
  GccTime feedback_settings_at;
  /* packets that the caps are not about; counted until one fits them */
  guint n_foreign;
  gboolean place_was_told;
  GccClockCheck clock_check;
  gboolean clock_rate_was_told;

  /* atomic: downstream of a jitter buffer there is nothing to measure */
  gint is_misplaced;
};

G_DEFINE_TYPE (GstGccReceiver, gst_gcc_receiver, GST_TYPE_GCC_ELEMENT)

#define BASE(self) GST_GCC_ELEMENT (self)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccreceiver, "gccreceiver",
    GST_RANK_NONE, GST_TYPE_GCC_RECEIVER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_receiver_debug, "gccreceiver", 0,
        "Google Congestion Control, receiving side"));

/* --- the estimate --- */

/* With the lock held. Whoever asks for REMB gets it, whatever else is sent. */
static gboolean
gst_gcc_receiver_sends_remb (const GstGccReceiver *self)
{
  return self->feedback_mode == GST_GCC_FEEDBACK_REMB ||
      !gcc_feedback_use_is_in_use (&self->feedback_use);
}

/* With the lock held. Returns whether the estimate has changed. */
static gboolean
gst_gcc_receiver_note_estimate (GstGccReceiver *self)
{
  GccRate estimate = gcc_receiver_get_estimate (self->controller);

  if (estimate == self->told)
    return FALSE;

  self->told = estimate;
  gst_gcc_messages_note_change (&BASE (self)->messages);
  return TRUE;
}

/* With the lock held. Returns the same. */
static gboolean
gst_gcc_receiver_note (GstGccReceiver *self, GccReceiverEvent event)
{
  if (event == GCC_RECEIVER_EVENT_NONE)
    return FALSE;

  if (event == GCC_RECEIVER_EVENT_REMB && !gst_gcc_receiver_sends_remb (self))
    event = GCC_RECEIVER_EVENT_RATE;
  if (event == GCC_RECEIVER_EVENT_REMB)
    gcc_remb_request_note_due (&self->remb_request);
  gst_gcc_trace_write (&BASE (self)->trace,
      gcc_receiver_event_to_string (event),
      gcc_receiver_get_stats (self->controller));

  return gst_gcc_receiver_note_estimate (self);
}

/* With the lock held. Timeouts are checked when a packet arrives or a report
 * leaves. With neither there is nothing to report. */
static gboolean
gst_gcc_receiver_check_timeout (GstGccReceiver *self, GccTime now)
{
  GccTime timeout = gcc_receiver_next_timeout (self->controller);

  return timeout != GCC_TIME_NONE && now >= timeout &&
      gst_gcc_receiver_note (
          self, gcc_receiver_handle_timeout (self->controller, now));
}

static void
gst_gcc_receiver_tell (GstGccReceiver *self, gboolean changed, GccTime now)
{
  gboolean ask, post;

  if (changed)
    g_object_notify_by_pspec (
        G_OBJECT (self), properties[PROP_ESTIMATED_BITRATE]);

  /* In 2013 a REMB waited for the next regular report. */
  g_mutex_lock (&self->lock);
  ask = BASE (self)->profile.remb.early &&
      gcc_remb_request_ask (&self->remb_request, now);
  post = gst_gcc_messages_take (&BASE (self)->messages);
  g_mutex_unlock (&self->lock);
  if (post)
    gst_gcc_messages_post (GST_ELEMENT (self), message_fields);

  /* If the session refuses, the REMB stays due: a later packet asks again, and
   * the next regular report carries it in any case. */
  if (ask)
    gst_gcc_session_request_report (
        &BASE (self)->session, GCC_REMB_MAX_DELAY * GST_USECOND);
}

/* --- transport-wide feedback --- */

/* With the lock held. */
static void
gst_gcc_receiver_note_feedback_use (GstGccReceiver *self)
{
  gboolean is_in_use = gcc_feedback_use_is_in_use (&self->feedback_use);

  if (is_in_use == self->uses_transport_cc)
    return;

  self->uses_transport_cc = is_in_use;
  if (!gst_gcc_receiver_sends_remb (self))
    self->remb_request = (GccRembRequest){ 0 };
  GST_INFO_OBJECT (self, "transport-wide feedback is %s",
      is_in_use ? "sent" : "not sent any more");
  gst_gcc_trace_write (&BASE (self)->trace,
      is_in_use ? "transport-cc" : "no-transport-cc",
      gcc_receiver_get_stats (self->controller));
  gst_gcc_messages_note_change (&BASE (self)->messages);
}

/* The session sends each feedback packet by itself. */
static void
gst_gcc_receiver_feedback_leaves (GstGccReceiver *self)
{
  g_mutex_lock (&self->lock);
  if (self->is_running) {
    gcc_feedback_use_note_sent (&self->feedback_use);
    gst_gcc_receiver_note_feedback_use (self);
    if (!gst_gcc_receiver_sends_remb (self))
      gcc_remb_release_note_feedback (&self->remb_release);
  }
  g_mutex_unlock (&self->lock);
}

static gboolean
has_marker (GstBuffer *buffer)
{
  guint8 byte;

  return gst_buffer_extract (buffer, 1, &byte, 1) == 1 &&
      (byte & MARKER_BIT) != 0;
}

/* With the lock held. Only once, for whatever the sender lacks. */
static gboolean
gst_gcc_receiver_tells_of_sender (GstGccReceiver *self, gboolean is_lacking)
{
  gboolean tells = is_lacking && !self->sender_was_told;

  self->sender_was_told |= tells;

  return tells;
}

/* With the lock held. */
static gboolean
gst_gcc_receiver_lacks_numbers (GstGccReceiver *self)
{
  return self->feedback_mode == GST_GCC_FEEDBACK_TRANSPORT_CC &&
      self->transport_cc_id != 0 &&
      gcc_feedback_use_get_unnumbered (&self->feedback_use) > NUMBERS_PATIENCE;
}

static void
gst_gcc_receiver_warn_of_numbers (GstGccReceiver *self)
{
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
      ("No packet has a transport-wide number: only REMB is sent, in spite of "
       "feedback=transport-cc."),
      ("The sender does not number packets: it needs gccsender with "
       "feedback=transport-cc. Where it numbers them under another identifier "
       "than %u, put that into the caps of the network source: "
       "extmap-N=(string)" GCC_TRANSPORT_FEEDBACK_URI ".",
          self->transport_cc_id));
}

/* With the lock held. Returns between which feedbacks there should be what
 * time; %GCC_TIME_NONE: there should be one for each marker. */
static GccTime
gst_gcc_receiver_time_feedback (
    GstGccReceiver *self, GstBuffer *buffer, GccTime now)
{
  gcc_feedback_use_feed_media (&self->feedback_use,
      gcc_feedback_use_awaits_number (&self->feedback_use) &&
          gst_gcc_stream_is_numbered (buffer, self->transport_cc_id),
      now);
  gst_gcc_receiver_note_feedback_use (self);
  gcc_feedback_trigger_feed (&self->feedback_trigger, has_marker (buffer),
      gcc_feedback_use_is_in_use (&self->feedback_use), now);

  return gcc_feedback_trigger_get_interval (&self->feedback_trigger);
}

/* Before the packet that @interval was found with is passed on. */
static void
gst_gcc_receiver_configure_feedback (
    GstGccReceiver *self, GccTime interval, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->feedback_settings_at);

  if (self->transport_cc_id == 0 ||
      self->feedback_mode == GST_GCC_FEEDBACK_REMB ||
      (interval == self->feedback_interval && passed >= 0 &&
          passed < FEEDBACK_SETTINGS_INTERVAL))
    return;

  self->feedback_interval = interval;
  self->feedback_settings_at = now;
  if (!gst_gcc_element_configures_session (BASE (self)))
    return;
  gst_gcc_session_allow_feedback (&BASE (self)->session);
  gst_gcc_session_set_feedback_interval (&BASE (self)->session,
      interval == GCC_TIME_NONE ? GST_CLOCK_TIME_NONE
                                : (GstClockTime) interval * GST_USECOND);
}

/* The caps that rtpsession is to read have @id. It reads none of a payload type
 * that it knows, as when the extension is added in mid-call. */
static void
gst_gcc_receiver_set_transport_cc_id (GstGccReceiver *self, guint id)
{
  if (id != 0 && id != self->transport_cc_id)
    gst_gcc_session_forget_caps (&BASE (self)->session);
  self->transport_cc_id = id;
}

static void
gst_gcc_receiver_warn_of_caps (GstGccReceiver *self, GstGccTransportCaps result)
{
  if (result == GST_GCC_TRANSPORT_CAPS_ID_TAKEN)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("No transport-wide feedback can be sent, only REMB: extmap-%u of the "
         "caps is another header extension.",
            GST_GCC_TRANSPORT_CC_ID),
        ("feedback=transport-cc takes identifier %u where the caps have none. "
         "Give the other extension another one, or put the transport-wide one "
         "into these caps and the sender's, with an identifier that is free: "
         "extmap-N=(string)" GCC_TRANSPORT_FEEDBACK_URI ".",
            GST_GCC_TRANSPORT_CC_ID));
  else
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("No transport-wide feedback can be sent, only REMB: the caps have no "
         "payload type."),
        ("rtpsession reads header extensions only in caps with one: add "
         "payload=N, the one of the sender's payloader, to the caps of the "
         "network source."));
}

static GstCaps *
gst_gcc_receiver_filter_caps (
    GstGccElement *element, GstPad *sinkpad, GstCaps *caps)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GstGccTransportCaps result;
  GstCaps *filtered = gst_gcc_transport_caps_filter (
      caps, self->feedback_mode, &result);

  (void) sinkpad;
  gst_gcc_receiver_set_transport_cc_id (
      self, gst_gcc_transport_caps_get_id (filtered));
  if ((result == GST_GCC_TRANSPORT_CAPS_ID_TAKEN ||
          result == GST_GCC_TRANSPORT_CAPS_NO_PAYLOAD_TYPE) &&
      !self->caps_were_told) {
    self->caps_were_told = TRUE;
    gst_gcc_receiver_warn_of_caps (self, result);
  }

  return filtered;
}

/* --- RTCP --- */

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
gst_gcc_receiver_take_sender_reports (
    GstGccReceiver *self, const GstGccRtcp *rtcp)
{
  for (guint i = 0; i < rtcp->n_sender_reports; i++) {
    const GstGccReferenceTime *report = &rtcp->sender_reports[i];

    gcc_loss_reporter_feed_sender_report (
        &self->loss, report->ssrc, report->ntp, report->arrival);
  }
}

/* With the lock held. */
static void
gst_gcc_receiver_watch_answers (
    GstGccReceiver *self, const GstGccRtcp *rtcp, GccTime now)
{
  if (rtcp->n_sender_reports > 0)
    gcc_answer_watch_feed_report (&self->answers, now);
  if (rtcp->rtt != GCC_TIME_NONE)
    gcc_answer_watch_feed_answer (&self->answers);
}

/* With the lock held. */
static gboolean
gst_gcc_receiver_lacks_answers (GstGccReceiver *self, GccTime now)
{
  return self->is_running && gst_gcc_receiver_sends_remb (self) &&
      gcc_receiver_get_stats (self->controller)->remb != GCC_RATE_NONE &&
      gcc_answer_watch_is_missing (&self->answers, now);
}

/* What was negotiated in SDP is no business of this element's. */
static void
gst_gcc_receiver_warn_of_answers (GstGccReceiver *self)
{
  if (gst_gcc_place_is_in_sdp (GST_OBJECT (self)))
    return;

  GST_ELEMENT_WARNING (self, STREAM, FAILED,
      ("REMB is sent, and nothing shows that the sender follows it."),
      ("gccsender answers the reference time in each report (RFC 3611), and so "
       "does libwebrtc; this sender does not. Put gccsender between its "
       "payloader and its RTP session, and link that session's recv_rtcp_sink "
       "pad. Another sender may follow REMB without an answer."));
}

static void
gst_gcc_receiver_receiving_rtcp (
    GObject *session, GstBuffer *buffer, gpointer element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccTime now = gst_gcc_time_now ();
  GstGccRtcp rtcp;
  gboolean warn;
  GccTime rtt;

  (void) session;

  g_mutex_lock (&self->lock);
  gst_gcc_rtcp_read (&rtcp, buffer, &self->round_trip, now);
  rtt = round_trip_time (&rtcp);
  if (rtcp.valid)
    gst_gcc_receiver_take_sender_reports (self, &rtcp);
  if (self->is_running && rtt != GCC_TIME_NONE)
    gcc_receiver_set_rtt (self->controller, rtt);
  gst_gcc_receiver_watch_answers (self, &rtcp, now);
  warn = gst_gcc_receiver_tells_of_sender (
      self, gst_gcc_receiver_lacks_answers (self, now));
  g_mutex_unlock (&self->lock);
  if (warn)
    gst_gcc_receiver_warn_of_answers (self);
}

/* With the lock held. Returns whether something was added. */
static gboolean
gst_gcc_receiver_report_loss (
    GstGccReceiver *self, GstBuffer *buffer, guint32 reporter, GccTime now)
{
  guint n;
  GccReception *receptions = gcc_loss_reporter_get_receptions (&self->loss, &n);
  gboolean has_blocks = gst_gcc_rtcp_update_blocks (
                            buffer, receptions, n, now) > 0;
  gboolean added = !has_blocks && gcc_loss_reporter_is_due (&self->loss, now) &&
      gst_gcc_rtcp_add_blocks (buffer, reporter, receptions, n, now);

  if (has_blocks || added)
    gcc_loss_reporter_reported (&self->loss, now);
  return added;
}

/* With the lock held. Whether the packet is to carry A_r: every report does, and of
 * the feedback that sessions of reduced size send early one packet when a REMB is
 * due. */
static gboolean
gst_gcc_receiver_carries_remb (
    GstGccReceiver *self, GstBuffer *buffer, guint32 *reporter)
{
  return gst_gcc_rtcp_is_report (buffer, reporter) ||
      (gcc_remb_request_is_due (&self->remb_request) &&
          gst_gcc_rtcp_is_early_feedback (buffer, reporter));
}

/* With the lock held. Where transport-wide feedback makes A_r needless, what is left
 * to tell is that there is no bound any more. Returns whether it was added. */
static gboolean
gst_gcc_receiver_add_remb (
    GstGccReceiver *self, GstBuffer *buffer, guint32 internal_ssrc)
{
  GccRate estimate = gcc_receiver_get_estimate (self->controller);
  guint32 ssrcs[GCC_RECEIVER_MAX_STREAMS];
  guint n_ssrcs = gcc_receiver_get_ssrcs (
      self->controller, ssrcs, GCC_RECEIVER_MAX_STREAMS);
  guint32 reporter = internal_ssrc;
  gboolean is_bound = gst_gcc_receiver_sends_remb (self);
  GccRate rate = is_bound ? estimate : GCC_REMB_NO_BOUND;

  if (estimate == GCC_RATE_NONE || n_ssrcs == 0 ||
      (!is_bound && !gcc_remb_release_is_due (&self->remb_release)) ||
      !gst_gcc_receiver_carries_remb (self, buffer, &reporter) ||
      !gst_gcc_rtcp_add_remb (buffer, reporter, rate, ssrcs, n_ssrcs))
    return FALSE;

  GST_LOG_OBJECT (self, "REMB %" G_GINT64_FORMAT " bit/s leaves", rate);
  gcc_remb_request_note_sent (&self->remb_request);
  if (is_bound)
    gcc_remb_release_note_bound (&self->remb_release);
  else
    gcc_remb_release_note_sent (&self->remb_release);
  return TRUE;
}

static gboolean
gst_gcc_receiver_sending_rtcp (
    GObject *session, GstBuffer *buffer, gboolean early, gpointer element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccTime now = gst_gcc_time_now ();
  gboolean changed = FALSE, added = FALSE;
  gboolean is_report, measures;
  guint internal_ssrc;
  guint32 reporter;

  if (gst_gcc_rtcp_is_transport_feedback (buffer)) {
    gst_gcc_receiver_feedback_leaves (self);
    return FALSE;
  }

  /* without the lock: this calls the session */
  g_object_get (session, "internal-ssrc", &internal_ssrc, NULL);

  g_mutex_lock (&self->lock);
  measures = self->is_running && !g_atomic_int_get (&self->is_misplaced);
  if (measures)
    changed = gst_gcc_receiver_check_timeout (self, now);

  gst_gcc_rtcp_note_sender_reports (buffer, &self->round_trip, now);
  is_report = gst_gcc_rtcp_is_report (buffer, &reporter);
  if (is_report && measures)
    added = gst_gcc_receiver_report_loss (self, buffer, reporter, now);
  if (is_report && !early)
    gst_gcc_rtcp_add_receiver_reference_time (
        buffer, reporter, &self->round_trip, now);
  if (measures)
    added |= gst_gcc_receiver_add_remb (self, buffer, internal_ssrc);
  g_mutex_unlock (&self->lock);

  if (changed)
    g_object_notify_by_pspec (
        G_OBJECT (self), properties[PROP_ESTIMATED_BITRATE]);

  return added;
}

static gboolean
is_jitter_buffer (GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  (void) user_data;

  return factory != NULL &&
      g_str_equal (GST_OBJECT_NAME (factory), JITTER_BUFFER);
}

/* A session upstream is none: without a jitter buffer packets pass it as they
 * come, as in an element that `request-aux-receiver` is answered with. */
static gboolean
gst_gcc_receiver_find_jitter_buffer (GstGccReceiver *self)
{
  GstElement *jitter_buffer = gst_gcc_walk_find (
      BASE (self)->sinkpad, is_jitter_buffer, NULL);
  gboolean found = jitter_buffer != NULL;

  gst_clear_object (&jitter_buffer);

  return found;
}

/* An interval that was asked for is kept while the media's rate is low, of which
 * a twentieth would not do. */
static void
gst_gcc_receiver_keep_report_interval (GstGccReceiver *self)
{
  gboolean is_asked_for;

  GST_OBJECT_LOCK (self);
  is_asked_for = self->report_interval != DEFAULT_REPORT_INTERVAL;
  GST_OBJECT_UNLOCK (self);

  if (is_asked_for && gst_gcc_element_configures_session (BASE (self)))
    gst_gcc_session_allow_feedback (&BASE (self)->session);
}

static void
gst_gcc_receiver_pipeline_scanned (
    GstGccElement *element, gboolean has_session, gboolean warn)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  gboolean is_misplaced = gst_gcc_receiver_find_jitter_buffer (self);

  g_atomic_int_set (&self->is_misplaced, is_misplaced);
  gst_gcc_receiver_keep_report_interval (self);
  if (!has_session && !is_misplaced && warn)
    GST_ELEMENT_WARNING (element, RESOURCE, NOT_FOUND,
        ("No RTP session found: no REMB is sent."),
        ("gccreceiver sends REMB through an rtpsession linked to it. Place it "
         "between the network source and the recv_rtp_sink pad of rtpbin."));
  if (is_misplaced && warn && !self->place_was_told) {
    self->place_was_told = TRUE;
    GST_ELEMENT_WARNING (element, STREAM, FAILED,
        ("gccreceiver is downstream of a jitter buffer: it measures nothing "
         "and tells the sender no rate."),
        ("When packets arrived can no longer be seen there: put it between the "
         "network source and rtpbin's recv_rtp_sink pad."));
  }
}

static void
gst_gcc_receiver_no_rtcp (GstGccElement *element)
{
  if (!g_atomic_int_get (&GST_GCC_RECEIVER (element)->is_misplaced))
    GST_ELEMENT_WARNING (element, RESOURCE, NOT_FOUND,
        ("No RTCP leaves the RTP session: the sender is not told any rate."),
        ("Nothing is linked to the session's send_rtcp_src pad: link rtpbin's "
         "send_rtcp_src_%%u to a sink that sends to the other end, such as "
         "udpsink sync=false async=false."));
}

/* --- data flow --- */

/* The arrival time of @buffer, and its source. */
static GccTime
gst_gcc_receiver_read_arrival (GstGccReceiver *self, GstBuffer *buffer,
    GccTime now, GccArrivalSource *source)
{
  GstReferenceTimestampMeta *kernel_time =
      gst_buffer_get_reference_timestamp_meta (buffer, self->unix_time);

  *source = GCC_ARRIVAL_KERNEL;
  if (kernel_time != NULL)
    return (GccTime) GST_TIME_AS_USECONDS (kernel_time->timestamp);
  *source = GCC_ARRIVAL_BUFFER;
  if (GST_BUFFER_DTS_IS_VALID (buffer))
    return (GccTime) GST_TIME_AS_USECONDS (GST_BUFFER_DTS (buffer));
  if (GST_BUFFER_PTS_IS_VALID (buffer))
    return (GccTime) GST_TIME_AS_USECONDS (GST_BUFFER_PTS (buffer));

  *source = GCC_ARRIVAL_CLOCK;
  return now;
}

static void
gst_gcc_receiver_count_malformed (GstGccReceiver *self)
{
  g_mutex_lock (&self->lock);
  if (self->malformed++ == 0)
    GST_WARNING_OBJECT (self, "not measuring malformed RTP packets");
  g_mutex_unlock (&self->lock);
}

static void
gst_gcc_receiver_log_time_base (
    GstGccReceiver *self, gboolean uses_abs_send_time)
{
  if (uses_abs_send_time == self->uses_abs_send_time)
    return;

  self->uses_abs_send_time = uses_abs_send_time;
  if (uses_abs_send_time)
    GST_INFO_OBJECT (self, "using abs-send-time, extension id %u",
        self->stream.abs_send_time_id);
  else
    GST_INFO_OBJECT (self, "abs-send-time is missing, using RTP timestamps");
}

static gboolean
gst_gcc_receiver_read_payload_type (GstBuffer *buffer, guint *payload_type)
{
  guint8 header[2];

  if (gst_buffer_extract (buffer, 0, header, sizeof header) < sizeof header)
    return FALSE;
  *payload_type = header[1] & (N_PAYLOAD_TYPES - 1);

  return TRUE;
}

/* The session's format of a payload type, or %NULL. */
static const GstGccStream *
gst_gcc_receiver_ask_session (GstGccReceiver *self, guint payload_type)
{
  GstGccStream *stream = &self->by_payload_type[payload_type];
  GstCaps *caps;

  if (self->is_known[payload_type])
    return stream;

  caps = gst_gcc_session_get_caps (&BASE (self)->session, payload_type);
  if (caps == NULL)
    return NULL;

  gst_gcc_stream_set_caps (stream, caps);
  if (self->transport_cc_id == 0)
    self->transport_cc_id = gst_gcc_transport_caps_get_id (caps);
  gst_caps_unref (caps);
  self->is_known[payload_type] = TRUE;

  return stream;
}

/* The format of @buffer. */
static const GstGccStream *
gst_gcc_receiver_get_stream (GstGccReceiver *self, GstBuffer *buffer)
{
  const GstGccStream *stream = NULL;
  guint payload_type;

  if (self->stream.payload_type == GST_GCC_STREAM_ANY_PAYLOAD_TYPE &&
      self->stream.clock_rate == 0 &&
      gst_gcc_receiver_read_payload_type (buffer, &payload_type))
    stream = gst_gcc_receiver_ask_session (self, payload_type);

  return stream != NULL ? stream : &self->stream;
}

static void
gst_gcc_receiver_warn_of_foreign (GstGccReceiver *self, guint payload_type)
{
  GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
      ("The caps say payload type %d, but packets have %u: their delay is not "
       "measured.",
          self->stream.payload_type, payload_type),
      ("Set payload=%u (and the clock-rate that belongs to it) in the caps of "
       "the network source, or have the sender's payloader use pt=%d.",
          payload_type, self->stream.payload_type));
}

/* Packets that can be measured by abs-send-time are, whatever their type. */
static void
gst_gcc_receiver_check_payload_type (
    GstGccReceiver *self, GstBuffer *buffer, const GccPacket *packet)
{
  guint payload_type;

  if (self->n_foreign >= MAX_FOREIGN || self->stream.is_repair ||
      !gst_gcc_receiver_read_payload_type (buffer, &payload_type))
    return;

  if (!packet->ignore_rtp_timestamp || packet->has_abs_send_time)
    self->n_foreign = MAX_FOREIGN;
  else if (++self->n_foreign == MAX_FOREIGN)
    gst_gcc_receiver_warn_of_foreign (self, payload_type);
}

static void
gst_gcc_receiver_warn_of_clock_rate (
    GstGccReceiver *self, guint clock_rate, gdouble factor)
{
  self->clock_rate_was_told = TRUE;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("RTP timestamps advance %.2g times as fast as time does at the "
       "clock-rate of %u Hz: the delay is measured wrongly.",
          factor, clock_rate),
      ("Set the clock-rate that the sender's payloader has in the caps of the "
       "network source, which may be clock-rate=%u, or have the sender send "
       "media as fast as it plays.",
          gcc_clock_check_guess (factor, clock_rate)));
}

static void
gst_gcc_receiver_check_clock_rate (
    GstGccReceiver *self, const GccPacket *packet)
{
  gdouble factor;

  if (self->clock_rate_was_told || packet->clock_rate == 0 ||
      packet->ignore_rtp_timestamp)
    return;
  factor = gcc_clock_check_feed (&self->clock_check, packet->ssrc,
      packet->rtp_timestamp, packet->clock_rate, packet->arrival);
  if (factor != 0.)
    gst_gcc_receiver_warn_of_clock_rate (self, packet->clock_rate, factor);
}

static void
gst_gcc_receiver_media (
    GstGccElement *element, GstPad *sinkpad, GstBuffer *buffer)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccTime now = gst_gcc_time_now ();
  GccPacket packet = { 0 };
  GccArrivalSource source;
  GccTime arrival, interval;
  gboolean changed, uses_abs_send_time, lacks_numbers;
  guint16 seq;

  (void) sinkpad;

  if (g_atomic_int_get (&self->is_misplaced))
    return;
  if (!gst_gcc_stream_read_packet (
          gst_gcc_receiver_get_stream (self, buffer), buffer, &packet, &seq)) {
    gst_gcc_receiver_count_malformed (self);
    return;
  }
  arrival = gst_gcc_receiver_read_arrival (self, buffer, now, &source);

  g_mutex_lock (&self->lock);
  packet.arrival = gcc_arrival_time_update (
      &self->arrival_time, source, arrival, now);
  packet.follows_gap = gcc_loss_reporter_feed (&self->loss, packet.ssrc, seq);
  changed = gst_gcc_receiver_note (
      self, gcc_receiver_feed (self->controller, &packet, now));
  changed |= gst_gcc_receiver_check_timeout (self, now);
  uses_abs_send_time = gcc_receiver_uses_abs_send_time (self->controller);
  interval = gst_gcc_receiver_time_feedback (self, buffer, now);
  lacks_numbers = gst_gcc_receiver_tells_of_sender (
      self, gst_gcc_receiver_lacks_numbers (self));
  g_mutex_unlock (&self->lock);

  if (lacks_numbers)
    gst_gcc_receiver_warn_of_numbers (self);
  gst_gcc_receiver_configure_feedback (self, interval, now);
  gst_gcc_receiver_log_time_base (self, uses_abs_send_time);
  gst_gcc_receiver_check_payload_type (self, buffer, &packet);
  gst_gcc_receiver_check_clock_rate (self, &packet);
  gst_gcc_receiver_tell (self, changed, now);
}

static void
gst_gcc_receiver_caps (GstGccElement *element, GstPad *sinkpad, GstCaps *caps)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);

  (void) sinkpad;

  gst_gcc_stream_set_caps (&self->stream, caps);
  memset (self->is_known, 0, sizeof self->is_known);
  self->n_foreign = 0;
  if (self->stream.clock_rate == 0 && !self->stream.is_repair)
    GST_INFO_OBJECT (self,
        "no clock-rate in the caps: the session's is taken, or 90000 where it "
        "knows none");
}

/* --- states --- */

static gboolean
gst_gcc_receiver_start (GstGccElement *element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  gdouble overuse_threshold;
  guint report_interval;

  GST_OBJECT_LOCK (self);
  overuse_threshold = self->overuse_threshold;
  report_interval = self->report_interval;
  GST_OBJECT_UNLOCK (self);

  g_mutex_lock (&self->lock);
  if (overuse_threshold >= 0.)
    element->profile.delay.detector.gamma_0 = overuse_threshold;
  if (report_interval != DEFAULT_REPORT_INTERVAL)
    element->profile.loss_reporter.interval = report_interval * GCC_MSECOND;
  gcc_receiver_free (self->controller);
  self->controller = gcc_receiver_new (&element->profile);
  self->told = GCC_RATE_NONE;
  gcc_arrival_time_init (&self->arrival_time);
  self->remb_request = (GccRembRequest){ 0 };
  self->remb_release = (GccRembRelease){ 0 };
  gcc_loss_reporter_init (
      &self->loss, &element->profile.loss_reporter, gst_gcc_time_now ());
  gcc_feedback_use_init (&self->feedback_use, &element->profile.feedback_use);
  gcc_feedback_trigger_init (
      &self->feedback_trigger, &element->profile.feedback_trigger);
  self->answers = (GccAnswerWatch){ 0 };
  self->sender_was_told = FALSE;
  self->feedback_mode = gst_gcc_element_get_feedback_mode (element);
  self->uses_transport_cc = FALSE;
  self->malformed = 0;
  gcc_round_trip_init (&self->round_trip);
  gst_gcc_messages_start (&element->messages);
  self->is_running = TRUE;
  g_mutex_unlock (&self->lock);

  gst_gcc_stream_init (&self->stream);
  memset (self->is_known, 0, sizeof self->is_known);
  self->uses_abs_send_time = FALSE;
  self->n_foreign = 0;
  self->place_was_told = FALSE;
  self->clock_check = (GccClockCheck){ 0 };
  self->clock_rate_was_told = FALSE;
  self->transport_cc_id = 0;
  self->caps_were_told = FALSE;
  self->feedback_interval = GCC_TIME_NONE;
  self->feedback_settings_at = GCC_TIME_NONE;

  return TRUE;
}

static void
gst_gcc_receiver_stop (GstGccElement *element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);

  g_mutex_lock (&self->lock);
  self->is_running = FALSE;
  g_mutex_unlock (&self->lock);
}

static GccTime
gst_gcc_receiver_get_report_interval (const GccProfile *profile)
{
  return profile->loss_reporter.interval;
}

/* --- properties --- */

static void
gst_gcc_receiver_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OVERUSE_THRESHOLD:
      self->overuse_threshold = g_value_get_double (value);
      break;
    case PROP_REPORT_INTERVAL:
      self->report_interval = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_receiver_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (object);

  switch (id) {
    case PROP_ESTIMATED_BITRATE: {
      GccRate estimate;

      g_mutex_lock (&self->lock);
      estimate = gcc_receiver_get_estimate (self->controller);
      g_mutex_unlock (&self->lock);
      g_value_set_uint (value, (guint) CLAMP (estimate, 0, G_MAXUINT));
      return;
    }
    case PROP_STATS: {
      GstStructure *stats;

      g_mutex_lock (&self->lock);
      stats = gst_gcc_columns_to_structure ("gccreceiver", gcc_receiver_columns,
          gcc_receiver_n_columns, gcc_receiver_get_stats (self->controller));
      gst_structure_set (stats, "malformed", G_TYPE_UINT64, self->malformed,
          "abs-send-time", G_TYPE_BOOLEAN,
          gcc_receiver_uses_abs_send_time (self->controller), "feedback",
          G_TYPE_STRING,
          gst_gcc_receiver_sends_remb (self) ? "remb" : "transport-cc",
          "transport-feedbacks", G_TYPE_UINT64,
          gcc_feedback_use_get_n_sent (&self->feedback_use), NULL);
      g_mutex_unlock (&self->lock);
      gst_gcc_element_add_stats (BASE (self), stats);
      g_value_take_boxed (value, stats);
      return;
    }
    default:
      break;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_OVERUSE_THRESHOLD:
      g_value_set_double (value, self->overuse_threshold);
      break;
    case PROP_REPORT_INTERVAL:
      g_value_set_uint (value, self->report_interval);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_receiver_finalize (GObject *object)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (object);

  gst_clear_caps (&self->unix_time);
  g_clear_pointer (&self->controller, gcc_receiver_free);
  g_mutex_clear (&self->lock);

  G_OBJECT_CLASS (gst_gcc_receiver_parent_class)->finalize (object);
}

static void
gst_gcc_receiver_class_init (GstGccReceiverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstGccElementClass *gcc_class = GST_GCC_ELEMENT_CLASS (klass);
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = gst_gcc_receiver_set_property;
  object_class->get_property = gst_gcc_receiver_get_property;
  object_class->finalize = gst_gcc_receiver_finalize;
  gcc_class->columns = gcc_receiver_columns;
  gcc_class->n_columns = gcc_receiver_n_columns;
  gcc_class->session_funcs.category = gst_gcc_receiver_debug;
  gcc_class->session_funcs.receiving = gst_gcc_receiver_receiving_rtcp;
  gcc_class->session_funcs.sending = gst_gcc_receiver_sending_rtcp;
  gcc_class->get_report_interval = gst_gcc_receiver_get_report_interval;
  gcc_class->start = gst_gcc_receiver_start;
  gcc_class->stop = gst_gcc_receiver_stop;
  gcc_class->caps = gst_gcc_receiver_caps;
  gcc_class->filter_caps = gst_gcc_receiver_filter_caps;
  gcc_class->media = gst_gcc_receiver_media;
  gcc_class->pipeline_scanned = gst_gcc_receiver_pipeline_scanned;
  gcc_class->rtcp_pad = "send_rtcp_src";
  gcc_class->no_rtcp = gst_gcc_receiver_no_rtcp;

  properties[PROP_ESTIMATED_BITRATE] = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate",
      "Rate A_r in bit/s that the sender is asked not to exceed, without "
      "packet headers (0 = no estimate yet). notify::estimated-bitrate is "
      "emitted in the streaming thread or a thread of the RTP session",
      0, G_MAXUINT, 0, readable);

  properties[PROP_OVERUSE_THRESHOLD] = g_param_spec_double ("overuse-threshold",
      "Over-use threshold",
      "How much the queueing delay may grow, in ms over 60 frames, before the "
      "rate is lowered: lower values react earlier and to smaller queues, "
      "higher ones tolerate more jitter. Most profiles then adapt it to the "
      "network. It is gamma of the papers, whose 25/60 ms per frame is 25 here "
      "(-1 = value of the profile, which is best in most cases)",
      DEFAULT_OVERUSE_THRESHOLD, MAX_OVERUSE_THRESHOLD,
      DEFAULT_OVERUSE_THRESHOLD, ready);

  properties[PROP_REPORT_INTERVAL] = g_param_spec_uint ("report-interval",
      "Report interval",
      "Mean time in ms between regular RTCP reports (loss and A_r), "
      "unless the rtcp-min-interval of the RTP session is shorter or "
      "configure-session is FALSE (0 = value of the profile, 1 s). One that is "
      "set is kept at low rates, too: rtcp-fraction is raised for it. "
      "Browsers that also send video report up to every 180 ms",
      0, MAX_REPORT_INTERVAL, DEFAULT_REPORT_INTERVAL, ready);

  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "State of the estimator: of the last packet group ssrc, d-ms, m-ms, "
      "modified-m-ms, gamma-ms and signal; of the rate controller state; "
      "competition, whose a queue is that stands, \"none\" that is known "
      "of, \"drain\" to see, or \"tcp\"; "
      "and in bit/s r-bps (R), a-r-bps (A_r) and remb-bps; the counts "
      "packets, groups, overuses, malformed, dropped-sr-requests "
      "(requests for sender reports kept from the session) and "
      "dropped-transport-cc (malformed transport-wide feedback kept from it); "
      "abs-send-time, whether that extension is in use; feedback, what is "
      "sent to the sender at present, \"transport-cc\" or \"remb\"; and the "
      "count "
      "transport-feedbacks. Fields whose value is not yet known are absent",
      GST_TYPE_STRUCTURE, readable);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gst_element_class_set_static_metadata (element_class, "GCC receiver",
      "Filter/Network/RTP",
      "Lets the RTP sender know what the network can carry, by Google "
      "Congestion Control: in transport-wide feedback, or in REMB messages",
      "The gst-gcc authors");
}

static void
gst_gcc_receiver_init (GstGccReceiver *self)
{
  g_mutex_init (&self->lock);
  self->overuse_threshold = DEFAULT_OVERUSE_THRESHOLD;
  self->unix_time = gst_static_caps_get (&unix_time_caps);
  gst_gcc_stream_init (&self->stream);
  gcc_feedback_use_init (
      &self->feedback_use, &BASE (self)->profile.feedback_use);
  self->controller = gcc_receiver_new (&BASE (self)->profile);
  self->told = GCC_RATE_NONE;
}
