/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-trust.h>

#define MEMORY (10 * GCC_SECOND)
#define BEFORE 500000

static GccRate
weigh (GccProbeTrust *trust, GccRate result, GccRate acknowledged, GccTime now)
{
  return gcc_probe_trust_weigh (
      trust, result, BEFORE, acknowledged, MEMORY, now);
}

/* A result of 2 Mbit/s on a link of 1 Mbit/s. */
static void
refute (GccProbeTrust *trust, GccTime now)
{
  weigh (trust, 2000000, BEFORE, now);
  gcc_probe_trust_feed_overuse (trust, 1000000, now);
}

static void
test_a_result_counts_in_full_at_first (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  g_assert_cmpint (weigh (&trust, 2000000, BEFORE, 0), ==, 2000000);
  g_assert_cmpint (weigh (&trust, 3000000, BEFORE, GCC_SECOND), ==, 3000000);
}

static void
test_after_over_use_results_count_for_what_the_last_was_worth (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  refute (&trust, 0);
  g_assert_cmpint (weigh (&trust, 1800000, BEFORE, GCC_SECOND), ==, 900000);
  /* without over-use, which tells nothing of the rest */
  g_assert_cmpint (weigh (&trust, 1800000, BEFORE, 3 * GCC_SECOND), ==, 900000);
}

static void
test_a_result_never_counts_for_less_than_the_present_rate (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  refute (&trust, 0);
  g_assert_cmpint (weigh (&trust, 600000, BEFORE, GCC_SECOND), ==, BEFORE);
  g_assert_cmpint (weigh (&trust, 400000, BEFORE, GCC_SECOND), ==, 400000);
}

static void
test_trust_grows_with_what_the_link_carries (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  refute (&trust, 0);
  g_assert_cmpint (weigh (&trust, 1000000, 1500000, GCC_SECOND), ==, 750000);
  g_assert_cmpint (
      weigh (&trust, 1000000, GCC_RATE_NONE, GCC_SECOND), ==, 750000);
  g_assert_cmpint (weigh (&trust, 1000000, 2500000, GCC_SECOND), ==, 1000000);
}

static void
test_trust_comes_back_with_time (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  refute (&trust, 0);
  g_assert_cmpint (weigh (&trust, 1800000, BEFORE, MEMORY - 1), ==, 900000);
  g_assert_cmpint (weigh (&trust, 1000000, BEFORE, MEMORY), ==, 707106);
  g_assert_cmpint (weigh (&trust, 1000000, BEFORE, 2 * MEMORY), ==, 840896);
  /* and goes again */
  refute (&trust, 2 * MEMORY);
  g_assert_cmpint (weigh (&trust, 1000000, BEFORE, 3 * MEMORY), <, 840896);
}

/* Over-use after a raise by less than was doubted tells no more than before. */
static void
test_a_higher_share_refutes_nothing (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  refute (&trust, 0);
  weigh (&trust, 1800000, BEFORE, GCC_SECOND);
  gcc_probe_trust_feed_overuse (&trust, 950000, GCC_SECOND);
  g_assert_cmpint (weigh (&trust, 1800000, BEFORE, 2 * GCC_SECOND), ==, 900000);
  gcc_probe_trust_feed_overuse (&trust, 810000, 2 * GCC_SECOND);
  g_assert_cmpint (weigh (&trust, 1800000, BEFORE, 3 * GCC_SECOND), ==, 810000);
}

static void
test_over_use_without_a_result_or_a_rate_refutes_nothing (void)
{
  GccProbeTrust trust;

  gcc_probe_trust_init (&trust);
  gcc_probe_trust_feed_overuse (&trust, 1000000, 0);
  g_assert_cmpint (weigh (&trust, 2000000, BEFORE, 0), ==, 2000000);
  gcc_probe_trust_feed_overuse (&trust, GCC_RATE_NONE, 0);
  g_assert_cmpint (weigh (&trust, 2000000, BEFORE, 0), ==, 2000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/probe-trust/a_result_counts_in_full_at_first",
      test_a_result_counts_in_full_at_first);
  g_test_add_func (
      "/probe-trust/after_over_use_results_count_for_what_the_last_was_worth",
      test_after_over_use_results_count_for_what_the_last_was_worth);
  g_test_add_func (
      "/probe-trust/a_result_never_counts_for_less_than_the_present_rate",
      test_a_result_never_counts_for_less_than_the_present_rate);
  g_test_add_func ("/probe-trust/trust_grows_with_what_the_link_carries",
      test_trust_grows_with_what_the_link_carries);
  g_test_add_func ("/probe-trust/trust_comes_back_with_time",
      test_trust_comes_back_with_time);
  g_test_add_func ("/probe-trust/a_higher_share_refutes_nothing",
      test_a_higher_share_refutes_nothing);
  g_test_add_func (
      "/probe-trust/over_use_without_a_result_or_a_rate_refutes_nothing",
      test_over_use_without_a_result_or_a_rate_refutes_nothing);
  return g_test_run ();
}
