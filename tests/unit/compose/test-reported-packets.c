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

/* Reports that @n packets of @ssrc from @seq on have arrived, one each 10 ms, the
 * last @n_marked with CE, and the others with @ecn. */
static GccSenderEvent
report_marks (Reported *self, guint32 ssrc, guint16 seq, guint n, GccEcn ecn,
    guint n_marked)
{
  guint8 body[GCC_CCFB_MAX_BODY];
  GccCcfbWriter writer;
  gsize length;

  gcc_ccfb_writer_init (&writer, body, sizeof body);
  gcc_ccfb_writer_begin (&writer, ssrc, seq, n);
  for (; n > 0; n--)
    gcc_ccfb_writer_add (&writer, n <= n_marked ? GCC_ECN_CE : ecn, n * 10);
  length = gcc_ccfb_writer_finish (
      &writer, gcc_ccfb_timestamp (gcc_ccfb_ticks (self->now)));
  return gcc_sender_feed_ccfb (self->sender, body, length, self->now);
}

static GccSenderEvent
report (Reported *self, guint32 ssrc, guint16 seq, guint n)
{
  return report_marks (self, ssrc, seq, n, GCC_ECN_NOT_ECT, 0);
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

/* --- ECN --- */

/* Reports of five packets each. */
static void
run (Reported *self, guint n_reports, GccEcn ecn, guint n_marked)
{
  for (; n_reports > 0; n_reports--) {
    send_packets (self, 5);
    report_marks (self, SSRC, (guint16) (self->seq - 5), 5, ecn, n_marked);
  }
}

static void
start_with_ecn (Reported *self)
{
  start (self, TRUE);
  gcc_sender_set_ecn (self->sender, TRUE);
  g_assert_false (gcc_sender_sends_ect1 (self->sender));
  run (self, 1, GCC_ECN_NOT_ECT, 0);
  g_assert_true (gcc_sender_sends_ect1 (self->sender));
  g_assert_cmpint (get_stats (self)->ecn, ==, GCC_ECN_TESTING);
}

static void
test_marks_change_nothing_without_ecn (void)
{
  Reported plain, marked;

  start (&plain, TRUE);
  start (&marked, TRUE);
  run (&plain, 50, GCC_ECN_NOT_ECT, 0);
  run (&marked, 50, GCC_ECN_ECT_1, 3);
  g_assert_cmpint (get_stats (&plain)->target, ==, get_stats (&marked)->target);
  g_assert_false (gcc_sender_sends_ect1 (marked.sender));
  g_assert_cmpint (get_stats (&marked)->ecn, ==, GCC_ECN_OFF);
  g_assert_cmpuint (get_stats (&marked)->ce_packets, ==, 0);
  stop (&plain);
  stop (&marked);
}

static void
test_marks_lower_the_rate (void)
{
  GccRate before;
  Reported reported;

  start_with_ecn (&reported);
  run (&reported, 40, GCC_ECN_ECT_1, 0);
  g_assert_cmpint (get_stats (&reported)->ecn, ==, GCC_ECN_CAPABLE);
  before = get_stats (&reported)->target;
  run (&reported, 1, GCC_ECN_ECT_1, 1);
  g_assert_cmpint (get_stats (&reported)->target, <, before);
  g_assert_cmpint (get_stats (&reported)->reason, ==, GCC_REASON_ECN);
  g_assert_cmpuint (get_stats (&reported)->ce_packets, ==, 1);
  g_assert_cmpuint (get_stats (&reported)->ect1_packets, ==, 204);
  stop (&reported);
}

static void
test_a_larger_share_of_marks_leaves_a_lower_rate (void)
{
  Reported few, many;

  start_with_ecn (&few);
  start_with_ecn (&many);
  run (&few, 60, GCC_ECN_ECT_1, 0);
  run (&many, 60, GCC_ECN_ECT_1, 0);
  run (&few, 3, GCC_ECN_ECT_1, 1);
  run (&many, 3, GCC_ECN_ECT_1, 4);
  g_assert_cmpint (get_stats (&many)->target, <, get_stats (&few)->target);
  g_assert_cmpfloat (
      get_stats (&many)->l4s_alpha, >, get_stats (&few)->l4s_alpha);
  stop (&few);
  stop (&many);
}

/* A second of A_s is held: what is beyond 50 ms leaves within a second. */
static void
test_with_marks_the_encoder_makes_less_while_the_pacer_holds_much (void)
{
  GccRate target, before;
  Reported reported;

  start_with_ecn (&reported);
  run (&reported, 40, GCC_ECN_ECT_1, 0);
  run (&reported, 1, GCC_ECN_ECT_1, 1);
  gcc_sender_update (reported.sender, reported.now);
  before = get_stats (&reported)->encoder_target;
  target = get_stats (&reported)->target;
  gcc_sender_set_held (reported.sender, target / 8 / 20);
  gcc_sender_update (reported.sender, reported.now);
  g_assert_cmpint (get_stats (&reported)->encoder_target, ==, before);
  gcc_sender_set_held (reported.sender, target / 8 / 4);
  gcc_sender_update (reported.sender, reported.now);
  g_assert_cmpfloat_with_epsilon (
      (gdouble) get_stats (&reported)->encoder_target / (gdouble) before, 0.8,
      0.01);
  gcc_sender_set_held (reported.sender, target);
  gcc_sender_update (reported.sender, reported.now);
  g_assert_cmpfloat_with_epsilon (
      (gdouble) get_stats (&reported)->encoder_target / (gdouble) before, 0.5,
      0.01);
  stop (&reported);
}

static void
test_without_marks_what_the_pacer_holds_changes_nothing (void)
{
  GccRate before;
  Reported reported;

  start_with_ecn (&reported);
  run (&reported, 40, GCC_ECN_ECT_1, 0);
  g_assert_cmpint (get_stats (&reported)->ecn, ==, GCC_ECN_CAPABLE);
  gcc_sender_update (reported.sender, reported.now);
  before = get_stats (&reported)->encoder_target;
  gcc_sender_set_held (reported.sender, get_stats (&reported)->target);
  gcc_sender_update (reported.sender, reported.now);
  g_assert_cmpint (get_stats (&reported)->encoder_target, ==, before);
  stop (&reported);
}

static void
test_a_path_that_bleaches_is_left_as_it_was (void)
{
  Reported reported;

  start_with_ecn (&reported);
  run (&reported, 3, GCC_ECN_NOT_ECT, 0);
  g_assert_false (gcc_sender_sends_ect1 (reported.sender));
  g_assert_cmpint (get_stats (&reported)->ecn, ==, GCC_ECN_BLEACHED);
  stop (&reported);
}

/* Guards: a call beside TCP in a queue whose threshold is less than the time of a
 * packet had .006 of the link. */
static void
test_marks_that_come_at_the_least_rate_are_no_longer_asked_for (void)
{
  Reported reported;

  start_with_ecn (&reported);
  for (guint i = 0; i < 40; i++) {
    run (&reported, 9, GCC_ECN_ECT_1, 0);
    run (&reported, 1, GCC_ECN_ECT_1, 1);
  }
  g_assert_cmpint (get_stats (&reported)->ecn, ==, GCC_ECN_CAPABLE);
  run (&reported, 400, GCC_ECN_ECT_1, 2);
  g_assert_cmpint (get_stats (&reported)->ecn, ==, GCC_ECN_ALWAYS_MARKED);
  g_assert_false (gcc_sender_sends_ect1 (reported.sender));
  stop (&reported);
}

/* A mark of a packet that has left without ECT(1) is a loss. */
static void
test_marks_of_a_classic_queue_count_as_lost (void)
{
  const GccSendSide *side;
  Reported reported;

  start_with_ecn (&reported);
  run (&reported, 3, GCC_ECN_NOT_ECT, 0);
  side = gcc_sender_get_send_side (reported.sender);
  g_assert_cmpfloat (side->rates.loss.average_loss, ==, 0.);
  run (&reported, 60, GCC_ECN_ECT_0, 2);
  g_assert_cmpfloat (side->rates.loss.average_loss, >, 0.3);
  stop (&reported);
}

static void
test_transport_wide_feedback_has_no_ecn (void)
{
  Reported reported;

  start (&reported, FALSE);
  gcc_sender_set_ecn (reported.sender, TRUE);
  send_packets (&reported, 5);
  g_assert_false (gcc_sender_sends_ect1 (reported.sender));
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
  ADD (marks_change_nothing_without_ecn);
  ADD (marks_lower_the_rate);
  ADD (a_larger_share_of_marks_leaves_a_lower_rate);
  ADD (with_marks_the_encoder_makes_less_while_the_pacer_holds_much);
  ADD (without_marks_what_the_pacer_holds_changes_nothing);
  ADD (a_path_that_bleaches_is_left_as_it_was);
  ADD (marks_that_come_at_the_least_rate_are_no_longer_asked_for);
  ADD (marks_of_a_classic_queue_count_as_lost);
  ADD (transport_wide_feedback_has_no_ecn);
#undef ADD
  return g_test_run ();
}
