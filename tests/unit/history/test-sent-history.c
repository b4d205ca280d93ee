/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-history.h>

#include "conformance.h"
#include "support/sent-path.h"

#include <string.h>

#define C26 "C26 transport_feedback_adapter_unittest"
#define GST "GST22 rtpsession"

/* --- a sender, its receiver, and the feedback between them --- */

static void
send_packet (guint seq, gint64 ms, guint32 size)
{
  GccSentRecord packet = {
    .time = ms * GCC_MSECOND,
    .size = size,
    .probe = { GCC_PROBE_NONE, 0, 0 },
  };

  gcc_sent_history_add (&path.history, (guint16) seq, &packet);
}

static void
send_packets (guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    send_packet (first + i, 100 + 10 * i, SIZE);
}

/* Feedback about @n packets from @first, that have arrived at these times, ms,
 * or are LOST. */
static void
feed_back (guint first, const gint64 *arrivals_ms, guint n, gint64 now_ms)
{
  static guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;
  gsize length;
  guint base = 0;

  while (base < n && arrivals_ms[base] == LOST)
    base++;
  gcc_transport_feedback_writer_init (&writer, (guint16) first,
      (base < n ? arrivals_ms[base] : 0) * GCC_MSECOND, path.count++);
  for (guint i = 0; i < n; i++)
    if (arrivals_ms[i] != LOST)
      g_assert_true (gcc_transport_feedback_writer_add (
          &writer, (guint16) (first + i), arrivals_ms[i] * GCC_MSECOND));
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
  path.n_results = gcc_sent_history_match (&path.history, &feedback,
      now_ms * GCC_MSECOND, path.results, MAX_RESULTS);
}

static void
conform_results (const gchar *source, const gchar *name, const gchar *expected)
{
  g_autofree gchar *got = describe_results ();

  conformance_check_string (source, name, expected, got);
}

/* --- published --- */

static void
test_packets_that_were_not_sent_are_left_out (void)
{
  static const gint64 arrivals[] = { 200, 210, 220, 230 };

  path_init ();
  send_packets (1, 3);
  feed_back (0, arrivals, 4, 300);
  conform_results (C26, "0 to 3 covered, 0 is not in the history", "1 2 3");
}

static void
test_reordered_feedback_tells_the_same_times (void)
{
  static const gint64 first[] = { 120 }, second[] = { 130 };
  GccTime delay;

  path_init ();
  send_packet (1, 100, SIZE);
  send_packet (2, 110, SIZE);
  feed_back (2, second, 1, 1000);
  g_assert_cmpuint (path.n_results, ==, 1);
  delay = path.results[0].arrival - path.results[0].sent.time;
  feed_back (1, first, 1, 1010);
  g_assert_cmpuint (path.n_results, ==, 1);
  conformance_check_int_near (C26,
      "delay of packet 1 less that of 2, feedback for 2 first, us", 0, 1000,
      path.results[0].arrival - path.results[0].sent.time - delay);
}

static void
test_bytes_are_in_flight_until_fed_back (void)
{
  static const gint64 arrival[] = { 300 };

  path_init ();
  send_packet (1, 100, 200);
  conformance_check_int (C26, "in flight: 200 B sent", 200, get_in_flight ());
  send_packet (2, 110, 300);
  conformance_check_int (C26, "in flight: 300 B more", 500, get_in_flight ());
  feed_back (1, arrival, 1, 400);
  conformance_check_int (
      C26, "in flight: feedback for the first", 300, get_in_flight ());
  feed_back (2, arrival, 1, 410);
  conformance_check_int (
      C26, "in flight: feedback for the second", 0, get_in_flight ());
}

static void
test_results_are_in_the_order_of_numbers (void)
{
  static const gint64 arrivals[] = { 120, 110, 100 };

  path_init ();
  send_packet (1, 200, SIZE);
  send_packet (2, 210, SIZE);
  send_packet (3, 220, SIZE);
  feed_back (1, arrivals, 3, 400);
  conform_results (C26, "arrived in reverse", "1 2 3");
}

static void
test_missing_packets_are_lost (void)
{
  static const gint64 arrivals[] = { 200, LOST, 220, 230, LOST, 250 };

  path_init ();
  send_packets (1, 6);
  feed_back (1, arrivals, 6, 400);
  conform_results (C26, "second and fifth of six missing", "1 -2 3 4 -5 6");
  conformance_not_applicable (C26, "RFC 8888, 30 and 60 packets a ms",
      "40 feedbacks, fewer", "GStreamer's RTP session writes no RFC 8888");
}

