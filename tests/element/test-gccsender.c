/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

#define START 300000u

/* A sender as in a gst-launch line, with RTCP that the test hands in. */
typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  GstElement *encoder;
  GstElement *rtcp;
  guint32 ssrc;
  guint32 reported_seq;
  /* atomic */
  gint sent_seq;
} SendingEnd;

static gboolean
media_has_passed (gpointer user_data)
{
  GstSample *sample;

  g_object_get (user_data, "last-sample", &sample, NULL);
  if (sample == NULL)
    return FALSE;
  gst_sample_unref (sample);

  return TRUE;
}

static void
note_seq (SendingEnd *self, GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  g_atomic_int_set (&self->sent_seq, gst_rtp_buffer_get_seq (&rtp));
  gst_rtp_buffer_unmap (&rtp);
}

static GstPadProbeReturn
note_sent (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    note_seq (user_data, GST_PAD_PROBE_INFO_BUFFER (info));
  else
    note_seq (user_data,
        gst_buffer_list_get (list, gst_buffer_list_length (list) - 1));

  return GST_PAD_PROBE_OK;
}

static void
watch_sent (SendingEnd *self)
{
  GstPad *pad = gst_element_get_static_pad (self->sender, "src");

  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, note_sent,
      self, NULL);
  gst_object_unref (pad);
}

static guint32
ssrc_of (GstElement *sender)
{
  GstPad *pad = gst_element_get_static_pad (sender, "src");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  guint ssrc = 0;

  g_assert_true (
      gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc", &ssrc));
  gst_caps_unref (caps);
  gst_object_unref (pad);

  return ssrc;
}

static void
sending_end_start (SendingEnd *self, const gchar *settings)
{
  gchar *line = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "videotestsrc is-live=true ! "
      "  video/x-raw,width=64,height=48,framerate=300/1 ! "
      "  vp8enc name=encoder deadline=1 ! queue ! "
      "  rtpvp8pay ssrc=%u seqnum-offset=0 ! "
      "  gccsender name=sender %s ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! fakesink name=network async=false "
      "rtp.send_rtcp_src_0 ! fakesink async=false "
      "appsrc name=rtcp is-live=true format=time caps=application/x-rtcp ! "
      "  rtp.recv_rtcp_sink_0",
      TEST_SSRC, settings);
  GstElement *network;
  GError *error = NULL;

  self->pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  g_free (line);

  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  self->encoder = gst_bin_get_by_name (GST_BIN (self->pipeline), "encoder");
  self->rtcp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  watch_sent (self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  network = gst_bin_get_by_name (GST_BIN (self->pipeline), "network");
  test_wait_until (media_has_passed, network);
  gst_object_unref (network);
  self->ssrc = ssrc_of (self->sender);
  g_assert_cmpuint (self->ssrc, ==, TEST_SSRC);
  self->reported_seq = 0;
}

static void
sending_end_stop (SendingEnd *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->encoder);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
}

static gboolean
reports_taken (gpointer user_data)
{
  SendingEnd *self = user_data;
  guint64 wanted = GPOINTER_TO_SIZE (
      g_object_get_data (G_OBJECT (self->sender), "wanted"));
  const gchar *field = g_object_get_data (G_OBJECT (self->sender), "field");

  return test_stats_uint64 (self->sender, field) >= wanted;
}

/* Hands @rtcp in and waits until the count @field has gone up by one. */
static void
deliver (SendingEnd *self, GstBuffer *rtcp, const gchar *field)
{
  guint64 before = test_stats_uint64 (self->sender, field);
  GstFlowReturn flow;

  g_object_set_data_full (
      G_OBJECT (self->sender), "field", g_strdup (field), g_free);
  g_object_set_data (
      G_OBJECT (self->sender), "wanted", GSIZE_TO_POINTER (before + 1));
  g_signal_emit_by_name (self->rtcp, "push-buffer", rtcp, &flow);
  gst_buffer_unref (rtcp);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
  test_wait_until (reports_taken, self);
}

/* A loss fraction has to stand on 20 packets. */
static gboolean
has_sent_enough (gpointer user_data)
{
  SendingEnd *self = user_data;

  return (guint32) g_atomic_int_get (&self->sent_seq) >=
      self->reported_seq + 25;
}

/* What was lost of the packets that have left since the last time. */
static void
deliver_loss (SendingEnd *self, guint8 fraction_lost)
{
  test_wait_until (has_sent_enough, self);
  self->reported_seq = (guint32) g_atomic_int_get (&self->sent_seq);
  deliver (self,
      test_receiver_report (self->ssrc, fraction_lost, self->reported_seq),
      "reports");
}

