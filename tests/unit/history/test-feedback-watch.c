/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-feedback-watch.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* fifty packets a second */
#define GAP (20 * GCC_MSECOND)

#define START 1000000

typedef struct {
  GccFeedbackWatch watch;
  GccRate rate;
  GccTime now;
} Sending;

static void
sending_init (Sending *self, const GccProfile *profile)
{
  gcc_feedback_watch_init (&self->watch, &profile->feedback_watch);
  self->rate = START;
  self->now = 0;
  gcc_feedback_watch_feed_sent (&self->watch, 0);
}

static void
check_timeout (Sending *self)
{
  GccRate rate;

  if (gcc_feedback_watch_next_timeout (&self->watch) == GCC_TIME_NONE)
    return;

  rate = gcc_feedback_watch_handle_timeout (&self->watch, self->rate);
  if (rate != GCC_RATE_NONE)
    self->rate = rate;
  /* Guards against a caller that spins. */
  g_assert_cmpint (
      gcc_feedback_watch_next_timeout (&self->watch), ==, GCC_TIME_NONE);
}

static void
send_for (Sending *self, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end;) {
    self->now += GAP;
    gcc_feedback_watch_feed_sent (&self->watch, self->now);
    check_timeout (self);
  }
}

static void
feed_back (Sending *self)
{
  gcc_feedback_watch_feed_feedback (&self->watch, self->now);
}

/* Feedback of one each @interval, @n times. */
static void
call (Sending *self, guint n, GccTime interval)
{
  for (guint i = 0; i < n; i++) {
    feed_back (self);
    send_for (self, interval);
  }
  feed_back (self);
}

static void
test_feedback_that_never_comes_is_silence_after_seven_seconds (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  send_for (&sending, 7 * GCC_SECOND - GAP);
  g_assert_false (sending.watch.is_silent);
  g_assert_false (gcc_feedback_watch_has_feedback (&sending.watch));
  g_assert_cmpint (sending.rate, ==, START);
  send_for (&sending, GAP);
  g_assert_true (sending.watch.is_silent);
  g_assert_cmpint (sending.rate, ==, 800000);
}

static void
test_five_intervals_without_feedback_are_silence (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  call (&sending, 60, GCC_SECOND);
  g_assert_true (gcc_feedback_watch_has_feedback (&sending.watch));
  send_for (&sending, 4900 * GCC_MSECOND);
  g_assert_cmpint (sending.rate, ==, START);
  send_for (&sending, 200 * GCC_MSECOND);
  g_assert_false (gcc_feedback_watch_has_feedback (&sending.watch));
  g_assert_cmpint (sending.rate, ==, 800000);
}

static void
test_silence_takes_a_fifth_each_second (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  send_for (&sending, 7 * GCC_SECOND);
  g_assert_cmpint (sending.rate, ==, 800000);
  send_for (&sending, GCC_SECOND);
  g_assert_cmpint (sending.rate, ==, 640000);
  send_for (&sending, 2 * GCC_SECOND);
  g_assert_cmpint (sending.rate, ==, 409600);
}

/* A session may report once in five seconds, and asks no more often. */
static void
test_a_late_call_makes_up_for_what_it_missed (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  send_for (&sending, 7 * GCC_SECOND);
  for (guint i = 0; i < 150; i++) {
    sending.now += GAP;
    gcc_feedback_watch_feed_sent (&sending.watch, sending.now);
  }
  check_timeout (&sending);
  g_assert_cmpint (sending.rate, ==, 409600);
}

static void
test_a_source_that_pauses_misses_nothing (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  call (&sending, 60, GCC_SECOND);
  for (guint i = 0; i < 3; i++) {
    send_for (&sending, GCC_SECOND);
    sending.now += 600 * GCC_SECOND;
    check_timeout (&sending);
  }
  g_assert_true (gcc_feedback_watch_has_feedback (&sending.watch));
  g_assert_cmpint (sending.rate, ==, START);
}

/* What has fallen silent falls no further while nothing is sent. */
static void
test_a_pause_stops_the_fall (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  send_for (&sending, 7 * GCC_SECOND);
  sending.now += 600 * GCC_SECOND;
  check_timeout (&sending);
  g_assert_cmpint (sending.rate, ==, 800000);
  send_for (&sending, GAP);
  g_assert_cmpint (sending.rate, ==, 640000);
}

