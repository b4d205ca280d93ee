/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-packet-time.h>

#define MS GCC_MSECOND
#define BYTES 1000

static const GccPacketTimeParams params = {
  .link_memory = 20 * GCC_SECOND,
  .empty = 10 * MS,
};

static GccPacketTime packet_time;

static void
test_while_the_link_is_not_known_a_packet_takes_no_time (void)
{
  gcc_packet_time_init (&packet_time, &params);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 0);
  gcc_packet_time_feed (&packet_time, GCC_RATE_NONE, 50 * MS);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 0);
}

static void
test_a_packet_takes_its_time_on_a_slow_link (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 100000, 50 * MS);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 70 * MS);
}

static void
test_a_small_packet_takes_less (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 100000, 50 * MS);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES / 4), ==, 10 * MS);
}

static void
test_what_is_longer_than_a_packet_is_a_wait (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 100000, 50 * MS);
  g_assert_cmpint (
      gcc_packet_time_get_wait (&packet_time, 90 * MS, BYTES), ==, 20 * MS);
  g_assert_cmpint (
      gcc_packet_time_get_wait (&packet_time, 30 * MS, BYTES), ==, 0);
}

static void
test_on_a_fast_link_a_packet_takes_no_more_than_an_empty_queue (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 800000, 50 * MS);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 0);
}

static void
test_a_pause_leaves_the_link_as_fast_as_it_was (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 400000, 50 * MS);
  gcc_packet_time_feed (&packet_time, 10000, 1 * GCC_SECOND);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), <, 12 * MS);
}

static void
test_a_link_that_has_become_slower_is_known_after_a_while (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 400000, 50 * MS);
  for (guint i = 0; i < 60; i++)
    gcc_packet_time_feed (&packet_time, 100000, 1 * GCC_SECOND);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 70 * MS);
}

static void
test_a_silence_that_is_longer_than_the_memory_leaves_the_present_rate (void)
{
  gcc_packet_time_init (&packet_time, &params);
  gcc_packet_time_feed (&packet_time, 400000, 50 * MS);
  gcc_packet_time_feed (&packet_time, 100000, 60 * GCC_SECOND);
  g_assert_cmpint (gcc_packet_time_get (&packet_time, BYTES), ==, 70 * MS);
}

#define ADD(test) g_test_add_func ("/packet-time/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (while_the_link_is_not_known_a_packet_takes_no_time);
  ADD (a_packet_takes_its_time_on_a_slow_link);
  ADD (a_small_packet_takes_less);
  ADD (what_is_longer_than_a_packet_is_a_wait);
  ADD (on_a_fast_link_a_packet_takes_no_more_than_an_empty_queue);
  ADD (a_pause_leaves_the_link_as_fast_as_it_was);
  ADD (a_link_that_has_become_slower_is_known_after_a_while);
  ADD (a_silence_that_is_longer_than_the_memory_leaves_the_present_rate);
  return g_test_run ();
}
