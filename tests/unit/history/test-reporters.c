/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Who may steer the rate, and what a report weighs: the attacks on it, and the
 * peers that must not be taken for one. */

#include <gst/gcc/history/gcc-reporters.h>

#include <glib.h>

#include "reporting.h"

#define START 1000000
#define MIN_RATE 50000

#define RECEIVER 0xaau
#define STRANGER 0xbbu
#define OURS 0x11u
#define OTHERS 0x22u

typedef struct {
  GccSender sender;
  GccTime now;
  guint32 seq;
} Session;

static void
session_init_with (Session *self, const gchar *profile)
{
  *self = (Session){ .seq = 1000 };
  gcc_sender_init (
      &self->sender, gcc_profile_find (profile), MIN_RATE, START, 2000000);
}

static void
session_init (Session *self)
{
  session_init_with (self, "goog-2020");
}

static const GccSenderStats *
stats_of (const Session *self)
{
  return gcc_sender_get_stats (&self->sender);
}

static GccSenderEvent
report_block (Session *self, guint32 reporter, guint8 fraction_lost,
    guint32 ext_highest_seq)
{
  GccReportBlock block = {
    .reporter = reporter,
    .ssrc = OURS,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = ext_highest_seq,
    .rtt = GCC_TIME_NONE,
  };

  return gcc_sender_feed_reports (&self->sender, &block, 1, self->now);
}

/* A second goes by, 100 packets are sent, and @reporter tells of them. */
static GccSenderEvent
report (Session *self, guint32 reporter, guint8 fraction_lost)
{
  self->now += GCC_SECOND;
  self->seq += 100;
  reporting_send_up_to (&self->sender, OURS, self->seq, self->now);
  return report_block (self, reporter, fraction_lost, self->seq);
}

static GccSenderEvent
feed_remb (Session *self, guint32 sender, guint32 ssrc, GccRate rate)
{
  GccRemb remb = reporting_remb (sender, ssrc, rate);

  return gcc_sender_feed_remb (&self->sender, &remb, self->now);
}

/* Time goes by, as an element lets it, without a word of anybody. */
static void
wait (Session *self, GccTime duration)
{
  GccTime end = self->now + duration;
  GccTime next;

  while (self->now < end &&
      (next = gcc_sender_next_timeout (&self->sender)) != GCC_TIME_NONE &&
      next <= end) {
    self->now = MAX (next, self->now + GCC_MSECOND);
    gcc_sender_handle_timeout (&self->sender, self->now);
  }
  self->now = end;
}

/* --- report blocks --- */

static void
test_a_report_lowers_the_rate_by_what_was_lost (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  g_assert_cmpint (stats_of (&session)->target, ==, START);
  report (&session, RECEIVER, 51);
  g_assert_cmpint (stats_of (&session)->target, <, START);
  g_assert_cmpuint (stats_of (&session)->reports, ==, 2);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 0);
}

/* Ten made-up reports of full loss from nobody took A_s to the minimum. */
static void
test_reports_about_packets_that_were_not_sent_are_ignored (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  for (guint32 i = 1; i <= 10; i++) {
    session.now += GCC_SECOND;
    g_assert_cmpint (
        report_block (&session, STRANGER, 255, session.seq + 100 * i), ==,
        GCC_SENDER_EVENT_NONE);
  }
  g_assert_cmpint (stats_of (&session)->target, ==, START);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 10);
}

/* Whoever knows a sequence number, and not what was sent, weighs nothing. */
static void
test_a_report_weighs_no_more_than_was_sent (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  for (guint i = 0; i < 10; i++) {
    session.now += GCC_SECOND;
    report_block (&session, RECEIVER, 255, session.seq);
  }
  g_assert_cmpint (stats_of (&session)->target, ==, START);
  for (guint i = 0; i < 19; i++) {
    session.now += GCC_SECOND;
    reporting_send_up_to (&session.sender, OURS, ++session.seq, session.now);
    report_block (&session, RECEIVER, 255, session.seq);
  }
  /* on less than 20 packets no loss fraction stands */
  g_assert_cmpint (stats_of (&session)->target, ==, START);
}

static void
test_older_reports_are_ignored (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  report (&session, RECEIVER, 0);
  report_block (&session, RECEIVER, 255, session.seq - 100);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 1);
  /* nor does it make the next one count the packets again */
  report_block (&session, RECEIVER, 255, session.seq);
  g_assert_cmpint (stats_of (&session)->target, >=, START);
}

