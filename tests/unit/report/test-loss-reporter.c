/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-loss-reporter.h>

#define START (100 * GCC_SECOND)

static const GccLossReporterParams params = { .interval = GCC_SECOND };

static void
test_a_report_is_due_one_interval_after_the_last (void)
{
  GccLossReporter reporter;
  GccTime now = START + GCC_SECOND;

  gcc_loss_reporter_init (&reporter, &params, START);
  g_assert_false (gcc_loss_reporter_is_due (&reporter, now - 1));
  g_assert_true (gcc_loss_reporter_is_due (&reporter, now));

  gcc_loss_reporter_reported (&reporter, now);
  g_assert_false (gcc_loss_reporter_is_due (&reporter, now));
  g_assert_true (gcc_loss_reporter_is_due (&reporter, now + GCC_SECOND));
}

static void
test_each_stream_has_its_own_loss (void)
{
  GccLossReporter reporter;
  GccReception *receptions;
  guint n;

  gcc_loss_reporter_init (&reporter, &params, START);
  for (guint16 seq = 0; seq < 8; seq++) {
    gcc_loss_reporter_feed (&reporter, 1, seq);
    if (seq % 4 != 1)
      gcc_loss_reporter_feed (&reporter, 2, seq);
  }

  receptions = gcc_loss_reporter_get_receptions (&reporter, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (gcc_reception_get_ssrc (&receptions[0]), ==, 1);
  g_assert_cmpuint (gcc_reception_get_ssrc (&receptions[1]), ==, 2);
  g_assert_cmpuint (
      gcc_reception_report (&receptions[0], START).fraction_lost, ==, 0);
  g_assert_cmpuint (
      gcc_reception_report (&receptions[1], START).fraction_lost, ==, 64);
}

/* The table must not overflow, whatever number of SSRCs arrives. */
static void
test_streams_beyond_the_table_are_left_to_the_session (void)
{
  GccLossReporter reporter;
  guint n;

  gcc_loss_reporter_init (&reporter, &params, START);
  for (guint32 ssrc = 0; ssrc < 2 * GCC_LOSS_REPORTER_MAX_STREAMS; ssrc++)
    gcc_loss_reporter_feed (&reporter, ssrc, 0);
  gcc_loss_reporter_get_receptions (&reporter, &n);
  g_assert_cmpuint (n, ==, GCC_LOSS_REPORTER_MAX_STREAMS);
}

static void
test_sender_reports_are_of_their_stream_only (void)
{
  GccLossReporter reporter;
  GccReception *receptions;
  guint n;

  gcc_loss_reporter_init (&reporter, &params, START);
  gcc_loss_reporter_feed (&reporter, 1, 0);
  gcc_loss_reporter_feed (&reporter, 2, 0);
  gcc_loss_reporter_feed_sender_report (&reporter, 2, 0xabcd, START);
  gcc_loss_reporter_feed_sender_report (&reporter, 3, 0x1234, START);

  receptions = gcc_loss_reporter_get_receptions (&reporter, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (gcc_reception_report (&receptions[0], START).lsr, ==, 0);
  g_assert_cmpuint (
      gcc_reception_report (&receptions[1], START).lsr, ==, 0xabcd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/loss-reporter/" #name, test_##name)
  ADD (a_report_is_due_one_interval_after_the_last);
  ADD (each_stream_has_its_own_loss);
  ADD (streams_beyond_the_table_are_left_to_the_session);
  ADD (sender_reports_are_of_their_stream_only);
#undef ADD
  return g_test_run ();
}
