/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A link that has become faster: the stage alone, then whole calls over REMB with the
 * default profile, which alone looks for it. */

#include <gst/gcc/path/gcc-faster-link.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "sim/remb-call.h"

#define LINK 1000000
#define A_R 900000
#define FRAME (33 * GCC_MSECOND)

static GccFasterLink stage;
static GccTime now;
static guint n_raises;
static GccRate raised;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  n_raises = 0;
  raised = GCC_RATE_NONE;
  gcc_faster_link_init (&stage, &gcc_recommended_receiver_rules.faster_link);
}

static void
feed (GccRate link)
{
  GccTrainRates train = { .least = link, .most = link };
  GccRate rate;

  now += FRAME;
  rate = gcc_faster_link_update (&stage, &train, A_R, now);
  if (rate == GCC_RATE_NONE)
    return;
  n_raises++;
  raised = rate;
}

static void
run (guint n, GccRate link)
{
  for (guint i = 0; i < n; i++)
    feed (link);
}

/* Over-use, when trains told of @train. */
static void
overuse (GccRate train, GccRate received_rate)
{
  run (GCC_FASTER_LINK_TRAINS, train);
  gcc_faster_link_feed_limit (&stage, received_rate, now);
}

/* A link of @link, and the seconds after over-use in which it stays that. */
static void
reach_limit (GccRate link)
{
  overuse (link, link);
  run (100, link);
}

static void
assert_raises (guint n)
{
  g_assert_cmpuint (n_raises, ==, n);
}

static void
test_a_faster_link_is_told_of_once (void)
{
  start ();
  reach_limit (LINK);
  run (100, LINK);
  assert_raises (0);
  run (100, 3 * LINK);
  assert_raises (1);
}

static void
test_the_rate_is_doubled_at_most (void)
{
  start ();
  reach_limit (LINK);
  run (100, 3 * LINK);
  g_assert_cmpint (raised, ==, 2 * A_R);
  start ();
  reach_limit (LINK);
  run (100, 2 * LINK);
  g_assert_cmpint (raised, ==, 2 * LINK * 8 / 10);
}

static void
test_what_is_hardly_faster_is_left_to_the_rate_controller (void)
{
  start ();
  reach_limit (LINK);
  run (100, LINK * 5 / 4);
  assert_raises (0);
}

static void
test_without_a_limit_nothing_is_told (void)
{
  start ();
  run (100, LINK);
  run (100, 3 * LINK);
  assert_raises (0);
}

static void
test_a_few_fast_trains_are_chance (void)
{
  start ();
  reach_limit (LINK);
  for (guint i = 0; i < 100; i++) {
    run (3, 10 * LINK);
    run (5, LINK);
  }
  assert_raises (0);
}

static void
test_trains_of_long_ago_tell_nothing (void)
{
  start ();
  reach_limit (LINK);
  for (guint i = 0; i < 100; i++) {
    feed (3 * LINK);
    now += GCC_SECOND;
  }
  assert_raises (0);
}

/* Guards: a token bucket of many packets, which passes all of a frame at once as soon
 * as the queue is gone. */
static void
test_a_bucket_that_passes_whole_frames_is_no_faster_link (void)
{
  start ();
  for (guint i = 0; i < 300; i++) {
    overuse (LINK, LINK);
    run (20, LINK);
    run (200, 20 * LINK);
  }
  assert_raises (0);
}

/* Guards: packets that a radio link delivers together from some time on. */
static void
test_what_was_wrong_is_asked_less_and_less (void)
{
  start ();
  for (guint i = 0; i < 100; i++) {
    overuse (i % 2 == 0 ? LINK : 5 * LINK, LINK);
    run (100, LINK);
    run (GCC_SECOND / FRAME, 20 * LINK);
  }
  /* in 450 s: at once, and after 30, 90 and 270 s, not after each over-use */
  g_assert_cmpuint (n_raises, >=, 3);
  g_assert_cmpuint (n_raises, <=, 4);
}

static void
test_what_was_right_is_asked_as_soon (void)
{
  GccRate link = LINK;

  start ();
  reach_limit (link);
  for (guint i = 0; i < 5; i++) {
    link *= 2;
    run (GCC_FASTER_LINK_TRAINS, link);
    reach_limit (link);
    now += 10 * GCC_SECOND;
  }
  assert_raises (5);
}

/* Guards: over-use just before the link becomes faster. */
static void
test_over_use_again_needs_no_other_proof (void)
{
  start ();
  reach_limit (LINK);
  overuse (LINK, LINK);
  run (GCC_FASTER_LINK_TRAINS, 3 * LINK);
  assert_raises (1);
}

