/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-receiving-end.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define SSRC 0xabcd
#define CLOCK_RATE 90000
#define PAYLOAD_SIZE 1000

/* A packet each 10 ms: 0.8 Mbit/s. */
#define GAP (10 * GCC_MSECOND)

/* A call in which packets arrive as they were sent. @clock is how fast their
 * timestamps run. */
typedef struct {
  GccReceivingEnd end;
  GccTime now;
  guint16 seq;
  gboolean is_numbered;
  gboolean has_feedback;
  gdouble clock;
  gdouble timestamp;
  GccPacket packet;
  guint n_rembs;
  guint n_changes;
  gdouble clock_factor;
  guint n_warnings;
} Reception;

static void
reception_init (
    Reception *reception, const gchar *profile, gboolean always_remb)
{
  *reception = (Reception){ .now = 1000 * GCC_SECOND, .clock = 1. };
  gcc_receiving_end_init (
      &reception->end, gcc_profile_find (profile), always_remb, reception->now);
}

static void
reception_clear (Reception *reception)
{
  gcc_receiving_end_clear (&reception->end);
}

static void
count (Reception *reception, GccReceiverEvent event)
{
  if (event == GCC_RECEIVER_EVENT_REMB)
    reception->n_rembs++;
}

static void
receive_packet (Reception *reception)
{
  gdouble factor;

  reception->now += GAP;
  reception->timestamp += reception->clock * CLOCK_RATE * (gdouble) GAP /
      GCC_SECOND;
  reception->packet = (GccPacket){
    .ssrc = SSRC,
    .rtp_timestamp = (guint32) reception->timestamp,
    .clock_rate = CLOCK_RATE,
    .payload_size = PAYLOAD_SIZE,
  };
  count (reception,
      gcc_receiving_end_feed (&reception->end, &reception->packet,
          reception->seq++, GCC_ARRIVAL_CLOCK, reception->now, reception->now));
  count (reception,
      gcc_receiving_end_handle_timeout (&reception->end, reception->now));
  if (gcc_receiving_end_feed_media (
          &reception->end, FALSE, reception->is_numbered, reception->now))
    reception->n_changes++;
  if (reception->has_feedback &&
      gcc_receiving_end_note_feedback (&reception->end))
    reception->n_changes++;
  factor = gcc_receiving_end_check_clock (&reception->end, &reception->packet);
  if (factor != 0.) {
    reception->clock_factor = factor;
    reception->n_warnings++;
  }
}

static void
receive (Reception *reception, GccTime duration)
{
  for (GccTime end = reception->now + duration; reception->now < end;)
    receive_packet (reception);
}

static GccRate
get_remb (const Reception *reception)
{
  GccRemb remb;

  return gcc_receiving_end_get_remb (&reception->end, &remb) ? remb.rate
                                                             : GCC_RATE_NONE;
}

static GccRate
get_estimate (const Reception *reception)
{
  return gcc_receiver_get_estimate (
      gcc_receiving_end_get_receiver (&reception->end));
}

/* --- packets --- */

static void
test_a_packet_gets_its_arrival (void)
{
  Reception reception;
  GccTime before;

  reception_init (&reception, "recommended", FALSE);
  receive_packet (&reception);
  before = reception.packet.arrival;
  receive_packet (&reception);
  g_assert_cmpint (reception.packet.arrival - before, ==, GAP);
  reception_clear (&reception);
}

static void
test_a_wrong_clock_rate_is_told_once (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, 30 * GCC_SECOND);
  g_assert_cmpuint (reception.n_warnings, ==, 0);
  reception_clear (&reception);

  reception_init (&reception, "recommended", FALSE);
  reception.clock = 2.;
  receive (&reception, 30 * GCC_SECOND);
  g_assert_cmpuint (reception.n_warnings, ==, 1);
  g_assert_cmpfloat_with_epsilon (reception.clock_factor, 2., 0.1);
  reception_clear (&reception);
}

static void
test_a_timestamp_of_another_clock_is_not_checked (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive_packet (&reception);
  reception.packet.clock_rate = 0;
  g_assert_cmpfloat (
      gcc_receiving_end_check_clock (&reception.end, &reception.packet), ==,
      0.);
  reception_clear (&reception);
}

/* --- REMB --- */

static void
test_nothing_is_reported_before_a_packet (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  g_assert_cmpint (get_remb (&reception), ==, GCC_RATE_NONE);
  g_assert_false (gcc_receiving_end_is_remb_due (&reception.end));
  g_assert_true (gcc_receiving_end_sends_remb (&reception.end));
  g_assert_cmpint (
      gcc_receiving_end_handle_timeout (&reception.end, reception.now), ==,
      GCC_RECEIVER_EVENT_NONE);
  reception_clear (&reception);
}