/* A sender whose count wraps after 255, and bases that go back. */
static void
test_a_gap_of_feedback_is_no_loss (void)
{
  static const gint64 arrivals[] = { 200, 210 };

  path_init ();
  send_packets (1500, 40);
  path.count = 0xff;
  feed_back (1530, arrivals, 2, 400);
  path.count = 0x01;
  feed_back (1533, arrivals, 2, 410);
  conform_results (GST, "feedback count ff, then 01", "1533 1534");
  feed_back (1500, arrivals, 2, 420);
  conform_results (GST, "base 1533, then 1500", "1500 1501");
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 1);
}

static void
test_feedback_in_any_order_tells_its_own_packets (void)
{
  static const guint order[] = { 0, 2, 1, 3 };
  static const gchar *expected[] = { "1 2", "5 6", "3 4", "7 8" };

  path_init ();
  send_packets (1, 8);
  for (guint i = 0; i < 4; i++) {
    gint64 arrivals[2] = { 200 + 100 * order[i], 210 + 100 * order[i] };
    g_autofree gchar *name = g_strdup_printf (
        "feedbacks 0, 2, 1, 3: number %u", order[i]);

    path.count = (guint8) order[i];
    feed_back (1 + 2 * order[i], arrivals, 2, 600 + i);
    conform_results (GST, name, expected[i]);
  }
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 0);
}

/* Feedback with @count, whatever it tells. */
static void
feed_count (guint count)
{
  static const gint64 arrivals[] = { 200 };

  path.count = (guint8) count;
  feed_back (1, arrivals, 1, 400);
}

/* GStreamer's rtpsession, and others: each wrap looked like a feedback that was
 * lost. */
static void
test_counts_that_wrap_after_254_are_no_loss (void)
{
  path_init ();
  send_packets (1, 4);
  for (guint i = 0; i < 2000; i++)
    feed_count (i % 255);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 0);
  feed_count (2002 % 255);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 2);
  feed_count (254);
  feed_count (2);
  g_assert_cmpuint (
      stats ()->n_feedbacks_lost, ==, 2 + 254 - 2002 % 255 - 1 + 2);
}

static void
test_counts_that_wrap_after_255_are_no_loss (void)
{
  path_init ();
  send_packets (1, 4);
  for (guint i = 0; i < 2000; i++)
    feed_count (i % 256);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 0);
  /* the last one is missing, and comes after all */
  for (guint i = 2000; i < 2047; i++)
    feed_count (i % 256);
  feed_count (0);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 1);
  feed_count (255);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 0);
}

/* It was not counted as lost. */
static void
test_a_first_last_count_that_is_late_is_no_gain (void)
{
  path_init ();
  send_packets (1, 4);
  feed_count (250);
  feed_count (254);
  feed_count (0);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 3);
  feed_count (255);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 3);
  feed_count (253);
  g_assert_cmpuint (stats ()->n_feedbacks_lost, ==, 2);
}

/* --- feedback as it really comes --- */

static void
test_a_packet_covered_twice_counts_once (void)
{
  static const gint64 arrivals[] = { 200, 210, 220 };

  path_init ();
  send_packets (1, 4);
  feed_back (1, arrivals, 3, 400);
  check_results ("1 2 3");
  feed_back (1, arrivals, 3, 410);
  check_results ("");
  feed_back (2, arrivals, 3, 420);
  check_results ("4");
  g_assert_cmpuint (stats ()->n_duplicates, ==, 5);
}

static void
test_a_packet_is_lost_once_and_may_come_after_all (void)
{
  static const gint64 lost[] = { LOST, 210 }, late[] = { 400 };

  path_init ();
  send_packets (1, 2);
  feed_back (1, lost, 2, 400);
  check_results ("-1 2");
  feed_back (1, lost, 2, 410);
  check_results ("");
  feed_back (1, late, 1, 500);
  check_results ("1");
  g_assert_true (path.results[0].was_lost);
  feed_back (1, lost, 2, 510);
  check_results ("");
}

