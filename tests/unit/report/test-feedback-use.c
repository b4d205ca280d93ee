/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-feedback-use.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

static GccTime
start (GccFeedbackUse *self)
{
  gcc_feedback_use_init (self, &gcc_profile_find ("recommended")->feedback_use);

  return 5 * GCC_SECOND;
}

/* Packets for @duration, one each @interval; returns the end. */
static GccTime
feed (GccFeedbackUse *self, gboolean are_numbered, GccTime now,
    GccTime duration, GccTime interval)
{
  GccTime end = now + duration;

  for (; now < end; now += interval)
    gcc_feedback_use_feed_media (self, are_numbered, now);

  return now;
}

static GccTime
feed_media (
    GccFeedbackUse *self, GccTime now, GccTime duration, GccTime interval)
{
  return feed (self, FALSE, now, duration, interval);
}

static void
test_it_is_in_use_from_the_first_feedback (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  feed_media (&use, now, 10 * GCC_SECOND, 20 * GCC_MSECOND);
  g_assert_false (gcc_feedback_use_is_in_use (&use));
  gcc_feedback_use_note_sent (&use);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
  g_assert_cmpuint (gcc_feedback_use_get_n_sent (&use), ==, 1);
}

/* Guards against a first REMB that bounds libwebrtc's rate for all of the call. */
static void
test_the_first_number_begins_its_use (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  gcc_feedback_use_feed_media (&use, FALSE, now);
  g_assert_true (gcc_feedback_use_awaits_number (&use));
  g_assert_false (gcc_feedback_use_is_in_use (&use));
  gcc_feedback_use_feed_media (&use, TRUE, now);
  g_assert_false (gcc_feedback_use_awaits_number (&use));
  g_assert_true (gcc_feedback_use_is_in_use (&use));
}

/* A session that sends none, whatever the caps say. */
static void
test_numbers_are_believed_for_two_seconds_and_once (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  now = feed (&use, TRUE, now, 1900 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
  now = feed (&use, TRUE, now, 200 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_false (gcc_feedback_use_is_in_use (&use));
  feed (&use, TRUE, now, 10 * GCC_SECOND, 20 * GCC_MSECOND);
  g_assert_false (gcc_feedback_use_is_in_use (&use));
}

static void
test_two_seconds_of_media_without_feedback_end_its_use (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  gcc_feedback_use_feed_media (&use, FALSE, now);
  gcc_feedback_use_note_sent (&use);
  now = feed_media (&use, now, 1900 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
  feed_media (&use, now, 200 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_false (gcc_feedback_use_is_in_use (&use));
}

/* The extension is gone from the packets: no feedback follows, and the sender
 * needs REMB. */
static void
test_numbers_that_stop_end_its_use_within_a_second (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  for (guint i = 0; i < 20; i++) {
    now = feed (&use, TRUE, now, 100 * GCC_MSECOND, 20 * GCC_MSECOND);
    gcc_feedback_use_note_sent (&use);
  }
  now = feed_media (&use, now, 700 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
  g_assert_true (gcc_feedback_use_awaits_number (&use));
  now = feed_media (&use, now, 200 * GCC_MSECOND, 20 * GCC_MSECOND);
  g_assert_false (gcc_feedback_use_is_in_use (&use));
  feed (&use, TRUE, now, 100 * GCC_MSECOND, 20 * GCC_MSECOND);
  gcc_feedback_use_note_sent (&use);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
}

/* Packets of audio without one are between. */
static void
test_every_tenth_number_is_enough (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  for (guint i = 0; i < 100; i++) {
    gcc_feedback_use_feed_media (&use, TRUE, now);
    gcc_feedback_use_note_sent (&use);
    now = feed_media (&use, now, 180 * GCC_MSECOND, 20 * GCC_MSECOND);
    g_assert_true (gcc_feedback_use_is_in_use (&use));
  }
}

static void
test_rare_feedback_is_feedback (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  for (guint i = 0; i < 20; i++) {
    gcc_feedback_use_note_sent (&use);
    now = feed_media (&use, now, 1500 * GCC_MSECOND, 20 * GCC_MSECOND);
    g_assert_true (gcc_feedback_use_is_in_use (&use));
  }
}

/* Guards against a REMB after each pause: no feedback is due while nothing
 * arrives. */
static void
test_a_pause_does_not_end_its_use (void)
{
  GccFeedbackUse use;
  GccTime now = start (&use);

  now = feed_media (&use, now, GCC_SECOND, 20 * GCC_MSECOND);
  gcc_feedback_use_note_sent (&use);
  now = feed_media (&use, now, 100 * GCC_MSECOND, 20 * GCC_MSECOND);
  gcc_feedback_use_feed_media (&use, FALSE, now + 3600 * GCC_SECOND);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
}

static void
test_a_clock_that_jumps_does_not_end_its_use (void)
{
  static const GccTime jumps[] = { -3600 * GCC_SECOND, G_MAXINT64, G_MININT64,
    0 };
  GccFeedbackUse use;

  start (&use);
  gcc_feedback_use_note_sent (&use);
  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++)
    gcc_feedback_use_feed_media (&use, FALSE, jumps[i]);
  g_assert_true (gcc_feedback_use_is_in_use (&use));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/feedback-use/" #name, test_##name)
  TEST (it_is_in_use_from_the_first_feedback);
  TEST (the_first_number_begins_its_use);
  TEST (numbers_that_stop_end_its_use_within_a_second);
  TEST (every_tenth_number_is_enough);
  TEST (numbers_are_believed_for_two_seconds_and_once);
  TEST (two_seconds_of_media_without_feedback_end_its_use);
  TEST (rare_feedback_is_feedback);
  TEST (a_pause_does_not_end_its_use);
  TEST (a_clock_that_jumps_does_not_end_its_use);

  return g_test_run ();
}