static void
push_bytes (SendingEnd *self, const guint8 *bytes, gsize length)
{
  GstBuffer *buffer = gst_buffer_new_memdup (bytes, length);
  GstFlowReturn flow;

  g_signal_emit_by_name (self->rtcp, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
}

static guint
encoder_rate (SendingEnd *self)
{
  return test_get_uint (self->encoder, "target-bitrate");
}

static gboolean
encoder_has_target (gpointer user_data)
{
  SendingEnd *self = user_data;
  gint target = (gint) test_get_uint (self->sender, "target-bitrate");

  /* libvpx counts in kbit/s */
  return ABS ((gint) encoder_rate (self) - target) < 1000;
}

static void
test_the_encoder_starts_at_the_start_bitrate (void)
{
  SendingEnd end;

  sending_end_start (&end, "start-bitrate=400000");
  g_assert_cmpuint (encoder_rate (&end), ==, 400000);
  sending_end_stop (&end);
}

static void
test_a_remb_lowers_the_encoder_at_once (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  g_assert_cmpuint (encoder_rate (&end), ==, START);

  deliver_loss (&end, 10);
  deliver (&end, test_remb (128000, 1), "rembs");
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, 128000);
  test_wait_until (encoder_has_target, &end);
  g_assert_cmpuint (encoder_rate (&end), ==, 128000);
  g_assert_cmpuint (test_stats_uint64 (end.sender, "n-dd"), ==, 1);

  sending_end_stop (&end);
}

static void
test_a_malformed_remb_is_counted_and_ignored (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  deliver (&end, test_remb (128000, 7), "malformed-remb");
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, START);
  g_assert_cmpuint (test_stats_uint64 (end.sender, "rembs"), ==, 0);
  sending_end_stop (&end);
}

static void
test_a_fraction_lost_of_a_fifth_lowers_the_rate (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  deliver_loss (&end, 0);
  deliver_loss (&end, 51);
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), <, START);
  test_wait_until (encoder_has_target, &end);
  sending_end_stop (&end);
}

static gboolean
rate_has_grown (gpointer user_data)
{
  SendingEnd *end = user_data;

  deliver_loss (end, 2);

  return test_get_uint (end->sender, "target-bitrate") > START;
}

static void
test_a_fraction_lost_below_two_percent_raises_the_rate (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  test_wait_until (rate_has_grown, &end);
  test_wait_until (encoder_has_target, &end);
  sending_end_stop (&end);
}

static void
test_reports_about_other_streams_are_ignored (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  deliver_loss (&end, 0);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *foreign = test_receiver_report (
        end.ssrc + 1, 255, 1000 + 100 * i);
    GstFlowReturn flow;

    g_signal_emit_by_name (end.rtcp, "push-buffer", foreign, &flow);
    gst_buffer_unref (foreign);
  }
  deliver_loss (&end, 0);
  g_assert_cmpuint (test_stats_uint64 (end.sender, "reports"), ==, 2);
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), >=, START);
  sending_end_stop (&end);
}

/* Nobody has reported yet: whoever sends it is a stranger. */
static void
test_a_remb_of_a_stranger_is_counted_and_ignored (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  deliver (&end, test_remb (60000, 1), "rembs-ignored");
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, START);
  g_assert_cmpuint (test_stats_uint64 (end.sender, "rembs"), ==, 0);
  sending_end_stop (&end);
}

/* Made-up sequence numbers took the rate to the minimum. */
static void
test_reports_about_packets_never_sent_are_counted_and_ignored (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  for (guint32 i = 1; i <= 10; i++)
    deliver (&end, test_receiver_report (end.ssrc, 255, 20000 + 1000 * i),
        "reports-ignored");
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, START);
  g_assert_cmpuint (test_stats_uint64 (end.sender, "reports"), ==, 0);
  sending_end_stop (&end);
}

static gboolean
remb_is_gone (gpointer user_data)
{
  SendingEnd *end = user_data;
  GstStructure *stats;
  gboolean is_gone;

  g_object_get (end->sender, "stats", &stats, NULL);
  is_gone = !gst_structure_has_field (stats, "remb-bps");
  gst_structure_free (stats);

  return is_gone;
}

static void
test_a_remb_ends_with_a_bye (void)
{
  static const guint8 bye[] = {
    0x80, 0xc9, 0x00, 0x01, /* RR without blocks, 2 words */
    0xaa, 0xbb, 0xcc, 0xdd, /* of the test's peer */
    0x81, 0xcb, 0x00, 0x01, /* BYE of one source */
    0xaa, 0xbb, 0xcc, 0xdd, /* the peer */
  };
  SendingEnd end;

  sending_end_start (&end, "");
  deliver_loss (&end, 0);
  deliver (&end, test_remb (100000, 1), "rembs");
  push_bytes (&end, bye, sizeof bye);
  test_wait_until (remb_is_gone, &end);
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, 100000);
  sending_end_stop (&end);
}

/* It crashed the process: the length of the XR block leads 256 kB past the end
 * of the packet. */
