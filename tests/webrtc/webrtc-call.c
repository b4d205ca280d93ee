/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "webrtc-call.h"

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/webrtc/webrtc.h>

#include "answer.h"

gboolean
webrtc_call_take_description (GstPromise *promise, const gchar *kind,
    gchar **text, GstWebRTCSessionDescription **description)
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
  WebrtcCall *self = user_data;
  GstWebRTCSessionDescription *answer;
  gboolean is_made;

  g_mutex_lock (&self->lock);
  is_made = webrtc_call_take_description (
      promise, "answer", &self->answer, &answer);
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
take_feedback_of_offer (WebrtcCall *self)
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
  WebrtcCall *self = user_data;

  gst_promise_unref (promise);
  if (self->keeps_feedback)
    take_feedback_of_offer (self);
  g_signal_emit_by_name (self->receiver_webrtc, "create-answer", NULL,
      gst_promise_new_with_change_func (answer_created, self, NULL));
}

static void
offer_created (GstPromise *promise, gpointer user_data)
{
  WebrtcCall *self = user_data;
  GstWebRTCSessionDescription *offer;
  gboolean is_made;

  g_mutex_lock (&self->lock);
  is_made = webrtc_call_take_description (
      promise, "offer", &self->offer, &offer);
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

GstElement *
webrtc_call_request_sender (
    GstElement *webrtc, GstWebRTCDTLSTransport *transport, gpointer user_data)
{
  WebrtcCall *self = user_data;
  GstElement *gccsender = gst_element_factory_make ("gccsender", NULL);

  (void) webrtc;
  (void) transport;
  if (self->weights != NULL)
    gst_util_set_object_arg (
        gccsender->sinkpads->data, "encoder-weights", self->weights);
  g_atomic_pointer_set (&self->gccsender, gst_object_ref (gccsender));

  return gccsender;
}

static GstElement *
request_rtp_decoder (GstElement *rtpbin, guint session, gpointer user_data)
{
  WebrtcCall *self = user_data;
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

static void
new_transceiver (
    GstElement *webrtc, GstWebRTCRTPTransceiver *transceiver, gpointer data)
{
  WebrtcCall *self = data;
  GstCaps *caps;

  (void) webrtc;
  if (self->answer_caps == NULL)
    return;
  caps = gst_caps_from_string (self->answer_caps);
  g_object_set (transceiver, "codec-preferences", caps, NULL);
  gst_caps_unref (caps);
}

static void
decode (WebrtcCall *self, GstPad *pad)
{
  GstElement *sink;
  GstPad *sinkpad;

  sink = gst_parse_bin_from_description (
      "rtpvp8depay ! vp8dec ! fakesink", TRUE, NULL);
  gst_bin_add (GST_BIN (self->receiving), sink);
  gst_element_sync_state_with_parent (sink);
  sinkpad = gst_element_get_static_pad (sink, "sink");
  g_assert_cmpint (gst_pad_link (pad, sinkpad), ==, GST_PAD_LINK_OK);
  gst_object_unref (sinkpad);
}

static void
pad_added (GstElement *webrtc, GstPad *pad, gpointer user_data)
{
  WebrtcCall *self = user_data;

  (void) webrtc;
  if (GST_PAD_DIRECTION (pad) != GST_PAD_SRC)
    return;
  if (self->stream_comes != NULL)
    self->stream_comes (self, pad);
  else
    decode (self, pad);
  g_atomic_int_inc (&self->n_streams);
}

void
webrtc_call_begin (WebrtcCall *self, const gchar *sender_line)
{
  GstElement *rtpbin;

  test_tolerate_race_of_rtpsession ();
  g_mutex_init (&self->lock);
  self->sending = test_parse (sender_line);
  if (self->prepare != NULL)
    self->prepare (self);
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

void
webrtc_call_start_with (WebrtcCall *self, GCallback make_sender,
    const gchar *sender_line, const gchar *answer_caps, const gchar *feedback)
{
  *self = (WebrtcCall){
    .answer_caps = answer_caps, .make_sender = make_sender, .feedback = feedback
  };
  webrtc_call_begin (self, sender_line);
}

void
webrtc_call_start (WebrtcCall *self, const gchar *sender_line,
    const gchar *answer_caps, const gchar *feedback)
{
  webrtc_call_start_with (self, G_CALLBACK (webrtc_call_request_sender),
      sender_line, answer_caps, feedback);
}

/* A webrtcbin of 1.26 that is closed leaks its answer to a candidate. */
static void
stop_candidates (WebrtcCall *self)
{
  g_signal_handlers_disconnect_by_func (
      self->sender_webrtc, candidate_found, self->receiver_webrtc);
  g_signal_handlers_disconnect_by_func (
      self->receiver_webrtc, candidate_found, self->sender_webrtc);
}

void
webrtc_call_stop (WebrtcCall *self)
{
  stop_candidates (self);
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

gint
webrtc_call_bitrate_of (WebrtcCall *self, const gchar *name)
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
is_controlled (WebrtcCall *self)
{
  GstElement *gccsender = g_atomic_pointer_get (&self->gccsender);
  GstStructure *stats;
  gboolean is_followed;
  gdouble rtt = 0;

  if (gccsender == NULL)
    return FALSE;

  stats = test_get_stats (gccsender);
  is_followed = g_strcmp0 (gst_structure_get_string (stats, "feedback"),
                    self->feedback) == 0 &&
      count_of (stats, "reports") > 0 &&
      count_of (stats, "rembs") + count_of (stats, "feedbacks") > 0;
  gst_structure_get_double (stats, "rtt-ms", &rtt);
  gst_structure_free (stats);

  return is_followed && rtt > 0 &&
      webrtc_call_bitrate_of (self, "encoder") != START_BITRATE;
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
  WebrtcCall *call;
  gboolean (*condition) (WebrtcCall *self);
} Wait;

static gboolean
is_over (gpointer user_data)
{
  const Wait *self = user_data;

  serve_bus (self->call->sending);
  serve_bus (self->call->receiving);

  return self->condition (self->call);
}

void
webrtc_call_wait_until (
    WebrtcCall *self, gboolean (*condition) (WebrtcCall *self))
{
  Wait wait = { self, condition };

  test_wait_until (is_over, &wait);
}

void
webrtc_call_wait_until_controlled (WebrtcCall *self)
{
  webrtc_call_wait_until (self, is_controlled);
}

guint64
webrtc_call_count (WebrtcCall *self, const gchar *field)
{
  GstElement *gccsender = g_atomic_pointer_get (&self->gccsender);
  GstStructure *stats;
  guint64 n;

  if (gccsender == NULL)
    return 0;
  stats = test_get_stats (gccsender);
  n = count_of (stats, field);
  gst_structure_free (stats);

  return n;
}