/* 31 blocks about one stream counted 31 times. */
static void
test_blocks_that_repeat_a_stream_count_once (void)
{
  GccReportBlock blocks[31];
  Session session;
  GccSender honest;

  session_init (&session);
  report (&session, RECEIVER, 0);
  reporting_send_up_to (&session.sender, OURS, session.seq + 1000, session.now);
  honest = session.sender;
  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    blocks[i] = (GccReportBlock){ RECEIVER, OURS, 255,
      session.seq + 100 * (1 + i / 4), GCC_TIME_NONE };
  blocks[0].fraction_lost = 0;

  session.now += GCC_SECOND;
  gcc_sender_feed_reports (&honest, blocks, 1, session.now);
  gcc_sender_feed_reports (
      &session.sender, blocks, G_N_ELEMENTS (blocks), session.now);
  g_assert_cmpint (
      stats_of (&session)->target, ==, gcc_sender_get_target (&honest));
  g_assert_cmpfloat (stats_of (&session)->fraction_lost, ==, 0.);
  g_assert_cmpuint (stats_of (&session)->reports, ==, 2);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 30);
}

static void
test_reports_on_streams_of_others_are_none_of_our_business (void)
{
  GccReportBlock block = { RECEIVER, OTHERS, 255, 1000, GCC_TIME_NONE };
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  for (guint i = 0; i < 10; i++) {
    block.ext_highest_seq += 100;
    g_assert_cmpint (
        gcc_sender_feed_reports (&session.sender, &block, 1, session.now), ==,
        GCC_SENDER_EVENT_NONE);
  }
  g_assert_cmpint (stats_of (&session)->target, ==, START);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 0);
}

/* Only the low 16 bits tell: some peers do not extend the number, or start
 * their count of cycles anywhere. */
static void
test_cycles_of_the_sequence_number_do_not_matter (void)
{
  static const guint32 cycles[] = { 0, 0x10000u, 0xffff0000u };

  for (guint i = 0; i < G_N_ELEMENTS (cycles); i++) {
    Session session;

    session_init (&session);
    session.seq = 65400;
    report (&session, RECEIVER, 0);
    session.seq += 100;
    reporting_send_up_to (&session.sender, OURS, session.seq, session.now);
    session.now += GCC_SECOND;
    report_block (&session, RECEIVER, 128, cycles[i] | (session.seq & 0xffff));
    g_assert_cmpuint (stats_of (&session)->reports, ==, 2);
    g_assert_cmpint (stats_of (&session)->target, <, START);
  }
}

/* The losses of the 65th SSRC never counted. */
static void
test_losses_of_every_ssrc_count (void)
{
  for (guint32 n = 1; n <= 300; n += 13) {
    Session session;
    GccReportBlock block = { RECEIVER, 1000 + n, 0, 50, GCC_TIME_NONE };

    session_init (&session);
    for (guint32 i = 1; i <= n; i++)
      reporting_send_up_to (&session.sender, 1000 + i, 50, session.now + i);
    session.now = GCC_SECOND;
    gcc_sender_feed_reports (&session.sender, &block, 1, session.now);
    reporting_send_up_to (&session.sender, 1000 + n, 150, session.now);
    block.ext_highest_seq = 150;
    block.fraction_lost = 128;
    session.now += GCC_SECOND;
    gcc_sender_feed_reports (&session.sender, &block, 1, session.now);
    g_assert_cmpint (stats_of (&session)->target, <, START);
  }
}

static void
test_a_stream_that_made_room_begins_again (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  report (&session, RECEIVER, 10);
  for (guint32 i = 0; i < GCC_SENT_STREAMS_MAX; i++)
    reporting_send_up_to (&session.sender, 0x1000 + i, 1, session.now + 1 + i);
  report (&session, RECEIVER, 255);
  g_assert_cmpint (stats_of (&session)->target, ==, START);
  report (&session, RECEIVER, 128);
  g_assert_cmpint (stats_of (&session)->target, <, START);
  g_assert_cmpuint (stats_of (&session)->reports_ignored, ==, 0);
}

static void
test_silent_reporters_make_room (void)
{
  Session session;

  session_init (&session);
  for (guint32 i = 0; i < 3 * GCC_REPORTERS_MAX; i++) {
    report (&session, RECEIVER, 0);
    report_block (&session, 0x1000 + i, 0, session.seq);
  }
  g_assert_cmpuint (session.sender.control.reports.reporters.n_reporters, <=,
      GCC_REPORTERS_MAX);
  for (guint32 i = 0; i < 2 * GCC_REPORTERS_MAX_PLACES; i++)
    report_block (&session, 0x10000 + i, 0, session.seq);
  g_assert_cmpuint (session.sender.control.reports.reporters.n_places, ==,
      GCC_REPORTERS_MAX_PLACES);
  report (&session, 0x10000 + 2 * GCC_REPORTERS_MAX_PLACES - 1, 128);
  g_assert_cmpfloat (stats_of (&session)->fraction_lost, ==, 0.5);
}

