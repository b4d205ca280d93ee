/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-loss-control.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C20 "C20 send_side_bandwidth_estimation_unittest"

#define MIN_RATE 50000
#define START_RATE 300000
#define MAX_RATE 2000000

/* The controller, and the target that it is told of: eq. (1) starts from the
 * A_s in force. */
typedef struct {
  GccTarget target;
  GccLossControl control;
} Loop;

static void
loop_init (Loop *loop, const GccProfile *profile, GccRate min, GccRate start,
    GccRate max)
{
  gcc_target_init (&loop->target, &profile->target, min, start, max);
  gcc_loss_control_init (&loop->control, &profile->loss, &loop->target.result);
}

static GccRate
get_target (const Loop *loop)
{
  return loop->target.result.rate;
}

static void
tell_target (Loop *loop, GccTime now)
{
  gcc_loss_control_feed_target (&loop->control, &loop->target.result, now);
}

/* Returns whether A_s changes. */
static gboolean
follow (Loop *loop, GccRate rate, GccTime now)
{
  GccRate before = get_target (loop);

  if (rate == GCC_RATE_NONE)
    return FALSE;
  gcc_target_feed_loss_based (&loop->target, rate, GCC_REASON_LOSS);
  tell_target (loop, now);
  return get_target (loop) != before;
}

static gboolean
report (Loop *loop, guint8 fraction_lost, gint64 rtt_ms, GccTime now)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = fraction_lost / 256.,
    .rtt = rtt_ms * GCC_MSECOND,
  };

  gcc_target_feed_report (&loop->target, &report, now);
  return follow (
      loop, gcc_loss_control_feed_report (&loop->control, &report, now), now);
}

static void
remb (Loop *loop, GccRate rate, GccTime now)
{
  gcc_target_feed_remb (&loop->target, rate, now);
  tell_target (loop, now);
}

static GccTime
next_timeout (const Loop *loop)
{
  return gcc_loss_control_next_timeout (&loop->control);
}

static gboolean
handle_timeout (Loop *loop, GccTime now)
{
  return follow (
      loop, gcc_loss_control_handle_timeout (&loop->control, now), now);
}

static void
test_one_decrease_for_one_report (void)
{
  GccTime now = 1000 * GCC_MSECOND;
  GccRate after;
  Loop loop;

  loop_init (&loop, gcc_profile_find ("goog-2020"), 100000, 200000, 1000000);
  report (&loop, 0, 0, now);
  remb (&loop, 1000000, now);
  now += 1000 * GCC_MSECOND;
  report (&loop, 128, 0, now);
  after = get_target (&loop);
  conformance_check_boolean (
      C20, "50 of 100 packets lost: decrease", TRUE, after < 1000000);
  now += 1000 * GCC_MSECOND;
  handle_timeout (&loop, now);
  conformance_check_int (
      C20, "no second decrease without a report", after, get_target (&loop));
}

static void
run_until (Loop *loop, GccTime until)
{
  GccTime next;

  while ((next = next_timeout (loop)) != GCC_TIME_NONE && next <= until)
    handle_timeout (loop, next);
}

static void
test_rate_grows_once_a_second_however_often_reports_come (void)
{
  static const gint64 intervals_ms[] = { 100, 250, 1000, 2500 };

  for (guint i = 0; i < G_N_ELEMENTS (intervals_ms); i++) {
    GccRate expected = START_RATE;
    Loop loop;
    GccTime now = 0;

    loop_init (
        &loop, gcc_profile_find ("goog-2020"), MIN_RATE, START_RATE, MAX_RATE);
    for (guint second = 0; second < 10; second++) {
      GccTime until = (second + 1) * GCC_SECOND - 1;

      for (; now <= until; now += intervals_ms[i] * GCC_MSECOND) {
        run_until (&loop, now);
        report (&loop, 0, 50, now);
      }
      run_until (&loop, until);
      expected = (GccRate) (expected * 1.08 + 0.5) + 1000;
      g_assert_cmpint (get_target (&loop), ==, expected);
    }
  }
}

static void
test_timeouts_come_only_when_there_is_something_to_do (void)
{
  guint n_timeouts = 0;
  Loop loop;
  GccTime next;

  loop_init (
      &loop, gcc_profile_find ("goog-2020"), MIN_RATE, START_RATE, MAX_RATE);
  g_assert_cmpint (next_timeout (&loop), ==, GCC_TIME_NONE);

  report (&loop, 0, 50, 0);
  while ((next = next_timeout (&loop)) != GCC_TIME_NONE) {
    g_assert_true (handle_timeout (&loop, next));
    n_timeouts++;
  }
  /* Once a second until the report is too old. */
  g_assert_cmpuint (n_timeouts, ==, 5);

  remb (&loop, 100000, 6 * GCC_SECOND);
  report (&loop, 0, 50, 6 * GCC_SECOND);
  g_assert_cmpint (next_timeout (&loop), ==, GCC_TIME_NONE);
}

