/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-received-rate.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define AIO "AIO test_rate RateCounter"

static void
test_window_grows_as_published (void)
{
  static const struct {
    gint64 now_ms;
    gsize size;
    GccRate rate;
  } vectors[] = {
    { 123, 500, GCC_RATE_NONE },
    { 123, 501, GCC_RATE_NONE },
    { 125, 502, 4008000 },
    { 128, 503, 2674667 },
    { 132, 504, 2008000 },
    { 134, 505, 1611200 },
    { 135, 506, 1614400 },
  };
  GccProfile profile = *gcc_profile_find ("goog-2020");
  GccReceivedRate rate;

  profile.received_rate.window = 10 * GCC_MSECOND;
  gcc_received_rate_init (&rate, &profile.received_rate);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    GccTime now = vectors[i].now_ms * GCC_MSECOND;
    g_autofree gchar *name = g_strdup_printf (
        "%d bytes at %d ms", (gint) vectors[i].size, (gint) vectors[i].now_ms);

    gcc_received_rate_update (&rate, vectors[i].size, now);
    conformance_check_int (
        AIO, name, vectors[i].rate, gcc_received_rate_get (&rate, now));
  }
}

static void
test_fixed_window_as_published (void)
{
  const gchar *source = "C13 bitrate_estimator_unittest";
  GccProfile profile = *gcc_profile_find ("rtcweb-2013");
  GccReceivedRate rate;
  GccTime now = 0;

  gcc_received_rate_init (&rate, &profile.received_rate);
  conformance_check_int (source, "empty", 0, gcc_received_rate_get (&rate, 0));
  gcc_received_rate_update (&rate, 1500, now);
  conformance_check_int (source, "one packet of 1500 bytes", 24000,
      gcc_received_rate_get (&rate, now));
  gcc_received_rate_init (&rate, &profile.received_rate);
  conformance_check_int (
      source, "initialised again", 0, gcc_received_rate_get (&rate, now));

  for (gint64 ms = 0; ms <= 100000; ms += 10) {
    now = ms * GCC_MSECOND;
    if (ms > 0 && ms % 500 == 0) {
      GccRate got = gcc_received_rate_get (&rate, now);

      if (ms <= 1500) {
        g_autofree gchar *name = g_strdup_printf (
            "1500 bytes every 10 ms, at %d ms", (gint) ms);

        conformance_check_int_near (source, name, 1200000, 24000, got);
      }
      g_assert_cmpint (ABS (got - 1200000), <=, 24000);
    }
    gcc_received_rate_update (&rate, 1500, now);
  }
  /* The published loop has moved on by one packet interval before. */
  conformance_check_int (source, "510 ms after the last packet", 0,
      gcc_received_rate_get (&rate, now + 510 * GCC_MSECOND));
}

static void
test_other_meters (void)
{
  conformance_not_applicable ("PI pkg/gcc rate_calculator_test",
      "1200 bytes every 100 ms", "115200",
      "averages over the span of its samples, not over a window");
}

static void
test_silence_empties_the_window (void)
{
  GccReceivedRate rate;
  GccTime now = 0;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("goog-2020")->received_rate);
  for (guint i = 0; i < 200; i++, now += 10 * GCC_MSECOND)
    gcc_received_rate_update (&rate, 1250, now);
  g_assert_cmpint (
      gcc_received_rate_get (&rate, now - 10 * GCC_MSECOND), ==, 1000000);
  g_assert_cmpint (
      gcc_received_rate_get (&rate, now + GCC_SECOND), ==, GCC_RATE_NONE);
}

/* 1000 bytes every @gap_ms until @end_ms. */
static void
receive (GccReceivedRate *rate, gint64 start_ms, gint64 end_ms, gint64 gap_ms)
{
  for (gint64 ms = start_ms; ms < end_ms; ms += gap_ms)
    gcc_received_rate_update (rate, 1000, ms * GCC_MSECOND);
}

/* Half a second after a change R(t) is half old, and so would be A_r. */
static void
test_a_full_path_is_known_by_what_arrived_last (void)
{
  GccReceivedRate rate;
  GccTime now = 2500 * GCC_MSECOND - 1;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("recommended")->received_rate);
  receive (&rate, 0, 2000, 10);
  receive (&rate, 2000, 2500, 16);
  g_assert_cmpint (gcc_received_rate_get (&rate, now), >, 600000);
  g_assert_cmpint (gcc_received_rate_get_full (&rate, now), >=, 480000);
  g_assert_cmpint (gcc_received_rate_get_full (&rate, now), <=, 520000);
}

