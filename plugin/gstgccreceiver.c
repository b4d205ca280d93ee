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
 * posted as an element message `gccreceiver`, at most ten times per second,
 * unless #GccReceiver:post-messages is %FALSE. It has time-ms,
 * the running time, and these fields of #GccReceiver:stats: a-r-bps, r-bps, signal
 * and feedback.
 *
 * Set `socket-timestamp=realtime` on udpsrc to have the kernel's arrival times.
 * Otherwise a packet arrives when udpsrc reads it.
 *
 * The caps should have a `clock-rate`; 90000 is assumed otherwise. Packets with
 * a payload type other than the `payload` of the caps, if there is one, and
 * packets whose `encoding-name` is that of retransmissions (RTX) or FEC count
 * only towards the rate received: their timestamps are not the times at which
 * they were sent.
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
 * * `ccfb`: the element itself reports each packet by stream and sequence
 *   number, in reports of RFC 8888. Packets need no extension, and it is taken
 *   out of the caps. `auto` does so where the caps have `rtcp-fb-ack-ccfb`, and
 *   no extension. The reports have the ECN bits of packets from a udpsrc with
 *   `socket-timestamp=realtime`;
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
 * #GccReceiver:manage has `session`, and until the element leaves.
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
#include <gst/gcc/report/gcc-clock-check.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

#include "control/gstgccreporter.h"
#include "session/gstgccformats.h"
#include "session/gstgccplace.h"
#include "session/gstgccrtcp.h"
#include "session/gstgccsockets.h"
#include "session/gstgcctransportcaps.h"
#include "session/gstgccwalk.h"
#include "support/gstgccdeprecated.h"
#include "support/gstgccecn.h"
#include "support/gstgccstream.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY (gst_gcc_receiver_debug);
#define GST_CAT_DEFAULT gst_gcc_receiver_debug

/* ms times deltas, as in the profiles; the maximum is that of the drafts. Below
 * 0: as in the profile. */
#define DEFAULT_OVERUSE_THRESHOLD (-1.)
#define MAX_OVERUSE_THRESHOLD 600.

/* as in the profile */
#define DEFAULT_REPORT_INTERVAL 0
#define MAX_REPORT_INTERVAL 60000

#define JITTER_BUFFER "rtpjitterbuffer"

/* How often the session is checked: it may be another one, or another element
 * that shares it may have reset its settings. */
#define FEEDBACK_SETTINGS_INTERVAL (1 * GCC_SECOND)

/* Fields for a person to follow; an application reads the rest in `stats`. */
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

  GstGccReporter reporter;

  /* does not change while it runs */
  GstGccFeedbackMode feedback_mode;

  /* used in the streaming thread only */
  GstGccFormats formats;
  gboolean uses_ccfb;
  gboolean uses_abs_send_time;
  GstCaps *unix_time;
  gboolean caps_were_told;
  GccTime feedback_interval;
  GccTime feedback_settings_at;
  gboolean place_was_told;

  /* atomic; where packets leave, or have left a jitter buffer, no delay can be
   * measured */
  gint is_misplaced;
};

G_DEFINE_TYPE (GstGccReceiver, gst_gcc_receiver, GST_TYPE_GCC_ELEMENT)

#define BASE(self) GST_GCC_ELEMENT (self)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccreceiver, "gccreceiver",
    GST_RANK_NONE, GST_TYPE_GCC_RECEIVER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_receiver_debug, "gccreceiver", 0,
        "Google Congestion Control, receiving side"));

/* --- the estimate --- */

static void
gst_gcc_receiver_notify_estimate (GstGccReceiver *self)
{
  g_object_notify_by_pspec (
      G_OBJECT (self), properties[PROP_ESTIMATED_BITRATE]);
}

/* In a thread of the session, which goes on when this element is stopped. */
static void
gst_gcc_receiver_announce_estimate (GstGccReceiver *self)
{
  if (gst_gcc_handlers_enter (&BASE (self)->handlers))
    gst_gcc_receiver_notify_estimate (self);
  gst_gcc_handlers_leave (&BASE (self)->handlers);
}

/* If the session refuses a report, the REMB stays due: a later packet asks
 * again, and the next regular report carries it in any case. */
static void
gst_gcc_receiver_tell (GstGccReceiver *self, const GstGccArrivalNews *news)
{
  if (news->has_changed)
    gst_gcc_receiver_notify_estimate (self);
  if (news->posts)
    gst_gcc_messages_post (GST_ELEMENT (self), message_fields);
  if (news->asks_for_report)
    gst_gcc_session_request_report (
        &BASE (self)->session, GCC_REMB_MAX_DELAY * GST_USECOND);
}

