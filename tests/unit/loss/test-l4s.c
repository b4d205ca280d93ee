/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-l4s.h>

#define RTT (50 * GCC_MSECOND)
#define SHORT (1 * GCC_MSECOND)
#define RATE 1000000

static const GccL4sParams params = {
  .first = 1.,
  .gain = 1. / 16.,
  .reduction = 0.5,
  .queueing = 15 * GCC_MSECOND,
  .classic = 0.2,
  .quiet = 1 * GCC_SECOND,
  .approach = 2 * GCC_SECOND,
  .packets = 1.,
  .min_round = 25 * GCC_MSECOND,
  .flat = 0.03,
  .least = 0.02,
  .episode = 1 * GCC_SECOND,
};

typedef struct {
  GccL4s l4s;
  GccTime now;
} Flow;

static void
start (Flow *self)
{
  self->now = GCC_SECOND;
  gcc_l4s_init (&self->l4s, &params);
}

static gdouble
report (Flow *self, guint n_marked, guint n_packets, GccTime queueing)
{
  GccL4sInput input = {
    .n_packets = n_packets,
    .n_marked = n_marked,
    .sent = self->now - RTT + 1,
    .marked = self->now - RTT + 1,
    .queueing = queueing,
  };

  return gcc_l4s_update (&self->l4s, &input, self->now);
}

/* @left: when its packets left, before now. */
static gdouble
report_late (Flow *self, guint n_marked, guint n_packets, GccTime left)
{
  GccL4sInput input = {
    .n_packets = n_packets,
    .n_marked = n_marked,
    .sent = self->now - left,
    .marked = self->now - left,
    .queueing = SHORT,
  };

  return gcc_l4s_update (&self->l4s, &input, self->now);
}

/* Rounds of one report each. Returns the last reduction. */
static gdouble
run (Flow *self, guint n_rounds, guint n_marked, guint n_packets)
{
  gdouble last = 0.;

  for (; n_rounds > 0; n_rounds--) {
    self->now += RTT;
    last = report (self, n_marked, n_packets, SHORT);
  }
  return last;
}

static void
check_near (gdouble got, gdouble expected)
{
  g_assert_cmpfloat_with_epsilon (got, expected, 1e-3);
}

static void
test_alpha_follows_the_share_of_marked_packets (void)
{
  Flow flow;

  start (&flow);
  check_near (flow.l4s.alpha, 1.);
  run (&flow, 1, 0, 8);
  check_near (flow.l4s.alpha, 15. / 16.);
  run (&flow, 200, 2, 8);
  check_near (flow.l4s.alpha, 0.25);
}

static void
test_a_round_with_a_mark_lowers_the_rate_by_half_of_alpha (void)
{
  Flow flow;

  start (&flow);
  check_near (run (&flow, 200, 2, 8), 0.125);
  check_near (run (&flow, 1, 0, 8), 0.);
}

static void
test_further_marks_of_a_round_lower_nothing (void)
{
  Flow flow;

  start (&flow);
  g_assert_cmpfloat (run (&flow, 1, 1, 4), >, 0.);
  flow.now += RTT;
  g_assert_cmpfloat (report_late (&flow, 4, 4, RTT), ==, 0.);
  g_assert_cmpfloat (report_late (&flow, 1, 4, RTT - 1), >, 0.);
}

/* Few marks lower α, and a queue that L4S would not let grow asks for more. */
static void
test_a_mark_of_a_classic_queue_lowers_the_rate_by_a_fifth (void)
{
  Flow flow;

  start (&flow);
  run (&flow, 200, 0, 8);
  flow.now += RTT;
  check_near (report (&flow, 1, 8, 16 * GCC_MSECOND), 0.2);
  flow.now += RTT;
  g_assert_cmpfloat (report (&flow, 1, 8, GCC_TIME_NONE), <, 0.01);
}

static void
test_a_link_counts_as_full_for_a_second_after_a_mark (void)
{
  Flow flow;

  start (&flow);
  g_assert_false (gcc_l4s_is_marked (&flow.l4s, RATE, flow.now));
  report (&flow, 1, 8, SHORT);
  g_assert_true (
      gcc_l4s_is_marked (&flow.l4s, RATE, flow.now + params.quiet - 1));
  g_assert_false (gcc_l4s_is_marked (&flow.l4s, RATE, flow.now + params.quiet));
}

/* Until growth is twice its least. */
static void
test_below_the_limit_and_near_it_a_link_counts_as_full_for_longer (void)
{
  Flow flow;

  start (&flow);
  report (&flow, 1, 8, SHORT);
  gcc_l4s_feed_limit (&flow.l4s, RATE, GCC_RATE_NONE, flow.now);
  g_assert_true (
      gcc_l4s_is_marked (&flow.l4s, RATE / 2, flow.now + params.approach - 1));
  g_assert_true (gcc_l4s_is_marked (
      &flow.l4s, 105 * RATE / 100, flow.now + params.approach - 1));
  g_assert_false (
      gcc_l4s_is_marked (&flow.l4s, RATE, flow.now + params.approach));
  g_assert_false (
      gcc_l4s_is_marked (&flow.l4s, 107 * RATE / 100, flow.now + params.quiet));
}

static void
test_reports_without_packets_change_nothing (void)
{
  Flow flow;

  start (&flow);
  run (&flow, 100, 0, 0);
  check_near (flow.l4s.alpha, 1.);
}

