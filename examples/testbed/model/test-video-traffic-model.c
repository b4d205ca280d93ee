/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "video-traffic-model.h"

#include <math.h>

#define FRAME_RATE 30.
#define MIN_RATE 150e3
#define MAX_RATE 1500e3
#define RATE 1e6
/* bytes of a frame at RATE */
#define MEAN (RATE / 8 / FRAME_RATE)
#define BURST_FRAMES 8
#define BURST_FIRST_BYTES 13500

/* A model and its clock */
typedef struct {
  VideoTrafficModel model;
  gint64 now_us;
} Source;

static void
source_init (Source *self, guint32 seed)
{
  self->now_us = 0;
  video_traffic_model_init (&self->model, seed, FRAME_RATE, MIN_RATE, MAX_RATE);
}

static VideoTrafficFrame
source_next (Source *self, gdouble rate)
{
  VideoTrafficFrame frame = video_traffic_model_next (
      &self->model, rate, self->now_us);

  self->now_us += frame.interval_us;
  return frame;
}

static void
source_skip (Source *self, gdouble rate, guint frames)
{
  while (frames-- > 0)
    source_next (self, rate);
}

/* The rate of the next @frames frames in bit/s. */
static gdouble
source_rate (Source *self, gdouble rate, guint frames)
{
  gint64 begin_us = self->now_us;
  gdouble bytes = 0;

  while (frames-- > 0)
    bytes += (gdouble) source_next (self, rate).bytes;
  return bytes * 8e6 / (gdouble) (self->now_us - begin_us);
}

static void
source_clear (Source *self)
{
  video_traffic_model_clear (&self->model);
}

static void
assert_near (gdouble got, gdouble expected, gdouble part)
{
  g_assert_cmpfloat_with_epsilon (got, expected, part * expected);
}

static void
test_the_rate_is_the_one_asked_for (void)
{
  Source source;

  source_init (&source, 1);
  source_skip (&source, RATE, BURST_FRAMES);
  assert_near (source_rate (&source, RATE, 30000), RATE, .01);
  source_clear (&source);
}

/* Of a Laplacian distribution with scale b the mean absolute deviation is b,
 * the standard deviation b times the root of two. */
static void
test_sizes_and_intervals_deviate_by_their_scales (void)
{
  const guint n = 100000;
  gdouble size = 0, size_2 = 0, interval = 0, interval_2 = 0, both = 0;
  Source source;

  source_init (&source, 2);
  source_skip (&source, RATE, BURST_FRAMES);
  for (guint i = 0; i < n; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE);
    gdouble b = (gdouble) frame.bytes / MEAN - 1;
    gdouble t = (gdouble) frame.interval_us / 1e6 * FRAME_RATE - 1;

    size += fabs (b) / n;
    size_2 += b * b / n;
    interval += fabs (t) / n;
    interval_2 += t * t / n;
    both += b * t / n;
  }
  assert_near (size, .15, .02);
  assert_near (sqrt (size_2), .15 * sqrt (2), .02);
  assert_near (interval, .15, .02);
  assert_near (sqrt (interval_2), .15 * sqrt (2), .02);
  /* independent of each other */
  g_assert_cmpfloat_with_epsilon (both, 0, .001);
  source_clear (&source);
}

static void
test_the_first_frames_are_a_burst_of_the_rate_asked_for (void)
{
  gsize bytes = BURST_FIRST_BYTES;
  Source source;
  VideoTrafficFrame first;

  source_init (&source, 3);
  first = source_next (&source, RATE);
  g_assert_true (first.begins_burst);
  g_assert_cmpuint (first.bytes, ==, BURST_FIRST_BYTES);
  for (guint i = 1; i < BURST_FRAMES; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE);

    g_assert_false (frame.begins_burst);
    g_assert_cmpuint (frame.bytes, <, (gsize) MEAN);
    bytes += frame.bytes;
  }
  assert_near ((gdouble) bytes, BURST_FRAMES * MEAN, .001);
  source_clear (&source);
}

static void
test_a_burst_above_the_rate_leaves_the_others_a_fifth (void)
{
  const gdouble rate = 200e3;
  Source source;

  source_init (&source, 4);
  source_next (&source, rate);
  assert_near ((gdouble) source_next (&source, rate).bytes,
      .2 * rate / 8 / FRAME_RATE, .01);
  source_clear (&source);
}

