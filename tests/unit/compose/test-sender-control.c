/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The way from what receivers say to A_s, without media and stats. */

#include <gst/gcc/compose/gcc-sender-control.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define SSRC 1
#define RECEIVER 10

/* bit/s */
#define MIN_RATE 50000
#define START 1000000
#define MAX_RATE 2000000

typedef struct {
  GccSenderControl control;
  GccTime now;
  guint16 seq;
} Session;

static Session *
session_new (const gchar *profile)
{
  Session *self = g_new0 (Session, 1);

  self->now = GCC_SECOND;
  gcc_sender_control_init (
      &self->control, gcc_profile_find (profile), MIN_RATE, START, MAX_RATE);
  return self;
}

static void
session_free (Session *self)
{
  gcc_sender_control_clear (&self->control);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_free)

static GccRate
get_rate (const Session *self)
{
  return self->control.target.result.rate;
}

/* A second of packets, with timeouts in between. Returns whether a silence began. */
static gboolean
send_packets (Session *self)
{
  gboolean began = FALSE;

  for (guint i = 0; i < 50; i++) {
    GccSentPacket packet = { .ssrc = SSRC, .seq = ++self->seq, .size = 1000 };

    self->now += GCC_SECOND / 50;
    gcc_sender_control_feed_sent (&self->control, &packet, self->now);
    began |= gcc_sender_control_handle_timeout (&self->control, self->now);
  }
  return began;
}

static gboolean
report (Session *self, guint8 fraction_lost, guint32 seq)
{
  GccReportBlock block = {
    .reporter = RECEIVER,
    .ssrc = SSRC,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = seq,
    .rtt = 50 * GCC_MSECOND,
  };
  GccLossReport report;
  gboolean began;

  return gcc_sender_control_feed_reports (
      &self->control, &block, 1, &report, &began, self->now);
}

static gboolean
feed_remb (Session *self, GccRate rate)
{
  GccRemb remb = {
    .sender = RECEIVER,
    .reporter = RECEIVER,
    .rate = rate,
    .ssrcs = { SSRC },
    .n_ssrcs = 1,
  };

  return gcc_sender_control_feed_remb (&self->control, &remb, self->now);
}

static void
test_loss_lowers_the_rate (void)
{
  g_autoptr (Session) session = session_new ("goog-2020");

  for (guint i = 0; i < 5; i++) {
    send_packets (session);
    g_assert_true (report (session, 64, session->seq));
  }
  g_assert_cmpint (get_rate (session), <, START);
  g_assert_cmpint (
      gcc_sender_control_get_loss_based (&session->control), <, START);
  g_assert_cmpint (session->control.rtt, ==, 50 * GCC_MSECOND);
  g_assert_cmpuint (session->control.counts.reports, ==, 5);
}

static void
test_a_report_of_what_was_not_sent_changes_nothing (void)
{
  g_autoptr (Session) session = session_new ("goog-2020");

  send_packets (session);
  g_assert_false (report (session, 255, session->seq + 1000));
  g_assert_cmpint (get_rate (session), ==, START);
  g_assert_cmpuint (session->control.counts.reports_ignored, ==, 1);
}

static void
test_a_remb_bounds_the_rate_until_its_end_says_bye (void)
{
  g_autoptr (Session) session = session_new ("goog-2020");

  send_packets (session);
  report (session, 0, session->seq);
  g_assert_true (feed_remb (session, START / 2));
  g_assert_cmpint (get_rate (session), ==, START / 2);
  g_assert_cmpuint (session->control.counts.n_decreases_by_remb, ==, 1);
  g_assert_true (
      gcc_sender_control_feed_bye (&session->control, RECEIVER, session->now));
  g_assert_false (
      gcc_sender_control_feed_bye (&session->control, RECEIVER, session->now));
}

static void
test_silence_lowers_the_rate_and_news_gives_it_back (void)
{
  g_autoptr (Session) session = session_new ("recommended");
  guint n_began = 0;
  GccRate before;

  for (guint i = 0; i < 5; i++) {
    send_packets (session);
    report (session, 0, session->seq);
  }
  before = get_rate (session);
  for (guint i = 0; i < 60; i++)
    n_began += send_packets (session);
  g_assert_cmpuint (n_began, ==, 1);
  g_assert_cmpint (get_rate (session), <, before / 2);
  report (session, 0, session->seq);
  g_assert_cmpint (get_rate (session), >=, before);
}

static void
test_feedback_without_numbered_packets_is_ignored (void)
{
  g_autoptr (Session) session = session_new ("recommended");
  static const guint8 fci[] = { 0, 0, 0, 1, 0, 0, 0, 0, 0x20, 1, 0, 0 };
  GccTransportFeedback feedback;

  send_packets (session);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, sizeof fci));
  g_assert_false (gcc_sender_control_feed_transport (
      &session->control, feedback, session->now));
  g_assert_cmpuint (session->control.counts.feedbacks_ignored, ==, 1);
  g_assert_cmpint (get_rate (session), ==, START);
}

#define ADD(test) g_test_add_func ("/sender-control/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (loss_lowers_the_rate);
  ADD (a_report_of_what_was_not_sent_changes_nothing);
  ADD (a_remb_bounds_the_rate_until_its_end_says_bye);
  ADD (silence_lowers_the_rate_and_news_gives_it_back);
  ADD (feedback_without_numbered_packets_is_ignored);
  return g_test_run ();
}
