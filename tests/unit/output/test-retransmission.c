/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-retransmission.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define TARGET 1000000
#define ROOM 500000
#define RTT (50 * GCC_MSECOND)

/* A_s · RTT, in packets of 1000 bytes */
#define PACKETS_PER_REQUEST 6

/* Packets 0 to n - 1 of 1000 bytes. */
static void
start (GccRetransmission *rtx, guint n)
{
  gcc_retransmission_init (rtx, &gcc_profiles[0]->retransmission);
  for (guint i = 0; i < n; i++)
    gcc_retransmission_feed_sent (rtx, 1, (guint16) i, 1000, 0);
}

static guint
ask (GccRetransmission *rtx, guint16 from, guint n, GccTime now)
{
  guint n_allowed = 0;

  for (guint i = 0; i < n; i++) {
    if (gcc_retransmission_allow (rtx, 1, (guint16) (from + i), RTT, now))
      n_allowed++;
  }
  return n_allowed;
}

static void
test_without_a_request_nothing_is_sent_again (void)
{
  GccRetransmission rtx;

  start (&rtx, 10);
  g_assert_cmpuint (ask (&rtx, 0, 10, 0), ==, 0);
}

static void
test_a_request_is_worth_the_target_times_the_rtt (void)
{
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 100, 0), ==, PACKETS_PER_REQUEST);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 50, 50, 0), ==, PACKETS_PER_REQUEST);
}

static void
test_the_budget_is_kept_to_the_byte (void)
{
  GccRetransmission rtx;

  start (&rtx, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 0, 6000, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 1, 251, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 2, 250, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 3, 1, 0);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_true (gcc_retransmission_allow (&rtx, 1, 0, RTT, 0));
  g_assert_false (gcc_retransmission_allow (&rtx, 1, 1, RTT, 0));
  g_assert_true (gcc_retransmission_allow (&rtx, 1, 2, RTT, 0));
  g_assert_false (gcc_retransmission_allow (&rtx, 1, 3, RTT, 0));
}

/* At 300 kbit/s and 20 ms the target times the RTT is 750 bytes. */
static void
test_a_request_is_worth_a_packet_on_the_shortest_path (void)
{
  GccRetransmission rtx;

  start (&rtx, 10);
  gcc_retransmission_begin (&rtx, 300000, ROOM, 20 * GCC_MSECOND, 0);
  g_assert_cmpuint (ask (&rtx, 0, 10, 0), ==, 1);
  gcc_retransmission_begin (&rtx, 300000, ROOM, 0, 0);
  g_assert_cmpuint (ask (&rtx, 5, 5, 0), ==, 1);
}

/* At RTT 10 ms a request is worth 1250 bytes by the RTT alone. */
static void
test_requests_that_come_seldom_are_worth_the_time_between (void)
{
  const GccTime rtt = 10 * GCC_MSECOND;
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, rtt, 0);
  g_assert_cmpuint (ask (&rtx, 0, 10, 0), ==, 1);
  /* A report in between asks for nothing. */
  gcc_retransmission_begin (&rtx, TARGET, ROOM, rtt, 30 * GCC_MSECOND);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, rtt, 50 * GCC_MSECOND);
  g_assert_cmpuint (
      ask (&rtx, 10, 50, 50 * GCC_MSECOND), ==, PACKETS_PER_REQUEST);
  gcc_retransmission_feed_sent (&rtx, 1, 60, 1000, 5 * GCC_SECOND);
  gcc_retransmission_feed_sent (&rtx, 1, 61, 1000, 5 * GCC_SECOND);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, rtt, 5 * GCC_SECOND);
  g_assert_cmpuint (ask (&rtx, 60, 10, 5 * GCC_SECOND), ==, 1);
}

static void
test_the_room_limits_where_it_is_less (void)
{
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, 16000, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 100, 0), ==, 2);
  gcc_retransmission_begin (&rtx, TARGET, 0, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 50, 50, 0), ==, 0);
  gcc_retransmission_begin (&rtx, TARGET, -1, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 50, 50, 0), ==, 0);
}

static void
test_without_an_rtt_only_the_room_limits (void)
{
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, GCC_TIME_NONE, 0);
  g_assert_cmpuint (ask (&rtx, 0, 100, 0), ==, 62);
}

static void
test_a_copy_under_way_is_waited_for (void)
{
  const GccTime wait = RTT + 5 * GCC_MSECOND;
  GccRetransmission rtx;

  start (&rtx, 1);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 1, 0), ==, 1);
  g_assert_cmpuint (ask (&rtx, 0, 1, 0), ==, 0);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 1, wait - 1), ==, 0);
  g_assert_cmpuint (ask (&rtx, 0, 1, wait), ==, 1);
  g_assert_cmpuint (ask (&rtx, 0, 1, 2 * wait - 1), ==, 0);
}

static void
test_a_packet_that_is_refused_costs_nothing (void)
{
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 3, 0), ==, 3);
  g_assert_cmpuint (ask (&rtx, 0, 3, 0), ==, 0);
  g_assert_cmpuint (ask (&rtx, 5000, 10, 0), ==, 0);
  g_assert_cmpuint (ask (&rtx, 3, 50, 0), ==, PACKETS_PER_REQUEST - 3);
}

static void
test_only_what_was_sent_is_sent_again (void)
{
  GccRetransmission rtx;

  start (&rtx, 10);
  gcc_retransmission_feed_sent (&rtx, 1, 20, 0, 0);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, GCC_TIME_NONE, 0);
  g_assert_false (gcc_retransmission_allow (&rtx, 1, 10, RTT, 0));
  g_assert_false (gcc_retransmission_allow (&rtx, 1, 20, RTT, 0));
  g_assert_false (gcc_retransmission_allow (&rtx, 2, 5, RTT, 0));
  g_assert_false (gcc_retransmission_allow (
      &rtx, 1, 5 + GCC_RETRANSMISSION_HISTORY, RTT, 0));
  g_assert_true (gcc_retransmission_allow (&rtx, 1, 5, RTT, 0));
}

