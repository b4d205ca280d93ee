/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-gccsender
 * @title: gccsender
 * @short_description: Sets an encoder's bitrate by Google Congestion Control
 * @see_also: gccreceiver, rtpbin, rtpgccbwe
 *
 * The sending side of Google Congestion Control. Place it downstream of the RTP
 * payloader and of the elements that add FEC or retransmissions. It finds by
 * itself
 *
 *  - the RTP session downstream (in rtpbin, rtpsink or webrtcbin), whose
 *    incoming RTCP it follows: receiver reports carry the fraction lost and the
 *    round-trip time, REMB messages carry the rate A_r, which the receiver, for
 *    example #gccreceiver or a browser, estimates from the variation of the
 *    one-way delay;
 *  - the encoder upstream, whose bitrate it sets, and rtpulpfecenc and
 *    rtprtxsend between the two.
 *
 * The loss-based controller raises the sending rate A_s while less than 2 % of
 * the packets are lost, holds it up to 10 % and reduces it in proportion to the
 * loss beyond that; REMB and the limits #GccSender:min-bitrate and
 * #GccSender:max-bitrate bound the result.
 *
 * Over transport-wide feedback it measures the delay by itself, see below.
 * Unlike rtpgccbwe it also works without such feedback, and needs no
 * application code. An application that sets its encoders by itself leaves
 * `encoder-bitrate` out of #GccSender:manage and follows #GccSender:encoder-bitrate.
 * Changes are also posted as element messages named `gccsender`, at most ten
 * per second, unless #GccSender:post-messages is %FALSE. They have time-ms, the
 * running time, and these fields of #GccSender:stats: reason, a-s-bps, v-bps,
 * rtt-ms, fraction-lost and feedback. Where only v-bps has changed, by more than a
 * tenth, there is no reason. `GST_DEBUG=gccsender:4` logs the session, feedback, probes, and
 * each fall of the rate with its reason.
 *
 * By default an RTP session sends a report every five seconds. The element
 * configures it for feedback (AVPF) and for more frequent reports.
 *
 * ## Send a camera
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 \
 *      ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0  ! udpsink host=RECEIVER port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=RECEIVER port=5001 async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]| See #gccreceiver for the other end. `gst-launch-1.0 -m` prints changes of
 * the rate, with the reason, as they happen. `manage=all` also configures the
 * encoder for conversational video, see #GccSender:manage. `async=false` keeps the first RTCP
 * packet, which leaves only when the pipeline plays, from being waited for where
 * the source is a file.
 *
 * ## Loss protection inside the target
 *
 * Downstream of rtpulpfecenc and rtprtxsend, the element reads their payload
 * types to tell their packets from media, and gives the encoder the rest of the
 * target: v = A_s - r_FEC - r_RTX. FEC and retransmissions together get at most
 * half of the target. The FEC percentage follows the loss and is 0 without
 * loss. Retransmissions that exceed the budget (A_s times the round-trip time
 * for each request) are refused.
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 ! rtpulpfecenc pt=100 \
 *      ! rtprtxsend payload-type-map="application/x-rtp-pt-map,96=(uint)97" max-size-time=1000 max-size-packets=0 \
 *      ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0  ! udpsink host=RECEIVER port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=RECEIVER port=5001 async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]| The other end is `examples/launch/protected-receiver.sh`. rtpbin and webrtcbin add their own protection downstream of
 * `send_rtp_sink`. An application then puts rtprtxsend and gccsender into a bin
 * and returns that bin from `request-aux-sender`.
 *
 * ## Transport-wide feedback
 *
 * Where the caps have the header extension
 * http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01, as
 * an `extmap-N` that SDP has negotiated, the element numbers each packet that
 * has room for it. The receiver's feedback about these numbers has the arrival
 * of each packet. A_s then is the sender's own estimate of the path; REMB bounds
 * it. Receiver reports and REMB are followed until such feedback comes, and take
 * over where it stops. `feedback` and `feedback-reason` in #GccSender:stats are
 * the feedback that is followed, and the reason.
 *
 * In a line without SDP `feedback=transport-cc` at both ends is enough, as in
 * the line above: the element then puts the extension into the packets by
 * itself. The caps that leave are without the extension, because otherwise the
 * RTP session would number the packets, too. The session has to be right
 * downstream: in webrtcbin `request-aux-sender` has to return gccsender. In front
 * of a pad of webrtcbin, which makes SDP from the caps, gccsender numbers no
 * packets, and REMB is followed.
 * `feedback=remb` switches numbers off. With `feedback=ccfb` at both ends the
 * receiver reports packets by stream and RTP sequence number (RFC 8888): they
 * leave as they come, and all else is the same.
 *
 * With `ecn=ect1` and `feedback=ccfb` packets leave with ECT(1) (RFC 9331), and
 * the CE marks of an L4S queue lower the rate before the queue grows. The sink
 * is one with a socket of its own, as udpsink; webrtcbin's cannot be set. Where
 * the path clears ECT(1) or drops such packets they leave without it.
 *
 * With #GccSender:probing bursts of packets measure whether the path takes more
 * than is sent.
 *
 * ## Without feedback
 *
 * When packets leave and no report or REMB arrives that counts, the state of the
 * network is not known. After five of the receiver's report intervals (at least
 * five seconds, and seven at first) the default profile lowers the target by a
 * fifth each second, down to #GccSender:min-bitrate. A warning on the bus names
 * the likely reasons, and has-feedback in #GccSender:stats is %FALSE. With the
 * next report the target grows again, and an info message is posted on the bus.
 * While no packet is sent, no feedback is missing.
 *
 * ## Pacing
 *
 * #GccSender:pacing-factor is the pacing rate as a multiple of the target; the
 * profile rtcweb-2013 paces by default. Pacing spreads a key frame over time
 * and lets retransmissions overtake it. #GccSender:max-pacing-delay bounds the
 * time a packet is held: the pacer speeds up rather than exceed it.
 *
 * Packets with transport-wide sequence numbers are always paced, at a rate that
 * follows the feedback, unless #GccSender:pacing-factor is 0. With REMB the
 * default profile does not pace. The time in this queue is reported as latency
 * to wait for only where the user or the profile asks for a factor.
 *
 * A sink that synchronises to the clock, as udpsink does by default, sends all
 * packets of a frame together. Where the source is live
 * #GccSender:manage (`sink`) switches that off in network sinks. Where it is not,
 * put clocksync upstream of the encoder; without it the sink is left alone,
 * since nothing else keeps the time, and a warning on the bus names it.
 *
 * ## Probing
 *
 * With transport-wide feedback short clusters of packets are sent at a rate
 * above the target, from whose arrival the rate of the path is learnt: the first
 * key frame is the first of them. When there is not enough media,
 *
 *  - an rtprtxsend upstream is asked to send recent packets again;
 *  - else, at the end of a frame, packets are added that consist of padding
 *    (RFC 3550, section 5.1), in one video stream. The later packets of that
 *    stream have other sequence numbers then than those of the payloader, and
 *    requests for retransmissions are translated back. This is not done where
 *    FEC or RED refers to sequence numbers, for audio, nor for caps that do not
 *    say `media=video`;
 *  - else the cluster ends with what media there is.
 *
 * padding-packets and padding-bytes in #GccSender:stats count both, with RTP
 * headers.
 *
 * ## Several streams
 *
 * Request pads `sink_%u`, each with a source pad `src_%u`, carry further
 * streams over the same network path. The encoders share v according to the
 * weights and limits of the pads. Audio counts towards the rate sent; its
 * encoder is not controlled. In gst-launch `sink_1::weight=3` is a property of
 * the element.
 *
 * Where streams have been merged upstream, as webrtcbin does with those of a
 * bundle, one pad has several encoders. They share what the pad gets, by its
 * property encoder-weights, a structure with a field for each encoder.
 *
 * A stream whose pad is `pausable` is paused at once where its `min-bitrate` does not
 * fit, and resumes once 1.1 times that has fit for a second. Minima are given by
 * `priority`, the greatest first. The pictures before its encoder are dropped; where the
 * encoder is not known or another call needs it, its packets are, which leaves a gap in
 * their sequence numbers. Upstream gets the event `GstGccPaused` with the field
 * `paused`, and a request for a key frame at the end; the pad's `active` tells the
 * application. In a bundle each encoder is paused by itself, by encoder-min-bitrates
 * and encoder-priorities.
 *
 * Video with audio, whose other end is in `docs/how-to/video-and-audio.md`:
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   gccsender name=gcc feedback=transport-cc manage=all \
 *   v4l2src ! videoconvert ! vp8enc ! rtpvp8pay mtu=1200 ! gcc.sink_0 \
 *   autoaudiosrc ! audioconvert ! audioresample ! opusenc ! rtpopuspay pt=97 ! gcc.sink_1 \
 *   gcc.src_0 ! rtp.send_rtp_sink_0   gcc.src_1 ! rtp.send_rtp_sink_1 \
 *   rtp.send_rtp_src_0  ! udpsink host=RECEIVER port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=RECEIVER port=5001 async=false \
 *   rtp.send_rtp_src_1  ! udpsink host=RECEIVER port=5002 \
 *   rtp.send_rtcp_src_1 ! udpsink host=RECEIVER port=5003 async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0 \
 *   udpsrc port=5007 ! rtp.recv_rtcp_sink_1
 * ]|
 *
 * ## Encoders of the application
 *
 * With `manage=sink+session+fec` gccsender sets no bitrate of an encoder. It
 * measures, paces and probes as ever, and publishes v in
 * #GccSender:encoder-bitrate: what audio, FEC and retransmissions leave of the
 * target for all encoders together.
 *
 * ## Trace the controller
 *
 * `gccsender trace-location=sender.csv` writes every control event to a file.
 *
 * Since: 0.1
 */

