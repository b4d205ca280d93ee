/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>
#include <string.h>

#include "element-test.h"

#define START 900000u

/* Three streams through one gccsender. The start bitrate is divided before
 * anything flows. */
typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  GstElement *encoders[3];
} Streams;

static void
streams_start (Streams *self)
{
  GError *error = NULL;

  self->pipeline = gst_parse_launch (
      "rtpbin name=rtp rtp-profile=avpf "
      "gccsender name=sender start-bitrate=900000 "
      "videotestsrc is-live=true ! vp8enc name=encoder0 ! rtpvp8pay ! "
      "  sender.sink_0 sender.src_0 ! rtp.send_rtp_sink_0 "
      "videotestsrc is-live=true ! vp8enc name=encoder1 ! rtpvp8pay ! "
      "  sender.sink_1 sender.src_1 ! rtp.send_rtp_sink_1 "
      "videotestsrc is-live=true ! vp8enc name=encoder2 ! rtpvp8pay ! "
      "  sender.sink_2 sender.src_2 ! rtp.send_rtp_sink_2 ",
      &error);
  g_assert_no_error (error);
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  for (guint i = 0; i < 3; i++) {
    gchar *name = g_strdup_printf ("encoder%u", i);

    self->encoders[i] = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
    g_free (name);
  }
}

static void
streams_stop (Streams *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  for (guint i = 0; i < 3; i++)
    gst_object_unref (self->encoders[i]);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
}

static void
set_on_pad (
    Streams *self, guint index, const gchar *property, const gchar *value)
{
  gchar *name = g_strdup_printf ("sink_%u", index);
  GstPad *pad = gst_element_get_static_pad (self->sender, name);

  gst_util_set_object_arg (G_OBJECT (pad), property, value);
  gst_object_unref (pad);
  g_free (name);
}

static void
check_bitrates (Streams *self, const gint *expected)
{
  for (guint i = 0; i < 3; i++) {
    gint bitrate;

    g_object_get (self->encoders[i], "target-bitrate", &bitrate, NULL);
    g_assert_cmpint (bitrate, ==, expected[i]);
  }
}

static void
test_streams_share_alike (void)
{
  Streams streams;

  streams_start (&streams);
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  check_bitrates (&streams, (const gint[]){ 300000, 300000, 300000 });
  streams_stop (&streams);
}

static void
test_weights_divide_the_target (void)
{
  Streams streams;

  streams_start (&streams);
  set_on_pad (&streams, 1, "weight", "7");
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  check_bitrates (&streams, (const gint[]){ 100000, 700000, 100000 });
  streams_stop (&streams);
}

static void
test_a_capped_stream_passes_the_rest_on (void)
{
  Streams streams;

  streams_start (&streams);
  set_on_pad (&streams, 0, "max-bitrate", "100000");
  set_on_pad (&streams, 2, "min-bitrate", "500000");
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  check_bitrates (&streams, (const gint[]){ 100000, 300000, 500000 });
  streams_stop (&streams);
}

/* vp8enc takes 1000 bit/s at least, and reads as whole kbit/s. */
static void
test_the_least_rate_of_an_encoder_comes_from_the_others (void)
{
  Streams streams;

  streams_start (&streams);
  set_on_pad (&streams, 0, "weight", "1000");
  set_on_pad (&streams, 1, "weight", "0.001");
  set_on_pad (&streams, 2, "weight", "1000");
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  check_bitrates (&streams, (const gint[]){ 449000, 1000, 449000 });
  streams_stop (&streams);
}

static void
test_a_stream_may_leave_while_playing (void)
{
  Streams streams;
  GstPad *pad, *peer;

  streams_start (&streams);
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  pad = gst_element_get_static_pad (streams.sender, "sink_1");
  peer = gst_pad_get_peer (pad);
  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (streams.sender, pad);
  gst_object_unref (peer);
  gst_object_unref (pad);
  g_assert_null (gst_element_get_static_pad (streams.sender, "src_1"));
  g_object_set (streams.sender, "max-bitrate", 800000, NULL);
  check_bitrates (&streams, (const gint[]){ 400000, 300000, 400000 });
  streams_stop (&streams);
}

