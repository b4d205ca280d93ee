/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-trendline.h>

#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C26 "C26 trendline_estimator_unittest"
#define DERIVED "C26 trendline_estimator_unittest, derived"

#define N_DELTAS 24
#define PERIOD_MS 20

/* A packet each 20 ms that arrives @stretch times as far from the last. The
 * detector of goog-2020 has the numbers of 2026, too. */
typedef struct {
  GccTrendline trendline;
  GccOveruseDetector detector;
  gdouble stretch;
  gint64 i;
} Spread;

static void
spread_init (Spread *spread, gdouble stretch)
{
  *spread = (Spread){ .stretch = stretch };
  gcc_trendline_init (&spread->trendline, &gcc_goog_2026_trendline);
  gcc_overuse_detector_init (
      &spread->detector, &gcc_profile_find ("goog-2020")->delay.detector);
}

static gint64
get_arrival_ms (const Spread *spread, gint64 i)
{
  return (gint64) (987654321. + spread->stretch * PERIOD_MS * (gdouble) i);
}

static GccSignal
spread_step (Spread *spread)
{
  gint64 before = get_arrival_ms (spread, spread->i);
  gint64 now = get_arrival_ms (spread, ++spread->i);
  gdouble m = gcc_trendline_update (&spread->trendline,
      (gdouble) (now - before), PERIOD_MS, now * GCC_MSECOND);

  return gcc_overuse_detector_update (&spread->detector, m,
      spread->trendline.n_deltas, PERIOD_MS, now * GCC_MSECOND);
}

/* The delta at which another signal than normal comes first. */
static gchar *
describe_signals (Spread *spread)
{
  for (guint i = 1; i <= N_DELTAS; i++) {
    GccSignal signal = spread_step (spread);

    if (signal != GCC_SIGNAL_NORMAL)
      return g_strdup_printf ("%s at %u", gcc_signal_to_string (signal), i);
  }
  return g_strdup ("normal");
}

static void
check_signals (gdouble stretch, const gchar *name, const gchar *expected)
{
  g_autofree gchar *got = NULL;
  Spread spread;

  spread_init (&spread, stretch);
  got = describe_signals (&spread);
  conformance_check_string (C26, name, expected, got);
}

static void
test_signals_come_when_published (void)
{
  Spread spread;
  g_autofree gchar *got = NULL;

  check_signals (1., "arrives as sent", "normal");
  check_signals (1.1, "arrives 10 % slower", "overuse at 24");
  spread_init (&spread, 0.85);
  got = describe_signals (&spread);
  conformance_check_boolean (C26, "arrives 15 % faster: underuse", TRUE,
      g_str_has_prefix (got, "underuse"));
}

static void
test_no_delay_is_no_slope (void)
{
  Spread spread;

  spread_init (&spread, 1.);
  for (guint i = 0; i < N_DELTAS; i++)
    spread_step (&spread);
  conformance_check_double (
      C26, "arrives as sent: trend", 0., 0., spread.detector.modified_m);
}

static void
test_trend_and_threshold_are_as_derived (void)
{
  static const struct {
    gdouble trend;
    gdouble gamma;
  } expected[] = {
    { 4.7297, 6. },
    { 5.2332, 6. },
    { 5.7341, 6. },
    { 6.2317, 6.0443 },
    { 6.7251, 6.1746 },
  };
  Spread spread;

  spread_init (&spread, 1.1);
  for (guint i = 1; i < 20; i++)
    spread_step (&spread);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autofree gchar *trend = g_strdup_printf (
        "arrives 10 %% slower: modified trend at %u", 20 + i);
    g_autofree gchar *gamma = g_strdup_printf (
        "arrives 10 %% slower: threshold at %u", 20 + i);

    spread_step (&spread);
    conformance_check_double (
        DERIVED, trend, expected[i].trend, 5e-5, spread.detector.modified_m);
    conformance_check_double (DERIVED, gamma, expected[i].gamma, 5e-5,
        gcc_overuse_detector_get_gamma (&spread.detector));
  }
}

static void
test_there_is_no_slope_before_the_window_is_full (void)
{
  Spread spread;

  spread_init (&spread, 2.);
  for (guint i = 1; i < 20; i++) {
    spread_step (&spread);
    g_assert_cmpfloat (spread.trendline.slope, ==, 0.);
  }
  spread_step (&spread);
  g_assert_cmpfloat (spread.trendline.slope, >, 0.);
}

/* Guards: a division by 0. */
static void
test_packets_that_arrive_together_have_no_slope (void)
{
  GccTrendline trendline;

  gcc_trendline_init (&trendline, &gcc_goog_2026_trendline);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpfloat (
        gcc_trendline_update (&trendline, 0., 20., GCC_SECOND), ==, 0.);
}

static void
test_slope_is_that_of_a_steady_queue (void)
{
  gdouble m = 0.;
  GccTrendline trendline;

  gcc_trendline_init (&trendline, &gcc_goog_2026_trendline);
  /* 2 ms more each 22 ms */
  for (guint i = 1; i <= 500; i++)
    m = gcc_trendline_update (
        &trendline, 22., 20., (GccTime) i * 22 * GCC_MSECOND);
  g_assert_cmpfloat_with_epsilon (m, 4. * 2. / 22., 1e-9);
}

/* Guards the sums, which are not made anew for each delta: after pauses, and
 * deltas that have no time between them, no rounding stays. */
static void
test_what_has_left_the_window_is_forgotten (void)
{
  static const GccTime pauses[] = { 0, 1 * GCC_SECOND, 20 * GCC_SECOND,
    -5 * GCC_SECOND };

  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++) {
    GccTime now = GCC_SECOND / 3;
    GccTrendline trendline;
    gdouble m = 0.;

    gcc_trendline_init (&trendline, &gcc_goog_2026_trendline);
    for (guint j = 0; j < 33; j++)
      gcc_trendline_update (&trendline, 33., 20., now += 33 * GCC_MSECOND);
    for (guint j = 0; j < 9; j++)
      gcc_trendline_update (&trendline, 33., 20., now += pauses[i]);
    /* the smoothed delay has followed, too */
    for (guint j = 0; j < 300; j++)
      m = gcc_trendline_update (&trendline, 22., 20., now += 22 * GCC_MSECOND);
    g_assert_cmpfloat_with_epsilon (m, 4. * 2. / 22., 1e-9);
  }
}

/* Guards: squares that are rounded tell a little time from none. */
static void
test_a_slope_stays_while_there_is_no_time (void)
{
  GccTime now = GCC_SECOND / 3;
  GccTrendline trendline;
  gdouble m = 0.;

  gcc_trendline_init (&trendline, &gcc_goog_2026_trendline);
  for (guint i = 0; i < 50; i++)
    gcc_trendline_update (&trendline, 30., 20., now += 29999999);
  now += 3 * GCC_SECOND + 1;
  for (guint i = 0; i < 19; i++)
    m = gcc_trendline_update (&trendline, 0., 20., now);
  for (guint i = 0; i < 50; i++)
    g_assert_cmpfloat (gcc_trendline_update (&trendline, 0., 20., now), ==, m);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/trendline/" #name, test_##name)
  ADD (signals_come_when_published);
  ADD (no_delay_is_no_slope);
  ADD (trend_and_threshold_are_as_derived);
  ADD (there_is_no_slope_before_the_window_is_full);
  ADD (packets_that_arrive_together_have_no_slope);
  ADD (slope_is_that_of_a_steady_queue);
  ADD (what_has_left_the_window_is_forgotten);
  ADD (a_slope_stays_while_there_is_no_time);
#undef ADD
  return g_test_run ();
}
