/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What reports tell of loss-based traffic: the stage alone, then whole calls
 * with the default profile, which alone has it. */

#include <gst/gcc/path/gcc-tcp-share.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "sim/remb-link.h"

#define PATH (50 * GCC_MSECOND)
#define QUEUE (200 * GCC_MSECOND)
#define RATE 900000

static GccTcpShare stage;
static GccTime now;

static void
report (guint8 fraction_lost, GccTime rtt, GccRate target)
{
  GccLossReport report = {
    .has_loss = TRUE,
    .fraction_lost = fraction_lost / 256.,
    .packets = 100,
    .rtt = rtt,
  };

  now += GCC_SECOND;
  gcc_tcp_share_feed_report (&stage, &report, target, now);
}

/* On a path whose queue has been empty. */
static void
start (void)
{
  now = 0;
  gcc_tcp_share_init (&stage, &gcc_recommended_sender_rules.tcp_share);
  for (guint i = 0; i < 20; i++)
    report (0, PATH, RATE);
}

/* As TCP does, which leaves it shorter after a loss. */
static void
hold_queue (guint seconds, guint8 fraction_lost)
{
  for (guint i = 0; i < seconds; i++)
    report (fraction_lost,
        PATH + QUEUE + ABS (now / GCC_SECOND % 5) * 10 * GCC_MSECOND, RATE);
}

static void
test_a_queue_that_stays_and_loses_packets_is_shared (void)
{
  start ();
  hold_queue (10, 10);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), !=, GCC_RATE_NONE);
  hold_queue (30, 10);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), <, RATE / 2);
}

static void
test_loss_without_a_queue_is_left_alone (void)
{
  guint n_limited = 0;

  start ();
  for (guint i = 0; i < 100; i++) {
    report (25, PATH + (i % 50) * GCC_MSECOND, RATE);
    g_assert_cmpint (gcc_tcp_share_get_state (&stage), !=, GCC_COMPETITION_TCP);
    n_limited += gcc_tcp_share_get_rate (&stage) != GCC_RATE_NONE;
  }
  /* four tests of four seconds, which tell so: a round trip that has grown meanwhile may
   * be a queue, and it is asked again as soon */
  g_assert_cmpuint (n_limited, ==, 16);
}

static void
test_packets_are_paced_while_others_hold_a_long_queue (void)
{
  const gdouble factor = gcc_recommended_sender_rules.tcp_share.pacing_factor;

  start ();
  g_assert_cmpint (
      gcc_tcp_share_get_pacing_rate (&stage, RATE), ==, GCC_RATE_NONE);
  hold_queue (10, 10);
  g_assert_cmpint (gcc_tcp_share_get_pacing_rate (&stage, RATE), ==,
      (GccRate) (factor * RATE));
  report (0, PATH, RATE);
  g_assert_cmpint (
      gcc_tcp_share_get_pacing_rate (&stage, RATE), ==, GCC_RATE_NONE);
}

static void
test_a_queue_that_loses_nothing_is_left_to_a_r (void)
{
  start ();
  hold_queue (100, 0);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), ==, GCC_RATE_NONE);
}

/* Our own, after the path has become slower. */
static void
test_a_queue_that_drains_is_nobody_elses (void)
{
  start ();
  hold_queue (4, 80);
  report (0, PATH, RATE);
  hold_queue (4, 80);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), ==, GCC_RATE_NONE);
}

static void
test_it_ends_when_the_queue_is_empty (void)
{
  start ();
  hold_queue (10, 10);
  report (0, PATH, RATE);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), ==, GCC_RATE_NONE);
}

/* Guards: a rate that jumps with each report. */
static void
test_the_rate_changes_by_a_tenth_in_a_second_at_most (void)
{
  GccRate before = RATE;

  start ();
  hold_queue (5, 10);
  for (guint i = 0; i < 30; i++) {
    GccRate rate;

    hold_queue (1, 255);
    rate = gcc_tcp_share_get_rate (&stage);
    g_assert_cmpint (rate, >=, before - before / 10 - 1);
    before = rate;
  }
}

/* Who takes more when nothing is lost for a while starves TCP. */
static void
test_it_takes_less_than_half_of_what_there_was_alone (void)
{
  start ();
  hold_queue (10, 10);
  hold_queue (300, 0);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), <=, RATE / 2);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), >=, RATE * 4 / 10);
}

