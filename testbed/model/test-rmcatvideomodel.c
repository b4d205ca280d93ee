/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/check/gstharness.h>
#include <gst/rtp/gstrtpbuffer.h>

/* The element, a payloader when @line says so, and a test clock that stands at
 * the time of the frame waited for. */
static GstHarness *
new_harness (const gchar *line)
{
  GstHarness *harness = gst_harness_new_parse (line);

  gst_harness_use_testclock (harness);
  gst_harness_play (harness);

  return harness;
}

static GstBuffer *
pull_frame (GstHarness *harness)
{
  GstBuffer *frame;

  while ((frame = gst_harness_try_pull (harness)) == NULL)
    gst_harness_crank_single_clock_wait (harness);

  return frame;
}

static void
test_the_first_frame_is_a_key_frame_and_the_others_are_not (void)
{
  GstHarness *harness = new_harness ("rmcatvideomodel");

  for (guint i = 0; i < 20; i++) {
    GstBuffer *frame = pull_frame (harness);
    guint8 tag;

    gst_buffer_extract (frame, 0, &tag, 1);
    g_assert_cmpint (tag & 1, ==, i > 0);
    g_assert_cmpint (
        GST_BUFFER_FLAG_IS_SET (frame, GST_BUFFER_FLAG_DELTA_UNIT), ==, i > 0);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}

static void
test_a_frame_ends_where_the_next_begins (void)
{
  GstHarness *harness = new_harness ("rmcatvideomodel");
  GstClockTime expected = 0;

  for (guint i = 0; i < 100; i++) {
    GstBuffer *frame = pull_frame (harness);

    g_assert_cmpuint (GST_BUFFER_PTS (frame), ==, expected);
    expected += GST_BUFFER_DURATION (frame);
    gst_buffer_unref (frame);
  }
  gst_harness_teardown (harness);
}

static void
test_frames_come_no_earlier_than_their_time (void)
{
  GstHarness *harness = new_harness ("rmcatvideomodel");
  GstTestClock *clock = gst_harness_get_testclock (harness);

  for (guint i = 0; i < 20; i++) {
    GstBuffer *frame = pull_frame (harness);

    g_assert_cmpuint (
        gst_clock_get_time (GST_CLOCK (clock)), >=, GST_BUFFER_PTS (frame));
    gst_buffer_unref (frame);
  }
  gst_object_unref (clock);
  gst_harness_teardown (harness);
}

/* The packets' payload with the descriptors that rtpvp8pay puts before it */
static void
test_the_payloader_makes_packets_with_a_marker_at_each_frames_end (void)
{
  GstHarness *harness = new_harness (
      "rmcatvideomodel bitrate=1000000 ! rtpvp8pay mtu=1200");
  guint packets = 0, frames = 0;
  guint32 last_timestamp = 0;
  gboolean ended = TRUE;

  while (frames < 60) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    GstBuffer *packet = pull_frame (harness);

    g_assert_cmpuint (gst_buffer_get_size (packet), <=, 1200);
    g_assert_true (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    if (packets > 0)
      g_assert_cmpint (
          gst_rtp_buffer_get_timestamp (&rtp) != last_timestamp, ==, ended);
    last_timestamp = gst_rtp_buffer_get_timestamp (&rtp);
    ended = gst_rtp_buffer_get_marker (&rtp);
    packets++;
    frames += ended;
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (packet);
  }
  /* 4167 bytes are four packets, on the average a little more. */
  g_assert_cmpuint (packets, >, 3 * frames);
  g_assert_cmpuint (packets, <, 6 * frames);
  gst_harness_teardown (harness);
}

static void
test_gccsender_sets_its_bitrate (void)
{
  GstElement *pipeline = gst_parse_launch (
      "rtpbin name=rtp rmcatvideomodel name=model bitrate=300000 ! rtpvp8pay ! "
      "gccsender name=sender start-bitrate=700000 ! "
      "rtp.send_rtp_sink_0  rtp.send_rtp_src_0 ! fakesink async=false",
      NULL);
  GstElement *model = gst_bin_get_by_name (GST_BIN (pipeline), "model");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  guint bitrate;

  gst_child_proxy_set (
      GST_CHILD_PROXY (sender), "sink::encoder-bitrate-unit", 1, NULL);
  gst_object_unref (sender);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  g_object_get (model, "bitrate", &bitrate, NULL);
  g_assert_cmpuint (bitrate, ==, 700000);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (model);
  gst_object_unref (pipeline);
}

static void
test_its_properties_make_it_another_encoder (void)
{
  GstHarness *harness = new_harness (
      "rmcatvideomodel key-frame-at-change=true key-frame-bytes=25000 "
      "rate-factor=0.5 late=100 key-frame-interval=2000");
  GstElement *model = gst_harness_find_element (harness, "rmcatvideomodel");
  GstClockTime changed = GST_CLOCK_TIME_NONE, key = 0;

  while (!GST_CLOCK_TIME_IS_VALID (changed) || key < changed + GST_SECOND) {
    GstBuffer *frame = pull_frame (harness);
    GstClockTime pts = GST_BUFFER_PTS (frame);

    if (!GST_BUFFER_FLAG_IS_SET (frame, GST_BUFFER_FLAG_DELTA_UNIT)) {
      g_assert_cmpuint (gst_buffer_get_size (frame), ==, 25000);
      /* late, and then with the next frame */
      if (GST_CLOCK_TIME_IS_VALID (changed) && key < changed) {
        g_assert_cmpuint (pts, >=, changed + 100 * GST_MSECOND);
        g_assert_cmpuint (pts, <, changed + 300 * GST_MSECOND);
      }
      key = pts;
    } else if (pts > 500 * GST_MSECOND && !GST_CLOCK_TIME_IS_VALID (changed)) {
      /* 1250 bytes are the mean of 300 kbit/s. */
      g_assert_cmpuint (gst_buffer_get_size (frame), <, 1250);
      g_object_set (model, "bitrate", 300030, NULL);
      changed = pts;
    }
    gst_buffer_unref (frame);
  }
  /* the next one came of time */
  g_assert_cmpuint (key, >=, changed + 2 * GST_SECOND);
  g_assert_cmpuint (key, <, changed + 2500 * GST_MSECOND);
  gst_object_unref (model);
  gst_harness_teardown (harness);
}

static void
test_limits_the_wrong_way_round_are_an_error (void)
{
  GstElement *pipeline = gst_parse_launch (
      "rmcatvideomodel min-bitrate=2000 max-bitrate=1000 ! fakesink", NULL);

  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_FAILURE);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* --- deviceclock --- */

static void
test_a_clock_is_lost_with_its_element (void)
{
  GstElement *pipeline = gst_parse_launch (
      "rmcatvideomodel ! fakesink async=false deviceclock name=device", NULL);
  GstElement *device = gst_bin_get_by_name (GST_BIN (pipeline), "device");
  GstBus *bus = gst_pipeline_get_bus (GST_PIPELINE (pipeline));
  GstClock *clock, *provided = gst_element_provide_clock (device);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  clock = gst_element_get_clock (pipeline);
  g_assert_true (clock == provided);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_CLOCK_LOST));

  gst_element_set_state (device, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (pipeline), device);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_CLOCK_LOST);
  g_assert_nonnull (message);

  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (clock);
  gst_object_unref (provided);
  gst_object_unref (device);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func (
      "/rmcatvideomodel/the_first_frame_is_a_key_frame_and_the_others_are_not",
      test_the_first_frame_is_a_key_frame_and_the_others_are_not);
  g_test_add_func ("/rmcatvideomodel/a_frame_ends_where_the_next_begins",
      test_a_frame_ends_where_the_next_begins);
  g_test_add_func ("/rmcatvideomodel/frames_come_no_earlier_than_their_time",
      test_frames_come_no_earlier_than_their_time);
  g_test_add_func (
      "/rmcatvideomodel/"
      "the_payloader_makes_packets_with_a_marker_at_each_frames_end",
      test_the_payloader_makes_packets_with_a_marker_at_each_frames_end);
  g_test_add_func ("/rmcatvideomodel/gccsender_sets_its_bitrate",
      test_gccsender_sets_its_bitrate);
  g_test_add_func ("/rmcatvideomodel/its_properties_make_it_another_encoder",
      test_its_properties_make_it_another_encoder);
  g_test_add_func ("/rmcatvideomodel/limits_the_wrong_way_round_are_an_error",
      test_limits_the_wrong_way_round_are_an_error);
  g_test_add_func ("/deviceclock/a_clock_is_lost_with_its_element",
      test_a_clock_is_lost_with_its_element);

  return g_test_run ();
}
