/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>

#include "element-test.h"

#define START 300000u

/* A sender as in a gst-launch line, with RTCP that the test hands in. */
typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  GstElement *encoder;
  GstElement *rtcp;
  guint32 ssrc;
  guint32 highest_seq;
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
      "videotestsrc is-live=true ! video/x-raw,width=64,height=48 ! "
      "  vp8enc name=encoder deadline=1 ! queue ! rtpvp8pay ! "
      "  gccsender name=sender %s ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! fakesink name=network async=false "
      "rtp.send_rtcp_src_0 ! fakesink async=false "
      "appsrc name=rtcp is-live=true format=time caps=application/x-rtcp ! "
      "  rtp.recv_rtcp_sink_0",
      settings);
  GstElement *network;
  GError *error = NULL;

  self->pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  g_free (line);

  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  self->encoder = gst_bin_get_by_name (GST_BIN (self->pipeline), "encoder");
  self->rtcp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  network = gst_bin_get_by_name (GST_BIN (self->pipeline), "network");
  test_wait_until (media_has_passed, network);
  gst_object_unref (network);
  self->ssrc = ssrc_of (self->sender);
  self->highest_seq = 1000;
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

  g_object_set_data (G_OBJECT (self->sender), "field", (gpointer) field);
  g_object_set_data (
      G_OBJECT (self->sender), "wanted", GSIZE_TO_POINTER (before + 1));
  g_signal_emit_by_name (self->rtcp, "push-buffer", rtcp, &flow);
  gst_buffer_unref (rtcp);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
  test_wait_until (reports_taken, self);
}

static void
deliver_loss (SendingEnd *self, guint8 fraction_lost)
{
  self->highest_seq += 100;
  deliver (self,
      test_receiver_report (self->ssrc, fraction_lost, self->highest_seq),
      "reports");
}

static guint
encoder_rate (SendingEnd *self)
{
  gint rate;

  g_object_get (self->encoder, "target-bitrate", &rate, NULL);

  return (guint) rate;
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
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_object_unref (sender);
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

  sending_end_start (&end, "configure-session=false");
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
    g_object_set (
        h->element, "encoder", encoder, "encoder-bitrate-unit", unit, NULL);
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
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define BOTH(name) \
  g_test_add_data_func ("/gccsender/" #name, "gccsender", test_##name)
#define SENDER(name) g_test_add_func ("/gccsender/" #name, test_##name)

  BOTH (media_passes_unchanged);
  BOTH (buffer_lists_stay_lists);
  BOTH (events_pass_in_order);
  BOTH (flush_and_restart_work);
  BOTH (missing_session_is_a_warning);
  BOTH (trace_has_a_header);
  BOTH (unwritable_trace_is_an_error);
  SENDER (the_encoder_starts_at_the_start_bitrate);
  SENDER (a_remb_lowers_the_encoder_at_once);
  SENDER (a_malformed_remb_is_counted_and_ignored);
  SENDER (a_fraction_lost_of_a_fifth_lowers_the_rate);
  SENDER (a_fraction_lost_below_two_percent_raises_the_rate);
  SENDER (reports_about_other_streams_are_ignored);
  SENDER (limits_apply_while_playing);
  SENDER (limits_that_contradict_are_an_error);
  SENDER (the_session_is_set_up_for_feedback);
  SENDER (an_unknown_encoder_needs_its_unit);

  return g_test_run ();
}