#include "gstgccsender.h"

#include "control/gstgcccontroller.h"
#include "control/gstgccfeedback.h"
#include "encoder/gstgccadvice.h"
#include "encoder/gstgccencoders.h"
#include "encoder/gstgcctarget.h"
#include "exit/gstgccpacer.h"
#include "exit/gstgccsentpackets.h"
#include "exit/gstgccsinks.h"
#include "gstgccstreams.h"
#include "gstgccsendersettings.h"
#include "session/gstgccsockets.h"
#include "stream/gstgccsenderpad.h"
#include "support/gstgcccolumns.h"
#include "support/gstgccdeprecated.h"
#include "support/gstgccpads.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* With a lower factor packets would leave more slowly than they come. */
#define MIN_PACING_FACTOR 1.

struct _GstGccSender {
  GstGccElement parent;

  /* protected by the object lock */
  GstGccSenderSettings settings;
  gboolean limits_are_crossed;

  /* atomic: whether any RTCP has come */
  gint has_rtcp;
  /* atomic: whether the rates were compared with what video needs */
  gint units_are_checked;
  /* atomic: whether the sinks' packets leave with ECT(1) */
  gint sends_ect1;

  /* The header of each says which locks protect it. */
  GstGccController controller;
  GstGccFeedback feedback;
  GstGccSentPackets sent;
  GstGccEncoders encoders;
  GstGccPacer pacer;
  GstGccTarget target;
  GstGccStreams streams;
  GstGccSinks sinks;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate request_sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate request_src_template = GST_STATIC_PAD_TEMPLATE (
    "src_%u", GST_PAD_SRC, GST_PAD_SOMETIMES,
    GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstGccSender, gst_gcc_sender, GST_TYPE_GCC_ELEMENT,
    G_IMPLEMENT_INTERFACE (
        GST_TYPE_CHILD_PROXY, gst_gcc_streams_child_proxy_init))

#define BASE(self) GST_GCC_ELEMENT (self)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccsender, "gccsender", GST_RANK_NONE,
    GST_TYPE_GCC_SENDER,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_sender_debug, "gccsender", 0,
        "Google Congestion Control, sending side"));