static void
test_packets_never_covered_are_not_lost (void)
{
  static const gint64 arrivals[] = { 200, 210 };

  path_init ();
  send_packets (1, 20);
  feed_back (1, arrivals, 2, 400);
  feed_back (19, arrivals, 2, 410);
  check_results ("19 20");
  g_assert_cmpint (get_in_flight (), ==, 0);
}

static void
test_late_feedback_still_counts (void)
{
  static const gint64 arrivals[] = { 200, 210 };

  path_init ();
  send_packets (1, 2);
  feed_back (1, arrivals, 2, 2400);
  check_results ("1 2");

  path_init ();
  send_packets (1, 2);
  feed_back (1, arrivals, 2, 60105);
  check_results ("2");
  g_assert_cmpuint (stats ()->n_unknown, ==, 1);
}

static void
test_numbers_and_reference_times_wrap (void)
{
  gint64 period_ms = (G_GINT64_CONSTANT (1) << 24) * 64;
  gint64 arrivals[] = { period_ms - 30, period_ms - 10, period_ms + 70 };

  path_init ();
  for (guint i = 0; i < 3 * 65536; i++)
    send_packet (i, i, SIZE);
  feed_back (65530, arrivals, 3, 3 * 65536);
  check_results ("196602 196603 196604");
  send_packet (0, 3 * 65536, SIZE);
  send_packet (1, 3 * 65536, SIZE);
  arrivals[0] = period_ms + 74;
  arrivals[1] = period_ms + 75;
  feed_back (0, arrivals, 2, 3 * 65536 + 10);
  check_results ("196608 196609");
}

static void
test_times_go_on_where_the_reference_wraps (void)
{
  gint64 period_ms = (G_GINT64_CONSTANT (1) << 24) * 64;
  gint64 before[] = { period_ms - 10 }, after[] = { period_ms + 15 };
  GccTime first;

  path_init ();
  send_packets (1, 2);
  feed_back (1, before, 1, 400);
  first = path.results[0].arrival;
  feed_back (2, after, 1, 410);
  g_assert_cmpint (path.results[0].arrival - first, ==, 25 * GCC_MSECOND);
}

static void
test_feedback_before_anything_is_sent_is_ignored (void)
{
  static const gint64 arrivals[] = { 200, 210 };

  path_init ();
  feed_back (1, arrivals, 2, 400);
  check_results ("");
}

/* Guards: bytes in flight below zero, or never counted again. */
static void
test_packets_that_were_never_sent_do_not_land (void)
{
  static const gint64 arrivals[] = { 200, 210, 220, 230 };
  gint64 far[100];

  path_init ();
  send_packets (1, 2);
  feed_back (1, arrivals, 4, 400);
  check_results ("");
  send_packet (3, 410, SIZE);
  g_assert_cmpint (get_in_flight (), ==, 3 * SIZE);

  for (guint i = 0; i < G_N_ELEMENTS (far); i++)
    far[i] = 300;
  feed_back (20000, far, G_N_ELEMENTS (far), 420);
  check_results ("");
  /* nor does a feedback that is about nothing else tell of those that were */
  send_packet (4, 430, SIZE);
  g_assert_cmpint (get_in_flight (), ==, 4 * SIZE);
}

static void
test_history_is_bounded_without_feedback (void)
{
  path_init ();
  for (guint i = 0; i < 100000; i++)
    send_packet (i, 0, SIZE);
  g_assert_cmpint (get_in_flight (), ==, GCC_SENT_HISTORY_SIZE * SIZE);

  send_packet (100000, 60000, SIZE);
  g_assert_cmpint (get_in_flight (), ==, GCC_SENT_HISTORY_SIZE * SIZE);
  send_packet (100001, 60001, SIZE);
  g_assert_cmpint (get_in_flight (), ==, 2 * SIZE);
}

static void
test_a_jump_of_numbers_empties_the_history (void)
{
  static const gint64 arrivals[] = { 200 };

  path_init ();
  send_packets (1, 100);
  send_packet (30000, 200, SIZE);
  g_assert_cmpint (get_in_flight (), ==, SIZE);
  feed_back (30000, arrivals, 1, 400);
  check_results ("30000");
  g_assert_cmpint (get_in_flight (), ==, 0);
}

