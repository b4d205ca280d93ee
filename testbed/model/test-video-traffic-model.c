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

/* A model and its clock */
typedef struct {
  VideoTrafficModel model;
  gint64 now_us;
} Source;

/* RFC 8593 */
static const VideoTrafficParams rfc = {
  .frame_rate = FRAME_RATE,
  .min_rate = MIN_RATE,
  .max_rate = MAX_RATE,
  .rate_factor = 1.,
  .key_bytes = VIDEO_TRAFFIC_KEY_BYTES,
};

static void
source_init_with (Source *self, guint32 seed, const VideoTrafficParams *params)
{
  self->now_us = 0;
  video_traffic_model_init (&self->model, seed, params);
}

static void
source_init (Source *self, guint32 seed)
{
  source_init_with (self, seed, &rfc);
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
  gsize bytes = VIDEO_TRAFFIC_KEY_BYTES;
  Source source;
  VideoTrafficFrame first;

  source_init (&source, 3);
  first = source_next (&source, RATE);
  g_assert_true (first.is_key);
  g_assert_cmpuint (first.bytes, ==, VIDEO_TRAFFIC_KEY_BYTES);
  for (guint i = 1; i < BURST_FRAMES; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE);

    g_assert_false (frame.is_key);
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
    g_assert_cmpint (
        source_next (&source, changes[i].rate).is_key, ==, changes[i].abrupt);
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
  g_assert_true (source_next (&source, 300e3).is_key);
  while (source.now_us - changed_us < 200 * 1000)
    g_assert_false (source_next (&source, RATE).is_key);
  g_assert_true (source_next (&source, RATE).is_key);
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

/* --- where an encoder differs --- */

static void
test_an_encoder_off_its_target_is_off_by_a_factor (void)
{
  static const gdouble factors[] = { 0.6, 1.4 };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++) {
    VideoTrafficParams params = rfc;
    Source source;

    params.rate_factor = factors[i];
    source_init_with (&source, 10, &params);
    source_skip (&source, RATE, BURST_FRAMES);
    assert_near (source_rate (&source, RATE, 30000), factors[i] * RATE, .01);
    /* above R_max, too */
    source_skip (&source, MAX_RATE, BURST_FRAMES);
    assert_near (
        source_rate (&source, MAX_RATE, 30000), factors[i] * MAX_RATE, .01);
    source_clear (&source);
  }
}

static void
test_a_late_encoder_has_the_rate_of_before (void)
{
  const gint64 late_us = 500 * 1000;
  VideoTrafficParams params = rfc;
  Source source;
  gint64 changed_us;

  params.late_us = late_us;
  source_init_with (&source, 11, &params);
  source_skip (&source, RATE, 60);
  changed_us = source.now_us;
  while (source.now_us < changed_us + late_us)
    g_assert_false (source_next (&source, 300e3).is_key);
  g_assert_true (source_next (&source, 300e3).is_key);
  source_skip (&source, 300e3, BURST_FRAMES);
  assert_near (source_rate (&source, 300e3, 3000), 300e3, .02);
  source_clear (&source);
}

/* A target that comes back before it is followed is followed none the less. */
static void
test_a_late_encoder_follows_all_that_it_was_told (void)
{
  VideoTrafficParams params = rfc;
  guint n_keys = 0;
  Source source;

  params.late_us = 1000 * 1000;
  source_init_with (&source, 12, &params);
  source_skip (&source, RATE, 60);
  source_skip (&source, 300e3, 15);
  for (guint i = 0; i < 60; i++)
    n_keys += source_next (&source, RATE).is_key;
  g_assert_cmpuint (n_keys, ==, 2);
  source_clear (&source);
}

static void
test_key_frames_come_at_their_interval_and_keep_the_rate (void)
{
  VideoTrafficParams params = rfc;
  gint64 begin_us, key_us = 0;
  guint n_keys = 0;
  gdouble bytes = 0;
  Source source;

  params.key_bytes = 20000;
  params.key_interval_us = 3000 * 1000;
  source_init_with (&source, 13, &params);
  begin_us = source.now_us;
  while (source.now_us < 300 * G_USEC_PER_SEC) {
    gint64 now_us = source.now_us;
    VideoTrafficFrame frame = source_next (&source, RATE);

    bytes += (gdouble) frame.bytes;
    if (!frame.is_key)
      continue;
    g_assert_cmpuint (frame.bytes, ==, 20000);
    g_assert_true (n_keys == 0 || now_us - key_us >= params.key_interval_us);
    key_us = now_us;
    n_keys++;
  }
  /* one interval between two frames more, each time */
  g_assert_cmpuint (n_keys, >=, 98);
  g_assert_cmpuint (n_keys, <=, 100);
  assert_near (bytes * 8e6 / (gdouble) (source.now_us - begin_us), RATE, .02);
  source_clear (&source);
}

static void
test_an_encoder_that_starts_over_makes_a_key_frame_of_each_change (void)
{
  VideoTrafficParams params = rfc;
  Source source;

  params.key_bytes = 25000;
  params.starts_over = TRUE;
  source_init_with (&source, 14, &params);
  source_skip (&source, RATE, 30);
  for (guint i = 1; i <= 10; i++) {
    VideoTrafficFrame frame = source_next (&source, RATE + 30 * i);

    g_assert_true (frame.is_key);
    g_assert_cmpuint (frame.bytes, ==, 25000);
  }
  g_assert_false (source_next (&source, RATE + 300).is_key);
  /* which the frames after it do not make up for */
  assert_near (source_rate (&source, RATE + 300, 10000), RATE, .02);
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
  g_test_add_func (
      "/video-traffic-model/an_encoder_off_its_target_is_off_by_a_factor",
      test_an_encoder_off_its_target_is_off_by_a_factor);
  g_test_add_func ("/video-traffic-model/a_late_encoder_has_the_rate_of_before",
      test_a_late_encoder_has_the_rate_of_before);
  g_test_add_func (
      "/video-traffic-model/a_late_encoder_follows_all_that_it_was_told",
      test_a_late_encoder_follows_all_that_it_was_told);
  g_test_add_func ("/video-traffic-model/"
                   "key_frames_come_at_their_interval_and_keep_the_rate",
      test_key_frames_come_at_their_interval_and_keep_the_rate);
  g_test_add_func (
      "/video-traffic-model/"
      "an_encoder_that_starts_over_makes_a_key_frame_of_each_change",
      test_an_encoder_that_starts_over_makes_a_key_frame_of_each_change);
  g_test_add_func ("/video-traffic-model/a_seed_decides_every_frame",
      test_a_seed_decides_every_frame);

  return g_test_run ();
}
