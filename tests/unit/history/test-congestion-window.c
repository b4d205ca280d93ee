/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-congestion-window.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>

#include "conformance.h"

#define C26 "C26 congestion_window_pushback_controller_unittest"

/* The published tests are of the mode that lowers the rate. */
static GccCongestionWindowParams
get_params (gboolean drops_frames)
{
  GccCongestionWindowParams params = gcc_goog_2026_congestion_window;

  params.drops_frames = drops_frames;
  return params;
}

static GccRate
push_back (GccCongestionWindow *window, gint64 in_flight, GccRate rate)
{
  gdouble dropped;

  return gcc_congestion_window_push_back (window, in_flight, rate, &dropped);
}

static void
test_a_full_window_pushes_back (void)
{
  GccCongestionWindowParams params = get_params (FALSE);
  GccCongestionWindow window;
  GccRate rate;

  gcc_congestion_window_init (&window, &params);
  gcc_congestion_window_set_window (&window, 50000);
  rate = push_back (&window, 100000, 80000);
  conformance_check_int (C26, "100000 of 50000 bytes in flight", 72000, rate);
  conformance_check_int (
      C26, "again", 58320, push_back (&window, 100000, rate));
}

static void
test_room_in_the_window_pushes_nothing_back (void)
{
  GccCongestionWindowParams params = get_params (FALSE);
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &params);
  conformance_check_int (
      C26, "no window", 80000, push_back (&window, 199999, 80000));
  gcc_congestion_window_set_window (&window, 200000);
  conformance_check_int (C26, "199999 of 200000 bytes in flight", 80000,
      push_back (&window, 199999, 80000));
}

static void
test_pushing_back_ends_at_the_least_rate (void)
{
  GccCongestionWindowParams params = get_params (FALSE);
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &params);
  gcc_congestion_window_set_window (&window, 50000);
  for (guint i = 0; i < 20; i++)
    push_back (&window, 100000, 80000);
  g_assert_cmpint (push_back (&window, 100000, 80000), ==, params.min_rate);
  g_assert_cmpint (push_back (&window, 100000, 20000), ==, 20000);

  g_assert_cmpint (push_back (&window, 0, 80000), ==, 80000);
}

static void
test_frames_are_dropped_in_place_of_a_lower_rate (void)
{
  GccCongestionWindow window;
  gdouble dropped = -1.;

  gcc_congestion_window_init (&window, &gcc_goog_2026_congestion_window);
  g_assert_cmpint (
      gcc_congestion_window_push_back (&window, 0, 80000, &dropped), ==, 80000);
  g_assert_cmpfloat (dropped, ==, 0.);
  gcc_congestion_window_set_window (&window, 50000);
  g_assert_cmpint (
      gcc_congestion_window_push_back (&window, 100000, 80000, &dropped), ==,
      80000);
  g_assert_cmpfloat_with_epsilon (dropped, 0.1, 1e-9);
}

static void
test_window_is_the_rate_times_the_round_trip_and_a_queue (void)
{
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &gcc_goog_2026_congestion_window);
  gcc_congestion_window_set_rate (&window, 800000);
  g_assert_cmpint (window.window, ==, 0);

  gcc_congestion_window_feed_feedback (&window, 900 * GCC_MSECOND);
  gcc_congestion_window_feed_feedback (&window, 50 * GCC_MSECOND);
  gcc_congestion_window_set_rate (&window, 800000);
  g_assert_cmpint (window.window, ==, 40000);
  /* half of it is the last one */
  gcc_congestion_window_set_rate (&window, 400000);
  g_assert_cmpint (window.window, ==, 30000);
  for (guint i = 0; i < 100; i++)
    gcc_congestion_window_set_rate (&window, 5000);
  g_assert_cmpint (window.window, ==, 3000);
}

static void
test_the_shortest_of_the_last_round_trips_counts (void)
{
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &gcc_goog_2026_congestion_window);
  gcc_congestion_window_feed_feedback (&window, 50 * GCC_MSECOND);
  for (guint i = 0; i < 32; i++)
    gcc_congestion_window_feed_feedback (&window, 650 * GCC_MSECOND);
  gcc_congestion_window_set_rate (&window, 800000);
  g_assert_cmpint (window.window, ==, 100000);
}

static void
test_a_window_is_full_with_as_much_in_flight (void)
{
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &gcc_goog_2026_congestion_window);
  g_assert_false (gcc_congestion_window_is_full (&window, 50000));
  gcc_congestion_window_set_window (&window, 50000);
  g_assert_true (gcc_congestion_window_is_full (&window, 50000));
  g_assert_false (gcc_congestion_window_is_full (&window, 49999));
}

/* Guards: found by the fuzzer, with feedback that was told to be years late. */
static void
test_a_round_trip_that_is_made_up_overflows_nothing (void)
{
  GccCongestionWindowParams params = get_params (FALSE);
  GccCongestionWindow window;

  gcc_congestion_window_init (&window, &params);
  for (guint i = 0; i < 3; i++) {
    gcc_congestion_window_feed_feedback (&window, G_MAXINT64);
    gcc_congestion_window_set_rate (&window, G_MAXINT64);
    g_assert_cmpfloat ((gdouble) window.window, >, 1e14);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/congestion-window/" #name, test_##name)
  ADD (a_full_window_pushes_back);
  ADD (room_in_the_window_pushes_nothing_back);
  ADD (pushing_back_ends_at_the_least_rate);
  ADD (frames_are_dropped_in_place_of_a_lower_rate);
  ADD (window_is_the_rate_times_the_round_trip_and_a_queue);
  ADD (the_shortest_of_the_last_round_trips_counts);
  ADD (a_window_is_full_with_as_much_in_flight);
  ADD (a_round_trip_that_is_made_up_overflows_nothing);
#undef ADD
  return g_test_run ();
}
