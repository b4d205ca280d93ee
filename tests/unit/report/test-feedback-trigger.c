/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-feedback-trigger.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

typedef struct {
  GccFeedbackTrigger trigger;
  GccTime now;
  gboolean is_in_use;
} Session;

static void
start (Session *self)
{
  gcc_feedback_trigger_init (
      &self->trigger, &gcc_profile_find ("recommended")->feedback_trigger);
  self->now = 5 * GCC_SECOND;
  self->is_in_use = TRUE;
}

/* Frames of four packets with @gap between two of them, the last of which has
 * the marker. */
static void
feed_video (Session *self, guint n_frames, GccTime interval, GccTime gap)
{
  for (; n_frames > 0; n_frames--) {
    for (guint i = 0; i < 4; i++)
      gcc_feedback_trigger_feed (
          &self->trigger, i == 3, self->is_in_use, self->now + i * gap);
    self->now += interval;
  }
}

static void
feed_audio (Session *self, guint n)
{
  for (; n > 0; n--) {
    gcc_feedback_trigger_feed (
        &self->trigger, FALSE, self->is_in_use, self->now);
    self->now += 20 * GCC_MSECOND;
  }
}

static gboolean
uses_interval (const Session *self)
{
  GccTime interval = gcc_feedback_trigger_get_interval (&self->trigger);

  if (interval != GCC_TIME_NONE)
    g_assert_cmpint (interval, ==, 50 * GCC_MSECOND);

  return interval != GCC_TIME_NONE;
}

static void
test_frames_that_come_at_once_are_reported_at_the_marker (void)
{
  static const GccTime intervals[] = { 16667, 33333, 200000, 2000000 };

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    Session session;

    start (&session);
    feed_video (&session, 100, intervals[i], 20);
    g_assert_false (uses_interval (&session));
  }
}

static void
test_paced_frames_are_reported_at_the_marker (void)
{
  Session session;

  start (&session);
  feed_video (&session, 300, 33333, 8000);
  g_assert_false (uses_interval (&session));
}

static void
test_few_paced_frames_are_reported_by_the_interval (void)
{
  Session session;

  start (&session);
  feed_video (&session, 1, 200000, 45000);
  g_assert_true (uses_interval (&session));
  for (guint i = 0; i < 100; i++) {
    feed_video (&session, 1, 200000, 45000);
    g_assert_true (uses_interval (&session));
  }
}

static void
test_audio_is_reported_by_the_interval (void)
{
  Session session;

  start (&session);
  feed_audio (&session, 5);
  g_assert_false (uses_interval (&session));
  feed_audio (&session, 1);
  g_assert_true (uses_interval (&session));
}

/* Where both come in one session, the markers of video serve both. */
static void
test_audio_beside_video_is_reported_at_the_marker (void)
{
  Session session;

  start (&session);
  for (guint i = 0; i < 300; i++) {
    feed_audio (&session, 1);
    feed_video (&session, 1, 13333, 1000);
  }
  g_assert_false (uses_interval (&session));
}

/* Guards against the slower trigger for ten seconds after each lost marker. */
static void
test_a_lost_marker_does_no_harm (void)
{
  Session session;

  start (&session);
  for (guint i = 0; i < 100; i++) {
    feed_video (&session, 10, 33333, 20);
    gcc_feedback_trigger_feed (&session.trigger, FALSE, TRUE, session.now);
    session.now += 33333;
    g_assert_false (uses_interval (&session));
  }
}

static void
test_the_marker_returns_after_the_hold (void)
{
  Session session;

  start (&session);
  feed_audio (&session, 100);
  g_assert_true (uses_interval (&session));
  feed_video (&session, 240, 33333, 20);
  g_assert_true (uses_interval (&session));
  feed_video (&session, 70, 33333, 20);
  g_assert_false (uses_interval (&session));
}

/* Guards against a session that never sees the interval end: GStreamer's keeps
 * the time of the next feedback when it is stopped, and its running time starts
 * at 0 again. */
static void
test_an_interval_without_feedback_is_given_up_for_a_minute (void)
{
  Session session;

  start (&session);
  session.is_in_use = FALSE;
  feed_audio (&session, 100);
  g_assert_true (uses_interval (&session));
  feed_audio (&session, 10);
  g_assert_false (uses_interval (&session));
  feed_audio (&session, 2950);
  g_assert_false (uses_interval (&session));
  feed_audio (&session, 100);
  g_assert_true (uses_interval (&session));
}

static void
test_a_clock_that_jumps_does_no_harm (void)
{
  static const GccTime jumps[] = { -3600 * GCC_SECOND, G_MAXINT64, G_MININT64,
    0, 3600 * GCC_SECOND };
  Session session;

  start (&session);
  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++) {
    feed_audio (&session, 50);
    gcc_feedback_trigger_feed (&session.trigger, FALSE, TRUE, jumps[i]);
  }
  session.now = 7200 * GCC_SECOND;
  feed_video (&session, 400, 33333, 20);
  g_assert_false (uses_interval (&session));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/feedback-trigger/" #name, test_##name)
  TEST (frames_that_come_at_once_are_reported_at_the_marker);
  TEST (paced_frames_are_reported_at_the_marker);
  TEST (few_paced_frames_are_reported_by_the_interval);
  TEST (audio_is_reported_by_the_interval);
  TEST (audio_beside_video_is_reported_at_the_marker);
  TEST (a_lost_marker_does_no_harm);
  TEST (the_marker_returns_after_the_hold);
  TEST (an_interval_without_feedback_is_given_up_for_a_minute);
  TEST (a_clock_that_jumps_does_no_harm);

  return g_test_run ();
}
