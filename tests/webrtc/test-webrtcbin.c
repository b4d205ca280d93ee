/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A call between two webrtcbins in one process, as docs/webrtc.md tells to make
 * it: gccsender sends, gccreceiver of the other end tells it the rate.
 */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/webrtc/webrtc.h>
#include <string.h>

#include "answer.h"
#include "element-test.h"

/* Of ICE and DTLS on a busy machine; an idle one takes one second. */
#define PATIENCE (30 * G_TIME_SPAN_SECOND)

#define START_BITRATE 300000

/* What is to stand in the SDP, as caps: webrtcbin writes the lines from them in
 * offers and in answers. */
#define MEDIA_CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,payload=96," \
  "clock-rate=90000,a-rtcp-fb=(string)\"96 goog-remb\"," \
  "extmap-3=(string)" GCC_ABS_SEND_TIME_URI ","
#define TRANSPORT_CC_URI \
  "http://www.ietf.org/id/" \
  "draft-holmer-rmcat-transport-wide-cc-extensions-01"

/* By itself webrtcbin would offer the feedback without the extension. */
#define REMB_CAPS MEDIA_CAPS "rtcp-fb-transport-cc=(boolean)false"
#define TRANSPORT_CC_CAPS MEDIA_CAPS "extmap-5=(string)" TRANSPORT_CC_URI

#define TRACK(encoder, caps) \
  "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! " \
  "video/x-raw,width=320,height=240 ! vp8enc name=" encoder " deadline=1 ! " \
  "rtpvp8pay ! " caps
#define SENDER_LINE(caps) \
  "webrtcbin name=webrtc bundle-policy=max-bundle " TRACK ( \
      "encoder", caps) " ! "

typedef struct {
  /* %NULL: what webrtcbin answers by itself, or answer.c makes of the offer */
  const gchar *answer_caps;
  gboolean keeps_feedback;
  const gchar *feedback;
  /* (nullable) */
  const gchar *weights;
  /* of request-aux-sender */
  GCallback make_sender;
  GstElement *sending;
  GstElement *receiving;
  GstElement *sender_webrtc;
  GstElement *receiver_webrtc;
  GstElement *gccsender;
  GstElement *gccreceiver;
  GMutex lock;
  gchar *offer;
  gchar *answer;
  /* streams that have arrived; atomic */
  gint n_streams;
} Call;

/* --- signalling --- */

/* %FALSE: the call ends, and what was asked for is not made any more. */
static gboolean
take_description (GstPromise *promise, const gchar *kind, gchar **text,
    GstWebRTCSessionDescription **description)
{
  gboolean is_made;

  g_assert_cmpint (gst_promise_wait (promise), ==, GST_PROMISE_RESULT_REPLIED);
  is_made = gst_structure_get (gst_promise_get_reply (promise), kind,
      GST_TYPE_WEBRTC_SESSION_DESCRIPTION, description, NULL);
  gst_promise_unref (promise);
  if (!is_made)
    return FALSE;
  g_free (*text);
  *text = gst_sdp_message_as_text ((*description)->sdp);

  return TRUE;
}

static void
answer_created (GstPromise *promise, gpointer user_data)
{
  Call *self = user_data;
  GstWebRTCSessionDescription *answer;
  gboolean is_made;

  g_mutex_lock (&self->lock);
  is_made = take_description (promise, "answer", &self->answer, &answer);
  g_mutex_unlock (&self->lock);
  if (!is_made)
    return;

  g_signal_emit_by_name (
      self->receiver_webrtc, "set-local-description", answer, NULL);
  g_signal_emit_by_name (
      self->sender_webrtc, "set-remote-description", answer, NULL);
  gst_webrtc_session_description_free (answer);
}