/* --- REMBs --- */

static void
check_ignored (Session *session, GccSenderEvent event)
{
  g_assert_cmpint (event, ==, GCC_SENDER_EVENT_NONE);
  g_assert_cmpint (stats_of (session)->target, ==, START);
  g_assert_cmpint (stats_of (session)->remb, ==, GCC_RATE_NONE);
  g_assert_cmpuint (stats_of (session)->rembs, ==, 0);
  g_assert_cmpuint (stats_of (session)->rembs_ignored, ==, 1);
}

/* Guards against a bound that nothing ended: one packet was enough, from any
 * SSRC, while the receiver went on reporting. */
static void
test_a_remb_that_is_not_renewed_ends_after_15_s (void)
{
  static const guint32 senders[] = { RECEIVER, STRANGER };

  for (guint i = 0; i < G_N_ELEMENTS (senders); i++) {
    Session session;

    session_init_with (&session, "recommended");
    report (&session, RECEIVER, 0);
    feed_remb (&session, senders[i], OURS, 60000);
    for (guint j = 0; j < 14; j++) {
      report (&session, RECEIVER, 0);
      g_assert_cmpint (stats_of (&session)->target, ==, 60000);
    }
    wait (&session, GCC_SECOND);
    g_assert_cmpint (stats_of (&session)->remb, ==, GCC_RATE_NONE);
    report (&session, RECEIVER, 0);
    g_assert_cmpint (stats_of (&session)->target, >, 60000);
  }
}

/* Janus repeats its limit so. */
static void
test_a_limit_that_comes_each_five_seconds_holds (void)
{
  Session session;

  session_init_with (&session, "recommended");
  report (&session, RECEIVER, 0);
  for (guint i = 0; i < 60; i++) {
    if (i % 5 == 0)
      feed_remb (&session, STRANGER, OURS, 60000);
    report (&session, RECEIVER, 0);
    g_assert_cmpint (stats_of (&session)->target, ==, 60000);
  }
}

static void
test_a_remb_of_a_stranger_that_halves_a_s_is_noted (void)
{
  Session session;
  const GccRemb *remb;

  session_init_with (&session, "recommended");
  report (&session, RECEIVER, 0);
  feed_remb (&session, STRANGER, OURS, START * 6 / 10);
  g_assert_null (gcc_sender_get_strange_remb (&session.sender));
  feed_remb (&session, STRANGER, OURS, 60000);
  remb = gcc_sender_get_strange_remb (&session.sender);
  g_assert_nonnull (remb);
  g_assert_cmphex (remb->sender, ==, STRANGER);
  g_assert_cmpint (remb->rate, ==, 60000);

  /* a reporter may ask for what it likes */
  session_init_with (&session, "recommended");
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 60000);
  g_assert_null (gcc_sender_get_strange_remb (&session.sender));
}

/* It took A_s from 1 Mbit/s to 60 kbit/s. */
static void
test_a_remb_about_streams_of_others_is_ignored (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  check_ignored (&session, feed_remb (&session, RECEIVER, OTHERS, 60000));
}

static void
test_a_remb_about_nobody_is_ignored (void)
{
  GccRemb remb = reporting_remb (RECEIVER, OURS, 60000);
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  remb.n_ssrcs = 0;
  check_ignored (
      &session, gcc_sender_feed_remb (&session.sender, &remb, session.now));
}

static void
test_a_remb_before_any_report_is_ignored (void)
{
  Session session;

  session_init (&session);
  reporting_send_up_to (&session.sender, OURS, 10, 0);
  check_ignored (&session, feed_remb (&session, STRANGER, OURS, 60000));
}

static void
test_a_remb_of_a_stranger_is_ignored (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 900000);
  for (guint i = 0; i < 10; i++) {
    report (&session, RECEIVER, 0);
    feed_remb (&session, RECEIVER, OURS, 900000);
    g_assert_cmpint (
        feed_remb (&session, STRANGER, OURS, 60000), ==, GCC_SENDER_EVENT_NONE);
  }
  g_assert_cmpint (stats_of (&session)->target, ==, 900000);
  g_assert_cmpuint (stats_of (&session)->rembs_ignored, ==, 10);
}

static void
test_a_report_that_does_not_count_makes_no_reporter (void)
{
  Session session;

  session_init (&session);
  reporting_send_up_to (&session.sender, OURS, 10, 0);
  report_block (&session, STRANGER, 0, 11);
  check_ignored (&session, feed_remb (&session, STRANGER, OURS, 60000));
}

