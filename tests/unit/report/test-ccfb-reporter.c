/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-ccfb-reporter.h>

#define SSRC 7
#define OTHER_SSRC 8
#define SIZE 1000
#define COST 100

static GccCcfbReporter reporter;
static guint8 body[GCC_CCFB_MAX_BODY];

static void
start (void)
{
  gcc_ccfb_reporter_init (&reporter);
}

static void
arrive_with (guint32 ssrc, guint seq, gint64 ms, GccEcn ecn, gboolean is_marker)
{
  GccCcfbPacket packet = {
    .ssrc = ssrc,
    .seq = (guint16) seq,
    .size = SIZE,
    .is_marker = is_marker,
    .ecn = ecn,
    .arrival = ms * GCC_MSECOND,
  };

  gcc_ccfb_reporter_feed (&reporter, &packet, ms * GCC_MSECOND);
}

static void
arrive (guint seq, gint64 ms)
{
  arrive_with (SSRC, seq, ms, GCC_ECN_NOT_ECT, FALSE);
}

static void
end_frame (guint seq, gint64 ms)
{
  arrive_with (SSRC, seq, ms, GCC_ECN_NOT_ECT, TRUE);
}

static gboolean
asks (gint64 ms)
{
  return gcc_ccfb_reporter_ask (&reporter, ms * GCC_MSECOND);
}

/* The packets of the report that leaves now, as ssrc:seq, with a minus in front
 * of those that are missing and * behind those that are marked. */
static gchar *
report_in (gsize room, gint64 ms)
{
  GString *text = g_string_new (NULL);
  gsize length = gcc_ccfb_reporter_write (
      &reporter, body, room, ms * GCC_MSECOND);
  GccCcfbStatus status;
  GccCcfb report;

  if (length == 0)
    return g_string_free (text, FALSE);
  g_assert_cmpuint (length, <=, room);
  gcc_ccfb_reporter_note_sent (&reporter, COST, ms * GCC_MSECOND);
  g_assert_true (gcc_ccfb_parse (&report, body, length));
  while (gcc_ccfb_next (&report, &status))
    g_string_append_printf (text, "%s%s%u:%u%s", text->len > 0 ? " " : "",
        status.is_received ? "" : "-", status.ssrc, status.seq,
        status.ecn == GCC_ECN_CE ? "*" : "");
  return g_string_free (text, FALSE);
}

static void
check_report (gint64 ms, const gchar *expected)
{
  g_autofree gchar *got = report_in (sizeof body, ms);

  g_assert_cmpstr (got, ==, expected);
}

/* --- what a report tells --- */

static void
test_each_packet_is_told_twice (void)
{
  start ();
  arrive (10, 0);
  arrive (11, 1);
  check_report (2, "7:10 7:11");
  arrive (12, 10);
  check_report (11, "7:10 7:11 7:12");
  arrive (13, 20);
  check_report (21, "7:12 7:13");
}

static void
test_without_news_there_is_no_report (void)
{
  start ();
  check_report (0, "");
  arrive (10, 1);
  check_report (2, "7:10");
  check_report (3, "");
}

static void
test_what_is_missing_is_told (void)
{
  start ();
  arrive (10, 0);
  arrive (13, 1);
  check_report (2, "7:10 -7:11 -7:12 7:13");
}

static void
test_a_packet_that_comes_late_is_told (void)
{
  start ();
  arrive (10, 0);
  arrive (12, 1);
  check_report (2, "7:10 -7:11 7:12");
  arrive (13, 3);
  check_report (4, "7:10 -7:11 7:12 7:13");
  arrive (14, 5);
  check_report (6, "7:13 7:14");
  arrive (11, 7);
  check_report (8, "7:11 7:12 7:13 7:14");
}

static void
test_numbers_wrap (void)
{
  start ();
  arrive (65534, 0);
  arrive (1, 1);
  check_report (2, "7:65534 -7:65535 -7:0 7:1");
}

