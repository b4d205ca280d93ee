/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define RTX "rtprtxsend payload-type-map=application/x-rtp-pt-map,96=(uint)97"
#define PAYLOAD 1000u

static GstHarness *
start (const gchar *line)
{
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);

  return h;
}

/* A frame each. */
static GstBuffer *
frame (guint16 seqnum)
{
  GstBuffer *buffer = test_rtp_packet (seqnum, seqnum * 3000u, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

static void
push_frames (GstHarness *h, guint n_frames)
{
  for (guint16 i = 0; i < n_frames; i++)
    g_assert_cmpint (gst_harness_push (h, frame (i)), ==, GST_FLOW_OK);
}

static GccRate
rate_of (GstElement *sender, const gchar *field)
{
  GstStructure *stats;
  gint64 rate;

  g_object_get (sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_int64 (stats, field, &rate));
  gst_structure_free (stats);

  return rate;
}

static void
ask_for (GstHarness *h, guint seqnum)
{
  gst_harness_push_upstream_event (h,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, seqnum, "ssrc", G_TYPE_UINT, TEST_SSRC, NULL)));
}

/* Changes the limits, which brings what depends on time up to date. */
static void
refresh (GstElement *sender)
{
  guint max = test_get_uint (sender, "max-bitrate");

  g_object_set (sender, "max-bitrate", max, NULL);
}

static void
test_fec_is_counted_without_being_told_its_type (void)
{
  GstHarness *h = start (
      "rtpulpfecenc pt=100 percentage=100 ! gccsender manage=none");
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GccRate video, fec;

  push_frames (h, 20);
  refresh (sender);
  video = rate_of (sender, "r-video-bps");
  fec = rate_of (sender, "r-fec-bps");
  g_assert_cmpint (video, >, 0);
  g_assert_cmpint (fec, >, video / 2);
  g_assert_cmpint (rate_of (sender, "v-bps"), <, rate_of (sender, "a-s-bps"));

  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* A sender of our packets that answers NACKs, with RTCP that the test hands in.
 */
typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  GstElement *media;
  GstElement *rtcp;
} Answering;

static void
answering_start (Answering *self, guint start_bitrate, guint n_frames)
{
  gchar *line = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "appsrc name=media is-live=true format=time caps=" TEST_RTP_CAPS " ! " RTX
      " ! gccsender name=sender start-bitrate=%u ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! fakesink async=false sync=false "
      "rtp.send_rtcp_src_0 ! fakesink async=false "
      "appsrc name=rtcp is-live=true format=time caps=application/x-rtcp ! "
      "  rtp.recv_rtcp_sink_0",
      start_bitrate);
  GError *error = NULL;

  self->pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  g_free (line);
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  self->media = gst_bin_get_by_name (GST_BIN (self->pipeline), "media");
  self->rtcp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);

  for (guint16 i = 0; i < n_frames; i++) {
    GstBuffer *buffer = frame (i);
    GstFlowReturn flow;

    GST_BUFFER_PTS (buffer) = 0;
    g_signal_emit_by_name (self->media, "push-buffer", buffer, &flow);
    gst_buffer_unref (buffer);
    g_assert_cmpint (flow, ==, GST_FLOW_OK);
  }
}

static void
answering_stop (Answering *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->media);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
}

/* One NACK for @first and the sixteen after it. */
static void
answering_ask (Answering *self, guint16 first)
{
  GstBuffer *nack = test_nack (first, 0xffff);
  GstFlowReturn flow;

  g_signal_emit_by_name (self->rtcp, "push-buffer", nack, &flow);
  gst_buffer_unref (nack);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
}

static gboolean
has_sent_all (gpointer sender)
{
  refresh (sender);

  return rate_of (sender, "r-video-bps") == 50 * PAYLOAD * 8;
}

static gboolean
has_answered_all (gpointer sender)
{
  return test_stats_uint64 (sender, "rtx") +
      test_stats_uint64 (sender, "rtx-dropped") ==
      17;
}

static gboolean
has_sent_again (gpointer sender)
{
  refresh (sender);

  return rate_of (sender, "r-rtx-bps") >= 17 * PAYLOAD * 8;
}

static void
test_retransmissions_are_counted (void)
{
  Answering self;

  answering_start (&self, 2000000, 50);
  test_wait_until (has_sent_all, self.sender);
  answering_ask (&self, 10);
  test_wait_until (has_answered_all, self.sender);
  g_assert_cmpuint (test_stats_uint64 (self.sender, "rtx"), ==, 17);
  test_wait_until (has_sent_again, self.sender);
  g_assert_cmpint (
      rate_of (self.sender, "v-bps"), <, rate_of (self.sender, "a-s-bps"));
  answering_stop (&self);
}

static void
test_retransmissions_over_the_budget_are_dropped (void)
{
  Answering self;

  /* Half of 80 kbit/s is 5 packets of 1000 bytes in the second measured. */
  answering_start (&self, 80000, 50);
  test_wait_until (has_sent_all, self.sender);
  answering_ask (&self, 10);
  test_wait_until (has_answered_all, self.sender);
  g_assert_cmpuint (test_stats_uint64 (self.sender, "rtx"), ==, 5);
  answering_stop (&self);
}