static void
test_only_an_abrupt_change_makes_a_burst (void)
{
  static const struct {
    gdouble rate;
    gboolean abrupt;
  } changes[] = {
    { .49 * RATE, TRUE },
    { .51 * RATE, FALSE },
    { .85 * RATE, FALSE },
    { 1.08 * RATE, FALSE },
    { 1.49 * RATE, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    Source source;

    source_init (&source, 5);
    source_skip (&source, RATE, 30);
    g_assert_cmpint (source_next (&source, changes[i].rate).begins_burst, ==,
        changes[i].abrupt);
    source_clear (&source);
  }
}

static void
test_a_change_within_tau_v_of_the_last_waits_for_its_end (void)
{
  Source source;
  gint64 changed_us;

  source_init (&source, 6);
  source_skip (&source, RATE, 30);
  changed_us = source.now_us;
  g_assert_true (source_next (&source, 300e3).begins_burst);
  while (source.now_us - changed_us < 200 * 1000)
    g_assert_false (source_next (&source, RATE).begins_burst);
  g_assert_true (source_next (&source, RATE).begins_burst);
  source_clear (&source);
}

static void
test_the_rate_stays_between_r_min_and_r_max (void)
{
  Source source;

  source_init (&source, 7);
  source_skip (&source, 1, BURST_FRAMES);
  assert_near (source_rate (&source, 1, 30000), MIN_RATE, .01);
  source_skip (&source, 1e9, BURST_FRAMES);
  assert_near (source_rate (&source, 1e9, 30000), MAX_RATE, .01);
  source_clear (&source);
}

static void
test_time_goes_on_and_no_frame_is_empty (void)
{
  Source source;

  source_init (&source, 8);
  for (guint i = 0; i < 1000000; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE);

    g_assert_cmpint (frame.interval_us, >, 0);
    g_assert_cmpuint (frame.bytes, >, 0);
  }
  source_clear (&source);
}

static void
test_a_seed_decides_every_frame (void)
{
  Source source, same, other;
  guint different = 0;

  source_init (&source, 9);
  source_init (&same, 9);
  source_init (&other, 10);
  for (guint i = 0; i < 1000; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE);
    VideoTrafficFrame again = source_next (&same, RATE);

    g_assert_cmpuint (frame.bytes, ==, again.bytes);
    g_assert_cmpint (frame.interval_us, ==, again.interval_us);
    different += frame.bytes != source_next (&other, RATE).bytes;
  }
  g_assert_cmpuint (different, >, 900);
  source_clear (&source);
  source_clear (&same);
  source_clear (&other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/video-traffic-model/the_rate_is_the_one_asked_for",
      test_the_rate_is_the_one_asked_for);
  g_test_add_func (
      "/video-traffic-model/sizes_and_intervals_deviate_by_their_scales",
      test_sizes_and_intervals_deviate_by_their_scales);
  g_test_add_func (
      "/video-traffic-model/the_first_frames_are_a_burst_of_the_rate_asked_for",
      test_the_first_frames_are_a_burst_of_the_rate_asked_for);
  g_test_add_func (
      "/video-traffic-model/a_burst_above_the_rate_leaves_the_others_a_fifth",
      test_a_burst_above_the_rate_leaves_the_others_a_fifth);
  g_test_add_func ("/video-traffic-model/only_an_abrupt_change_makes_a_burst",
      test_only_an_abrupt_change_makes_a_burst);
  g_test_add_func ("/video-traffic-model/"
                   "a_change_within_tau_v_of_the_last_waits_for_its_end",
      test_a_change_within_tau_v_of_the_last_waits_for_its_end);
  g_test_add_func (
      "/video-traffic-model/the_rate_stays_between_r_min_and_r_max",
      test_the_rate_stays_between_r_min_and_r_max);
  g_test_add_func ("/video-traffic-model/time_goes_on_and_no_frame_is_empty",
      test_time_goes_on_and_no_frame_is_empty);
  g_test_add_func ("/video-traffic-model/a_seed_decides_every_frame",
      test_a_seed_decides_every_frame);

  return g_test_run ();
}
