/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/check/gsttestclock.h>
#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "receiving-end.h"

/* The times with which a packet leaves that arrives at @arrival. The clock is at
 * five seconds, the running time at three. */
static void
assert_time (GstClockTime arrival, GstClockTime expected)
{
  ReceivingEnd end;
  GstBuffer *buffer = test_rtp_packet (0, 0, 1000);

  receiving_end_start (&end);
  gst_test_clock_set_time (end.clock, 5 * GST_SECOND);
  gst_element_set_base_time (end.harness->element, 2 * GST_SECOND);
  GST_BUFFER_DTS (buffer) = GST_BUFFER_PTS (buffer) = arrival;
  gst_harness_push (end.harness, buffer);
  buffer = gst_harness_pull (end.harness);
  g_assert_cmpuint (GST_BUFFER_DTS (buffer), ==, expected);
  g_assert_cmpuint (GST_BUFFER_PTS (buffer), ==, expected);
  gst_buffer_unref (buffer);
  receiving_end_stop (&end);
}

static void
test_the_clocks_time_is_no_arrival (void)
{
  const GstClockTime present = 3 * GST_SECOND, clock = 5 * GST_SECOND;

  assert_time (clock, present);
  assert_time (clock - 1, present - 1);
  assert_time (present, present);
  assert_time (present - 1, present - 1);
  assert_time (GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);

  /* A source that reads a file is ahead of the clock. */
  assert_time (clock + 1, clock + 1);
}

static void
test_malformed_packets_pass_and_are_counted (void)
{
  ReceivingEnd end;

  receiving_end_start (&end);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *junk = gst_buffer_new_allocate (NULL, 5 + i, NULL);

    gst_buffer_memset (junk, 0, 0xff, 5 + i);
    g_assert_cmpint (gst_harness_push (end.harness, junk), ==, GST_FLOW_OK);
    gst_buffer_unref (gst_harness_pull (end.harness));
  }
  g_assert_cmpuint (
      test_stats_uint64 (end.harness->element, "malformed"), ==, 3);
  g_assert_cmpuint (test_stats_uint64 (end.harness->element, "packets"), ==, 0);
  receiving_end_stop (&end);
}

/* --- messages on the bus --- */

static guint
count_messages (GstBus *bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *structure = gst_message_get_structure (message);

    g_assert_true (gst_structure_has_name (structure, "gccreceiver"));
    g_assert_true (gst_structure_has_field (structure, "a-r-bps"));
    gst_message_unref (message);
    n++;
  }

  return n;
}

/* The clock of the test runs a hundred times as fast as that of the bus. */
static void
test_messages_come_ten_times_a_second_at_most (void)
{
  GstBus *bus = gst_bus_new ();
  gint64 start = g_get_monotonic_time ();
  ReceivingEnd end;
  guint n;

  receiving_end_start (&end);
  gst_element_set_bus (end.harness->element, bus);
  for (guint i = 0; i < 600; i++)
    receiving_end_deliver_frame (&end, 1000, 0);
  n = count_messages (bus);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (
      (n - 1) * G_USEC_PER_SEC / 10, <=, g_get_monotonic_time () - start);

  g_object_set (end.harness->element, "post-messages", FALSE, NULL);
  for (guint i = 0; i < 600; i++)
    receiving_end_deliver_frame (&end, 1000, 0);
  g_assert_cmpuint (count_messages (bus), ==, 0);

  gst_element_set_bus (end.harness->element, NULL);
  gst_object_unref (bus);
  receiving_end_stop (&end);
}

/* --- report-interval --- */

