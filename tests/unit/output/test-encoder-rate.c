/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-rate.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "support/call.h"
#include "support/remb-call.h"

#define RATE 1000000
#define COST (150 * GCC_MSECOND)
#define BEGIN (50 * GCC_SECOND)

static const GccEncoderRateParams params = { .cost = COST,
  .min_fall = 0.3,
  .rise_cost = 4.,
  .min_rise = 0.12,
  .memory = 60 * GCC_SECOND };

/* An encoder that was set to RATE at BEGIN. */
static GccEncoderRate
new_encoder (void)
{
  GccEncoderRate encoder;

  gcc_encoder_rate_init (&encoder);
  g_assert_true (
      gcc_encoder_rate_update (&encoder, &params, COST, RATE, BEGIN));

  return encoder;
}

/* Whether @encoder is set when @rate is wanted @after BEGIN. */
static gboolean
update (GccEncoderRate *encoder, GccRate rate, GccTime after)
{
  return gcc_encoder_rate_update (encoder, &params, COST, rate, BEGIN + after);
}

/* How long a change of RATE to @rate waits, in steps of 10 ms. */
static GccTime
get_wait (GccRate rate)
{
  GccEncoderRate encoder = new_encoder ();
  GccTime wait = 0;

  while (!update (&encoder, rate, wait))
    wait += 10 * GCC_MSECOND;

  return wait;
}

static void
test_the_first_rate_is_set_at_once (void)
{
  GccEncoderRate encoder;

  gcc_encoder_rate_init (&encoder);
  g_assert_false (gcc_encoder_rate_is_set (&encoder));
  g_assert_true (gcc_encoder_rate_update (&encoder, &params, COST, RATE, 0));
  g_assert_true (gcc_encoder_rate_is_set (&encoder));
}

static void
test_what_is_set_is_not_set_again (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_false (update (&encoder, RATE, 1000 * GCC_SECOND));
  g_assert_false (gcc_encoder_rate_update (&encoder, &params, 0, RATE, BEGIN));
}

/* Half of the rate more for 300 ms is what a key frame of 150 ms is. */
static void
test_a_change_is_made_when_to_wait_has_cost_as_much (void)
{
  g_assert_cmpint (get_wait (RATE + RATE / 2), ==, 300 * GCC_MSECOND);
  g_assert_cmpint (get_wait (RATE + RATE / 8), ==, 1200 * GCC_MSECOND);
  g_assert_cmpint (get_wait (RATE - RATE / 8), ==, 1200 * GCC_MSECOND);
  g_assert_cmpint (get_wait (RATE + RATE / 64), ==, 9600 * GCC_MSECOND);
}

/* Guards against: one that waits for the time since the last change, and so not
 * at all when that is long ago. */
static void
test_a_change_waits_however_long_the_last_is_ago (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_false (update (&encoder, RATE, 100 * GCC_SECOND));
  g_assert_false (update (&encoder, RATE + RATE / 2, 100 * GCC_SECOND));
  g_assert_false (
      update (&encoder, RATE + RATE / 2, 100 * GCC_SECOND + 290 * GCC_MSECOND));
  g_assert_true (
      update (&encoder, RATE + RATE / 2, 100 * GCC_SECOND + 300 * GCC_MSECOND));
}

static void
test_a_large_fall_is_made_at_once (void)
{
  g_assert_cmpint (get_wait (2 * RATE / 3), ==, 0);
  g_assert_cmpint (get_wait (0), ==, 0);
}

static void
test_small_falls_add_up (void)
{
  GccEncoderRate encoder = new_encoder ();
  GccRate rate = RATE;
  GccTime after = 0;

  do {
    rate -= RATE / 50;
    after += GCC_MSECOND;
  } while (!update (&encoder, rate, after));
  g_assert_cmpint (rate, <=, RATE - 15 * RATE / 50);
  g_assert_cmpint (rate, >=, RATE - 16 * RATE / 50);
}

static void
test_at_no_cost_each_change_is_made (void)
{
  GccEncoderRate encoder = new_encoder ();

  for (gint i = 1; i <= 100; i++) {
    g_assert_true (
        gcc_encoder_rate_update (&encoder, &params, 0, RATE + i, BEGIN));
    g_assert_true (
        gcc_encoder_rate_update (&encoder, &params, 0, RATE - i, BEGIN));
  }
}