static void
test_another_limit_has_to_be_proved (void)
{
  start ();
  reach_limit (LINK);
  overuse (2 * LINK, LINK);
  run (GCC_FASTER_LINK_TRAINS, 6 * LINK);
  start ();
  reach_limit (2 * LINK);
  overuse (LINK, LINK);
  run (GCC_FASTER_LINK_TRAINS, 3 * LINK);
  assert_raises (0);
}

static void
test_a_slower_link_is_another_limit (void)
{
  start ();
  reach_limit (3 * LINK);
  reach_limit (LINK);
  run (GCC_FASTER_LINK_TRAINS, 2 * LINK);
  assert_raises (1);
}

static void
test_a_clock_that_is_set_back_does_no_harm (void)
{
  start ();
  reach_limit (LINK);
  now -= 3600 * GCC_SECOND;
  run (100, 3 * LINK);
  assert_raises (1);
  reach_limit (LINK);
  now = G_MAXINT64 - GCC_SECOND;
  run (20, 3 * LINK);
}

/* --- the beginning of a call --- */

/* No train is longer than the bucket: none tells of the link. */
static GccReceiverRulesParams
get_rules_without (void)
{
  GccReceiverRulesParams rules = gcc_recommended_receiver_rules;

  rules.faster_link.train.bucket = G_MAXSIZE;
  return rules;
}

static void
assert_starts (GccRate rate)
{
  g_assert_cmpint (gcc_faster_link_get_start (&stage, LINK / 4), ==, rate);
}

static void
test_the_first_rate_is_what_arrives (void)
{
  start ();
  assert_starts (LINK / 4);
  feed (LINK / 4);
  assert_starts (LINK / 4);
}

/* One large frame among small ones tells. */
static void
test_the_first_rate_is_more_where_a_frame_has_passed_faster (void)
{
  start ();
  feed (LINK / 4);
  feed (LINK / 2);
  feed (LINK / 4);
  assert_starts (LINK / 2 * 8 / 10);
}

static void
test_the_first_rate_is_twice_what_arrives_at_most (void)
{
  start ();
  run (3, 1000 * LINK);
  assert_starts (LINK / 2);
}

static void
test_a_few_trains_do_not_tell_what_the_link_passes (void)
{
  start ();
  run (GCC_FASTER_LINK_TRAINS - 1, LINK);
  g_assert_cmpint (gcc_faster_link_get_most (&stage, now), ==, GCC_RATE_NONE);
  feed (LINK);
  g_assert_cmpint (gcc_faster_link_get_most (&stage, now), ==, LINK);
  now += 10 * GCC_SECOND;
  g_assert_cmpint (gcc_faster_link_get_most (&stage, now), ==, GCC_RATE_NONE);
}

/* --- whole calls --- */

/* How long a call takes to have 1.8 of 2 Mbit/s, and the longest queue until then. */
static gdouble
measure_start (const GccProfile *profile, GccTime *queueing)
{
  static RembCall call;
  GccTime link_free = 0;
  GccTime begun;
  gint64 bytes;

  remb_call_init (&call, profile, 300000, 6000000);
  call.link_free = &link_free;
  call.capacity = 2000000;
  begun = call.now;
  *queueing = 0;
  do {
    GccTime next = call.now + GCC_SECOND / 4;

    for (bytes = -call.received_bytes; call.now < next;) {
      remb_call_step (&call);
      *queueing = MAX (*queueing, call.queueing);
    }
    bytes += call.received_bytes;
  } while (8 * 4 * bytes < 1800000);
  remb_call_clear (&call);
  return gcc_time_to_seconds (call.now - begun);
}

static void
test_a_call_begins_sooner (void)
{
  GccReceiverRulesParams rules = get_rules_without ();
  GccProfile before = gcc_profile_recommended;
  GccTime queueing, queueing_before;
  gdouble seconds, seconds_before;

  before.receiver_rules = &rules;
  seconds = measure_start (&gcc_profile_recommended, &queueing);
  seconds_before = measure_start (&before, &queueing_before);
  g_test_message ("%.2f s, %.0f ms; without %.2f s, %.0f ms", seconds,
      gcc_time_to_ms (queueing), seconds_before,
      gcc_time_to_ms (queueing_before));
  g_assert_cmpfloat (seconds, <, seconds_before - 0.5);
}