static void
take_feedback_of_offer (Call *self)
{
  GstSDPMessage *offer;

  g_mutex_lock (&self->lock);
  g_assert_cmpint (
      gst_sdp_message_new_from_text (self->offer, &offer), ==, GST_SDP_OK);
  g_mutex_unlock (&self->lock);
  g_assert_cmpuint (
      answer_with_feedback_of_offer (self->receiver_webrtc, offer), ==, 1);
  gst_sdp_message_free (offer);
}

static void
offer_taken (GstPromise *promise, gpointer user_data)
{
  Call *self = user_data;

  gst_promise_unref (promise);
  if (self->keeps_feedback)
    take_feedback_of_offer (self);
  g_signal_emit_by_name (self->receiver_webrtc, "create-answer", NULL,
      gst_promise_new_with_change_func (answer_created, self, NULL));
}

static void
offer_created (GstPromise *promise, gpointer user_data)
{
  Call *self = user_data;
  GstWebRTCSessionDescription *offer;
  gboolean is_made;

  g_mutex_lock (&self->lock);
  is_made = take_description (promise, "offer", &self->offer, &offer);
  g_mutex_unlock (&self->lock);
  if (!is_made)
    return;

  g_signal_emit_by_name (
      self->sender_webrtc, "set-local-description", offer, NULL);
  g_signal_emit_by_name (self->receiver_webrtc, "set-remote-description", offer,
      gst_promise_new_with_change_func (offer_taken, self, NULL));
  gst_webrtc_session_description_free (offer);
}

static void
negotiation_needed (GstElement *webrtc, gpointer user_data)
{
  g_signal_emit_by_name (webrtc, "create-offer", NULL,
      gst_promise_new_with_change_func (offer_created, user_data, NULL));
}

static void
candidate_found (
    GstElement *webrtc, guint mline, const gchar *candidate, gpointer other)
{
  (void) webrtc;
  g_signal_emit_by_name (other, "add-ice-candidate", mline, candidate);
}

/* --- where the elements go --- */

static GstElement *
request_aux_sender (
    GstElement *webrtc, GstWebRTCDTLSTransport *transport, gpointer user_data)
{
  Call *self = user_data;
  GstElement *gccsender = gst_element_factory_make ("gccsender", NULL);

  (void) webrtc;
  (void) transport;
  if (self->weights != NULL)
    gst_util_set_object_arg (
        gccsender->sinkpads->data, "encoder-weights", self->weights);
  g_atomic_pointer_set (&self->gccsender, gst_object_ref (gccsender));

  return gccsender;
}

#ifdef HAVE_RTPGCCBWE
static void
follow_estimate (GObject *bwe, GParamSpec *pspec, gpointer encoder)
{
  guint bitrate;

  (void) pspec;
  g_object_get (bwe, "estimated-bitrate", &bitrate, NULL);
  g_object_set (encoder, "target-bitrate", (gint) bitrate, NULL);
}

/* As an application does that was written for the one of gst-plugins-rs. */
static GstElement *
request_rtpgccbwe (
    GstElement *webrtc, GstWebRTCDTLSTransport *transport, gpointer user_data)
{
  Call *self = user_data;
  GstElement *bwe = gst_element_factory_make ("rtpgccbwe", NULL);
  GstElement *encoder = gst_bin_get_by_name (
      GST_BIN (self->sending), "encoder");

  (void) webrtc;
  (void) transport;
  g_object_set (bwe, "min-bitrate", 1000, "estimated-bitrate", START_BITRATE,
      "max-bitrate", 8192000, NULL);
  g_object_set (encoder, "target-bitrate", START_BITRATE, NULL);
  g_signal_connect_object (bwe, "notify::estimated-bitrate",
      G_CALLBACK (follow_estimate), encoder, 0);
  gst_object_unref (encoder);
  g_atomic_pointer_set (
      &self->gccsender, gst_bin_get_by_name (GST_BIN (bwe), "gccsender"));

  return bwe;
}
#endif