static void
test_as_many_packets_as_the_history_has_are_remembered (void)
{
  GccRetransmission rtx;
  guint n_allowed = 0;

  start (&rtx, 70000);
  for (guint i = 70000 - 2 * GCC_RETRANSMISSION_HISTORY; i < 70000; i++) {
    gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
    n_allowed += ask (&rtx, (guint16) i, 1, 0);
  }
  g_assert_cmpuint (n_allowed, ==, GCC_RETRANSMISSION_HISTORY);
}

/* Guards against: packets for which no jitter buffer waits any more in a queue
 * that is full. */
static void
test_a_packet_that_would_come_too_late_is_not_sent_again (void)
{
  const GccTime last = RTT + gcc_profiles[0]->retransmission.max_age;
  GccRetransmission rtx;

  start (&rtx, 100);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, last);
  g_assert_cmpuint (ask (&rtx, 0, 1, last), ==, 1);
  g_assert_cmpuint (ask (&rtx, 1, 99, last + 1), ==, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 100, 1000, last);
  g_assert_cmpuint (ask (&rtx, 100, 1, last + 1), ==, 1);
}

static void
test_without_an_rtt_nothing_is_too_late (void)
{
  GccRetransmission rtx;

  start (&rtx, 1);
  gcc_retransmission_begin (
      &rtx, TARGET, ROOM, GCC_TIME_NONE, 3600 * GCC_SECOND);
  g_assert_true (
      gcc_retransmission_allow (&rtx, 1, 0, GCC_TIME_NONE, 3600 * GCC_SECOND));
}

/* The 2013 generation sends again whatever is asked for. */
static void
test_in_2013_nothing_is_too_late (void)
{
  GccRetransmission rtx;

  gcc_retransmission_init (
      &rtx, &gcc_profile_find ("rtcweb-2013")->retransmission);
  gcc_retransmission_feed_sent (&rtx, 1, 0, 1000, 0);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 3600 * GCC_SECOND);
  g_assert_cmpuint (ask (&rtx, 0, 1, 3600 * GCC_SECOND), ==, 1);
}

static void
test_a_clock_that_is_set_back_forgets_what_is_under_way (void)
{
  GccRetransmission rtx;

  start (&rtx, 0);
  gcc_retransmission_feed_sent (&rtx, 1, 0, 1000, 3600 * GCC_SECOND);
  gcc_retransmission_begin (&rtx, TARGET, ROOM, RTT, 0);
  g_assert_cmpuint (ask (&rtx, 0, 1, 3600 * GCC_SECOND), ==, 1);
  g_assert_cmpuint (ask (&rtx, 0, 1, 0), ==, 1);
}

static void
test_no_request_takes_more_than_its_budget (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  GccRetransmission rtx;
  GccTime now = 0;

  gcc_retransmission_init (&rtx, &gcc_profiles[0]->retransmission);
  for (guint i = 0; i < 20000; i++) {
    GccRate target = (GccRate) ((guint64) g_rand_int (rand) << (i % 31));
    GccRate room = (GccRate) ((guint64) g_rand_int (rand) << (i % 33));
    GccTime rtt = (GccTime) ((guint64) g_rand_int (rand) << (i % 33));
    gsize sizes[50];
    gdouble bytes = 0.;

    if (i % 10 == 0)
      now = (GccTime) ((guint64) g_rand_int (rand) << (i % 33));
    for (guint j = 0; j < G_N_ELEMENTS (sizes); j++) {
      sizes[j] = j % 7 == 0 ? (gsize) g_rand_int (rand)
                            : (gsize) g_rand_int_range (rand, 0, 1500);
      gcc_retransmission_feed_sent (&rtx, i, (guint16) j, sizes[j], now);
    }
    gcc_retransmission_begin (&rtx, target, room, rtt, 0);
    for (guint j = 0; j < 2 * G_N_ELEMENTS (sizes); j++) {
      guint seq = (guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes));

      if (gcc_retransmission_allow (&rtx, i, (guint16) seq, rtt, now))
        bytes += (gdouble) MIN (sizes[seq], G_MAXUINT16);
    }
    g_assert_cmpfloat (bytes, <=, (gdouble) MAX (room, 0) / 8.);
    if (rtt >= 0)
      g_assert_cmpfloat (bytes, <=,
          MAX ((gdouble) target * (gdouble) rtt / (8. * GCC_SECOND), 1500.));
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/retransmission/" #name, test_##name)
  ADD (without_a_request_nothing_is_sent_again);
  ADD (a_request_is_worth_the_target_times_the_rtt);
  ADD (the_budget_is_kept_to_the_byte);
  ADD (requests_that_come_seldom_are_worth_the_time_between);
  ADD (a_request_is_worth_a_packet_on_the_shortest_path);
  ADD (the_room_limits_where_it_is_less);
  ADD (without_an_rtt_only_the_room_limits);
  ADD (a_copy_under_way_is_waited_for);
  ADD (a_packet_that_is_refused_costs_nothing);
  ADD (only_what_was_sent_is_sent_again);
  ADD (as_many_packets_as_the_history_has_are_remembered);
  ADD (a_packet_that_would_come_too_late_is_not_sent_again);
  ADD (without_an_rtt_nothing_is_too_late);
  ADD (in_2013_nothing_is_too_late);
  ADD (a_clock_that_is_set_back_forgets_what_is_under_way);
  ADD (no_request_takes_more_than_its_budget);
#undef ADD
  return g_test_run ();
}
