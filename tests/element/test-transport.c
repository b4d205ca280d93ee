/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: numbers that leave, and what comes
 * back about them. */

#include "transport-path.h"

/* --- numbers that leave --- */

static void
test_packets_are_numbered_one_after_the_other (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, GST_SECOND);
  g_assert_cmpuint (path.departures->len, ==, 50);
  for (guint i = 1; i < 50; i++)
    g_assert_cmpuint (path_get_departure (&path, i)->number, ==,
        (guint16) (path_get_departure (&path, i - 1)->number + 1));
  path_stop (&path);
}

/* Or there would be two who number, and the last one wins. */
static void
test_the_session_is_not_told_of_the_extension (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  g_assert_false (path_session_has_extmap (&path, ID));
  path_stop (&path);
}

/* The room that it has for a number is not used. */
static void
check_that_a_packet_leaves_as_it_came (Path *path)
{
  guint16 number;
  GstBuffer *buffer;

  path_push (path, path_make_room (path_make_packet (path), ID));
  buffer = gst_harness_pull (path->harness);
  g_assert_true (path_read_number (buffer, ID, &number));
  g_assert_cmphex (number, ==, 0xffff);
  gst_buffer_unref (buffer);
}

static void
test_remb_means_no_numbers (void)
{
  Path path;

  path_start (&path, "feedback=remb", NEGOTIATED);
  g_assert_false (path_session_has_extmap (&path, ID));
  check_that_a_packet_leaves_as_it_came (&path);
  path_assert_string (&path, "feedback", "remb");
  path_assert_string (&path, "feedback-reason", "feedback is set to remb");
  path_stop (&path);
}

static void
test_what_was_not_negotiated_is_not_added (void)
{
  GstBuffer *in, *out;
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  in = path_make_packet (&path);
  path_push (&path, in);
  out = gst_harness_pull (path.harness);
  g_assert_cmpuint (gst_buffer_get_size (out), ==, 12 + PAYLOAD_SIZE);
  gst_buffer_unref (out);
  path_assert_string (&path, "feedback", "remb");
  path_assert_string (&path, "feedback-reason",
      "the caps have no extmap of the transport-wide header extension");
  path_stop (&path);
}

static void
test_the_property_puts_the_extension_there (void)
{
  Path path;

  path_start (&path, "feedback=transport-cc", TEST_RTP_CAPS);
  path.id = DEFAULT_ID;
  for (guint i = 0; i < 3; i++)
    path_push (&path, path_make_packet (&path));
  g_assert_cmpuint (path_take_departures (&path), ==, 0);
  g_assert_cmpuint (path.departures->len, ==, 3);
  g_assert_cmpuint (path_get_departure (&path, 2)->number, ==,
      path_get_departure (&path, 0)->number + 2);
  path_stop (&path);
}

static void
test_an_older_profile_numbers_nothing (void)
{
  guint16 number;
  GstBuffer *buffer;
  Path path;

  path_start (&path, "profile=goog-2020", NEGOTIATED);
  g_assert_true (path_session_has_extmap (&path, ID));
  path_push (&path, path_make_packet (&path));
  buffer = gst_harness_pull (path.harness);
  g_assert_false (path_read_number (buffer, ID, &number));
  gst_buffer_unref (buffer);
  path_assert_string (&path, "feedback-reason",
      "the profile follows no transport-wide feedback");
  path_stop (&path);
}

/* Its packets are in other hands, too. */
static void
test_all_packets_of_a_list_are_numbered (void)
{
  GstBufferList *list = gst_buffer_list_new ();
  guint16 number;
  Path path;

  path_start (&path, "feedback=transport-cc", TEST_RTP_CAPS);
  path.id = DEFAULT_ID;
  for (guint i = 0; i < 5; i++)
    gst_buffer_list_add (list, path_make_packet (&path));
  gst_buffer_list_ref (list);
  g_assert_cmpint (
      gst_pad_push_list (path.harness->srcpad, list), ==, GST_FLOW_OK);
  for (guint i = 0; i < 5; i++)
    g_assert_false (
        path_read_number (gst_buffer_list_get (list, i), DEFAULT_ID, &number));
  gst_buffer_list_unref (list);

  path_take_departures (&path);
  g_assert_cmpuint (path.departures->len, ==, 5);
  for (guint16 i = 1; i < 5; i++)
    g_assert_cmpuint (path_get_departure (&path, i)->number, ==,
        path_get_departure (&path, 0)->number + i);
  path_stop (&path);
}

static void
ask_for (Path *self, guint seqnum)
{
  gst_harness_push_upstream_event (self->harness,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum",
              G_TYPE_UINT, seqnum, "ssrc", G_TYPE_UINT, TEST_SSRC, NULL)));
}