static GstElement *
request_rtp_decoder (GstElement *rtpbin, guint session, gpointer user_data)
{
  Call *self = user_data;
  GstElement *bin = gst_bin_new (NULL);
  GstElement *receiver = gst_element_factory_make ("gccreceiver", NULL);

  (void) rtpbin;
  (void) session;
  gst_bin_add (GST_BIN (bin), receiver);
  gst_element_add_pad (
      bin, gst_ghost_pad_new ("rtp_sink", receiver->sinkpads->data));
  gst_element_add_pad (
      bin, gst_ghost_pad_new ("rtp_src", receiver->srcpads->data));
  self->gccreceiver = gst_object_ref (receiver);

  return bin;
}

/* --- the rest of the receiving end --- */

static void
new_transceiver (
    GstElement *webrtc, GstWebRTCRTPTransceiver *transceiver, gpointer data)
{
  Call *self = data;
  GstCaps *caps;

  (void) webrtc;
  if (self->answer_caps == NULL)
    return;
  caps = gst_caps_from_string (self->answer_caps);
  g_object_set (transceiver, "codec-preferences", caps, NULL);
  gst_caps_unref (caps);
}

static void
pad_added (GstElement *webrtc, GstPad *pad, gpointer user_data)
{
  Call *self = user_data;
  GstElement *sink;
  GstPad *sinkpad;

  (void) webrtc;
  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;

  sink = gst_parse_bin_from_description (
      "rtpvp8depay ! vp8dec ! fakesink", TRUE, NULL);
  gst_bin_add (GST_BIN (self->receiving), sink);
  gst_element_sync_state_with_parent (sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  g_assert_cmpint (gst_pad_link (pad, sinkpad), ==, GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
  g_atomic_int_inc (&self->n_streams);
}

static void
call_begin (Call *self, const gchar *sender_line)
{
  GstElement *rtpbin;

  test_tolerate_race_of_rtpsession ();
  g_mutex_init (&self->lock);
  self->sending = test_parse (sender_line);
  self->sender_webrtc = gst_bin_get_by_name (GST_BIN (self->sending), "webrtc");
  self->gccsender = gst_bin_get_by_name (GST_BIN (self->sending), "gccsender");
  self->receiving = gst_pipeline_new (NULL);
  self->receiver_webrtc = gst_element_factory_make ("webrtcbin", NULL);
  g_object_set (self->receiver_webrtc, "bundle-policy",
      GST_WEBRTC_BUNDLE_POLICY_MAX_BUNDLE, NULL);
  gst_bin_add (
      GST_BIN (self->receiving), gst_object_ref (self->receiver_webrtc));

  test_leave_upnp_out (self->sender_webrtc);
  test_leave_upnp_out (self->receiver_webrtc);
  if (self->gccsender == NULL)
    g_signal_connect (
        self->sender_webrtc, "request-aux-sender", self->make_sender, self);
  rtpbin = gst_bin_get_by_name (GST_BIN (self->receiver_webrtc), "rtpbin");
  g_signal_connect (
      rtpbin, "request-rtp-decoder", G_CALLBACK (request_rtp_decoder), self);
  gst_object_unref (rtpbin);

  g_signal_connect (self->receiver_webrtc, "on-new-transceiver",
      G_CALLBACK (new_transceiver), self);
  g_signal_connect (
      self->receiver_webrtc, "pad-added", G_CALLBACK (pad_added), self);
  g_signal_connect (self->sender_webrtc, "on-ice-candidate",
      G_CALLBACK (candidate_found), self->receiver_webrtc);
  g_signal_connect (self->receiver_webrtc, "on-ice-candidate",
      G_CALLBACK (candidate_found), self->sender_webrtc);
  g_signal_connect (self->sender_webrtc, "on-negotiation-needed",
      G_CALLBACK (negotiation_needed), self);

  gst_element_set_state (self->receiving, GST_STATE_PLAYING);
  gst_element_set_state (self->sending, GST_STATE_PLAYING);
}

static void
call_start_with (Call *self, GCallback make_sender, const gchar *sender_line,
    const gchar *answer_caps, const gchar *feedback)
{
  *self = (Call){
    .answer_caps = answer_caps, .make_sender = make_sender, .feedback = feedback
  };
  call_begin (self, sender_line);
}

static void
call_start (Call *self, const gchar *sender_line, const gchar *answer_caps,
    const gchar *feedback)
{
  call_start_with (self, G_CALLBACK (request_aux_sender), sender_line,
      answer_caps, feedback);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->sending, GST_STATE_NULL);
  gst_element_set_state (self->receiving, GST_STATE_NULL);
  gst_clear_object (&self->gccsender);
  gst_clear_object (&self->gccreceiver);
  gst_object_unref (self->sender_webrtc);
  gst_object_unref (self->receiver_webrtc);
  gst_object_unref (self->sending);
  gst_object_unref (self->receiving);
  g_free (self->offer);
  g_free (self->answer);
  g_mutex_clear (&self->lock);
}

/* --- what is seen --- */

static GstStructure *
stats_of (GstElement *element)
{
  GstStructure *stats;

  g_object_get (element, "stats", &stats, NULL);

  return stats;
}

static gint
bitrate_of (Call *self, const gchar *name)
{
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (self->sending), name);
  gint bitrate;

  g_object_get (encoder, "target-bitrate", &bitrate, NULL);
  gst_object_unref (encoder);

  return bitrate;
}