static void
test_the_session_reports_as_often_as_asked (void)
{
  static const struct {
    const gchar *settings;
    guint64 interval;
    gdouble fraction;
  } tests[] = {
    { "", GST_SECOND, 0.05 },
    { "report-interval=180", 180 * GST_MSECOND, 0.5 },
    { "report-interval=180 manage=none", 5 * GST_SECOND, 0.05 },
    { "profile=rtcweb-2013 report-interval=7000", 5 * GST_SECOND, 0.5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *line = g_strdup_printf (
        "rtpsession name=rtp gccreceiver %s ! rtp.recv_rtp_sink",
        tests[i].settings);
    GstElement *pipeline = gst_parse_launch (line, NULL);
    GstElement *rtpsession = gst_bin_get_by_name (GST_BIN (pipeline), "rtp");
    GObject *internal;
    guint64 interval;
    gdouble fraction;

    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    g_object_get (rtpsession, "rtcp-min-interval", &interval,
        "internal-session", &internal, NULL);
    g_object_get (internal, "rtcp-fraction", &fraction, NULL);
    /* rtpsession keeps seconds, which an x87 reads back as a nanosecond less */
    g_assert_cmpuint (interval, <=, tests[i].interval);
    g_assert_cmpuint (interval + 1, >=, tests[i].interval);
    /* A twentieth of a low rate would hold reports back. */
    g_assert_cmpfloat (fraction, ==, tests[i].fraction);
    g_object_unref (internal);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (rtpsession);
    gst_object_unref (pipeline);
  }
}

/* --- overuse-threshold --- */

/* What the reports of a session say of TEST_SSRC. */
typedef struct {
  guint n_packets;
  guint n_blocks;
  guint n_with_loss;
  guint32 highest;
} Reports;

static void
read_reports (
    GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user_data)
{
  Reports *reports = user_data;
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  (void) sink;
  (void) pad;
  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  reports->n_packets++;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    if (gst_rtcp_packet_get_type (&packet) != GST_RTCP_TYPE_RR)
      continue;
    for (guint i = 0; i < gst_rtcp_packet_get_rb_count (&packet); i++) {
      guint32 ssrc, highest;
      guint8 fraction_lost;

      gst_rtcp_packet_get_rb (
          &packet, i, &ssrc, &fraction_lost, NULL, &highest, NULL, NULL, NULL);
      g_assert_cmphex (ssrc, ==, TEST_SSRC);
      g_assert_cmpuint (highest, >=, reports->highest);
      reports->highest = highest;
      reports->n_blocks++;
      /* a fifth, and what the ends of an interval make of it */
      reports->n_with_loss += fraction_lost > 30 && fraction_lost < 70;
    }
  }
  gst_rtcp_buffer_unmap (&rtcp);
}

/* Each NACK is an early report, which puts the next regular one off and has no
 * blocks itself. */
static void
test_nacks_do_not_keep_loss_from_being_told (void)
{
  GstElement *pipeline = gst_parse_launch (
      "rtpbin name=rtp rtp-profile=avpf do-retransmission=true "
      "appsrc name=media is-live=true format=time caps=" TEST_RTP_CAPS
      ",rtcp-fb-nack=(boolean)true ! "
      "  gccreceiver ! rtp.recv_rtp_sink_0 rtp. ! rtpvp8depay ! fakesink "
      "async=false "
      "rtp.send_rtcp_src_0 ! fakesink name=rtcp signal-handoffs=true "
      "  sync=false async=false",
      NULL);
  GstElement *media = gst_bin_get_by_name (GST_BIN (pipeline), "media");
  GstElement *rtcp = gst_bin_get_by_name (GST_BIN (pipeline), "rtcp");
  Reports reports = { 0 };

  g_signal_connect (rtcp, "handoff", G_CALLBACK (read_reports), &reports);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint16 i = 0; i < 800; i++) {
    if (i % 5 != 4) {
      GstBuffer *buffer = test_rtp_packet (i, i * 900u, 500);
      GstFlowReturn flow;

      g_signal_emit_by_name (media, "push-buffer", buffer, &flow);
      gst_buffer_unref (buffer);
      g_assert_cmpint (flow, ==, GST_FLOW_OK);
    }
    g_usleep (5000);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);

  g_test_message (
      "%u blocks in %u packets", reports.n_blocks, reports.n_packets);
  g_assert_cmpuint (reports.n_packets, >, reports.n_blocks);
  g_assert_cmpuint (reports.n_blocks, >=, 3);
  g_assert_cmpuint (reports.n_with_loss, >=, reports.n_blocks - 1);

  gst_object_unref (rtcp);
  gst_object_unref (media);
  gst_object_unref (pipeline);
}