static void
test_packets_may_be_told_out_of_order (void)
{
  static const gint64 arrivals[] = { 200, 210, 220 };

  path_init ();
  send_packet (2, 100, SIZE);
  send_packet (3, 100, SIZE);
  send_packet (1, 100, SIZE);
  feed_back (1, arrivals, 3, 400);
  /* the history begins with the first one told */
  check_results ("2 3");
  send_packet (5, 410, SIZE);
  send_packet (4, 410, SIZE);
  g_assert_cmpint (get_in_flight (), ==, 2 * SIZE);
  feed_back (4, arrivals, 2, 420);
  check_results ("4 5");
  g_assert_cmpint (get_in_flight (), ==, 0);
}

static void
test_unnumbered_bytes_go_with_the_next_packet (void)
{
  static const gint64 arrivals[] = { 200, 210 };

  path_init ();
  gcc_sent_history_add_unnumbered (&path.history, 70);
  gcc_sent_history_add_unnumbered (&path.history, 30);
  send_packets (1, 2);
  feed_back (1, arrivals, 2, 400);
  g_assert_cmpuint (path.results[0].sent.unnumbered_bytes, ==, 100);
  g_assert_cmpuint (path.results[1].sent.unnumbered_bytes, ==, 0);
}

static void
test_feedback_without_times_tells_what_arrived (void)
{
  static const guint8 fci[] = { 0, 1, 0, 2, 0, 0, 0, 0, 0x80 | 0x20, 0 };
  GccTransportFeedback feedback;

  path_init ();
  send_packets (1, 2);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci));
  path.n_results = gcc_sent_history_match (
      &path.history, &feedback, 0, path.results, MAX_RESULTS);
  check_results ("1 -2");
  g_assert_cmpint (path.results[0].arrival, ==, GCC_TIME_NONE);
}

static void
test_no_more_results_than_there_is_room_for (void)
{
  static const gint64 arrivals[] = { 200, 210, 220 };
  GccPacketResult guarded[3] = { { .is_received = 77 }, { .is_received = 77 },
    { .is_received = 77 } };
  static guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;

  path_init ();
  send_packets (1, 3);
  gcc_transport_feedback_writer_init (&writer, 1, 200000, 0);
  for (guint i = 0; i < 3; i++)
    gcc_transport_feedback_writer_add (
        &writer, (guint16) (1 + i), arrivals[i] * GCC_MSECOND);
  g_assert_true (gcc_transport_feedback_parse_fci (
      &feedback, fci, gcc_transport_feedback_writer_finish (&writer, fci)));
  g_assert_cmpuint (
      gcc_sent_history_match (&path.history, &feedback, 0, guarded, 2), ==, 2);
  g_assert_cmpint (guarded[2].is_received, ==, 77);
}

/* --- results --- */

static void
test_results_are_sorted_by_arrival (void)
{
  GRand *rand = g_rand_new_with_seed (5);

  for (guint round = 0; round < 2000; round++) {
    GccPacketResult results[60];
    guint n = (guint) g_rand_int_range (rand, 0, 60);
    guint n_arrived = 0;

    for (guint i = 0; i < n; i++) {
      gboolean is_lost = g_rand_int_range (rand, 0, 5) == 0;

      results[i] = (GccPacketResult){
        .sent.seq = i,
        .arrival = is_lost ? GCC_TIME_NONE : g_rand_int_range (rand, 0, 30),
      };
      n_arrived += !is_lost;
    }
    g_assert_cmpuint (gcc_packet_results_sort (results, n), ==, n_arrived);
    for (guint i = 1; i < n_arrived; i++) {
      g_assert_cmpint (results[i - 1].arrival, <=, results[i].arrival);
      if (results[i - 1].arrival == results[i].arrival)
        g_assert_cmpint (results[i - 1].sent.seq, <, results[i].sent.seq);
    }
    for (guint i = n_arrived; i < n; i++)
      g_assert_cmpint (results[i].arrival, ==, GCC_TIME_NONE);
  }
  g_rand_free (rand);
}

static void
test_round_trip_leaves_out_the_wait_for_the_feedback (void)
{
  static const gint64 arrivals[] = { 1120, LOST, 1160 };
  GccTime longest, shortest;

  path_init ();
  send_packet (1, 100, SIZE);
  send_packet (2, 110, SIZE);
  send_packet (3, 120, SIZE);
  g_assert_false (gcc_packet_results_get_round_trip (
      path.results, 0, 0, &longest, &shortest));
  feed_back (1, arrivals, 3, 190);
  g_assert_true (gcc_packet_results_get_round_trip (
      path.results, path.n_results, 190 * GCC_MSECOND, &longest, &shortest));
  g_assert_cmpint (longest, ==, 90 * GCC_MSECOND);
  g_assert_cmpint (shortest, ==, 50 * GCC_MSECOND);
}

