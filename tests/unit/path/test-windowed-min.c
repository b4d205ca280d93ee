/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-windowed-min.h>

#define WINDOW (10 * GCC_SECOND)

static GccWindowedMin least;

static GccTime
feed (GccTime time, GccTime now)
{
  gcc_windowed_min_feed (&least, time, WINDOW, now);
  return gcc_windowed_min_get_excess (&least, time);
}

static void
test_what_is_above_the_least_is_the_excess (void)
{
  gcc_windowed_min_init (&least);
  g_assert_cmpint (feed (80, 0), ==, 0);
  g_assert_cmpint (feed (50, 1), ==, 0);
  g_assert_cmpint (feed (70, 2), ==, 20);
}

static void
test_the_least_is_kept_for_one_window_and_gone_after_two (void)
{
  gcc_windowed_min_init (&least);
  feed (50, 0);
  g_assert_cmpint (feed (90, WINDOW), ==, 40);
  g_assert_cmpint (feed (90, 2 * WINDOW - 1), ==, 40);
  g_assert_cmpint (feed (90, 2 * WINDOW), ==, 0);
}

static void
test_before_the_first_nothing_is_known (void)
{
  gcc_windowed_min_init (&least);
  g_assert_cmpint (gcc_windowed_min_get_excess (&least, 50), <, 0);
  feed (50, 0);
  g_assert_cmpint (gcc_windowed_min_get_excess (&least, GCC_TIME_NONE), <, 0);
}

static void
test_a_clock_that_is_set_back_begins_a_window (void)
{
  gcc_windowed_min_init (&least);
  feed (50, 100 * WINDOW);
  g_assert_cmpint (feed (90, 0), ==, 40);
  g_assert_cmpint (feed (90, WINDOW), ==, 0);
}

/* By two clocks that need not agree. */
static void
test_times_may_be_negative (void)
{
  gcc_windowed_min_init (&least);
  g_assert_cmpint (feed (-80, 0), ==, 0);
  g_assert_cmpint (feed (-50, 1), ==, 30);
  g_assert_cmpint (feed (10, 2), ==, 90);
}

static void
test_a_begin_forgets_the_times_before (void)
{
  gcc_windowed_min_init (&least);
  feed (50, 0);
  feed (60, WINDOW);
  gcc_windowed_min_begin (&least, 90, WINDOW + 1);
  g_assert_cmpint (feed (95, WINDOW + 2), ==, 5);
}

static void
test_a_time_that_is_held_does_not_age (void)
{
  gcc_windowed_min_init (&least);
  feed (50, 0);
  gcc_windowed_min_hold (&least, 5 * WINDOW);
  g_assert_cmpint (feed (90, 5 * WINDOW), ==, 40);
  g_assert_cmpint (feed (90, 6 * WINDOW), ==, 40);
  g_assert_cmpint (feed (90, 7 * WINDOW), ==, 0);
}

#define ADD(test) g_test_add_func ("/windowed-min/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (what_is_above_the_least_is_the_excess);
  ADD (the_least_is_kept_for_one_window_and_gone_after_two);
  ADD (before_the_first_nothing_is_known);
  ADD (a_clock_that_is_set_back_begins_a_window);
  ADD (times_may_be_negative);
  ADD (a_begin_forgets_the_times_before);
  ADD (a_time_that_is_held_does_not_age);
  return g_test_run ();
}