/* With each feedback 30 bit/s more, for half a minute. */
static void
test_nothing_is_paid_for_what_is_worth_nothing (void)
{
  GccEncoderRate encoder = new_encoder ();
  guint n_changes = 0;

  for (gint i = 1; i <= 600; i++)
    n_changes += update (&encoder, RATE + 30 * i, i * 50 * GCC_MSECOND);
  g_assert_cmpuint (n_changes, ==, 1);
}

/* A queue is drained for a moment, each second. */
static void
test_a_fall_that_ends_before_it_pays_is_not_made (void)
{
  GccEncoderRate encoder = new_encoder ();

  for (gint i = 1; i < 100; i++) {
    g_assert_false (update (&encoder, 3 * RATE / 4, i * GCC_SECOND));
    g_assert_false (
        update (&encoder, RATE, i * GCC_SECOND + 500 * GCC_MSECOND));
  }
}

/* As much above what is set as below, for long: no other rate is better. */
static void
test_a_target_that_swings_about_what_is_set_changes_nothing (void)
{
  GccEncoderRate encoder = new_encoder ();

  for (gint i = 1; i < 1000; i++)
    g_assert_false (update (
        &encoder, i % 2 ? RATE - RATE / 20 : RATE + RATE / 20, i * GCC_SECOND));
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
    if (update (&encoder, (GccRate) target, i * 50 * GCC_MSECOND)) {
      set = (GccRate) target;
      n_changes++;
    }
    g_assert_cmpfloat ((gdouble) set, >, target / 1.2);
  }
  /* not one each second */
  g_assert_cmpuint (n_changes, <, 60);
}

/* How long a change from @encoder's rate to @rate waits, in steps of 10 ms. */
static GccTime
get_wait_of (GccEncoderRate *encoder, GccRate rate, GccTime after)
{
  GccTime wait = 0;

  while (!update (encoder, rate, after + wait))
    wait += 10 * GCC_MSECOND;

  return wait;
}

static void
test_small_rises_wait_for_longer_where_there_were_falls (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_true (update (&encoder, RATE / 2, GCC_SECOND));
  /* a tenth of what is set: five times the cost */
  g_assert_cmpint (
      get_wait_of (&encoder, RATE / 2 + RATE / 20, GCC_SECOND), >, 5000000);
  /* a fall does not */
  g_assert_cmpint (
      get_wait_of (&encoder, RATE / 2 - RATE / 100, 10 * GCC_SECOND), <,
      1500000);
  /* nor does a large rise */
  g_assert_cmpint (
      get_wait_of (&encoder, RATE, 20 * GCC_SECOND), <=, 200 * GCC_MSECOND);
  /* nor one long after */
  g_assert_cmpint (get_wait_of (&encoder, RATE + RATE / 10, 900 * GCC_SECOND),
      <=, 1510 * GCC_MSECOND);
}

/* 4000, 1000, 900 kbit/s within 0.3 s, and then nothing. */
static void
test_the_last_change_is_due_though_nothing_more_is_wanted (void)
{
  GccEncoderRate encoder;
  GccTime due;

  gcc_encoder_rate_init (&encoder);
  g_assert_true (update (&encoder, 4 * RATE, GCC_SECOND));
  g_assert_cmpint (
      gcc_encoder_rate_get_due (&encoder, &params, COST), ==, GCC_TIME_NONE);
  g_assert_true (update (&encoder, RATE, 1100 * GCC_MSECOND));
  g_assert_false (update (&encoder, 9 * RATE / 10, 1300 * GCC_MSECOND));
  due = gcc_encoder_rate_get_due (&encoder, &params, COST) - BEGIN;
  g_assert_cmpint (due, >=, 2800 * GCC_MSECOND);
  g_assert_cmpint (due, <=, 2801 * GCC_MSECOND);
  g_assert_false (update (&encoder, 9 * RATE / 10, due - 10));
  g_assert_true (update (&encoder, 9 * RATE / 10, due));
  g_assert_cmpint (
      gcc_encoder_rate_get_due (&encoder, &params, COST), ==, GCC_TIME_NONE);
}

static void
test_a_change_that_is_worth_nothing_is_never_due (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_false (update (&encoder, RATE + 1, 0));
  g_assert_cmpint (
      gcc_encoder_rate_get_due (&encoder, &params, COST), ==, GCC_TIME_NONE);
}