static guint64
count_of (const GstStructure *stats, const gchar *field)
{
  guint64 count = 0;

  gst_structure_get_uint64 (stats, field, &count);

  return count;
}

/* The feedback that is to rule and reports have come, and the encoder knows. */
static gboolean
is_controlled (Call *self)
{
  GstElement *gccsender = g_atomic_pointer_get (&self->gccsender);
  GstStructure *stats;
  gboolean is_followed;
  gdouble rtt = 0;

  if (gccsender == NULL)
    return FALSE;

  stats = stats_of (gccsender);
  is_followed = g_strcmp0 (gst_structure_get_string (stats, "feedback"),
                    self->feedback) == 0 &&
      count_of (stats, "reports") > 0 &&
      count_of (stats, "rembs") + count_of (stats, "feedbacks") > 0;
  gst_structure_get_double (stats, "rtt-ms", &rtt);
  gst_structure_free (stats);

  return is_followed && rtt > 0 &&
      bitrate_of (self, "encoder") != START_BITRATE;
}

/* As an application has to: webrtcbin grows while it negotiates, so the latency
 * that was configured when the pipeline started is not that of its new
 * elements. From GStreamer 1.26 on a session without it sends no reports. */
static void
serve_message (GstElement *pipeline, GstMessage *message)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (pipeline));
      break;
    case GST_MESSAGE_WARNING:
    case GST_MESSAGE_ERROR: {
      gchar *complaint = gst_structure_to_string (
          gst_message_get_structure (message));

      g_test_message ("%s: %s", GST_MESSAGE_SRC_NAME (message), complaint);
      g_test_fail ();
      g_free (complaint);
      break;
    }
    default:
      break;
  }
}

static void
serve_bus (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop (bus)) != NULL) {
    serve_message (pipeline, message);
    gst_message_unref (message);
  }
  gst_object_unref (bus);
}

typedef struct {
  Call *call;
  gboolean (*condition) (Call *self);
} Wait;

static gboolean
is_over (gpointer user_data)
{
  const Wait *self = user_data;

  serve_bus (self->call->sending);
  serve_bus (self->call->receiving);

  return self->condition (self->call);
}

/* On a machine that is busy with seven times what it can do, half a minute is not
 * enough: then the failure says how much of a processor the test had. */
static void
call_wait_until (Call *self, gboolean (*condition) (Call *self))
{
  Wait wait = { self, condition };

  test_wait_until (is_over, &wait);
}

