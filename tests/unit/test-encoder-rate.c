/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-encoder-rate.h>

#include <gst/gcc/gcc-profile-private.h>

#define RATE 1000000
#define INTERVAL (3 * GCC_SECOND)
#define BEGIN (50 * GCC_SECOND)

static const GccEncoderRateParams params = {
  .step = 0.05,
  .min_fall = 0.3,
  .interval = INTERVAL,
};

/* An encoder that was set to RATE at BEGIN. */
static GccEncoderRate
new_encoder (void)
{
  GccEncoderRate encoder;

  gcc_encoder_rate_init (&encoder);
  g_assert_true (
      gcc_encoder_rate_update (&encoder, &params, INTERVAL, RATE, BEGIN));

  return encoder;
}

/* How long the change of RATE to @rate waits, to a millisecond. */
static GccTime
get_wait (GccRate rate)
{
  GccEncoderRate encoder = new_encoder ();
  GccTime wait = 0;

  while (!gcc_encoder_rate_update (
      &encoder, &params, INTERVAL, rate, BEGIN + wait))
    wait += GCC_MSECOND;

  return wait;
}

static void
test_the_first_rate_is_set_at_once (void)
{
  GccEncoderRate encoder;

  gcc_encoder_rate_init (&encoder);
  g_assert_false (gcc_encoder_rate_is_set (&encoder));
  g_assert_true (
      gcc_encoder_rate_update (&encoder, &params, INTERVAL, RATE, 0));
  g_assert_true (gcc_encoder_rate_is_set (&encoder));
}

static void
test_what_is_set_is_not_set_again (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_false (gcc_encoder_rate_update (
      &encoder, &params, INTERVAL, RATE, BEGIN + 10 * INTERVAL));
  g_assert_false (gcc_encoder_rate_update (&encoder, &params, 0, RATE, BEGIN));
}

static void
test_a_tiny_change_waits_for_the_interval (void)
{
  g_assert_cmpint (get_wait (RATE + 30), ==, INTERVAL);
  g_assert_cmpint (get_wait (RATE - 30), ==, INTERVAL);
  g_assert_cmpint (get_wait (RATE + RATE / 20), ==, INTERVAL);
}

static void
test_a_change_is_made_the_sooner_the_larger_it_is (void)
{
  g_assert_cmpint (get_wait (RATE + RATE / 10), ==, INTERVAL / 2);
  g_assert_cmpint (get_wait (RATE - RATE / 10), ==, INTERVAL / 2);
  g_assert_cmpint (get_wait (RATE + RATE / 2), ==, INTERVAL / 10);
  g_assert_cmpint (get_wait (11 * RATE), ==, INTERVAL / 200);
}

static void
test_a_large_fall_is_made_at_once (void)
{
  g_assert_cmpint (get_wait (RATE - 3 * RATE / 10), ==, 0);
  g_assert_cmpint (get_wait (0), ==, 0);
}

static void
test_small_falls_add_up (void)
{
  GccEncoderRate encoder = new_encoder ();
  GccRate rate = RATE;
  GccTime now = BEGIN;

  do {
    rate -= RATE / 50;
    now += GCC_MSECOND;
  } while (!gcc_encoder_rate_update (&encoder, &params, INTERVAL, rate, now));
  g_assert_cmpint (rate, ==, RATE - 15 * RATE / 50);
}

static void
test_with_no_interval_each_change_is_made (void)
{
  GccEncoderRate encoder = new_encoder ();

  for (gint i = 1; i <= 100; i++) {
    g_assert_true (
        gcc_encoder_rate_update (&encoder, &params, 0, RATE + i, BEGIN));
    g_assert_true (
        gcc_encoder_rate_update (&encoder, &params, 0, RATE - i, BEGIN));
  }
}

/* A target that moves by 30 bit/s with each feedback, for half a minute. */
static void
test_a_key_frame_is_paid_once_an_interval_at_the_most (void)
{
  GccEncoderRate encoder = new_encoder ();
  guint n_changes = 0;

  for (gint i = 1; i <= 600; i++)
    n_changes += gcc_encoder_rate_update (&encoder, &params, INTERVAL,
        RATE + 30 * i, BEGIN + i * 50 * GCC_MSECOND);
  g_assert_cmpuint (n_changes, ==, 10);
}

