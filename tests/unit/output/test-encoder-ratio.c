/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-ratio.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define V 1000000
#define TICK (100 * GCC_MSECOND)

/* An encoder that sends @obeys of its bitrate, between @floor and @ceiling. */
typedef struct {
  GccEncoderRatio ratio;
  GccTime now;
  guint64 bytes;
  gdouble obeys;
  GccRate floor;
  GccRate ceiling;
  guint n_changes;
  /* above what is wanted, in all */
  gdouble excess;
} Encoder;

static void
encoder_init (Encoder *self, gdouble obeys)
{
  *self = (Encoder){
    .now = 50 * GCC_SECOND, .obeys = obeys, .ceiling = G_MAXINT64
  };
  gcc_encoder_ratio_init (&self->ratio, gcc_profile_recommended.encoder_ratio);
}

static void
encode (Encoder *self, GccRate wanted, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end; self->now += TICK) {
    gdouble told = (gdouble) wanted *
        gcc_encoder_ratio_get_factor (&self->ratio);
    gdouble sent = CLAMP (
        told * self->obeys, (gdouble) self->floor, (gdouble) self->ceiling);

    self->n_changes += gcc_encoder_ratio_update (
        &self->ratio, self->bytes, wanted, self->now);
    self->bytes += (guint64) (sent * TICK / GCC_SECOND / 8);
    self->excess += MAX (sent / (gdouble) wanted - 1., 0.) * (gdouble) TICK /
        (gdouble) GCC_SECOND;
  }
}

/* What is sent at @wanted now, as a part of it. */
static gdouble
get_part (Encoder *self, GccRate wanted)
{
  guint64 before = self->bytes;

  encode (self, wanted, GCC_SECOND);
  return 8. * (gdouble) (self->bytes - before) / (gdouble) wanted;
}

static void
test_an_encoder_that_obeys_is_told_what_is_wanted (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  for (GccRate wanted = V; wanted > V / 4; wanted -= V / 20)
    encode (&encoder, wanted, 3 * GCC_SECOND);
  encoder.obeys = 1.15;
  encode (&encoder, V, 60 * GCC_SECOND);
  encoder.obeys = 0.75;
  encode (&encoder, V, 60 * GCC_SECOND);
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

static void
test_too_much_is_corrected_within_six_seconds (void)
{
  static const gdouble multiples[] = { 1.3, 2., 2.9 };

  for (guint i = 0; i < G_N_ELEMENTS (multiples); i++) {
    Encoder encoder;
    GccRate told, sent;

    encoder_init (&encoder, multiples[i]);
    encode (&encoder, V, 6 * GCC_SECOND);
    g_assert_cmpfloat (get_part (&encoder, V), >, 0.95);
    g_assert_cmpfloat (get_part (&encoder, V), <, 1.05);
    encode (&encoder, 2 * V, 30 * GCC_SECOND);
    g_assert_cmpuint (encoder.n_changes, ==, 1);
    g_assert_true (gcc_encoder_ratio_get_rates (&encoder.ratio, &told, &sent));
    g_assert_cmpfloat_with_epsilon (
        (gdouble) sent / (gdouble) told, multiples[i], 0.05);
  }
}

static void
test_too_little_is_corrected_in_steps_that_are_answered (void)
{
  static const gdouble parts[] = { 0.35, 0.5, 0.65 };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    Encoder encoder;

    encoder_init (&encoder, parts[i]);
    encode (&encoder, V, 25 * GCC_SECOND);
    g_assert_cmpfloat (get_part (&encoder, V), >, 0.7);
    g_assert_cmpfloat (get_part (&encoder, V), <, 1.05);
    g_assert_cmpfloat (encoder.excess, <, 0.01);
  }
}

/* Guards against: a picture that needs little, taken for an encoder that is ill. */
static void
test_a_picture_that_needs_no_more_is_left_alone (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  encoder.ceiling = V / 2;
  encode (&encoder, V, 600 * GCC_SECOND);
  /* up and down again, more and more seldom */
  g_assert_cmpuint (encoder.n_changes, <=, 10);
  g_assert_cmpfloat (gcc_encoder_ratio_get_factor (&encoder.ratio), ==, 1.);
  encoder.ceiling = G_MAXINT64;
  g_assert_cmpfloat (get_part (&encoder, V), <=, 1.01);
}

