/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>

#include "element-test.h"

#define FRAME_INTERVAL (33 * GST_MSECOND)

/* A receiver on a clock that the test sets. */
typedef struct {
  GstHarness *harness;
  GstTestClock *clock;
  guint frame;
} ReceivingEnd;

static void
receiving_end_start (ReceivingEnd *self)
{
  self->harness = gst_harness_new ("gccreceiver");
  gst_harness_use_testclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, TEST_RTP_CAPS);
  self->clock = gst_harness_get_testclock (self->harness);
  self->frame = 0;
}

static void
receiving_end_stop (ReceivingEnd *self)
{
  gst_object_unref (self->clock);
  gst_harness_teardown (self->harness);
}

/* Delivers one frame in one packet, @delay after it was sent. */
static void
deliver_frame (ReceivingEnd *self, guint size, GstClockTime delay)
{
  GstClockTime arrival = GST_SECOND + self->frame * FRAME_INTERVAL + delay;
  GstBuffer *buffer = test_rtp_packet (
      (guint16) self->frame, self->frame * 33u * 90u, size);

  gst_test_clock_set_time (self->clock, arrival);
  GST_BUFFER_DTS (buffer) = arrival;
  g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
  gst_buffer_unref (gst_harness_pull (self->harness));
  self->frame++;
}

static guint
estimate (ReceivingEnd *self)
{
  return test_get_uint (self->harness->element, "estimated-bitrate");
}

static void
test_there_is_no_estimate_before_there_is_media (void)
{
  ReceivingEnd end;

  receiving_end_start (&end);
  g_assert_cmpuint (estimate (&end), ==, 0);
  receiving_end_stop (&end);
}

static void
count_notify (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  (void) object;
  (void) pspec;
  (*(guint *) user_data)++;
}

static void
test_a_growing_delay_lowers_the_estimate (void)
{
  const guint rate = 1000 * 8 * 1000 / 33;
  ReceivingEnd end;
  guint notified = 0;
  guint steady;

  receiving_end_start (&end);
  g_signal_connect (end.harness->element, "notify::estimated-bitrate",
      G_CALLBACK (count_notify), &notified);

  for (guint i = 0; i < 300; i++)
    deliver_frame (&end, 1000, 0);
  steady = estimate (&end);
  g_assert_cmpuint (steady, >, rate);
  g_assert_cmpuint (notified, >, 0);

  for (guint i = 0; i < 30; i++)
    deliver_frame (&end, 1000, i * 5 * GST_MSECOND);
  g_assert_cmpuint (estimate (&end), <, rate);
  g_assert_cmpuint (test_stats_uint64 (end.harness->element, "overuses"), >, 0);

  receiving_end_stop (&end);
}

static void
test_the_kernels_time_stamp_is_preferred (void)
{
  GstCaps *unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");
  ReceivingEnd end;

  /* DTS says that nothing is wrong, the kernel that a queue grows. */
  receiving_end_start (&end);
  for (guint i = 0; i < 330; i++) {
    GstClockTime arrival = GST_SECOND + i * FRAME_INTERVAL;
    GstClockTime delay = i < 300 ? 0 : (i - 300) * 5 * GST_MSECOND;
    GstBuffer *buffer = test_rtp_packet ((guint16) i, i * 33 * 90, 1000);

    gst_test_clock_set_time (end.clock, arrival);
    GST_BUFFER_DTS (buffer) = arrival;
    gst_buffer_add_reference_timestamp_meta (buffer, unix_time,
        1000000 * GST_SECOND + arrival + delay, GST_CLOCK_TIME_NONE);
    gst_harness_push (end.harness, buffer);
    gst_buffer_unref (gst_harness_pull (end.harness));
  }
  g_assert_cmpuint (test_stats_uint64 (end.harness->element, "overuses"), >, 0);

  receiving_end_stop (&end);
  gst_caps_unref (unix_time);
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

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define BOTH(name) \
  g_test_add_data_func ("/gccreceiver/" #name, "gccreceiver", test_##name)
#define RECEIVER(name) g_test_add_func ("/gccreceiver/" #name, test_##name)

  BOTH (media_passes_unchanged);
  BOTH (buffer_lists_stay_lists);
  BOTH (events_pass_in_order);
  BOTH (flush_and_restart_work);
  BOTH (missing_session_is_a_warning);
  BOTH (trace_has_a_header);
  BOTH (unwritable_trace_is_an_error);
  RECEIVER (there_is_no_estimate_before_there_is_media);
  RECEIVER (a_growing_delay_lowers_the_estimate);
  RECEIVER (the_kernels_time_stamp_is_preferred);
  RECEIVER (malformed_packets_pass_and_are_counted);

  return g_test_run ();
}