/* --- transport-wide feedback --- */

/* Whether each packet should have a number. */
static gboolean
gst_gcc_receiver_expects_numbers (const GstGccReceiver *self)
{
  return self->feedback_mode == GST_GCC_FEEDBACK_TRANSPORT_CC &&
      self->formats.transport_cc_id != 0;
}

static void
gst_gcc_receiver_warn_of_numbers (GstGccReceiver *self)
{
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
      ("No packet has a transport-wide number: only REMB is sent, in spite of "
       "feedback=transport-cc."),
      ("The sender does not number packets: it needs gccsender with "
       "feedback=transport-cc, and with a profile that follows it, such as "
       "recommended. Where it numbers them under another identifier "
       "than %u, put that into the caps of the network source: "
       "extmap-N=(string)" GCC_TRANSPORT_FEEDBACK_URI ".",
          self->formats.transport_cc_id));
}

/* Before the packet that @interval was found with is passed on. */
static void
gst_gcc_receiver_configure_feedback (
    GstGccReceiver *self, GccTime interval, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->feedback_settings_at);

  if ((self->formats.transport_cc_id == 0 && !self->uses_ccfb) ||
      self->feedback_mode == GST_GCC_FEEDBACK_REMB ||
      (interval == self->feedback_interval && passed >= 0 &&
          passed < FEEDBACK_SETTINGS_INTERVAL))
    return;

  self->feedback_interval = interval;
  self->feedback_settings_at = now;
  if (!gst_gcc_manage_has (&BASE (self)->manage, GST_GCC_MANAGE_SESSION))
    return;
  gst_gcc_session_allow_feedback (&BASE (self)->session);
  gst_gcc_session_set_feedback_interval (&BASE (self)->session,
      interval == GCC_TIME_NONE ? GST_CLOCK_TIME_NONE
                                : (GstClockTime) interval * GST_USECOND);
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

static void
gst_gcc_receiver_use_ccfb (GstGccReceiver *self)
{
  self->uses_ccfb = TRUE;
  gst_gcc_reporter_use_ccfb (&self->reporter);
  gst_gcc_element_schedule_scan (BASE (self));
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
  if (gst_gcc_transport_caps_choose_ccfb (caps, self->feedback_mode))
    gst_gcc_receiver_use_ccfb (self);
  gst_gcc_formats_set_transport_cc_id (
      &self->formats, gst_gcc_transport_caps_get_id (filtered));
  if ((result == GST_GCC_TRANSPORT_CAPS_ID_TAKEN ||
          result == GST_GCC_TRANSPORT_CAPS_NO_PAYLOAD_TYPE) &&
      !self->caps_were_told) {
    self->caps_were_told = TRUE;
    gst_gcc_receiver_warn_of_caps (self, result);
  }

  return filtered;
}

/* --- RTCP --- */

/* The element leaves formats that were negotiated in SDP alone. */
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

  (void) session;

  if (gst_gcc_reporter_receive (&self->reporter, buffer, gst_gcc_time_now ()))
    gst_gcc_receiver_warn_of_answers (self);
}

static gboolean
gst_gcc_receiver_sending_rtcp (
    GObject *session, GstBuffer *buffer, gboolean early, gpointer element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccTime now = gst_gcc_time_now ();
  gboolean measures = !g_atomic_int_get (&self->is_misplaced);
  gboolean has_changed, added;
  guint internal_ssrc;

  if (gst_gcc_rtcp_is_transport_feedback (buffer)) {
    gst_gcc_reporter_note_feedback (&self->reporter);
    return FALSE;
  }

  g_object_get (session, "internal-ssrc", &internal_ssrc, NULL);
  added = gst_gcc_reporter_send (&self->reporter, buffer, early, measures,
      internal_ssrc, now, &has_changed);
  if (has_changed)
    gst_gcc_receiver_announce_estimate (self);

  return added;
}

/* --- the neighbours --- */

static gboolean
is_jitter_buffer (GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  (void) user_data;

  return factory != NULL &&
      g_str_equal (GST_OBJECT_NAME (factory), JITTER_BUFFER);
}

/* A session upstream is not a jitter buffer: packets pass it as they arrive, as
 * for an element that is the answer to `request-aux-receiver`. */
static gboolean
gst_gcc_receiver_find_jitter_buffer (GstGccReceiver *self)
{
  GstElement *jitter_buffer = gst_gcc_walk_find (
      BASE (self)->sinkpad, is_jitter_buffer, NULL);
  gboolean found = jitter_buffer != NULL;

  gst_clear_object (&jitter_buffer);

  return found;
}

