/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A link that has become faster: the stage alone, then whole calls over REMB with the
 * default profile, which alone looks for it. */

#include <gst/gcc/gcc-faster-link.h>
#include <gst/gcc/gcc-profile-private.h>

#include "remb-call.h"

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
  gcc_faster_link_init (&stage, &gcc_profile_recommended.faster_link);
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

static void
reach_limit (GccRate link)
{
  run (GCC_FASTER_LINK_TRAINS, link);
  gcc_faster_link_note_limit (&stage, now);
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

/* Guards: a token bucket of many packets, which passes all of a frame at once
 * whenever the queue has been empty. */
static void
test_what_was_wrong_is_asked_less_and_less (void)
{
  start ();
  for (guint i = 0; i < 300; i++) {
    reach_limit (LINK);
    run (GCC_SECOND / FRAME, 20 * LINK);
  }
  /* in 372 s: at once, and after 30, 90 and 270 s, not after each over-use */
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

static void
test_published_generations_look_for_none (void)
{
  g_assert_cmpfloat (gcc_profile_recommended.faster_link.growth, >, 0.);
  for (guint i = 1; i < gcc_n_profiles; i++)
    g_assert_cmpfloat (gcc_profiles[i]->faster_link.growth, ==, 0.);
}

/* --- whole calls --- */

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
  GccProfile without = gcc_profile_recommended;
  gdouble with_s, without_s;

  without.faster_link.growth = 0.;
  with_s = measure_rise (&gcc_profile_recommended);
  without_s = measure_rise (&without);
  g_test_message ("%.1f s, %.1f s without", with_s, without_s);
  g_assert_cmpfloat (with_s, <, without_s - 1.5);
}

/* What two calls on one link send in two minutes, bytes. */
static void
send (const GccProfile *profile, gint64 *bytes)
{
  static RembCall calls[2];
  GccTime link_free = 0;

  for (guint i = 0; i < 2; i++) {
    remb_call_init (&calls[i], profile, 300000, 6000000);
    calls[i].link_free = &link_free;
    calls[i].capacity = 2000000;
    g_rand_set_seed (calls[i].rand, i + 1);
  }
  calls[1].next_frame += FRAME / 2;
  while (calls[0].now < 220 * GCC_SECOND) {
    remb_call_step (&calls[0]);
    remb_call_step (&calls[1]);
  }
  for (guint i = 0; i < 2; i++) {
    bytes[i] = calls[i].received_bytes;
    remb_call_clear (&calls[i]);
  }
}

/* Guards: half of a link, whose packets arrive at all of its rate. */
static void
test_what_others_leave_is_no_faster_link (void)
{
  GccProfile without = gcc_profile_recommended;
  gint64 bytes[2], bytes_without[2];

  without.faster_link.growth = 0.;
  send (&gcc_profile_recommended, bytes);
  send (&without, bytes_without);
  g_assert_cmpint (bytes[0], ==, bytes_without[0]);
  g_assert_cmpint (bytes[1], ==, bytes_without[1]);
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
  ADD (what_was_wrong_is_asked_less_and_less);
  ADD (what_was_right_is_asked_as_soon);
  ADD (a_slower_link_is_another_limit);
  ADD (a_clock_that_is_set_back_does_no_harm);
  ADD (published_generations_look_for_none);
  ADD (a_call_has_it_seconds_sooner);
  ADD (what_others_leave_is_no_faster_link);
  return g_test_run ();
}
