/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/webrtc/webrtc.h>
#include <string.h>

#include "answer.h"
#include "element-test.h"
#include "webrtc-call.h"

/* Of ICE and DTLS on a busy machine; an idle one takes one second. */
#define PATIENCE (30 * G_TIME_SPAN_SECOND)

/* By itself webrtcbin would offer the feedback without the extension. */
#define REMB_CAPS MEDIA_CAPS "rtcp-fb-transport-cc=(boolean)false"
#define TRANSPORT_CC_CAPS MEDIA_CAPS "extmap-5=(string)" TRANSPORT_CC_URI

/* --- what is seen --- */

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
measures_by_abs_send_time (WebrtcCall *self)
{
  GstStructure *stats = test_get_stats (self->gccreceiver);
  gboolean abs_send_time = FALSE;

  gst_structure_get_boolean (stats, "abs-send-time", &abs_send_time);
  gst_structure_free (stats);

  return abs_send_time;
}

/* --- tests --- */

static void
test_aux_sender (void)
{
  WebrtcCall call;

  webrtc_call_start (
      &call, SENDER_LINE (REMB_CAPS) "webrtc.sink_0", REMB_CAPS, "remb");
  webrtc_call_wait_until_controlled (&call);
  assert_has_the_lines (call.offer);
  assert_has_the_lines (call.answer);
  /* else a sender may follow that, and no REMB */
  assert_has_transport_cc (call.offer, FALSE);
  assert_has_transport_cc (call.answer, FALSE);
  g_assert_true (measures_by_abs_send_time (&call));
  webrtc_call_stop (&call);
}

static void
test_in_front (void)
{
  WebrtcCall call;

  webrtc_call_start (&call,
      SENDER_LINE (REMB_CAPS) "gccsender name=gccsender ! webrtc.sink_0",
      REMB_CAPS, "remb");
  webrtc_call_wait_until_controlled (&call);
  webrtc_call_stop (&call);
}

/* webrtcbin adds the feedback by itself; the extension takes both ends' caps. */
static void
test_transport_cc (void)
{
  WebrtcCall call;

  webrtc_call_start (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0",
      TRANSPORT_CC_CAPS, "transport-cc");
  webrtc_call_wait_until_controlled (&call);
  assert_has_the_lines (call.offer);
  assert_has_the_lines (call.answer);
  assert_has_transport_cc (call.offer, TRUE);
  assert_has_transport_cc (call.answer, TRUE);
  webrtc_call_stop (&call);
}

/* Of examples/webrtc/answer.c: nobody tells the answerer anything of codecs. */
static void
test_an_answer_may_keep_the_feedback_of_the_offer (void)
{
  WebrtcCall call = { .keeps_feedback = TRUE,
    .make_sender = G_CALLBACK (webrtc_call_request_sender),
    .feedback = "transport-cc" };

  webrtc_call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  webrtc_call_wait_until_controlled (&call);
  assert_has_transport_cc (call.offer, TRUE);
  assert_has_transport_cc (call.answer, TRUE);
  webrtc_call_stop (&call);
}

static gboolean
has_answered (WebrtcCall *self)
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
  g_assert_true (
      webrtc_call_take_description (promise, "answer", &answer, &description));
  gst_webrtc_session_description_free (description);
  test_stop (webrtcbin);

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
  WebrtcCall call = { .make_sender = G_CALLBACK (webrtc_call_request_sender) };

  webrtc_call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  while (!has_answered (&call)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (G_USEC_PER_SEC / 20);
  }
  g_assert_null (strstr (call.answer, TRANSPORT_CC_URI));
  webrtc_call_stop (&call);
}

static gboolean
has_begun_to_probe (WebrtcCall *self)
{
  return webrtc_call_count (self, "probes") > 0;
}

#define ADDED_BITRATE 256000

static void
add_track (WebrtcCall *self)
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
both_tracks_arrive (WebrtcCall *self)
{
  return g_atomic_int_get (&self->n_streams) == 2 &&
      webrtc_call_bitrate_of (self, "added") != ADDED_BITRATE;
}

/* Offer and answer again, while the first call's probes are out. */
static void
test_a_track_is_added_in_mid_probe (void)
{
  WebrtcCall call;

  webrtc_call_start (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0",
      TRANSPORT_CC_CAPS, "transport-cc");
  webrtc_call_wait_until (&call, has_begun_to_probe);
  add_track (&call);
  webrtc_call_wait_until (&call, both_tracks_arrive);
  webrtc_call_wait_until_controlled (&call);
  g_assert_cmpuint (webrtc_call_count (&call, "feedbacks-ignored"), ==, 0);
  webrtc_call_stop (&call);
}

static gboolean
first_has_three_quarters (WebrtcCall *self)
{
  gint first = webrtc_call_bitrate_of (self, "encoder");
  gint second = webrtc_call_bitrate_of (self, "added");

  return second != ADDED_BITRATE && ABS (first - 3 * second) <= first / 20;
}

/* webrtcbin has chosen that of the first track. */
static void
test_weights_may_go_by_mid (void)
{
  WebrtcCall call = { .make_sender = G_CALLBACK (webrtc_call_request_sender),
    .answer_caps = TRANSPORT_CC_CAPS,
    .feedback = "transport-cc",
    .weights = "weights,video0=3.0" };

  webrtc_call_begin (&call, SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0");
  webrtc_call_wait_until (&call, has_begun_to_probe);
  g_assert_nonnull (strstr (call.offer, "a=mid:video0"));
  add_track (&call);
  webrtc_call_wait_until (&call, first_has_three_quarters);
  webrtc_call_stop (&call);
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
  WebrtcCall *self = user_data;
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

/* Two at a time, each with an encoder that nobody but the application sets. */
static void
test_rtpgccbwe (void)
{
  WebrtcCall calls[2];

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    webrtc_call_start_with (&calls[i], G_CALLBACK (request_rtpgccbwe),
        SENDER_LINE (TRANSPORT_CC_CAPS) "webrtc.sink_0", TRANSPORT_CC_CAPS,
        "transport-cc");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    webrtc_call_wait_until_controlled (&calls[i]);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    webrtc_call_stop (&calls[i]);
}
#endif

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

  if (test_is_missing ("webrtcbin") || test_is_missing ("nicesrc")) {
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