static GstGccSenderSettings
get_settings (GstGccSender *self)
{
  return gst_gcc_sender_settings_get (&self->settings, GST_OBJECT (self));
}

/* --- ECN --- */

static void
gst_gcc_sender_write_ecn (GstGccSender *self, GccEcn ecn)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_SINK);

  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);

    gst_gcc_sockets_write_ecn (pad->srcpad, ecn);
  }
  g_ptr_array_unref (pads);
}

/* After feedback, and as time passes. */
static void
gst_gcc_sender_apply_ecn (GstGccSender *self)
{
  gboolean sends;

  g_mutex_lock (&self->controller.lock);
  sends = self->controller.is_running &&
      gcc_sender_sends_ect1 (self->controller.sender);
  g_mutex_unlock (&self->controller.lock);
  if (!g_atomic_int_compare_and_exchange (&self->sends_ect1, !sends, sends))
    return;

  GST_INFO_OBJECT (self, "packets leave %s ECT(1)", sends ? "with" : "without");
  gst_gcc_sender_write_ecn (self, sends ? GCC_ECN_ECT_1 : GCC_ECN_NOT_ECT);
}

/* --- the RTP session --- */

static void
gst_gcc_sender_receiving_rtcp (
    GObject *session, GstBuffer *buffer, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now ();

  (void) session;

  g_atomic_int_set (&self->has_rtcp, TRUE);
  gst_gcc_sent_packets_begin_request (&self->sent, now);
  gst_gcc_feedback_receive (&self->feedback, buffer, now);
  gst_gcc_sender_apply_ecn (self);
  gst_gcc_target_apply (&self->target);
}

static gboolean
gst_gcc_sender_taking_transport_feedback (GstBuffer *buffer, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now ();

  if (!gst_gcc_feedback_take_transport (&self->feedback, buffer, now))
    return FALSE;

  g_atomic_int_set (&self->has_rtcp, TRUE);
  gst_gcc_target_apply (&self->target);

  return TRUE;
}

