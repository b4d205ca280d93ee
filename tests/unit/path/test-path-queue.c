/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-path-queue.h>

#define MS GCC_MSECOND
#define INTERVAL (50 * MS)

static const GccPathQueueParams params = {
  .max_way_back = 50 * MS,
  .max_jump = 10 * GCC_SECOND,
  .max_round_trip = 5 * GCC_SECOND,
  .mean_steps = 16.,
  .quiet = 10 * MS,
  .loud = 40 * MS,
  .base_window = 10 * GCC_SECOND,
  .round = 200 * MS,
  .packet = 1000,
  .packet_time = {
    .link_memory = 20 * GCC_SECOND,
    .empty = 10 * MS,
  },
  .empty = 10 * MS,
};

static GccPathQueue queue;
static GccTime now;
static gboolean keeps_base;

static void
start (void)
{
  gcc_path_queue_init (&queue, &params);
  now = 100 * GCC_SECOND;
  keeps_base = FALSE;
}

/* The way back takes 25 ms. */
static void
feed_rate (GccTime round_trip, GccRate acknowledged)
{
  GccPathQueueInput input = {
    .round_trip = round_trip,
    .delay = round_trip - 25 * MS,
    .acknowledged = acknowledged,
    .passed = INTERVAL,
    .keeps_base = keeps_base,
  };

  now += INTERVAL;
  gcc_path_queue_update (&queue, &input, now);
}

static void
feed (GccTime round_trip)
{
  feed_rate (round_trip, 10000000);
}

static void
test_a_queue_is_what_is_above_the_least_round_trip (void)
{
  start ();
  feed (50 * MS);
  g_assert_true (gcc_path_queue_is_empty (&queue));
  feed (80 * MS);
  g_assert_cmpint (queue.queueing, ==, 30 * MS);
  g_assert_false (gcc_path_queue_is_empty (&queue));
}

/* A scheduler's clumps: the first packet of each waits for 200 ms, the last does
 * not. */
static void
feed_clump (GccTime wait)
{
  for (GccTime late = 150 * MS; late >= 0; late -= 50 * MS)
    feed (50 * MS + wait + late);
}

static void
test_under_noise_the_queue_is_the_least_of_a_round (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    feed_clump (0);
  g_assert_cmpint (gcc_path_queue_get_noise (&queue), >, 0);
  g_assert_true (gcc_path_queue_is_empty (&queue));

  for (guint i = 0; i < 3; i++)
    feed_clump (100 * MS);
  g_assert_cmpint (queue.queueing, <=, 100 * MS);
  g_assert_cmpint (queue.queueing, >, 95 * MS);

  /* and it falls at once */
  feed_clump (20 * MS);
  g_assert_cmpint (queue.queueing, <=, 20 * MS);
  g_assert_cmpint (queue.queueing, >, 10 * MS);
}

/* Guards: a Wi-Fi's jitter of 20 ms. The least of a call is far below the least of
 * most rounds: 33 drains in a minute and a half, at 0.7 of the link. */
static void
test_what_noise_a_round_has_left_is_no_queue (void)
{
  GRand *random = g_rand_new_with_seed (1);
  guint n_long = 0;

  start ();
  for (guint i = 0; i < 2000; i++) {
    gdouble wait = 0.;

    /* a sum of six is about normal: σ 20 ms */
    for (guint j = 0; j < 6; j++)
      wait += g_rand_double_range (random, 0., 28.3);
    feed (20 * MS + (GccTime) (wait * (gdouble) MS));
    n_long += i > 100 && queue.queueing > 50 * MS;
  }
  g_assert_cmpint (gcc_path_queue_get_noise (&queue), >, 0);
  g_assert_cmpuint (n_long, <, 20);
  g_rand_free (random);
}

/* 1000 bytes take 125 ms at 64 kbit/s, and 8 ms at 1 Mbit/s. */
static void
test_a_packet_on_a_slow_link_is_no_queue (void)
{
  start ();
  feed_rate (50 * MS, 64000);
  feed_rate (150 * MS, 64000);
  g_assert_true (gcc_path_queue_is_empty (&queue));
  feed_rate (250 * MS, 64000);
  g_assert_false (gcc_path_queue_is_empty (&queue));

  start ();
  feed_rate (50 * MS, 1000000);
  feed_rate (150 * MS, 1000000);
  g_assert_cmpint (queue.queueing, ==, 100 * MS);
}

/* Guards: a call that others had pushed down to 30 kbit/s took 260 ms of queue for
 * one packet of its own, and so saw no queue. */
static void
test_a_rate_that_falls_is_not_the_link (void)
{
  start ();
  feed_rate (50 * MS, 2000000);
  for (guint i = 0; i < 60; i++)
    feed_rate (150 * MS, 30000);
  g_assert_cmpint (queue.queueing, ==, 100 * MS);
}

static void
feed_ways (GccTime there, GccTime back)
{
  GccPathQueueInput input = {
    .round_trip = there + back,
    .delay = there,
    .acknowledged = 10000000,
    .passed = INTERVAL,
  };

  now += INTERVAL;
  gcc_path_queue_update (&queue, &input, now);
}