static void
test_a_remb_that_also_names_others_counts (void)
{
  GccRemb remb = {
    .sender = RECEIVER,
    .reporter = RECEIVER,
    .rate = 600000,
    .ssrcs = { OTHERS, OTHERS + 1, OURS },
    .n_ssrcs = 3,
  };
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  g_assert_cmpint (gcc_sender_feed_remb (&session.sender, &remb, session.now),
      ==, GCC_SENDER_EVENT_REMB);
  g_assert_cmpint (stats_of (&session)->target, ==, 600000);
}

/* Some peers leave the sender of a REMB 0, or write their stream's SSRC, and
 * put it into the compound packet of their report. */
static void
test_a_remb_in_the_packet_of_a_reporter_counts (void)
{
  GccRemb remb = reporting_remb (0, OURS, 600000);
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  report (&session, RECEIVER + 1, 0);
  feed_remb (&session, RECEIVER + 1, OURS, 900000);
  remb.reporter = RECEIVER;
  g_assert_cmpint (gcc_sender_feed_remb (&session.sender, &remb, session.now),
      ==, GCC_SENDER_EVENT_REMB);
  g_assert_cmpint (stats_of (&session)->target, ==, 600000);
  gcc_sender_feed_bye (&session.sender, RECEIVER, session.now);
  g_assert_cmpint (stats_of (&session)->remb, ==, 900000);
}

/* A browser that also sends video reports from one SSRC and sends REMBs from
 * that of its first own stream. */
static void
test_a_remb_from_another_ssrc_of_a_peer_counts (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  g_assert_cmpint (
      feed_remb (&session, 0xcc, OURS, 600000), ==, GCC_SENDER_EVENT_REMB);
  report (&session, RECEIVER, 0);
  g_assert_cmpint (
      feed_remb (&session, 0xcc, OURS, 500000), ==, GCC_SENDER_EVENT_REMB);
  g_assert_cmpint (stats_of (&session)->target, ==, 500000);

  /* who has a name goes first */
  feed_remb (&session, RECEIVER, OURS, 900000);
  g_assert_cmpint (stats_of (&session)->remb, ==, 900000);
  g_assert_cmpint (
      feed_remb (&session, 0xcc, OURS, 500000), ==, GCC_SENDER_EVENT_NONE);
}

/* It begins to send video in the middle of a call: the old REMB must not stay
 * for ever. */
static void
test_a_peer_may_change_the_ssrc_of_its_rembs (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 300000);
  for (guint i = 0; i < 6; i++) {
    report (&session, RECEIVER, 0);
    feed_remb (&session, 0xcc, OURS, 900000);
  }
  g_assert_cmpint (stats_of (&session)->remb, ==, 900000);
}

static void
test_the_least_remb_holds (void)
{
  Session session;

  session_init (&session);
  report (&session, 1, 0);
  report (&session, 2, 0);
  feed_remb (&session, 1, OURS, 500000);
  feed_remb (&session, 2, OURS, 800000);
  g_assert_cmpint (stats_of (&session)->remb, ==, 500000);
  g_assert_cmpint (stats_of (&session)->target, ==, 500000);
  feed_remb (&session, 1, OURS, 900000);
  g_assert_cmpint (stats_of (&session)->remb, ==, 800000);
  feed_remb (&session, 2, OURS, 400000);
  g_assert_cmpint (stats_of (&session)->target, ==, 400000);
}

/* --- when they end --- */

/* It bounded A_s for ever. Without it A_s grows by eq. (1), a step at a time,
 * from where it is. */
static void
check_grows_from (Session *session, GccRate rate)
{
  g_assert_cmpint (stats_of (session)->remb, ==, GCC_RATE_NONE);
  g_assert_cmpint (stats_of (session)->target, >=, rate);
  g_assert_cmpint (stats_of (session)->target, <=, rate * 11 / 10);
  for (guint i = 0; i < 3; i++) {
    GccRate before = stats_of (session)->target;

    report (session, RECEIVER + 1, 0);
    wait (session, GCC_SECOND / 10);
    g_assert_cmpint (stats_of (session)->target, >=, before);
    g_assert_cmpint (stats_of (session)->target, <=, before * 12 / 10);
  }
  g_assert_cmpint (stats_of (session)->target, >, rate);
}

static void
test_a_remb_ends_with_the_bye_of_its_reporter (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 100000);
  gcc_sender_feed_bye (&session.sender, STRANGER, session.now);
  g_assert_cmpint (stats_of (&session)->remb, ==, 100000);
  gcc_sender_feed_bye (&session.sender, RECEIVER, session.now);
  check_grows_from (&session, 100000);
}