static void
test_random_feedback_does_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (6);
  guint seq = 0;

  path_init ();
  for (guint i = 0; i < 20000; i++) {
    guint8 fci[40];
    GccTransportFeedback feedback;

    send_packet (seq++, i, SIZE);
    for (guint j = 0; j < sizeof fci; j++)
      fci[j] = (guint8) g_rand_int (rand);
    if (i % 2 == 0) {
      fci[0] = (guint8) (seq >> 8);
      fci[2] = (guint8) (i % 20 == 0 ? fci[2] : 0);
    }
    if (!gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci))
      continue;
    gcc_sent_history_match (
        &path.history, &feedback, i * GCC_MSECOND, path.results, MAX_RESULTS);
    g_assert_cmpint (get_in_flight (), >=, 0);
  }
  g_rand_free (rand);
}

static const gint64 pair[] = { 200, 210 };

static guint
take_lost (guint last)
{
  return gcc_sent_history_take_lost (&path.history, last);
}

/* Of 20 packets a feedback tells of two from @first on, and the next, @count after
 * it, of two from @second on. Returns how many are lost. */
static guint
count_missed (guint first, gint count, guint second)
{
  path_init ();
  send_packets (0, 20);
  feed_back (first, pair, 2, 300);
  g_assert_cmpuint (take_lost (first + 1), ==, 0);
  path.count = (guint8) (path.count + count - 1);
  feed_back (second, pair, 2, 350);

  return take_lost (MAX (first, second) + 1);
}

/* rtpsession begins each feedback with a packet that it has. */
static void
test_what_is_lost_between_two_feedbacks_is_missed (void)
{
  g_assert_cmpuint (count_missed (3, 1, 8), ==, 3);
  feed_back (10, pair, 2, 400);
  g_assert_cmpuint (take_lost (11), ==, 0);
}

static void
test_nothing_is_missed_where_a_feedback_is (void)
{
  g_assert_cmpuint (count_missed (0, 2, 8), ==, 0);
}

/* Nor is anything where an earlier one comes late. */
static void
test_late_feedback_misses_nothing (void)
{
  g_assert_cmpuint (count_missed (8, -1, 2), ==, 0);
}

/* Guards against a count that somebody forges, and against a claim of loss: the
 * receiver says otherwise a round trip later. */
static void
test_what_has_arrived_before_it_is_judged_is_not_lost (void)
{
  static const gint64 none[] = { LOST, 210 };

  path_init ();
  send_packets (0, 20);
  feed_back (0, pair, 2, 300);
  feed_back (6, none, 2, 300);
  g_assert_cmpuint (take_lost (1), ==, 0);
  feed_back (2, pair, 2, 350);
  feed_back (5, pair, 2, 350);
  /* not 4 */
  g_assert_cmpuint (take_lost (6), ==, 1);
  g_assert_cmpuint (take_lost (7), ==, 0);
}

/* A run of @n packets from @first that have arrived, without the times. */
static void
feed_arrival (guint first, guint n)
{
  const guint8 fci[] = { 0, (guint8) first, 0, (guint8) n, 0, 0, 1,
    path.count++, 0x20, (guint8) n };
  GccTransportFeedback feedback;

  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci));
  path.n_results = gcc_sent_history_match (
      &path.history, &feedback, 300 * GCC_MSECOND, path.results, MAX_RESULTS);
}

/* Guards against arrivals that somebody claims without times: of these packets
 * the receiver could not tell anything any more. */
static void
test_a_time_of_arrival_is_news_of_what_has_arrived_without (void)
{
  path_init ();
  send_packets (0, 4);
  feed_arrival (0, 4);
  check_results ("0 1 2 3");
  g_assert_false (path.results[1].had_arrived);
  feed_arrival (0, 4);
  check_results ("");
  feed_back (1, pair, 2, 350);
  check_results ("1 2");
  g_assert_true (path.results[0].had_arrived);
  g_assert_cmpint (path.results[0].arrival, !=, GCC_TIME_NONE);
  feed_back (1, pair, 2, 350);
  check_results ("");
}

/* Guards against feedback by somebody who does not know which numbers have been
 * sent, and claims all that there may be. */