static void
test_requests_pass_where_nobody_here_answers_them (void)
{
  GstHarness *h = start ("gccsender");

  push_frames (h, 1);
  ask_for (h, 12345);
  for (;;) {
    GstEvent *event = gst_harness_try_pull_upstream_event (h);
    gboolean found;

    g_assert_nonnull (event);
    found = gst_event_has_name (event, "GstRTPRetransmissionRequest");
    gst_event_unref (event);
    if (found)
      break;
  }

  gst_harness_teardown (h);
}

static void
expose (GstElement *bin, const gchar *child, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (bin), child);
  GstPad *pad = gst_element_get_static_pad (
      element, g_str_has_prefix (name, "sink") ? "sink" : "src");

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  gst_object_unref (pad);
  gst_object_unref (element);
}

static GstElement *
make_aux_sender (GstElement *rtpbin, guint session, gpointer user_data)
{
  GstElement *bin = gst_parse_bin_from_description (
      RTX " name=rtx ! gccsender name=sender", FALSE, NULL);

  (void) rtpbin;
  (void) user_data;
  g_assert_cmpuint (session, ==, 0);
  expose (bin, "rtx", "sink_0");
  expose (bin, "sender", "src_0");

  return bin;
}

static gint
get_target_bitrate (GstElement *encoder)
{
  return (gint) test_get_uint (encoder, "target-bitrate");
}

/* Another thread may be applying a target, and it then applies this one, too:
 * the statistics count FEC before the encoder is set. */
static gboolean
is_set_below_start (gpointer encoder)
{
  return get_target_bitrate (encoder) < 432000;
}

/* Where an application puts it: behind the protection that rtpbin adds. */
static void
test_in_rtpbin_it_is_the_aux_sender (void)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (
      "videotestsrc is-live=true ! video/x-raw,width=320,height=240 ! "
      "  vp8enc name=encoder deadline=1 ! rtpvp8pay name=payloader "
      "rtpbin name=rtp rtp-profile=avpf "
      "  fec-encoders=\"fec,0=\\\"rtpulpfecenc\\ pt\\=100\\ "
      "percentage\\=100\\\";\" "
      "fakesink name=network async=false",
      &error);
  GstElement *rtpbin, *sender, *encoder;

  g_assert_no_error (error);
  rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), "rtp");
  g_signal_connect (
      rtpbin, "request-aux-sender", G_CALLBACK (make_aux_sender), NULL);
  {
    GstElement *payloader = gst_bin_get_by_name (
        GST_BIN (pipeline), "payloader");
    GstElement *network = gst_bin_get_by_name (GST_BIN (pipeline), "network");

    g_assert_true (
        gst_element_link_pads (payloader, "src", rtpbin, "send_rtp_sink_0"));
    g_assert_true (
        gst_element_link_pads (rtpbin, "send_rtp_src_0", network, "sink"));
    gst_object_unref (network);
    gst_object_unref (payloader);
  }
  sender = gst_bin_get_by_name (GST_BIN (rtpbin), "sender");
  encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  gst_util_set_object_arg (
      G_OBJECT (sender), "manage", "encoder-bitrate+sink+session");
  g_object_set (sender, "start-bitrate", 432000, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  test_wait_until (is_set_below_start, encoder);
  g_assert_cmpint (get_target_bitrate (encoder), >=, 432000 / 2);
  g_assert_cmpint (rate_of (sender, "r-fec-bps"), >, 0);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (rtpbin);
  gst_object_unref (pipeline);
}

/* Whether one packet through @line brings a warning with @words in it. */
static void
check_warning (const gchar *line, const gchar *words)
{
  GstHarness *h = start (line);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  guint n_found = 0;

  gst_element_set_bus (h->element, bus);
  push_frames (h, 3);
  g_assert_cmpuint (gst_harness_buffers_received (h), >=, 3);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    GError *error;

    gst_message_parse_warning (message, &error, NULL);
    g_test_message ("%s", error->message);
    if (strstr (error->message, words) != NULL)
      n_found++;
    g_error_free (error);
    gst_message_unref (message);
  }
  g_assert_cmpuint (n_found, ==, 1);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

static void
test_what_is_wrong_is_said_and_media_flows (void)
{
  check_warning ("rtpulpfecenc pt=96 ! gccsender",
      "payload type 96 for FEC, which the media uses already");
  check_warning ("rtpulpfecenc pt=97 ! " RTX " ! gccsender",
      "payload type 97 for FEC, which retransmission uses already");
  check_warning ("rtpulpfecenc ! gccsender", "has no payload type");
  check_warning ("rtprtxsend ! gccsender", "nothing is retransmitted");
  check_warning (
      "gccsender ! rtpulpfecenc pt=100", "adds packets downstream of");
  check_warning ("gccsender ! " RTX, "adds packets downstream of");
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/protection/" #name, test_##name)
  ADD (fec_is_counted_without_being_told_its_type);
  ADD (retransmissions_are_counted);
  ADD (retransmissions_over_the_budget_are_dropped);
  ADD (requests_pass_where_nobody_here_answers_them);
  ADD (in_rtpbin_it_is_the_aux_sender);
  ADD (what_is_wrong_is_said_and_media_flows);
#undef ADD

  return g_test_run ();
}
