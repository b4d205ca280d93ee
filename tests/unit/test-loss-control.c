/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-loss-control.h>

#include <gst/gcc/gcc-profile-private.h>

#include "conformance.h"

#define C20 "C20 send_side_bandwidth_estimation_unittest"

#define MIN_RATE 50000
#define START_RATE 300000
#define MAX_RATE 2000000

static gboolean
report (
    GccLossControl *control, guint8 fraction_lost, gint64 rtt_ms, GccTime now)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = fraction_lost,
    .rtt = rtt_ms * GCC_MSECOND,
  };

  return gcc_loss_control_feed_report (control, &report, now);
}

static void
test_first_remb_applies_at_once (void)
{
  GccLossControl control;

  gcc_loss_control_init (
      &control, &gcc_profile_find ("goog-2020")->loss, 100000, 200000, 1500000);
  report (&control, 0, 50, 0);
  gcc_loss_control_feed_remb (&control, 1000000, 0);
  conformance_check_int (C20, "first REMB 1 Mbit/s", 1000000,
      gcc_loss_control_get_target (&control));
  gcc_loss_control_feed_remb (&control, 1500000, 2001 * GCC_MSECOND);
  conformance_check_int (C20, "REMB 1.5 Mbit/s after the start phase", 1000000,
      gcc_loss_control_get_target (&control));
}

static void
test_one_decrease_for_one_report (void)
{
  GccTime now = 1000 * GCC_MSECOND;
  GccRate after;
  GccLossControl control;

  gcc_loss_control_init (
      &control, &gcc_profile_find ("goog-2020")->loss, 100000, 200000, 1000000);
  report (&control, 0, 0, now);
  gcc_loss_control_feed_remb (&control, 1000000, now);
  now += 1000 * GCC_MSECOND;
  report (&control, 128, 0, now);
  after = gcc_loss_control_get_target (&control);
  conformance_check_boolean (
      C20, "50 of 100 packets lost: decrease", TRUE, after < 1000000);
  now += 1000 * GCC_MSECOND;
  gcc_loss_control_handle_timeout (&control, now);
  conformance_check_int (C20, "no second decrease without a report", after,
      gcc_loss_control_get_target (&control));
}

static void
run_until (GccLossControl *control, GccTime until)
{
  GccTime next;

  while ((next = gcc_loss_control_next_timeout (control)) != GCC_TIME_NONE &&
      next <= until)
    gcc_loss_control_handle_timeout (control, next);
}

static void
test_rate_grows_once_a_second_however_often_reports_come (void)
{
  static const gint64 intervals_ms[] = { 100, 250, 1000, 2500 };

  for (guint i = 0; i < G_N_ELEMENTS (intervals_ms); i++) {
    GccRate expected = START_RATE;
    GccLossControl control;
    GccTime now = 0;

    gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
        MIN_RATE, START_RATE, MAX_RATE);
    for (guint second = 0; second < 10; second++) {
      GccTime until = (second + 1) * GCC_SECOND - 1;

      for (; now <= until; now += intervals_ms[i] * GCC_MSECOND) {
        run_until (&control, now);
        report (&control, 0, 50, now);
      }
      run_until (&control, until);
      expected = (GccRate) (expected * 1.08 + 0.5) + 1000;
      g_assert_cmpint (gcc_loss_control_get_target (&control), ==, expected);
    }
  }
}

static void
test_timeouts_come_only_when_there_is_something_to_do (void)
{
  guint n_timeouts = 0;
  GccLossControl control;
  GccTime next;

  gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
      MIN_RATE, START_RATE, MAX_RATE);
  g_assert_cmpint (gcc_loss_control_next_timeout (&control), ==, GCC_TIME_NONE);

  report (&control, 0, 50, 0);
  while ((next = gcc_loss_control_next_timeout (&control)) != GCC_TIME_NONE) {
    g_assert_true (gcc_loss_control_handle_timeout (&control, next));
    n_timeouts++;
  }
  /* Once a second until the report is too old. */
  g_assert_cmpuint (n_timeouts, ==, 5);

  gcc_loss_control_feed_remb (&control, 100000, 6 * GCC_SECOND);
  report (&control, 0, 50, 6 * GCC_SECOND);
  g_assert_cmpint (gcc_loss_control_next_timeout (&control), ==, GCC_TIME_NONE);
}

static void
test_remb_caps_and_a_higher_one_does_not_raise (void)
{
  GccLossControl control;
  GccTime now = 0;

  gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
      MIN_RATE, START_RATE, MAX_RATE);
  report (&control, 13, 50, now); /* 5 %: out of the start phase */
  now += GCC_SECOND;
  g_assert_true (gcc_loss_control_feed_remb (&control, 200000, now));
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 200000);
  g_assert_false (gcc_loss_control_feed_remb (&control, 1000000, now));
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 200000);
  g_assert_true (gcc_loss_control_feed_remb (&control, 0, now));
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, MIN_RATE);
  g_assert_false (gcc_loss_control_feed_remb (&control, -1, now));
}

static void
test_rate_rises_soon_after_a_remb_that_held_it (void)
{
  GccLossControl control;
  GccTime now = 10 * GCC_SECOND;

  gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
      MIN_RATE, START_RATE, MAX_RATE);
  gcc_loss_control_feed_remb (&control, 300000, 0);
  report (&control, 0, 50, 0);
  report (&control, 0, 50, now);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 300000);

  gcc_loss_control_feed_remb (&control, 1000000, now);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 300000);
  g_assert_cmpint (
      gcc_loss_control_next_timeout (&control), ==, now + 25 * GCC_MSECOND);
  g_assert_true (
      gcc_loss_control_handle_timeout (&control, now + 25 * GCC_MSECOND));
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 325000);
}

