/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-target.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C20 "C20 send_side_bandwidth_estimation_unittest"

#define MIN_RATE 50000
#define START_RATE 300000
#define MAX_RATE 2000000

static void
init (GccTarget *target)
{
  gcc_target_init (target, &gcc_profile_find ("goog-2020")->target, MIN_RATE,
      START_RATE, MAX_RATE);
}

static void
report (GccTarget *target, guint8 fraction_lost, GccTime now)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = fraction_lost / 256.,
    .rtt = 50 * GCC_MSECOND,
  };

  gcc_target_feed_report (target, &report, now);
}

static GccRate
get_rate (const GccTarget *target)
{
  return target->result.rate;
}

static void
check (const GccTarget *target, GccRate rate, GccTargetLimit limited_by,
    gboolean may_rise)
{
  const GccTargetResult *result = &target->result;

  g_assert_cmpint (result->rate, ==, rate);
  g_assert_cmpint (result->limited_by, ==, limited_by);
  g_assert_cmpint (result->may_rise, ==, may_rise);
}

static void
test_first_remb_applies_at_once (void)
{
  GccTarget target;

  gcc_target_init (&target, &gcc_profile_find ("goog-2020")->target, 100000,
      200000, 1500000);
  report (&target, 0, 0);
  gcc_target_feed_remb (&target, 1000000, 0);
  conformance_check_int (
      C20, "first REMB 1 Mbit/s", 1000000, get_rate (&target));
  gcc_target_feed_remb (&target, 1500000, 2001 * GCC_MSECOND);
  conformance_check_int (C20, "REMB 1.5 Mbit/s after the start phase", 1000000,
      get_rate (&target));
}

static void
test_a_s_follows_rembs_both_ways_in_the_start_phase (void)
{
  GccTarget target;

  init (&target);
  report (&target, 0, 0);
  gcc_target_feed_remb (&target, 1000000, 0);
  check (&target, 1000000, GCC_TARGET_LIMIT_REMB, FALSE);
  g_assert_true (target.result.restarts);
  gcc_target_feed_remb (&target, 400000, GCC_SECOND);
  check (&target, 400000, GCC_TARGET_LIMIT_REMB, FALSE);
  gcc_target_feed_remb (&target, 500000, 2 * GCC_SECOND - 1);
  check (&target, 500000, GCC_TARGET_LIMIT_REMB, FALSE);
  gcc_target_feed_remb (&target, 600000, 2 * GCC_SECOND);
  check (&target, 500000, GCC_TARGET_LIMIT_LOSS, TRUE);
  g_assert_false (target.result.restarts);
}

static void
test_loss_suspends_the_start_phase (void)
{
  GccTarget target;

  init (&target);
  report (&target, 1, 0);
  gcc_target_feed_remb (&target, 1000000, 0);
  check (&target, START_RATE, GCC_TARGET_LIMIT_LOSS, TRUE);
  report (&target, 0, GCC_SECOND);
  gcc_target_feed_remb (&target, 1000000, GCC_SECOND);
  check (&target, 1000000, GCC_TARGET_LIMIT_REMB, FALSE);
}

static const gchar *
get_reason (const GccTarget *target)
{
  return gcc_reason_to_string (target->result.reason);
}

static void
test_the_reason_is_that_of_the_last_change (void)
{
  GccTarget target;

  init (&target);
  g_assert_cmpstr (get_reason (&target), ==, "start");
  gcc_target_feed_remb (&target, 200000, 0);
  g_assert_cmpstr (get_reason (&target), ==, "remb");
  /* no change */
  gcc_target_feed_loss_based (&target, 300000, GCC_REASON_GROWTH);
  g_assert_cmpstr (get_reason (&target), ==, "remb");
  gcc_target_feed_loss_based (&target, 150000, GCC_REASON_LOSS);
  g_assert_cmpstr (get_reason (&target), ==, "loss");
  gcc_target_feed_silence (&target, 120000);
  g_assert_cmpstr (get_reason (&target), ==, "no-feedback");
  gcc_target_set_limits (&target, MIN_RATE, 100000);
  g_assert_cmpstr (get_reason (&target), ==, "limits");
}

/* What was estimated before does not count; what others ask for does. */
static void
test_a_restart_is_bound_by_the_limits_and_remb_only (void)
{
  GccTarget target;

  init (&target);
  gcc_target_feed_estimate (&target, 400000, 400000, GCC_REASON_GROWTH);
  gcc_target_restart (&target, 900000);
  check (&target, 900000, GCC_TARGET_LIMIT_LOSS, TRUE);
  g_assert_true (target.result.restarts);
  g_assert_cmpstr (get_reason (&target), ==, "limits");
  gcc_target_restart (&target, G_MAXINT64);
  check (&target, MAX_RATE, GCC_TARGET_LIMIT_MAX, FALSE);
  gcc_target_restart (&target, 1);
  check (&target, MIN_RATE, GCC_TARGET_LIMIT_MIN, TRUE);
  gcc_target_feed_remb (&target, 200000, 0);
  gcc_target_restart (&target, 900000);
  check (&target, 200000, GCC_TARGET_LIMIT_REMB, FALSE);
}

