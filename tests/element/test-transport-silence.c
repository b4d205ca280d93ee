/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback at gccsender: feedback that stops, and calls that
 * nobody measures. */

#include "transport-path.h"

/* --- feedback that stops --- */

static void
test_reports_take_over_without_a_jump_and_give_back (void)
{
  guint before, after;
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 10 * GST_SECOND);
  before = path_get_target (&path);
  path_assert_string (&path, "feedback", "transport-cc");

  for (guint i = 0; i < 20; i++) {
    guint last = path_get_target (&path);

    path_call_without_feedback (&path, GST_SECOND);
    g_assert_cmpuint (path_get_target (&path), <=, last * 13 / 10);
    g_assert_cmpuint (path_get_target (&path), >=, last * 7 / 10);
  }
  path_assert_string (&path, "feedback", "remb");
  path_assert_string (
      &path, "feedback-reason", "transport-wide feedback has stopped");
  after = path_get_target (&path);
  g_test_message ("%u, then %u bit/s", before, after);

  path_call_for (&path, 500 * GST_MSECOND);
  path_assert_string (&path, "feedback", "transport-cc");
  g_assert_cmpuint (path_get_target (&path), >=, after / 2);
  g_assert_cmpuint (path_get_target (&path), <=, after * 3 / 2);
  path_stop (&path);
}

/* The caps have lost the extension. The receiver sends REMB 0.8 s later. */
static void
test_numbers_that_stop_leave_the_rate_to_remb_within_a_second (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 10 * GST_SECOND);
  path_assert_string (&path, "feedback", "transport-cc");
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS);
  for (guint i = 0; i < 55; i++) {
    path_pass_time (&path, 20 * GST_MSECOND);
    path_push (&path, path_make_packet (&path));
    g_assert_cmpuint (path_take_departures (&path), ==, 1);
    if (i == 2 || i == 40)
      path_report (&path);
    if (i > 40 && i % 5 == 0)
      path_deliver (&path, test_remb (600000, 1));
  }
  path_assert_string (&path, "feedback", "remb");
  g_assert_cmpuint (path_get_target (&path), ==, 600000);

  /* numbers begin again */
  gst_harness_set_src_caps_str (path.harness, TEST_RTP_CAPS EXTMAP (7));
  path.id = 7;
  path_call_for (&path, GST_SECOND);
  path_stop_steered (&path);
}

/* No RTCP comes at all: packets that leave tell the time, and the history of
 * them stays as it is. */
static void
test_no_rtcp_at_all_lowers_the_rate (void)
{
  Path path;

  path_start_steered (&path);
  for (guint i = 0; i < 20000; i++) {
    path_pass_time (&path, GST_MSECOND);
    path_send_packet (&path);
  }
  test_wait_until (path_has_fallen, &path);
  g_assert_cmpuint (path_get_target (&path), >=, MIN_RATE);
  path_stop (&path);
}

static void
test_missing_feedback_is_told_once (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_without_feedback (&path, 4 * GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==,
      0);
  path_call_without_feedback (&path, 20 * GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==,
      1);
  path_assert_string (
      &path, "feedback-reason", "no transport-wide feedback has come");

  path_call_for (&path, GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_INFO, "Transport-wide"), ==, 1);
  path_call_for (&path, 5 * GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_INFO, "Transport-wide"), ==, 0);
  path_stop (&path);
}

/* Guards: the pause counted as time without feedback. */
static void
test_after_a_pause_no_feedback_is_missing (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 2 * GST_SECOND);
  path_pass_time (&path, 6 * GST_SECOND);
  path_send_packet (&path);
  path_report (&path);
  path_call_without_feedback (&path, 3 * GST_SECOND);
  path_call_for (&path, GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==,
      0);
  path_stop (&path);
}

/* Nobody is missed who was not asked. */
static void
test_without_numbers_nothing_is_missing (void)
{
  Path path;

  path_start (&path, "feedback=remb", NEGOTIATED);
  path_call_without_feedback (&path, 20 * GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, "transport-wide"), ==,
      0);
  path_stop (&path);
}

/* --- nobody measures --- */

static guint
count_unmeasured (Path *self)
{
  return path_count_messages (self, GST_MESSAGE_WARNING, "Nobody measures");
}

static void
test_reports_alone_are_told_once (void)
{
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  path_call_without_feedback (&path, 14 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  path_call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 1);
  path_stop (&path);
}

static void
test_after_a_remb_reports_are_enough (void)
{
  Path path;

  path_start (&path, "", TEST_RTP_CAPS);
  path_call_without_feedback (&path, 5 * GST_SECOND);
  path_deliver (&path, test_remb (500000, 1));
  path_call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (path_count (&path, "rembs"), ==, 1);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  path_stop (&path);
}

static void
test_after_feedback_reports_are_enough (void)
{
  Path path;

  path_start (&path, "", NEGOTIATED);
  path_call_for (&path, 2 * GST_SECOND);
  path_call_without_feedback (&path, 30 * GST_SECOND);
  g_assert_cmpuint (count_unmeasured (&path), ==, 0);
  path_stop (&path);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transport/" #name, test_##name)
  ADD (reports_take_over_without_a_jump_and_give_back);
  ADD (numbers_that_stop_leave_the_rate_to_remb_within_a_second);
  ADD (no_rtcp_at_all_lowers_the_rate);
  ADD (missing_feedback_is_told_once);
  ADD (after_a_pause_no_feedback_is_missing);
  ADD (without_numbers_nothing_is_missing);
  ADD (reports_alone_are_told_once);
  ADD (after_a_remb_reports_are_enough);
  ADD (after_feedback_reports_are_enough);

  return g_test_run ();
}