static void
lengthen_path (guint seconds)
{
  for (guint i = 0; i < seconds; i++)
    report (10, PATH + QUEUE + i % 3 * 10 * GCC_MSECOND, RATE);
}

/* Nothing limits A_s, but for a test of what loses packets. */
static void
assert_left_alone (void)
{
  if (gcc_tcp_share_get_state (&stage) != GCC_COMPETITION_DRAIN)
    g_assert_cmpint (gcc_tcp_share_get_rate (&stage), ==, GCC_RATE_NONE);
}

/* The path has become longer, and loses packets: once A_s was held down until the
 * window of the RTT had forgotten, for 5 to 10 minutes. */
static void
test_a_longer_path_is_no_queue_for_long (void)
{
  start ();
  lengthen_path (10);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), !=, GCC_RATE_NONE);
  lengthen_path (30);
  assert_left_alone ();
  g_assert_cmpint (
      gcc_tcp_share_get_verdict (&stage), ==, GCC_VERDICT_LONGER_PATH);
  lengthen_path (100);
  assert_left_alone ();
}

static void
test_tcp_is_held_for_no_longer_path (void)
{
  start ();
  hold_queue (10, 10);
  for (guint i = 0; i < 200; i++) {
    hold_queue (1, 10);
    g_assert_cmpint (gcc_tcp_share_get_rate (&stage), !=, GCC_RATE_NONE);
  }
}

static void
test_a_report_without_a_round_trip_is_no_queue (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    report (10, GCC_TIME_NONE, RATE);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), ==, GCC_RATE_NONE);
}

static void
test_a_clock_that_is_set_back_does_no_harm (void)
{
  start ();
  hold_queue (10, 10);
  now = -3600 * GCC_SECOND;
  hold_queue (10, 10);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), >, 0);
  g_assert_cmpint (gcc_tcp_share_get_rate (&stage), <=, RATE);
}

/* --- whole calls --- */

static gdouble
measure_share (GccTime duration)
{
  RembCall *call = &link_.call;
  gint64 before = call->received_bytes;

  link_run (duration);
  return (gdouble) (call->received_bytes - before) * 8. /
      gcc_time_to_seconds (duration) / (gdouble) call->capacity;
}

/* Guards: a call that takes three quarters and more, and goes on losing a
 * twelfth of its packets, because eq. (1) leaves a loss of 2 to 10 % as it is.
 */
static void
test_a_call_leaves_tcp_its_share (void)
{
  static const GccRate capacities[] = { 1000000, 2000000, 4000000 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    gdouble share;

    link_init (capacities[i]);
    link_run (60 * GCC_SECOND);
    link_.tcp.is_on = TRUE;
    link_run (60 * GCC_SECOND);
    share = measure_share (180 * GCC_SECOND);
    g_test_message ("%d bit/s: %.2f", (gint) capacities[i], share);
    g_assert_cmpfloat (share, >, 0.15);
    g_assert_cmpfloat (share, <, 0.55);
    remb_call_clear (&link_.call);
  }
}

/* Of 4 Mbit/s with 40 ms of queue: the share, and what is lost of it. */
static gdouble
measure_short_queue (gboolean has_tcp, gdouble *loss)
{
  RembCall *call = &link_.call;
  guint n_lost, n_sent;
  gdouble share;

  link_init (4000000);
  call->max_queue = 40 * GCC_MSECOND;
  link_run (60 * GCC_SECOND);
  if (has_tcp) {
    link_.tcp.is_on = TRUE;
    link_run (60 * GCC_SECOND);
  }
  n_lost = call->n_lost;
  n_sent = call->n_sent;
  share = measure_share (180 * GCC_SECOND);
  *loss = (gdouble) (call->n_lost - n_lost) / (call->n_sent - n_sent);
  g_test_message ("%.2f, %.3f lost", share, *loss);
  remb_call_clear (call);

  return share;
}

/* Guards: a call that takes two thirds and loses a twelfth of its packets, because
 * the round trip is never 50 ms above its least. */
static void
test_a_call_leaves_tcp_its_share_of_a_short_queue (void)
{
  gdouble loss;

  g_assert_cmpfloat (measure_short_queue (TRUE, &loss), <, 0.6);
  g_assert_cmpfloat (loss, <, 1. / 15.);
}

/* Guards: a call that goes on losing a twelfth, because eq. (1) leaves a loss of 2
 * to 10 % as it is, and a queue that is always full has no trend. */
