/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-degradation.h>

#include <math.h>

#define BEGIN (50 * GCC_SECOND)
#define STEP (50 * GCC_MSECOND)
#define ENOUGH 5000000
#define LITTLE 100000

static const GccVideoFormat hd = { 1280, 720, 30, 1 };

/* A call, its time, and how often its format has changed. */
typedef struct {
  GccDegradation degradation;
  GccTime now;
  guint n_changes;
} Degraded;

static Degraded
new_call (GccDegradationPreference preference, const GccVideoFormat *source)
{
  Degraded degraded = { .now = BEGIN };

  gcc_degradation_init (&degraded.degradation);
  gcc_degradation_set_source (
      &degraded.degradation, preference, GCC_CODEC_VP8, source);

  return degraded;
}

/* @rate for @seconds. */
static void
send (Degraded *degraded, GccRate rate, gdouble seconds)
{
  for (gint i = 0; i < (gint) (seconds * 20. + .5); i++) {
    degraded->n_changes += gcc_degradation_update (
        &degraded->degradation, rate, degraded->now);
    degraded->now += STEP;
  }
}

static const GccVideoFormat *
format (const Degraded *degraded)
{
  return gcc_degradation_get_format (&degraded->degradation);
}

static gdouble
frame_rate (const GccVideoFormat *one)
{
  return (gdouble) one->rate_n / one->rate_d;
}

static void
assert_is (const GccVideoFormat *one, const GccVideoFormat *other)
{
  g_assert_cmpuint (one->width, ==, other->width);
  g_assert_cmpuint (one->height, ==, other->height);
  g_assert_cmpuint (one->rate_n, ==, other->rate_n);
  g_assert_cmpuint (one->rate_d, ==, other->rate_d);
}

/* A call that has had @rate for long. */
static Degraded
settled_call (GccDegradationPreference preference, const GccVideoFormat *source,
    GccRate rate)
{
  Degraded degraded = new_call (preference, source);

  send (&degraded, rate, 30.);
  degraded.n_changes = 0;

  return degraded;
}

/* The size that @rate chooses where nothing came before it but the start. */
static guint
first_width (const GccVideoFormat *source, GccRate rate)
{
  Degraded degraded = new_call (GCC_DEGRADATION_NONE, source);

  send (&degraded, rate, .05);
  gcc_degradation_set_source (
      &degraded.degradation, GCC_DEGRADATION_BALANCED, GCC_CODEC_VP8, source);
  send (&degraded, rate, .05);

  return format (&degraded)->width;
}

/* The least rate that lets @source stay as it is. */
static GccRate
find_edge (const GccVideoFormat *source)
{
  GccRate rate = ENOUGH;

  while (first_width (source, rate - 1000) == source->width)
    rate -= 1000;

  return rate;
}

static void
test_the_source_stays_while_no_rate_is_known (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  send (&degraded, GCC_RATE_NONE, 100.);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  assert_is (format (&degraded), &hd);
}

static void
test_the_source_stays_where_the_rate_is_enough (void)
{
  for (gint i = 0; i <= GCC_DEGRADATION_MAINTAIN_RESOLUTION; i++) {
    Degraded degraded = new_call ((GccDegradationPreference) i, &hd);

    send (&degraded, ENOUGH, 100.);
    g_assert_cmpuint (degraded.n_changes, ==, 0);
    assert_is (format (&degraded), &hd);
  }
}

/* So that the first key frame is not one of the source's size. */
static void
test_the_first_rate_decides_at_once (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  send (&degraded, LITTLE, .05);
  g_assert_cmpuint (degraded.n_changes, ==, 1);
  g_assert_cmpuint (format (&degraded)->width, <=, 640);
}

/* It is a guess, which a path may not take. */
static void
test_the_first_rate_counts_half (void)
{
  GccRate edge = find_edge (&hd);
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  send (&degraded, 2 * edge - 2000, .05);
  g_assert_cmpuint (format (&degraded)->width, <, 1280);
  degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);
  send (&degraded, 2 * edge, .05);
  g_assert_cmpuint (format (&degraded)->width, ==, 1280);
}

