/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-queue-loss.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define PATH (50 * GCC_MSECOND)
#define QUEUE (300 * GCC_MSECOND)

/* A path that has been seen without a queue, at time 0. */
static void
start (GccQueueLoss *queue)
{
  gcc_queue_loss_init (queue, &gcc_recommended_sender_rules.queue_loss);
  gcc_queue_loss_feed_rtt (queue, PATH, 0);
}

/* A report, and whether the queue is full then. */
static gboolean
report (GccQueueLoss *queue, gdouble fraction_lost, GccTime rtt, GccTime now)
{
  gcc_queue_loss_feed_rtt (queue, rtt, now);
  gcc_queue_loss_feed_loss (queue, fraction_lost, rtt, now);
  return gcc_queue_loss_is_full (queue, now);
}

static void
test_loss_with_a_long_rtt_is_a_full_queue (void)
{
  GccQueueLoss queue;

  start (&queue);
  g_assert_false (gcc_queue_loss_is_full (&queue, 0));
  g_assert_true (report (&queue, 0.1, PATH + QUEUE, GCC_SECOND));
}

static void
test_random_loss_is_no_full_queue (void)
{
  GccQueueLoss queue;

  start (&queue);
  for (guint i = 1; i < 100; i++)
    g_assert_false (
        report (&queue, 0.3, PATH + (i % 90) * GCC_MSECOND, i * GCC_SECOND));
}

static void
test_a_long_queue_that_loses_little_is_not_full (void)
{
  GccQueueLoss queue;

  start (&queue);
  for (guint i = 1; i < 100; i++)
    g_assert_false (report (&queue, 0.09, PATH + QUEUE, i * GCC_SECOND));
}

/* A sender report that met the queue is lost or late: A_r falls first. */
static void
test_loss_while_a_r_falls_is_a_full_queue (void)
{
  GccQueueLoss queue;

  start (&queue);
  gcc_queue_loss_feed_remb (&queue, 2000000, 0);
  g_assert_false (report (&queue, 0.3, PATH, GCC_SECOND));
  gcc_queue_loss_feed_remb (&queue, 1950000, GCC_SECOND);
  g_assert_false (report (&queue, 0.3, PATH, GCC_SECOND));
  gcc_queue_loss_feed_remb (&queue, 900000, GCC_SECOND);
  g_assert_true (report (&queue, 0.3, PATH, 2 * GCC_SECOND));
  g_assert_false (report (&queue, 0.3, PATH, 20 * GCC_SECOND));
}

static void
test_the_first_remb_and_the_last_are_no_fall (void)
{
  GccQueueLoss queue;

  start (&queue);
  gcc_queue_loss_feed_remb (&queue, 2000, 0);
  gcc_queue_loss_feed_remb (&queue, GCC_RATE_NONE, 0);
  gcc_queue_loss_feed_remb (&queue, 1000, 0);
  g_assert_false (report (&queue, 0.3, PATH, 1));
}

static void
test_it_is_said_for_as_long_as_the_profile_has_it (void)
{
  const GccTime hold = gcc_recommended_sender_rules.queue_loss.hold;
  GccQueueLoss queue;

  start (&queue);
  report (&queue, 0.3, PATH + QUEUE, 0);
  g_assert_true (gcc_queue_loss_is_full (&queue, hold - 1));
  g_assert_false (gcc_queue_loss_is_full (&queue, hold));
  report (&queue, 0.3, PATH + QUEUE, hold);
  g_assert_true (gcc_queue_loss_is_full (&queue, hold));
}

/* A longer path is no queue for ever, and a queue no path for a while. */
static void
test_the_least_rtt_is_that_of_the_last_seconds (void)
{
  const GccTime window = gcc_recommended_sender_rules.queue_loss.rtt_window;
  GccQueueLoss queue;

  start (&queue);
  for (GccTime now = GCC_SECOND; now < window; now += GCC_SECOND)
    g_assert_true (report (&queue, 0.3, PATH + QUEUE, now));
  for (GccTime now = window; now < 2 * window; now += GCC_SECOND)
    report (&queue, 0.3, PATH + QUEUE, now);
  g_assert_false (
      report (&queue, 0.3, PATH + QUEUE, 2 * window + 10 * GCC_SECOND));
}

static void
test_without_an_rtt_nothing_is_said_of_the_queue (void)
{
  GccQueueLoss queue;

  gcc_queue_loss_init (&queue, &gcc_recommended_sender_rules.queue_loss);
  gcc_queue_loss_feed_loss (&queue, 0.3, GCC_TIME_NONE, 0);
  g_assert_false (gcc_queue_loss_is_full (&queue, 0));
}

static void
test_a_clock_that_is_set_back_ends_it (void)
{
  GccQueueLoss queue;

  start (&queue);
  report (&queue, 0.3, PATH + QUEUE, 3600 * GCC_SECOND);
  g_assert_false (gcc_queue_loss_is_full (&queue, 0));
  g_assert_false (report (&queue, 0., PATH, 0));
  g_assert_true (report (&queue, 0.3, PATH + QUEUE, GCC_SECOND));
}

#define ADD(test) g_test_add_func ("/queue-loss/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (loss_with_a_long_rtt_is_a_full_queue);
  ADD (random_loss_is_no_full_queue);
  ADD (a_long_queue_that_loses_little_is_not_full);
  ADD (loss_while_a_r_falls_is_a_full_queue);
  ADD (the_first_remb_and_the_last_are_no_fall);
  ADD (it_is_said_for_as_long_as_the_profile_has_it);
  ADD (the_least_rtt_is_that_of_the_last_seconds);
  ADD (without_an_rtt_nothing_is_said_of_the_queue);
  ADD (a_clock_that_is_set_back_ends_it);
  return g_test_run ();
}
