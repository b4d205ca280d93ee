/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls through a queue that marks packets with ECT(1) after a millisecond. */

#include "support/marked-call.h"

/* Of each call. */
#define SETTLES (15 * GCC_SECOND)
#define MEASURED (30 * GCC_SECOND)

static MarkedLink *
start (GccRate capacity)
{
  MarkedLink *link = marked_link_new (capacity, 1);

  marked_link_add_call (link, 0);
  return link;
}

static void
measure (MarkedLink *link)
{
  marked_link_run (link, SETTLES);
  marked_link_measure (link);
  marked_link_run (link, MEASURED);
}

static gdouble
get_use (const MarkedLink *link, guint i)
{
  return marked_link_get_use (link, link->calls[i].received);
}

static GccEcnState
get_ecn (const MarkedLink *link)
{
  return gcc_sender_get_stats (&link->calls[0].sender)->ecn;
}

/* Guards: 0.87 of the link, and 9.2 ms, while the rate grew by a share of
 * it. */
static void
test_alone_the_link_is_used_to_nine_tenths_and_a_packet_waits_for_5_ms (void)
{
  static const GccRate capacities[] = { 2000000, 5000000, 10000000 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    MarkedLink *link = start (capacities[i]);

    measure (link);
    g_assert_cmpfloat (get_use (link, 0), >=, 0.9);
    g_assert_cmpint (
        marked_call_get_p95 (&link->calls[0]), <=, 5 * GCC_MSECOND);
    marked_link_free (link);
  }
}

static void
test_two_calls_share_a_link_equally (void)
{
  MarkedLink *link = start (10000000);
  gdouble sum, squares;

  marked_link_add_call (link, 5 * GCC_SECOND);
  measure (link);
  sum = get_use (link, 0) + get_use (link, 1);
  squares = get_use (link, 0) * get_use (link, 0) +
      get_use (link, 1) * get_use (link, 1);
  g_assert_cmpfloat (sum, >=, 0.9);
  g_assert_cmpfloat (sum * sum / (2. * squares), >=, 0.95);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (
        marked_call_get_p95 (&link->calls[i]), <=, 5 * GCC_MSECOND);
  marked_link_free (link);
}

/* Guards: 0.006 of the link, because each eighth packet is marked whatever the rate
 * is. */
static void
test_beside_tcp_a_call_has_a_sixth_at_least_and_no_queue (void)
{
  MarkedLink *link = start (10000000);

  marked_link_run (link, 5 * GCC_SECOND);
  marked_link_add_tcp (link);
  measure (link);
  g_assert_cmpfloat (get_use (link, 0), >=, 1. / 6.);
  g_assert_cmpint (marked_call_get_p95 (&link->calls[0]), <=, 5 * GCC_MSECOND);
  g_assert_cmpint (get_ecn (link), ==, GCC_ECN_CAPABLE);
  marked_link_free (link);
}

/* At 2 Mbit/s a packet of TCP takes 6 ms, and four of five are marked behind
 * one. */
static void
test_where_each_packet_of_tcp_marks_ecn_is_left (void)
{
  MarkedLink *link = start (2000000);

  marked_link_run (link, 5 * GCC_SECOND);
  marked_link_add_tcp (link);
  measure (link);
  g_assert_cmpint (get_ecn (link), ==, GCC_ECN_ALWAYS_MARKED);
  g_assert_cmpfloat (get_use (link, 0), >=, 0.2);
  marked_link_free (link);
}

/* The pacer holds what an encoder makes too much. Guards: the queue was above
 * 0.3 s for three seconds, because nothing but over-use lowered the rate by more than
 * half of α. */
static void
test_a_queue_of_a_fall_of_the_link_has_drained_after_a_second_and_a_half (void)
{
  MarkedLink *link = start (2000000);

  link->max_wait = 2 * GCC_SECOND;
  marked_link_run (link, 20 * GCC_SECOND);
  link->capacity = 500000;
  marked_link_run (link, 1500 * GCC_MSECOND);
  marked_link_measure (link);
  marked_link_run (link, 18 * GCC_SECOND);
  g_assert_cmpint (marked_call_get_p95 (&link->calls[0]), <=, 20 * GCC_MSECOND);
  g_assert_cmpfloat (get_use (link, 0), >=, 0.9);
  marked_link_free (link);
}

static void
test_a_link_that_has_grown_is_used_after_ten_seconds (void)
{
  MarkedLink *link = start (500000);

  marked_link_run (link, 20 * GCC_SECOND);
  link->capacity = 2000000;
  marked_link_run (link, 10 * GCC_SECOND);
  marked_link_measure (link);
  marked_link_run (link, 10 * GCC_SECOND);
  g_assert_cmpfloat (get_use (link, 0), >=, 0.9);
  marked_link_free (link);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/marked-calls/" #name, test_##name)
  ADD (alone_the_link_is_used_to_nine_tenths_and_a_packet_waits_for_5_ms);
  ADD (two_calls_share_a_link_equally);
  ADD (beside_tcp_a_call_has_a_sixth_at_least_and_no_queue);
  ADD (where_each_packet_of_tcp_marks_ecn_is_left);
  ADD (a_queue_of_a_fall_of_the_link_has_drained_after_a_second_and_a_half);
  ADD (a_link_that_has_grown_is_used_after_ten_seconds);
#undef ADD
  return g_test_run ();
}
