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
    }
  }
  g_rand_free (rand);
}

/* The bytes of the last second, counted anew each time. */
static guint64
count_bytes (const GccTime *arrivals, guint n, gsize size, gint64 now_ms)
{
  guint64 bytes = 0;

  for (guint i = 0; i < n; i++)
    bytes += arrivals[i] / GCC_MSECOND > now_ms - 1000 ? size : 0;
  return bytes;
}

static void
test_packets_count_for_their_own_ms_when_the_clock_goes_back (void)
{
  enum {
    N_PACKETS = 3000,
    SIZE = 1000
  };
  static GccTime arrivals[N_PACKETS];
  GRand *rand = g_rand_new_with_seed (7);
  GccReceivedRate rate;
  gint64 newest_ms = 0;

  gcc_received_rate_init (
      &rate, &gcc_profile_find ("goog-2020")->received_rate);
  for (guint i = 0; i < N_PACKETS; i++) {
    /* never further back than the window */
    gint64 ms = newest_ms + g_rand_int_range (rand, i > 0 ? -400 : 0, 410);

    arrivals[i] = ms * GCC_MSECOND;
    newest_ms = MAX (newest_ms, ms);
    gcc_received_rate_update (&rate, SIZE, arrivals[i]);
    if (newest_ms > 2000)
      g_assert_cmpint (gcc_received_rate_get (&rate, newest_ms * GCC_MSECOND),
          ==, count_bytes (arrivals, i + 1, SIZE, newest_ms) * 8);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/received-rate/" #name, test_##name)
  ADD (window_grows_as_published);
  ADD (fixed_window_as_published);
  ADD (other_meters);
  ADD (silence_empties_the_window);
  ADD (clock_that_jumps_does_no_harm);
  ADD (packets_count_for_their_own_ms_when_the_clock_goes_back);
#undef ADD
  return g_test_run ();
}