static void
test_the_sender_gets_the_estimate (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, 5 * GCC_SECOND);
  g_assert_cmpuint (reception.n_rembs, >, 0);
  g_assert_true (gcc_receiving_end_is_remb_due (&reception.end));
  g_assert_cmpint (get_remb (&reception), ==, get_estimate (&reception));
  gcc_receiving_end_note_remb (&reception.end);
  g_assert_false (gcc_receiving_end_is_remb_due (&reception.end));
  /* a later report carries it all the same */
  g_assert_cmpint (get_remb (&reception), ==, get_estimate (&reception));
  reception_clear (&reception);
}

static void
test_a_report_is_asked_for_while_a_remb_waits (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  g_assert_false (
      gcc_receiving_end_asks_for_report (&reception.end, reception.now));
  receive (&reception, 5 * GCC_SECOND);
  g_assert_true (
      gcc_receiving_end_asks_for_report (&reception.end, reception.now));
  g_assert_false (
      gcc_receiving_end_asks_for_report (&reception.end, reception.now));
  g_assert_true (gcc_receiving_end_asks_for_report (
      &reception.end, reception.now + GCC_REMB_MAX_DELAY));
  reception_clear (&reception);
}

static void
test_in_2013_a_remb_waited_for_the_next_report (void)
{
  Reception reception;

  reception_init (&reception, "rtcweb-2013", FALSE);
  receive (&reception, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_is_remb_due (&reception.end));
  g_assert_false (
      gcc_receiving_end_asks_for_report (&reception.end, reception.now));
  reception_clear (&reception);
}

/* --- transport-wide feedback --- */

static void
test_numbers_end_remb_before_the_first_feedback (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  reception.is_numbered = TRUE;
  g_assert_true (gcc_receiving_end_awaits_number (&reception.end));
  receive (&reception, GCC_SECOND);
  g_assert_false (gcc_receiving_end_awaits_number (&reception.end));
  g_assert_cmpuint (reception.n_changes, ==, 1);
  g_assert_true (gcc_receiving_end_uses_feedback (&reception.end));
  g_assert_false (gcc_receiving_end_sends_remb (&reception.end));
  g_assert_cmpint (get_remb (&reception), ==, GCC_RATE_NONE);
  reception_clear (&reception);
}

static void
test_while_feedback_leaves_no_remb_does (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  reception.is_numbered = reception.has_feedback = TRUE;
  receive (&reception, 10 * GCC_SECOND);
  g_assert_cmpint (get_estimate (&reception), !=, GCC_RATE_NONE);
  g_assert_cmpuint (reception.n_rembs, ==, 0);
  g_assert_false (
      gcc_receiving_end_asks_for_report (&reception.end, reception.now));
  g_assert_cmpint (get_remb (&reception), ==, GCC_RATE_NONE);
  g_assert_cmpuint (
      gcc_receiving_end_get_n_feedbacks (&reception.end), ==, 1000);
  reception_clear (&reception);
}

/* libwebrtc would keep to the last REMB. */
static void
test_feedback_releases_what_a_remb_has_bound (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, 5 * GCC_SECOND);
  gcc_receiving_end_note_remb (&reception.end);
  reception.is_numbered = reception.has_feedback = TRUE;
  receive (&reception, GCC_SECOND);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (get_remb (&reception), ==, GCC_REMB_NO_BOUND);
    gcc_receiving_end_note_remb (&reception.end);
  }
  g_assert_cmpint (get_remb (&reception), ==, GCC_RATE_NONE);
  reception_clear (&reception);
}

static void
test_a_remb_that_waits_is_dropped_for_feedback (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_is_remb_due (&reception.end));
  g_assert_true (gcc_receiving_end_note_feedback (&reception.end));
  g_assert_false (gcc_receiving_end_is_remb_due (&reception.end));
  g_assert_false (gcc_receiving_end_note_feedback (&reception.end));
  reception_clear (&reception);
}

static void
test_without_feedback_remb_comes_back (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  reception.has_feedback = TRUE;
  receive (&reception, 5 * GCC_SECOND);
  g_assert_false (gcc_receiving_end_sends_remb (&reception.end));
  reception.has_feedback = FALSE;
  receive (&reception, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_sends_remb (&reception.end));
  g_assert_cmpuint (reception.n_changes, ==, 2);
  g_assert_cmpint (get_remb (&reception), ==, get_estimate (&reception));
  reception_clear (&reception);
}

static void
test_whoever_asks_for_remb_gets_it_beside_feedback (void)
{
  Reception reception;

  reception_init (&reception, "recommended", TRUE);
  reception.is_numbered = reception.has_feedback = TRUE;
  receive (&reception, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_uses_feedback (&reception.end));
  g_assert_true (gcc_receiving_end_sends_remb (&reception.end));
  g_assert_cmpuint (reception.n_rembs, >, 0);
  g_assert_cmpint (get_remb (&reception), ==, get_estimate (&reception));
  reception_clear (&reception);
}

