/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-queueing-delay.h>

#define WINDOW (300 * GCC_SECOND)
#define CLOCK_RATE 90000

static GccQueueingDelay delay;
static GccTime sent;
static guint32 departure;

static void
start (guint32 first)
{
  gcc_queueing_delay_init (&delay);
  sent = 100 * GCC_SECOND;
  departure = first;
}

/* A packet 10 ms after the last one that waits so long. */
static GccTime
feed (GccTime queueing)
{
  sent += 10 * GCC_MSECOND;
  departure += CLOCK_RATE / 100;
  return gcc_queueing_delay_feed (
      &delay, departure, CLOCK_RATE, sent + queueing, WINDOW);
}

static void
test_it_is_what_a_packet_waited_longer_than_any_other (void)
{
  start (0);
  g_assert_cmpint (feed (70 * GCC_MSECOND), ==, 0);
  g_assert_cmpint (feed (120 * GCC_MSECOND), ==, 50 * GCC_MSECOND);
  g_assert_cmpint (feed (60 * GCC_MSECOND), ==, 0);
  g_assert_cmpint (feed (120 * GCC_MSECOND), ==, 60 * GCC_MSECOND);
}

static void
test_timestamps_may_wrap (void)
{
  start (G_MAXUINT32 - 1000);
  for (guint i = 0; i < 10; i++) {
    g_assert_cmpint (feed (0), ==, 0);
    g_assert_cmpint (feed (30 * GCC_MSECOND), ==, 30 * GCC_MSECOND);
  }
}

static void
test_a_packet_of_the_past_waited_longer (void)
{
  start (0);
  feed (0);
  feed (0);
  departure -= CLOCK_RATE / 50;
  sent -= 20 * GCC_MSECOND;
  g_assert_cmpint (feed (50 * GCC_MSECOND), ==, 50 * GCC_MSECOND);
}

static void
test_a_delay_that_jumps_by_more_than_a_queue_is_that_of_another_clock (void)
{
  start (0);
  feed (0);
  g_assert_cmpint (feed (30 * GCC_SECOND), ==, 0);
  g_assert_cmpint (
      feed (30 * GCC_SECOND + 40 * GCC_MSECOND), ==, 40 * GCC_MSECOND);
  g_assert_cmpint (feed (0), ==, 0);
}

/* Guards: TCP's start filled 280 ms while it lost what was sent, the full queue
 * counted as the path from then on, and what was left of it as our own. */
static void
test_a_queue_that_others_fill_between_two_packets_is_one (void)
{
  start (0);
  feed (0);
  g_assert_cmpint (feed (280 * GCC_MSECOND), ==, 280 * GCC_MSECOND);
  g_assert_cmpint (feed (3 * GCC_SECOND), ==, 3 * GCC_SECOND);
  g_assert_cmpint (feed (10 * GCC_MSECOND), ==, 10 * GCC_MSECOND);
}

static void
test_the_least_is_forgotten_after_two_windows (void)
{
  start (0);
  feed (0);
  for (guint i = 0; i < 2 * WINDOW / (10 * GCC_MSECOND) + 2; i++)
    feed (80 * GCC_MSECOND);
  g_assert_cmpint (feed (80 * GCC_MSECOND), ==, 0);
}

/* Bytes from a stranger: any timestamp, any clock. */
static void
test_no_timestamp_makes_a_negative_delay (void)
{
  GRand *rand = g_rand_new_with_seed (3);

  gcc_queueing_delay_init (&delay);
  for (guint i = 0; i < 200000; i++) {
    guint32 clock_rate = (g_rand_int (rand) >> (i % 32)) | 1;
    GccTime arrival = (GccTime) (((guint64) g_rand_int (rand) << 32 |
                                     g_rand_int (rand)) >>
        (i % 64));

    g_assert_cmpint (
        gcc_queueing_delay_feed (
            &delay, g_rand_int (rand) >> (i % 31), clock_rate, arrival, WINDOW),
        >=, 0);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/queueing-delay/" #name, test_##name)
  ADD (it_is_what_a_packet_waited_longer_than_any_other);
  ADD (timestamps_may_wrap);
  ADD (a_packet_of_the_past_waited_longer);
  g_test_add_func (
      "/queueing-delay/"
      "a_delay_that_jumps_by_more_than_a_queue_is_that_of_another_clock",
      test_a_delay_that_jumps_by_more_than_a_queue_is_that_of_another_clock);
  ADD (a_queue_that_others_fill_between_two_packets_is_one);
  ADD (the_least_is_forgotten_after_two_windows);
  ADD (no_timestamp_makes_a_negative_delay);
#undef ADD
  return g_test_run ();
}
