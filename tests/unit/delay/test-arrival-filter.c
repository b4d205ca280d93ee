/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-arrival-filter.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

/* The scalar filter with another implementation's numbers: its variance is
 * fixed, and its error at the start is 100². It truncates z to whole µs, which
 * is the tolerance. */
static void
test_scalar_filter_as_published (void)
{
  static const struct {
    gdouble d_ms;
    gdouble m_ms;
  } vectors[] = {
    { 50.45, 50.449959 },
    { 50.967, 50.936547 },
    { 51.6, 51.560411 },
    { 52.106, 52.07324 },
    { 52.492, 52.466566 },
    { 52.819, 52.797787 },
    { 53.433, 53.395303 },
    { 54.007, 53.970236 },
    { 54.523, 54.489652 },
    { 54.99, 54.960137 },
  };
  GccProfile profile = *gcc_profile_find ("draft-gcc-02");
  GccArrivalFilter filter;

  profile.delay.filter.m_0 = 10.;
  profile.delay.filter.E_0[1] = 100. * 100.;
  profile.delay.filter.Q[1] = 0.15;
  profile.delay.filter.var_0 = profile.delay.filter.var_min = 0.01;
  profile.delay.filter.chi = profile.delay.filter.chi_start = 0.;
  gcc_arrival_filter_init (&filter, &profile.delay.filter);
  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    GccGroupDelta delta = { .arrival_ms = vectors[i].d_ms };
    g_autofree gchar *name = g_strdup_printf (
        "scalar Kalman, d = %g ms", vectors[i].d_ms);

    conformance_check_double ("PI pkg/gcc kalman_test", name, vectors[i].m_ms,
        1e-3,
        gcc_arrival_filter_update (
            &filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 1));
  }
}

/* Frames every 33 ms over a link that takes @ms_per_byte, whose queue grows by
 * @growth_ms with each. */
static void
feed_frames (
    GccArrivalFilter *filter, guint n, gdouble ms_per_byte, gdouble growth_ms)
{
  gint64 previous = 0;

  for (guint i = 0; i < n; i++) {
    gint64 size = i % 30 == 0 ? 9000 : 3000 + (gint64) (i % 7) * 100;
    GccGroupDelta delta = { .departure_ms = 33., .size = size - previous };

    delta.arrival_ms = 33. + growth_ms + ms_per_byte * (gdouble) delta.size;
    gcc_arrival_filter_update (filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 60);
    previous = size;
  }
}

static void
test_large_frames_are_no_queue (void)
{
  GccArrivalFilter filter;

  gcc_arrival_filter_init (
      &filter, &gcc_profile_find ("goog-2020")->delay.filter);
  feed_frames (&filter, 1000, 0.008, 0.);
  g_assert_cmpfloat_with_epsilon (filter.inverse_capacity, 0.008, 1e-4);
  g_assert_cmpfloat_with_epsilon (filter.m, 0., 0.01);
}

static void
test_growing_queue_is_measured (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccArrivalFilter filter;

    gcc_arrival_filter_init (&filter, &gcc_profiles[i]->delay.filter);
    feed_frames (&filter, 3000, 0., 1.);
    g_assert_cmpfloat_with_epsilon (filter.m, 1., 0.05);
  }
}

/* A unit slip in f_max makes a noise variance that never adapts. */
static void
test_noise_variance_follows_the_jitter (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GRand *rand = g_rand_new_with_seed (8);
    GccArrivalFilter filter;

    gcc_arrival_filter_init (&filter, &gcc_profiles[i]->delay.filter);
    for (guint j = 0; j < 3000; j++) {
      /* Uniform in ±6 ms: a variance of 12 ms². */
      GccGroupDelta delta = { .departure_ms = 33., .size = 0 };

      delta.arrival_ms = 33. + g_rand_double_range (rand, -6., 6.);
      gcc_arrival_filter_update (&filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 60);
    }
    g_assert_cmpfloat_with_epsilon (
        gcc_arrival_filter_get_variance (&filter), 12., 3.);
    g_rand_free (rand);
  }
}

static void
test_shortest_period_is_forgotten_after_sixty_groups (void)
{
  GccGroupDelta delta = { .departure_ms = 5., .arrival_ms = 5. };
  GccArrivalFilter filter;

  gcc_arrival_filter_init (
      &filter, &gcc_profile_find ("goog-2020")->delay.filter);
  gcc_arrival_filter_update (&filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 60);
  delta = (GccGroupDelta){ .departure_ms = 33., .arrival_ms = 33. };
  for (guint i = 0; i < 59; i++)
    gcc_arrival_filter_update (&filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 60);
  g_assert_cmpfloat (filter.min_period, ==, 5.);
  gcc_arrival_filter_update (&filter, &delta, GCC_SIGNAL_NORMAL, 12.5, 60);
  g_assert_cmpfloat (filter.min_period, ==, 33.);
}

static void
test_any_input_leaves_it_finite (void)
{
  GRand *rand = g_rand_new_with_seed (9);

  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccArrivalFilter filter;

    gcc_arrival_filter_init (&filter, &gcc_profiles[i]->delay.filter);
    for (guint j = 0; j < 100000; j++) {
      gint scale = g_rand_int_range (rand, 0, 40);
      GccGroupDelta delta = {
        .departure_ms = ldexp (g_rand_double (rand), scale),
        .arrival_ms = ldexp (g_rand_double_range (rand, -1., 1.), scale),
        .size = g_rand_int_range (rand, G_MININT32, G_MAXINT32) >> scale % 31,
      };
      gdouble m = gcc_arrival_filter_update (
          &filter, &delta, (GccSignal) g_rand_int_range (rand, 0, 3), 12.5, 60);

      g_assert_true (isfinite (m));
      g_assert_true (isfinite (filter.inverse_capacity));
      g_assert_true (isfinite (gcc_arrival_filter_get_variance (&filter)));
      g_assert_cmpfloat (gcc_arrival_filter_get_variance (&filter), >, 0.);
    }
  }
  g_rand_free (rand);
}

/* Guards against a filter that stays where such input has led it: all that
 * comes after would be measured by numbers that are none. */
static void
test_what_no_path_produces_makes_it_start_over (void)
{
  const GccGroupDelta impossible = { .departure_ms = -1e308,
    .arrival_ms = 1e308 };

  for (guint i = 0; i < gcc_n_profiles; i++) {
    const GccArrivalFilterParams *params = &gcc_profiles[i]->delay.filter;
    GccArrivalFilter filter;

    gcc_arrival_filter_init (&filter, params);
    feed_frames (&filter, 100, 0., 1.);
    gcc_arrival_filter_update (
        &filter, &impossible, GCC_SIGNAL_NORMAL, 12.5, 60);
    g_assert_cmpfloat (filter.m, ==, params->m_0);
    g_assert_cmpfloat (
        gcc_arrival_filter_get_variance (&filter), ==, params->var_0);
    feed_frames (&filter, 3000, 0., 1.);
    g_assert_cmpfloat_with_epsilon (filter.m, 1., 0.05);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/arrival-filter/" #name, test_##name)
  ADD (scalar_filter_as_published);
  ADD (large_frames_are_no_queue);
  ADD (growing_queue_is_measured);
  ADD (noise_variance_follows_the_jitter);
  ADD (shortest_period_is_forgotten_after_sixty_groups);
  ADD (any_input_leaves_it_finite);
  ADD (what_no_path_produces_makes_it_start_over);
#undef ADD
  return g_test_run ();
}
