/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-random-loss.h>

#define RATE 500000

static const GccRandomLossParams params = {
  .n_reports = 4,
  .margin = 0.02,
  .max_queueing = 30 * GCC_MSECOND,
  .rtt_window = 60 * GCC_SECOND,
  .fall = 0.7,
};

static GccRandomLoss loss;

static void
begin (void)
{
  gcc_random_loss_init (&loss, &params);
  gcc_random_loss_feed_rtt (&loss, 50 * GCC_MSECOND, 0);
}

static void
lose (gdouble fraction, GccRate rate, guint n)
{
  for (guint i = 0; i < n; i++)
    gcc_random_loss_feed_loss (&loss, fraction, rate);
}

static void
test_what_was_lost_at_a_lower_rate_too_is_explained (void)
{
  begin ();
  lose (0.05, RATE, 4);
  lose (0.06, 2 * RATE, 8);
  g_assert_true (gcc_random_loss_explains (&loss, 0.));
}

static void
test_a_few_reports_explain_nothing (void)
{
  begin ();
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
  lose (0.05, RATE, 3);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
  lose (0.05, RATE, 1);
  g_assert_true (gcc_random_loss_explains (&loss, 0.));
}

static void
test_loss_that_came_with_the_rate_is_congestion (void)
{
  begin ();
  lose (0., RATE, 4);
  lose (0.05, 2 * RATE, 100);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
}

static void
test_with_a_queue_nothing_is_explained (void)
{
  begin ();
  lose (0.05, RATE, 4);
  gcc_random_loss_feed_rtt (&loss, 80 * GCC_MSECOND, GCC_SECOND);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
  gcc_random_loss_feed_rtt (&loss, 79 * GCC_MSECOND, 2 * GCC_SECOND);
  g_assert_true (gcc_random_loss_explains (&loss, 0.));
}

/* Else a call that starts fast would learn what it loses in a short queue. */
static void
test_a_rate_that_rises_at_once_is_known_by_a_few_reports (void)
{
  begin ();
  lose (0., RATE, 2);
  lose (0.05, 2 * RATE, 100);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
}

/* No round trip is known, and nothing of the queue. */
static void
test_without_a_round_trip_nothing_is_explained (void)
{
  gcc_random_loss_init (&loss, &params);
  lose (0.05, RATE, 10);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
}

/* Loss that began at a high rate is held against that rate until it is there at a
 * much lower one, too. */
static void
test_a_much_lower_rate_is_a_new_beginning (void)
{
  begin ();
  lose (0., RATE, 4);
  lose (0.05, RATE, 10);
  lose (0.05, RATE * 8 / 10, 10);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
  lose (0.05, RATE * 6 / 10, 4);
  g_assert_true (gcc_random_loss_explains (&loss, 0.));
}

/* A test of the path says more than the least of some reports. */
static void
test_what_a_test_has_found_is_explained (void)
{
  begin ();
  lose (0.05, RATE, 4);
  lose (0.12, RATE, 4);
  g_assert_false (gcc_random_loss_explains (&loss, 0.));
  g_assert_true (gcc_random_loss_explains (&loss, 0.1));
  lose (0.2, RATE, 4);
  g_assert_false (gcc_random_loss_explains (&loss, 0.1));
}

#define ADD(test) g_test_add_func ("/random-loss/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (what_was_lost_at_a_lower_rate_too_is_explained);
  ADD (a_few_reports_explain_nothing);
  ADD (loss_that_came_with_the_rate_is_congestion);
  ADD (with_a_queue_nothing_is_explained);
  ADD (a_rate_that_rises_at_once_is_known_by_a_few_reports);
  ADD (without_a_round_trip_nothing_is_explained);
  ADD (a_much_lower_rate_is_a_new_beginning);
  ADD (what_a_test_has_found_is_explained);
  return g_test_run ();
}
