/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probing.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* bit/s */
#define START 300000
#define MAX_RATE 2000000

static void
probing_init (GccProbing *probing)
{
  const GccSendSideParams *params = gcc_profile_find ("goog-2026")->send_side;

  gcc_probing_init (probing, params->prober, params->probe_controller, START,
      MAX_RATE, GCC_SECOND);
}

static void
test_the_first_probes_wait_to_be_fetched (void)
{
  GccProbing probing;

  probing_init (&probing);
  g_assert_cmpuint (probing.n_asked, ==, 0);
  g_assert_cmpint (probing.asked, ==, GCC_RATE_NONE);
  g_assert_true (gcc_probing_fetch (&probing, GCC_SECOND));
  g_assert_cmpuint (probing.n_asked, ==, 2);
  g_assert_cmpint (probing.asked, >, START);
  g_assert_false (gcc_probing_fetch (&probing, GCC_SECOND));
  g_assert_cmpuint (probing.n_asked, ==, 2);
}

static void
test_what_is_fetched_leaves (void)
{
  GccProbing probing;

  probing_init (&probing);
  gcc_probing_fetch (&probing, GCC_SECOND);
  gcc_prober_feed_queued (&probing.prober, 1000);
  g_assert_cmpint (
      gcc_prober_next_send (&probing.prober, GCC_SECOND), ==, GCC_SECOND);
}

static void
test_after_a_stop_nothing_leaves_and_the_count_stays (void)
{
  GccProbing probing;

  probing_init (&probing);
  gcc_probing_fetch (&probing, GCC_SECOND);
  gcc_probing_stop (&probing);
  gcc_prober_feed_queued (&probing.prober, 1000);
  g_assert_cmpint (
      gcc_prober_next_send (&probing.prober, GCC_SECOND), ==, GCC_TIME_NONE);
  g_assert_cmpuint (probing.n_asked, ==, 2);
}

#define ADD(test) g_test_add_func ("/probing/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (the_first_probes_wait_to_be_fetched);
  ADD (what_is_fetched_leaves);
  ADD (after_a_stop_nothing_leaves_and_the_count_stays);
  return g_test_run ();
}