static void
call_wait_until_controlled (Call *self)
{
  call_wait_until (self, is_controlled);
}

static void
assert_has_the_lines (const gchar *sdp)
{
  g_assert_nonnull (strstr (sdp, "a=rtcp-fb:96 goog-remb\r\n"));
  g_assert_nonnull (strstr (sdp, "a=extmap:3 " GCC_ABS_SEND_TIME_URI "\r\n"));
}

static void
assert_has_transport_cc (const gchar *sdp, gboolean expected)
{
  const gchar *feedback = strstr (sdp, "a=rtcp-fb:96 transport-cc\r\n");
  const gchar *extension = strstr (sdp, "a=extmap:5 " TRANSPORT_CC_URI "\r\n");

  g_assert_cmpint (feedback != NULL, ==, expected);
  g_assert_cmpint (extension != NULL, ==, expected);
}

static gboolean
measures_by_abs_send_time (Call *self)
{
  GstStructure *stats = stats_of (self->gccreceiver);
  gboolean abs_send_time = FALSE;

  gst_structure_get_boolean (stats, "abs-send-time", &abs_send_time);
  gst_structure_free (stats);

  return abs_send_time;
}

/* --- tests --- */

static void
test_aux_sender (void)
{
  Call call;

  call_start (
      &call, SENDER_LINE (REMB_CAPS) "webrtc.sink_0", REMB_CAPS, "remb");
  call_wait_until_controlled (&call);
  assert_has_the_lines (call.offer);
  assert_has_the_lines (call.answer);
  /* else a sender may follow that, and no REMB */
  assert_has_transport_cc (call.offer, FALSE);
  assert_has_transport_cc (call.answer, FALSE);
  g_assert_true (measures_by_abs_send_time (&call));
  call_stop (&call);
}

static void
test_in_front (void)
{
  Call call;

  call_start (&call,
      SENDER_LINE (REMB_CAPS) "gccsender name=gccsender ! webrtc.sink_0",
      REMB_CAPS, "remb");
  call_wait_until_controlled (&call);
  call_stop (&call);
}

/* webrtcbin adds the feedback by itself; the extension takes both ends' caps. */
static void
test_transport_cc (void)
{
  Call call;

  call_start (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0",
      TRANSPORT_CC_CAPS, "transport-cc");
  call_wait_until_controlled (&call);
  assert_has_the_lines (call.offer);
  assert_has_the_lines (call.answer);
  assert_has_transport_cc (call.offer, TRUE);
  assert_has_transport_cc (call.answer, TRUE);
  call_stop (&call);
}

/* Of examples/webrtc/answer.c: nobody tells the answerer anything of codecs. */
static void
test_an_answer_may_keep_the_feedback_of_the_offer (void)
{
  Call call = { .keeps_feedback = TRUE,
    .make_sender = G_CALLBACK (request_aux_sender),
    .feedback = "transport-cc" };

  call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  call_wait_until_controlled (&call);
  assert_has_transport_cc (call.offer, TRUE);
  assert_has_transport_cc (call.answer, TRUE);
  call_stop (&call);
}

static gboolean
has_answered (Call *self)
{
  gboolean has;

  g_mutex_lock (&self->lock);
  has = self->answer != NULL;
  g_mutex_unlock (&self->lock);

  return has;
}

static const gchar simulcast_offer[] =
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
    "a=group:BUNDLE 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n"
    "c=IN IP4 0.0.0.0\r\na=ice-ufrag:abcd\r\n"
    "a=ice-pwd:abcdefghijklmnopqrstuvwxyz\r\n"
    "a=fingerprint:sha-256 00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:"
    "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF\r\n"
    "a=setup:actpass\r\na=mid:0\r\na=sendonly\r\na=rtcp-mux\r\n"
    "a=extmap:5 " TRANSPORT_CC_URI "\r\na=rtpmap:96 VP8/90000\r\n"
    "a=rtcp-fb:96 transport-cc\r\na=rid:q send\r\n"
    "a=rid:h send pt=96;max-width=640\r\na=simulcast:send q;h\r\n";

