/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-loss-test.h>

#include <math.h>

#define RATE 2000000
#define LOSS 0.08
#define TEST_RATE (RATE * 7 / 10)

static const GccLossTestParams params = {
  .trigger = {
    .min_loss = 0.02,
    .after = 5 * GCC_SECOND,
    .max_gap = 3 * GCC_SECOND,
    .growth = 1.05,
    .interval = 20 * GCC_SECOND,
    .max_interval = 180 * GCC_SECOND,
  },
  .min_losses = 30.,
  .fall = {
    .share = 0.7,
    .settles = 1 * GCC_SECOND,
    .min_duration = 4 * GCC_SECOND,
    .max_duration = 8 * GCC_SECOND,
  },
  .path = {
    .share = 0.5,
    .max_loss = 0.3,
  },
  .own = {
    .share = 0.97,
    .duration = 30 * GCC_SECOND,
    .lost_again = 0.3,
    .lowered = 0.9,
  },
  .memory = 10 * GCC_SECOND,
};

static GccLossTest test;
static GccTime now;
static guint64 packets;
static GccRate rate;
static GccRate resumed;

/* A report each half a second. */
static void
report (gdouble fraction_lost)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = floor (fraction_lost * 256.) / 256.,
    .packets = packets,
  };

  now += GCC_SECOND / 2;
  resumed = gcc_loss_test_feed_report (&test, &report, rate, now);
}

static void
run (guint seconds, gdouble fraction_lost)
{
  for (guint i = 0; i < 2 * seconds; i++)
    report (fraction_lost);
}

static void
begin (void)
{
  now = 7 * GCC_SECOND;
  packets = 100;
  rate = RATE;
  gcc_loss_test_init (&test, &params);
}

/* On a path that has lost nothing. */
static void
start (void)
{
  begin ();
  run (20, 0.);
}

static void
assert_state (GccLossTestState state, GccRate limit)
{
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, state);
  g_assert_cmpint (gcc_loss_test_get_rate (&test), ==, limit);
}

static void
lose_until_it_is_tested (void)
{
  for (guint i = 0;
       i < 20 && gcc_loss_test_get_state (&test) != GCC_LOSS_TEST_FALL; i++)
    report (LOSS);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
}

/* --- what is tested --- */

static void
test_loss_that_stays_is_tested (void)
{
  start ();
  lose_until_it_is_tested ();
}

static void
test_a_burst_of_losses_is_not_tested (void)
{
  start ();
  for (guint i = 0; i < 20; i++) {
    run (3, 0.5);
    report (0.);
  }
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* It takes ten times as long until they are enough. */
static void
test_a_few_losses_are_not_tested (void)
{
  start ();
  packets = 10;
  run (40, LOSS);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* Guards: a path with random loss, where A_s needs its time. */
static void
test_a_rate_that_grows_is_not_held_up (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    rate += rate / 100;
    report (LOSS);
    assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  }
  /* nor any longer than it grows: at the limit that is set, say */
  rate = RATE;
  run (5, 0.);
  lose_until_it_is_tested ();
}

/* Guards: PIE beside three CUBIC flows, where no report was without losses, and A_s
 * had once been less: 7 % lost for two minutes. */
static void
test_a_rate_that_has_grown_is_tested_when_it_stays (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    rate += rate / 100;
    report (LOSS);
  }
  for (guint i = 0;
       i < 20 && gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_NONE; i++)
    report (LOSS);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_FALL);
}

/* --- results --- */

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (gcc_loss_test_get_experiment (&test)->verdict, ==, verdict);
}

static void
test_what_is_lost_at_the_higher_rate_alone_was_our_own (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.97 * (236. / 256.) * RATE));
  run (29, 0.);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  run (2, 0.);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  assert_verdict (GCC_VERDICT_OWN);
}

/* Guards: FQ-CoDel, where each has a queue of its own. */
static void
test_what_is_not_lost_of_less_was_of_our_own_doing (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.01);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), ==, 0.);
}

static void
assert_path_loss (gdouble path_loss)
{
  g_assert_cmpfloat_with_epsilon (
      gcc_loss_test_get_path_loss (&test, now), path_loss, 0.01);
}

static void
test_the_paths_loss_is_known_while_packets_are_lost (void)
{
  start ();
  assert_path_loss (0.);
  lose_until_it_is_tested ();
  assert_path_loss (0.);
  run (4, LOSS);
  assert_path_loss (LOSS);
  assert_verdict (GCC_VERDICT_LOSSY_PATH);
  run (15, LOSS);
  assert_path_loss (LOSS);
  run (9, 0.);
  assert_path_loss (LOSS);
  run (1, 0.);
  assert_path_loss (0.);
}

static void
assert_resumed (GccRate expected)
{
  g_assert_cmpint (resumed, ==, expected);
}

static void
test_a_test_that_was_for_nothing_gives_the_rate_back_once (void)
{
  start ();
  lose_until_it_is_tested ();
  assert_resumed (GCC_RATE_NONE);
  while (gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_FALL) {
    assert_resumed (GCC_RATE_NONE);
    report (LOSS);
  }
  assert_resumed (RATE);
  report (LOSS);
  assert_resumed (GCC_RATE_NONE);
}

