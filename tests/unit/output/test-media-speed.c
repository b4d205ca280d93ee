/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-media-speed.h>

#define BEGIN (50 * GCC_SECOND)
#define FRAME (40 * GCC_MSECOND)

static const GccMediaSpeedParams params = { .window = GCC_SECOND,
  .n_windows = 3,
  .fast = 1.5,
  .slow = 0.85,
  .jump = 10 * GCC_SECOND };

typedef struct {
  GccMediaSpeed speed;
  GccTime media;
  GccTime now;
  /* the last that was told of, and how often any was */
  gdouble told;
  guint n_told;
} Video;

static Video
new_video (void)
{
  Video video = { .media = 7 * GCC_SECOND, .now = BEGIN };

  gcc_media_speed_init (&video.speed, &params);

  return video;
}

/* Frames for @duration, each of which takes @interval. */
static void
play (Video *self, GccTime interval, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end;
       self->now += interval, self->media += FRAME) {
    gdouble speed = gcc_media_speed_feed (&self->speed, self->media, self->now);

    if (speed != 0.) {
      self->told = speed;
      self->n_told++;
    }
  }
}

static void
test_media_in_time_is_right (void)
{
  Video video = new_video ();

  play (&video, FRAME, 60 * GCC_SECOND);
  play (&video, FRAME * 11 / 10, 60 * GCC_SECOND);
  g_assert_cmpuint (video.n_told, ==, 0);
}

static void
test_media_that_is_too_fast_is_told_of_soon (void)
{
  Video video = new_video ();

  play (&video, FRAME / 8, 3500 * GCC_MSECOND);
  g_assert_cmpuint (video.n_told, ==, 1);
  g_assert_cmpfloat_with_epsilon (video.told, 8., 0.5);
  play (&video, FRAME / 8, 60 * GCC_SECOND);
  g_assert_cmpuint (video.n_told, ==, 21);
}

static void
test_media_that_falls_behind_is_told_of_each_three_seconds (void)
{
  Video video = new_video ();

  play (&video, FRAME * 2, 5 * GCC_SECOND);
  g_assert_cmpuint (video.n_told, ==, 1);
  g_assert_cmpfloat_with_epsilon (video.told, 0.5, 0.05);
  play (&video, FRAME * 2, 60 * GCC_SECOND);
  g_assert_cmpuint (video.n_told, >=, 20);
  g_assert_cmpuint (video.n_told, <=, 22);
}

static void
test_it_is_late_by_what_it_has_fallen_behind (void)
{
  Video video = new_video ();

  play (&video, FRAME * 2, 8400 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_media_speed_get_late (&video.speed), >=, 3900 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_media_speed_get_late (&video.speed), <=, 4200 * GCC_MSECOND);
  /* frames were left out */
  video.media += 4 * GCC_SECOND;
  play (&video, FRAME, 2 * GCC_SECOND);
  g_assert_cmpint (gcc_media_speed_get_late (&video.speed), ==, 0);
}

static void
test_a_frame_in_two_seconds_is_too_slow (void)
{
  Video video = new_video ();

  play (&video, 2 * GCC_SECOND, 8 * GCC_SECOND);
  g_assert_cmpuint (video.n_told, ==, 1);
}

/* Guards against: a source that pauses now and then, or a file that is wound on. */
static void
test_pauses_and_jumps_are_moments (void)
{
  Video video = new_video ();

  for (guint i = 0; i < 20; i++) {
    play (&video, FRAME, 2500 * GCC_MSECOND);
    video.now += 5 * GCC_SECOND;
    play (&video, FRAME, 2500 * GCC_MSECOND);
    video.media += 30 * GCC_SECOND;
    play (&video, FRAME, 2500 * GCC_MSECOND);
    video.media = 0;
  }
  g_assert_cmpuint (video.n_told, ==, 0);
}

static void
test_a_retransmission_is_no_step_back (void)
{
  Video video = new_video ();

  for (guint i = 0; i < 100; i++) {
    play (&video, FRAME, 500 * GCC_MSECOND);
    g_assert_cmpfloat (gcc_media_speed_feed (&video.speed,
                           video.media - 400 * GCC_MSECOND, video.now),
        ==, 0.);
  }
  g_assert_cmpuint (video.n_told, ==, 0);
}

/* Where a payloader leaves all at one time they say nothing. */
static void
test_timestamps_that_stand_still_are_none (void)
{
  Video video = new_video ();

  for (guint i = 0; i < 1000; i++)
    g_assert_cmpfloat (
        gcc_media_speed_feed (&video.speed, video.media, video.now + i * FRAME),
        ==, 0.);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/media-speed/" #name, test_##name)
  ADD (media_in_time_is_right);
  ADD (media_that_is_too_fast_is_told_of_soon);
  ADD (media_that_falls_behind_is_told_of_each_three_seconds);
  ADD (it_is_late_by_what_it_has_fallen_behind);
  ADD (a_frame_in_two_seconds_is_too_slow);
  ADD (pauses_and_jumps_are_moments);
  ADD (a_retransmission_is_no_step_back);
  ADD (timestamps_that_stand_still_are_none);

  return g_test_run ();
}
