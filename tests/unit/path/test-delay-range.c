/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-delay-range.h>

static void
test_a_delay_that_stays_does_not_vary (void)
{
  GccDelayRange range;

  gcc_delay_range_begin (&range, 50 * GCC_MSECOND, 7 * GCC_SECOND);
  gcc_delay_range_feed (&range, 50 * GCC_MSECOND);
  g_assert_cmpint (range.since, ==, 7 * GCC_SECOND);
  g_assert_cmpint (gcc_delay_range_get_variation (&range), ==, 0);
}

static void
test_the_variation_is_the_longest_less_the_shortest (void)
{
  GccDelayRange range;

  gcc_delay_range_begin (&range, 50 * GCC_MSECOND, 0);
  gcc_delay_range_feed (&range, 90 * GCC_MSECOND);
  gcc_delay_range_feed (&range, 30 * GCC_MSECOND);
  gcc_delay_range_feed (&range, 60 * GCC_MSECOND);
  g_assert_cmpint (range.shortest, ==, 30 * GCC_MSECOND);
  g_assert_cmpint (range.longest, ==, 90 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_delay_range_get_variation (&range), ==, 60 * GCC_MSECOND);
}

static void
test_what_was_before_it_began_is_forgotten (void)
{
  GccDelayRange range;

  gcc_delay_range_begin (&range, 50 * GCC_MSECOND, 0);
  gcc_delay_range_feed (&range, 500 * GCC_MSECOND);
  gcc_delay_range_begin (&range, 60 * GCC_MSECOND, GCC_SECOND);
  g_assert_cmpint (range.since, ==, GCC_SECOND);
  g_assert_cmpint (gcc_delay_range_get_variation (&range), ==, 0);
}

/* Delays of packets that arrive before they were sent, by clocks that differ. */
static void
test_delays_below_zero_vary_like_others (void)
{
  GccDelayRange range;

  gcc_delay_range_begin (&range, -50 * GCC_MSECOND, 0);
  gcc_delay_range_feed (&range, 20 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_delay_range_get_variation (&range), ==, 70 * GCC_MSECOND);
}

static void
test_windows_follow_one_another (void)
{
  GccDelayRange range = { .since = GCC_TIME_NONE }, ended;

  g_assert_false (gcc_delay_range_feed_window (
      &range, 50 * GCC_MSECOND, GCC_SECOND, &ended, 7 * GCC_SECOND));
  g_assert_false (gcc_delay_range_feed_window (
      &range, 30 * GCC_MSECOND, GCC_SECOND, &ended, 8 * GCC_SECOND - 1));
  g_assert_true (gcc_delay_range_feed_window (
      &range, 90 * GCC_MSECOND, GCC_SECOND, &ended, 8 * GCC_SECOND));
  g_assert_cmpint (ended.since, ==, 7 * GCC_SECOND);
  g_assert_cmpint (ended.shortest, ==, 30 * GCC_MSECOND);
  g_assert_cmpint (ended.longest, ==, 90 * GCC_MSECOND);
  /* the delay that ends one begins the next */
  g_assert_cmpint (range.since, ==, 8 * GCC_SECOND);
  g_assert_cmpint (range.shortest, ==, 90 * GCC_MSECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/delay-range/stays", test_a_delay_that_stays_does_not_vary);
  g_test_add_func ("/delay-range/variation",
      test_the_variation_is_the_longest_less_the_shortest);
  g_test_add_func (
      "/delay-range/begins", test_what_was_before_it_began_is_forgotten);
  g_test_add_func (
      "/delay-range/below-zero", test_delays_below_zero_vary_like_others);
  g_test_add_func ("/delay-range/windows", test_windows_follow_one_another);
  return g_test_run ();
}
