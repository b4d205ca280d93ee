/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-rtt-backoff.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>

#define RATE 1000000

/* Sends each 25 ms and asks for the rate. */
static GccRate
run (GccRttBackoff *backoff, GccRate rate, GccTime *now, GccTime duration,
    gboolean sends)
{
  for (GccTime end = *now + duration; *now < end; *now += 25 * GCC_MSECOND) {
    if (sends)
      gcc_rtt_backoff_feed_sent (backoff, *now);
    rate = gcc_rtt_backoff_update (backoff, rate, *now);
  }
  return rate;
}

static void
test_unanswered_packets_lower_the_rate_each_second (void)
{
  GccRttBackoff backoff;
  GccTime now = 0;
  GccRate rate;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  gcc_rtt_backoff_feed_feedback (&backoff, 100 * GCC_MSECOND, now);
  rate = run (&backoff, RATE, &now, 2900 * GCC_MSECOND, TRUE);
  g_assert_cmpint (rate, ==, RATE);
  rate = run (&backoff, rate, &now, 100 * GCC_MSECOND, TRUE);
  g_assert_cmpint (rate, ==, 800000);
  rate = run (&backoff, rate, &now, 1 * GCC_SECOND, TRUE);
  g_assert_cmpint (rate, ==, 640000);
  rate = run (&backoff, rate, &now, 100 * GCC_SECOND, TRUE);
  g_assert_cmpint (rate, ==, 5000);
}

/* A video that stops is no path that fails. */
static void
test_silence_lowers_nothing (void)
{
  GccRttBackoff backoff;
  GccTime now = 0;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  gcc_rtt_backoff_feed_feedback (&backoff, 100 * GCC_MSECOND, now);
  g_assert_cmpint (
      run (&backoff, RATE, &now, 60 * GCC_SECOND, FALSE), ==, RATE);
}

static void
test_feedback_ends_it (void)
{
  GccRttBackoff backoff;
  GccTime now = 0;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  gcc_rtt_backoff_feed_feedback (&backoff, 4 * GCC_SECOND, now);
  g_assert_true (gcc_rtt_backoff_is_active (&backoff));
  run (&backoff, RATE, &now, 4 * GCC_SECOND, TRUE);
  gcc_rtt_backoff_feed_feedback (&backoff, 100 * GCC_MSECOND, now);
  g_assert_false (gcc_rtt_backoff_is_active (&backoff));
  g_assert_cmpint (run (&backoff, RATE, &now, GCC_SECOND, TRUE), ==, RATE);
}

static void
test_nothing_is_known_before_the_first_feedback (void)
{
  GccRttBackoff backoff;
  GccTime now = 0;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  g_assert_cmpint (run (&backoff, RATE, &now, 60 * GCC_SECOND, TRUE), ==, RATE);
}

/* Guards: the round trip less the time since the last packet. */
static void
test_a_late_feedback_is_no_short_round_trip (void)
{
  GccRttBackoff backoff;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  gcc_rtt_backoff_feed_sent (&backoff, 0);
  gcc_rtt_backoff_feed_feedback (&backoff, 4 * GCC_SECOND, 10 * GCC_SECOND);
  g_assert_cmpint (gcc_rtt_backoff_get_rtt (&backoff), ==, 4 * GCC_SECOND);
}

/* A decrease never raises a rate. */
static void
test_a_rate_below_the_floor_stays (void)
{
  GccRttBackoff backoff;

  gcc_rtt_backoff_init (&backoff, &gcc_goog_2026_rtt_backoff);
  gcc_rtt_backoff_feed_feedback (&backoff, 4 * GCC_SECOND, 0);
  g_assert_cmpint (gcc_rtt_backoff_update (&backoff, 1000, 0), ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/rtt-backoff/" #name, test_##name)
  ADD (unanswered_packets_lower_the_rate_each_second);
  ADD (silence_lowers_nothing);
  ADD (feedback_ends_it);
  ADD (nothing_is_known_before_the_first_feedback);
  ADD (a_late_feedback_is_no_short_round_trip);
  ADD (a_rate_below_the_floor_stays);
#undef ADD
  return g_test_run ();
}
