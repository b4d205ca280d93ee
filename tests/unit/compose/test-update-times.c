/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-update-times.h>

/* A message of 100 bytes may take a hundredth of A_r. */
static const GccReceiverParams params = {
  .first_interval = GCC_SECOND,
  .min_interval = 200 * GCC_MSECOND,
  .max_interval = 2 * GCC_SECOND,
  .feedback_size = 100,
  .feedback_share = 0.01,
};

/* ... in 0.8 s then */
#define ESTIMATE 100000
#define INTERVAL (800 * GCC_MSECOND)

static void
test_a_timer_runs_once_it_has_begun (void)
{
  GccUpdateTimes times;

  gcc_update_times_init (&times, &params);
  g_assert_cmpint (gcc_update_times_get_next (&times), ==, GCC_TIME_NONE);
  g_assert_false (gcc_update_times_is_timer_due (&times, GCC_RATE_NONE, 0));
  gcc_update_times_begin (&times, GCC_SECOND);
  gcc_update_times_begin (&times, 2 * GCC_SECOND);
  g_assert_cmpint (gcc_update_times_get_next (&times), ==, GCC_SECOND);
  g_assert_true (
      gcc_update_times_is_timer_due (&times, GCC_RATE_NONE, GCC_SECOND));
  gcc_update_times_stop (&times);
  g_assert_cmpint (gcc_update_times_get_next (&times), ==, GCC_TIME_NONE);
}

static void
test_the_interval_is_as_long_as_the_share_of_feedback_asks (void)
{
  static const struct {
    GccRate estimate;
    GccTime interval;
  } rows[] = {
    { GCC_RATE_NONE, GCC_SECOND },
    { ESTIMATE, INTERVAL },
    { 2 * ESTIMATE, INTERVAL / 2 },
    { 1, 2 * GCC_SECOND },
    { 100 * ESTIMATE, 200 * GCC_MSECOND },
  };
  GccUpdateTimes times;

  gcc_update_times_init (&times, &params);
  gcc_update_times_feed_update (&times, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    gcc_update_times_feed_estimate (&times, rows[i].estimate);
    g_assert_cmpint (gcc_update_times_get_next (&times), ==, rows[i].interval);
  }
}

static void
test_a_packet_finds_that_an_update_is_due (void)
{
  GccUpdateTimes times;

  gcc_update_times_init (&times, &params);
  g_assert_true (gcc_update_times_is_due (&times, ESTIMATE, 0));
  gcc_update_times_feed_update (&times, 0);
  g_assert_false (gcc_update_times_is_due (&times, ESTIMATE, INTERVAL));
  g_assert_true (gcc_update_times_is_due (&times, ESTIMATE, INTERVAL + 1));
}

static void
test_a_clock_that_was_set_back_waits_an_interval (void)
{
  GccUpdateTimes times;

  gcc_update_times_init (&times, &params);
  gcc_update_times_begin (&times, 1000 * GCC_SECOND);
  g_assert_false (
      gcc_update_times_is_timer_due (&times, ESTIMATE, 10 * GCC_SECOND));
  g_assert_cmpint (
      gcc_update_times_get_next (&times), ==, 10 * GCC_SECOND + INTERVAL);
}

#define ADD(test) g_test_add_func ("/update-times/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_timer_runs_once_it_has_begun);
  ADD (the_interval_is_as_long_as_the_share_of_feedback_asks);
  ADD (a_packet_finds_that_an_update_is_due);
  ADD (a_clock_that_was_set_back_waits_an_interval);
  return g_test_run ();
}
