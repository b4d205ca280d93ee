/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the send side makes of feedback that is late, lost or somebody else's, and which
 * feedback steers. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "reporting.h"
#include "support/call.h"

/* --- calls --- */

/* Guards: over-use that costs half of the rate, and more each time, because R(t)
 * is half of what arrives while half of the feedback is lost. */
static void
test_what_lost_feedback_would_have_told_is_not_missing_in_r (void)
{
  GccRate least = G_MAXINT64;
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 20 * GCC_SECOND);
  call.feedback_loss = 0.5;
  for (guint i = 0; i < 20; i++) {
    call_run (&call, GCC_SECOND);
    least = MIN (least, gcc_sender_get_stats (&call.sender)->acknowledged);
  }
  g_assert_cmpint (least, >, 800000);
  call_clear (&call);
}

static GccRate
get_acknowledged (const Call *call)
{
  return gcc_sender_get_stats (&call->sender)->acknowledged;
}

static void
check_rates (Call *call)
{
  GccRate rate = gcc_sender_get_target (&call->sender);

  g_test_message ("%d Mbit/s: R(t) %.2f, A_s %.2f",
      (gint) (call->capacity / 1000000),
      (gdouble) get_acknowledged (call) / 1e6, (gdouble) rate / 1e6);
  g_assert_cmpint (get_acknowledged (call), >, call->capacity * 7 / 10);
  g_assert_cmpint (get_acknowledged (call), <, call->capacity * 11 / 10);
  g_assert_cmpint (rate, >, call->capacity * 7 / 10);
  g_assert_cmpint (rate, <, call->capacity * 11 / 10);
}

/* Guards: a window of 500 packets at most, which never lasted a second, and so
 * after a single feedback was lost R(t) stayed what it was. */
static void
test_r_follows_fast_calls_that_lose_feedback (void)
{
  static const GccRate rates[] = { 6000000, 10000000, 20000000, 40000000 };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    call_init (&call, "recommended", 300000, 60000000);
    call.feedback_loss = 0.02;
    call.capacity = rates[i];
    call_run (&call, 20 * GCC_SECOND);
    check_rates (&call);
    call.capacity /= 2;
    call_run (&call, 10 * GCC_SECOND);
    check_rates (&call);
    call.capacity *= 2;
    call_run (&call, 20 * GCC_SECOND);
    check_rates (&call);
    call_clear (&call);
  }
}

/* Guards: the window was looked at when feedback came, and not when it did not,
 * which is what it is for. */
static void
test_media_waits_when_no_feedback_comes (void)
{
  static Call call;

  call_init (&call, "goog-2026", 300000, 2000000);
  call_run (&call, 10 * GCC_SECOND);
  g_assert_false (gcc_sender_is_window_full (&call.sender));
  g_assert_cmpint (call.held, <, 100 * GCC_MSECOND);
  call.is_mute = TRUE;
  call_run (&call, GCC_SECOND);
  g_assert_true (gcc_sender_is_window_full (&call.sender));
  gcc_sender_update (&call.sender, call.now);
  g_assert_true (gcc_sender_get_stats (&call.sender)->is_window_full);
  g_assert_cmpint (call.held, >=, CALL_MAX_WAIT);
  call.is_mute = FALSE;
  call_run (&call, GCC_SECOND);
  g_assert_false (gcc_sender_is_window_full (&call.sender));
  call_clear (&call);
}

/* Guards: frames that waited for seconds though the path was clear. */
static void
test_late_feedback_holds_no_media (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 20 * GCC_SECOND);
  call.held = 0;
  call.feedback_delay = 2 * GCC_SECOND;
  call_run (&call, 10 * GCC_SECOND);
  g_assert_cmpint (call.held, <, 50 * GCC_MSECOND);
  call_clear (&call);
}

/* A drain sends 0.7 of what arrives, 1 Mbit/s here; a rate that is lost is far below. */
#define LEAST_DRAIN 600000

static void
run_and_check_rates (Call *call, GccTime duration, GccRate least)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);

  for (GccTime end = call->now + duration; call->now < end;) {
    call_step (call);
    g_assert_cmpint (stats->target, >, least);
    g_assert_cmpint (stats->acknowledged, >, least);
  }
}

/* Guards: feedback about older packets comes after feedback about newer ones. R(t)
 * was unknown for as long as both came, 50 kbit/s before and after, and the rate with
 * it; and the way back was taken for a queue, which does not drain. */
static void
test_feedback_that_is_timely_again_costs_nothing (void)
{
  static const GccTime delays[] = { 400 * GCC_MSECOND, GCC_SECOND,
    2 * GCC_SECOND };
  static const guint frame_rates[] = { 30, 5 };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (delays) * 2; i++) {
    call_init (&call, "recommended", 300000, 2000000);
    call.frame_rate = frame_rates[i % 2];
    call_run (&call, 20 * GCC_SECOND);
    call.feedback_delay = delays[i / 2];
    run_and_check_rates (&call, 10 * GCC_SECOND, LEAST_DRAIN);
    call.feedback_delay = 25 * GCC_MSECOND;
    run_and_check_rates (&call, 10 * GCC_SECOND, LEAST_DRAIN);
    call_clear (&call);
  }
}

