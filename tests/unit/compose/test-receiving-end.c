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
} Call;

static void
call_init (Call *call, const gchar *profile, gboolean always_remb)
{
  *call = (Call){ .now = 1000 * GCC_SECOND, .clock = 1. };
  gcc_receiving_end_init (
      &call->end, gcc_profile_find (profile), always_remb, call->now);
}

static void
call_clear (Call *call)
{
  gcc_receiving_end_clear (&call->end);
}

static void
count (Call *call, GccReceiverEvent event)
{
  if (event == GCC_RECEIVER_EVENT_REMB)
    call->n_rembs++;
}

static void
receive_packet (Call *call)
{
  gdouble factor;

  call->now += GAP;
  call->timestamp += call->clock * CLOCK_RATE * (gdouble) GAP / GCC_SECOND;
  call->packet = (GccPacket){
    .ssrc = SSRC,
    .rtp_timestamp = (guint32) call->timestamp,
    .clock_rate = CLOCK_RATE,
    .payload_size = PAYLOAD_SIZE,
  };
  count (call,
      gcc_receiving_end_feed (&call->end, &call->packet, call->seq++,
          GCC_ARRIVAL_CLOCK, call->now, call->now));
  count (call, gcc_receiving_end_handle_timeout (&call->end, call->now));
  if (gcc_receiving_end_feed_media (
          &call->end, FALSE, call->is_numbered, call->now))
    call->n_changes++;
  if (call->has_feedback && gcc_receiving_end_note_feedback (&call->end))
    call->n_changes++;
  factor = gcc_receiving_end_check_clock (&call->end, &call->packet);
  if (factor != 0.) {
    call->clock_factor = factor;
    call->n_warnings++;
  }
}

static void
receive (Call *call, GccTime duration)
{
  for (GccTime end = call->now + duration; call->now < end;)
    receive_packet (call);
}

static GccRate
get_remb (const Call *call)
{
  guint32 ssrcs[GCC_RECEIVER_MAX_STREAMS];
  guint n;

  return gcc_receiving_end_get_remb (&call->end, ssrcs, &n);
}

static GccRate
get_estimate (const Call *call)
{
  return gcc_receiver_get_estimate (
      gcc_receiving_end_get_receiver (&call->end));
}

/* --- packets --- */

static void
test_a_packet_gets_its_arrival (void)
{
  Call call;
  GccTime before;

  call_init (&call, "recommended", FALSE);
  receive_packet (&call);
  before = call.packet.arrival;
  receive_packet (&call);
  g_assert_cmpint (call.packet.arrival - before, ==, GAP);
  call_clear (&call);
}

static void
test_a_wrong_clock_rate_is_told_once (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive (&call, 30 * GCC_SECOND);
  g_assert_cmpuint (call.n_warnings, ==, 0);
  call_clear (&call);

  call_init (&call, "recommended", FALSE);
  call.clock = 2.;
  receive (&call, 30 * GCC_SECOND);
  g_assert_cmpuint (call.n_warnings, ==, 1);
  g_assert_cmpfloat_with_epsilon (call.clock_factor, 2., 0.1);
  call_clear (&call);
}

static void
test_a_timestamp_of_another_clock_is_not_checked (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive_packet (&call);
  call.packet.clock_rate = 0;
  g_assert_cmpfloat (
      gcc_receiving_end_check_clock (&call.end, &call.packet), ==, 0.);
  call_clear (&call);
}

/* --- REMB --- */

static void
test_nothing_is_reported_before_a_packet (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  g_assert_cmpint (get_remb (&call), ==, GCC_RATE_NONE);
  g_assert_false (gcc_receiving_end_is_remb_due (&call.end));
  g_assert_true (gcc_receiving_end_sends_remb (&call.end));
  g_assert_cmpint (gcc_receiving_end_handle_timeout (&call.end, call.now), ==,
      GCC_RECEIVER_EVENT_NONE);
  call_clear (&call);
}