static void
test_a_remb_ends_with_the_silence_of_its_reporter (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 100000);
  wait (&session, 4900 * GCC_MSECOND);
  g_assert_cmpint (stats_of (&session)->remb, ==, 100000);
  wait (&session, 200 * GCC_MSECOND);
  check_grows_from (&session, 100000);
}

static void
test_a_reporter_that_reports_seldom_is_waited_for (void)
{
  Session session;

  session_init (&session);
  for (guint i = 0; i < 4; i++) {
    report (&session, RECEIVER, 0);
    feed_remb (&session, RECEIVER, OURS, 100000);
    wait (&session, 3 * GCC_SECOND);
  }
  wait (&session, 15 * GCC_SECOND);
  g_assert_cmpint (stats_of (&session)->remb, ==, 100000);
  wait (&session, 2 * GCC_SECOND);
  g_assert_cmpint (stats_of (&session)->remb, ==, GCC_RATE_NONE);
}

static void
test_a_reporter_that_sends_rembs_only_is_not_silent (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  for (guint i = 0; i < 20; i++) {
    wait (&session, GCC_SECOND);
    g_assert_cmpint (feed_remb (&session, RECEIVER, OURS, 100000), ==,
        GCC_SENDER_EVENT_REMB);
  }
  g_assert_cmpint (stats_of (&session)->remb, ==, 100000);
}

static void
test_who_speaks_for_reporters_ends_with_them (void)
{
  Session session;

  session_init (&session);
  report (&session, RECEIVER, 0);
  feed_remb (&session, 0, OURS, 100000);
  g_assert_cmpint (stats_of (&session)->remb, ==, 100000);
  gcc_sender_feed_bye (&session.sender, RECEIVER, session.now);
  check_grows_from (&session, 100000);

  feed_remb (&session, 0xcc, OURS, 100000);
  gcc_sender_feed_bye (&session.sender, 0xcc, session.now);
  g_assert_cmpint (stats_of (&session)->remb, ==, GCC_RATE_NONE);
}

static void
test_a_clock_set_back_keeps_no_remb_for_ever (void)
{
  Session session;

  session_init (&session);
  session.now = 1000 * GCC_SECOND;
  report (&session, RECEIVER, 0);
  feed_remb (&session, RECEIVER, OURS, 100000);
  gcc_sender_handle_timeout (&session.sender, 0);
  g_assert_cmpint (stats_of (&session)->remb, ==, GCC_RATE_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define TEST(name) g_test_add_func ("/reporters/" #name, test_##name)
  TEST (a_report_lowers_the_rate_by_what_was_lost);
  TEST (reports_about_packets_that_were_not_sent_are_ignored);
  TEST (a_report_weighs_no_more_than_was_sent);
  TEST (older_reports_are_ignored);
  TEST (blocks_that_repeat_a_stream_count_once);
  TEST (reports_on_streams_of_others_are_none_of_our_business);
  TEST (cycles_of_the_sequence_number_do_not_matter);
  TEST (losses_of_every_ssrc_count);
  TEST (a_stream_that_made_room_begins_again);
  TEST (silent_reporters_make_room);
  TEST (a_remb_about_streams_of_others_is_ignored);
  TEST (a_remb_about_nobody_is_ignored);
  TEST (a_remb_before_any_report_is_ignored);
  TEST (a_remb_of_a_stranger_is_ignored);
  TEST (a_report_that_does_not_count_makes_no_reporter);
  TEST (a_remb_that_also_names_others_counts);
  TEST (a_remb_in_the_packet_of_a_reporter_counts);
  TEST (a_remb_from_another_ssrc_of_a_peer_counts);
  TEST (a_peer_may_change_the_ssrc_of_its_rembs);
  TEST (the_least_remb_holds);
  TEST (a_remb_that_is_not_renewed_ends_after_15_s);
  TEST (a_limit_that_comes_each_five_seconds_holds);
  TEST (a_remb_of_a_stranger_that_halves_a_s_is_noted);
  TEST (a_remb_ends_with_the_bye_of_its_reporter);
  TEST (a_remb_ends_with_the_silence_of_its_reporter);
  TEST (a_reporter_that_reports_seldom_is_waited_for);
  TEST (a_reporter_that_sends_rembs_only_is_not_silent);
  TEST (who_speaks_for_reporters_ends_with_them);
  TEST (a_clock_set_back_keeps_no_remb_for_ever);
  return g_test_run ();
}
