/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-rate-split.h>

#include <string.h>

#define MAX_SHARES 8

static GccRate
sum_up (const GccShare *shares, guint n_shares)
{
  GccRate sum = 0;

  for (guint i = 0; i < n_shares; i++)
    sum += shares[i].rate;
  return sum;
}

static void
test_weights_divide_the_rate (void)
{
  GccShare shares[] = {
    { 0, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 2., 0 },
    { 0, G_MAXINT64, 0.5, 0 },
  };

  gcc_rate_split (700000, shares, 3);
  g_assert_cmpint (shares[0].rate, ==, 200000);
  g_assert_cmpint (shares[1].rate, ==, 400000);
  g_assert_cmpint (shares[2].rate, ==, 100000);
}

static void
test_one_gets_all_within_its_limits (void)
{
  GccShare share = { 100, 1000, 1., 0 };

  gcc_rate_split (500, &share, 1);
  g_assert_cmpint (share.rate, ==, 500);
  gcc_rate_split (5000, &share, 1);
  g_assert_cmpint (share.rate, ==, 1000);
  gcc_rate_split (50, &share, 1);
  g_assert_cmpint (share.rate, ==, 100);
}

static void
test_none_is_no_one (void)
{
  gcc_rate_split (1000, NULL, 0);
}

static void
test_what_one_cannot_take_goes_to_the_others (void)
{
  GccShare shares[] = {
    { 0, 100000, 1., 0 },
    { 0, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 3., 0 },
  };

  gcc_rate_split (1000000, shares, 3);
  g_assert_cmpint (shares[0].rate, ==, 100000);
  g_assert_cmpint (shares[1].rate, ==, 225000);
  g_assert_cmpint (shares[2].rate, ==, 675000);
}

/* The share of the others may meet their own maximum then. */
static void
test_what_is_passed_on_is_passed_on_again (void)
{
  GccShare shares[] = {
    { 0, 100000, 1., 0 },
    { 0, 300000, 1., 0 },
    { 0, G_MAXINT64, 1., 0 },
  };

  gcc_rate_split (900000, shares, 3);
  g_assert_cmpint (shares[0].rate, ==, 100000);
  g_assert_cmpint (shares[1].rate, ==, 300000);
  g_assert_cmpint (shares[2].rate, ==, 500000);
}

static void
test_a_minimum_is_paid_by_the_others (void)
{
  GccShare shares[] = {
    { 400000, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 2., 0 },
  };

  gcc_rate_split (700000, shares, 3);
  g_assert_cmpint (shares[0].rate, ==, 400000);
  g_assert_cmpint (shares[1].rate, ==, 100000);
  g_assert_cmpint (shares[2].rate, ==, 200000);
}

static void
test_minima_that_do_not_fit_are_kept (void)
{
  GccShare shares[] = { { 300, 1000, 1., 0 }, { 500, 1000, 9., 0 } };

  gcc_rate_split (799, shares, 2);
  g_assert_cmpint (shares[0].rate, ==, 300);
  g_assert_cmpint (shares[1].rate, ==, 500);
  gcc_rate_split (0, shares, 2);
  g_assert_cmpint (shares[0].rate, ==, 300);
  g_assert_cmpint (shares[1].rate, ==, 500);
  gcc_rate_split (800, shares, 2);
  g_assert_cmpint (sum_up (shares, 2), ==, 800);
}

static void
test_maxima_are_not_exceeded_by_all (void)
{
  GccShare shares[] = { { 0, 1000, 1., 0 }, { 0, 2000, 9., 0 } };

  gcc_rate_split (3001, shares, 2);
  g_assert_cmpint (shares[0].rate, ==, 1000);
  g_assert_cmpint (shares[1].rate, ==, 2000);
}

static void
test_odd_bits_are_handed_out (void)
{
  GccShare shares[] = {
    { 0, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 1., 0 },
    { 0, G_MAXINT64, 1., 0 },
  };

  gcc_rate_split (1000001, shares, 3);
  g_assert_cmpint (sum_up (shares, 3), ==, 1000001);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (ABS (shares[i].rate - 333333), <=, 1);
}

static void
test_rates_of_any_size_are_divided (void)
{
  GccShare shares[] = {
    { 0, G_MAXINT64, 1e-9, 0 },
    { 0, G_MAXINT64, 1e9, 0 },
    { 0, G_MAXINT64, 1., 0 },
  };

  gcc_rate_split (G_MAXINT64 - 1, shares, 3);
  g_assert_cmpint (sum_up (shares, 3), ==, G_MAXINT64 - 1);
  gcc_rate_split (1, shares, 3);
  g_assert_cmpint (sum_up (shares, 3), ==, 1);
}