/* Guards: an upload on the way back, 50 to 100 ms of queue there: 40 drains in 45 s,
 * and A_s fell from 5.8 Mbit/s to 0.5 on a link of 26. A shorter queue there is not
 * worth a drain. */
static void
test_feedback_that_is_late_is_no_queue (void)
{
  start ();
  feed_ways (25 * MS, 25 * MS);
  for (guint i = 0; i < 100; i++) {
    feed_ways (25 * MS, (guint) (25 + i * 37 % 80) * MS);
    g_assert_cmpint (queue.queueing, <=, 50 * MS);
  }

  start ();
  feed_ways (25 * MS, 25 * MS);
  feed_ways (25 * MS, 225 * MS);
  g_assert_cmpint (queue.queueing, ==, 0);

  start ();
  feed_ways (25 * MS, 25 * MS);
  feed_ways (85 * MS, 25 * MS);
  g_assert_cmpint (queue.queueing, ==, 60 * MS);
}

/* The receiver's clock gains 100 µs a second on the sender's, or loses them. */
static void
test_clocks_that_drift_apart_are_no_queue (void)
{
  for (gint gain = -1; gain <= 1; gain += 2) {
    GccTime there = 25 * MS;

    start ();
    for (guint i = 0; i < 20 * 3600; i++, there += gain * 5) {
      feed_ways (there, 50 * MS - there);
      g_assert_cmpint (queue.queueing, ==, 0);
    }
    feed_ways (there + 60 * MS, 50 * MS - there);
    g_assert_cmpint (queue.queueing, >, 59 * MS);
    g_assert_cmpint (queue.queueing, <=, 60 * MS);
  }
}

static void
feed_for (GccTime duration, GccTime round_trip)
{
  for (GccTime end = now + duration; now < end;)
    feed (round_trip);
}

/* Guards: a route that became 25 ms longer was a queue for the rest of the call. */
static void
test_a_longer_route_is_no_queue_for_long (void)
{
  start ();
  feed_for (30 * GCC_SECOND, 50 * MS);
  feed_for (9 * GCC_SECOND, 75 * MS);
  g_assert_cmpint (queue.queueing, ==, 25 * MS);
  feed_for (11 * GCC_SECOND, 75 * MS);
  g_assert_cmpint (queue.queueing, ==, 0);
  /* the way there, too */
  feed_ways (75 * MS, 25 * MS);
  g_assert_cmpint (queue.queueing, ==, 25 * MS);
}

static void
test_a_queue_that_others_hold_stays_one (void)
{
  start ();
  feed (50 * MS);
  keeps_base = TRUE;
  feed_for (60 * GCC_SECOND, 150 * MS);
  g_assert_cmpint (queue.queueing, ==, 100 * MS);
  keeps_base = FALSE;
  feed_for (9 * GCC_SECOND, 150 * MS);
  g_assert_cmpint (queue.queueing, ==, 100 * MS);
}

static void
test_the_base_may_be_set (void)
{
  start ();
  feed (50 * MS);
  feed (90 * MS);
  gcc_path_queue_set_base (&queue, 90 * MS, now);
  feed (95 * MS);
  g_assert_cmpint (queue.queueing, ==, 5 * MS);
}

static void
test_another_clock_begins_again_unless_the_base_is_kept (void)
{
  start ();
  feed (50 * MS);
  feed (20 * GCC_SECOND);
  g_assert_true (gcc_path_queue_is_empty (&queue));

  start ();
  feed (50 * MS);
  keeps_base = TRUE;
  feed (20 * GCC_SECOND);
  g_assert_false (gcc_path_queue_is_empty (&queue));
}

static void
test_nonsense_does_no_harm (void)
{
  static const GccTime times[] = { G_MAXINT64, 1, G_MAXINT64, G_MININT64 };

  start ();
  for (guint i = 0; i < 4 * G_N_ELEMENTS (times); i++) {
    GccPathQueueInput input = {
      .round_trip = MAX (times[i % G_N_ELEMENTS (times)], 1),
      .delay = times[(i + 1) % G_N_ELEMENTS (times)],
      .acknowledged = i % 2 == 0 ? GCC_RATE_NONE : G_MAXINT64,
      .passed = GCC_SECOND,
    };

    gcc_path_queue_update (&queue, &input, now + i);
    g_assert_cmpint (queue.queueing, >=, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/path-queue/" #name, test_##name)
  ADD (a_queue_is_what_is_above_the_least_round_trip);
  ADD (under_noise_the_queue_is_the_least_of_a_round);
  ADD (what_noise_a_round_has_left_is_no_queue);
  ADD (a_packet_on_a_slow_link_is_no_queue);
  ADD (a_rate_that_falls_is_not_the_link);
  ADD (feedback_that_is_late_is_no_queue);
  ADD (clocks_that_drift_apart_are_no_queue);
  ADD (a_longer_route_is_no_queue_for_long);
  ADD (a_queue_that_others_hold_stays_one);
  ADD (the_base_may_be_set);
  ADD (another_clock_begins_again_unless_the_base_is_kept);
  ADD (nonsense_does_no_harm);
#undef ADD

  return g_test_run ();
}
