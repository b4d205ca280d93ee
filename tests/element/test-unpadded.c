/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that gccsender does not pad, and what it leaves alone there. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "probed-stream.h"

/* --- not everywhere --- */

static void
check_has_no_padding (const gchar *line, const gchar *caps)
{
  GstHarness *h = probed_start_with_caps (line, caps);

  probed_push_frame (h, 0, 1);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  probed_assert_no_padding (h);
  probed_push_frame (h, 1, 1);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

static void
test_audio_is_not_padded (void)
{
  check_has_no_padding (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);
}

static void
test_the_log_tells_of_probes (void)
{
  GstHarness *h;
  GstElement *sender;
  gchar *log, *given_up;

  test_log_start ("gccsender");
  h = probed_start_with_caps (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);
  sender = gst_harness_find_element (h, "gccsender");
  probed_push_frame (h, 0, 1);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  /* who sets a limit has the target applied */
  g_object_set (sender, "min-bitrate", 60000, NULL);
  gst_harness_set_time (h, (GstClockTime) probed_get_time (h) + GST_SECOND);
  g_object_set (sender, "min-bitrate", 50000, NULL);
  log = test_log_stop ();
  given_up = strstr (log, "probe given up: late");
  g_assert_nonnull (given_up);
  g_assert_nonnull (strstr (log, "probe asked: number 2, 1800000 bit/s"));
  g_assert_true (strstr (log, "probe asked") < given_up);
  g_free (log);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

/* Else the count waits for a report or feedback, of which none come. */
static void
test_stats_tell_of_probes_that_were_given_up (void)
{
  GstHarness *h = probed_start_with_caps (SENDER,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96,extmap-5=" TWCC_URI);

  probed_push_frame (h, 0, 1);
  g_assert_cmpuint (probed_next_packet (h).payload, ==, PAYLOAD);
  g_assert_cmpuint (probed_get_count (h, "probes-abandoned"), ==, 0);
  gst_harness_set_time (h, (GstClockTime) probed_get_time (h) + GST_SECOND);
  g_assert_cmpuint (probed_get_count (h, "probes-abandoned"), ==, 1);

  gst_harness_teardown (h);
}

/* It may be. */
static void
test_what_may_be_audio_is_not_padded (void)
{
  check_has_no_padding (
      SENDER, "application/x-rtp,clock-rate=90000,extmap-5=" TWCC_URI);
}

#define BARE_CAPS "application/x-rtp,extmap-5=" TWCC_URI

static GstCaps *
tell_media (GstElement *session, guint payload_type, gpointer media)
{
  (void) session;

  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING,
      media, "clock-rate", G_TYPE_INT, 90000, "payload", G_TYPE_INT,
      (gint) payload_type, NULL);
}

/* As in webrtcbin: caps that tell nothing, and a session that knows. */
static GstHarness *
start_bare (gpointer media)
{
  GstHarness *h = gst_harness_new_parse (SENDER);
  GstElement *session = gst_harness_find_element (h, "rtpsession");

  g_signal_connect (session, "request-pt-map", G_CALLBACK (tell_media), media);
  gst_object_unref (session);
  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, BARE_CAPS);

  return h;
}

static void
test_what_the_session_tells_to_be_video_is_padded (void)
{
  GstHarness *h = start_bare ("video");

  probed_push_frame (h, 10, 2);
  for (guint16 seq = 10; seq < 12; seq++)
    g_assert_cmpuint (probed_next_packet (h).seq, ==, seq);
  probed_assert_padding (h, TEST_SSRC);

  gst_harness_teardown (h);
}

static void
test_what_the_session_tells_to_be_audio_is_not_padded (void)
{
  GstHarness *h = start_bare ("audio");

  probed_push_frame (h, 10, 2);
  for (guint16 seq = 10; seq < 12; seq++)
    g_assert_cmpuint (probed_next_packet (h).seq, ==, seq);
  gst_harness_set_time (h, (GstClockTime) probed_get_time (h) + GST_SECOND);
  g_assert_cmpuint (probed_get_count (h, "probes-abandoned"), ==, 1);
  g_assert_cmpuint (probed_get_count (h, "padding-packets"), ==, 0);

  gst_harness_teardown (h);
}

/* Else a receiver restores other packets than were lost. */
static void
test_streams_with_fec_are_not_padded (void)
{
  check_has_no_padding ("rtpulpfecenc pt=100 ! " SENDER, CAPS);
}

typedef struct {
  GstHarness *h;
  guint16 seq;
} Unnumbered;

static void
push_unnumbered (Unnumbered *self)
{
  GstBuffer *packet = test_rtp_packet (self->seq, self->seq * 3600u, PAYLOAD);
  const guint8 marker = 0x80 | 96;

  self->seq++;
  gst_buffer_fill (packet, 1, &marker, 1);
  g_assert_cmpint (gst_harness_push (self->h, packet), ==, GST_FLOW_OK);
}

/* The rest of the first clusters may still leave. */
static gboolean
has_stopped_padding (gpointer user_data)
{
  Unnumbered *self = user_data;
  guint n_padding = 0;

  for (guint i = 0; i < 10; i++) {
    push_unnumbered (self);
    while (probed_next_packet (self->h).payload == 0)
      g_assert_cmpuint (n_padding++, <, 1000);
  }

  return n_padding == 0;
}

static gboolean
has_begun_padding (gpointer user_data)
{
  Unnumbered *self = user_data;

  return probed_get_count (self->h, "padding-packets") > 0;
}

/* Else padding that does not count would be sent without end. */
static void
test_a_stream_whose_packets_are_not_numbered_ends_its_padding (void)
{
  Unnumbered stream = { probed_start (SENDER), 0 };

  push_unnumbered (&stream);
  g_assert_cmpuint (probed_next_packet (stream.h).payload, ==, PAYLOAD);
  test_wait_until (has_begun_padding, &stream);
  test_wait_until (has_stopped_padding, &stream);
  probed_push_frame (stream.h, stream.seq, 1);
  g_assert_cmpuint (probed_next_packet (stream.h).payload, ==, PAYLOAD);

  gst_harness_teardown (stream.h);
}

/* --- switched on by caps --- */

static GstClockTime
get_latency (GstHarness *h, GstClockTime *max)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min;
  gboolean live;

  g_assert_true (gst_pad_peer_query (h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, max);
  gst_query_unref (query);

  return min;
}

/* A sink that synchronises would hold every packet for as long, and send all of
 * a frame at once. */
static void
test_a_queue_is_no_latency_to_wait_for (void)
{
  GstHarness *h = gst_harness_new_parse (
      SENDER_WITH ("max-pacing-delay=100") SESSION);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GstClockTime max;

  gst_element_set_bus (sender, bus);
  gst_harness_set_upstream_latency (h, 10 * GST_MSECOND);
  g_assert_cmpuint (get_latency (h, &max), ==, 10 * GST_MSECOND);
  gst_harness_set_src_caps_str (h, CAPS);
  g_assert_cmpuint (get_latency (h, &max), ==, 10 * GST_MSECOND);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_LATENCY);
  g_assert_nonnull (message);

  gst_message_unref (message);
  gst_element_set_bus (sender, NULL);
  gst_object_unref (bus);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static GstPadProbeReturn
note_list (GstPad *pad, GstPadProbeInfo *info, gpointer thread)
{
  (void) pad;
  (void) info;
  *(GThread **) thread = g_thread_self ();

  return GST_PAD_PROBE_OK;
}

/* As a list, in the thread that brings it. */
static void
check_passes_straight_through (const gchar *line, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (line);
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstPad *srcpad = gst_element_get_static_pad (sender, "src");
  GThread *thread = NULL;

  gst_harness_set_src_caps_str (h, caps);
  gst_pad_add_probe (
      srcpad, GST_PAD_PROBE_TYPE_BUFFER_LIST, note_list, &thread, NULL);
  probed_push_frame (h, 0, 3);
  g_assert_true (thread == g_thread_self ());

  gst_object_unref (srcpad);
  gst_object_unref (sender);
  gst_harness_teardown (h);
}

static void
test_without_numbers_lists_pass_straight_through (void)
{
  check_passes_straight_through (SENDER, TEST_RTP_CAPS);
  check_passes_straight_through (SENDER_WITH ("feedback=remb") SESSION, CAPS);
}

static void
test_pacing_stays_off_where_it_was_disabled (void)
{
  check_passes_straight_through (SENDER_WITH ("pacing-factor=0") SESSION, CAPS);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/unpadded/" #name, test_##name)
  ADD (audio_is_not_padded);
  ADD (stats_tell_of_probes_that_were_given_up);
  ADD (the_log_tells_of_probes);
  ADD (what_may_be_audio_is_not_padded);
  ADD (what_the_session_tells_to_be_video_is_padded);
  ADD (what_the_session_tells_to_be_audio_is_not_padded);
  ADD (streams_with_fec_are_not_padded);
  ADD (a_stream_whose_packets_are_not_numbered_ends_its_padding);
  ADD (a_queue_is_no_latency_to_wait_for);
  ADD (without_numbers_lists_pass_straight_through);
  ADD (pacing_stays_off_where_it_was_disabled);
#undef ADD

  return g_test_run ();
}
