/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-sent-rates.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <math.h>

static void
send (GccSentRates *rates, GccSentKind kind, gsize bytes, gint64 ms)
{
  gcc_sent_rates_feed (rates, kind, bytes, FALSE, ms * GCC_MSECOND);
}

static void
test_nothing_sent_is_no_rate (void)
{
  GccSentRates rates;
  GccSentFrames frames;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  for (GccSentKind kind = 0; kind < GCC_SENT_N_KINDS; kind++)
    g_assert_cmpint (gcc_sent_rates_get (&rates, kind, 0), ==, 0);
  frames = gcc_sent_rates_get_frames (&rates, 0);
  g_assert_cmpfloat (frames.per_second, ==, 0.);
  g_assert_cmpfloat (frames.bytes, ==, 0.);
  g_assert_cmpfloat (frames.packets, ==, 0.);
}

static void
test_each_kind_is_counted_by_itself (void)
{
  GccSentRates rates;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  send (&rates, GCC_SENT_VIDEO, 1000, 5000);
  send (&rates, GCC_SENT_AUDIO, 100, 5000);
  send (&rates, GCC_SENT_FEC, 200, 5010);
  send (&rates, GCC_SENT_RTX, 300, 5020);
  send (&rates, GCC_SENT_RTX, 300, 5990);

  for (gint64 ms = 5990; ms < 6000; ms++) {
    GccTime now = ms * GCC_MSECOND;

    g_assert_cmpint (
        gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, now), ==, 8000);
    g_assert_cmpint (gcc_sent_rates_get (&rates, GCC_SENT_AUDIO, now), ==, 800);
    g_assert_cmpint (gcc_sent_rates_get (&rates, GCC_SENT_FEC, now), ==, 1600);
    g_assert_cmpint (gcc_sent_rates_get (&rates, GCC_SENT_RTX, now), ==, 4800);
  }
}

/* The part of a window that has begun counts, and as much of the oldest does
 * not: there is no step when a part ends. */
static void
test_steady_packets_are_a_steady_rate (void)
{
  GccSentRates rates;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  for (gint64 ms = 0; ms < 10000; ms++) {
    send (&rates, GCC_SENT_VIDEO, 125, ms);
    if (ms >= 1050)
      g_assert_cmpint (
          ABS (gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, ms * GCC_MSECOND) -
              1000000),
          <=, 1000);
  }
}

static void
test_a_window_later_all_is_forgotten (void)
{
  GccSentRates rates;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  send (&rates, GCC_SENT_FEC, 1000, 0);
  send (&rates, GCC_SENT_FEC, 1000, 49);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_FEC, 999 * GCC_MSECOND), ==, 16000);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_FEC, 1025 * GCC_MSECOND), ==, 8000);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_FEC, 1050 * GCC_MSECOND), ==, 0);
}

static void
test_frames_end_with_a_marker (void)
{
  GccSentRates rates;
  GccSentFrames frames;
  GccTime now = 0;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  for (guint i = 0; i < 90; i++, now += GCC_SECOND / 30) {
    gcc_sent_rates_feed (&rates, GCC_SENT_VIDEO, 1000, FALSE, now);
    gcc_sent_rates_feed (&rates, GCC_SENT_VIDEO, 1000, FALSE, now);
    gcc_sent_rates_feed (&rates, GCC_SENT_VIDEO, 400, TRUE, now);
    gcc_sent_rates_feed (&rates, GCC_SENT_AUDIO, 100, TRUE, now);
    gcc_sent_rates_feed (&rates, GCC_SENT_FEC, 1000, TRUE, now);
  }

  frames = gcc_sent_rates_get_frames (&rates, now);
  g_assert_cmpfloat (fabs (frames.per_second - 30.), <=, 1.);
  g_assert_cmpfloat (fabs (frames.bytes - 2400.), <=, 1e-6);
  g_assert_cmpfloat (fabs (frames.packets - 3.), <=, 1e-9);
}

static void
test_a_jump_ahead_clears_the_window (void)
{
  GccSentRates rates;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  send (&rates, GCC_SENT_VIDEO, 1000, 0);
  send (&rates, GCC_SENT_VIDEO, 500, 3600 * 1000);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, 3600 * GCC_SECOND), ==, 4000);
}

/* A little back and the clock stands still; far back and there is a new one. */
static void
test_a_clock_that_is_set_back_does_not_pile_up (void)
{
  GccSentRates rates;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  send (&rates, GCC_SENT_VIDEO, 1000, 3600 * 1000);
  send (&rates, GCC_SENT_VIDEO, 1000, 3600 * 1000 - 500);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, 3600 * GCC_SECOND), ==,
      16000);

  for (gint64 ms = 0; ms < 5000; ms += 10)
    send (&rates, GCC_SENT_VIDEO, 1250, ms);
  g_assert_cmpint (
      gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, 4999 * GCC_MSECOND), <=,
      1010000);
}

static void
test_no_clock_does_harm (void)
{
  GRand *rand = g_rand_new_with_seed (1);
  GccSentRates rates;
  GccTime now = 0;

  gcc_sent_rates_init (&rates, &gcc_profiles[0]->sent_rates);
  for (guint i = 0; i < 200000; i++) {
    GccSentFrames frames;
    gint32 step = g_rand_int_range (rand, 0, 10 * GCC_MSECOND);

    if (i % 100 == 0)
      step = g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
    now = (GccTime) ((guint64) now + (guint64) step);
    if (i % 1000 == 0)
      now = (GccTime) ((guint64) g_rand_int (rand) << 32);
    if (i % 10000 == 0)
      now = i % 20000 == 0 ? G_MAXINT64 - GCC_SECOND : G_MININT64;
    gcc_sent_rates_feed (&rates,
        (GccSentKind) g_rand_int_range (rand, 0, GCC_SENT_N_KINDS),
        i % 7 == 0 ? G_MAXSIZE : (gsize) g_rand_int_range (rand, 0, 1500),
        g_rand_boolean (rand), now);

    g_assert_cmpint (gcc_sent_rates_get (&rates, GCC_SENT_VIDEO, now), >=, 0);
    frames = gcc_sent_rates_get_frames (&rates, now);
    g_assert_true (isfinite (frames.per_second) && frames.per_second >= 0.);
    g_assert_true (isfinite (frames.bytes) && frames.bytes >= 0.);
    g_assert_true (isfinite (frames.packets) && frames.packets >= 0.);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/sent-rates/" #name, test_##name)
  ADD (nothing_sent_is_no_rate);
  ADD (each_kind_is_counted_by_itself);
  ADD (steady_packets_are_a_steady_rate);
  ADD (a_window_later_all_is_forgotten);
  ADD (frames_end_with_a_marker);
  ADD (a_jump_ahead_clears_the_window);
  ADD (a_clock_that_is_set_back_does_not_pile_up);
  ADD (no_clock_does_harm);
#undef ADD
  return g_test_run ();
}
