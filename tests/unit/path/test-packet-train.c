/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the dispersion of a frame's packets tells of a link of 1 Mbit/s. */

#include <gst/gcc/path/gcc-packet-train.h>

#define SIZE 1460
#define FRAME 3000
/* of 1500 bytes */
#define PACKET (12 * GCC_MSECOND)

static const GccPacketTrainParams params = { .overhead = 40, .bucket = 1540 };

static GccPacketTrain train;
static GccTrainRates rates;
static guint32 timestamp;
static GccTime now;

static void
start (void)
{
  timestamp = G_MAXUINT32 - FRAME;
  now = 7 * GCC_SECOND;
  rates = (GccTrainRates){ GCC_RATE_NONE, GCC_RATE_NONE };
  gcc_packet_train_init (&train);
}

static gboolean
feed (GccTime arrival)
{
  return gcc_packet_train_feed (
      &train, &params, timestamp, SIZE, arrival, &rates);
}

/* The next frame's first packet: the frame before it is over. */
static gboolean
begin_frame (void)
{
  timestamp += FRAME;
  now += GCC_SECOND / 10;
  return feed (now);
}

static void
test_behind_a_queue_the_rate_is_exact (void)
{
  start ();
  begin_frame ();
  g_assert_false (feed (now + PACKET));
  g_assert_false (feed (now + 2 * PACKET));
  g_assert_true (begin_frame ());
  g_assert_cmpint (rates.most, ==, 1000000);
  g_assert_cmpint (rates.least, ==, 986666);
}

/* 1540 bytes are passed at once, and the rest at the link's rate. */
static void
test_after_a_full_bucket_the_least_is_exact (void)
{
  start ();
  begin_frame ();
  feed (now + 11680);
  feed (now + 23680);
  g_assert_true (begin_frame ());
  g_assert_cmpint (rates.least, ==, 1000000);
  g_assert_cmpint (rates.most, ==, 1013513);
}

static void
test_one_packet_tells_nothing (void)
{
  start ();
  for (guint i = 0; i < 10; i++)
    g_assert_false (begin_frame ());
}

static void
test_what_the_bucket_passes_tells_nothing (void)
{
  start ();
  for (guint i = 0; i < 10; i++) {
    timestamp += FRAME;
    for (guint j = 0; j < 5; j++)
      g_assert_false (gcc_packet_train_feed (
          &train, &params, timestamp, 200, now += GCC_MSECOND, &rates));
  }
}

/* --- attacks --- */

static void
test_packets_that_arrive_at_once_have_a_rate (void)
{
  start ();
  begin_frame ();
  for (guint i = 0; i < 1000; i++)
    feed (now);
  g_assert_true (begin_frame ());
  g_assert_cmpint (rates.least, >, 0);
  g_assert_cmpint (rates.most, >, rates.least);
}

static void
test_a_clock_that_is_set_back_tells_nothing (void)
{
  start ();
  begin_frame ();
  feed (now + PACKET);
  feed (now - GCC_SECOND);
  g_assert_false (begin_frame ());
  feed (G_MININT64);
  feed (G_MAXINT64);
  begin_frame ();
  begin_frame ();
}

static void
test_packets_of_any_size_do_no_harm (void)
{
  start ();
  begin_frame ();
  for (guint i = 0; i < 1000; i++)
    gcc_packet_train_feed (
        &train, &params, timestamp, G_MAXUINT16, now + 1, &rates);
  g_assert_true (begin_frame ());
  g_assert_cmpint (rates.most, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/packet-train/" #name, test_##name)
  ADD (behind_a_queue_the_rate_is_exact);
  ADD (after_a_full_bucket_the_least_is_exact);
  ADD (one_packet_tells_nothing);
  ADD (what_the_bucket_passes_tells_nothing);
  ADD (packets_that_arrive_at_once_have_a_rate);
  ADD (a_clock_that_is_set_back_tells_nothing);
  ADD (packets_of_any_size_do_no_harm);
  return g_test_run ();
}