/* An interval that the user has set is kept even while the media's rate is so
 * low that a twentieth of it does not suffice. */
static void
gst_gcc_receiver_keep_report_interval (GstGccReceiver *self)
{
  gboolean is_asked_for;

  GST_OBJECT_LOCK (self);
  is_asked_for = self->report_interval != DEFAULT_REPORT_INTERVAL;
  GST_OBJECT_UNLOCK (self);

  if (is_asked_for &&
      gst_gcc_manage_has (&BASE (self)->manage, GST_GCC_MANAGE_SESSION))
    gst_gcc_session_allow_feedback (&BASE (self)->session);
}

static void
gst_gcc_receiver_warn_of_place (GstGccReceiver *self, gboolean is_swapped)
{
  if (is_swapped)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("gccreceiver is where packets leave: that is the place of "
         "gccsender."),
        ("The two elements are swapped: put gccsender here, between the "
         "payloader and rtpbin's send_rtp_sink pad, and gccreceiver at the "
         "other end, upstream of rtpbin's recv_rtp_sink pad."));
  else
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("gccreceiver is downstream of a jitter buffer: it measures nothing "
         "and tells the sender no rate."),
        ("When packets arrived can no longer be seen there: put it between the "
         "network source and rtpbin's recv_rtp_sink pad."));
}

static void
gst_gcc_receiver_pipeline_scanned (GstGccElement *element, gboolean has_session,
    gboolean may_come, gboolean warn)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  gboolean is_swapped = gst_gcc_place_enters (
      element->srcpad, GST_GCC_PLACE_LEAVING);
  gboolean is_misplaced = is_swapped ||
      gst_gcc_receiver_find_jitter_buffer (self);

  (void) may_come;

  g_atomic_int_set (&self->is_misplaced, is_misplaced);
  gst_gcc_receiver_keep_report_interval (self);
  if (self->uses_ccfb)
    gst_gcc_sockets_request_ecn (element->sinkpad);
  if (!has_session && !is_misplaced && warn)
    GST_ELEMENT_WARNING (element, RESOURCE, NOT_FOUND,
        ("No RTP session found: no REMB is sent."),
        ("gccreceiver sends REMB through an rtpsession linked to it. Place it "
         "between the network source and the recv_rtp_sink pad of rtpbin."));
  if (is_misplaced && warn && !self->place_was_told) {
    self->place_was_told = TRUE;
    gst_gcc_receiver_warn_of_place (self, is_swapped);
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
gst_gcc_receiver_log_time_base (
    GstGccReceiver *self, gboolean uses_abs_send_time)
{
  if (uses_abs_send_time == self->uses_abs_send_time)
    return;

  self->uses_abs_send_time = uses_abs_send_time;
  if (uses_abs_send_time)
    GST_INFO_OBJECT (self, "using abs-send-time, extension id %u",
        self->formats.stream.abs_send_time_id);
  else
    GST_INFO_OBJECT (self, "abs-send-time is missing, using RTP timestamps");
}

static void
gst_gcc_receiver_warn_of_foreign (GstGccReceiver *self, guint payload_type)
{
  GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
      ("The caps say payload type %d, but packets have %u: their delay is not "
       "measured.",
          self->formats.stream.payload_type, payload_type),
      ("Set payload=%u (and the clock-rate that belongs to it) in the caps of "
       "the network source, or have the sender's payloader use pt=%d.",
          payload_type, self->formats.stream.payload_type));
}

static void
gst_gcc_receiver_warn_of_clock_rate (
    GstGccReceiver *self, guint clock_rate, gdouble factor)
{
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
gst_gcc_receiver_warn_of_format (
    GstGccReceiver *self, GstPad *sinkpad, guint payload_type)
{
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("Packets of payload type %u come without %s: the RTP session does not "
       "know their format, and nothing is played.",
          payload_type,
          gst_pad_has_current_caps (sinkpad) ? "a clock-rate in their caps"
                                             : "caps"),
      ("Set the caps of the network source as the sender's payloader has them, "
       "such as udpsrc caps=\"application/x-rtp,media=video,"
       "encoding-name=VP8,clock-rate=90000,payload=%u\". An application may "
       "answer request-pt-map of rtpbin instead.",
          payload_type));
}

/* Posts the news of a packet that was measured. */
static void
gst_gcc_receiver_check_packet (GstGccReceiver *self,
    const GstGccArrival *arrival, const GstGccArrivalNews *news)
{
  guint payload_type;

  if (gst_gcc_formats_check (
          &self->formats, arrival->buffer, &arrival->packet, &payload_type))
    gst_gcc_receiver_warn_of_foreign (self, payload_type);
  if (news->clock_factor != 0.)
    gst_gcc_receiver_warn_of_clock_rate (
        self, arrival->packet.clock_rate, news->clock_factor);
}