static void
test_numbers_are_missed_after_five_seconds_of_media (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, 4 * GCC_SECOND);
  g_assert_false (gcc_receiving_end_lacks_numbers (&reception.end));
  receive (&reception, 2 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_lacks_numbers (&reception.end));
  reception_clear (&reception);
}

static void
test_without_markers_an_interval_triggers_feedback (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  reception.is_numbered = reception.has_feedback = TRUE;
  receive_packet (&reception);
  g_assert_cmpint (gcc_receiving_end_get_feedback_interval (&reception.end), ==,
      GCC_TIME_NONE);
  receive (&reception, GCC_SECOND);
  g_assert_cmpint (gcc_receiving_end_get_feedback_interval (&reception.end), ==,
      gcc_profile_find ("recommended")->feedback_trigger.interval);
  reception_clear (&reception);
}

/* --- RTCP --- */

static void
test_loss_is_reported_each_interval (void)
{
  const GccProfile *profile = gcc_profile_find ("recommended");
  GccReception *receptions;
  Reception reception;
  guint n;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, profile->loss_reporter.interval / 2);
  g_assert_false (
      gcc_receiving_end_is_loss_due (&reception.end, reception.now));
  receive (&reception, profile->loss_reporter.interval);
  g_assert_true (gcc_receiving_end_is_loss_due (&reception.end, reception.now));
  receptions = gcc_receiving_end_get_receptions (&reception.end, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (gcc_reception_get_ssrc (&receptions[0]), ==, SSRC);
  gcc_receiving_end_note_loss (&reception.end, reception.now);
  g_assert_false (
      gcc_receiving_end_is_loss_due (&reception.end, reception.now));
  reception_clear (&reception);
}

static void
test_a_sender_report_is_echoed (void)
{
  GccReception *receptions;
  Reception reception;
  guint n;

  reception_init (&reception, "recommended", FALSE);
  receive (&reception, GCC_SECOND);
  gcc_receiving_end_feed_sender_report (
      &reception.end, SSRC, 0x12345678, reception.now);
  receptions = gcc_receiving_end_get_receptions (&reception.end, &n);
  g_assert_cmphex (
      gcc_reception_report (&receptions[0], reception.now).lsr, ==, 0x12345678);
  reception_clear (&reception);
}

/* 20 s with a report each second. */
static void
exchange_reports (Reception *reception, gboolean is_answered)
{
  for (guint i = 0; i < 20; i++) {
    receive (reception, GCC_SECOND);
    gcc_receiving_end_feed_rtcp (
        &reception->end, TRUE, is_answered, GCC_TIME_NONE, reception->now);
  }
}

static void
test_answers_are_missed_where_rembs_leave (void)
{
  Reception reception;

  reception_init (&reception, "recommended", FALSE);
  exchange_reports (&reception, FALSE);
  g_assert_true (
      gcc_receiving_end_lacks_answers (&reception.end, reception.now));
  reception.has_feedback = TRUE;
  receive_packet (&reception);
  g_assert_false (
      gcc_receiving_end_lacks_answers (&reception.end, reception.now));
  reception_clear (&reception);

  reception_init (&reception, "recommended", FALSE);
  exchange_reports (&reception, TRUE);
  g_assert_false (
      gcc_receiving_end_lacks_answers (&reception.end, reception.now));
  reception_clear (&reception);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/receiving-end/" #name, test_##name)
  TEST (a_packet_gets_its_arrival);
  TEST (a_wrong_clock_rate_is_told_once);
  TEST (a_timestamp_of_another_clock_is_not_checked);
  TEST (nothing_is_reported_before_a_packet);
  TEST (the_sender_gets_the_estimate);
  TEST (a_report_is_asked_for_while_a_remb_waits);
  TEST (in_2013_a_remb_waited_for_the_next_report);
  TEST (numbers_end_remb_before_the_first_feedback);
  TEST (while_feedback_leaves_no_remb_does);
  TEST (feedback_releases_what_a_remb_has_bound);
  TEST (a_remb_that_waits_is_dropped_for_feedback);
  TEST (without_feedback_remb_comes_back);
  TEST (whoever_asks_for_remb_gets_it_beside_feedback);
  TEST (numbers_are_missed_after_five_seconds_of_media);
  TEST (without_markers_an_interval_triggers_feedback);
  TEST (loss_is_reported_each_interval);
  TEST (a_sender_report_is_echoed);
  TEST (answers_are_missed_where_rembs_leave);

  return g_test_run ();
}