static void
test_with_none_nothing_changes (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_NONE, &hd);

  send (&degraded, 1, 100.);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  assert_is (format (&degraded), &hd);
}

static void
test_maintain_framerate_keeps_the_frame_rate (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_MAINTAIN_FRAMERATE, &hd, 1);

  assert_is (format (&degraded), &(GccVideoFormat){ 320, 180, 30, 1 });
}

static void
test_maintain_resolution_keeps_the_size (void)
{
  Degraded degraded = settled_call (
      GCC_DEGRADATION_MAINTAIN_RESOLUTION, &hd, 1);

  g_assert_cmpuint (format (&degraded)->width, ==, 1280);
  g_assert_cmpuint (format (&degraded)->height, ==, 720);
  g_assert_cmpfloat (frame_rate (format (&degraded)), ==, 5.);
}

static void
test_balanced_lowers_the_size_first_and_then_both (void)
{
  GccVideoFormat last = hd;

  for (GccRate rate = ENOUGH; rate > 1000; rate = rate * 9 / 10) {
    Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, rate);

    g_assert_cmpuint (format (&degraded)->width, <=, last.width);
    g_assert_cmpfloat (frame_rate (format (&degraded)), <=, frame_rate (&last));
    if (format (&degraded)->width > 640)
      g_assert_cmpfloat (frame_rate (format (&degraded)), ==, 30.);
    last = *format (&degraded);
  }
  g_assert_cmpuint (last.width, ==, 320);
  g_assert_cmpfloat (frame_rate (&last), ==, 10.);
}

static void
test_better_codecs_keep_more_at_the_same_rate (void)
{
  Degraded vp8 = new_call (GCC_DEGRADATION_BALANCED, &hd);
  Degraded av1 = new_call (GCC_DEGRADATION_BALANCED, &hd);
  GccRate edge = find_edge (&hd);

  gcc_degradation_set_source (
      &av1.degradation, GCC_DEGRADATION_BALANCED, GCC_CODEC_AV1, &hd);
  send (&vp8, edge - 1000, 5.);
  send (&av1, edge - 1000, 5.);
  g_assert_cmpuint (format (&vp8)->width, <, 1280);
  g_assert_cmpuint (format (&av1)->width, ==, 1280);
}

static void
test_a_fall_of_one_step_waits_a_second (void)
{
  GccRate rate = find_edge (&hd) - 1000;
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);

  send (&degraded, rate, .9);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  send (&degraded, rate, .2);
  g_assert_cmpuint (degraded.n_changes, ==, 1);
}

static void
test_a_collapse_waits_half_as_long (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);

  send (&degraded, LITTLE, .45);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  send (&degraded, LITTLE, .1);
  g_assert_cmpuint (degraded.n_changes, ==, 1);
}

/* To 0.6 of the rate, for 400 ms in each second. */
static void
test_a_queue_that_is_drained_is_no_fall (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);
  GccRate rate = find_edge (&hd) * 11 / 10;

  send (&degraded, rate, 20.);
  for (guint i = 0; i < 100; i++) {
    send (&degraded, rate * 6 / 10, .4);
    send (&degraded, rate, .6);
  }
  g_assert_cmpuint (degraded.n_changes, ==, 0);
}

static void
test_a_rise_waits_ten_seconds_and_then_takes_all_steps (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, LITTLE);

  send (&degraded, ENOUGH, 9.9);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  send (&degraded, ENOUGH, .2);
  g_assert_cmpuint (degraded.n_changes, ==, 1);
  assert_is (format (&degraded), &hd);
}

/* It counts from when it has come back. */
static void
test_a_rise_that_does_not_hold_is_none (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, LITTLE);

  for (guint i = 0; i < 20; i++) {
    send (&degraded, ENOUGH, 9.);
    send (&degraded, LITTLE, 1.5);
  }
  g_assert_cmpuint (degraded.n_changes, ==, 0);
}

