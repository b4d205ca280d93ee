/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-abs-send-time.h>

/* Of NTP, since 1900, at the beginning of Unix time. */
#define NTP_SECONDS_AT_1970 G_GUINT64_CONSTANT (2208988800)

static void
test_milliseconds_become_steps (void)
{
  /* C20: (((ms << 18) + 500) / 1000) & 0xffffff */
  static const struct {
    gint64 ms;
    guint32 value;
  } vectors[] = {
    { 0, 0x000000 },
    { 1, 0x000106 },
    { 10, 0x000a3d },
    { 500, 0x020000 },
    { 1000, 0x040000 },
    { 63999, 0xfffefa },
    { 64000, 0x000000 },
    { 64001, 0x000106 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    g_assert_cmphex ((((vectors[i].ms << 18) + 500) / 1000) & 0xffffff, ==,
        vectors[i].value);
    g_assert_cmphex (gcc_abs_send_time_from_time (vectors[i].ms * GCC_MSECOND),
        ==, vectors[i].value);
  }
}

static void
test_unix_time_gives_what_ntp_time_does (void)
{
  /* 2^-6 s is a whole number of steps and of microseconds. */
  const GccTime unix_time = G_GINT64_CONSTANT (1700000000) * GCC_SECOND + 15625;
  const guint64 ntp = ((1700000000 + NTP_SECONDS_AT_1970) << 32) +
      (G_GUINT64_CONSTANT (1) << 26);

  g_assert_cmphex (
      gcc_abs_send_time_from_time (unix_time), ==, (ntp >> 14) & 0xffffff);
}

static void
test_it_wraps_after_64_seconds (void)
{
  g_assert_cmphex (
      gcc_abs_send_time_from_time (64 * GCC_SECOND - 4), ==, 0xffffff);
  /* nearer to 64 s than to the last step before */
  g_assert_cmphex (gcc_abs_send_time_from_time (64 * GCC_SECOND - 1), ==, 0);
  g_assert_cmphex (gcc_abs_send_time_from_time (64 * GCC_SECOND), ==, 0);
  g_assert_cmphex (gcc_abs_send_time_from_time (640 * GCC_SECOND + 4), ==, 1);
  g_assert_cmphex (gcc_abs_send_time_from_time (-4), ==, 0xffffff);
  g_assert_cmpint (gcc_abs_send_time_to_time (0), ==, 0);
  g_assert_cmpint (
      gcc_abs_send_time_to_time (0xffffff), ==, 64 * GCC_SECOND - 4);
  g_assert_cmpint (gcc_abs_send_time_to_time (0x1040000), ==, GCC_SECOND);
}

static void
test_any_time_becomes_24_bit (void)
{
  g_assert_cmphex (gcc_abs_send_time_from_time (G_MININT64), <=, 0xffffff);
  g_assert_cmphex (gcc_abs_send_time_from_time (G_MAXINT64), <=, 0xffffff);
}

static void
test_every_value_survives_a_round_trip (void)
{
  for (guint32 value = 0; value <= 0xffffff; value++) {
    GccTime time = gcc_abs_send_time_to_time (value);

    if (gcc_abs_send_time_from_time (time) != value)
      g_error ("%06x became %06x", value, gcc_abs_send_time_from_time (time));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/abs-send-time/" #name, test_##name)
  ADD (milliseconds_become_steps);
  ADD (unix_time_gives_what_ntp_time_does);
  ADD (it_wraps_after_64_seconds);
  ADD (any_time_becomes_24_bit);
  ADD (every_value_survives_a_round_trip);
#undef ADD
  return g_test_run ();
}