/* Whether an encoder that pays is set to what @sender leaves it at @now. */
static gboolean
follow (GccEncoderRate *encoder, GccSender *sender, GccTime now)
{
  const GccEncoderRateParams *rates = &gcc_profile_recommended.encoder_rate;

  return gcc_encoder_rate_update (encoder, rates, rates->cost,
      gcc_sender_get_stats (sender)->encoder_target, now);
}

#define FIRST (60 * GCC_SECOND)
#define ALL (240 * GCC_SECOND)
#define LOOK (50 * GCC_MSECOND)

/* After the first minute, on a link of @capacity over transport-wide feedback. */
static guint
count_changes (GccRate capacity)
{
  GccEncoderRate encoder;
  static Call call;
  guint n = 0;

  gcc_encoder_rate_init (&encoder);
  call_init (&call, "recommended", 300000, 20000000);
  call.capacity = capacity;
  for (GccTime passed = 0; passed < ALL; passed += LOOK) {
    call_run (&call, LOOK);
    n += follow (&encoder, &call.sender, call.now) && passed >= FIRST;
  }
  call_clear (&call);

  return n;
}

/* ... and over REMB. */
static guint
count_remb_changes (GccRate capacity)
{
  GccEncoderRate encoder;
  static RembCall call;
  GccTime link_free = 0;
  guint n = 0;

  gcc_encoder_rate_init (&encoder);
  remb_call_init (&call, &gcc_profile_recommended, 300000, 20000000);
  call.capacity = capacity;
  call.link_free = &link_free;
  for (GccTime passed = 0; passed < ALL; passed += LOOK) {
    GccTime until = call.now + LOOK;

    while (call.now < until)
      remb_call_step (&call);
    n += follow (&encoder, &call.sender, call.now) && passed >= FIRST;
  }
  remb_call_clear (&call);

  return n;
}

static void
test_on_a_constant_link_there_are_six_changes_a_minute_at_most (void)
{
  static const GccRate capacities[] = { 500000, 1000000, 2000000, 5000000 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    guint n = count_changes (capacities[i]);
    guint n_remb = count_remb_changes (capacities[i]);

    g_test_message ("%" G_GINT64_FORMAT " bit/s: %u in three minutes, %u over "
                    "REMB",
        capacities[i], n, n_remb);
    g_assert_cmpuint (MAX (n, n_remb), <=, 18);
  }
}

static void
test_a_clock_that_is_set_back_does_not_count (void)
{
  GccEncoderRate encoder = new_encoder ();

  g_assert_false (update (&encoder, RATE + RATE / 2, 0));
  g_assert_false (update (&encoder, RATE + RATE / 2, -1000 * GCC_SECOND));
  g_assert_true (update (
      &encoder, RATE + RATE / 2, -1000 * GCC_SECOND + 300 * GCC_MSECOND));
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
      g_assert_true (gcc_encoder_rate_is_set (&encoder));
    }
  }
}

/* Of the generations that were published, none waits. */
static void
test_only_the_default_profile_waits (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    const GccEncoderRateParams *one = &gcc_profiles[i]->encoder_rate;

    g_assert_cmpint (
        one->cost > 0, ==, gcc_profiles[i] == &gcc_profile_recommended);
    /* where the user says what a change costs */
    g_assert_cmpfloat (one->min_fall, >, 0.);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/encoder-rate/" #name, test_##name)
  ADD (the_first_rate_is_set_at_once);
  ADD (what_is_set_is_not_set_again);
  ADD (a_change_is_made_when_to_wait_has_cost_as_much);
  ADD (a_change_waits_however_long_the_last_is_ago);
  ADD (a_large_fall_is_made_at_once);
  ADD (small_falls_add_up);
  ADD (at_no_cost_each_change_is_made);
  ADD (nothing_is_paid_for_what_is_worth_nothing);
  ADD (a_fall_that_ends_before_it_pays_is_not_made);
  ADD (a_target_that_swings_about_what_is_set_changes_nothing);
  ADD (an_encoder_keeps_up_with_a_target_that_grows);
  ADD (small_rises_wait_for_longer_where_there_were_falls);
  ADD (the_last_change_is_due_though_nothing_more_is_wanted);
  ADD (a_change_that_is_worth_nothing_is_never_due);
  ADD (on_a_constant_link_there_are_six_changes_a_minute_at_most);
  ADD (a_clock_that_is_set_back_does_not_count);
  ADD (rates_and_times_of_any_size_are_taken);
  ADD (only_the_default_profile_waits);
#undef ADD

  return g_test_run ();
}