static gboolean
rtcp_is_malformed (gpointer receiver)
{
  return test_stats_uint64 (receiver, "malformed-rtcp") == 1;
}

/* It crashed the process: the length of the XR block leads 256 kB past the end
 * of the packet. */
static void
test_an_xr_block_longer_than_its_packet_does_no_harm (void)
{
  static const guint8 bytes[] = {
    0x80, 0xcf, 0x00, 0x04, /* XR, 5 words */
    0xaa, 0xaa, 0x00, 0x01, /* sender */
    0x00, 0x00, 0x00, 0x00, /* block of type 0, empty */
    0x05, 0x00, 0xff, 0xff, /* DLRR of 65535 words */
    0x00, 0x00, 0x00, 0x00, /* of which one is there */
  };
  GstElement *pipeline = gst_parse_launch (
      "rtpbin name=rtp rtp-profile=avpf "
      "appsrc name=media is-live=true format=time caps=" TEST_RTP_CAPS " ! "
      "  gccreceiver name=receiver ! rtp.recv_rtp_sink_0 "
      "appsrc name=rtcp is-live=true format=time caps=application/x-rtcp ! "
      "  rtp.recv_rtcp_sink_0",
      NULL);
  GstElement *receiver = gst_bin_get_by_name (GST_BIN (pipeline), "receiver");
  GstElement *rtcp = gst_bin_get_by_name (GST_BIN (pipeline), "rtcp");
  GstBuffer *buffer = test_guarded_buffer (bytes, sizeof bytes);
  GstFlowReturn flow;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_signal_emit_by_name (rtcp, "push-buffer", buffer, &flow);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
  test_wait_until (rtcp_is_malformed, receiver);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_buffer_unref (buffer);
  gst_object_unref (rtcp);
  gst_object_unref (receiver);
  gst_object_unref (pipeline);
}

/* Warnings in 40 seconds of frames about caps of @clock_rate. What is read of
 * the bus names the fix. */
static guint
count_clock_rate_warnings (guint clock_rate, const gchar *fix)
{
  g_autofree gchar *caps = g_strdup_printf (
      "application/x-rtp,media=video,payload=96,clock-rate=%u", clock_rate);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  ReceivingEnd end;
  guint n = 0;

  receiving_end_start (&end);
  gst_harness_set_src_caps_str (end.harness, caps);
  receiving_end_deliver_frame (&end, 1000, 0);
  gst_element_set_bus (end.harness->element, bus);
  while (end.frame < 40 * 30)
    receiving_end_deliver_frame (&end, 1000, 0);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    g_autofree gchar *debug = NULL;

    gst_message_parse_warning (message, NULL, &debug);
    g_assert_nonnull (strstr (debug, fix));
    gst_message_unref (message);
    n++;
  }

  gst_element_set_bus (end.harness->element, NULL);
  gst_object_unref (bus);
  receiving_end_stop (&end);

  return n;
}

/* It was silent, and measured growing queues that were not there. */
static void
test_a_wrong_clock_rate_is_one_warning (void)
{
  g_assert_cmpuint (count_clock_rate_warnings (90000, ""), ==, 0);
  g_assert_cmpuint (
      count_clock_rate_warnings (8000, "clock-rate=90000"), ==, 1);
  g_assert_cmpuint (
      count_clock_rate_warnings (48000, "clock-rate=90000"), ==, 1);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define RECEIVER(name) g_test_add_func ("/gccreceiver/" #name, test_##name)

  test_add_for_both ("gccreceiver");
  RECEIVER (the_clocks_time_is_no_arrival);
  RECEIVER (malformed_packets_pass_and_are_counted);
  RECEIVER (messages_come_ten_times_a_second_at_most);
  RECEIVER (the_session_reports_as_often_as_asked);
  RECEIVER (a_wrong_clock_rate_is_one_warning);
  RECEIVER (nacks_do_not_keep_loss_from_being_told);
  RECEIVER (an_xr_block_longer_than_its_packet_does_no_harm);

  return g_test_run ();
}