static void
test_a_call_alone_does_not_keep_a_short_queue_full (void)
{
  gdouble loss;

  g_assert_cmpfloat (measure_short_queue (FALSE, &loss), >, 0.8);
  g_assert_cmpfloat (loss, <, 1. / 25.);
}

/* Guards: frames that leave at once, of which a queue of 20 ms loses all above 0.6
 * of the rate that the link takes. */
static void
test_a_queue_shorter_than_a_frame_is_used (void)
{
  RembCall *call = &link_.call;
  gdouble share;

  link_init (1500000);
  call->delay = 30 * GCC_MSECOND;
  call->max_queue = 20 * GCC_MSECOND;
  link_run (60 * GCC_SECOND);
  call->n_lost = call->n_sent = 0;
  share = measure_share (60 * GCC_SECOND);
  g_test_message (
      "share %.3f, %u of %u lost", share, call->n_lost, call->n_sent);
  g_assert_cmpfloat (share, >, 0.8);
  g_assert_cmpuint (call->n_lost, <, call->n_sent / 40);
  remb_call_clear (call);
}

static void
test_the_trace_tells_of_tcp (void)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&link_.call.sender);

  link_init (1000000);
  link_run (60 * GCC_SECOND);
  g_assert_cmpstr (stats->competition, ==, "none");
  g_assert_cmpstr (stats->verdict, ==, "none");
  link_.tcp.is_on = TRUE;
  link_run (60 * GCC_SECOND);
  g_assert_cmpstr (stats->competition, ==, "tcp");
  g_assert_cmpstr (stats->verdict, ==, "others");
  remb_call_clear (&link_.call);
}

static void
test_a_call_has_it_all_when_tcp_has_left (void)
{
  link_init (1000000);
  link_run (60 * GCC_SECOND);
  link_.tcp.is_on = TRUE;
  link_run (60 * GCC_SECOND);
  link_.tcp.is_on = FALSE;
  link_run (30 * GCC_SECOND);
  g_assert_cmpfloat (measure_share (60 * GCC_SECOND), >, 0.85);
  remb_call_clear (&link_.call);
}

/* After as long a time. */
static gdouble
measure_use_of_lossy_path (gdouble path_loss, GccTime duration)
{
  gdouble share;

  link_init (1000000);
  link_.call.loss = path_loss;
  link_run (duration);
  share = measure_share (duration);
  g_test_message ("%.2f lost: %.2f", path_loss, share);
  remb_call_clear (&link_.call);

  return share;
}

static void
test_random_loss_takes_nothing_away (void)
{
  g_assert_cmpfloat (
      measure_use_of_lossy_path (0.015, 60 * GCC_SECOND), >, 0.85);
}

/* Guards: a tenth that is lost at any rate, and A_s at its least for ever: each
 * second report is above p_high. */
static void
test_a_tenth_that_the_path_loses_does_not_end_a_call (void)
{
  g_assert_cmpfloat (measure_use_of_lossy_path (0.1, 120 * GCC_SECOND), >, 0.5);
}

#define ADD(test) g_test_add_func ("/tcp-share/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_queue_that_stays_and_loses_packets_is_shared);
  ADD (loss_without_a_queue_is_left_alone);
  ADD (packets_are_paced_while_others_hold_a_long_queue);
  ADD (a_queue_that_loses_nothing_is_left_to_a_r);
  ADD (a_queue_that_drains_is_nobody_elses);
  ADD (it_ends_when_the_queue_is_empty);
  ADD (the_rate_changes_by_a_tenth_in_a_second_at_most);
  ADD (it_takes_less_than_half_of_what_there_was_alone);
  ADD (a_longer_path_is_no_queue_for_long);
  ADD (tcp_is_held_for_no_longer_path);
  ADD (a_report_without_a_round_trip_is_no_queue);
  ADD (a_clock_that_is_set_back_does_no_harm);
  ADD (a_call_leaves_tcp_its_share);
  ADD (a_call_leaves_tcp_its_share_of_a_short_queue);
  ADD (a_call_alone_does_not_keep_a_short_queue_full);
  ADD (a_queue_shorter_than_a_frame_is_used);
  ADD (the_trace_tells_of_tcp);
  ADD (a_call_has_it_all_when_tcp_has_left);
  ADD (random_loss_takes_nothing_away);
  ADD (a_tenth_that_the_path_loses_does_not_end_a_call);
  return g_test_run ();
}