static gchar *
answer_to (const gchar *text)
{
  GstElement *webrtcbin = gst_element_factory_make ("webrtcbin", NULL);
  GstWebRTCSessionDescription *description;
  GstSDPMessage *offer, *taken;
  GstPromise *promise = gst_promise_new ();
  gchar *answer = NULL;

  gst_object_ref_sink (webrtcbin);
  g_object_set (
      webrtcbin, "bundle-policy", GST_WEBRTC_BUNDLE_POLICY_MAX_BUNDLE, NULL);
  gst_element_set_state (webrtcbin, GST_STATE_PLAYING);
  g_assert_cmpint (
      gst_sdp_message_new_from_text (text, &offer), ==, GST_SDP_OK);
  g_assert_cmpint (gst_sdp_message_copy (offer, &taken), ==, GST_SDP_OK);
  description = gst_webrtc_session_description_new (
      GST_WEBRTC_SDP_TYPE_OFFER, taken);
  g_signal_emit_by_name (
      webrtcbin, "set-remote-description", description, promise);
  gst_promise_wait (promise);
  gst_promise_unref (promise);
  gst_webrtc_session_description_free (description);

  g_assert_cmpuint (answer_with_feedback_of_offer (webrtcbin, offer), ==, 1);
  gst_sdp_message_free (offer);
  promise = gst_promise_new ();
  g_signal_emit_by_name (webrtcbin, "create-answer", NULL, promise);
  g_assert_true (take_description (promise, "answer", &answer, &description));
  gst_webrtc_session_description_free (description);
  gst_element_set_state (webrtcbin, GST_STATE_NULL);
  gst_object_unref (webrtcbin);

  return answer;
}

static void
test_an_answer_receives_the_streams_that_an_offer_sends (void)
{
  gchar *answer = answer_to (simulcast_offer);

  assert_has_transport_cc (answer, TRUE);
  g_assert_nonnull (strstr (answer, "a=rid:q recv\r\n"));
  g_assert_nonnull (strstr (answer, "a=rid:h recv pt=96;max-width=640\r\n"));
  g_assert_null (strstr (answer, "send\r\n"));
  g_assert_null (strstr (answer, "a=rid:h send"));
  g_free (answer);
}

/* If this fails, answer.c has become needless. */
static void
test_webrtcbin_by_itself_answers_without_the_extension (void)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  Call call = { .make_sender = G_CALLBACK (request_aux_sender) };

  call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  while (!has_answered (&call)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (G_USEC_PER_SEC / 20);
  }
  g_assert_null (strstr (call.answer, TRANSPORT_CC_URI));
  call_stop (&call);
}

static guint64
count (Call *self, const gchar *field)
{
  GstElement *gccsender = g_atomic_pointer_get (&self->gccsender);
  GstStructure *stats;
  guint64 n;

  if (gccsender == NULL)
    return 0;
  stats = stats_of (gccsender);
  n = count_of (stats, field);
  gst_structure_free (stats);

  return n;
}

static gboolean
has_begun_to_probe (Call *self)
{
  return count (self, "probes") > 0;
}

#define ADDED_BITRATE 256000

static void
add_track (Call *self)
{
  GError *error = NULL;
  GstElement *track = gst_parse_bin_from_description (
      TRACK ("added", TRANSPORT_CC_CAPS) " ! identity", TRUE, &error);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (track), "added");

  g_assert_no_error (error);
  g_object_set (encoder, "target-bitrate", ADDED_BITRATE, NULL);
  gst_object_unref (encoder);
  gst_bin_add (GST_BIN (self->sending), track);
  g_assert_true (
      gst_element_link_pads (track, NULL, self->sender_webrtc, "sink_%u"));
  gst_element_sync_state_with_parent (track);
}

