/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-link-capacity.h>

#include <math.h>

/* As the profiles have it: one sample in twenty. */
static const GccLinkCapacityParams params = {
  .weight = 0.05,
  .min_variance = 0.4,
  .max_variance = 2.5,
};

static void
test_nothing_is_known_at_first (void)
{
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  g_assert_false (capacity.is_known);
  g_assert_false (gcc_link_capacity_is_exceeded (&capacity, 1e9, 3.));
  g_assert_false (gcc_link_capacity_is_missed (&capacity, 0., 3.));
}

static void
test_the_first_sample_is_the_average (void)
{
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  gcc_link_capacity_update (&capacity, 500.);
  g_assert_true (capacity.is_known);
  g_assert_cmpfloat (capacity.average, ==, 500.);
  g_assert_cmpfloat (capacity.variance, ==, params.min_variance);
}

static void
test_later_samples_weigh_a_twentieth (void)
{
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  gcc_link_capacity_update (&capacity, 500.);
  gcc_link_capacity_update (&capacity, 400.);
  g_assert_cmpfloat_with_epsilon (capacity.average, 495., 1e-9);
  /* .95 · .4 + .05 · 95² / 495 */
  g_assert_cmpfloat_with_epsilon (capacity.variance, 1.2916161616, 1e-9);
}

/* The least standard deviation, 14 kbit/s at 500 kbit/s, keeps an even link
 * from being another one at the first byte more. */
static void
test_three_deviations_are_the_same_link (void)
{
  const gdouble far = 3. * sqrt (0.4 * 500.);
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  gcc_link_capacity_update (&capacity, 500.);
  g_assert_false (
      gcc_link_capacity_is_exceeded (&capacity, 500. + far - 0.1, 3.));
  g_assert_true (
      gcc_link_capacity_is_exceeded (&capacity, 500. + far + 0.1, 3.));
  g_assert_false (
      gcc_link_capacity_is_missed (&capacity, 500. - far + 0.1, 3.));
  g_assert_true (gcc_link_capacity_is_missed (&capacity, 500. - far - 0.1, 3.));
}

static void
test_the_variance_stays_in_its_bounds (void)
{
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  for (guint i = 0; i < 200; i++)
    gcc_link_capacity_update (&capacity, i % 2 == 0 ? 100. : 5000.);
  g_assert_cmpfloat (capacity.variance, ==, params.max_variance);
  for (guint i = 0; i < 2000; i++)
    gcc_link_capacity_update (&capacity, 1000.);
  g_assert_cmpfloat (capacity.variance, ==, params.min_variance);
}

/* A rate of nothing must not divide by nothing. */
static void
test_an_over_use_at_nothing_leaves_finite_numbers (void)
{
  GccLinkCapacity capacity;

  gcc_link_capacity_init (&capacity, &params);
  gcc_link_capacity_update (&capacity, 0.);
  gcc_link_capacity_update (&capacity, 0.);
  g_assert_cmpfloat (capacity.average, ==, 0.);
  g_assert_true (isfinite (capacity.variance));
}

static void
test_a_link_that_is_forgotten_keeps_its_variance (void)
{
  GccLinkCapacity capacity;
  gdouble variance;

  gcc_link_capacity_init (&capacity, &params);
  gcc_link_capacity_update (&capacity, 500.);
  gcc_link_capacity_update (&capacity, 300.);
  variance = capacity.variance;

  gcc_link_capacity_forget (&capacity);
  g_assert_false (capacity.is_known);
  g_assert_false (gcc_link_capacity_is_exceeded (&capacity, 1e9, 3.));
  gcc_link_capacity_set (&capacity, 800.);
  g_assert_true (capacity.is_known);
  g_assert_cmpfloat (capacity.average, ==, 800.);
  g_assert_cmpfloat (capacity.variance, ==, variance);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/link-capacity/" #name, test_##name)
  ADD (nothing_is_known_at_first);
  ADD (the_first_sample_is_the_average);
  ADD (later_samples_weigh_a_twentieth);
  ADD (three_deviations_are_the_same_link);
  ADD (the_variance_stays_in_its_bounds);
  ADD (an_over_use_at_nothing_leaves_finite_numbers);
  ADD (a_link_that_is_forgotten_keeps_its_variance);
#undef ADD
  return g_test_run ();
}
