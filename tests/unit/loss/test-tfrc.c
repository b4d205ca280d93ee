/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-tfrc.h>

#include "conformance.h"

/* Derived from the equation as C13 uses it: 1000-byte packets, and the byte of
 * the report over 255 for the loss event rate. */
static void
test_throughput_as_derived (void)
{
  static const guint8 losses[] = { 27, 51, 77, 128, 255 };
  static const struct {
    gint64 rtt_ms;
    GccRate rates[G_N_ELEMENTS (losses)];
  } rows[] = {
    { 10, { 1312128, 429249, 153088, 32971, 3287 } },
    { 50, { 262425, 85849, 30617, 6594, 657 } },
    { 100, { 131212, 42924, 15308, 3297, 328 } },
    { 200, { 65606, 21462, 7654, 1648, 164 } },
    { 500, { 26242, 8584, 3061, 659, 65 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (losses); j++) {
      g_autofree gchar *name = g_strdup_printf (
          "RTT %d ms, loss %u/255", (gint) rows[i].rtt_ms, losses[j]);

      conformance_check_int ("RFC 5348 section 3.1, derived", name,
          rows[i].rates[j],
          gcc_tfrc_throughput (
              1000, rows[i].rtt_ms * GCC_MSECOND, losses[j] / 255.));
    }
  }
}

static void
test_no_round_trip_gives_no_infinity (void)
{
  g_assert_cmpint (gcc_tfrc_throughput (1000, 0, 1e-9), >, 0);
  g_assert_cmpint (gcc_tfrc_throughput (1000, -1, 1.), >, 0);
  g_assert_cmpint (gcc_tfrc_throughput (G_MAXUINT, 0, 1e-300), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc/throughput_as_derived", test_throughput_as_derived);
  g_test_add_func ("/tfrc/no_round_trip_gives_no_infinity",
      test_no_round_trip_gives_no_infinity);
  return g_test_run ();
}
