/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-loss-test.h>

#include <math.h>

#define PATH (50 * GCC_MSECOND)
#define QUEUE (20 * GCC_MSECOND)
#define RATE 2000000
#define LOSS 0.08
#define TEST_RATE (RATE * 7 / 10)

static const GccLossTestParams params = {
  .queue = {
    .min_queueing = 12 * GCC_MSECOND,
    .mean_reports = 10,
    .max_step = 20 * GCC_MSECOND,
    .rtt_window = 300 * GCC_SECOND,
  },
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
  .others = {
    .min_step = 2 * GCC_MSECOND,
    .stays = 0.5,
    .unchanged = 0.75,
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
report (gdouble fraction_lost, GccTime rtt)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = floor (fraction_lost * 256.) / 256.,
    .packets = packets,
    .rtt = rtt,
  };

  now += GCC_SECOND / 2;
  resumed = gcc_loss_test_feed_report (&test, &report, rate, now);
}

static void
run (guint seconds, gdouble fraction_lost, GccTime rtt)
{
  for (guint i = 0; i < 2 * seconds; i++)
    report (fraction_lost, rtt);
}

/* Round trips through a queue that others share. */
static void
run_beside (guint seconds, gdouble fraction_lost, GccTime rtt)
{
  for (guint i = 0; i < seconds; i++) {
    report (fraction_lost, rtt - 4 * GCC_MSECOND);
    report (fraction_lost, rtt + 4 * GCC_MSECOND);
  }
}

static void
begin (void)
{
  now = 7 * GCC_SECOND;
  packets = 100;
  rate = RATE;
  gcc_loss_test_init (&test, &params);
}

/* On a path whose queue has been empty. */
static void
start (void)
{
  begin ();
  run (20, 0., PATH);
}

static void
assert_state (GccLossTestState state, GccRate limit)
{
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, state);
  g_assert_cmpint (gcc_loss_test_get_rate (&test), ==, limit);
}

static void
lose_until_it_is_tested (GccTime rtt)
{
  for (guint i = 0;
       i < 20 && gcc_loss_test_get_state (&test) != GCC_LOSS_TEST_FALL; i++)
    report (LOSS, rtt);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
}

static void
find_others (void)
{
  run_beside (5, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
  run_beside (4, LOSS / 4., PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE);
}

/* --- what is tested --- */

static void
test_loss_that_stays_with_a_queue_is_tested (void)
{
  start ();
  run (4, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  run (1, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
}

/* CoDel's is too short to be seen. */
static void
test_loss_without_a_queue_is_tested_too (void)
{
  start ();
  lose_until_it_is_tested (PATH);
}

static void
test_a_burst_of_losses_is_not_tested (void)
{
  start ();
  for (guint i = 0; i < 20; i++) {
    run (3, 0.5, PATH + QUEUE);
    report (0., PATH + QUEUE);
  }
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* It takes ten times as long until they are enough. */
static void
test_a_few_losses_are_not_tested (void)
{
  start ();
  packets = 10;
  run (40, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* Guards: a path with random loss, where A_s needs its time. */
static void
test_a_rate_that_grows_is_not_held_up (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    rate += rate / 100;
    report (LOSS, PATH + QUEUE);
    assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  }
  /* nor any longer than it grows: at the limit that is set, say */
  rate = RATE;
  run (5, 0., PATH);
  lose_until_it_is_tested (PATH + QUEUE);
}

/* Wi-Fi and mobile networks: the least round trip is far below the others. */
static void
test_a_path_that_jumps_about_has_no_queue (void)
{
  start ();
  for (guint i = 0; i < 18; i++)
    report (0.05, PATH + (GccTime) (i * 7 % 10) * 8 * GCC_MSECOND);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  g_assert_cmpfloat_with_epsilon (
      gcc_loss_test_get_path_loss (&test, now), 0.05, 0.01);
}

/* Guards: PIE beside three CUBIC flows, where no report was without losses, and A_s
 * had once been less: 7 % lost for two minutes. */
static void
test_a_rate_that_has_grown_is_tested_when_it_stays (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    rate += rate / 100;
    report (LOSS, PATH + QUEUE);
  }
  for (guint i = 0;
       i < 20 && gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_NONE; i++)
    report (LOSS, PATH + QUEUE);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_FALL);
}

/* Guards: a frame that was sent again, 47 ms long, of eleven: its end was taken for
 * that of a queue. */
static void
test_a_long_round_trip_is_no_queue (void)
{
  start ();
  run (4, LOSS, PATH);
  report (LOSS, PATH + 10 * QUEUE);
  lose_until_it_is_tested (PATH);
  run (4, LOSS, PATH);
  g_assert_cmpfloat_with_epsilon (
      gcc_loss_test_get_path_loss (&test, now), LOSS, 0.01);
}

/* --- results --- */

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (gcc_loss_test_get_experiment (&test)->verdict, ==, verdict);
}

static void
test_a_queue_that_drains_was_our_own (void)
{
  start ();
  lose_until_it_is_tested (PATH + 2 * QUEUE);
  run (4, 0., PATH);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.97 * (236. / 256.) * RATE));
  run (29, 0., PATH);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  run (2, 0., PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  assert_verdict (GCC_VERDICT_OWN);
}

/* Guards: FQ-CoDel, where each has a queue of its own. */
static void
test_what_is_not_lost_of_less_was_of_our_own_doing (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  run (4, 0.01, PATH);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), ==, 0.);
}