/* Guards: the time of which nothing was told counted as time in which little
 * arrived. */
static void
test_feedback_that_pauses_costs_nothing (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 20 * GCC_SECOND);
  for (guint i = 0; i < 10; i++) {
    call.is_mute = TRUE;
    run_and_check_rates (&call, 900 * GCC_MSECOND, LEAST_DRAIN);
    call.is_mute = FALSE;
    run_and_check_rates (&call, 500 * GCC_MSECOND, LEAST_DRAIN);
  }
  call_clear (&call);
}

/* --- why --- */

static gboolean
is_of_a_fall (GccReason reason)
{
  return reason != GCC_REASON_START && reason != GCC_REASON_LIMITS &&
      reason != GCC_REASON_GROWTH && reason != GCC_REASON_REMB;
}

static void
run_and_check_reasons (Call *call, GccTime duration)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);

  for (GccTime end = call->now + duration; call->now < end;) {
    GccRate before = stats->target;

    call_step (call);
    if (stats->target < before && !is_of_a_fall (stats->reason))
      g_error ("A_s falls from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
               " bit/s: %s",
          before, stats->target,
          gcc_state_to_word (GCC_COLUMN_REASON, stats->reason));
    if (stats->target > before &&
        (stats->reason == GCC_REASON_OVERUSE ||
            stats->reason == GCC_REASON_LOSS))
      g_error ("A_s rises: %s",
          gcc_state_to_word (GCC_COLUMN_REASON, stats->reason));
  }
}

static void
check_reasons (const gchar *profile, GccReason of_a_queue, GccReason of_silence)
{
  static Call call;
  const GccSenderStats *stats;

  call_init (&call, profile, 300000, 2000000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpint (stats->reason, ==, GCC_REASON_START);
  while (stats->target < 600000)
    call_step (&call);
  g_assert_cmpint (stats->reason, ==, GCC_REASON_PROBE);
  run_and_check_reasons (&call, 10 * GCC_SECOND);

  call.capacity = 300000;
  while (stats->target > 800000)
    call_step (&call);
  g_assert_cmpint (stats->reason, ==, of_a_queue);
  run_and_check_reasons (&call, 10 * GCC_SECOND);

  gcc_sender_set_limits (&call.sender, 30000, 100000);
  g_assert_cmpint (stats->reason, ==, GCC_REASON_LIMITS);
  gcc_sender_set_limits (&call.sender, 30000, 2000000);

  call.capacity = 3000000;
  run_and_check_reasons (&call, 20 * GCC_SECOND);
  call.loss = 0.5;
  while (stats->reason != GCC_REASON_LOSS)
    run_and_check_reasons (&call, CALL_STEP);
  call.is_mute = TRUE;
  run_and_check_reasons (&call, 30 * GCC_SECOND);
  g_assert_cmpint (stats->reason, ==, of_silence);
  call_clear (&call);
}

static void
test_each_change_of_the_rate_has_its_reason (void)
{
  check_reasons ("goog-2026", GCC_REASON_OVERUSE, GCC_REASON_ROUND_TRIP);
  check_reasons ("recommended", GCC_REASON_DRAIN, GCC_REASON_SILENCE);
}

/* --- who steers --- */

static void
report_with_rtt (Call *call, guint32 lost, GccTime rtt)
{
  GccReportBlock block = {
    .reporter = 2,
    .ssrc = 1,
    .fraction_lost = (guint8) lost,
    .ext_highest_seq = call->n_sent - 1,
    .rtt = rtt,
  };

  gcc_sender_feed_reports (&call->sender, &block, 1, call->now);
}

static void
report (Call *call, guint32 lost)
{
  report_with_rtt (call, lost, 50 * GCC_MSECOND);
}

static void
run_with_reports (Call *call, guint seconds)
{
  for (guint i = 0; i < seconds; i++) {
    call_run (call, GCC_SECOND);
    report (call, 0);
  }
}

static GccFeedback
get_feedback (Call *call)
{
  return gcc_sender_get_stats (&call->sender)->feedback;
}

static void
test_reports_take_over_without_a_jump (void)
{
  static Call call;
  GccRate before;

  call_init (&call, "recommended", 300000, 2000000);
  run_with_reports (&call, 10);
  g_assert_cmpint (get_feedback (&call), ==, GCC_FEEDBACK_TRANSPORT_CC);
  before = gcc_sender_get_target (&call.sender);
  call.is_mute = TRUE;
  run_with_reports (&call, 3);
  g_assert_cmpint (get_feedback (&call), ==, GCC_FEEDBACK_REMB);
  g_assert_cmpstr (gcc_sender_get_feedback_reason (&call.sender), ==,
      "transport-wide feedback has stopped");
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >=, before * 95 / 100);
  g_assert_cmpint (
      gcc_sender_get_target (&call.sender), <=, before * 125 / 100);
  g_assert_cmpint (
      gcc_sender_next_probe (&call.sender, call.now), ==, GCC_TIME_NONE);

  before = gcc_sender_get_target (&call.sender);
  call.is_mute = FALSE;
  call_run (&call, 150 * GCC_MSECOND);
  g_assert_cmpint (get_feedback (&call), ==, GCC_FEEDBACK_TRANSPORT_CC);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >=, before * 80 / 100);
  call_clear (&call);
}

