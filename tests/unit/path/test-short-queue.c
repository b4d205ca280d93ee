/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A queue that frames no longer leave empty: the stage alone, then whole calls over
 * REMB with the default profile, which alone has it. */

#include <gst/gcc/path/gcc-short-queue.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "sim/remb-call.h"

#define FRAME (33 * GCC_MSECOND)
#define PACKET (8 * GCC_MSECOND)

static GccShortQueue stage;
static GccTime now;
static GccTime least_since;
static guint n_queues;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  least_since = 0;
  n_queues = 0;
  gcc_short_queue_init (&stage, &gcc_recommended_receiver_rules.short_queue);
}

static void
feed (GccTime queueing)
{
  gboolean has_begun = gcc_short_queue_update (
      &stage, queueing, least_since, now);

  g_assert_cmpint (gcc_short_queue_has_begun (&stage), ==, has_begun);
  n_queues += has_begun;
}

/* Frames of four packets, each of which finds the queue @left by the one before it,
 * and makes its own packets wait. */
static void
hold (GccTime left, GccTime duration)
{
  for (GccTime end = now + duration; now < end; now += FRAME) {
    for (guint i = 0; i < 4; i++)
      feed (left + i * PACKET);
  }
}

static void
test_a_queue_that_frames_leave_behind_is_told_of_once (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 0);
  hold (25 * GCC_MSECOND, 500 * GCC_MSECOND);
  g_assert_cmpuint (n_queues, ==, 1);
  hold (25 * GCC_MSECOND, 10 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 1);
}

/* Guards: a timer of the receiver before the next packet lowered A_r again. */
static void
test_it_is_heeded_once (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  while (n_queues == 0) {
    feed (25 * GCC_MSECOND);
    now += PACKET;
  }
  g_assert_true (gcc_short_queue_has_begun (&stage));
  gcc_short_queue_heed (&stage);
  g_assert_false (gcc_short_queue_has_begun (&stage));
}

static void
test_it_is_told_of_again_once_it_has_been_empty (void)
{
  start ();
  for (guint i = 1; i <= 5; i++) {
    hold (0, 2 * GCC_SECOND);
    hold (25 * GCC_MSECOND, 1 * GCC_SECOND);
    g_assert_cmpuint (n_queues, ==, i);
  }
}

static void
test_what_packets_wait_for_their_own_frame_is_no_queue (void)
{
  start ();
  for (guint i = 0; i < 300; i++, now += FRAME) {
    for (guint j = 0; j < 12; j++)
      feed (j * PACKET);
  }
  g_assert_cmpuint (n_queues, ==, 0);
}

static void
test_one_frame_that_leaves_a_queue_is_none (void)
{
  start ();
  for (guint i = 0; i < 50; i++) {
    hold (0, 500 * GCC_MSECOND);
    hold (25 * GCC_MSECOND, 150 * GCC_MSECOND);
  }
  g_assert_cmpuint (n_queues, ==, 0);
}

static void
test_others_who_have_been_noticed_may_hold_the_queue (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  gcc_short_queue_feed_others (&stage, now);
  hold (25 * GCC_MSECOND, 9 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 0);
  hold (25 * GCC_MSECOND, 2 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 1);
}

static void
test_a_longer_queue_is_forgotten_when_it_is_as_empty_as_ever (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  gcc_short_queue_feed_doubt (&stage, now);
  g_assert_false (gcc_short_queue_is_watching (&stage, now));
  hold (0, 200 * GCC_MSECOND);
  g_assert_true (gcc_short_queue_is_watching (&stage, now));
  hold (25 * GCC_MSECOND, 500 * GCC_MSECOND);
  g_assert_cmpuint (n_queues, ==, 1);
}

/* Guards: a call beside TCP, which was there first, that grew slowly in a queue that
 * was nearly as short as it had ever seen it, for the rest of the call. */
static void
test_a_queue_whose_lows_differ_may_be_that_of_others (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  gcc_short_queue_feed_doubt (&stage, now);
  least_since = now;
  hold (0, GCC_SECOND);
  hold (25 * GCC_MSECOND, 8 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 0);
  hold (25 * GCC_MSECOND, 2 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 1);
}