static void
test_a_rise_outlasts_a_drained_queue (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, LITTLE);

  for (guint i = 0; i < 11; i++) {
    send (&degraded, ENOUGH, .8);
    send (&degraded, LITTLE, .2);
  }
  g_assert_cmpuint (degraded.n_changes, ==, 1);
}

/* A target that grows from the start of a call. */
static void
test_at_first_a_rise_waits_two_seconds (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  send (&degraded, LITTLE, 5.);
  degraded.n_changes = 0;
  send (&degraded, ENOUGH, 1.9);
  g_assert_cmpuint (degraded.n_changes, ==, 0);
  send (&degraded, ENOUGH, .2);
  g_assert_cmpuint (degraded.n_changes, ==, 1);
  assert_is (format (&degraded), &hd);
}

/* The start was too high for the path. */
static void
test_at_first_a_second_fall_waits_two_seconds (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);
  GccRate edge = find_edge (&hd);

  send (&degraded, 2 * edge, .05);
  send (&degraded, edge - 1000, 1.1);
  g_assert_cmpuint (format (&degraded)->width, ==, 960);
  send (&degraded, edge * 6 / 10, 1.8);
  g_assert_cmpuint (format (&degraded)->width, ==, 960);
  send (&degraded, edge * 6 / 10, .3);
  g_assert_cmpuint (format (&degraded)->width, ==, 640);
}

/* Guards against: a key frame at each swing of the rate. */
static void
test_at_an_edge_there_is_a_step_each_ten_seconds_at_most (void)
{
  static const gdouble depths[] = { .01, .1, .3 };
  static const gdouble periods[] = { .5, 2., 5., 8., 15. };

  for (guint i = 0; i < G_N_ELEMENTS (depths); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (periods); j++) {
      GccRate edge = find_edge (&hd);
      Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);
      GccTime began = degraded.now;

      while (degraded.now - began < 300 * GCC_SECOND) {
        gdouble phase = 2. * G_PI * gcc_time_to_seconds (degraded.now - began) /
            periods[j];

        send (&degraded,
            (GccRate) ((gdouble) edge * (1. + depths[i] * sin (phase))), .05);
      }
      g_assert_cmpuint (degraded.n_changes, <=, 30);
    }
  }
}

/* From 300 kbit/s, 8 % a second, as A_s grows over REMB. */
static void
test_a_target_that_grows_makes_few_steps (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  for (gdouble rate = 300000.; rate < ENOUGH; rate *= 1.08)
    send (&degraded, (GccRate) rate, 1.);
  send (&degraded, ENOUGH, 10.);
  assert_is (format (&degraded), &hd);
  g_assert_cmpuint (degraded.n_changes, <=, 4);
}

static void
test_a_source_of_another_size_has_another_ladder_at_once (void)
{
  static const GccVideoFormat small = { 640, 480, 30, 1 };
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, 1);

  gcc_degradation_set_source (
      &degraded.degradation, GCC_DEGRADATION_BALANCED, GCC_CODEC_VP8, &small);
  assert_is (format (&degraded), &small);
  send (&degraded, 1, .05);
  assert_is (format (&degraded), &(GccVideoFormat){ 160, 120, 30, 3 });
}

static void
test_a_ladder_that_is_set_again_is_kept (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, LITTLE);
  GccVideoFormat before = *format (&degraded);

  gcc_degradation_set_source (
      &degraded.degradation, GCC_DEGRADATION_BALANCED, GCC_CODEC_VP8, &hd);
  assert_is (format (&degraded), &before);
}

/* It loses frames instead. */
static void
test_a_small_picture_is_not_made_smaller (void)
{
  Degraded degraded = settled_call (
      GCC_DEGRADATION_BALANCED, &(GccVideoFormat){ 160, 120, 30, 1 }, 1);

  assert_is (format (&degraded), &(GccVideoFormat){ 160, 120, 30, 3 });
}

