/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-answer-watch.h>

#define START (100 * GCC_SECOND)

/* @n reports, five seconds apart; returns when the last one has come. */
static GccTime
feed_reports (GccAnswerWatch *self, guint n)
{
  for (guint i = 0; i < n; i++)
    gcc_answer_watch_feed_report (self, START + i * 5 * GCC_SECOND);

  return START + (n - 1) * 5 * GCC_SECOND;
}

static void
test_an_answer_that_never_comes_is_missing_after_15_seconds (void)
{
  GccAnswerWatch watch = { 0 };

  g_assert_cmpint (feed_reports (&watch, 3), ==, START + 10 * GCC_SECOND);
  g_assert_false (
      gcc_answer_watch_is_missing (&watch, START + 15 * GCC_SECOND - 1));
  g_assert_true (gcc_answer_watch_is_missing (&watch, START + 15 * GCC_SECOND));
}

static void
test_one_answer_is_enough (void)
{
  GccAnswerWatch watch = { 0 };
  GccTime now = feed_reports (&watch, 2);

  gcc_answer_watch_feed_answer (&watch);
  now = feed_reports (&watch, 20);
  g_assert_false (gcc_answer_watch_is_missing (&watch, now));
}

/* The answer comes with a report. */
static void
test_without_reports_no_answer_is_missing (void)
{
  GccAnswerWatch watch = { 0 };

  g_assert_false (gcc_answer_watch_is_missing (&watch, START));
  feed_reports (&watch, 2);
  g_assert_false (
      gcc_answer_watch_is_missing (&watch, START + 3600 * GCC_SECOND));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/answer-watch/" #name, test_##name)
  ADD (an_answer_that_never_comes_is_missing_after_15_seconds);
  ADD (one_answer_is_enough);
  ADD (without_reports_no_answer_is_missing);

  return g_test_run ();
}
