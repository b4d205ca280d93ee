/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Reports of RFC 8888 about packets that were sent. */

#include <gst/gcc/history/gcc-sent-history.h>

#include "support/sent-path.h"

#define VIDEO 1
#define RTX 2

static void
send_of (guint32 ssrc, guint rtp_seq, guint seq, gint64 ms)
{
  GccSentRecord packet = {
    .time = ms * GCC_MSECOND,
    .size = SIZE,
    .ssrc = ssrc,
    .rtp_seq = (guint16) rtp_seq,
    .probe = { GCC_PROBE_NONE, 0, 0 },
  };

  gcc_sent_history_add (&path.history, (guint16) seq, &packet);
}

static guint8 report_body[GCC_CCFB_MAX_BODY];
static GccCcfbWriter report;

static void
begin_report (void)
{
  gcc_ccfb_writer_init (&report, report_body, sizeof report_body);
}

/* The fate of @n packets of @ssrc: when they arrived, in ticks of the receiver,
 * or LOST. */
static void
tell (guint32 ssrc, guint seq, const gint64 *ticks, guint n, gint64 at)
{
  gcc_ccfb_writer_begin (&report, ssrc, (guint16) seq, n);
  for (guint i = 0; i < n; i++)
    if (ticks[i] == LOST)
      gcc_ccfb_writer_add_missing (&report);
    else
      gcc_ccfb_writer_add (&report, GCC_ECN_NOT_ECT, at - ticks[i]);
}

static void
end_report (gint64 at, gint64 now_ms)
{
  gsize length = gcc_ccfb_writer_finish (&report, gcc_ccfb_timestamp (at));
  GccCcfb parsed;

  g_assert_true (gcc_ccfb_parse (&parsed, report_body, length));
  path.n_results = gcc_sent_history_match_ccfb (
      &path.history, &parsed, now_ms * GCC_MSECOND, path.results, MAX_RESULTS);
}

static void
test_a_report_tells_of_several_streams_in_the_order_of_sending (void)
{
  static const gint64 video[] = { 1000, LOST, 1002 }, rtx[] = { 1001, 1003 };

  path_init ();
  send_of (VIDEO, 65535, 0, 100);
  send_of (RTX, 7, 1, 101);
  send_of (VIDEO, 0, 2, 102);
  send_of (VIDEO, 1, 3, 103);
  send_of (RTX, 8, 4, 104);
  begin_report ();
  tell (VIDEO, 65535, video, 3, 1010);
  tell (RTX, 7, rtx, 2, 1010);
  end_report (1010, 150);
  check_results ("0 1 -2 3 4");
  g_assert_cmpint (get_in_flight (), ==, 0);
  /* 1/1024 s apart */
  g_assert_cmpint (path.results[1].arrival - path.results[0].arrival, >=, 976);
  g_assert_cmpint (path.results[1].arrival - path.results[0].arrival, <=, 977);
}

static void
test_a_packet_that_is_told_again_is_no_news (void)
{
  static const gint64 first[] = { 1000, LOST }, second[] = { 1000, LOST, 1030 };
  static const gint64 third[] = { 1040, 1030 };

  path_init ();
  for (guint i = 0; i < 3; i++)
    send_of (VIDEO, 50 + i, i, 100 + i);
  begin_report ();
  tell (VIDEO, 50, first, 2, 1010);
  end_report (1010, 150);
  check_results ("0 -1");
  begin_report ();
  tell (VIDEO, 50, second, 3, 1040);
  end_report (1040, 180);
  check_results ("2");
  begin_report ();
  tell (VIDEO, 51, third, 2, 1050);
  end_report (1050, 190);
  check_results ("1");
  g_assert_true (path.results[0].was_lost);
}

static void
test_a_report_of_other_streams_has_no_results (void)
{
  static const gint64 ticks[] = { 1000 };

  path_init ();
  send_of (VIDEO, 50, 0, 100);
  begin_report ();
  tell (RTX, 50, ticks, 1, 1010);
  tell (VIDEO, 51, ticks, 1, 1010);
  end_report (1010, 150);
  check_results ("");
  g_assert_cmpuint (stats ()->n_unknown, ==, 2);
  g_assert_cmpint (get_in_flight (), ==, SIZE);
}

/* The timestamp wraps after 18 hours. */
static void
test_times_go_on_where_the_timestamp_wraps (void)
{
  const gint64 wrap = G_GINT64_CONSTANT (65536) * 1024;
  const gint64 before[] = { wrap - 100 }, after[] = { wrap + 28 };
  GccTime arrival;

  path_init ();
  send_of (VIDEO, 50, 0, 100);
  send_of (VIDEO, 51, 1, 200);
  begin_report ();
  tell (VIDEO, 50, before, 1, wrap - 1);
  end_report (wrap - 1, 150);
  arrival = path.results[0].arrival;
  begin_report ();
  tell (VIDEO, 51, after, 1, wrap + 100);
  end_report (wrap + 100, 250);
  arrival = path.results[0].arrival - arrival;
  g_assert_cmpint (ABS (arrival - GCC_SECOND / 8), <=, 1);
}

/* Guards: reports that repeat what is known, with timestamps that go once around,
 * moved all later arrivals by 18 hours. */
static void
test_a_timestamp_without_news_moves_no_time (void)
{
  static const gint64 first[] = { 1000 }, later[] = { 1102 };
  GccTime arrival;

  path_init ();
  send_of (VIDEO, 50, 0, 100);
  send_of (VIDEO, 51, 1, 200);
  begin_report ();
  tell (VIDEO, 50, first, 1, 1010);
  end_report (1010, 150);
  arrival = path.results[0].arrival;
  for (gint64 hours = 8; hours <= 16; hours += 8) {
    const gint64 forged[] = { hours * 3600 * 1024 };

    begin_report ();
    tell (VIDEO, 50, forged, 1, forged[0]);
    end_report (forged[0], 160);
    check_results ("");
  }
  begin_report ();
  tell (VIDEO, 51, later, 1, 1110);
  end_report (1110, 250);
  check_results ("1");
  arrival = path.results[0].arrival - arrival;
  g_assert_cmpint (ABS (arrival - 102 * GCC_SECOND / 1024), <=, 1);
}

/* Without a time it has arrived. */
static void
test_an_arrival_out_of_range_has_no_time (void)
{
  static const gint64 ticks[] = { 1000 };

  path_init ();
  send_of (VIDEO, 50, 0, 100);
  begin_report ();
  tell (VIDEO, 50, ticks, 1, 20000);
  end_report (20000, 150);
  check_results ("0");
  g_assert_cmpint (path.results[0].arrival, ==, GCC_TIME_NONE);
}

static void
test_packets_that_are_forgotten_are_not_found_by_stream (void)
{
  static const gint64 ticks[] = { 1000, 1001 };

  path_init ();
  for (guint i = 0; i <= GCC_SENT_HISTORY_SIZE; i++)
    send_of (VIDEO, i, i, 100);
  begin_report ();
  tell (VIDEO, 0, ticks, 2, 1010);
  end_report (1010, 150);
  check_results ("1");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sent-history-ccfb/" #name, test_##name)
  ADD (a_report_tells_of_several_streams_in_the_order_of_sending);
  ADD (a_packet_that_is_told_again_is_no_news);
  ADD (a_report_of_other_streams_has_no_results);
  ADD (times_go_on_where_the_timestamp_wraps);
  ADD (a_timestamp_without_news_moves_no_time);
  ADD (an_arrival_out_of_range_has_no_time);
  ADD (packets_that_are_forgotten_are_not_found_by_stream);
#undef ADD
  return g_test_run ();
}