/* Guards against one number for all copies, or none. */
static void
test_a_retransmission_has_a_number_of_its_own (void)
{
  GstHarness *h = gst_harness_new_parse (
      "rtprtxsend payload-type-map=\"application/x-rtp-pt-map,96=(uint)98\" ! "
      "gccsender feedback=transport-cc pacing-factor=0 ! s.send_rtp_sink "
      "rtpsession name=s s.send_rtp_src ! identity");
  Path path = { .harness = h, .id = DEFAULT_ID };
  GstBuffer *in;

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  path.departures = g_array_new (FALSE, FALSE, sizeof (PathDeparture));
  in = path_make_packet (&path);
  path_push (&path, in);
  path_take_departures (&path);
  for (guint i = 0; i < 3; i++)
    ask_for (&path, 0);
  while (path.departures->len < 4) {
    path_take_departures (&path);
    g_thread_yield ();
  }
  for (guint16 i = 0; i < 4; i++)
    g_assert_cmpuint (path_get_departure (&path, i)->number, ==,
        path_get_departure (&path, 0)->number + i);
  g_array_unref (path.departures);
  gst_harness_teardown (h);
}

/* --- feedback as it should be --- */

static void
test_feedback_takes_over (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_assert_string (&path, "feedback", "remb");
  path_call_for (&path, 5 * GST_SECOND);
  path_assert_string (&path, "feedback", "transport-cc");
  path_assert_string (
      &path, "feedback-reason", "transport-wide feedback comes");
  g_assert_cmpuint (path_count (&path, "feedbacks"), >=, 40);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (path_count (&path, "malformed-transport-cc"), ==, 0);
  path_stop (&path);
}

static gdouble
get_number (Path *self, const gchar *field)
{
  GstStructure *stats;
  const GValue *value;
  GValue number = G_VALUE_INIT;
  gdouble result;

  g_object_get (self->sender, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, field);
  g_assert_nonnull (value);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_assert_true (g_value_transform (value, &number));
  result = g_value_get_double (&number);
  gst_structure_free (stats);

  return result;
}

/* What `twcc-stats` of rtpsession has where that numbers the packets. */
static void
test_the_stats_have_what_those_of_rtpsession_lack (void)
{
  GstStructure *stats;
  Path path;

  path_start (&path, "", NEGOTIATED);
  g_object_get (path.sender, "stats", &stats, NULL);
  g_assert_false (gst_structure_has_field (stats, "bitrate-sent"));
  gst_structure_free (stats);
  path_call_for (&path, 5 * GST_SECOND);
  /* 1000 bytes and the headers of RTP, UDP and IP, 50 times a second */
  g_assert_cmpfloat_with_epsilon (
      get_number (&path, "bitrate-sent"), 50. * 8. * 1048., 1000.);
  g_assert_cmpfloat_with_epsilon (
      get_number (&path, "bitrate-recv"), 50. * 8. * 1048., 20000.);
  g_assert_cmpfloat (get_number (&path, "packet-loss-pct"), ==, 0.);
  g_assert_cmpfloat_with_epsilon (
      get_number (&path, "avg-delta-of-delta"), 0., 1e6);

  path.loss_percent = 10;
  path_call_for (&path, 5 * GST_SECOND);
  g_assert_cmpfloat (get_number (&path, "packet-loss-pct"), >, 3.);
  path_stop (&path);
}

static void
test_several_in_one_compound_packet_all_count (void)
{
  GccTransportFeedbackWriter writer;
  GstRTCPBuffer rtcp;
  GstBuffer *buffer;
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 30; i++) {
    path_pass_time (&path, 10 * GST_MSECOND);
    path_send_packet (&path);
  }
  path_begin_rtcp (&buffer, &rtcp);
  for (guint first = 0; first < 30; first += 10) {
    gcc_transport_feedback_writer_init (&writer,
        path_get_departure (&path, first)->number,
        path_get_arrival (&path, first), path.count++);
    for (guint i = first; i < first + 10; i++)
      g_assert_true (gcc_transport_feedback_writer_add (&writer,
          path_get_departure (&path, i)->number, path_get_arrival (&path, i)));
    path_add_feedback (&rtcp, &writer);
  }
  path_deliver (&path, path_end_rtcp (buffer, &rtcp));
  g_assert_cmpuint (path_count (&path, "feedbacks"), ==, 3);
  path_stop (&path);
}

/* One unwraps what has wrapped: 70000 packets. */
static void
test_numbers_may_wrap (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 70000; i++) {
    path_pass_time (&path, GST_MSECOND);
    path_send_packet (&path);
    if (i % 100 == 99)
      path_tell (&path);
  }
  g_assert_cmpuint (path_count (&path, "feedbacks"), ==, 700);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (path_count (&path, "feedbacks-lost"), ==, 0);
  path_stop_steered (&path);
}

/* Once in twelve days, and any moment after the receiver has booted. */
static void
test_the_reference_time_may_wrap (void)
{
  guint before;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path.origin = ((GccTime) 1 << GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS) *
          GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK -
      5 * GCC_SECOND;
  path_call_for (&path, 4 * GST_SECOND);
  before = path_get_target (&path);
  path_call_for (&path, 4 * GST_SECOND);
  g_assert_cmpuint (path_get_target (&path), >=, before * 9 / 10);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);
  path_stop_steered (&path);
}