static gboolean
both_tracks_arrive (Call *self)
{
  return g_atomic_int_get (&self->n_streams) == 2 &&
      bitrate_of (self, "added") != ADDED_BITRATE;
}

/* Offer and answer again, while the first call's probes are out. */
static void
test_a_track_is_added_in_mid_probe (void)
{
  Call call;

  call_start (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0",
      TRANSPORT_CC_CAPS, "transport-cc");
  call_wait_until (&call, has_begun_to_probe);
  add_track (&call);
  call_wait_until (&call, both_tracks_arrive);
  call_wait_until_controlled (&call);
  g_assert_cmpuint (count (&call, "feedbacks-ignored"), ==, 0);
  call_stop (&call);
}

static gboolean
first_has_three_quarters (Call *self)
{
  gint first = bitrate_of (self, "encoder");
  gint second = bitrate_of (self, "added");

  return second != ADDED_BITRATE && ABS (first - 3 * second) <= first / 20;
}

/* webrtcbin has chosen that of the first track. */
static void
test_weights_may_go_by_mid (void)
{
  Call call = { .make_sender = G_CALLBACK (request_aux_sender),
    .answer_caps = TRANSPORT_CC_CAPS,
    .feedback = "transport-cc",
    .weights = "weights,video0=3.0" };

  call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  call_wait_until (&call, has_begun_to_probe);
  g_assert_nonnull (strstr (call.offer, "a=mid:video0"));
  add_track (&call);
  call_wait_until (&call, first_has_three_quarters);
  call_stop (&call);
}

#ifdef HAVE_RTPGCCBWE
/* Two at a time, each with an encoder that nobody but the application sets. */
static void
test_rtpgccbwe (void)
{
  Call calls[2];

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    call_start_with (&calls[i], G_CALLBACK (request_rtpgccbwe),
        SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0", TRANSPORT_CC_CAPS,
        "transport-cc");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    call_wait_until_controlled (&calls[i]);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    call_stop (&calls[i]);
}
#endif

static gboolean
is_missing (const gchar *factory)
{
  GstElementFactory *found = gst_element_factory_find (factory);
  gboolean missing = found == NULL;

  gst_clear_object (&found);

  return missing;
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  if (is_missing ("webrtcbin") || is_missing ("nicesrc")) {
    g_print ("1..0 # SKIP no webrtcbin or no ICE: "
             "apt install gstreamer1.0-plugins-bad gstreamer1.0-nice\n");
    return 0;
  }

  g_test_add_func ("/webrtcbin/gccsender_as_aux_sender_follows_gccreceiver",
      test_aux_sender);
  g_test_add_func (
      "/webrtcbin/gccsender_before_the_sink_pad_follows_gccreceiver",
      test_in_front);
  g_test_add_func (
      "/webrtcbin/transport_cc_is_negotiated_and_followed", test_transport_cc);
  g_test_add_func ("/webrtcbin/an_answer_may_keep_the_feedback_of_the_offer",
      test_an_answer_may_keep_the_feedback_of_the_offer);
  g_test_add_func (
      "/webrtcbin/an_answer_receives_the_streams_that_an_offer_sends",
      test_an_answer_receives_the_streams_that_an_offer_sends);
  g_test_add_func (
      "/webrtcbin/webrtcbin_by_itself_answers_without_the_extension",
      test_webrtcbin_by_itself_answers_without_the_extension);
  g_test_add_func ("/webrtcbin/a_track_may_be_added_while_probes_are_out",
      test_a_track_is_added_in_mid_probe);
  g_test_add_func (
      "/webrtcbin/weights_may_go_by_mid", test_weights_may_go_by_mid);
#ifdef HAVE_RTPGCCBWE
  g_test_add_func (
      "/webrtcbin/an_application_of_rtpgccbwe_has_its_estimate_of_gccsender",
      test_rtpgccbwe);
#endif

  return g_test_run ();
}