static void
test_rate_rises_soon_after_a_remb_that_held_it (void)
{
  Loop loop;
  GccTime now = 10 * GCC_SECOND;

  loop_init (
      &loop, gcc_profile_find ("goog-2020"), MIN_RATE, START_RATE, MAX_RATE);
  remb (&loop, 300000, 0);
  report (&loop, 0, 50, 0);
  report (&loop, 0, 50, now);
  g_assert_cmpint (get_target (&loop), ==, 300000);

  remb (&loop, 1000000, now);
  g_assert_cmpint (get_target (&loop), ==, 300000);
  g_assert_cmpint (next_timeout (&loop), ==, now + 25 * GCC_MSECOND);
  g_assert_true (handle_timeout (&loop, now + 25 * GCC_MSECOND));
  g_assert_cmpint (get_target (&loop), ==, 325000);
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
    Loop loop;

    loop_init (
        &loop, gcc_profile_find ("goog-2020"), MIN_RATE, 1000000, MAX_RATE);
    report (&loop, cases[i].fraction_lost, 50, 0);
    g_assert_cmpint (get_target (&loop), ==, cases[i].target);
  }
}

static void
test_decreases_keep_their_distance (void)
{
  Loop loop;
  GccTime now = 0;

  loop_init (
      &loop, gcc_profile_find ("goog-2020"), MIN_RATE, 1000000, MAX_RATE);
  report (&loop, 128, 50, now);
  g_assert_cmpint (get_target (&loop), ==, 750000);

  /* 300 ms + RTT have not passed; time alone brings the decrease then. */
  now += 200 * GCC_MSECOND;
  report (&loop, 128, 50, now);
  g_assert_cmpint (get_target (&loop), ==, 750000);
  g_assert_cmpint (next_timeout (&loop), ==, 350 * GCC_MSECOND);
  g_assert_true (handle_timeout (&loop, 350 * GCC_MSECOND));
  g_assert_cmpint (get_target (&loop), ==, 562500);
  g_assert_cmpint (next_timeout (&loop), ==, GCC_TIME_NONE);
}

static void
test_long_round_trips_lower_the_rate (void)
{
  Loop loop;
  guint n = 0;

  loop_init (
      &loop, gcc_profile_find ("goog-2020"), MIN_RATE, 1000000, MAX_RATE);
  report (&loop, 0, 3500, 0);
  g_assert_cmpint (get_target (&loop), ==, 800000);
  for (GccTime next; (next = next_timeout (&loop)) != GCC_TIME_NONE; n++)
    handle_timeout (&loop, next);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpint (get_target (&loop), ==, 262144);
}

/* Guards: 0 bit/s in the trace, which is no rate. */
static void
test_the_least_rate_is_not_lowered_to_none (void)
{
  Loop loop;

  loop_init (&loop, gcc_profile_find ("goog-2020"), 1, 1, MAX_RATE);
  report (&loop, 0, 3500, 0);
  g_assert_cmpint (loop.control.rate, ==, 1);
  report (&loop, 255, 50, 10 * GCC_SECOND);
  g_assert_cmpint (loop.control.rate, ==, 1);
}

static void
test_limits_apply_at_once_and_always (void)
{
  GRand *rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccRate min = MIN_RATE, max = MAX_RATE;
    Loop loop;
    GccTime now = 0;

    loop_init (&loop, gcc_profiles[i], min, START_RATE, max);
    for (guint j = 0; j < 200000; j++) {
      GccRate before = get_target (&loop);
      guint8 fraction_lost = (guint8) g_rand_int_range (
          rand, 0, j % 2 == 0 ? 10 : 256);
      GccRate after;

      now += g_rand_int_range (rand, -GCC_SECOND / 20, GCC_SECOND / 2);
      switch (g_rand_int_range (rand, 0, 8)) {
        case 0:
          min = g_rand_int_range (rand, 1, 1000000);
          max = min + g_rand_int_range (rand, 0, 3000000);
          gcc_target_set_limits (&loop.target, min, max);
          gcc_loss_control_feed_limited_target (
              &loop.control, &loop.target.result);
          break;
        case 1:
        case 2:
          remb (&loop, g_rand_int_range (rand, -1, 4000000), now);
          break;
        case 3:
        case 4:
          handle_timeout (&loop, now);
          break;
        default:
          report (&loop, fraction_lost,
              g_rand_int_range (rand, 0, j % 50 == 0 ? 10000 : 500), now);
          after = get_target (&loop);
          if (fraction_lost > 26 && !gcc_profiles[i]->loss.tfrc_raises)
            g_assert_cmpint (after, <=, before);
          else if (loop.control.rtt <= 3 * GCC_SECOND && fraction_lost <= 5)
            g_assert_cmpint (after, >=, before);
      }
      after = get_target (&loop);
      g_assert_cmpint (after, >=, min);
      g_assert_cmpint (after, <=, max);
      g_assert_cmpint (loop.control.rate, >=, 0);
    }
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/loss-control/" #name, test_##name)
  ADD (one_decrease_for_one_report);
  ADD (rate_grows_once_a_second_however_often_reports_come);
  ADD (timeouts_come_only_when_there_is_something_to_do);
  ADD (rate_rises_soon_after_a_remb_that_held_it);
  ADD (loss_decides);
  ADD (decreases_keep_their_distance);
  ADD (long_round_trips_lower_the_rate);
  ADD (the_least_rate_is_not_lowered_to_none);
  ADD (limits_apply_at_once_and_always);
#undef ADD
  return g_test_run ();
}