static void
test_few_frames_are_not_made_fewer (void)
{
  for (gint i = 0; i <= GCC_DEGRADATION_MAINTAIN_RESOLUTION; i++) {
    Degraded degraded = settled_call (
        (GccDegradationPreference) i, &(GccVideoFormat){ 1280, 720, 1, 1 }, 1);

    g_assert_cmpfloat (frame_rate (format (&degraded)), ==, 1.);
  }
}

/* Up to 30 frames a second. */
static void
test_of_many_frames_some_are_given_up_before_pixels (void)
{
  static const GccVideoFormat fast = { 1280, 720, 120, 1 };
  Degraded degraded = settled_call (
      GCC_DEGRADATION_BALANCED, &fast, find_edge (&hd) * 13 / 10);

  assert_is (format (&degraded), &(GccVideoFormat){ 1280, 720, 120, 4 });
  degraded = settled_call (GCC_DEGRADATION_MAINTAIN_FRAMERATE, &fast, 1);
  g_assert_cmpfloat (frame_rate (format (&degraded)), ==, 120.);
}

static void
test_a_frame_rate_that_varies_gets_a_limit (void)
{
  static const GccVideoFormat varying = { 1280, 720, 0, 1 };
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &varying, ENOUGH);

  assert_is (format (&degraded), &varying);
  degraded = settled_call (GCC_DEGRADATION_BALANCED, &varying, 1);
  assert_is (format (&degraded), &(GccVideoFormat){ 320, 180, 30, 3 });
}

/* A picture of odd sides stays as it is, and smaller ones are even. */
static void
test_sizes_of_steps_are_even (void)
{
  static const GccVideoFormat odd = { 1281, 721, 30, 1 };

  for (GccRate rate = ENOUGH; rate > 1000; rate = rate * 9 / 10) {
    Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &odd, rate);

    if (format (&degraded)->width == odd.width)
      continue;
    g_assert_cmpuint (format (&degraded)->width % 2, ==, 0);
    g_assert_cmpuint (format (&degraded)->height % 2, ==, 0);
  }
}

static void
test_any_format_rate_and_time_is_taken (void)
{
  static const guint sizes[] = { 1, 2, 3, 8192, G_MAXINT };
  static const guint rates[] = { 0, 1, 30, G_MAXINT };
  static const gint64 any[] = { 0, 1, LITTLE, ENOUGH, G_MAXINT64, -1,
    G_MININT64 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes) * G_N_ELEMENTS (rates); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (any) * G_N_ELEMENTS (any); j++) {
      GccVideoFormat source = { sizes[i % 5], sizes[(i + 1) % 5], rates[i / 5],
        rates[(j + 1) % 3 + 1] };
      Degraded degraded = settled_call (
          GCC_DEGRADATION_BALANCED, &source, LITTLE);

      gcc_degradation_update (&degraded.degradation, any[j / 7], any[j % 7]);
      gcc_degradation_update (&degraded.degradation, any[j % 7], any[j / 7]);
      g_assert_cmpuint (format (&degraded)->width, >, 0);
      g_assert_cmpuint (format (&degraded)->width, <=, source.width);
      g_assert_cmpuint (format (&degraded)->height, >, 0);
      g_assert_cmpuint (format (&degraded)->rate_d, >, 0);
    }
  }
}

static void
test_a_clock_that_is_set_back_stops_nothing (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, LITTLE);

  degraded.now -= 1000 * GCC_SECOND;
  send (&degraded, ENOUGH, 11.);
  assert_is (format (&degraded), &hd);
}

static void
test_an_encoder_that_is_too_slow_costs_a_step_each_time (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);
  static const GccVideoFormat steps[] = { { 960, 540, 30, 1 },
    { 640, 360, 30, 1 }, { 640, 360, 30, 2 } };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    gcc_degradation_lower (&degraded.degradation, degraded.now);
    assert_is (format (&degraded), &steps[i]);
    send (&degraded, ENOUGH, 4.);
    assert_is (format (&degraded), &steps[i]);
  }
  for (guint i = 0; i < 20; i++)
    gcc_degradation_lower (&degraded.degradation, degraded.now);
  send (&degraded, ENOUGH, 4.);
  g_assert_cmpuint (format (&degraded)->width, >, 0);
}