static void
test_the_sender_gets_the_estimate (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive (&call, 5 * GCC_SECOND);
  g_assert_cmpuint (call.n_rembs, >, 0);
  g_assert_true (gcc_receiving_end_is_remb_due (&call.end));
  g_assert_cmpint (get_remb (&call), ==, get_estimate (&call));
  gcc_receiving_end_note_remb (&call.end);
  g_assert_false (gcc_receiving_end_is_remb_due (&call.end));
  /* a later report carries it all the same */
  g_assert_cmpint (get_remb (&call), ==, get_estimate (&call));
  call_clear (&call);
}

static void
test_a_report_is_asked_for_while_a_remb_waits (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  g_assert_false (gcc_receiving_end_asks_for_report (&call.end, call.now));
  receive (&call, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_asks_for_report (&call.end, call.now));
  g_assert_false (gcc_receiving_end_asks_for_report (&call.end, call.now));
  g_assert_true (gcc_receiving_end_asks_for_report (
      &call.end, call.now + GCC_REMB_MAX_DELAY));
  call_clear (&call);
}

static void
test_in_2013_a_remb_waited_for_the_next_report (void)
{
  Call call;

  call_init (&call, "rtcweb-2013", FALSE);
  receive (&call, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_is_remb_due (&call.end));
  g_assert_false (gcc_receiving_end_asks_for_report (&call.end, call.now));
  call_clear (&call);
}

/* --- transport-wide feedback --- */

static void
test_numbers_end_remb_before_the_first_feedback (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  call.is_numbered = TRUE;
  g_assert_true (gcc_receiving_end_awaits_number (&call.end));
  receive (&call, GCC_SECOND);
  g_assert_false (gcc_receiving_end_awaits_number (&call.end));
  g_assert_cmpuint (call.n_changes, ==, 1);
  g_assert_true (gcc_receiving_end_uses_feedback (&call.end));
  g_assert_false (gcc_receiving_end_sends_remb (&call.end));
  g_assert_cmpint (get_remb (&call), ==, GCC_RATE_NONE);
  call_clear (&call);
}

static void
test_while_feedback_leaves_no_remb_does (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  call.is_numbered = call.has_feedback = TRUE;
  receive (&call, 10 * GCC_SECOND);
  g_assert_cmpint (get_estimate (&call), !=, GCC_RATE_NONE);
  g_assert_cmpuint (call.n_rembs, ==, 0);
  g_assert_false (gcc_receiving_end_asks_for_report (&call.end, call.now));
  g_assert_cmpint (get_remb (&call), ==, GCC_RATE_NONE);
  g_assert_cmpuint (gcc_receiving_end_get_n_feedbacks (&call.end), ==, 1000);
  call_clear (&call);
}

/* libwebrtc would keep to the last REMB. */
static void
test_feedback_releases_what_a_remb_has_bound (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive (&call, 5 * GCC_SECOND);
  gcc_receiving_end_note_remb (&call.end);
  call.is_numbered = call.has_feedback = TRUE;
  receive (&call, GCC_SECOND);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (get_remb (&call), ==, GCC_REMB_NO_BOUND);
    gcc_receiving_end_note_remb (&call.end);
  }
  g_assert_cmpint (get_remb (&call), ==, GCC_RATE_NONE);
  call_clear (&call);
}

static void
test_a_remb_that_waits_is_dropped_for_feedback (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive (&call, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_is_remb_due (&call.end));
  g_assert_true (gcc_receiving_end_note_feedback (&call.end));
  g_assert_false (gcc_receiving_end_is_remb_due (&call.end));
  g_assert_false (gcc_receiving_end_note_feedback (&call.end));
  call_clear (&call);
}

static void
test_without_feedback_remb_comes_back (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  call.has_feedback = TRUE;
  receive (&call, 5 * GCC_SECOND);
  g_assert_false (gcc_receiving_end_sends_remb (&call.end));
  call.has_feedback = FALSE;
  receive (&call, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_sends_remb (&call.end));
  g_assert_cmpuint (call.n_changes, ==, 2);
  g_assert_cmpint (get_remb (&call), ==, get_estimate (&call));
  call_clear (&call);
}