/* One picture in a minute is no pause for ever. */
static void
test_a_slow_source_notices_silence_later (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  for (guint i = 0; i < 7; i++) {
    g_assert_false (sending.watch.is_silent);
    sending.now += 60 * GCC_SECOND;
    gcc_feedback_watch_feed_sent (&sending.watch, sending.now);
    check_timeout (&sending);
  }
  g_assert_true (sending.watch.is_silent);
}

/* RFC 3550, sections 6.2 and 6.3.1: an AVP session reports each 5 s, between
 * 2.1 s and 6.2 s. */
static void
test_a_receiver_in_avp_is_not_silent (void)
{
  GRand *rand = g_rand_new_with_seed (14);

  for (guint i = 0; i < 100; i++) {
    Sending sending;

    sending_init (&sending, &gcc_profile_recommended);
    for (guint j = 0; j < 50; j++) {
      send_for (&sending, g_rand_int_range (rand, 2100, 6200) * GCC_MSECOND);
      g_assert_false (sending.watch.is_silent);
      feed_back (&sending);
    }
    g_assert_cmpint (sending.rate, ==, START);
  }
  g_rand_free (rand);
}

static void
test_a_slow_reporter_is_waited_for (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  call (&sending, 10, 5 * GCC_SECOND);
  send_for (&sending, 24 * GCC_SECOND);
  g_assert_false (sending.watch.is_silent);
  send_for (&sending, 2 * GCC_SECOND);
  g_assert_true (sending.watch.is_silent);
}

static void
test_feedback_ends_a_silence (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  send_for (&sending, 9 * GCC_SECOND);
  g_assert_true (gcc_feedback_watch_lowers (&sending.watch));
  feed_back (&sending);
  g_assert_true (gcc_feedback_watch_has_feedback (&sending.watch));
  g_assert_false (gcc_feedback_watch_lowers (&sending.watch));
  g_assert_cmpint (sending.rate, ==, 512000);
  send_for (&sending, 6 * GCC_SECOND);
  g_assert_cmpint (sending.rate, ==, 512000);
}

/* Who was away for a minute is not waited for as if it reported once in one. */
static void
test_a_silence_at_most_doubles_the_wait (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  call (&sending, 60, GCC_SECOND);
  send_for (&sending, 60 * GCC_SECOND);
  feed_back (&sending);
  send_for (&sending, 9 * GCC_SECOND);
  g_assert_false (sending.watch.is_silent);
  send_for (&sending, 2 * GCC_SECOND);
  g_assert_true (sending.watch.is_silent);
}

static void
test_published_generations_notice_and_lower_nothing (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    Sending sending;

    if (gcc_profiles[i] == &gcc_profile_recommended)
      continue;
    sending_init (&sending, gcc_profiles[i]);
    send_for (&sending, 60 * GCC_SECOND);
    g_assert_true (sending.watch.is_silent);
    g_assert_false (gcc_feedback_watch_lowers (&sending.watch));
    g_assert_cmpint (sending.rate, ==, START);
  }
}

static void
test_a_clock_that_jumps_is_no_silence (void)
{
  Sending sending;

  sending_init (&sending, &gcc_profile_recommended);
  call (&sending, 3, GCC_SECOND);
  for (guint i = 0; i < 3; i++) {
    gcc_feedback_watch_feed_sent (&sending.watch, G_MAXINT64);
    gcc_feedback_watch_feed_sent (&sending.watch, G_MININT64 + 1);
    check_timeout (&sending);
  }
  g_assert_cmpint (sending.rate, ==, START);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/feedback-watch/" #name, test_##name)
  ADD (feedback_that_never_comes_is_silence_after_seven_seconds);
  ADD (five_intervals_without_feedback_are_silence);
  ADD (silence_takes_a_fifth_each_second);
  ADD (a_late_call_makes_up_for_what_it_missed);
  ADD (a_source_that_pauses_misses_nothing);
  ADD (a_pause_stops_the_fall);
  ADD (a_slow_source_notices_silence_later);
  ADD (a_receiver_in_avp_is_not_silent);
  ADD (a_slow_reporter_is_waited_for);
  ADD (feedback_ends_a_silence);
  ADD (a_silence_at_most_doubles_the_wait);
  ADD (published_generations_notice_and_lower_nothing);
  ADD (a_clock_that_jumps_is_no_silence);

  return g_test_run ();
}