static gboolean
gst_gcc_sender_sending_rtcp (
    GObject *session, GstBuffer *buffer, gboolean early, gpointer element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GccTime now = gst_gcc_time_now ();

  (void) session;
  (void) early;

  gst_gcc_feedback_send (&self->feedback, buffer, now);
  gst_gcc_sender_apply_ecn (self);
  gst_gcc_target_apply (&self->target);

  return FALSE;
}

/* In a thread of its own. */
static void
gst_gcc_sender_check (GstElement *element, gpointer user_data)
{
  GstGccSender *self = GST_GCC_SENDER (element);

  (void) user_data;

  gst_gcc_feedback_check (&self->feedback, gst_gcc_time_now ());
  gst_gcc_sender_apply_ecn (self);
  gst_gcc_target_apply (&self->target);
}

/* --- the neighbours --- */

/* While media flows it is known whether its source is live. */
static void
gst_gcc_sender_look_at_sinks (GstGccSender *self)
{
  gboolean is_pacing = gst_gcc_pacer_is_pacing (&self->pacer);
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_SINK);

  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);

    gst_gcc_sinks_look (&self->sinks, GST_PAD (pad), pad->srcpad, is_pacing);
  }
  g_ptr_array_unref (pads);
}

/* Once, as long as the element runs. Audio alone may have a low rate. */
static void
gst_gcc_sender_check_units (GstGccSender *self)
{
  GstGccSenderSettings settings = get_settings (self);
  GPtrArray *pads;

  if (!gst_gcc_streams_have_video (&self->streams) ||
      !g_atomic_int_compare_and_exchange (
          &self->units_are_checked, FALSE, TRUE))
    return;
  pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_SINK);
  gst_gcc_advice_of_units (
      GST_ELEMENT (self), pads, settings.start_bitrate, settings.max_bitrate);
  g_ptr_array_unref (pads);
}

static GstGccPlace
gst_gcc_sender_get_place (GstGccSender *self)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_SINK);
  GstGccPlace place = GST_GCC_PLACE_UNKNOWN;

  for (guint i = 0; i < pads->len; i++)
    place = MAX (place,
        gst_gcc_sent_packets_get_place (
            &self->sent, g_ptr_array_index (pads, i)));
  g_ptr_array_unref (pads);

  return place;
}

static void
gst_gcc_sender_warn_of_place (GstGccSender *self, GstGccPlace place)
{
  gboolean wants_numbers = gst_gcc_element_get_feedback_mode (BASE (self)) ==
      GST_GCC_FEEDBACK_TRANSPORT_CC;

  if (place == GST_GCC_PLACE_OF_RECEIVER)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("gccsender is where packets arrive: that is the place of "
         "gccreceiver."),
        ("The two elements are swapped: put gccreceiver here, upstream of "
         "rtpbin's recv_rtp_sink pad, and gccsender at the other end, between "
         "the payloader and rtpbin's send_rtp_sink pad."));
  else if (place == GST_GCC_PLACE_BEFORE_SENDER)
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("Two gccsenders are in a row: both set the encoder, and only the one "
         "downstream can use transport-wide feedback."),
        ("Remove one of them. Several streams of one session share a gccsender "
         "by its pads sink_%%u."));
  else
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("gccsender is downstream of the RTP session: it can number no "
         "packets, "
         "and follows REMB and receiver reports%s.",
            wants_numbers ? " in spite of feedback=transport-cc" : ""),
        ("Place it between the payloader and the session, upstream of rtpbin's "
         "send_rtp_sink pad."));
}

/* A misplaced element lacks the same things as one in a pipeline that is wrong:
 * warnings of them would mislead. */
static gboolean
gst_gcc_sender_is_misplaced (GstGccSender *self)
{
  gboolean is_misplaced;

  g_mutex_lock (&self->controller.lock);
  is_misplaced = self->feedback.is_misplaced;
  g_mutex_unlock (&self->controller.lock);

  return is_misplaced;
}

/* Once, as long as the element runs. */
static void
gst_gcc_sender_check_place (GstGccSender *self)
{
  GstGccPlace place = gst_gcc_sender_get_place (self);
  gboolean was_told;

  if (place < GST_GCC_PLACE_BEFORE_SENDER)
    return;

  g_mutex_lock (&self->controller.lock);
  was_told = self->feedback.is_misplaced;
  self->feedback.is_misplaced = TRUE;
  g_mutex_unlock (&self->controller.lock);
  if (!was_told)
    gst_gcc_sender_warn_of_place (self, place);
}