/* Guards: a path that loses a little by itself, whose queue was taken for that of
 * others. */
static void
test_a_queue_of_our_own_may_be_on_a_path_that_loses (void)
{
  start ();
  lose_until_it_is_tested (PATH + 2 * QUEUE);
  run (4, 0.01, PATH);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
}

static void
test_a_queue_that_others_fill_is_theirs (void)
{
  start ();
  assert_verdict (GCC_VERDICT_NONE);
  find_others ();
  assert_verdict (GCC_VERDICT_OTHERS);
}

static void
test_loss_that_does_not_heed_the_rate_is_the_paths (void)
{
  start ();
  lose_until_it_is_tested (PATH + QUEUE);
  run (4, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  assert_verdict (GCC_VERDICT_UNKNOWN);
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
  lose_until_it_is_tested (PATH);
  assert_path_loss (0.);
  run (4, LOSS, PATH);
  assert_path_loss (LOSS);
  assert_verdict (GCC_VERDICT_LOSSY_PATH);
  run (15, LOSS, PATH);
  assert_path_loss (LOSS);
  run (9, 0., PATH);
  assert_path_loss (LOSS);
  run (1, 0., PATH);
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
  lose_until_it_is_tested (PATH);
  assert_resumed (GCC_RATE_NONE);
  while (gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_FALL) {
    assert_resumed (GCC_RATE_NONE);
    report (LOSS, PATH);
  }
  assert_resumed (RATE);
  report (LOSS, PATH);
  assert_resumed (GCC_RATE_NONE);
}

static void
test_with_a_queue_the_rate_is_not_given_back (void)
{
  start ();
  lose_until_it_is_tested (PATH + QUEUE);
  for (guint i = 0; i < 20; i++) {
    report (LOSS, PATH + QUEUE);
    assert_resumed (GCC_RATE_NONE);
  }
}

/* Guards: CUBIC that refilled its queue during the test. */
static void
test_with_a_queue_the_paths_loss_is_not_known (void)
{
  start ();
  lose_until_it_is_tested (PATH + QUEUE);
  run (4, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  assert_path_loss (0.);
}

static void
test_with_a_queue_what_is_known_of_the_path_stays_known (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  run (4, LOSS, PATH);
  assert_path_loss (LOSS);
  run (16, LOSS, PATH + QUEUE);
  lose_until_it_is_tested (PATH + QUEUE);
  run (4, LOSS, PATH + QUEUE);
  assert_path_loss (LOSS);
}

/* Whether they lose as much then or not. */
static void
test_a_queue_that_stays_is_that_of_others (void)
{
  start ();
  run_beside (5, LOSS, PATH + QUEUE);
  run_beside (4, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE);
}

/* Guards: the losses of random chance, fewer than before in a test. */
static void
test_chance_is_not_taken_for_our_own_doing (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  run (4, 0.6 * LOSS, PATH);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), >, 0.5 * LOSS);
}

/* Few packets: a test that is too short to be sure of says what it can. */
static void
test_few_packets_tell_of_the_path_in_the_end (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  packets = 10;
  run (7, LOSS, PATH);
  assert_path_loss (0.);
  run (1, LOSS, PATH);
  assert_path_loss (LOSS);
}