/* How long a call takes to have 2 Mbit/s of a link that had 0.6 for a minute. */
static gdouble
measure_rise (const GccProfile *profile)
{
  static RembCall call;
  GccTime link_free = 0;
  GccTime risen;

  remb_call_init (&call, profile, 300000, 6000000);
  call.link_free = &link_free;
  call.capacity = 600000;
  while (call.now < 160 * GCC_SECOND)
    remb_call_step (&call);
  call.capacity = 3000000;
  risen = call.now;
  while (gcc_sender_get_stats (&call.sender)->target < 2000000)
    remb_call_step (&call);
  remb_call_clear (&call);
  return gcc_time_to_seconds (call.now - risen);
}

static void
test_a_call_has_it_seconds_sooner (void)
{
  GccReceiverRulesParams rules = get_rules_without ();
  GccProfile without = gcc_profile_recommended;
  gdouble with_s, without_s;

  without.receiver_rules = &rules;
  with_s = measure_rise (&gcc_profile_recommended);
  without_s = measure_rise (&without);
  g_test_message ("%.1f s, %.1f s without", with_s, without_s);
  g_assert_cmpfloat (with_s, <, without_s - 1.5);
}

/* Counts a raise of A_r with the step that makes it. */
static void
step (RembCall *call, guint *n)
{
  const GccRate *from = &call->receiver.rules.faster_link.raised_from;
  gboolean was_raised = *from != GCC_RATE_NONE;

  remb_call_step (call);
  *n += !was_raised && *from != GCC_RATE_NONE;
}

/* Guards: half of a link, whose packets arrive at all of its rate. */
static void
test_what_others_leave_is_no_faster_link (void)
{
  static RembCall calls[2];
  GccTime link_free = 0;
  guint n = 0;

  for (guint i = 0; i < 2; i++) {
    remb_call_init (&calls[i], &gcc_profile_recommended, 300000, 6000000);
    calls[i].link_free = &link_free;
    calls[i].capacity = 2000000;
    g_rand_set_seed (calls[i].rand, i + 1);
  }
  calls[1].next_frame += FRAME / 2;
  while (calls[0].now < 220 * GCC_SECOND) {
    step (&calls[0], &n);
    step (&calls[1], &n);
  }
  g_assert_cmpuint (n, ==, 0);
  remb_call_clear (&calls[0]);
  remb_call_clear (&calls[1]);
}

static guint
count_raises (gsize bucket, GccRate capacity)
{
  static RembCall call;
  GccTime link_free = 0;
  guint n = 0;

  remb_call_init (&call, &gcc_profile_recommended, 300000, 6000000);
  call.link_free = &link_free;
  call.capacity = capacity;
  call.bucket = bucket;
  while (call.now < 400 * GCC_SECOND)
    step (&call, &n);
  remb_call_clear (&call);
  g_test_message ("%" G_GSIZE_FORMAT " bytes, %" G_GINT64_FORMAT " bit/s: %u",
      bucket, capacity, n);
  return n;
}

/* Guards: a bucket that passes a part of a frame, or some frames, at once. */
static void
test_a_call_across_a_bucket_is_left_alone (void)
{
  static const gsize buckets[] = { 1540, 3000, 5000, 10000, 32000 };
  static const GccRate capacities[] = { 600000, 1500000, 4000000 };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (buckets); i++)
    for (guint j = 0; j < G_N_ELEMENTS (capacities); j++)
      n += count_raises (buckets[i], capacities[j]);
  g_assert_cmpuint (n, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/faster-link/" #name, test_##name)
  ADD (a_faster_link_is_told_of_once);
  ADD (the_rate_is_doubled_at_most);
  ADD (what_is_hardly_faster_is_left_to_the_rate_controller);
  ADD (without_a_limit_nothing_is_told);
  ADD (a_few_fast_trains_are_chance);
  ADD (trains_of_long_ago_tell_nothing);
  ADD (a_bucket_that_passes_whole_frames_is_no_faster_link);
  ADD (what_was_wrong_is_asked_less_and_less);
  ADD (what_was_right_is_asked_as_soon);
  ADD (over_use_again_needs_no_other_proof);
  ADD (another_limit_has_to_be_proved);
  ADD (a_slower_link_is_another_limit);
  ADD (a_clock_that_is_set_back_does_no_harm);
  ADD (the_first_rate_is_what_arrives);
  ADD (the_first_rate_is_more_where_a_frame_has_passed_faster);
  ADD (the_first_rate_is_twice_what_arrives_at_most);
  ADD (a_few_trains_do_not_tell_what_the_link_passes);
  ADD (a_call_begins_sooner);
  ADD (a_call_has_it_seconds_sooner);
  ADD (what_others_leave_is_no_faster_link);
  ADD (a_call_across_a_bucket_is_left_alone);
  return g_test_run ();
}