/* Other gccsenders may be beside this one, before the same session. */
static void
gst_gcc_sender_share_numbers (GstGccSender *self)
{
  GstGccShared *shared = gst_gcc_session_get_shared (&BASE (self)->session);

  if (shared == NULL)
    return;
  gst_gcc_controller_set_shared (&self->controller, shared);
  gst_gcc_shared_unref (shared);
}

static void
gst_gcc_sender_pipeline_scanned (GstGccElement *element, gboolean has_session,
    gboolean may_come, gboolean warn)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  gboolean media_flows = warn;
  guint pixels;

  gst_gcc_streams_look_downstream (&self->streams);
  if (warn)
    gst_gcc_sender_check_place (self);
  warn = warn && !gst_gcc_sender_is_misplaced (self);
  gst_gcc_streams_look_upstream (&self->streams, warn, &pixels);

  gst_gcc_sender_share_numbers (self);
  g_mutex_lock (&self->controller.lock);
  self->controller.has_session = has_session;
  gcc_sender_set_pixels (self->controller.sender, pixels);
  g_mutex_unlock (&self->controller.lock);
  if (warn) {
    gst_gcc_sender_look_at_sinks (self);
    gst_gcc_sender_check_units (self);
  }

  /* Once media flows this is the streaming thread, in which no encoder may be
   * set. The session's next report sets a new one. */
  if (!media_flows)
    gst_gcc_target_apply (&self->target);

  /* Media can arrive before webrtcbin has negotiated and linked the elements
   * downstream of its pad. When it does, the pipeline is scanned again. */
  if (!has_session && !may_come && warn)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("No RTP session found: the bitrate is not controlled."),
        ("gccsender needs the RTCP of an rtpsession downstream. Place it "
         "between the payloader and rtpbin, rtpsink or webrtcbin."));
}

/* RTCP also comes where RTP does (RFC 5761). */
static void
gst_gcc_sender_no_rtcp (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);

  if (!g_atomic_int_get (&self->has_rtcp) &&
      !gst_gcc_sender_is_misplaced (self))
    GST_ELEMENT_WARNING (element, RESOURCE, NOT_FOUND,
        ("No RTCP reaches the RTP session: no feedback arrives."),
        ("Nothing is linked to the session's recv_rtcp_sink pad: link a source "
         "of the other end's RTCP, such as udpsrc, to rtpbin's "
         "recv_rtcp_sink_%%u."));
}

/* --- pads --- */

static void
gst_gcc_sender_set_up_pads (
    GstGccElement *element, GstPad *sinkpad, GstPad *srcpad)
{
  gst_gcc_streams_set_up_pads (
      &GST_GCC_SENDER (element)->streams, sinkpad, srcpad);
}

static GstPad *
gst_gcc_sender_request_new_pad (GstElement *element, GstPadTemplate *template,
    const gchar *name, const GstCaps *caps)
{
  (void) caps;

  return gst_gcc_streams_request_pad (
      &GST_GCC_SENDER (element)->streams, template, name);
}

/* --- states --- */

static void
gst_gcc_sender_start_pacer (
    GstGccSender *self, const GstGccSenderSettings *settings, GccRate target)
{
  const GccProfile *profile = gst_gcc_element_get_profile (BASE (self));
  gdouble factor = settings->pacing_factor;

  if (factor < 0.)
    factor = profile->pacer.factor;
  else if (factor > 0.)
    factor = MAX (factor, MIN_PACING_FACTOR);

  gst_gcc_pacer_start (&self->pacer, profile, factor,
      settings->pacing_factor != 0., target,
      settings->max_pacing_delay * GCC_MSECOND);
  if (settings->ecn == GST_GCC_ECN_ECT1)
    gst_gcc_pacer_send_singly (&self->pacer);
}

static void
gst_gcc_sender_check_profile (
    GstGccSender *self, const GccProfile *profile, GstGccFeedbackMode mode)
{
  gboolean is_asked_for = mode == GST_GCC_FEEDBACK_TRANSPORT_CC ||
      mode == GST_GCC_FEEDBACK_CCFB;

  if (is_asked_for && profile->send_side == NULL)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("feedback=%s has no effect: profile %s follows REMB and "
         "receiver reports only.",
            mode == GST_GCC_FEEDBACK_CCFB ? "ccfb" : "transport-cc",
            profile->name),
        ("Set profile=recommended or profile=goog-2026, which follow "
         "feedback about each packet, or leave out \"feedback\" at both "
         "ends."));
}