static void
test_loss_in_reports_does_not_count_beside_feedback (void)
{
  static Call call;
  GccRate before;

  call_init (&call, "recommended", 300000, 2000000);
  run_with_reports (&call, 5);
  before = gcc_sender_get_target (&call.sender);
  report (&call, 128);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, before);
  call_clear (&call);
}

static void
test_a_remb_bounds_the_estimate (void)
{
  static Call call;
  GccRemb remb = reporting_remb (2, 1, 200000);

  call_init (&call, "recommended", 300000, 2000000);
  run_with_reports (&call, 5);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 200000);
  call_run (&call, GCC_SECOND);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 200000);
  /* what was measured meanwhile shows again at once */
  remb.rate = 5000000;
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 250000);
  call_clear (&call);
}

/* An SFU sends its limit once, and the first feedback comes sooner than the
 * first report: the limit was ignored, for good. */
static void
test_a_remb_before_the_first_report_bounds_the_estimate (void)
{
  static Call call;
  GccRemb remb = reporting_remb (2, 1, 200000);

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, GCC_SECOND);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 200000);
  /* who is a reporter now has not taken it back */
  run_with_reports (&call, 5);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 200000);
  call_clear (&call);
}

static void
test_such_a_remb_ends_with_the_feedback (void)
{
  static Call call;
  GccRemb remb = reporting_remb (2, 1, 200000);

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, GCC_SECOND);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  call.is_mute = TRUE;
  call_run (&call, 10 * GCC_SECOND);
  g_assert_cmpint (
      gcc_sender_get_stats (&call.sender)->remb, ==, GCC_RATE_NONE);
  gcc_sender_feed_remb (&call.sender, &remb, call.now);
  g_assert_cmpint (
      gcc_sender_get_stats (&call.sender)->remb, ==, GCC_RATE_NONE);
  call_clear (&call);
}

static void
test_feedback_of_a_stranger_steers_nothing (void)
{
  static Call call;
  GccTransportFeedbackWriter writer;
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  gsize length;

  call_init (&call, "recommended", 300000, 2000000);
  call.is_mute = TRUE;
  call_run (&call, GCC_SECOND);
  gcc_transport_feedback_writer_init (&writer, 30000, GCC_SECOND, 7);
  for (guint16 i = 0; i < 100; i++)
    gcc_transport_feedback_writer_add (
        &writer, (guint16) (30000 + i), GCC_SECOND + i * 100);
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_cmpint (
      gcc_sender_feed_transport_feedback (&call.sender, fci, length, call.now),
      ==, GCC_SENDER_EVENT_NONE);
  g_assert_cmpint (get_feedback (&call), ==, GCC_FEEDBACK_REMB);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 300000);
  g_assert_cmpuint (
      gcc_sender_get_stats (&call.sender)->feedbacks_ignored, ==, 1);
  g_assert_cmpint (
      gcc_sender_feed_transport_feedback (&call.sender, fci, 7, call.now), ==,
      GCC_SENDER_EVENT_MALFORMED);
  call_clear (&call);
}

static void
test_older_generations_number_nothing (void)
{
  static const gchar *const old[] = { "goog-2020", "rtcweb-2013", "rmcat-2016",
    "draft-gcc-02" };

  for (guint i = 0; i < G_N_ELEMENTS (old); i++) {
    GccSender sender;

    gcc_sender_init (&sender, gcc_profile_find (old[i]), 30000, 300000, 900000);
    g_assert_false (gcc_sender_use_transport_feedback (&sender, 0));
    gcc_sender_clear (&sender);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/send-side-feedback/" #name, test_##name)
  ADD (what_lost_feedback_would_have_told_is_not_missing_in_r);
  ADD (r_follows_fast_calls_that_lose_feedback);
  ADD (media_waits_when_no_feedback_comes);
  ADD (late_feedback_holds_no_media);
  ADD (feedback_that_is_timely_again_costs_nothing);
  ADD (feedback_that_pauses_costs_nothing);
  ADD (each_change_of_the_rate_has_its_reason);
  ADD (reports_take_over_without_a_jump);
  ADD (loss_in_reports_does_not_count_beside_feedback);
  ADD (a_remb_bounds_the_estimate);
  ADD (a_remb_before_the_first_report_bounds_the_estimate);
  ADD (such_a_remb_ends_with_the_feedback);
  ADD (feedback_of_a_stranger_steers_nothing);
  ADD (older_generations_number_nothing);
#undef ADD
  return g_test_run ();
}