/* Guards: the losses of random chance, fewer than before in a test. */
static void
test_chance_is_not_taken_for_our_own_doing (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.6 * LOSS);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), >, 0.5 * LOSS);
}

/* Few packets: a test that is too short to be sure of says what it can. */
static void
test_few_packets_tell_of_the_path_in_the_end (void)
{
  start ();
  lose_until_it_is_tested ();
  packets = 10;
  run (7, LOSS);
  assert_path_loss (0.);
  run (1, LOSS);
  assert_path_loss (LOSS);
}

static void
assert_intervals (const guint *intervals, guint n)
{
  start ();
  for (guint i = 0; i < n; i++) {
    lose_until_it_is_tested ();
    run (4, LOSS);
    run (intervals[i] - 5, LOSS);
    assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  }
}

static void
test_a_path_that_loses_is_tested_less_and_less (void)
{
  static const guint intervals[] = { 20, 60, 180, 180 };

  assert_intervals (intervals, G_N_ELEMENTS (intervals));
}

/* Two frames of a slide, and nothing to tell from. */
static void
test_what_tells_nothing_ends (void)
{
  start ();
  lose_until_it_is_tested ();
  packets = 1;
  run (7, 0.);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
  run (2, 0.);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* --- and then --- */

/* Guards: CUBIC in CoDel's short queue, which fills what a test leaves. */
static void
test_what_is_lost_again_of_what_had_arrived_lowers_the_rate (void)
{
  GccRate own;

  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  own = gcc_loss_test_get_rate (&test);
  run (5, LOSS / 2.);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.9 * (gdouble) own));
  run (5, LOSS / 2.);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.81 * (gdouble) own));
  /* until little is, for as long as that of one's own */
  run (30, LOSS / 5.);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

static void
test_what_is_lost_again_in_the_end_was_chance (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  for (guint i = 0;
       i < 60 && gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_OWN; i++) {
    g_assert_cmpint (gcc_loss_test_get_rate (&test), >=, TEST_RATE);
    report (LOSS);
  }
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  assert_verdict (GCC_VERDICT_UNKNOWN);
}

static void
test_a_little_that_is_lost_then_says_nothing (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  for (guint i = 0; i < 56; i++) {
    report (LOSS / 4.);
    g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  }
}

/* --- attacks --- */

static void
test_reports_without_packets_tell_nothing (void)
{
  start ();
  packets = 0;
  run (100, 1.);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* What the link takes is a third of what is sent, and it has no queue. */
static void
test_three_times_the_capacity_is_no_loss_of_the_path (void)
{
  start ();
  for (guint i = 0; i < 12; i++)
    report (0.68);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
  run (8, 0.55);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), ==, 0.);
}

static void
test_a_clock_that_is_set_back_ends_a_test (void)
{
  start ();
  lose_until_it_is_tested ();
  now = -3600 * GCC_SECOND;
  run (20, 0.);
  g_assert_cmpint (gcc_loss_test_get_state (&test), !=, GCC_LOSS_TEST_FALL);
}

static void
test_without_a_fall_nothing_is_tested (void)
{
  static const GccLossTestParams none = { 0 };

  start ();
  gcc_loss_test_init (&test, &none);
  run (100, LOSS);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

#define ADD(test) g_test_add_func ("/loss-test/" #test, test_##test)

/* Guards: five seconds in which nothing arrived either way. One report told of all of
 * them, was tested, and as nothing was lost in the test the call was held to what had
 * arrived in the outage, for half a minute. */
static void
test_an_outage_is_not_tested (void)
{
  start ();
  now += 5 * GCC_SECOND;
  report (0.93);
  run (40, 0.);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  now += 5 * GCC_SECOND;
  report (0.93);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  /* what is lost from then on is */
  run (4, LOSS);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  lose_until_it_is_tested ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (loss_that_stays_is_tested);
  ADD (a_burst_of_losses_is_not_tested);
  ADD (a_few_losses_are_not_tested);
  ADD (a_rate_that_grows_is_not_held_up);
  ADD (a_rate_that_has_grown_is_tested_when_it_stays);
  ADD (what_is_lost_at_the_higher_rate_alone_was_our_own);
  ADD (what_is_not_lost_of_less_was_of_our_own_doing);
  ADD (the_paths_loss_is_known_while_packets_are_lost);
  ADD (a_test_that_was_for_nothing_gives_the_rate_back_once);
  ADD (chance_is_not_taken_for_our_own_doing);
  ADD (few_packets_tell_of_the_path_in_the_end);
  ADD (a_path_that_loses_is_tested_less_and_less);
  ADD (what_tells_nothing_ends);
  ADD (what_is_lost_again_of_what_had_arrived_lowers_the_rate);
  ADD (what_is_lost_again_in_the_end_was_chance);
  ADD (a_little_that_is_lost_then_says_nothing);
  ADD (reports_without_packets_tell_nothing);
  ADD (three_times_the_capacity_is_no_loss_of_the_path);
  ADD (a_clock_that_is_set_back_ends_a_test);
  ADD (without_a_fall_nothing_is_tested);
  ADD (an_outage_is_not_tested);
  return g_test_run ();
}
