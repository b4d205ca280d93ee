/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-key-requests.h>

#define BEGIN (50 * GCC_SECOND)
#define RATE 1200000
#define INTERVAL (800 * GCC_MSECOND)

static const GccKeyRequestsParams params = { .share = 0.2,
  .max_wait = GCC_SECOND };

/* Of @bytes, in packets of at most 1000. */
static void
feed_frame (GccKeyCost *self, guint32 timestamp, gsize bytes)
{
  for (gsize left = bytes; left > 0; left -= MIN (left, 1000))
    gcc_key_cost_feed (self, timestamp, MIN (left, 1000));
}

static GccTime
get_interval (const GccKeyCost *cost)
{
  return gcc_key_cost_get_interval (cost, &params, RATE);
}

static void
test_key_frames_take_a_fifth_of_the_rate (void)
{
  GccKeyCost cost = { 0 };

  feed_frame (&cost, 0, 24000);
  feed_frame (&cost, 3000, 5000);
  g_assert_cmpint (get_interval (&cost), ==, INTERVAL);
}

static void
test_a_request_waits_a_second_at_most (void)
{
  GccKeyCost cost = { 0 };

  feed_frame (&cost, 0, 240000);
  g_assert_cmpint (get_interval (&cost), ==, GCC_SECOND);
}

static void
test_nothing_is_paid_before_a_frame_was_seen (void)
{
  GccKeyCost cost = { 0 };

  g_assert_cmpint (get_interval (&cost), ==, 0);
}

/* Guards against: the frames just after a request, which are no key frame yet. */
static void
test_the_cost_lasts_until_the_next_key_frame_and_no_longer (void)
{
  GccKeyCost cost = { 0 };

  feed_frame (&cost, 0, 24000);
  gcc_key_cost_requested (&cost);
  feed_frame (&cost, 3000, 5000);
  g_assert_cmpint (get_interval (&cost), ==, INTERVAL);
  feed_frame (&cost, 6000, 12000);
  gcc_key_cost_requested (&cost);
  g_assert_cmpint (get_interval (&cost), ==, INTERVAL / 2);
}

static void
test_each_frame_begins_once (void)
{
  GccKeyCost cost = { 0 };

  g_assert_true (gcc_key_cost_feed (&cost, 0, 1000));
  g_assert_false (gcc_key_cost_feed (&cost, 0, 1000));
  g_assert_true (gcc_key_cost_feed (&cost, 3000, 1000));
}

static void
test_the_first_request_passes (void)
{
  g_assert_cmpint (gcc_key_requests_judge (
                       BEGIN, GCC_TIME_NONE, GCC_TIME_NONE, INTERVAL, BEGIN),
      ==, GCC_KEY_PASSES);
}

static void
test_a_request_that_comes_too_soon_waits_and_then_passes (void)
{
  GccTime frame = BEGIN + 10 * GCC_MSECOND;
  GccTime asked = BEGIN + 100 * GCC_MSECOND;

  g_assert_cmpint (
      gcc_key_requests_judge (asked, BEGIN, frame, INTERVAL, asked), ==,
      GCC_KEY_WAITS);
  g_assert_cmpint (gcc_key_requests_judge (
                       asked, BEGIN, frame, INTERVAL, BEGIN + INTERVAL - 1),
      ==, GCC_KEY_WAITS);
  g_assert_cmpint (
      gcc_key_requests_judge (asked, BEGIN, frame, INTERVAL, BEGIN + INTERVAL),
      ==, GCC_KEY_PASSES);
}

static void
test_the_key_frame_to_come_answers_all (void)
{
  GccTime asked = BEGIN + 10 * GCC_MSECOND;

  g_assert_cmpint (
      gcc_key_requests_judge (asked, BEGIN, BEGIN - 1, INTERVAL, asked), ==,
      GCC_KEY_IS_ANSWERED);
  g_assert_cmpint (
      gcc_key_requests_judge (asked, BEGIN, GCC_TIME_NONE, INTERVAL, asked), ==,
      GCC_KEY_IS_ANSWERED);
}

/* Of an encoder that several calls have. */
static void
test_a_later_request_of_another_answers_one_that_waits (void)
{
  g_assert_cmpint (gcc_key_requests_judge (BEGIN - 1, BEGIN, BEGIN + 1,
                       INTERVAL, BEGIN + 2 * INTERVAL),
      ==, GCC_KEY_IS_ANSWERED);
}

static void
test_after_the_clock_was_set_back_a_request_passes (void)
{
  g_assert_cmpint (gcc_key_requests_judge (
                       BEGIN, BEGIN + GCC_SECOND, BEGIN, INTERVAL, BEGIN),
      ==, GCC_KEY_PASSES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/key-requests/" #name, test_##name)
  ADD (key_frames_take_a_fifth_of_the_rate);
  ADD (a_request_waits_a_second_at_most);
  ADD (nothing_is_paid_before_a_frame_was_seen);
  ADD (the_cost_lasts_until_the_next_key_frame_and_no_longer);
  ADD (each_frame_begins_once);
  ADD (the_first_request_passes);
  ADD (a_request_that_comes_too_soon_waits_and_then_passes);
  ADD (the_key_frame_to_come_answers_all);
  ADD (a_later_request_of_another_answers_one_that_waits);
  ADD (after_the_clock_was_set_back_a_request_passes);
#undef ADD

  return g_test_run ();
}
