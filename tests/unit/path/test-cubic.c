/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-cubic.h>

static const GccCubicParams cubic = { .packet = 1500., .beta = 0.7, .C = 0.4 };

/* RFC 9438, section 4.3: of Reno's window, which grows by 3 (1 - 0.7) / 1.7 a
 * round trip, the mean is 1.5 times the round trips between losses. */
static void
test_a_short_round_trip_has_the_mean_of_reno (void)
{
  g_assert_cmpfloat_with_epsilon (gcc_cubic_rate (&cubic, 1., 0.05),
      1.5 * 1. / 0.05 / 0.05 * 8. * 1500., 1.);
}

/* Of W_max = interval³ · C / (1 - beta), (3 + beta) / 4 is the mean. */
static void
test_a_long_interval_has_the_mean_of_cubic (void)
{
  g_assert_cmpfloat_with_epsilon (gcc_cubic_rate (&cubic, 10., 0.2),
      1000. * 0.4 / 0.3 * 3.7 / 4. / 0.2 * 8. * 1500., 1.);
}

static void
test_the_interval_of_a_rate_has_that_rate (void)
{
  for (gdouble rate = 50000.; rate < 100e6; rate *= 2.) {
    gdouble interval = gcc_cubic_interval (&cubic, rate, 0.3);

    g_assert_cmpfloat_with_epsilon (
        gcc_cubic_rate (&cubic, interval, 0.3) / rate, 1., 1e-4);
  }
}

static void
test_no_round_trip_is_too_short (void)
{
  g_assert_cmpfloat (
      gcc_cubic_rate (&cubic, 1., 0.), ==, gcc_cubic_rate (&cubic, 1., 0.001));
}

/* RFC 5348, section 3.1: with one loss in 600 packets, and with one in six. */
static void
test_small_windows_wait_for_time_outs (void)
{
  GccCubicParams waits = cubic;

  waits.timeout = 4.;
  g_assert_cmpfloat_with_epsilon (gcc_cubic_rate (&waits, 1., 0.05),
      8. * 1500. /
          (1. / 600. + 0.2 * 0.075 / 600. * (1. + 32. / (600. * 600.))),
      1.);
  g_assert_cmpfloat_with_epsilon (gcc_cubic_rate (&waits, 0.4, 0.2),
      8. * 1500. / (1. / 15. + 0.8 * 0.75 / 6. * (1. + 32. / 36.)), 1.);
}

#define ADD(test) g_test_add_func ("/cubic/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_short_round_trip_has_the_mean_of_reno);
  ADD (a_long_interval_has_the_mean_of_cubic);
  ADD (the_interval_of_a_rate_has_that_rate);
  ADD (no_round_trip_is_too_short);
  ADD (small_windows_wait_for_time_outs);
  return g_test_run ();
}
