/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/rate/gcc-bayesian-rate.h>

#include "conformance.h"

#define DERIVED "C26 bitrate_estimator, derived"

/* Bytes each 10 ms. */
#define FAST 2500
#define SLOW 625

/* Returns the time after them. */
static GccTime
feed (GccBayesianRate *rate, gsize bytes, GccTime now, GccTime duration)
{
  for (GccTime end = now + duration; now < end; now += 10 * GCC_MSECOND)
    gcc_bayesian_rate_update (rate, bytes, now);
  return now;
}

static void
test_a_drop_is_followed_as_derived (void)
{
  static const struct {
    gdouble kbps;
    gdouble variance;
  } expected[] = {
    { 1821.78, 4.010 },
    { 1628.61, 7.693 },
    { 1392.67, 10.040 },
    { 1153.46, 11.009 },
    { 935.99, 10.681 },
    { 753.08, 9.103 },
    { 612.54, 6.271 },
    { 525.94, 2.598 },
  };
  GccBayesianRate rate;
  GccTime now;

  gcc_bayesian_rate_init (&rate, &gcc_goog_2026_bayesian_rate);
  now = feed (&rate, FAST, 0, 1010 * GCC_MSECOND);
  conformance_check_int (
      DERIVED, "2 Mbit/s", 2000000, gcc_bayesian_rate_get (&rate));
  now = feed (&rate, SLOW, now, 100 * GCC_MSECOND);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autofree gchar *kbps = g_strdup_printf (
        "then 0.5 Mbit/s: sample %u, kbit/s", i + 1);
    g_autofree gchar *variance = g_strdup_printf (
        "then 0.5 Mbit/s: sample %u, variance", i + 1);

    conformance_check_double (DERIVED, kbps, expected[i].kbps, 5e-3,
        (gdouble) gcc_bayesian_rate_get (&rate) / 1000.);
    conformance_check_double (DERIVED, variance, expected[i].variance, 5e-4,
        gcc_bayesian_rate_get_variance (&rate));
    now = feed (&rate, SLOW, now, 150 * GCC_MSECOND);
  }
}

static void
test_first_value_is_of_a_longer_window (void)
{
  GccBayesianRate rate;

  gcc_bayesian_rate_init (&rate, &gcc_goog_2026_bayesian_rate);
  feed (&rate, FAST, 0, 500 * GCC_MSECOND);
  g_assert_cmpint (gcc_bayesian_rate_get (&rate), ==, GCC_RATE_NONE);
  gcc_bayesian_rate_update (&rate, FAST, 500 * GCC_MSECOND);
  g_assert_cmpint (gcc_bayesian_rate_get (&rate), ==, 2000000);
}

static void
test_change_is_faster_when_expected (void)
{
  GccBayesianRate calm, alert;
  GccTime now;

  gcc_bayesian_rate_init (&calm, &gcc_goog_2026_bayesian_rate);
  now = feed (&calm, SLOW, 0, GCC_SECOND);
  alert = calm;
  gcc_bayesian_rate_expect_change (&alert);
  feed (&calm, FAST, now, 300 * GCC_MSECOND);
  feed (&alert, FAST, now, 300 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_bayesian_rate_get (&alert), >, gcc_bayesian_rate_get (&calm));
}

static void
test_a_pause_empties_the_window (void)
{
  GccBayesianRate rate;
  GccTime now;

  gcc_bayesian_rate_init (&rate, &gcc_goog_2026_bayesian_rate);
  now = feed (&rate, FAST, 0, GCC_SECOND);
  feed (&rate, FAST, now + 60 * GCC_SECOND, GCC_SECOND);
  g_assert_cmpint (gcc_bayesian_rate_get (&rate), >, 1900000);
}

/* Guards: a first value of 0, and a clock that is set back. */
static void
test_any_packets_do_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (10);
  GccBayesianRate rate;

  gcc_bayesian_rate_init (&rate, &gcc_goog_2026_bayesian_rate);
  feed (&rate, 0, 0, 2 * GCC_SECOND);
  for (guint i = 0; i < 100000; i++) {
    gcc_bayesian_rate_update (&rate, (gsize) g_rand_int_range (rand, 0, 2000),
        (GccTime) g_rand_int (rand) * GCC_MSECOND);
    g_assert_cmpint (gcc_bayesian_rate_get (&rate), >=, 0);
    g_assert_true (isfinite (gcc_bayesian_rate_get_variance (&rate)));
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/bayesian-rate/" #name, test_##name)
  ADD (a_drop_is_followed_as_derived);
  ADD (first_value_is_of_a_longer_window);
  ADD (change_is_faster_when_expected);
  ADD (a_pause_empties_the_window);
  ADD (any_packets_do_no_harm);
#undef ADD
  return g_test_run ();
}
