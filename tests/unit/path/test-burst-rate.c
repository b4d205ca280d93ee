/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-burst-rate.h>

#define PACKET 1250
#define PACKETS 10
#define PAUSE (100 * GCC_MSECOND)

static const GccBurstRateParams params = {
  .max_gap = 10 * GCC_MSECOND,
  .min_bytes = 5000,
  .takes = 0.9,
  .memory = 10 * GCC_SECOND,
  .raise = 2.,
};

typedef struct {
  GccBurstRate rate;
  GccTime now;
} Path;

static Path
begin (void)
{
  Path path = { .now = 0 };

  gcc_burst_rate_init (&path.rate, &params);
  return path;
}

static GccTime
get_interval (GccRate rate)
{
  return PACKET * 8 * GCC_SECOND / rate;
}

/* Packets leave at @sent, and arrive at @arrived, bit/s. */
static void
feed (Path *path, guint n, GccRate sent, GccRate arrived)
{
  for (guint i = 0; i < n; i++)
    gcc_burst_rate_feed (&path->rate,
        &(GccPacketResult){
            .sent = { .time = path->now + i * get_interval (sent),
                .size = PACKET },
            .arrival = path->now + i * get_interval (arrived) });
  path->now += n * get_interval (sent) + PAUSE;
}

/* Another packet ends the burst. */
static GccRate
get (Path *path)
{
  feed (path, 1, 1000000, 1000000);
  return gcc_burst_rate_get (&path->rate);
}

static void
test_nothing_is_known_before_a_burst (void)
{
  Path path = begin ();

  g_assert_cmpint (gcc_burst_rate_get (&path.rate), ==, 0);
  g_assert_cmpint (get (&path), ==, 0);
}

static void
test_a_burst_that_arrives_as_it_left_raises_the_rate (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 2000000, 2000000);
  g_assert_cmpint (get (&path), ==, 4000000);
  feed (&path, PACKETS, 4000000, 4000000);
  g_assert_cmpint (get (&path), ==, 8000000);
}

static void
test_a_slower_burst_leaves_the_rate (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 4000000, 4000000);
  feed (&path, PACKETS, 2000000, 2000000);
  g_assert_cmpint (get (&path), ==, 8000000);
}

static void
test_a_burst_that_arrives_later_shows_the_link (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 10000000, 10000000);
  feed (&path, PACKETS, 10000000, 1000000);
  g_assert_cmpint (get (&path), ==, 1000000);
  feed (&path, PACKETS, 1000000, 1000000);
  g_assert_cmpint (get (&path), ==, 1000000);
}

static void
test_packets_in_a_clump_show_no_more_than_was_sent (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 2000000, G_MAXINT32);
  g_assert_cmpint (get (&path), ==, 4000000);
}

static void
test_few_bytes_show_nothing (void)
{
  Path path = begin ();

  feed (&path, 3, 2000000, 2000000);
  g_assert_cmpint (get (&path), ==, 0);
}

static void
test_packets_that_leave_together_show_the_link (void)
{
  Path path = begin ();

  feed (&path, PACKETS, G_MAXINT32, 5000000);
  g_assert_cmpint (get (&path), ==, 5000000);
}

static void
test_after_a_while_the_link_is_tried_again (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 10000000, 1000000);
  g_assert_cmpint (get (&path), ==, 1000000);
  path.now += params.memory;
  feed (&path, PACKETS, 1000000, 1000000);
  g_assert_cmpint (get (&path), ==, 2000000);
}

/* Their sizes differ. */
static void
test_a_small_packet_behind_a_large_one_meets_no_queue (void)
{
  Path path = begin ();

  feed (&path, PACKETS, 2000000, 2000000);
  path.now -= PAUSE;
  gcc_burst_rate_feed (&path.rate,
      &(GccPacketResult){
          .sent = { .time = path.now, .size = 100 }, .arrival = path.now });
  path.now += PAUSE;
  g_assert_cmpint (get (&path), >, 3600000);
}

static void
test_a_packet_that_was_overtaken_begins_another_burst (void)
{
  Path path = begin ();

  feed (&path, 3, 2000000, 2000000);
  path.now = 0;
  feed (&path, 3, 2000000, 2000000);
  g_assert_cmpint (get (&path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/burst-rate/" #name, test_##name)
  ADD (nothing_is_known_before_a_burst);
  ADD (a_burst_that_arrives_as_it_left_raises_the_rate);
  ADD (a_slower_burst_leaves_the_rate);
  ADD (a_burst_that_arrives_later_shows_the_link);
  ADD (packets_in_a_clump_show_no_more_than_was_sent);
  ADD (few_bytes_show_nothing);
  ADD (packets_that_leave_together_show_the_link);
  ADD (after_a_while_the_link_is_tried_again);
  ADD (a_small_packet_behind_a_large_one_meets_no_queue);
  ADD (a_packet_that_was_overtaken_begins_another_burst);
#undef ADD

  return g_test_run ();
}