static void
test_five_frames_a_second_are_enough (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 100; i++) {
    path_pass_time (&path, 200 * GST_MSECOND);
    for (guint j = 0; j < 4; j++)
      path_send_packet (&path);
    path_tell (&path);
  }
  path_assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (path_get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

/* --- packets without the extension --- */

/* Firefox numbers no audio; it takes its part of the path all the same. */
static void
test_packets_without_the_extension_take_no_number (void)
{
  guint n_unnumbered = 0;
  Path path;

  path_start (&path, "", NEGOTIATED);
  for (guint i = 0; i < 250; i++) {
    path_pass_time (&path, 20 * GST_MSECOND);
    path_send_packet (&path);
    path_push (&path, path_make_packet (&path));
    n_unnumbered += path_take_departures (&path);
    if (i % 5 == 4)
      path_tell (&path);
  }
  g_assert_cmpuint (n_unnumbered, ==, 250);
  g_assert_cmpuint (path.departures->len, ==, 250);
  for (guint i = 1; i < 250; i++)
    g_assert_cmpuint (path_get_departure (&path, i)->number, ==,
        (guint16) (path_get_departure (&path, i - 1)->number + 1));
  path_assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (path_get_target (&path), >=, START_RATE / 2);
  path_stop (&path);
}

static void
test_audio_alone_is_followed (void)
{
  Path path;

  path_start (&path, "", AUDIO EXTMAP (5));
  for (guint i = 0; i < 500; i++) {
    path_pass_time (&path, 20 * GST_MSECOND);
    path_push (&path, path_make_room (path_make_audio (&path), ID));
    path_take_departures (&path);
    if (i % 5 == 4)
      path_tell (&path);
  }
  g_assert_cmpuint (path.departures->len, ==, 500);
  path_assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (path_get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

/* --- the property --- */

static void
test_probing_may_change_at_any_time (void)
{
  gboolean probing;
  Path path;

  path_start (&path, "", NEGOTIATED);
  g_object_get (path.sender, "probing", &probing, NULL);
  g_assert_true (probing);
  path_call_for (&path, GST_SECOND);
  g_object_set (path.sender, "probing", FALSE, NULL);
  path_call_for (&path, GST_SECOND);
  g_object_get (path.sender, "probing", &probing, NULL);
  g_assert_false (probing);
  g_object_set (path.sender, "probing", TRUE, NULL);
  path_call_for (&path, GST_SECOND);
  path_stop (&path);
}

/* --- reports of RFC 8888 --- */

static void
test_packets_leave_as_they_come_where_reports_tell_of_them (void)
{
  Path path;

  path_start (&path, "feedback=ccfb", NEGOTIATED);
  g_assert_false (path_session_has_extmap (&path, ID));
  check_that_a_packet_leaves_as_it_came (&path);
  path_assert_string (
      &path, "feedback-reason", "no report of RFC 8888 has come");
  path_stop (&path);
}

static void
test_the_negotiated_extension_comes_before_reports (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED ",rtcp-fb-ack-ccfb=(boolean)true");
  path_assert_string (
      &path, "feedback-reason", "no transport-wide feedback has come");
  path_stop (&path);
  path_start (&path, "", TEST_RTP_CAPS ",rtcp-fb-ack-ccfb=(boolean)true");
  path_assert_string (
      &path, "feedback-reason", "no report of RFC 8888 has come");
  path_stop (&path);
}

/* A block of nine packets, of which there are two. */
static void
test_a_malformed_report_is_counted (void)
{
  static const guint8 bytes[] = { 0x8b, 0xcd, 0, 5, 1, 2, 3, 4, 0, 0, 0, 7, 0,
    0, 0, 9, 0x80, 0, 0x80, 0, 0, 0, 0, 1 };
  GstBuffer *buffer = gst_buffer_new_memdup (bytes, sizeof bytes);
  Path path;

  path_start (&path, "feedback=ccfb", TEST_RTP_CAPS);
  path_deliver (&path, buffer);
  g_assert_cmpuint (path_count (&path, "malformed-ccfb"), ==, 1);
  g_assert_cmpuint (path_count (&path, "feedbacks-ignored"), ==, 0);
  path_stop (&path);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (packets_are_numbered_one_after_the_other);
  ADD (the_session_is_not_told_of_the_extension);
  ADD (remb_means_no_numbers);
  ADD (what_was_not_negotiated_is_not_added);
  ADD (the_property_puts_the_extension_there);
  ADD (an_older_profile_numbers_nothing);
  ADD (all_packets_of_a_list_are_numbered);
  ADD (a_retransmission_has_a_number_of_its_own);
  ADD (feedback_takes_over);
  ADD (the_stats_have_what_those_of_rtpsession_lack);
  ADD (several_in_one_compound_packet_all_count);
  ADD (numbers_may_wrap);
  ADD (the_reference_time_may_wrap);
  ADD (five_frames_a_second_are_enough);
  ADD (packets_without_the_extension_take_no_number);
  ADD (audio_alone_is_followed);
  ADD (probing_may_change_at_any_time);
  ADD (packets_leave_as_they_come_where_reports_tell_of_them);
  ADD (the_negotiated_extension_comes_before_reports);
  ADD (a_malformed_report_is_counted);

  return g_test_run ();
}