static gboolean
gst_gcc_sender_start (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);
  GstGccFeedbackMode mode = gst_gcc_element_get_feedback_mode (element);
  const GccProfile *profile = gst_gcc_element_get_profile (element);
  GstGccSenderSettings settings = get_settings (self);
  GccRate start;

  if (settings.min_bitrate > settings.max_bitrate) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
        ("min-bitrate (%u) is above max-bitrate (%u).", settings.min_bitrate,
            settings.max_bitrate),
        ("Lower \"min-bitrate\" or raise \"max-bitrate\". Rates are in bit/s, "
         "not in kbit/s."));
    return FALSE;
  }

  g_mutex_lock (&self->controller.lock);
  gst_gcc_controller_start (&self->controller, profile, settings.min_bitrate,
      settings.start_bitrate, settings.max_bitrate, settings.probing);
  gcc_sender_set_reserved (self->controller.sender, settings.reserved_bitrate);
  gcc_sender_set_ecn (
      self->controller.sender, settings.ecn == GST_GCC_ECN_ECT1);
  gst_gcc_feedback_start (&self->feedback, profile);
  gst_gcc_sent_packets_start (&self->sent, mode);
  gst_gcc_target_start (&self->target);
  start = gcc_sender_get_target (self->controller.sender);
  g_mutex_unlock (&self->controller.lock);

  gst_gcc_encoders_start (&self->encoders, settings.encoder_bitrate_unit,
      gst_gcc_manage_has (&element->manage, GST_GCC_MANAGE_ENCODER_SETTINGS),
      profile,
      settings.encoder_change_cost < 0
          ? GCC_TIME_NONE
          : settings.encoder_change_cost * GCC_MSECOND);
  gst_gcc_sinks_start (
      &self->sinks, gst_gcc_manage_has (&element->manage, GST_GCC_MANAGE_SINK));
  g_atomic_int_set (&self->units_are_checked, FALSE);
  g_atomic_int_set (&self->has_rtcp, FALSE);

  gst_gcc_sender_start_pacer (self, &settings, start);
  gst_gcc_controller_set_running (&self->controller, TRUE);
  gst_gcc_sender_check_profile (self, profile, mode);

  return TRUE;
}

static void
gst_gcc_sender_stop (GstGccElement *element)
{
  GstGccSender *self = GST_GCC_SENDER (element);

  gst_gcc_controller_set_running (&self->controller, FALSE);
  gst_gcc_sender_apply_ecn (self);
  gst_gcc_pacer_stop (&self->pacer);
  gst_gcc_sinks_stop (&self->sinks);
  gst_gcc_encoders_release (&self->encoders);
}

static GccTime
gst_gcc_sender_get_report_interval (GstGccElement *element)
{
  return gst_gcc_element_get_profile (element)->loss.reports.interval;
}

/* --- properties --- */

static GstStructure *
gst_gcc_sender_create_stats (GstGccSender *self)
{
  const gchar *reason = gst_gcc_streams_get_reason (&self->streams);
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_SINK);
  GstStructure *stats;

  g_mutex_lock (&self->controller.lock);
  if (self->controller.is_running)
    gcc_sender_update (self->controller.sender, gst_gcc_time_now ());
  stats = gst_gcc_columns_to_structure ("gccsender", gcc_sender_columns,
      gcc_sender_n_columns, gcc_sender_get_stats (self->controller.sender));
  gst_gcc_feedback_add_stats (&self->feedback, stats);
  gst_gcc_sent_packets_add_stats (&self->sent, stats);
  if (reason == NULL)
    reason = gcc_sender_get_feedback_reason (self->controller.sender);
  gst_structure_set (stats, "feedback-reason", G_TYPE_STRING, reason, NULL);
  gst_gcc_pacer_add_stats (&self->pacer, stats);
  gst_gcc_encoders_add_stats (pads, stats);
  g_mutex_unlock (&self->controller.lock);
  g_ptr_array_unref (pads);
  gst_gcc_element_add_stats (BASE (self), stats);

  return stats;
}

static void
gst_gcc_sender_limits_changed (GstGccSender *self)
{
  GstGccSenderSettings settings = get_settings (self);
  GccRate max = settings.max_bitrate;

  g_mutex_lock (&self->controller.lock);
  if (self->controller.is_running)
    gcc_sender_set_limits (
        self->controller.sender, MIN (settings.min_bitrate, max), max);
  g_mutex_unlock (&self->controller.lock);

  gst_gcc_target_apply (&self->target);
}

static void
gst_gcc_sender_restart (GstGccSender *self, guint bitrate)
{
  g_mutex_lock (&self->controller.lock);
  if (self->controller.is_running)
    gcc_sender_restart (self->controller.sender, bitrate, gst_gcc_time_now ());
  g_mutex_unlock (&self->controller.lock);

  gst_gcc_target_apply (&self->target);
}