static void
test_an_xr_block_longer_than_its_packet_is_malformed (void)
{
  static const guint8 bytes[] = {
    0x80, 0xcf, 0x00, 0x04, /* XR, 5 words */
    0xaa, 0xaa, 0x00, 0x01, /* sender */
    0x00, 0x00, 0x00, 0x00, /* block of type 0, empty */
    0x05, 0x00, 0xff, 0xff, /* DLRR of 65535 words */
    0x00, 0x00, 0x00, 0x00, /* of which one is there */
  };
  SendingEnd end;

  sending_end_start (&end, "");
  deliver (&end, test_guarded_buffer (bytes, sizeof bytes), "malformed-rtcp");
  deliver_loss (&end, 0);
  sending_end_stop (&end);
}

static void
test_limits_apply_while_playing (void)
{
  SendingEnd end;

  sending_end_start (&end, "");
  g_object_set (end.sender, "max-bitrate", 200000, NULL);
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, 200000);
  g_assert_cmpuint (encoder_rate (&end), ==, 200000);
  g_object_set (end.sender, "max-bitrate", 900000, "min-bitrate", 500000, NULL);
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, 500000);
  g_assert_cmpuint (encoder_rate (&end), ==, 500000);
  deliver_loss (&end, 0);
  deliver (&end, test_remb (128000, 1), "rembs");
  g_assert_cmpuint (test_get_uint (end.sender, "target-bitrate"), ==, 500000);
  sending_end_stop (&end);
}

static void
test_limits_that_contradict_are_an_error (void)
{
  GstElement *sender = gst_element_factory_make ("gccsender", NULL);

  g_object_set (sender, "min-bitrate", 500000, "max-bitrate", 400000, NULL);
  g_assert_cmpint (gst_element_set_state (sender, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  test_stop (sender);
}

static void
test_the_session_is_set_up_for_feedback (void)
{
  SendingEnd end;
  GstElement *rtpbin;
  GObject *session;
  guint64 interval;

  sending_end_start (&end, "");
  rtpbin = gst_bin_get_by_name (GST_BIN (end.pipeline), "rtp");
  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_get (session, "rtcp-min-interval", &interval, NULL);
  g_assert_cmpuint (interval, <=, GST_SECOND);
  g_object_unref (session);
  gst_object_unref (rtpbin);
  sending_end_stop (&end);

  sending_end_start (&end, "manage=encoder-bitrate");
  rtpbin = gst_bin_get_by_name (GST_BIN (end.pipeline), "rtp");
  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_get (session, "rtcp-min-interval", &interval, NULL);
  g_assert_cmpuint (interval, ==, 5 * GST_SECOND);
  g_object_unref (session);
  gst_object_unref (rtpbin);
  sending_end_stop (&end);
}

/* Uses theoraenc, which takes kbit/s and is not in the table. */
static void
test_an_unknown_encoder_needs_its_unit (void)
{
  for (guint unit = 0; unit <= 1000; unit += 1000) {
    GstHarness *h = gst_harness_new ("gccsender");
    GstElement *encoder = gst_element_factory_make ("theoraenc", NULL);
    gint before, after;

    if (encoder == NULL) {
      g_test_skip ("theoraenc (GStreamer base plugins) is missing");
      gst_harness_teardown (h);
      return;
    }
    gst_object_ref_sink (encoder);
    g_object_get (encoder, "bitrate", &before, NULL);

    gst_element_set_state (h->element, GST_STATE_READY);
    g_object_set (h->element, "encoder", encoder, NULL);
    test_set_unit (h->element, unit);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    g_object_get (encoder, "bitrate", &after, NULL);
    g_assert_cmpint (after, ==, unit == 0 ? before : (gint) START / 1000);

    gst_object_unref (encoder);
    gst_harness_teardown (h);
  }
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define SENDER(name) g_test_add_func ("/gccsender/" #name, test_##name)

  test_add_for_both ("gccsender");
  SENDER (the_encoder_starts_at_the_start_bitrate);
  SENDER (a_remb_lowers_the_encoder_at_once);
  SENDER (a_malformed_remb_is_counted_and_ignored);
  SENDER (a_fraction_lost_of_a_fifth_lowers_the_rate);
  SENDER (a_fraction_lost_below_two_percent_raises_the_rate);
  SENDER (reports_about_other_streams_are_ignored);
  SENDER (a_remb_of_a_stranger_is_counted_and_ignored);
  SENDER (reports_about_packets_never_sent_are_counted_and_ignored);
  SENDER (a_remb_ends_with_a_bye);
  SENDER (an_xr_block_longer_than_its_packet_is_malformed);
  SENDER (limits_apply_while_playing);
  SENDER (limits_that_contradict_are_an_error);
  SENDER (the_session_is_set_up_for_feedback);
  SENDER (an_unknown_encoder_needs_its_unit);

  return g_test_run ();
}
