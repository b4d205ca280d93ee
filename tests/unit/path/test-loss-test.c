/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-loss-test.h>

#define RATE 2000000
#define LOSS 0.12
#define TEST_RATE (RATE * 7 / 10)

static const GccLossTestParams params = {
  .trigger = {
    .min_loss = 0.1,
    .min_losses = 30,
    .after = 5 * GCC_SECOND,
    .growth = 1.05,
    .interval = 20 * GCC_SECOND,
    .max_interval = 180 * GCC_SECOND,
  },
  .share = 0.7,
  .duration = 4 * GCC_SECOND,
  .same = 0.5,
  .max_loss = 0.3,
  .own_share = 0.97,
  .own_duration = 30 * GCC_SECOND,
};

static GccLossTest test;
static GccTime now;
static guint packets;
static GccRate rate;
static GccRate resumed;

/* A feedback each half a second. */
static void
feed (gdouble loss)
{
  guint n_lost = (guint) (loss * packets + 0.5);

  now += GCC_SECOND / 2;
  resumed = gcc_loss_test_feed (&test, n_lost, packets - n_lost, rate, now);
}

static void
run (guint seconds, gdouble loss)
{
  for (guint i = 0; i < 2 * seconds; i++)
    feed (loss);
}

/* On a path that has lost nothing. */
static void
start (void)
{
  now = 7 * GCC_SECOND;
  packets = 100;
  rate = RATE;
  gcc_loss_test_init (&test, &params);
  run (20, 0.);
}

static void
assert_most (GccRate most)
{
  g_assert_cmpint (test.most, ==, most);
}

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (test.experiment.verdict, ==, verdict);
}

static void
lose_until_it_is_tested (void)
{
  for (guint i = 0; i < 20 && !test.is_testing; i++)
    feed (LOSS);
  g_assert_true (test.is_testing);
  assert_most (TEST_RATE);
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
    run (1, 0.);
  }
  assert_most (GCC_RATE_NONE);
}

static void
test_little_loss_is_not_tested (void)
{
  start ();
  run (40, 0.08);
  assert_most (GCC_RATE_NONE);
}

/* It takes ten times as long until they are enough. */
static void
test_a_few_losses_are_not_tested (void)
{
  start ();
  packets = 10;
  run (10, LOSS);
  assert_most (GCC_RATE_NONE);
}

/* Guards: a path with random loss, where A_s needs its time. */
static void
test_a_rate_that_grows_is_not_held_up (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    rate += rate / 100;
    feed (LOSS);
    assert_most (GCC_RATE_NONE);
  }
  for (guint i = 0; i < 20 && !test.is_testing; i++)
    feed (LOSS);
  g_assert_true (test.is_testing);
}

static void
test_an_outage_is_not_tested (void)
{
  start ();
  for (guint i = 0; i < 10; i++) {
    now += 5 * GCC_SECOND;
    run (4, LOSS);
  }
  assert_most (GCC_RATE_NONE);
}

/* --- results --- */

static void
test_what_is_lost_at_the_higher_rate_alone_was_our_own (void)
{
  GccRate most;

  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  assert_verdict (GCC_VERDICT_OWN);
  most = test.most;
  g_assert_cmpint (most, <, (GccRate) (0.97 * 0.9 * RATE));
  g_assert_cmpint (most, >, (GccRate) (0.97 * 0.86 * RATE));
  run (29, 0.);
  assert_most (most);
  run (2, 0.);
  assert_most (GCC_RATE_NONE);
}

/* Guards: CUBIC in CoDel's short queue, which fills what a test leaves. */
static void
test_what_is_lost_again_of_what_had_arrived_is_tested_again (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.);
  rate = test.most;
  run (6, LOSS);
  g_assert_true (test.is_testing);
  g_assert_cmpint (test.most, <, rate);
}

static void
test_a_test_that_was_for_nothing_gives_the_rate_back_once (void)
{
  start ();
  lose_until_it_is_tested ();
  while (test.is_testing) {
    g_assert_cmpint (resumed, ==, GCC_RATE_NONE);
    feed (LOSS);
  }
  g_assert_cmpint (resumed, ==, RATE);
  assert_verdict (GCC_VERDICT_LOSSY_PATH);
  assert_most (GCC_RATE_NONE);
  feed (LOSS);
  g_assert_cmpint (resumed, ==, GCC_RATE_NONE);
}

/* Guards: the losses of random chance, fewer than before in a test. */
static void
test_chance_is_not_taken_for_our_own_doing (void)
{
  start ();
  lose_until_it_is_tested ();
  run (4, 0.6 * LOSS);
  assert_verdict (GCC_VERDICT_LOSSY_PATH);
}

/* Few packets: a test that is too short to be sure of says what it can. */
static void
test_few_packets_tell_of_the_path_in_the_end (void)
{
  start ();
  lose_until_it_is_tested ();
  packets = 10;
  run (7, LOSS);
  g_assert_true (test.is_testing);
  run (1, LOSS);
  assert_verdict (GCC_VERDICT_LOSSY_PATH);
}

/* Two frames of a slide, and nothing to tell from. */
static void
test_what_tells_nothing_ends (void)
{
  start ();
  lose_until_it_is_tested ();
  packets = 1;
  run (9, 0.);
  assert_verdict (GCC_VERDICT_UNKNOWN);
  assert_most (GCC_RATE_NONE);
}

static void
test_a_path_that_loses_is_tested_less_and_less (void)
{
  static const guint intervals[] = { 20, 60, 180, 180 };

  start ();
  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    lose_until_it_is_tested ();
    run (4, LOSS);
    run (intervals[i] - 5, LOSS);
    assert_most (GCC_RATE_NONE);
  }
}

/* What the link takes is a third of what is sent, and it has no queue. */
static void
test_three_times_the_capacity_is_no_loss_of_the_path (void)
{
  start ();
  for (guint i = 0; i < 12; i++)
    feed (0.68);
  g_assert_true (test.is_testing);
  run (4, 0.55);
  assert_verdict (GCC_VERDICT_UNKNOWN);
  g_assert_cmpint (resumed, ==, GCC_RATE_NONE);
}

/* --- attacks --- */

static void
test_feedback_without_packets_tells_nothing (void)
{
  start ();
  packets = 0;
  run (100, 1.);
  assert_most (GCC_RATE_NONE);
}

static void
test_a_clock_that_is_set_back_ends_a_test (void)
{
  start ();
  lose_until_it_is_tested ();
  now = -3600 * GCC_SECOND;
  run (20, 0.);
  g_assert_false (test.is_testing);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(test) g_test_add_func ("/loss-test/" #test, test_##test)
  ADD (loss_that_stays_is_tested);
  ADD (a_burst_of_losses_is_not_tested);
  ADD (little_loss_is_not_tested);
  ADD (a_few_losses_are_not_tested);
  ADD (a_rate_that_grows_is_not_held_up);
  ADD (an_outage_is_not_tested);
  ADD (what_is_lost_at_the_higher_rate_alone_was_our_own);
  ADD (what_is_lost_again_of_what_had_arrived_is_tested_again);
  ADD (a_test_that_was_for_nothing_gives_the_rate_back_once);
  ADD (chance_is_not_taken_for_our_own_doing);
  ADD (few_packets_tell_of_the_path_in_the_end);
  ADD (what_tells_nothing_ends);
  ADD (a_path_that_loses_is_tested_less_and_less);
  ADD (three_times_the_capacity_is_no_loss_of_the_path);
  ADD (feedback_without_packets_tells_nothing);
  ADD (a_clock_that_is_set_back_ends_a_test);
#undef ADD
  return g_test_run ();
}
