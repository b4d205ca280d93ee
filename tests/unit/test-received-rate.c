/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-received-rate.h>

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
  gcc_received_rate_init (&rate, &profile);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    GccTime now = vectors[i].now_ms * GCC_MSECOND;
    g_autofree gchar *name = g_strdup_printf ("%d bytes at %d ms",
        (gint) vectors[i].size, (gint) vectors[i].now_ms);

    gcc_received_rate_update (&rate, vectors[i].size, now);
    conformance_check_int (AIO, name, vectors[i].rate,
        gcc_received_rate_get (&rate, now));
  }
}

static void
test_silence_empties_the_window (void)
{
  GccReceivedRate rate;
  GccTime now = 0;

  gcc_received_rate_init (&rate, gcc_profile_find ("goog-2020"));
  for (guint i = 0; i < 200; i++, now += 10 * GCC_MSECOND)
    gcc_received_rate_update (&rate, 1250, now);
  g_assert_cmpint (gcc_received_rate_get (&rate, now - 1), ==, 1000000);
  g_assert_cmpint (gcc_received_rate_get (&rate, now + GCC_SECOND), ==,
      GCC_RATE_NONE);
}

static void
test_clock_that_jumps_does_no_harm (void)
{
  GRand *rand = g_rand_new_with_seed (3);
  GccTime now = 0;

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccReceivedRate rate;

    gcc_received_rate_init (&rate, &gcc_profiles[i]);
    for (guint j = 0; j < 100000; j++) {
      GccRate got;

      now += g_rand_int_range (rand, 0, 20 * GCC_MSECOND);
      if (g_rand_int_range (rand, 0, 100) == 0)
        now += g_rand_int_range (rand, -3 * GCC_SECOND, 3 * GCC_SECOND);
      gcc_received_rate_update (&rate, j % 7 == 0 ? G_MAXSIZE :
          (gsize) g_rand_int_range (rand, 0, 1500), now);
      got = gcc_received_rate_get (&rate, now);
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
  g_test_add_func ("/received-rate/silence_empties_the_window",
      test_silence_empties_the_window);
  g_test_add_func ("/received-rate/clock_that_jumps_does_no_harm",
      test_clock_that_jumps_does_no_harm);
  return g_test_run ();
}
