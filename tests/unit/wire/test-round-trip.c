/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-round-trip.h>

static void
test_round_trip_is_measured_from_the_echo (void)
{
  GccRoundTrip round_trip;

  gcc_round_trip_init (&round_trip);
  gcc_round_trip_note_sent (&round_trip, 1000, GCC_SECOND);
  gcc_round_trip_note_sent (&round_trip, 2000, 2 * GCC_SECOND);
  /* Half a second passed at the receiver. */
  g_assert_cmpint (gcc_round_trip_measure (&round_trip, 1000, 32768,
                       GCC_SECOND + 600 * GCC_MSECOND),
      ==, 100 * GCC_MSECOND);
  g_assert_cmpint (gcc_round_trip_measure (
                       &round_trip, 2000, 0, 2 * GCC_SECOND + 50 * GCC_MSECOND),
      ==, 50 * GCC_MSECOND);
}

static void
test_unknown_reports_measure_nothing (void)
{
  GccRoundTrip round_trip;

  gcc_round_trip_init (&round_trip);
  g_assert_cmpint (
      gcc_round_trip_measure (&round_trip, 0, 0, 0), ==, GCC_TIME_NONE);
  g_assert_cmpint (
      gcc_round_trip_measure (&round_trip, 1, 0, 0), ==, GCC_TIME_NONE);
  for (guint32 i = 1; i <= GCC_ROUND_TRIP_HISTORY + 1; i++)
    gcc_round_trip_note_sent (&round_trip, i, i);
  g_assert_cmpint (
      gcc_round_trip_measure (&round_trip, 1, 0, 0), ==, GCC_TIME_NONE);
}

static void
test_round_trip_is_never_negative (void)
{
  GccRoundTrip round_trip;

  gcc_round_trip_init (&round_trip);
  gcc_round_trip_note_sent (&round_trip, 1, GCC_SECOND);
  g_assert_cmpint (
      gcc_round_trip_measure (&round_trip, 1, G_MAXUINT32, GCC_SECOND), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/round-trip/" #name, test_##name)
  ADD (round_trip_is_measured_from_the_echo);
  ADD (unknown_reports_measure_nothing);
  ADD (round_trip_is_never_negative);
#undef ADD
  return g_test_run ();
}