/* 8 % per second, as A_s grows: never more than a fifth behind. */
static void
test_an_encoder_keeps_up_with_a_target_that_grows (void)
{
  GccEncoderRate encoder = new_encoder ();
  gdouble target = RATE;
  guint n_changes = 0;
  GccRate set = RATE;

  for (gint i = 1; i <= 1200; i++) {
    target *= 1.00386; /* per 50 ms */
    if (gcc_encoder_rate_update (&encoder, &params, INTERVAL, (GccRate) target,
            BEGIN + i * 50 * GCC_MSECOND)) {
      set = (GccRate) target;
      n_changes++;
    }
    g_assert_cmpfloat ((gdouble) set, >, target / 1.2);
  }
  /* not one each second */
  g_assert_cmpuint (n_changes, <, 60);
}

static void
test_a_clock_that_is_set_back_ends_the_interval (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_true (gcc_encoder_rate_update (
      &encoder, &params, INTERVAL, RATE + 30, BEGIN - 1000 * GCC_SECOND));
  g_assert_false (gcc_encoder_rate_update (&encoder, &params, INTERVAL,
      RATE + 60, BEGIN - 1000 * GCC_SECOND + INTERVAL / 2));
}

static void
test_rates_and_times_of_any_size_are_taken (void)
{
  static const gint64 any[] = { 0, 1, RATE, G_MAXINT64 - 1, G_MAXINT64,
    -1000000, G_MININT64 + 1 };

  for (guint i = 0; i < G_N_ELEMENTS (any); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (any); j++) {
      GccEncoderRate encoder = new_encoder ();

      gcc_encoder_rate_update (
          &encoder, &params, G_MAXINT64, ABS (any[i]), any[j]);
      gcc_encoder_rate_update (
          &encoder, &params, G_MAXINT64, ABS (any[j]), any[i]);
    }
  }
}

/* Of the generations that were published, none waits. */
static void
test_only_the_default_profile_waits (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    const GccEncoderRateParams *one = &gcc_profiles[i]->encoder_rate;
    gboolean waits = gcc_profiles[i] == &gcc_profile_recommended;

    g_assert_cmpint (one->interval > 0, ==, waits);
    /* where the user asks for an interval */
    g_assert_cmpfloat (one->step, >, 0.);
    g_assert_cmpfloat (one->min_fall, >, one->step);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/encoder-rate/the_first_rate_is_set_at_once",
      test_the_first_rate_is_set_at_once);
  g_test_add_func ("/encoder-rate/what_is_set_is_not_set_again",
      test_what_is_set_is_not_set_again);
  g_test_add_func ("/encoder-rate/a_tiny_change_waits_for_the_interval",
      test_a_tiny_change_waits_for_the_interval);
  g_test_add_func ("/encoder-rate/a_change_is_made_the_sooner_the_larger_it_is",
      test_a_change_is_made_the_sooner_the_larger_it_is);
  g_test_add_func ("/encoder-rate/a_large_fall_is_made_at_once",
      test_a_large_fall_is_made_at_once);
  g_test_add_func ("/encoder-rate/small_falls_add_up", test_small_falls_add_up);
  g_test_add_func ("/encoder-rate/with_no_interval_each_change_is_made",
      test_with_no_interval_each_change_is_made);
  g_test_add_func (
      "/encoder-rate/a_key_frame_is_paid_once_an_interval_at_the_most",
      test_a_key_frame_is_paid_once_an_interval_at_the_most);
  g_test_add_func ("/encoder-rate/an_encoder_keeps_up_with_a_target_that_grows",
      test_an_encoder_keeps_up_with_a_target_that_grows);
  g_test_add_func ("/encoder-rate/a_clock_that_is_set_back_ends_the_interval",
      test_a_clock_that_is_set_back_ends_the_interval);
  g_test_add_func ("/encoder-rate/rates_and_times_of_any_size_are_taken",
      test_rates_and_times_of_any_size_are_taken);
  g_test_add_func ("/encoder-rate/only_the_default_profile_waits",
      test_only_the_default_profile_waits);

  return g_test_run ();
}