static void
test_streams_have_blocks_of_their_own (void)
{
  start ();
  arrive (10, 0);
  arrive_with (OTHER_SSRC, 500, 1, GCC_ECN_NOT_ECT, FALSE);
  check_report (2, "7:10 8:500");
  arrive (11, 3);
  check_report (4, "7:10 7:11 8:500");
  arrive (12, 5);
  check_report (6, "7:11 7:12");
}

static void
test_of_two_copies_the_first_counts_and_either_mark (void)
{
  GccCcfbStatus status;
  GccCcfb report;
  gsize length;

  start ();
  arrive (10, 0);
  arrive_with (SSRC, 10, 500, GCC_ECN_CE, FALSE);
  length = gcc_ccfb_reporter_write (
      &reporter, body, sizeof body, 1000 * GCC_MSECOND);
  g_assert_true (gcc_ccfb_parse (&report, body, length));
  g_assert_cmpuint (report.n_statuses, ==, 1);
  g_assert_true (gcc_ccfb_next (&report, &status));
  g_assert_cmpint (status.ecn, ==, GCC_ECN_CE);
  g_assert_cmpint (status.offset, ==, 1025);
}

/* The times of packet 10 by both reports that cover it. */
static void
test_a_packet_has_the_same_time_in_each_report (void)
{
  gint64 ticks[2];

  start ();
  arrive (10, 3);
  for (guint i = 0; i < 2; i++) {
    GccCcfbStatus status;
    GccCcfb report;

    gcc_ccfb_parse (&report, body,
        gcc_ccfb_reporter_write (
            &reporter, body, sizeof body, (7 + 13 * i) * GCC_MSECOND + 333));
    g_assert_true (gcc_ccfb_next (&report, &status));
    g_assert_cmpuint (status.seq, ==, 10);
    ticks[i] = report.timestamp / 64 - status.offset;
    arrive (11 + i, 15);
  }
  g_assert_cmpint (ticks[0], ==, ticks[1]);
}

static void
test_a_restart_is_no_loss (void)
{
  start ();
  arrive (10, 0);
  check_report (1, "7:10");
  arrive (30000, 2);
  check_report (3, "7:30000");
  arrive (100, 4);
  check_report (5, "7:100");
}

static void
test_what_has_no_room_is_in_the_next_report (void)
{
  g_autofree gchar *first = NULL, *second = NULL, *third = NULL;

  start ();
  for (guint seq = 10; seq < 15; seq++)
    arrive (seq, seq);
  first = report_in (16, 20);
  g_assert_cmpstr (first, ==, "7:10 7:11");
  second = report_in (16, 20);
  g_assert_cmpstr (second, ==, "7:12 7:13");
  third = report_in (24, 20);
  g_assert_cmpstr (third, ==, "7:12 7:13 7:14");
  check_report (21, "");
}

static void
test_the_longest_report_is_of_what_is_remembered (void)
{
  g_autofree gchar *text = NULL;
  gchar **words;

  start ();
  for (guint seq = 0; seq < 3 * GCC_CCFB_REPORTER_PACKETS; seq++)
    arrive (seq, 0);
  text = report_in (GCC_CCFB_MAX_BODY, 1);
  words = g_strsplit (text, " ", -1);
  g_assert_cmpuint (g_strv_length (words), ==, (GCC_CCFB_MAX_BODY - 12) / 2);
  g_assert_cmpstr (words[0], ==, "7:2048");
  g_strfreev (words);
}

static void
test_more_streams_than_are_known_replace_the_most_silent (void)
{
  g_autofree gchar *text = NULL;

  start ();
  for (guint32 ssrc = 1; ssrc <= GCC_CCFB_REPORTER_STREAMS + 1; ssrc++)
    arrive_with (ssrc, 5, ssrc, GCC_ECN_NOT_ECT, FALSE);
  text = report_in (sizeof body, 50);
  g_assert_true (g_str_has_prefix (text, "17:5 2:5 3:5"));
}

/* --- when a report leaves --- */