/* --- random streams --- */

static guint
make_shares (GRand *rand, GccShare *shares)
{
  guint n_shares = (guint) g_rand_int_range (rand, 1, MAX_SHARES + 1);

  for (guint i = 0; i < n_shares; i++) {
    shares[i].min = g_rand_int_range (rand, 0, 500000);
    shares[i].max = g_rand_boolean (rand)
        ? G_MAXINT64
        : shares[i].min + g_rand_int_range (rand, 0, 1000000);
    shares[i].weight = g_rand_boolean (rand)
        ? 1.
        : g_rand_double_range (rand, 0.01, 100.);
  }
  return n_shares;
}

/* Whoever is neither at the minimum nor at the maximum has as much per weight
 * as any other, who is at the maximum has no more, at the minimum no less. */
static void
check_fairness (const GccShare *shares, guint n_shares)
{
  for (guint i = 0; i < n_shares; i++) {
    for (guint j = 0; j < n_shares; j++) {
      if (shares[i].rate < shares[i].max && shares[j].rate > shares[j].min)
        g_assert_cmpfloat ((gdouble) (shares[i].rate + 1) / shares[i].weight,
            >=, (gdouble) (shares[j].rate - 1) / shares[j].weight - 1e-6);
    }
  }
}

static void
test_sum_limits_and_fairness_hold (void)
{
  GRand *rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < 20000; i++) {
    GccRate total = g_rand_int_range (rand, 0, 5000000);
    GccShare shares[MAX_SHARES];
    guint n_shares = make_shares (rand, shares);
    gboolean all_min = TRUE, all_max = TRUE;

    gcc_rate_split (total, shares, n_shares);
    for (guint j = 0; j < n_shares; j++) {
      g_assert_cmpint (shares[j].rate, >=, shares[j].min);
      g_assert_cmpint (shares[j].rate, <=, shares[j].max);
      all_min &= shares[j].rate == shares[j].min;
      all_max &= shares[j].rate == shares[j].max;
    }
    if (sum_up (shares, n_shares) > total)
      g_assert_true (all_min);
    else if (sum_up (shares, n_shares) < total)
      g_assert_true (all_max);
    check_fairness (shares, n_shares);
  }
  g_rand_free (rand);
}

/* But for who gets an odd bit. */
static void
test_order_does_not_matter (void)
{
  GRand *rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 20000; i++) {
    GccRate total = g_rand_int_range (rand, 0, 5000000);
    GccShare shares[MAX_SHARES], turned[MAX_SHARES];
    guint n_shares = make_shares (rand, shares);
    guint by = (guint) g_rand_int_range (rand, 0, (gint) n_shares);

    for (guint j = 0; j < n_shares; j++)
      turned[(j + by) % n_shares] = shares[j];
    gcc_rate_split (total, shares, n_shares);
    gcc_rate_split (total, turned, n_shares);
    for (guint j = 0; j < n_shares; j++)
      g_assert_cmpint (
          ABS (shares[j].rate - turned[(j + by) % n_shares].rate), <=, 1);
  }
  g_rand_free (rand);
}

static void
test_more_in_total_is_less_for_no_one (void)
{
  GRand *rand = g_rand_new_with_seed (6);

  for (guint i = 0; i < 2000; i++) {
    GccShare shares[MAX_SHARES], before[MAX_SHARES];
    guint n_shares = make_shares (rand, shares);

    gcc_rate_split (0, shares, n_shares);
    for (GccRate total = 1000; total < 5000000; total += 99999) {
      memcpy (before, shares, sizeof before);
      gcc_rate_split (total, shares, n_shares);
      for (guint j = 0; j < n_shares; j++)
        g_assert_cmpint (shares[j].rate, >=, before[j].rate - 1);
    }
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/rate-split/" #name, test_##name)
  ADD (weights_divide_the_rate);
  ADD (one_gets_all_within_its_limits);
  ADD (none_is_no_one);
  ADD (what_one_cannot_take_goes_to_the_others);
  ADD (what_is_passed_on_is_passed_on_again);
  ADD (a_minimum_is_paid_by_the_others);
  ADD (minima_that_do_not_fit_are_kept);
  ADD (maxima_are_not_exceeded_by_all);
  ADD (odd_bits_are_handed_out);
  ADD (rates_of_any_size_are_divided);
  ADD (sum_limits_and_fairness_hold);
  ADD (order_does_not_matter);
  ADD (more_in_total_is_less_for_no_one);
#undef ADD
  return g_test_run ();
}