/* --- growth --- */

#define PACKET 1250.
#define A_PACKET_A_ROUND (PACKET * 8. / 0.05 / 0.05)

static gdouble
get_growth (const Flow *flow, GccRate rate)
{
  return gcc_l4s_get_growth (&flow->l4s, rate, PACKET, RTT).speed;
}

static void
test_the_rate_grows_by_a_packet_in_a_round_trip (void)
{
  Flow flow;

  start (&flow);
  check_near (get_growth (&flow, 100000), A_PACKET_A_ROUND);
  check_near (get_growth (&flow, 9000000), A_PACKET_A_ROUND);
}

static void
test_a_report_that_lowers_the_rate_does_not_raise_it (void)
{
  Flow flow;

  start (&flow);
  run (&flow, 1, 2, 8);
  check_near (get_growth (&flow, 1000000), 0.);
  report_late (&flow, 2, 8, 2 * RTT);
  check_near (get_growth (&flow, 1000000), 0.75 * A_PACKET_A_ROUND);
  run (&flow, 1, 0, 8);
  check_near (get_growth (&flow, 1000000), A_PACKET_A_ROUND);
}

static void
test_a_short_round_trip_counts_as_25_ms (void)
{
  Flow flow;

  start (&flow);
  check_near (
      gcc_l4s_get_growth (&flow.l4s, 1000000, PACKET, 1 * GCC_MSECOND).speed,
      gcc_l4s_get_growth (&flow.l4s, 1000000, PACKET, 25 * GCC_MSECOND).speed);
  g_assert_cmpfloat (
      gcc_l4s_get_growth (&flow.l4s, 1000000, PACKET, 30 * GCC_MSECOND).speed,
      <,
      gcc_l4s_get_growth (&flow.l4s, 1000000, PACKET, 25 * GCC_MSECOND).speed);
}

static void
test_near_the_rate_that_was_marked_growth_is_two_percent_a_second (void)
{
  Flow flow;

  start (&flow);
  gcc_l4s_feed_limit (&flow.l4s, 1000000, GCC_RATE_NONE, flow.now);
  check_near (get_growth (&flow, 1000000), 20000.);
  check_near (get_growth (&flow, 971000), 19420.);
  check_near (get_growth (&flow, 1029000), 20580.);
  check_near (get_growth (&flow, 940000), 2. * 18800.);
  g_assert_cmpfloat (
      get_growth (&flow, 800000), >, 5. * get_growth (&flow, 960000));
  check_near (get_growth (&flow, 3000000), A_PACKET_A_ROUND);
}

/* Later marks of a queue come at rates that the first ones have lowered. */
static void
test_the_limit_is_the_rate_at_the_first_marks_of_a_queue (void)
{
  Flow flow;

  start (&flow);
  gcc_l4s_feed_limit (&flow.l4s, 1000000, GCC_RATE_NONE, flow.now);
  gcc_l4s_feed_limit (
      &flow.l4s, 900000, GCC_RATE_NONE, flow.now + params.episode - 1);
  check_near (get_growth (&flow, 1000000), 20000.);
  gcc_l4s_feed_limit (
      &flow.l4s, 900000, GCC_RATE_NONE, flow.now + 3 * params.episode);
  check_near (get_growth (&flow, 900000), 18000.);
}

static void
test_the_limit_is_at_most_the_rate_of_the_link (void)
{
  Flow flow;

  start (&flow);
  gcc_l4s_feed_limit (&flow.l4s, 1000000, 500000, flow.now);
  check_near (get_growth (&flow, 500000), 10000.);
}

static void
test_growth_from_below_ends_at_the_limit (void)
{
  Flow flow;

  start (&flow);
  g_assert_cmpint (gcc_l4s_get_growth (&flow.l4s, 900000, PACKET, RTT).end, ==,
      GCC_RATE_NONE);
  gcc_l4s_feed_limit (&flow.l4s, RATE, GCC_RATE_NONE, flow.now);
  g_assert_cmpint (
      gcc_l4s_get_growth (&flow.l4s, 900000, PACKET, RTT).end, ==, RATE);
  g_assert_cmpint (
      gcc_l4s_get_growth (&flow.l4s, RATE, PACKET, RTT).end, ==, GCC_RATE_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/l4s/" #name, test_##name)
  ADD (alpha_follows_the_share_of_marked_packets);
  ADD (a_round_with_a_mark_lowers_the_rate_by_half_of_alpha);
  ADD (further_marks_of_a_round_lower_nothing);
  ADD (a_mark_of_a_classic_queue_lowers_the_rate_by_a_fifth);
  ADD (a_link_counts_as_full_for_a_second_after_a_mark);
  ADD (below_the_limit_and_near_it_a_link_counts_as_full_for_longer);
  ADD (reports_without_packets_change_nothing);
  ADD (the_rate_grows_by_a_packet_in_a_round_trip);
  ADD (a_report_that_lowers_the_rate_does_not_raise_it);
  ADD (a_short_round_trip_counts_as_25_ms);
  ADD (near_the_rate_that_was_marked_growth_is_two_percent_a_second);
  ADD (the_limit_is_the_rate_at_the_first_marks_of_a_queue);
  ADD (the_limit_is_at_most_the_rate_of_the_link);
  ADD (growth_from_below_ends_at_the_limit);
  return g_test_run ();
}