static void
assert_intervals (const guint *intervals, guint n, GccTime rtt)
{
  start ();
  for (guint i = 0; i < n; i++) {
    lose_until_it_is_tested (rtt);
    run (4, LOSS, rtt);
    run (intervals[i] - 5, LOSS, rtt);
    assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  }
}

static void
test_a_path_that_loses_is_tested_less_and_less (void)
{
  static const guint intervals[] = { 20, 60, 180, 180 };

  assert_intervals (intervals, G_N_ELEMENTS (intervals), PATH);
}

/* Guards: three minutes of a twelfth lost beside three CUBIC flows behind PIE, who
 * had refilled the queue each time. */
static void
test_with_a_queue_it_is_asked_again_as_soon (void)
{
  static const guint intervals[] = { 20, 20, 20, 20 };

  assert_intervals (intervals, G_N_ELEMENTS (intervals), PATH + QUEUE);
}

/* Guards: random loss and a queue of one's own, by chance less of either. */
static void
test_a_queue_that_is_shorter_was_our_own (void)
{
  start ();
  lose_until_it_is_tested (PATH + 2 * QUEUE);
  run (4, 0.03, PATH + QUEUE / 2);
  g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
}

/* Two frames of a slide, and nothing to tell from. */
static void
test_what_tells_nothing_ends (void)
{
  start ();
  lose_until_it_is_tested (PATH + QUEUE);
  packets = 1;
  run (7, 0., PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
  run (2, 0., PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* --- and then --- */

/* Guards: CUBIC in CoDel's short queue, which fills what a test leaves. */
static void
test_what_is_lost_again_of_what_had_arrived_lowers_the_rate (void)
{
  GccRate own;

  start ();
  lose_until_it_is_tested (PATH);
  run (4, 0., PATH);
  own = gcc_loss_test_get_rate (&test);
  run (5, LOSS / 2., PATH);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.9 * (gdouble) own));
  run (5, LOSS / 2., PATH);
  assert_state (GCC_LOSS_TEST_OWN, (GccRate) (0.81 * (gdouble) own));
  /* until little is, for as long as that of one's own */
  run (30, LOSS / 5., PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

static void
test_what_is_lost_again_in_the_end_is_by_others (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  run (4, 0., PATH);
  for (guint i = 0;
       i < 60 && gcc_loss_test_get_state (&test) == GCC_LOSS_TEST_OWN; i++) {
    g_assert_cmpint (gcc_loss_test_get_rate (&test), >=, TEST_RATE);
    report (LOSS, PATH);
  }
  assert_state (GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE);
  /* Guards: a test that lost less by chance, and a rate that falls for ever. */
  run (21, LOSS, PATH);
  g_assert_cmpint (gcc_loss_test_get_state (&test), !=, GCC_LOSS_TEST_OTHERS);
}

static void
test_a_little_that_is_lost_then_says_nothing (void)
{
  start ();
  lose_until_it_is_tested (PATH);
  run (4, 0., PATH);
  for (guint i = 0; i < 56; i++) {
    report (LOSS / 4., PATH);
    g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OWN);
  }
}

static void
test_others_are_there_while_packets_are_lost (void)
{
  start ();
  find_others ();
  for (guint i = 0; i < 20; i++) {
    run (6, 0., PATH + QUEUE / 4);
    run_beside (2, 0.02, PATH + QUEUE);
    g_assert_cmpint (gcc_loss_test_get_state (&test), ==, GCC_LOSS_TEST_OTHERS);
  }
}

static void
test_others_have_left_when_nothing_is_lost (void)
{
  start ();
  find_others ();
  run (21, 0., PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* Guards: a share that is held for as long as a path goes on losing. */
static void
test_as_much_loss_at_the_lower_rate_is_not_theirs (void)
{
  start ();
  find_others ();
  run (21, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* Three CUBIC flows lose as much without us. */
static void
test_others_stay_as_long_as_their_queue (void)
{
  start ();
  find_others ();
  run_beside (60, LOSS, PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE);
}

/* Guards: CoDel's queue, which is below 12 ms for ten seconds by chance. */
static void
test_others_stay_while_their_queue_is_shorter (void)
{
  start ();
  find_others ();
  run_beside (60, LOSS, PATH + QUEUE / 2);
  assert_state (GCC_LOSS_TEST_OTHERS, GCC_RATE_NONE);
  run_beside (20, LOSS, PATH + QUEUE / 5);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

static void
test_tcp_that_comes_after_our_own_queue_is_found (void)
{
  start ();
  lose_until_it_is_tested (PATH + 2 * QUEUE);
  run (4, 0., PATH);
  run (31, 0., PATH);
  find_others ();
}

/* --- attacks --- */

static void
test_reports_without_packets_or_round_trips_tell_nothing (void)
{
  start ();
  packets = 0;
  run (100, 1., PATH + QUEUE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  begin ();
  run (100, 1., GCC_TIME_NONE);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
}

/* What the link takes is a third of what is sent, and it has no queue. */
static void
test_three_times_the_capacity_is_no_loss_of_the_path (void)
{
  start ();
  for (guint i = 0; i < 12; i++)
    report (0.68, PATH);
  assert_state (GCC_LOSS_TEST_FALL, TEST_RATE);
  run (8, 0.55, PATH);
  g_assert_cmpfloat (gcc_loss_test_get_path_loss (&test, now), ==, 0.);
}

static void
test_a_clock_that_is_set_back_ends_a_test (void)
{
  start ();
  lose_until_it_is_tested (PATH + QUEUE);
  now = -3600 * GCC_SECOND;
  run (20, 0., PATH);
  g_assert_cmpint (gcc_loss_test_get_state (&test), !=, GCC_LOSS_TEST_FALL);
}

static void
test_without_a_fall_nothing_is_tested (void)
{
  static const GccLossTestParams none = { 0 };

  start ();
  gcc_loss_test_init (&test, &none);
  run (100, LOSS, PATH + QUEUE);
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
  report (0.93, PATH);
  run (40, 0., PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  now += 5 * GCC_SECOND;
  report (0.93, PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  /* what is lost from then on is */
  run (4, LOSS, PATH);
  assert_state (GCC_LOSS_TEST_NONE, GCC_RATE_NONE);
  lose_until_it_is_tested (PATH);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (loss_that_stays_with_a_queue_is_tested);
  ADD (loss_without_a_queue_is_tested_too);
  ADD (a_burst_of_losses_is_not_tested);
  ADD (a_few_losses_are_not_tested);
  ADD (a_rate_that_grows_is_not_held_up);
  ADD (a_path_that_jumps_about_has_no_queue);
  ADD (a_rate_that_has_grown_is_tested_when_it_stays);
  ADD (a_long_round_trip_is_no_queue);
  ADD (a_queue_that_drains_was_our_own);
  ADD (what_is_not_lost_of_less_was_of_our_own_doing);
  ADD (a_queue_of_our_own_may_be_on_a_path_that_loses);
  ADD (a_queue_that_others_fill_is_theirs);
  ADD (loss_that_does_not_heed_the_rate_is_the_paths);
  ADD (the_paths_loss_is_known_while_packets_are_lost);
  ADD (a_test_that_was_for_nothing_gives_the_rate_back_once);
  ADD (with_a_queue_the_rate_is_not_given_back);
  ADD (with_a_queue_the_paths_loss_is_not_known);
  ADD (with_a_queue_what_is_known_of_the_path_stays_known);
  ADD (a_queue_that_stays_is_that_of_others);
  ADD (chance_is_not_taken_for_our_own_doing);
  ADD (few_packets_tell_of_the_path_in_the_end);
  ADD (a_path_that_loses_is_tested_less_and_less);
  ADD (with_a_queue_it_is_asked_again_as_soon);
  ADD (a_queue_that_is_shorter_was_our_own);
  ADD (what_tells_nothing_ends);
  ADD (what_is_lost_again_of_what_had_arrived_lowers_the_rate);
  ADD (what_is_lost_again_in_the_end_is_by_others);
  ADD (a_little_that_is_lost_then_says_nothing);
  ADD (others_are_there_while_packets_are_lost);
  ADD (others_have_left_when_nothing_is_lost);
  ADD (as_much_loss_at_the_lower_rate_is_not_theirs);
  ADD (others_stay_as_long_as_their_queue);
  ADD (others_stay_while_their_queue_is_shorter);
  ADD (tcp_that_comes_after_our_own_queue_is_found);
  ADD (reports_without_packets_or_round_trips_tell_nothing);
  ADD (three_times_the_capacity_is_no_loss_of_the_path);
  ADD (a_clock_that_is_set_back_ends_a_test);
  ADD (without_a_fall_nothing_is_tested);
  ADD (an_outage_is_not_tested);
  return g_test_run ();
}