static void
test_loss_decides (void)
{
  static const struct {
    guint8 fraction_lost;
    GccRate target;
  } cases[] = {
    { 0, 1081000 },
    { 5, 1081000 },
    { 6, 1000000 },
    { 25, 1000000 },
    { 26, 949218 },
    { 51, 900390 },
    { 128, 750000 },
    { 255, 501953 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GccLossControl control;

    gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
        MIN_RATE, 1000000, MAX_RATE);
    report (&control, cases[i].fraction_lost, 50, 0);
    g_assert_cmpint (
        gcc_loss_control_get_target (&control), ==, cases[i].target);
  }
}

static void
test_decreases_keep_their_distance (void)
{
  GccLossControl control;
  GccTime now = 0;

  gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
      MIN_RATE, 1000000, MAX_RATE);
  report (&control, 128, 50, now);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 750000);

  /* 300 ms + RTT have not passed; time alone brings the decrease then. */
  now += 200 * GCC_MSECOND;
  report (&control, 128, 50, now);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 750000);
  g_assert_cmpint (
      gcc_loss_control_next_timeout (&control), ==, 350 * GCC_MSECOND);
  g_assert_true (gcc_loss_control_handle_timeout (&control, 350 * GCC_MSECOND));
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 562500);
  g_assert_cmpint (gcc_loss_control_next_timeout (&control), ==, GCC_TIME_NONE);
}

static void
test_long_round_trips_lower_the_rate (void)
{
  GccLossControl control;
  guint n = 0;

  gcc_loss_control_init (&control, &gcc_profile_find ("goog-2020")->loss,
      MIN_RATE, 1000000, MAX_RATE);
  report (&control, 0, 3500, 0);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 800000);
  for (GccTime next;
       (next = gcc_loss_control_next_timeout (&control)) != GCC_TIME_NONE; n++)
    gcc_loss_control_handle_timeout (&control, next);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpint (gcc_loss_control_get_target (&control), ==, 262144);
}

static void
test_limits_apply_at_once_and_always (void)
{
  GRand *rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate min = MIN_RATE, max = MAX_RATE;
    GccLossControl control;
    GccTime now = 0;

    gcc_loss_control_init (
        &control, &gcc_profiles[i]->loss, min, START_RATE, max);
    for (guint j = 0; j < 200000; j++) {
      GccRate before = gcc_loss_control_get_target (&control);
      guint8 fraction_lost = (guint8) g_rand_int_range (
          rand, 0, j % 2 == 0 ? 10 : 256);
      GccRate after;

      now += g_rand_int_range (rand, -GCC_SECOND / 20, GCC_SECOND / 2);
      switch (g_rand_int_range (rand, 0, 8)) {
        case 0:
          min = g_rand_int_range (rand, 1, 1000000);
          max = min + g_rand_int_range (rand, 0, 3000000);
          gcc_loss_control_set_limits (&control, min, max);
          break;
        case 1:
        case 2:
          gcc_loss_control_feed_remb (
              &control, g_rand_int_range (rand, -1, 4000000), now);
          break;
        case 3:
        case 4:
          gcc_loss_control_handle_timeout (&control, now);
          break;
        default:
          report (&control, fraction_lost,
              g_rand_int_range (rand, 0, j % 50 == 0 ? 10000 : 500), now);
          after = gcc_loss_control_get_target (&control);
          if (fraction_lost > 26)
            g_assert_cmpint (after, <=, before);
          else if (control.rtt <= 3 * GCC_SECOND && fraction_lost <= 5)
            g_assert_cmpint (after, >=, before);
      }
      after = gcc_loss_control_get_target (&control);
      g_assert_cmpint (after, >=, min);
      g_assert_cmpint (after, <=, max);
      g_assert_cmpint (gcc_loss_control_get_loss_based (&control), >=, 0);
    }
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loss-control/first_remb_applies_at_once",
      test_first_remb_applies_at_once);
  g_test_add_func ("/loss-control/one_decrease_for_one_report",
      test_one_decrease_for_one_report);
  g_test_add_func (
      "/loss-control/rate_grows_once_a_second_however_often_reports_come",
      test_rate_grows_once_a_second_however_often_reports_come);
  g_test_add_func (
      "/loss-control/timeouts_come_only_when_there_is_something_to_do",
      test_timeouts_come_only_when_there_is_something_to_do);
  g_test_add_func ("/loss-control/remb_caps_and_a_higher_one_does_not_raise",
      test_remb_caps_and_a_higher_one_does_not_raise);
  g_test_add_func ("/loss-control/rate_rises_soon_after_a_remb_that_held_it",
      test_rate_rises_soon_after_a_remb_that_held_it);
  g_test_add_func ("/loss-control/loss_decides", test_loss_decides);
  g_test_add_func ("/loss-control/decreases_keep_their_distance",
      test_decreases_keep_their_distance);
  g_test_add_func ("/loss-control/long_round_trips_lower_the_rate",
      test_long_round_trips_lower_the_rate);
  g_test_add_func ("/loss-control/limits_apply_at_once_and_always",
      test_limits_apply_at_once_and_always);
  return g_test_run ();
}
