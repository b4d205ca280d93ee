/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-reports.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define OURS 1
#define OTHERS 2
#define RECEIVER 10
#define SECOND_RECEIVER 11
#define STRANGER 12

typedef struct {
  GccReports reports;
  GccSentStreams streams;
  GccTime now;
  guint16 seq;
} Session;

static void
session_init (Session *self)
{
  *self = (Session){ .now = GCC_SECOND };
  gcc_reports_init (
      &self->reports, &gcc_profile_find ("goog-2020")->loss.reports);
  gcc_sent_streams_init (&self->streams);
}

static void
send_packets (Session *self, guint n)
{
  for (; n > 0; n--)
    gcc_sent_stream_feed (
        gcc_sent_streams_take (&self->streams, OURS, GCC_SENT_VIDEO, self->now),
        ++self->seq, self->now);
  self->now += GCC_SECOND;
}

static GccReportNews
report (Session *self, guint32 reporter, guint32 seq, guint8 fraction_lost)
{
  GccReportBlock block = {
    .reporter = reporter,
    .ssrc = OURS,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = seq,
    .rtt = GCC_TIME_NONE,
  };

  return gcc_reports_feed (
      &self->reports, &self->streams, &block, 1, self->now);
}

static GccLossReport
send_and_report (Session *self, guint8 fraction_lost)
{
  send_packets (self, 100);
  g_assert_cmpuint (
      report (self, RECEIVER, self->seq, fraction_lost).n_blocks, ==, 1);
  return gcc_loss_aggregator_finish (&self->reports.aggregator);
}

static gboolean
feed_remb (Session *self, guint32 from, guint32 ssrc, GccRate rate)
{
  GccRemb remb = {
    .sender = from,
    .reporter = from,
    .rate = rate,
    .ssrcs = { ssrc },
    .n_ssrcs = 1,
  };

  return gcc_reports_feed_remb (
      &self->reports, &self->streams, &remb, FALSE, self->now);
}

static void
test_a_report_of_what_was_sent_is_news_once (void)
{
  static Session session;
  GccReportNews news;

  session_init (&session);
  send_packets (&session, 100);
  news = report (&session, RECEIVER, session.seq, 0);
  g_assert_true (news.has_first);
  g_assert_true (news.is_new);
  send_packets (&session, 100);
  news = report (&session, RECEIVER, session.seq - 100, 0);
  g_assert_false (news.has_first);
  g_assert_false (news.is_new);
}

static void
test_what_was_not_sent_is_ignored (void)
{
  static Session session;
  GccReportNews news;

  session_init (&session);
  send_packets (&session, 100);
  news = report (&session, RECEIVER, session.seq + 1000, 0);
  g_assert_cmpuint (news.n_blocks, ==, 0);
  g_assert_cmpuint (news.n_ignored, ==, 1);
}

static void
test_the_loss_of_a_silence_does_not_count (void)
{
  static Session session;

  session_init (&session);
  send_and_report (&session, 0);
  g_assert_cmpfloat (send_and_report (&session, 64).fraction_lost, ==, 0.25);
  gcc_reports_begin_silence (&session.reports);
  send_packets (&session, 100);
  report (&session, RECEIVER, session.seq, 255);
  gcc_reports_end_silence (&session.reports);
  g_assert_false (
      gcc_loss_aggregator_finish (&session.reports.aggregator).has_loss);
  g_assert_cmpfloat (send_and_report (&session, 64).fraction_lost, ==, 0.25);
}

static void
test_a_remb_counts_if_it_is_of_a_receiver_of_ours (void)
{
  static Session session;

  session_init (&session);
  send_and_report (&session, 0);
  g_assert_false (feed_remb (&session, RECEIVER, OTHERS, 500000));
  g_assert_cmpint (session.reports.remb, ==, GCC_RATE_NONE);
  g_assert_true (feed_remb (&session, RECEIVER, OURS, 500000));
  g_assert_false (gcc_reports_take_remb (&session.reports));
  g_assert_cmpint (session.reports.remb, ==, 500000);
}

static void
test_another_end_may_hold_the_least_remb (void)
{
  static Session session;

  session_init (&session);
  send_and_report (&session, 0);
  report (&session, SECOND_RECEIVER, session.seq, 0);
  feed_remb (&session, RECEIVER, OURS, 500000);
  gcc_reports_take_remb (&session.reports);
  feed_remb (&session, SECOND_RECEIVER, OURS, 300000);
  g_assert_true (gcc_reports_has_other_rate (&session.reports, FALSE));
  g_assert_true (gcc_reports_take_remb (&session.reports));
  g_assert_cmpint (session.reports.remb, ==, 300000);
  g_assert_false (gcc_reports_has_other_rate (&session.reports, FALSE));
  gcc_reporters_take_bye (&session.reports.reporters, SECOND_RECEIVER);
  g_assert_true (gcc_reports_has_other_rate (&session.reports, FALSE));
  g_assert_true (gcc_reports_take_remb (&session.reports));
  g_assert_cmpint (session.reports.remb, ==, 500000);
}

static void
test_only_a_stranger_is_suspected (void)
{
  static Session session;
  GccRemb remb = { .sender = RECEIVER, .rate = 100000 };

  session_init (&session);
  send_and_report (&session, 0);
  feed_remb (&session, RECEIVER, OURS, 100000);
  gcc_reports_suspect (&session.reports, &remb);
  g_assert_null (gcc_reports_get_strange_remb (&session.reports));

  session_init (&session);
  send_and_report (&session, 0);
  g_assert_true (feed_remb (&session, STRANGER, OURS, 100000));
  remb.sender = STRANGER;
  gcc_reports_suspect (&session.reports, &remb);
  g_assert_cmpuint (
      gcc_reports_get_strange_remb (&session.reports)->sender, ==, STRANGER);
}

#define ADD(test) g_test_add_func ("/reports/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_report_of_what_was_sent_is_news_once);
  ADD (what_was_not_sent_is_ignored);
  ADD (the_loss_of_a_silence_does_not_count);
  ADD (a_remb_counts_if_it_is_of_a_receiver_of_ours);
  ADD (another_end_may_hold_the_least_remb);
  ADD (only_a_stranger_is_suspected);
  return g_test_run ();
}