static void
test_a_path_with_jitter_tells_nothing (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    hold (0, 200 * GCC_MSECOND);
    hold (30 * GCC_MSECOND, 400 * GCC_MSECOND);
  }
  /* the mean of the first seconds is still short */
  g_assert_cmpuint (n_queues, <=, 10);
}

/* Two clocks, one of which is fast by 200 ppm. */
static void
test_clocks_that_drift_apart_are_no_queue (void)
{
  start ();
  for (guint i = 0; i < 600; i++)
    hold (i * 200, GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 0);
}

static void
test_a_path_that_has_become_longer_costs_once (void)
{
  start ();
  hold (0, 20 * GCC_SECOND);
  hold (40 * GCC_MSECOND, 600 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 1);
  /* and a queue on it is noticed */
  hold (70 * GCC_MSECOND, 2 * GCC_SECOND);
  g_assert_cmpuint (n_queues, ==, 2);
}

static void
test_a_clock_that_is_set_back_does_no_harm (void)
{
  start ();
  hold (0, 2 * GCC_SECOND);
  now = 0;
  hold (0, 2 * GCC_SECOND);
  hold (G_MAXINT64 / 2, 2 * GCC_SECOND);
  g_assert_cmpuint (n_queues, <=, 1);
}

/* --- the receiver --- */

/* A queue that grows so fast that the detector tells what the path takes, and then,
 * from the tenth second on, one that is longer by 0.1 ms with each frame: m times 60
 * stays below gamma. */
static GccTime
get_queue (guint frame, gboolean is_told)
{
  if (frame < 150 || (frame >= 165 && frame < 300))
    return 0;
  return frame < 300 ? (GccTime) (frame - 150) * 5 * GCC_MSECOND * is_told
                     : (GccTime) (frame - 300) * GCC_MSECOND / 10;
}

/* Frames of 900 kbit/s, and of 1080 until the detector has told. Each of the first
 * @n_gaps seconds begins with a gap. Returns A_r at the end. */
static GccRate
let_queue_creep (guint n_frames, gboolean is_told, guint n_gaps)
{
  GccPacket packet = { .ssrc = 1, .clock_rate = 90000 };
  GccTime sent = 100 * GCC_SECOND;
  GccReceiver receiver;
  GccRate estimate;

  gcc_receiver_init (&receiver, &gcc_profile_recommended);
  for (guint i = 0; i < n_frames; i++, sent += GCC_SECOND / 30) {
    packet.rtp_timestamp += 3000;
    packet.payload_size = i < 170 ? 1488 : 1238;
    for (guint j = 0; j < 3; j++) {
      packet.arrival = sent + get_queue (i, is_told) + j * PACKET;
      packet.follows_gap = j == 0 && i % 30 == 0 && i / 30 < n_gaps;
      gcc_receiver_feed (&receiver, &packet, packet.arrival);
      gcc_receiver_handle_timeout (&receiver, packet.arrival);
    }
  }
  g_assert_cmpuint (gcc_receiver_get_stats (&receiver)->overuses, ==, is_told);
  estimate = gcc_receiver_get_estimate (&receiver);
  gcc_receiver_clear (&receiver);
  return estimate;
}

static void
test_a_queue_that_creeps_is_found_without_the_detector (void)
{
  GccRate rate = let_queue_creep (520, TRUE, 0);

  g_assert_cmpint (rate, <, let_queue_creep (490, TRUE, 0));
  g_assert_cmpint (rate, >, 960 * 900);
  g_assert_cmpint (rate, <, 1000 * 900);
}

static void
test_a_queue_that_creeps_while_packets_are_lost_is_left (void)
{
  g_assert_cmpint (
      let_queue_creep (520, TRUE, 100), >=, let_queue_creep (490, TRUE, 100));
}

/* Guards: a start that such a queue cut short beside TCP, for the rest of the call. */
static void
test_one_that_creeps_before_anything_has_told_is_left (void)
{
  g_assert_cmpint (
      let_queue_creep (520, FALSE, 0), >=, let_queue_creep (490, FALSE, 0));
}

/* --- whole calls --- */

static void
step (RembCall *calls)
{
  remb_call_step (&calls[0]);
  remb_call_step (&calls[1]);
}

