/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The rate of the link by packet trains: the stage alone, then the start of whole
 * calls over REMB with the default profile, which alone looks at it. */

#include <gst/gcc/path/gcc-link-trains.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "support/remb-call.h"

#define LINK 1000000
#define FRAME (33 * GCC_MSECOND)

static GccLinkTrains stage;
static GccTime now;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  gcc_link_trains_init (&stage, &gcc_recommended_receiver_rules.trains);
}

static void
feed (GccRate link)
{
  GccTrainRates train = { .least = link, .most = link };

  now += FRAME;
  gcc_link_trains_feed (&stage, &train, now);
}

static void
run (guint n, GccRate link)
{
  for (guint i = 0; i < n; i++)
    feed (link);
}

static void
assert_starts (GccRate rate)
{
  g_assert_cmpint (gcc_link_trains_get_start (&stage, LINK / 4), ==, rate);
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
  run (GCC_LINK_TRAINS - 1, LINK);
  g_assert_cmpint (gcc_link_trains_get_most (&stage, now), ==, GCC_RATE_NONE);
  feed (LINK);
  g_assert_cmpint (gcc_link_trains_get_most (&stage, now), ==, LINK);
  now += 10 * GCC_SECOND;
  g_assert_cmpint (gcc_link_trains_get_most (&stage, now), ==, GCC_RATE_NONE);
}

static void
test_single_trains_do_not_tell_what_the_link_passes (void)
{
  start ();
  run (GCC_LINK_TRAINS, LINK);
  run (GCC_LINK_TRAINS / 2 - 1, 3 * LINK);
  g_assert_cmpint (gcc_link_trains_get_most (&stage, now), ==, LINK);
  run (GCC_LINK_TRAINS, 3 * LINK);
  g_assert_cmpint (gcc_link_trains_get_most (&stage, now), ==, 3 * LINK);
}

/* No train is longer than the bucket: none tells of the link. */
static GccReceiverRulesParams
get_rules_without (void)
{
  GccReceiverRulesParams rules = gcc_recommended_receiver_rules;

  rules.trains.train.bucket = G_MAXSIZE;
  return rules;
}

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/link-trains/" #name, test_##name)
  ADD (the_first_rate_is_what_arrives);
  ADD (the_first_rate_is_more_where_a_frame_has_passed_faster);
  ADD (the_first_rate_is_twice_what_arrives_at_most);
  ADD (a_few_trains_do_not_tell_what_the_link_passes);
  ADD (single_trains_do_not_tell_what_the_link_passes);
  ADD (a_call_begins_sooner);
#undef ADD
  return g_test_run ();
}
