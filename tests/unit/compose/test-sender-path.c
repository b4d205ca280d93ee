/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-path.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define GAP (10 * GCC_MSECOND)

/* bit/s */
#define START 300000
#define MAX_RATE 2000000

typedef struct {
  GccSenderPath path;
  GccTarget target;
  GccTime now;
} Sending;

static Sending
start (const gchar *profile_name)
{
  const GccProfile *profile = gcc_profile_find (profile_name);
  Sending self = { .now = GCC_SECOND };

  gcc_target_init (&self.target, &profile->target, 30000, START, MAX_RATE);
  gcc_sender_path_init (
      &self.path, profile->send_side, &profile->transport_watch);
  return self;
}

static void
send_packets (Sending *self, guint n)
{
  GccSendSide *side = self->path.side;

  for (; n > 0; n--) {
    GccSentPacket packet = {
      .payload_size = 900,
      .size = 1000,
      .is_numbered = TRUE,
      .transport_seq = side != NULL ? gcc_send_side_take_seq (side) : 0,
    };

    gcc_sender_path_feed_sent (&self->path, &packet, self->now);
    self->now += GAP;
  }
}

/* Packets @first to @last have arrived. */
static gboolean
feed_back (Sending *self, guint16 first, guint16 last, GccRate rate)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  GccTransportFeedbackWriter writer;
  GccTransportFeedback feedback;
  gsize length;

  gcc_transport_feedback_writer_init (
      &writer, first, GCC_SECOND + first * GAP, 0);
  for (guint16 seq = first; seq <= last; seq++)
    gcc_transport_feedback_writer_add (&writer, seq, GCC_SECOND + seq * GAP);
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_true (gcc_transport_feedback_parse_fci (&feedback, fci, length));
  return gcc_sender_path_feed (&self->path,
      &(GccPathFeedback){ .transport = &feedback }, rate, self->now);
}

static void
test_without_numbers_nothing_is_known (void)
{
  Sending sending = start ("recommended");
  GccSenderPath *path = &sending.path;

  send_packets (&sending, 10);
  g_assert_false (gcc_sender_path_takes (path, GCC_FEEDBACK_TRANSPORT_CC));
  g_assert_false (gcc_sender_path_is_steering (path));
  g_assert_false (gcc_sender_path_feed_other (path, sending.now));
  g_assert_cmpint (gcc_sender_path_get_feedback (path), ==, GCC_FEEDBACK_REMB);
  g_assert_cmpint (gcc_sender_path_get_payload (path, START), ==, START);
}

static void
test_an_older_generation_follows_no_such_feedback (void)
{
  Sending sending = start ("goog-2020");

  g_assert_false (gcc_sender_path_use (
      &sending.path, GCC_FEEDBACK_TRANSPORT_CC, &sending.target, sending.now));
  g_assert_null (sending.path.side);
  g_assert_cmpstr (gcc_sender_path_get_reason (&sending.path), ==,
      "the profile follows no transport-wide feedback");
}

static void
test_the_last_kind_that_is_used_is_taken (void)
{
  Sending sending = start ("recommended");
  GccSenderPath *path = &sending.path;

  gcc_sender_path_use (
      path, GCC_FEEDBACK_TRANSPORT_CC, &sending.target, sending.now);
  g_assert_true (gcc_sender_path_takes (path, GCC_FEEDBACK_TRANSPORT_CC));
  gcc_sender_path_use (path, GCC_FEEDBACK_CCFB, &sending.target, sending.now);
  g_assert_false (gcc_sender_path_takes (path, GCC_FEEDBACK_TRANSPORT_CC));
  g_assert_true (gcc_sender_path_takes (path, GCC_FEEDBACK_CCFB));
  g_assert_cmpstr (
      gcc_sender_path_get_reason (path), ==, "no report of RFC 8888 has come");
  gcc_sender_path_clear (path);
}

static void
begin (Sending *self)
{
  gcc_sender_path_use (
      &self->path, GCC_FEEDBACK_TRANSPORT_CC, &self->target, self->now);
  send_packets (self, 10);
  g_assert_true (feed_back (self, 0, 9, START));
  gcc_feedback_watch_feed_feedback (&self->path.watch, self->now);
}

static void
test_feedback_about_packets_steers (void)
{
  Sending sending = start ("recommended");
  GccSenderPath *path = &sending.path;

  begin (&sending);
  g_assert_true (gcc_sender_path_is_steering (path));
  g_assert_true (gcc_sender_path_is_reported (path));
  g_assert_cmpint (
      gcc_sender_path_get_feedback (path), ==, GCC_FEEDBACK_TRANSPORT_CC);
  /* headers take their part of A_s */
  g_assert_cmpint (gcc_sender_path_get_payload (path, START), <, START);
  g_assert_cmpint (gcc_sender_path_get_payload (path, START), >, START / 2);
  g_assert_cmpint (gcc_send_side_get_pacing_rate (path->side), >, 0);
  gcc_sender_path_clear (path);
}

/* Guards: reports that come beside transport-wide feedback and take over at once. */
static void
test_other_feedback_takes_over_when_it_is_overdue (void)
{
  Sending sending = start ("recommended");
  GccSenderPath *path = &sending.path;

  begin (&sending);
  g_assert_false (gcc_sender_path_feed_other (path, sending.now));
  send_packets (&sending, 1000);
  g_assert_false (gcc_sender_path_is_reported (path));
  g_assert_true (gcc_sender_path_feed_other (path, sending.now));
  g_assert_false (gcc_sender_path_is_steering (path));
  g_assert_cmpstr (gcc_sender_path_get_reason (path), ==,
      "transport-wide feedback has stopped");
  gcc_sender_path_clear (path);
}

static void
test_only_news_ends_a_pause (void)
{
  Sending sending = start ("recommended");
  GccSenderPath *path = &sending.path;

  begin (&sending);
  send_packets (&sending, 1000);
  gcc_sender_path_feed_other (path, sending.now);
  g_assert_false (feed_back (&sending, 0, 9, 2 * START));
  g_assert_false (gcc_sender_path_is_steering (path));
  g_assert_true (feed_back (&sending, 1000, 1009, 2 * START));
  g_assert_true (gcc_sender_path_is_steering (path));
  g_assert_cmpint (path->side->rates.result.delay_based, >=, 2 * START);
  gcc_sender_path_clear (path);
}

#define ADD(test) g_test_add_func ("/sender-path/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (without_numbers_nothing_is_known);
  ADD (an_older_generation_follows_no_such_feedback);
  ADD (the_last_kind_that_is_used_is_taken);
  ADD (feedback_about_packets_steers);
  ADD (other_feedback_takes_over_when_it_is_overdue);
  ADD (only_news_ends_a_pause);
  return g_test_run ();
}