static void
test_an_encoder_without_pictures_is_left_alone (void)
{
  Encoder encoder;

  encoder_init (&encoder, 0.);
  encode (&encoder, V, 600 * GCC_SECOND);
  encoder.obeys = 0.2;
  encode (&encoder, V, 600 * GCC_SECOND);
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

/* As after a bad moment: 0.35 for 30 s, and then well. */
static void
test_an_encoder_that_is_well_again_does_not_send_too_much_for_long (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  encode (&encoder, V, 10 * GCC_SECOND);
  encoder.obeys = 0.35;
  encode (&encoder, V, 30 * GCC_SECOND);
  g_assert_cmpfloat (gcc_encoder_ratio_get_factor (&encoder.ratio), >, 1.9);
  encoder.obeys = 1.;
  encode (&encoder, V, 60 * GCC_SECOND);
  /* three times as much for 0.6 s */
  g_assert_cmpfloat (encoder.excess, <, 1.2);
  g_assert_cmpfloat_with_epsilon (get_part (&encoder, V), 1., 0.01);
}

static void
test_a_correction_downwards_ends_with_its_cause (void)
{
  Encoder encoder;

  encoder_init (&encoder, 2.);
  encode (&encoder, V, 10 * GCC_SECOND);
  encoder.obeys = 1.;
  encode (&encoder, V, 20 * GCC_SECOND);
  g_assert_cmpfloat (get_part (&encoder, V), >, 0.8);
  g_assert_cmpfloat (get_part (&encoder, V), <, 1.05);
}

/* Its bitrate has no effect: it is set to a third at least. */
static void
test_an_encoder_that_is_deaf_is_told_no_less_than_the_range (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  encoder.floor = 10 * V;
  encode (&encoder, V, 60 * GCC_SECOND);
  g_assert_cmpfloat_with_epsilon (
      gcc_encoder_ratio_get_factor (&encoder.ratio), 1. / 3, 0.001);
  g_assert_cmpuint (encoder.n_changes, ==, 1);
}

/* Guards against: a key frame of half a second's bits each ten seconds. */
static void
test_key_frames_correct_nothing (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  for (guint i = 0; i < 30; i++) {
    encode (&encoder, V, 10 * GCC_SECOND);
    encoder.bytes += V / 8 * 6 / 10;
  }
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

static void
test_a_target_that_falls_is_no_fault_of_the_encoder (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  for (guint i = 0; i < 100; i++) {
    encoder.floor = i % 2 ? 0 : V;
    encode (&encoder, i % 2 ? V : V / 2, GCC_SECOND);
  }
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

static void
test_a_clock_or_a_count_that_is_set_back_begins_anew (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  encode (&encoder, V, 4 * GCC_SECOND);
  encoder.now = 0;
  encode (&encoder, V, 4 * GCC_SECOND);
  encoder.bytes = 0;
  encode (&encoder, V, 20 * GCC_SECOND);
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

static void
test_what_is_sent_in_a_pause_does_not_count (void)
{
  Encoder encoder;

  encoder_init (&encoder, 1.);
  for (guint i = 0; i < 30; i++) {
    encode (&encoder, V, 2 * GCC_SECOND);
    gcc_encoder_ratio_pause (&encoder.ratio);
    encoder.bytes += V;
    encoder.now += 2 * GCC_SECOND;
  }
  g_assert_cmpuint (encoder.n_changes, ==, 0);
}

static void
test_published_profiles_correct_nothing (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++)
    g_assert_true ((gcc_profiles[i]->encoder_ratio != NULL) ==
        (gcc_profiles[i] == &gcc_profile_recommended));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/encoder-ratio/" #name, test_##name)
  ADD (an_encoder_that_obeys_is_told_what_is_wanted);
  ADD (too_much_is_corrected_within_six_seconds);
  ADD (too_little_is_corrected_in_steps_that_are_answered);
  ADD (a_picture_that_needs_no_more_is_left_alone);
  ADD (an_encoder_without_pictures_is_left_alone);
  ADD (an_encoder_that_is_well_again_does_not_send_too_much_for_long);
  ADD (a_correction_downwards_ends_with_its_cause);
  ADD (an_encoder_that_is_deaf_is_told_no_less_than_the_range);
  ADD (key_frames_correct_nothing);
  ADD (a_target_that_falls_is_no_fault_of_the_encoder);
  ADD (a_clock_or_a_count_that_is_set_back_begins_anew);
  ADD (what_is_sent_in_a_pause_does_not_count);
  ADD (published_profiles_correct_nothing);
#undef ADD

  return g_test_run ();
}