/* As it was before there was the signal. */
static void
gst_gcc_sender_start_changed (GstGccSender *self)
{
  if (!gst_gcc_controller_is_running (&self->controller))
    return;
  gst_gcc_deprecated_tell (GST_ELEMENT (self), GST_CAT_DEFAULT,
      "start-bitrate in mid-call", "emit \"restart\"");
  gst_gcc_sender_restart (self, get_settings (self).start_bitrate);
}

static void
gst_gcc_sender_probing_changed (GstGccSender *self)
{
  gboolean probing = get_settings (self).probing;

  g_mutex_lock (&self->controller.lock);
  if (self->controller.is_running)
    gcc_sender_set_probing (
        self->controller.sender, probing, gst_gcc_time_now ());
  g_mutex_unlock (&self->controller.lock);
}

static void
gst_gcc_sender_reserved_changed (GstGccSender *self)
{
  GccRate reserved = get_settings (self).reserved_bitrate;

  g_mutex_lock (&self->controller.lock);
  if (self->controller.is_running)
    gcc_sender_set_reserved (self->controller.sender, reserved);
  g_mutex_unlock (&self->controller.lock);

  gst_gcc_target_apply (&self->target);
}

/* Warns once until the limits are in order again. */
static void
gst_gcc_sender_check_limits (GstGccSender *self)
{
  guint min, max;
  gboolean were_crossed;

  GST_OBJECT_LOCK (self);
  min = self->settings.min_bitrate;
  max = self->settings.max_bitrate;
  were_crossed = self->limits_are_crossed;
  self->limits_are_crossed = min > max;
  GST_OBJECT_UNLOCK (self);

  if (min > max && !were_crossed)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("min-bitrate (%u) is above max-bitrate (%u): %u is used as both.", min,
            max, max),
        ("Lower \"min-bitrate\" or raise \"max-bitrate\"."));
}

/* After all of one g_object_set() are set, so that both limits may be moved
 * past each other with it. */
static void
gst_gcc_sender_notify (GObject *object, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  if (gst_gcc_sender_settings_is_limit (pspec) &&
      gst_gcc_controller_is_running (&self->controller))
    gst_gcc_sender_check_limits (self);
}

static void
gst_gcc_sender_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  /* of the first stream */
  if (id == GST_GCC_SENDER_PROP_ENCODER) {
    gst_gcc_deprecated_tell (GST_ELEMENT (self), GST_CAT_DEFAULT, "encoder",
        "set it on the pad \"sink\"");
    g_object_set_property (G_OBJECT (BASE (self)->sinkpad), "encoder", value);
    return;
  }

  if (gst_gcc_manage_set_property (&BASE (self)->manage, id, value)) {
    gst_gcc_target_apply (&self->target);
    return;
  }

  if (!gst_gcc_sender_settings_set_property (
          &self->settings, GST_OBJECT (self), id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);

  if (id == GST_GCC_SENDER_PROP_MIN_BITRATE ||
      id == GST_GCC_SENDER_PROP_MAX_BITRATE)
    gst_gcc_sender_limits_changed (self);
  else if (id == GST_GCC_SENDER_PROP_START_BITRATE)
    gst_gcc_sender_start_changed (self);
  else if (id == GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST)
    gst_gcc_deprecated_tell (
        GST_ELEMENT (self), GST_CAT_DEFAULT, pspec->name, "set it on the pad");
  else if (id == GST_GCC_SENDER_PROP_PROBING)
    gst_gcc_sender_probing_changed (self);
  else if (id == GST_GCC_SENDER_PROP_RESERVED_BITRATE)
    gst_gcc_sender_reserved_changed (self);
}

