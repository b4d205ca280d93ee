/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* When the session sends transport-wide feedback for gccreceiver, and how much. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "numbered-call.h"

/* They left together, seconds after the packets. */
static void
test_packets_without_markers_are_reported_by_an_interval (void)
{
  guint16 before;
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc", NUMBERED_CAPS);
  call.has_markers = FALSE;
  test_wait_until (numbered_call_interval_is_set, &call);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  before = call.number;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  /* 10 ms apart or more, on a machine that may be busy */
  g_assert_cmpuint ((guint16) (call.number - before), <, 100);

  gst_element_set_state (call.pipeline, GST_STATE_READY);
  numbered_call_assert_untouched (&call);
  numbered_call_stop (&call);
}

/* Guards against sessions that send no regular report any more: with media of
 * less than 64 kbit/s, feedback put off each of them. */
static void
test_feedback_does_not_keep_regular_reports_from_leaving (void)
{
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc", NUMBERED_CAPS);
  call.has_markers = FALSE;
  call.payload_size = 40;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 40);
  numbered_call_wait_for_more (&call, &call.n_regular, 4);
  numbered_call_stop (&call);
}

static void
test_what_the_application_has_set_stays (void)
{
  NumberedCall call;

  numbered_call_start_with (
      &call, "feedback=transport-cc", "rtp-profile=avpf", NUMBERED_CAPS);
  g_object_set (call.session, INTERVAL, (guint64) 20 * GST_MSECOND, BANDWIDTH,
      40000., NULL);
  numbered_call_play (&call);
  call.has_markers = FALSE;
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 30);
  g_assert_cmpuint (numbered_call_get_interval (&call), ==, 20 * GST_MSECOND);
  g_assert_cmpfloat (numbered_call_get_bandwidth (&call), ==, 40000.);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (numbered_call_get_interval (&call), ==, 20 * GST_MSECOND);
  g_assert_cmpfloat (numbered_call_get_bandwidth (&call), ==, 40000.);
  numbered_call_stop (&call);
}

static void
test_what_the_application_sets_in_mid_call_stays (void)
{
  NumberedCall call;

  numbered_call_start (&call, "feedback=transport-cc", NUMBERED_CAPS);
  call.has_markers = FALSE;
  test_wait_until (numbered_call_interval_is_set, &call);
  g_object_set (call.session, INTERVAL, (guint64) 30 * GST_MSECOND, NULL);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 50);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (numbered_call_get_interval (&call), ==, 30 * GST_MSECOND);
  numbered_call_stop (&call);
}

/* Without AVPF, and left alone, rtpsession sends feedback all the same. */
static void
test_a_session_that_is_not_to_be_configured_is_left_alone (void)
{
  NumberedCall call;

  numbered_call_start_with (&call, "feedback=transport-cc manage=none",
      "rtp-profile=avp", NUMBERED_CAPS);
  numbered_call_play (&call);
  numbered_call_wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (numbered_call_says_feedback (&call, "transport-cc"));
  numbered_call_assert_untouched (&call);
  numbered_call_stop (&call);
}

typedef struct {
  GstElement *pipeline;
  gint is_done;
} Preroll;

static gpointer
push_without_clock (gpointer data)
{
  Preroll *self = data;
  GstElement *gcc = gst_bin_get_by_name (GST_BIN (self->pipeline), "gcc");
  GstPad *pad = gst_element_get_static_pad (gcc, "sink");
  NumberedCall call = { .id = 12, .payload_size = 500 };

  test_begin_stream (pad, NUMBERED_CAPS);
  for (guint i = 0; i < 100; i++) {
    gst_pad_chain (pad, numbered_call_make_packet (&call, FALSE));
    /* the element goes by its clock: audio that is late */
    g_usleep (2000);
  }
  gst_object_unref (pad);
  gst_object_unref (gcc);
  g_atomic_int_set (&self->is_done, TRUE);

  return NULL;
}

/* Guards against a thread that never returns: with an interval, rtpsession
 * counts up to the running time of a packet, which is G_MAXUINT64 without a
 * clock. */
static void
test_packets_before_there_is_a_clock_do_no_harm (void)
{
  Preroll preroll = { 0 };
  GThread *thread;

  preroll.pipeline = gst_parse_launch (
      "rtpsession name=rtp gccreceiver name=gcc feedback=transport-cc ! "
      "rtp.recv_rtp_sink",
      NULL);
  gst_element_set_state (preroll.pipeline, GST_STATE_PAUSED);
  thread = g_thread_new ("preroll", push_without_clock, &preroll);
  test_wait_until (test_is_set, &preroll.is_done);
  g_thread_join (thread);
  test_stop (preroll.pipeline);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define TEST(name) g_test_add_func ("/receiver-intervals/" #name, test_##name)
  TEST (packets_without_markers_are_reported_by_an_interval);
  TEST (feedback_does_not_keep_regular_reports_from_leaving);
  TEST (what_the_application_has_set_stays);
  TEST (what_the_application_sets_in_mid_call_stays);
  TEST (a_session_that_is_not_to_be_configured_is_left_alone);
  TEST (packets_before_there_is_a_clock_do_no_harm);

  return g_test_run ();
}