static void
gst_gcc_receiver_media (
    GstGccElement *element, GstPad *sinkpad, GstBuffer *buffer)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccTime now = gst_gcc_time_now ();
  GstGccArrival arrival = { .buffer = buffer };
  GstGccArrivalNews news;
  const GstGccStream *format;
  guint payload_type;

  if (g_atomic_int_get (&self->is_misplaced))
    return;
  format = gst_gcc_formats_get (&self->formats, buffer);
  if (!gst_gcc_stream_read_packet (
          format, buffer, &arrival.packet, &arrival.seq)) {
    gst_gcc_reporter_count_malformed (&self->reporter);
    return;
  }
  if (gst_gcc_formats_lack_clock_rate (
          &self->formats, buffer, format, &payload_type))
    gst_gcc_receiver_warn_of_format (self, sinkpad, payload_type);
  arrival.timestamp = gst_gcc_receiver_read_arrival (
      self, buffer, now, &arrival.source);
  arrival.transport_cc_id = self->formats.transport_cc_id;
  if (self->uses_ccfb)
    arrival.ecn = gst_gcc_ecn_read (buffer);
  arrival.expects_number = gst_gcc_receiver_expects_numbers (self);
  news = gst_gcc_reporter_feed (&self->reporter, &arrival, now);

  if (news.lacks_numbers)
    gst_gcc_receiver_warn_of_numbers (self);
  gst_gcc_receiver_configure_feedback (self, news.feedback_interval, now);
  gst_gcc_receiver_log_time_base (self, news.uses_abs_send_time);
  gst_gcc_receiver_check_packet (self, &arrival, &news);
  gst_gcc_receiver_tell (self, &news);
}

/* Where the kernel's time of a packet is not before the present, udpsrc of
 * GStreamer 1.22 takes the clock's time for its DTS and PTS, and not the running
 * time. The session would report that the packet arrived much later. */
static GstBuffer *
gst_gcc_receiver_correct (GstGccElement *element, GstBuffer *buffer)
{
  GstClockTime base_time = gst_element_get_base_time (GST_ELEMENT (element));
  GstClockTime dts = GST_BUFFER_DTS (buffer);
  GstClockTime now;

  if (!GST_CLOCK_TIME_IS_VALID (dts) || base_time == 0 || dts < base_time)
    return buffer;
  now = gst_element_get_current_clock_time (GST_ELEMENT (element));
  if (!GST_CLOCK_TIME_IS_VALID (now) || dts > now || dts <= now - base_time)
    return buffer;

  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_DTS (buffer) = dts - base_time;
  if (GST_BUFFER_PTS (buffer) == dts)
    GST_BUFFER_PTS (buffer) = dts - base_time;

  return buffer;
}

static void
gst_gcc_receiver_caps (GstGccElement *element, GstPad *sinkpad, GstCaps *caps)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);

  (void) sinkpad;

  gst_gcc_formats_set_caps (&self->formats, caps);
  if (self->formats.stream.clock_rate == 0 && !self->formats.stream.is_repair)
    GST_INFO_OBJECT (self,
        "no clock-rate in the caps: the session's is taken, or 90000 where it "
        "knows none");
}

/* --- states --- */

static gboolean
gst_gcc_receiver_start (GstGccElement *element)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (element);
  GccProfile profile = *gst_gcc_element_get_profile (element);
  gdouble overuse_threshold;
  guint report_interval;

  GST_OBJECT_LOCK (self);
  overuse_threshold = self->overuse_threshold;
  report_interval = self->report_interval;
  GST_OBJECT_UNLOCK (self);

  if (overuse_threshold >= 0.)
    profile.delay.detector.gamma_0 = overuse_threshold;
  if (report_interval != DEFAULT_REPORT_INTERVAL)
    profile.loss_reporter.interval = report_interval * GCC_MSECOND;
  self->feedback_mode = gst_gcc_element_get_feedback_mode (element);
  gst_gcc_formats_init (&self->formats, &element->session);
  self->uses_abs_send_time = FALSE;
  self->place_was_told = FALSE;
  self->caps_were_told = FALSE;
  self->feedback_interval = GCC_TIME_NONE;
  self->feedback_settings_at = GCC_TIME_NONE;
  gst_gcc_reporter_start (
      &self->reporter, &profile, self->feedback_mode == GST_GCC_FEEDBACK_REMB);
  self->uses_ccfb = FALSE;
  if (self->feedback_mode == GST_GCC_FEEDBACK_CCFB)
    gst_gcc_receiver_use_ccfb (self);

  return TRUE;
}