/* The time for which @degraded keeps a smaller picture than the source's. */
static gdouble
get_patience (Degraded *degraded)
{
  GccTime begin = degraded->now;

  gcc_degradation_lower (&degraded->degradation, begin);
  while (format (degraded)->width < hd.width)
    send (degraded, ENOUGH, .05);

  return (gdouble) (degraded->now - begin) / (gdouble) GCC_SECOND;
}

/* It may have been slow for a moment only, as of another program. */
static void
test_an_encoder_that_was_too_slow_is_tried_again_more_and_more_seldom (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);

  g_assert_cmpfloat_with_epsilon (get_patience (&degraded), 60., .2);
  g_assert_cmpfloat_with_epsilon (get_patience (&degraded), 120., .2);
  g_assert_cmpfloat_with_epsilon (get_patience (&degraded), 240., .2);
}

static void
test_an_encoder_that_is_too_slow_still_follows_the_rate (void)
{
  Degraded degraded = settled_call (GCC_DEGRADATION_BALANCED, &hd, ENOUGH);
  guint width;

  gcc_degradation_lower (&degraded.degradation, degraded.now);
  width = format (&degraded)->width;
  send (&degraded, LITTLE, 20.);
  g_assert_cmpuint (format (&degraded)->width, <, width);
  send (&degraded, ENOUGH, 20.);
  g_assert_cmpuint (format (&degraded)->width, ==, width);
}

static void
test_no_step_is_made_for_a_slow_encoder_before_the_first_rate (void)
{
  Degraded degraded = new_call (GCC_DEGRADATION_BALANCED, &hd);

  gcc_degradation_lower (&degraded.degradation, degraded.now);
  send (&degraded, GCC_RATE_NONE, 1.);
  assert_is (format (&degraded), &hd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/degradation/" #name, test_##name)
  ADD (the_source_stays_while_no_rate_is_known);
  ADD (the_source_stays_where_the_rate_is_enough);
  ADD (the_first_rate_decides_at_once);
  ADD (the_first_rate_counts_half);
  ADD (with_none_nothing_changes);
  ADD (maintain_framerate_keeps_the_frame_rate);
  ADD (maintain_resolution_keeps_the_size);
  ADD (balanced_lowers_the_size_first_and_then_both);
  ADD (better_codecs_keep_more_at_the_same_rate);
  ADD (a_fall_of_one_step_waits_a_second);
  ADD (a_collapse_waits_half_as_long);
  ADD (a_queue_that_is_drained_is_no_fall);
  ADD (a_rise_waits_ten_seconds_and_then_takes_all_steps);
  ADD (a_rise_that_does_not_hold_is_none);
  ADD (a_rise_outlasts_a_drained_queue);
  ADD (at_first_a_rise_waits_two_seconds);
  ADD (at_first_a_second_fall_waits_two_seconds);
  ADD (at_an_edge_there_is_a_step_each_ten_seconds_at_most);
  ADD (a_target_that_grows_makes_few_steps);
  ADD (a_source_of_another_size_has_another_ladder_at_once);
  ADD (a_ladder_that_is_set_again_is_kept);
  ADD (a_small_picture_is_not_made_smaller);
  ADD (few_frames_are_not_made_fewer);
  ADD (of_many_frames_some_are_given_up_before_pixels);
  ADD (a_frame_rate_that_varies_gets_a_limit);
  ADD (sizes_of_steps_are_even);
  ADD (any_format_rate_and_time_is_taken);
  ADD (a_clock_that_is_set_back_stops_nothing);
  ADD (an_encoder_that_is_too_slow_costs_a_step_each_time);
  ADD (an_encoder_that_was_too_slow_is_tried_again_more_and_more_seldom);
  ADD (an_encoder_that_is_too_slow_still_follows_the_rate);
  ADD (no_step_is_made_for_a_slow_encoder_before_the_first_rate);
#undef ADD

  return g_test_run ();
}