static void
test_audio_is_counted_and_left_alone (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  GstStructure *stats;
  gint64 audio, video, v, a_s;

  gst_harness_set_src_caps_str (h,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96");
  for (guint16 i = 0; i < 10; i++)
    gst_harness_push (h, test_rtp_packet (i, i * 960u, 100));
  g_object_set (h->element, "max-bitrate", START, NULL);

  g_object_get (h->element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get (stats, "r-audio-bps", G_TYPE_INT64, &audio,
      "r-video-bps", G_TYPE_INT64, &video, "v-bps", G_TYPE_INT64, &v, "a-s-bps",
      G_TYPE_INT64, &a_s, NULL));
  gst_structure_free (stats);
  g_assert_cmpint (audio, ==, 10 * 100 * 8);
  g_assert_cmpint (video, ==, 0);
  g_assert_cmpint (v, ==, a_s - audio);

  gst_harness_teardown (h);
}

static void
test_pads_of_a_name_are_paired (void)
{
  GstElement *sender = gst_element_factory_make ("gccsender", NULL);
  GstPad *first = gst_element_request_pad_simple (sender, "sink_%u");
  GstPad *seventh = gst_element_request_pad_simple (sender, "sink_7");
  GstPad *next = gst_element_request_pad_simple (sender, "sink_%u");

  g_assert_cmpstr (GST_PAD_NAME (first), ==, "sink_0");
  g_assert_cmpstr (GST_PAD_NAME (seventh), ==, "sink_7");
  g_assert_cmpstr (GST_PAD_NAME (next), ==, "sink_8");
  for (GstPad *const *pad = (GstPad *const[]){ first, seventh, next, NULL };
       *pad != NULL; pad++) {
    GstIterator *links = gst_pad_iterate_internal_links (*pad);
    GValue link = G_VALUE_INIT;

    g_assert_cmpint (gst_iterator_next (links, &link), ==, GST_ITERATOR_OK);
    g_assert_cmpstr (GST_PAD_NAME (g_value_get_object (&link)) + strlen ("src"),
        ==, GST_PAD_NAME (*pad) + strlen ("sink"));
    g_value_unset (&link);
    g_assert_cmpint (gst_iterator_next (links, &link), ==, GST_ITERATOR_DONE);
    gst_iterator_free (links);
    gst_element_release_request_pad (sender, *pad);
    gst_object_unref (*pad);
  }

  gst_object_unref (sender);
}

static gboolean
has_started (gpointer pad)
{
  GstEvent *start = gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);
  gboolean has = start != NULL;

  g_clear_pointer (&start, gst_event_unref);

  return has;
}

/* Guards against: the share of a stream after EOS, which nobody uses. The source's
 * thread starts the stream, and a start after EOS would begin it again. */
static void
test_a_stream_that_has_ended_leaves_its_share (void)
{
  Streams streams;
  GstPad *pad;

  streams_start (&streams);
  gst_element_set_state (streams.pipeline, GST_STATE_PAUSED);
  pad = gst_element_get_static_pad (streams.sender, "sink_1");
  test_wait_until (has_started, pad);
  gst_pad_send_event (pad, gst_event_new_eos ());
  gst_object_unref (pad);
  g_object_set (streams.sender, "max-bitrate", 800000, NULL);
  check_bitrates (&streams, (const gint[]){ 400000, 300000, 400000 });
  streams_stop (&streams);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/streams/" #name, test_##name)
  ADD (streams_share_alike);
  ADD (weights_divide_the_target);
  ADD (a_capped_stream_passes_the_rest_on);
  ADD (the_least_rate_of_an_encoder_comes_from_the_others);
  ADD (a_stream_may_leave_while_playing);
  ADD (audio_is_counted_and_left_alone);
  ADD (pads_of_a_name_are_paired);
  ADD (a_stream_that_has_ended_leaves_its_share);
#undef ADD

  return g_test_run ();
}
