/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-packet-sizes.h>

static void
feed (GccPacketSizes *sizes, gsize payload, gsize size, guint n)
{
  for (; n > 0; n--)
    gcc_packet_sizes_feed (sizes, payload, size);
}

static void
test_before_the_first_packet_all_is_payload (void)
{
  GccPacketSizes sizes;

  gcc_packet_sizes_init (&sizes);
  g_assert_cmpfloat (gcc_packet_sizes_get_payload_share (&sizes), ==, 1.);
  g_assert_cmpfloat (sizes.size, ==, 0.);
}

static void
test_small_packets_have_a_greater_share_of_headers (void)
{
  GccPacketSizes sizes;

  gcc_packet_sizes_init (&sizes);
  feed (&sizes, 960, 1000, 10);
  g_assert_cmpfloat_with_epsilon (
      gcc_packet_sizes_get_payload_share (&sizes), 0.96, 1e-9);
  feed (&sizes, 60, 100, 10);
  g_assert_cmpfloat_with_epsilon (
      gcc_packet_sizes_get_payload_share (&sizes), 1020. / 1100., 1e-9);
  g_assert_cmpfloat_with_epsilon (sizes.size, 550., 1e-9);
}

static void
test_packets_of_long_ago_hardly_count (void)
{
  GccPacketSizes sizes;

  gcc_packet_sizes_init (&sizes);
  feed (&sizes, 60, 100, 1000);
  feed (&sizes, 960, 1000, 1000);
  g_assert_cmpfloat (sizes.size, >, 990.);
}

/* Guards: a caller whose size lacks the headers. */
static void
test_no_share_is_above_one (void)
{
  GccPacketSizes sizes;

  gcc_packet_sizes_init (&sizes);
  feed (&sizes, 1000, 900, 1);
  g_assert_cmpfloat (gcc_packet_sizes_get_payload_share (&sizes), ==, 1.);
}

#define ADD(test) g_test_add_func ("/packet-sizes/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (before_the_first_packet_all_is_payload);
  ADD (small_packets_have_a_greater_share_of_headers);
  ADD (packets_of_long_ago_hardly_count);
  ADD (no_share_is_above_one);
  return g_test_run ();
}
