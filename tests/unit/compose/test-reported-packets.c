/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A sender that follows reports of RFC 8888. */

#include <gst/gcc/compose/gcc-sender-private.h>

#define SSRC 7
#define SIZE 1000
#define GAP (10 * GCC_MSECOND)

typedef struct {
  GccSender *sender;
  GccTime now;
  guint16 seq;
} Reported;

static void
start (Reported *self, gboolean uses_ccfb)
{
  *self = (Reported){
    .sender = gcc_sender_new (
        gcc_profile_find ("recommended"), 30000, 300000, 2000000),
    .now = GCC_SECOND,
    .seq = 65530,
  };
  g_assert_true (uses_ccfb
          ? gcc_sender_use_ccfb (self->sender, self->now)
          : gcc_sender_use_transport_feedback (self->sender, self->now));
}

static void
stop (Reported *self)
{
  gcc_sender_free (self->sender);
}

static void
send_packets (Reported *self, guint n)
{
  for (; n > 0; n--) {
    GccSentPacket packet = {
      .kind = GCC_SENT_VIDEO,
      .ssrc = SSRC,
      .seq = self->seq++,
      .payload_size = SIZE - 12,
      .size = SIZE,
      .ends_frame = TRUE,
      .is_numbered = TRUE,
      .transport_seq = gcc_sender_take_transport_seq (self->sender),
    };

    gcc_sender_feed_sent (self->sender, &packet, self->now);
    self->now += GAP;
  }
}

/* Reports that @n packets of @ssrc from @seq on have arrived, one each 10 ms. */
static GccSenderEvent
report (Reported *self, guint32 ssrc, guint16 seq, guint n)
{
  guint8 body[GCC_CCFB_MAX_BODY];
  GccCcfbWriter writer;
  gsize length;

  gcc_ccfb_writer_init (&writer, body, sizeof body);
  gcc_ccfb_writer_begin (&writer, ssrc, seq, n);
  for (; n > 0; n--)
    gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, n * 10);
  length = gcc_ccfb_writer_finish (
      &writer, gcc_ccfb_timestamp (gcc_ccfb_ticks (self->now)));
  return gcc_sender_feed_ccfb (self->sender, body, length, self->now);
}

static const GccSenderStats *
get_stats (const Reported *self)
{
  return gcc_sender_get_stats (self->sender);
}

static void
check_ignored (Reported *self)
{
  g_assert_cmpuint (get_stats (self)->feedbacks, ==, 0);
  g_assert_cmpuint (get_stats (self)->feedbacks_ignored, ==, 1);
  g_assert_cmpint (get_stats (self)->feedback, ==, GCC_FEEDBACK_REMB);
}

static void
test_the_rate_follows_reports (void)
{
  Reported reported;

  start (&reported, TRUE);
  g_assert_cmpstr (gcc_sender_get_feedback_reason (reported.sender), ==,
      "no report of RFC 8888 has come");
  for (guint i = 0; i < 20; i++) {
    send_packets (&reported, 5);
    g_assert_cmpint (report (&reported, SSRC, (guint16) (reported.seq - 5), 5),
        !=, GCC_SENDER_EVENT_NONE);
  }
  g_assert_cmpuint (get_stats (&reported)->feedbacks, ==, 20);
  g_assert_cmpuint (get_stats (&reported)->feedbacks_ignored, ==, 0);
  g_assert_cmpint (get_stats (&reported)->feedback, ==, GCC_FEEDBACK_CCFB);
  g_assert_cmpint (get_stats (&reported)->acknowledged, >, 400000);
  g_assert_cmpint (get_stats (&reported)->target, >, 300000);
  stop (&reported);
}

static void
test_a_claim_about_a_packet_that_was_not_sent_is_ignored (void)
{
  Reported reported;

  start (&reported, TRUE);
  send_packets (&reported, 5);
  report (&reported, SSRC, (guint16) (reported.seq - 5), 6);
  check_ignored (&reported);
  stop (&reported);
}

static void
test_a_report_of_other_streams_is_ignored (void)
{
  Reported reported;

  start (&reported, TRUE);
  send_packets (&reported, 5);
  report (&reported, SSRC + 1, (guint16) (reported.seq - 5), 5);
  check_ignored (&reported);
  stop (&reported);
}

static void
test_what_is_malformed_changes_nothing (void)
{
  static const guint8 cut[] = { 0, 0, 0, SSRC, 0, 0, 0, 9, 0x80, 0, 0x80, 0 };
  Reported reported;

  start (&reported, TRUE);
  send_packets (&reported, 5);
  g_assert_cmpint (
      gcc_sender_feed_ccfb (reported.sender, cut, sizeof cut, reported.now), ==,
      GCC_SENDER_EVENT_MALFORMED);
  g_assert_cmpuint (get_stats (&reported)->feedbacks_ignored, ==, 0);
  stop (&reported);
}

static void
test_reports_are_ignored_where_numbers_are_followed (void)
{
  Reported reported;

  start (&reported, FALSE);
  send_packets (&reported, 5);
  report (&reported, SSRC, (guint16) (reported.seq - 5), 5);
  check_ignored (&reported);
  stop (&reported);
}

/* Packets carry no transport-wide number here, so feedback about numbers is ignored. */
static void
test_transport_wide_feedback_is_ignored_where_reports_are_followed (void)
{
  GccTransportFeedbackWriter writer;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  Reported reported;

  start (&reported, TRUE);
  send_packets (&reported, 5);
  gcc_transport_feedback_writer_init (&writer, 1, GCC_SECOND, 0);
  gcc_transport_feedback_writer_add (&writer, 1, GCC_SECOND);
  g_assert_cmpint (
      gcc_sender_feed_transport_feedback (reported.sender, fci,
          gcc_transport_feedback_writer_finish (&writer, fci), reported.now),
      ==, GCC_SENDER_EVENT_NONE);
  check_ignored (&reported);
  stop (&reported);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/reported-packets/" #name, test_##name)
  ADD (the_rate_follows_reports);
  ADD (a_claim_about_a_packet_that_was_not_sent_is_ignored);
  ADD (a_report_of_other_streams_is_ignored);
  ADD (what_is_malformed_changes_nothing);
  ADD (reports_are_ignored_where_numbers_are_followed);
  ADD (transport_wide_feedback_is_ignored_where_reports_are_followed);
#undef ADD
  return g_test_run ();
}