static void
test_a_frame_that_ends_is_reported_at_once (void)
{
  start ();
  arrive (10, 0);
  g_assert_false (asks (0));
  end_frame (11, 1);
  g_assert_true (asks (1));
  g_assert_false (asks (2));
  g_assert_true (asks (11));
}

static void
test_without_an_end_of_a_frame_it_is_50_ms (void)
{
  start ();
  arrive (10, 0);
  g_assert_false (asks (49));
  g_assert_true (asks (50));
}

static void
arrive_marked (guint seq, gint64 ms)
{
  arrive_with (SSRC, seq, ms, GCC_ECN_CE, FALSE);
}

static void
test_the_first_mark_is_reported_at_once (void)
{
  start ();
  arrive (10, 0);
  g_assert_false (asks (0));
  arrive_marked (11, 1);
  g_assert_true (asks (1));
}

/* Marked packets that arrive 20 ms apart. Returns how many are reported at once. */
static guint
count_reported (guint seq, gint64 ms, guint n)
{
  guint n_reported = 0;

  for (; n > 0; n--, seq++, ms += 20) {
    g_autofree gchar *text = NULL;

    arrive_marked (seq, ms);
    if (!asks (ms))
      continue;
    text = report_in (sizeof body, ms);
    n_reported++;
  }
  return n_reported;
}

/* What the reports before have not taken is that of these. */
static void
test_each_mark_is_reported_at_once_though_the_rate_has_fallen (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    arrive (10 + i, i);
  g_assert_cmpuint (count_reported (30, 20, 8), ==, 8);
}

static void
test_what_reports_have_not_taken_is_gone_after_a_second (void)
{
  g_autofree gchar *text = NULL;

  start ();
  for (guint i = 0; i < 20; i++)
    arrive (10 + i, i);
  text = report_in (sizeof body, 20);
  g_assert_cmpuint (count_reported (30, 1019, 8), <=, 5);
}

static void
test_marks_are_reported_each_10_ms (void)
{
  start ();
  arrive_marked (10, 0);
  check_report (0, "7:10*");
  for (guint i = 1; i < 40; i++)
    arrive_marked (10 + i, 1);
  g_assert_false (asks (9));
  g_assert_true (asks (10));
}

static void
test_reports_take_a_twentieth_of_what_arrives (void)
{
  start ();
  end_frame (10, 0);
  g_assert_true (asks (0));
  check_report (0, "7:10");
  end_frame (11, 10);
  g_assert_false (asks (10));
  end_frame (12, 20);
  g_assert_true (asks (20));
}

static void
test_no_packet_waits_for_more_than_100_ms (void)
{
  start ();
  end_frame (10, 0);
  check_report (0, "7:10");
  end_frame (11, 10);
  g_assert_false (asks (109));
  g_assert_true (asks (110));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/ccfb-reporter/" #name, test_##name)
  ADD (each_packet_is_told_twice);
  ADD (without_news_there_is_no_report);
  ADD (what_is_missing_is_told);
  ADD (a_packet_that_comes_late_is_told);
  ADD (numbers_wrap);
  ADD (streams_have_blocks_of_their_own);
  ADD (of_two_copies_the_first_counts_and_either_mark);
  ADD (a_packet_has_the_same_time_in_each_report);
  ADD (a_restart_is_no_loss);
  ADD (what_has_no_room_is_in_the_next_report);
  ADD (the_longest_report_is_of_what_is_remembered);
  ADD (more_streams_than_are_known_replace_the_most_silent);
  ADD (a_frame_that_ends_is_reported_at_once);
  ADD (without_an_end_of_a_frame_it_is_50_ms);
  ADD (the_first_mark_is_reported_at_once);
  ADD (each_mark_is_reported_at_once_though_the_rate_has_fallen);
  ADD (marks_are_reported_each_10_ms);
  ADD (reports_take_a_twentieth_of_what_arrives);
  ADD (what_reports_have_not_taken_is_gone_after_a_second);
  ADD (no_packet_waits_for_more_than_100_ms);
#undef ADD
  return g_test_run ();
}
