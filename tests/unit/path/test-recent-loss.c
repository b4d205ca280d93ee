/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-recent-loss.h>

#define PACKETS 100
#define QUEUEING (20 * GCC_MSECOND)

static const GccRecentLossParams params = {
  .window = GCC_SECOND,
  .min_loss = 0.02,
  .min_queueing = QUEUEING,
};

/* A window of packets, and a little more, with @n_lost missing. */
static void
feed (GccRecentLoss *losses, gint n_lost)
{
  for (guint i = 0; i <= PACKETS; i++)
    gcc_recent_loss_feed (losses, i == PACKETS / 2 ? n_lost : 0,
        (GccTime) i * GCC_SECOND / PACKETS);
}

static gboolean
counts (gint n_lost, GccTime queueing)
{
  GccRecentLoss losses;

  gcc_recent_loss_init (&losses, &params);
  feed (&losses, n_lost);
  return gcc_recent_loss_counts (&losses, queueing);
}

static void
test_a_fiftieth_counts_and_less_does_not (void)
{
  g_assert_false (counts (0, QUEUEING));
  g_assert_false (counts (2, QUEUEING));
  g_assert_true (counts (3, QUEUEING));
}

static void
test_losses_count_only_in_a_queue (void)
{
  g_assert_false (counts (50, QUEUEING - 1));
  g_assert_false (counts (50, GCC_TIME_NONE));
}

static void
test_nothing_counts_before_a_window_has_ended (void)
{
  GccRecentLoss losses;

  gcc_recent_loss_init (&losses, &params);
  g_assert_false (gcc_recent_loss_counts (&losses, QUEUEING));
  gcc_recent_loss_feed (&losses, 50, 0);
  g_assert_false (gcc_recent_loss_counts (&losses, QUEUEING));
}

static void
test_packets_out_of_order_are_not_lost (void)
{
  GccRecentLoss losses;

  gcc_recent_loss_init (&losses, &params);
  for (guint i = 0; i <= PACKETS; i++)
    gcc_recent_loss_feed (
        &losses, i % 2 == 0 ? 1 : -1, (GccTime) i * GCC_SECOND / PACKETS);
  g_assert_false (gcc_recent_loss_counts (&losses, QUEUEING));
}

static void
test_losses_that_are_answered_count_no_more (void)
{
  GccRecentLoss losses;

  gcc_recent_loss_init (&losses, &params);
  feed (&losses, 50);
  gcc_recent_loss_answer (&losses);
  g_assert_false (gcc_recent_loss_counts (&losses, QUEUEING));
}

#define ADD(test) g_test_add_func ("/recent-loss/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_fiftieth_counts_and_less_does_not);
  ADD (losses_count_only_in_a_queue);
  ADD (nothing_counts_before_a_window_has_ended);
  ADD (packets_out_of_order_are_not_lost);
  ADD (losses_that_are_answered_count_no_more);
  return g_test_run ();
}