/* The mean queue of two calls on one link in two minutes, ms. */
static gdouble
measure_queue (const GccProfile *profile, gdouble *use)
{
  static RembCall calls[2];
  GccTime link_free = 0;
  gdouble sum = 0.;
  guint n = 0;

  for (guint i = 0; i < 2; i++) {
    remb_call_init (&calls[i], profile, 300000, 6000000);
    calls[i].link_free = &link_free;
    g_rand_set_seed (calls[i].rand, i + 1);
  }
  calls[1].next_frame += FRAME / 2;
  while (calls[0].now < 160 * GCC_SECOND)
    step (calls);
  calls[0].received_bytes = calls[1].received_bytes = 0;
  for (; calls[0].now < 280 * GCC_SECOND; n++) {
    step (calls);
    sum += gcc_time_to_ms (MAX (link_free - calls[0].now, 0));
  }
  *use = (gdouble) (calls[0].received_bytes + calls[1].received_bytes) * 8. /
      120e6;
  remb_call_clear (&calls[0]);
  remb_call_clear (&calls[1]);
  return sum / n;
}

static void
test_two_calls_queue_less_for_it (void)
{
  GccReceiverRulesParams rules = gcc_recommended_receiver_rules;
  GccProfile without = gcc_profile_recommended;
  gdouble queue, queue_without, use, use_without;

  rules.short_queue.min_queueing = G_MAXINT64;
  without.receiver_rules = &rules;
  queue_without = measure_queue (&without, &use_without);
  queue = measure_queue (&gcc_profile_recommended, &use);
  g_test_message ("%.1f ms, U %.3f; without it %.1f ms, %.3f", queue, use,
      queue_without, use_without);
  g_assert_cmpfloat (queue, <, queue_without - 1.);
  g_assert_cmpfloat (use, >, 0.92);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func (
      "/short-queue/a_queue_that_frames_leave_behind_is_told_of_once",
      test_a_queue_that_frames_leave_behind_is_told_of_once);
  g_test_add_func ("/short-queue/it_is_heeded_once", test_it_is_heeded_once);
  g_test_add_func ("/short-queue/it_is_told_of_again_once_it_has_been_empty",
      test_it_is_told_of_again_once_it_has_been_empty);
  g_test_add_func (
      "/short-queue/what_packets_wait_for_their_own_frame_is_no_queue",
      test_what_packets_wait_for_their_own_frame_is_no_queue);
  g_test_add_func ("/short-queue/one_frame_that_leaves_a_queue_is_none",
      test_one_frame_that_leaves_a_queue_is_none);
  g_test_add_func (
      "/short-queue/others_who_have_been_noticed_may_hold_the_queue",
      test_others_who_have_been_noticed_may_hold_the_queue);
  g_test_add_func (
      "/short-queue/a_longer_queue_is_forgotten_when_it_is_as_empty_as_ever",
      test_a_longer_queue_is_forgotten_when_it_is_as_empty_as_ever);
  g_test_add_func (
      "/short-queue/a_queue_whose_lows_differ_may_be_that_of_others",
      test_a_queue_whose_lows_differ_may_be_that_of_others);
  g_test_add_func ("/short-queue/a_path_with_jitter_tells_nothing",
      test_a_path_with_jitter_tells_nothing);
  g_test_add_func ("/short-queue/clocks_that_drift_apart_are_no_queue",
      test_clocks_that_drift_apart_are_no_queue);
  g_test_add_func ("/short-queue/a_path_that_has_become_longer_costs_once",
      test_a_path_that_has_become_longer_costs_once);
  g_test_add_func ("/short-queue/a_clock_that_is_set_back_does_no_harm",
      test_a_clock_that_is_set_back_does_no_harm);
  g_test_add_func ("/short-queue/"
                   "a_queue_that_creeps_is_found_without_the_detector",
      test_a_queue_that_creeps_is_found_without_the_detector);
  g_test_add_func ("/short-queue/"
                   "a_queue_that_creeps_while_packets_are_lost_is_left",
      test_a_queue_that_creeps_while_packets_are_lost_is_left);
  g_test_add_func ("/short-queue/"
                   "one_that_creeps_before_anything_has_told_is_left",
      test_one_that_creeps_before_anything_has_told_is_left);
  g_test_add_func ("/short-queue/two_calls_queue_less_for_it",
      test_two_calls_queue_less_for_it);
  return g_test_run ();
}