static void
test_a_full_path_whose_rate_is_steady_is_known_by_the_whole_window (void)
{
  GccReceivedRate rate;
  GccTime now = 2500 * GCC_MSECOND - 1;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("recommended")->received_rate);
  receive (&rate, 0, 2000, 10);
  receive (&rate, 2000, 2500, 11);
  g_assert_cmpint (gcc_received_rate_get_full (&rate, now), ==,
      gcc_received_rate_get (&rate, now));
}

/* Nothing for 0.4 s would leave A_r at its least. */
static void
test_a_pause_is_no_path_that_takes_nothing (void)
{
  GccReceivedRate rate;
  GccTime now = 2450 * GCC_MSECOND;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("recommended")->received_rate);
  receive (&rate, 0, 2000, 10);
  g_assert_cmpint (gcc_received_rate_get_full (&rate, now), ==,
      gcc_received_rate_get (&rate, now) / 2);
}

/* Whatever comes in between: gaps, packets that are late, empty ones. */
static void
test_what_arrived_last_is_that_of_its_milliseconds (void)
{
  GccReceivedRateParams params =
      gcc_profile_find ("recommended")->received_rate;
  gint64 recent_ms = params.recent / GCC_MSECOND;
  GRand *rand = g_rand_new_with_seed (5);
  gint64 now_ms = 0;
  gint64 times[5000];
  gsize sizes[5000];
  GccReceivedRate rate;

  params.tolerance = params.max_fall = 0.;
  gcc_received_rate_init (&rate, &params);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    gint64 gap_ms = g_rand_int_range (rand, 0, i % 100 == 0 ? 900 : 8);
    gint64 bytes = 0;

    now_ms += gap_ms;
    times[i] = now_ms - g_rand_int_range (rand, 0, 20) * (i % 5 == 0);
    times[i] = MAX (times[i], 0);
    sizes[i] = (gsize) g_rand_int_range (rand, 0, 1500);
    gcc_received_rate_update (&rate, sizes[i], times[i] * GCC_MSECOND);
    for (guint j = 0; j <= i; j++)
      bytes += times[j] > now_ms - recent_ms ? (gint64) sizes[j] : 0;
    if (now_ms > 2000)
      g_assert_cmpint (gcc_received_rate_get_full (&rate, now_ms * GCC_MSECOND),
          ==, bytes * 8000 / recent_ms);
  }
  g_rand_free (rand);
}

static void
test_published_generations_have_one_window (void)
{
  GccReceivedRate rate;
  GccTime now = 2500 * GCC_MSECOND - 1;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("goog-2020")->received_rate);
  receive (&rate, 0, 2000, 10);
  receive (&rate, 2000, 2500, 16);
  g_assert_cmpint (gcc_received_rate_get_full (&rate, now), ==,
      gcc_received_rate_get (&rate, now));
}

static void
test_clock_that_jumps_does_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  GccTime now = 0;

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccReceivedRate rate;

    gcc_received_rate_init (&rate, &gcc_profiles[i]->received_rate);
    for (guint j = 0; j < 100000; j++) {
      GccRate got;

      now += g_rand_int_range (rand, 0, 20 * GCC_MSECOND);
      if (g_rand_int_range (rand, 0, 100) == 0)
        now += g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
      gcc_received_rate_update (&rate,
          j % 7 == 0 ? G_MAXSIZE : (gsize) g_rand_int_range (rand, 0, 1500),
          now);
      got = gcc_received_rate_get (&rate, now);
      g_assert_true (got >= 0 || got == GCC_RATE_NONE);
      got = gcc_received_rate_get_full (&rate, now);
      g_assert_true (got >= 0 || got == GCC_RATE_NONE);
    }
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/received-rate/window_grows_as_published",
      test_window_grows_as_published);
  g_test_add_func ("/received-rate/fixed_window_as_published",
      test_fixed_window_as_published);
  g_test_add_func ("/received-rate/other_meters", test_other_meters);
  g_test_add_func ("/received-rate/silence_empties_the_window",
      test_silence_empties_the_window);
  g_test_add_func ("/received-rate/a_full_path_is_known_by_what_arrived_last",
      test_a_full_path_is_known_by_what_arrived_last);
  g_test_add_func (
      "/received-rate/a_full_path_whose_rate_is_steady_is_known_by_the_whole_"
      "window",
      test_a_full_path_whose_rate_is_steady_is_known_by_the_whole_window);
  g_test_add_func (
      "/received-rate/what_arrived_last_is_that_of_its_milliseconds",
      test_what_arrived_last_is_that_of_its_milliseconds);
  g_test_add_func ("/received-rate/a_pause_is_no_path_that_takes_nothing",
      test_a_pause_is_no_path_that_takes_nothing);
  g_test_add_func ("/received-rate/published_generations_have_one_window",
      test_published_generations_have_one_window);
  g_test_add_func ("/received-rate/clock_that_jumps_does_no_harm",
      test_clock_that_jumps_does_no_harm);
  return g_test_run ();
}