static void
test_whoever_asks_for_remb_gets_it_beside_feedback (void)
{
  Call call;

  call_init (&call, "recommended", TRUE);
  call.is_numbered = call.has_feedback = TRUE;
  receive (&call, 5 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_uses_feedback (&call.end));
  g_assert_true (gcc_receiving_end_sends_remb (&call.end));
  g_assert_cmpuint (call.n_rembs, >, 0);
  g_assert_cmpint (get_remb (&call), ==, get_estimate (&call));
  call_clear (&call);
}

static void
test_numbers_are_missed_after_five_seconds_of_media (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  receive (&call, 4 * GCC_SECOND);
  g_assert_false (gcc_receiving_end_lacks_numbers (&call.end));
  receive (&call, 2 * GCC_SECOND);
  g_assert_true (gcc_receiving_end_lacks_numbers (&call.end));
  call_clear (&call);
}

static void
test_without_markers_an_interval_triggers_feedback (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  call.is_numbered = call.has_feedback = TRUE;
  receive_packet (&call);
  g_assert_cmpint (
      gcc_receiving_end_get_feedback_interval (&call.end), ==, GCC_TIME_NONE);
  receive (&call, GCC_SECOND);
  g_assert_cmpint (gcc_receiving_end_get_feedback_interval (&call.end), ==,
      gcc_profile_find ("recommended")->feedback_trigger.interval);
  call_clear (&call);
}

/* --- RTCP --- */

static void
test_loss_is_reported_each_interval (void)
{
  const GccProfile *profile = gcc_profile_find ("recommended");
  GccReception *receptions;
  Call call;
  guint n;

  call_init (&call, "recommended", FALSE);
  receive (&call, profile->loss_reporter.interval / 2);
  g_assert_false (gcc_receiving_end_is_loss_due (&call.end, call.now));
  receive (&call, profile->loss_reporter.interval);
  g_assert_true (gcc_receiving_end_is_loss_due (&call.end, call.now));
  receptions = gcc_receiving_end_get_receptions (&call.end, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (gcc_reception_get_ssrc (&receptions[0]), ==, SSRC);
  gcc_receiving_end_note_loss (&call.end, call.now);
  g_assert_false (gcc_receiving_end_is_loss_due (&call.end, call.now));
  call_clear (&call);
}

static void
test_a_sender_report_is_echoed (void)
{
  GccReception *receptions;
  Call call;
  guint n;

  call_init (&call, "recommended", FALSE);
  receive (&call, GCC_SECOND);
  gcc_receiving_end_feed_sender_report (&call.end, SSRC, 0x12345678, call.now);
  receptions = gcc_receiving_end_get_receptions (&call.end, &n);
  g_assert_cmphex (
      gcc_reception_report (&receptions[0], call.now).lsr, ==, 0x12345678);
  call_clear (&call);
}

/* 20 s with a report each second. */
static void
exchange_reports (Call *call, gboolean is_answered)
{
  for (guint i = 0; i < 20; i++) {
    receive (call, GCC_SECOND);
    gcc_receiving_end_feed_rtcp (
        &call->end, TRUE, is_answered, GCC_TIME_NONE, call->now);
  }
}

static void
test_answers_are_missed_where_rembs_leave (void)
{
  Call call;

  call_init (&call, "recommended", FALSE);
  exchange_reports (&call, FALSE);
  g_assert_true (gcc_receiving_end_lacks_answers (&call.end, call.now));
  call.has_feedback = TRUE;
  receive_packet (&call);
  g_assert_false (gcc_receiving_end_lacks_answers (&call.end, call.now));
  call_clear (&call);

  call_init (&call, "recommended", FALSE);
  exchange_reports (&call, TRUE);
  g_assert_false (gcc_receiving_end_lacks_answers (&call.end, call.now));
  call_clear (&call);
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
