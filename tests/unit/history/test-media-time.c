/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-media-time.h>

#define MAX_GAP (200 * GCC_MSECOND)

static void
test_time_passes_from_packet_to_packet (void)
{
  GccMediaTime time = { 0 };

  g_assert_cmpint (gcc_media_time_pass (&time, MAX_GAP, 5000), ==, 0);
  g_assert_cmpint (gcc_media_time_pass (&time, MAX_GAP, 5033), ==, 33);
  g_assert_cmpint (gcc_media_time_pass (&time, MAX_GAP, 5033), ==, 0);
}

static void
test_a_pause_counts_in_part (void)
{
  GccMediaTime time = { 0 };

  gcc_media_time_pass (&time, MAX_GAP, 0);
  g_assert_cmpint (
      gcc_media_time_pass (&time, MAX_GAP, 60 * GCC_SECOND), ==, MAX_GAP);
}

static void
test_a_clock_that_is_set_back_counts_as_no_time (void)
{
  GccMediaTime time = { 0 };

  gcc_media_time_pass (&time, MAX_GAP, 60 * GCC_SECOND);
  g_assert_cmpint (gcc_media_time_pass (&time, MAX_GAP, 0), ==, 0);
  g_assert_cmpint (gcc_media_time_pass (&time, MAX_GAP, 20), ==, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/media-time/" #name, test_##name)
  ADD (time_passes_from_packet_to_packet);
  ADD (a_pause_counts_in_part);
  ADD (a_clock_that_is_set_back_counts_as_no_time);
#undef ADD

  return g_test_run ();
}
