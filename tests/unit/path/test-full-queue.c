/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-full-queue.h>

static const GccFullQueueParams params = {
  .loss_memory = 1 * GCC_SECOND,
  .after = 1 * GCC_SECOND,
  .memory = 10 * GCC_SECOND,
  .again = 0.98,
};

static GccFullQueue queue;
static GccTime now;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  gcc_full_queue_init (&queue, &params);
}

/* A second and a half of feedback every 50 ms, with a loss in every tenth. */
static void
run (gboolean is_empty, gboolean loses, GccRate acknowledged)
{
  for (guint i = 0; i < 30; i++) {
    now += 50 * GCC_MSECOND;
    gcc_full_queue_update (
        &queue, is_empty, loses && i % 10 == 0, acknowledged, now);
  }
}

static void
run_full (GccRate acknowledged)
{
  run (FALSE, TRUE, acknowledged);
}

static void
run_empty (void)
{
  run (TRUE, FALSE, 900000);
}

static void
test_a_queue_that_goes_on_losing_is_full (void)
{
  start ();
  run_full (1000000);
  g_assert_true (gcc_full_queue_is_full (&queue, now));
  run_empty ();
  g_assert_false (gcc_full_queue_is_full (&queue, now));
}

static void
test_a_queue_that_loses_nothing_is_not_full (void)
{
  start ();
  run (FALSE, FALSE, 1000000);
  g_assert_false (gcc_full_queue_is_full (&queue, now));
}

static void
test_a_path_that_loses_is_no_full_queue (void)
{
  start ();
  run (TRUE, TRUE, 1000000);
  g_assert_false (gcc_full_queue_is_full (&queue, now));
}

/* Of 1 000 000 bit/s 960 000 arrive, as beside others, or 990 000. */
static void
test_others_take_what_is_left_to_them (void)
{
  start ();
  run_full (1000000);
  g_assert_false (gcc_full_queue_is_others (&queue, now));
  run_empty ();
  run_full (990000);
  g_assert_false (gcc_full_queue_is_others (&queue, now));
  run_empty ();
  run_full (960000);
  g_assert_true (gcc_full_queue_is_others (&queue, now));
}

/* One feedback tells less than what arrived, and the next one more. */
static void
test_one_rate_that_is_off_tells_nothing (void)
{
  start ();
  run_full (1000000);
  g_assert_false (gcc_full_queue_is_others (&queue, now));
  run_empty ();
  run_full (1000000);
  gcc_full_queue_update (&queue, FALSE, FALSE, 900000, now);
  g_assert_false (gcc_full_queue_is_others (&queue, now));
}

static void
test_a_full_queue_of_long_ago_tells_nothing (void)
{
  start ();
  run_full (1000000);
  gcc_full_queue_is_others (&queue, now);
  for (guint i = 0; i < 8; i++)
    run_empty ();
  run_full (500000);
  g_assert_false (gcc_full_queue_is_others (&queue, now));
}

static void
test_losses_of_the_path_tell_nothing_of_others (void)
{
  start ();
  run_full (1000000);
  gcc_full_queue_is_others (&queue, now);
  run (TRUE, TRUE, 950000);
  run_full (500000);
  g_assert_true (gcc_full_queue_is_full (&queue, now));
  g_assert_false (gcc_full_queue_is_others (&queue, now));
}

static void
test_it_has_ended_when_nothing_is_lost_in_it (void)
{
  start ();
  run_full (1000000);
  for (guint i = 0; i < 5; i++) {
    run (FALSE, FALSE, 1000000);
    g_assert_false (gcc_full_queue_has_ended (&queue, now));
  }
  run_empty ();
  run (TRUE, TRUE, 1000000);
  g_assert_true (gcc_full_queue_has_ended (&queue, now));
}

static void
test_an_unknown_rate_begins_anew (void)
{
  start ();
  run_full (1000000);
  gcc_full_queue_update (&queue, FALSE, TRUE, GCC_RATE_NONE, now);
  g_assert_false (gcc_full_queue_is_full (&queue, now));
}

/* Of any stranger's making. */
static void
test_times_and_rates_of_any_kind_do_no_harm (void)
{
  static const gint64 some[] = { G_MININT64, -1, 0, 1, G_MAXINT64 };
  const guint n = G_N_ELEMENTS (some);

  start ();
  for (guint i = 0; i < n * n * n; i++) {
    gcc_full_queue_update (
        &queue, i % 3 == 0, i % 2, some[i / n % n], some[i / n / n % n]);
    gcc_full_queue_is_full (&queue, some[i % n]);
    gcc_full_queue_is_others (&queue, some[i / n / n % n]);
    gcc_full_queue_has_ended (&queue, some[i % n]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/full-queue/" #name, test_##name)
  ADD (a_queue_that_goes_on_losing_is_full);
  ADD (a_queue_that_loses_nothing_is_not_full);
  ADD (a_path_that_loses_is_no_full_queue);
  ADD (others_take_what_is_left_to_them);
  ADD (one_rate_that_is_off_tells_nothing);
  ADD (a_full_queue_of_long_ago_tells_nothing);
  ADD (losses_of_the_path_tell_nothing_of_others);
  ADD (it_has_ended_when_nothing_is_lost_in_it);
  ADD (an_unknown_rate_begins_anew);
  ADD (times_and_rates_of_any_kind_do_no_harm);
#undef ADD
  return g_test_run ();
}