static void
test_feedback_that_claims_what_was_not_sent_tells_nothing (void)
{
  path_init ();
  send_packets (0, 4);
  feed_arrival (2, 3);
  check_results ("");
  g_assert_cmpuint (stats ()->n_feedbacks, ==, 0);
  g_assert_cmpuint (stats ()->n_unknown, ==, 3);
  feed_arrival (2, 2);
  check_results ("2 3");
}

/* 2 and 3 are those of another sender, which has lost 3. */
static void
test_numbers_of_others_are_neither_lost_nor_forged (void)
{
  static const gint64 arrivals[] = { 120, 130, LOST, 150, 160 };
  static const gint64 after[] = { 170, 180 };

  path_init ();
  send_packet (1, 100, SIZE);
  gcc_sent_history_skip (&path.history, 2);
  send_packet (4, 130, SIZE);
  gcc_sent_history_skip (&path.history, 1);
  feed_back (1, arrivals, 5, 200);
  check_results ("1 4");
  g_assert_cmpint (path.results[1].sent.previous, ==, 1);
  g_assert_cmpuint (gcc_sent_history_take_lost (&path.history, 5), ==, 0);

  /* 6 was sent by nobody */
  feed_back (5, after, 2, 220);
  check_results ("");
  g_assert_cmpint (get_in_flight (), ==, 0);
}

static void
test_feedback_about_others_is_told_from_that_about_nobody (void)
{
  GccTransportFeedback others = { .base_seq = 2, .n_statuses = 1 };
  GccTransportFeedback ours = { .base_seq = 1, .n_statuses = 1 };
  GccTransportFeedback nobody = { .base_seq = 9, .n_statuses = 1 };

  path_init ();
  send_packet (1, 100, SIZE);
  g_assert_false (gcc_sent_history_is_of_others (&path.history, &others));
  gcc_sent_history_skip (&path.history, 1);
  g_assert_true (gcc_sent_history_is_of_others (&path.history, &others));
  g_assert_false (gcc_sent_history_is_of_others (&path.history, &ours));
  g_assert_false (gcc_sent_history_is_of_others (&path.history, &nobody));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sent-history/" #name, test_##name)
  ADD (packets_that_were_not_sent_are_left_out);
  ADD (reordered_feedback_tells_the_same_times);
  ADD (bytes_are_in_flight_until_fed_back);
  ADD (results_are_in_the_order_of_numbers);
  ADD (missing_packets_are_lost);
  ADD (a_gap_of_feedback_is_no_loss);
  ADD (feedback_in_any_order_tells_its_own_packets);
  ADD (counts_that_wrap_after_254_are_no_loss);
  ADD (counts_that_wrap_after_255_are_no_loss);
  ADD (a_first_last_count_that_is_late_is_no_gain);
  ADD (a_packet_covered_twice_counts_once);
  ADD (a_packet_is_lost_once_and_may_come_after_all);
  ADD (packets_never_covered_are_not_lost);
  ADD (what_is_lost_between_two_feedbacks_is_missed);
  ADD (nothing_is_missed_where_a_feedback_is);
  ADD (late_feedback_misses_nothing);
  ADD (what_has_arrived_before_it_is_judged_is_not_lost);
  ADD (a_time_of_arrival_is_news_of_what_has_arrived_without);
  ADD (feedback_that_claims_what_was_not_sent_tells_nothing);
  ADD (late_feedback_still_counts);
  ADD (numbers_and_reference_times_wrap);
  ADD (times_go_on_where_the_reference_wraps);
  ADD (feedback_before_anything_is_sent_is_ignored);
  ADD (packets_that_were_never_sent_do_not_land);
  ADD (history_is_bounded_without_feedback);
  ADD (a_jump_of_numbers_empties_the_history);
  ADD (packets_may_be_told_out_of_order);
  ADD (unnumbered_bytes_go_with_the_next_packet);
  ADD (feedback_without_times_tells_what_arrived);
  ADD (no_more_results_than_there_is_room_for);
  ADD (results_are_sorted_by_arrival);
  ADD (round_trip_leaves_out_the_wait_for_the_feedback);
  ADD (random_feedback_does_no_harm);
  ADD (numbers_of_others_are_neither_lost_nor_forged);
  ADD (feedback_about_others_is_told_from_that_about_nobody);
#undef ADD
  return g_test_run ();
}