static void
gst_gcc_receiver_stop (GstGccElement *element)
{
  gst_gcc_reporter_stop (&GST_GCC_RECEIVER (element)->reporter);
}

static GccTime
gst_gcc_receiver_get_report_interval (GstGccElement *element)
{
  return gst_gcc_reporter_get_interval (&GST_GCC_RECEIVER (element)->reporter);
}

/* --- properties --- */

static void
gst_gcc_receiver_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (object);

  if (gst_gcc_manage_set_property (&BASE (self)->manage, id, value))
    return;

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

  if (id == PROP_OVERUSE_THRESHOLD)
    gst_gcc_deprecated_tell (GST_ELEMENT (self), GST_CAT_DEFAULT, pspec->name,
        "leave it to the profile");
}

static void
gst_gcc_receiver_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccReceiver *self = GST_GCC_RECEIVER (object);

  if (gst_gcc_manage_get_property (&BASE (self)->manage, id, value))
    return;

  switch (id) {
    case PROP_ESTIMATED_BITRATE: {
      GccRate estimate = gst_gcc_reporter_get_estimate (&self->reporter);

      g_value_set_uint (value, (guint) CLAMP (estimate, 0, G_MAXUINT));
      return;
    }
    case PROP_STATS: {
      GstStructure *stats = gst_gcc_reporter_create_stats (&self->reporter);

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
  gst_gcc_reporter_clear (&self->reporter);

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
  gcc_class->correct = gst_gcc_receiver_correct;
  gcc_class->pipeline_scanned = gst_gcc_receiver_pipeline_scanned;
  gcc_class->rtcp_pad = "send_rtcp_src";
  gcc_class->no_rtcp = gst_gcc_receiver_no_rtcp;

  properties[PROP_ESTIMATED_BITRATE] = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate",
      "The sender is asked not to exceed this rate A_r in bit/s, without packet headers; 0 is no estimate yet. Its notification comes in the streaming thread or a thread of the RTP session.",
      0, G_MAXUINT, 0, readable);

  properties[PROP_OVERUSE_THRESHOLD] = g_param_spec_double ("overuse-threshold",
      "Over-use threshold",
      "This property is deprecated and goes after version 0.2: the profile has its own gamma. It is in ms over 60 frames, and -1 is that of the profile.",
      DEFAULT_OVERUSE_THRESHOLD, MAX_OVERUSE_THRESHOLD,
      DEFAULT_OVERUSE_THRESHOLD, ready | G_PARAM_DEPRECATED);

  properties[PROP_REPORT_INTERVAL] = g_param_spec_uint ("report-interval",
      "Report interval",
      "Regular RTCP reports (loss and A_r) leave in this mean time in ms, unless the RTP session has a shorter one or \"manage\" lacks \"session\". With 0 it is that of the profile, 1 s. One that is set holds at low rates, too, for which rtcp-fraction is raised. Browsers that also send video report up to every 180 ms.",
      0, MAX_REPORT_INTERVAL, DEFAULT_REPORT_INTERVAL, ready);

  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "The state of the estimator has a field for each column of the trace, and counts of what was received, reported and ignored. A field whose value is not yet known is absent.",
      GST_TYPE_STRUCTURE, readable);

  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  gst_gcc_manage_install (object_class, GST_TYPE_GCC_RECEIVER_MANAGE);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_RECEIVER_MANAGE, 0);

  gst_element_class_set_static_metadata (element_class, "GCC receiver",
      "Filter/Network/RTP",
      "Lets the RTP sender know what the network can carry, by Google "
      "Congestion Control: in transport-wide feedback, or in REMB messages",
      "The gst-gcc authors");
}

static void
gst_gcc_receiver_init (GstGccReceiver *self)
{
  gst_gcc_manage_init (&BASE (self)->manage, GST_ELEMENT (self),
      GST_TYPE_GCC_RECEIVER_MANAGE, gst_gcc_receiver_debug);
  self->overuse_threshold = DEFAULT_OVERUSE_THRESHOLD;
  self->unix_time = gst_static_caps_get (&unix_time_caps);
  gst_gcc_formats_init (&self->formats, &BASE (self)->session);
  gst_gcc_reporter_init (&self->reporter, GST_ELEMENT (self),
      &BASE (self)->trace, &BASE (self)->messages,
      gst_gcc_element_get_profile (BASE (self)));
}