/* Less loss than before still limits the rate. */
static void
test_no_rate_rises_for_loss (void)
{
  GccTarget target;

  init (&target);
  gcc_target_feed_estimate (&target, 500000, 200000, GCC_REASON_LOSS);
  g_assert_cmpstr (get_reason (&target), ==, "loss");
  gcc_target_feed_estimate (&target, 500000, 250000, GCC_REASON_LOSS);
  g_assert_cmpstr (get_reason (&target), ==, "growth");
}

static void
test_only_generations_with_a_start_phase_follow_a_remb_up (void)
{
  GccTarget target;

  gcc_target_init (&target, &gcc_profile_find ("rtcweb-2013")->target, MIN_RATE,
      START_RATE, MAX_RATE);
  report (&target, 0, 0);
  gcc_target_feed_remb (&target, 1000000, 0);
  check (&target, START_RATE, GCC_TARGET_LIMIT_LOSS, TRUE);
}

static void
init_after_start (GccTarget *target, const gchar *profile)
{
  gcc_target_init (target, &gcc_profile_find (profile)->target, MIN_RATE,
      START_RATE, MAX_RATE);
  report (target, 0, 0);
  gcc_target_feed_remb (target, START_RATE, 5 * GCC_SECOND);
}

/* 8 % a second took a call 15 s to three times its rate. */
static void
test_the_default_follows_a_receiver_that_measures_up (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  gcc_target_feed_remb (&target, 350000, 6 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 350000);
  gcc_target_feed_remb (&target, 500000, 7 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 500000);
  init_after_start (&target, "goog-2020");
  gcc_target_feed_remb (&target, 350000, 6 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
}

/* Guards: after loss A_r grew to 2.5 R while A_s did not follow, and then A_s was
 * set to it at once: half more than the link took. */
static void
test_a_remb_that_has_grown_away_is_no_measurement (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  report (&target, 10, 6 * GCC_SECOND);
  gcc_target_feed_remb (&target, 480000, 7 * GCC_SECOND);
  gcc_target_feed_remb (&target, 500000, 12 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
  gcc_target_feed_remb (&target, 400000, 13 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
  gcc_target_feed_remb (&target, 600000, 14 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 600000);
}

/* As of a mixer, whose limit knows nothing of the path. */
static void
test_a_remb_far_above_a_s_is_no_measurement (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  gcc_target_feed_remb (&target, 700000, 6 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
}

/* The cap of an SFU ends, and what the receiver has measured before is the bound. */
static void
test_a_cap_that_ends_lets_a_s_rise_by_steps (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  gcc_target_feed_other_remb (&target, 1000000, 6 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 450000);
  gcc_target_feed_remb (&target, 1000000, 6 * GCC_SECOND + 1);
  g_assert_cmpint (get_rate (&target), ==, 450000);
  gcc_target_feed_remb (&target, 1000000, 7 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 675000);
  gcc_target_feed_remb (&target, 1000000, 8 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 1000000);
  /* as ever from there on */
  gcc_target_feed_remb (&target, 1100000, 8 * GCC_SECOND + 1);
  g_assert_cmpint (get_rate (&target), ==, 1100000);
}

static void
test_loss_ends_the_steps (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  gcc_target_feed_other_remb (&target, 1000000, 6 * GCC_SECOND);
  report (&target, 5, 6 * GCC_SECOND + 1);
  gcc_target_feed_remb (&target, 1000000, 7 * GCC_SECOND);
  report (&target, 0, 8 * GCC_SECOND);
  gcc_target_feed_remb (&target, 1000000, 12 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 450000);
}

static void
test_a_bound_that_has_not_held_a_s_is_no_cap (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  gcc_target_feed_remb (&target, 400000, 6 * GCC_SECOND);
  gcc_target_feed_loss_based (&target, 200000, GCC_REASON_LOSS);
  gcc_target_feed_other_remb (&target, 1000000, 7 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 200000);

  init_after_start (&target, "goog-2020");
  gcc_target_feed_other_remb (&target, 1000000, 6 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
}

/* Where a short queue overflows now and then, the rate that it overflows at came
 * back with the next report that told of no loss. */
static void
test_nothing_is_followed_up_soon_after_loss (void)
{
  GccTarget target;

  init_after_start (&target, "recommended");
  report (&target, 5, 6 * GCC_SECOND);
  report (&target, 0, 7 * GCC_SECOND);
  gcc_target_feed_remb (&target, 350000, 10 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, START_RATE);
  gcc_target_feed_remb (&target, 350000, 11 * GCC_SECOND);
  g_assert_cmpint (get_rate (&target), ==, 350000);
}

static void
test_remb_caps_and_a_higher_one_does_not_raise (void)
{
  GccTarget target;

  init (&target);
  report (&target, 13, 0); /* 5 %: out of the start phase */
  gcc_target_feed_remb (&target, 200000, GCC_SECOND);
  check (&target, 200000, GCC_TARGET_LIMIT_REMB, FALSE);
  gcc_target_feed_remb (&target, 1000000, GCC_SECOND);
  check (&target, 200000, GCC_TARGET_LIMIT_LOSS, TRUE);
  gcc_target_feed_remb (&target, 0, GCC_SECOND);
  check (&target, MIN_RATE, GCC_TARGET_LIMIT_MIN, FALSE);
  gcc_target_feed_remb (&target, -1, GCC_SECOND);
  check (&target, MIN_RATE, GCC_TARGET_LIMIT_MIN, FALSE);
}

static void
test_the_least_of_the_sources_is_a_s (void)
{
  GccTarget target;

  init (&target);
  report (&target, 13, 0);
  gcc_target_feed_remb (&target, 800000, 0);
  target.delay_based = 900000; /* nothing sets it yet */
  gcc_target_feed_loss_based (&target, 700000, GCC_REASON_LOSS);
  check (&target, 700000, GCC_TARGET_LIMIT_LOSS, TRUE);
  gcc_target_feed_loss_based (&target, 1000000, GCC_REASON_LOSS);
  check (&target, 800000, GCC_TARGET_LIMIT_REMB, FALSE);
  target.delay_based = 600000;
  gcc_target_feed_loss_based (&target, 1000000, GCC_REASON_LOSS);
  check (&target, 600000, GCC_TARGET_LIMIT_DELAY, FALSE);
}

static void
test_limits_come_last (void)
{
  GccTarget target;

  init (&target);
  gcc_target_feed_loss_based (&target, 3000000, GCC_REASON_LOSS);
  check (&target, MAX_RATE, GCC_TARGET_LIMIT_MAX, FALSE);
  gcc_target_feed_loss_based (&target, 10000, GCC_REASON_LOSS);
  check (&target, MIN_RATE, GCC_TARGET_LIMIT_MIN, TRUE);
  gcc_target_set_limits (&target, 100000, 400000);
  check (&target, 100000, GCC_TARGET_LIMIT_MIN, TRUE);
  gcc_target_feed_loss_based (&target, 1000000, GCC_REASON_LOSS);
  check (&target, 400000, GCC_TARGET_LIMIT_MAX, FALSE);
  /* A higher limit makes room; eq. (1) uses it. */
  gcc_target_set_limits (&target, 100000, 500000);
  check (&target, 400000, GCC_TARGET_LIMIT_LOSS, TRUE);
}

static void
test_a_s_stays_where_a_remb_that_ends_had_held_it (void)
{
  GccTarget target;

  init (&target);
  report (&target, 13, 0);
  gcc_target_feed_remb (&target, 200000, 0);
  gcc_target_release_remb (&target, 250000);
  check (&target, 200000, GCC_TARGET_LIMIT_LOSS, TRUE);
  gcc_target_feed_loss_based (&target, 300000, GCC_REASON_LOSS);
  check (&target, 250000, GCC_TARGET_LIMIT_REMB, FALSE);
  gcc_target_release_remb (&target, GCC_RATE_NONE);
  check (&target, 250000, GCC_TARGET_LIMIT_LOSS, TRUE);
}

static void
test_a_clock_that_is_set_back_ends_the_start_phase (void)
{
  GccTarget target;

  init (&target);
  report (&target, 0, 10 * GCC_SECOND);
  gcc_target_feed_remb (&target, 1000000, 9 * GCC_SECOND);
  check (&target, START_RATE, GCC_TARGET_LIMIT_LOSS, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/target/" #name, test_##name)
  ADD (first_remb_applies_at_once);
  ADD (a_s_follows_rembs_both_ways_in_the_start_phase);
  ADD (loss_suspends_the_start_phase);
  ADD (only_generations_with_a_start_phase_follow_a_remb_up);
  ADD (the_default_follows_a_receiver_that_measures_up);
  ADD (a_remb_that_has_grown_away_is_no_measurement);
  ADD (a_remb_far_above_a_s_is_no_measurement);
  ADD (a_cap_that_ends_lets_a_s_rise_by_steps);
  ADD (loss_ends_the_steps);
  ADD (a_bound_that_has_not_held_a_s_is_no_cap);
  ADD (nothing_is_followed_up_soon_after_loss);
  ADD (remb_caps_and_a_higher_one_does_not_raise);
  ADD (the_least_of_the_sources_is_a_s);
  ADD (limits_come_last);
  ADD (a_s_stays_where_a_remb_that_ends_had_held_it);
  ADD (a_clock_that_is_set_back_ends_the_start_phase);
  ADD (the_reason_is_that_of_the_last_change);
  ADD (a_restart_is_bound_by_the_limits_and_remb_only);
  ADD (no_rate_rises_for_loss);
#undef ADD
  return g_test_run ();
}