static void
gst_gcc_sender_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  if (id == GST_GCC_SENDER_PROP_ENCODER) {
    g_object_get_property (G_OBJECT (BASE (self)->sinkpad), "encoder", value);
    return;
  }

  if (id == GST_GCC_SENDER_PROP_STATS) {
    g_value_take_boxed (value, gst_gcc_sender_create_stats (self));
    return;
  }

  if (id >= GST_GCC_SENDER_PROP_TARGET_BITRATE &&
      id < GST_GCC_SENDER_PROP_TARGET_BITRATE + GST_GCC_TARGET_N_PROPERTIES) {
    GccRate rate = gst_gcc_target_get (
        &self->target, id - GST_GCC_SENDER_PROP_TARGET_BITRATE);

    g_value_set_uint (value, (guint) CLAMP (rate, 0, G_MAXUINT));
    return;
  }

  if (gst_gcc_manage_get_property (&BASE (self)->manage, id, value))
    return;

  if (!gst_gcc_sender_settings_get_property (
          &self->settings, GST_OBJECT (self), id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_gcc_sender_finalize (GObject *object)
{
  GstGccSender *self = GST_GCC_SENDER (object);

  gst_gcc_pacer_finalize (&self->pacer);
  gst_gcc_sinks_clear (&self->sinks);
  gst_gcc_controller_clear (&self->controller);

  G_OBJECT_CLASS (gst_gcc_sender_parent_class)->finalize (object);
}

static void
gst_gcc_sender_class_init (GstGccSenderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstGccElementClass *gcc_class = GST_GCC_ELEMENT_CLASS (klass);

  object_class->set_property = gst_gcc_sender_set_property;
  object_class->get_property = gst_gcc_sender_get_property;
  object_class->notify = gst_gcc_sender_notify;
  object_class->finalize = gst_gcc_sender_finalize;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (
      gst_gcc_sender_request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (gst_gcc_streams_release_pad);
  gcc_class->columns = gcc_sender_columns;
  gcc_class->n_columns = gcc_sender_n_columns;
  gcc_class->session_funcs.category = gst_gcc_sender_debug;
  gcc_class->session_funcs.receiving = gst_gcc_sender_receiving_rtcp;
  gcc_class->session_funcs.sending = gst_gcc_sender_sending_rtcp;
  gcc_class->session_funcs.taking_transport_feedback =
      gst_gcc_sender_taking_transport_feedback;
  gcc_class->get_report_interval = gst_gcc_sender_get_report_interval;
  gcc_class->start = gst_gcc_sender_start;
  gcc_class->stop = gst_gcc_sender_stop;
  gcc_class->set_up_pads = gst_gcc_sender_set_up_pads;
  gcc_class->pipeline_scanned = gst_gcc_sender_pipeline_scanned;
  gcc_class->rtcp_pad = "recv_rtcp_sink";
  gcc_class->no_rtcp = gst_gcc_sender_no_rtcp;

  gst_gcc_sender_settings_install (object_class);
  /**
   * GstGccSender::restart:
   * @bitrate: the target bitrate from now on, in bit/s, within the limits
   *
   * Has the target go on from @bitrate, for an application that knows a better
   * rate than the present one. Without effect before the start.
   *
   * Since: 0.2
   */
  g_signal_new_class_handler ("restart", G_TYPE_FROM_CLASS (klass),
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION, G_CALLBACK (gst_gcc_sender_restart),
      NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gst_gcc_manage_install (object_class, GST_TYPE_GCC_SENDER_MANAGE);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_SENDER_MANAGE, 0);

  gst_element_class_add_static_pad_template_with_gtype (
      element_class, &sink_template, GST_TYPE_GCC_SENDER_PAD);
  gst_element_class_add_static_pad_template_with_gtype (
      element_class, &request_sink_template, GST_TYPE_GCC_SENDER_PAD);
  gst_element_class_add_static_pad_template (
      element_class, &request_src_template);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_SENDER_PAD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_ECN_MODE, 0);

  gst_element_class_set_static_metadata (element_class, "GCC sender",
      "Filter/Network/RTP",
      "Sets an encoder's bitrate from transport-wide feedback, or REMB and "
      "receiver reports, by Google Congestion Control",
      "The gst-gcc authors");
}

static void
gst_gcc_sender_init (GstGccSender *self)
{
  gst_gcc_manage_init (&BASE (self)->manage, GST_ELEMENT (self),
      GST_TYPE_GCC_SENDER_MANAGE, gst_gcc_sender_debug);
  gst_gcc_sender_settings_init (&self->settings);
  gst_gcc_controller_init (&self->controller, GST_ELEMENT (self),
      &BASE (self)->trace, gst_gcc_element_get_profile (BASE (self)),
      self->settings.min_bitrate, self->settings.start_bitrate,
      self->settings.max_bitrate);
  gst_gcc_feedback_init (&self->feedback, &self->controller);
  gst_gcc_sent_packets_init (&self->sent, &self->controller,
      &BASE (self)->session, gst_gcc_sender_check);
  gst_gcc_encoders_init (&self->encoders, &self->controller,
      &BASE (self)->manage, &BASE (self)->handlers);
  gst_gcc_pacer_init (&self->pacer, &self->sent);
  gst_gcc_target_init (&self->target, &self->controller, &BASE (self)->messages,
      &self->pacer, &self->encoders, &BASE (self)->manage,
      &BASE (self)->handlers);
  gst_gcc_streams_init (&self->streams, BASE (self), &self->controller,
      &self->sent, &self->encoders, &self->pacer);
  gst_gcc_sinks_init (&self->sinks, GST_ELEMENT (self));
}
