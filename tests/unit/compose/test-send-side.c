/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The stages over transport-wide feedback, put together, in whole calls. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"
#include "reporting.h"
#include "sim/call.h"

#define C26 "C26 goog_cc_network_control_unittest"

/* --- published --- */

static void
check_first_probes (GccSendSide *side, GccRate first, GccRate second)
{
  conformance_check_int (C26, "60 kbit/s at most 300: first probe", first,
      side->prober.clusters[0].request.rate);
  conformance_check_int (C26, "60 kbit/s at most 300: second probe", second,
      side->prober.clusters[1].request.rate);
}

static void
test_probes_and_pacing_at_the_start (void)
{
  static Call call;

  call_init (&call, "goog-2026", 60000, 300000);
  conformance_check_int (
      C26, "60 kbit/s: target", 60000, gcc_sender_get_target (&call.sender));
  conformance_check_int (C26, "60 kbit/s: pacing rate", 150000,
      gcc_sender_get_stats (&call.sender)->pacing_rate);
  check_first_probes (call.sender.send_side, 180000, 300000);
  call_clear (&call);
}

static void
test_initial_probing_finds_the_capacity (void)
{
  static Call call;

  call_init (&call, "goog-2026", 300000, 5000000);
  call.delay = 50 * GCC_MSECOND;
  call.feedback_delay = 50 * GCC_MSECOND;
  call_run (&call, 500 * GCC_MSECOND);
  conformance_check_int_near (C26, "1 Mbit/s from 300 kbit/s, 0.5 s", 1000000,
      300000, gcc_sender_get_target (&call.sender));
  call_clear (&call);
}

static void
test_capacity_that_grows_is_probed_in_time (void)
{
  static Call call;

  call_init (&call, "goog-2026", 300000, 5000000);
  call.capacity = 500000;
  call_run (&call, 3 * GCC_SECOND);
  call.capacity = 3000000;
  call_run (&call, 2 * GCC_SECOND);
  conformance_check_boolean (C26, "500 kbit/s, 3 Mbit/s from 3 s: at 5 s", TRUE,
      gcc_sender_get_target (&call.sender) >= 300000);
  call_run (&call, 15 * GCC_SECOND);
  conformance_check_boolean (C26, "15 s later: above 1 Mbit/s", TRUE,
      gcc_sender_get_target (&call.sender) > 1000000);
  call_clear (&call);
}

static void
test_a_long_path_is_used (void)
{
  static Call call;

  call_init (&call, "goog-2026", 300000, 5000000);
  call.delay = call.feedback_delay = 100 * GCC_MSECOND;
  call_run (&call, 20 * GCC_SECOND);
  conformance_check_boolean (C26, "1 Mbit/s, 20 s: at least 500 kbit/s", TRUE,
      gcc_sender_get_target (&call.sender) >= 500000);
  call_clear (&call);
}

/* --- calls --- */

static const gchar *const profiles[] = { "recommended", "goog-2026" };

static void
test_most_of_the_link_is_used_in_two_seconds (void)
{
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    call_init (&call, profiles[i], 300000, 2000000);
    g_assert_cmpint (call_run_until_rate (&call, 900000, 10 * GCC_SECOND), <,
        2 * GCC_SECOND);
    call_clear (&call);
  }
}

/* libwebrtc takes about 20 s: it does not probe while the encoder uses all of
 * the estimate. */
static void
test_a_step_is_found_in_three_seconds (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call.capacity = 400000;
  call_run (&call, 30 * GCC_SECOND);
  call.capacity = 3000000;
  g_assert_cmpint (
      call_run_until_rate (&call, 1900000, 30 * GCC_SECOND), <, 3 * GCC_SECOND);
  call_clear (&call);
}

/* Guards: at 64 kbit/s the least cluster is a queue of 0.4 s. Each was drained, and
 * the next came a few seconds later. */
static void
test_a_slow_path_is_not_probed_while_busy (void)
{
  static Call call;
  guint64 n;

  call_init (&call, "recommended", 64000, 300000);
  call.capacity = 64000;
  call_run (&call, 10 * GCC_SECOND);
  n = gcc_sender_get_stats (&call.sender)->probes;
  call_run (&call, 30 * GCC_SECOND);
  g_assert_cmpuint (gcc_sender_get_stats (&call.sender)->probes, ==, n);

  /* growth finds what has become free, and probes go on from there */
  call.capacity = 2000000;
  g_assert_cmpint (
      call_run_until_rate (&call, 290000, 30 * GCC_SECOND), <, 20 * GCC_SECOND);
  g_assert_cmpuint (gcc_sender_get_stats (&call.sender)->probes, >, n);
  call_clear (&call);
}

/* Guards: a probe finds what has become free, the queue that it leaves is over-use,
 * and that lowered the rate to a part of what had arrived before the probe. */
static void
test_a_rate_that_a_probe_has_found_stays (void)
{
  static const GccRate before[] = { 400000, 600000, 700000 };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (before); i++) {
    GccTime end;

    call_init (&call, "recommended", 300000, 2000000);
    call.capacity = before[i];
    call_run (&call, 30 * GCC_SECOND);
    call.capacity = 1000000;
    g_assert_cmpint (call_run_until_rate (&call, 900000, 30 * GCC_SECOND), <,
        3 * GCC_SECOND);
    for (end = call.now + 20 * GCC_SECOND; call.now < end;) {
      call_step (&call);
      g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 900000);
    }
    call_clear (&call);
  }
}

/* Steps of 10 ms, and those in which less than 0.9 of the maximum is asked for. */
static void
run_and_count_low (Call *call, gint n, guint *n_low, guint *n_steps)
{
  for (gint i = 0; i < n; i++) {
    call_run (call, 10 * GCC_MSECOND);
    *n_low += gcc_sender_get_target (&call->sender) < 900000;
    ++*n_steps;
  }
}

/* Guards: on Wi-Fi the delay jumps by 20 to 60 ms for 30 to 200 ms, whatever is sent.
 * Each jump was over-use, and a call had half of its limit on ten times as fast a
 * link. */
static void
test_a_delay_that_jumps_for_a_moment_is_no_overuse (void)
{
  static Call call;
  guint n_low = 0, n_steps = 0;

  call_init (&call, "recommended", 300000, 1000000);
  call.capacity = 10000000;
  call_run (&call, 5 * GCC_SECOND);
  for (GccTime end = call.now + 60 * GCC_SECOND; call.now < end;) {
    call.delay = (25 + g_rand_int_range (call.rand, 20, 60)) * GCC_MSECOND;
    run_and_count_low (
        &call, g_rand_int_range (call.rand, 3, 20), &n_low, &n_steps);
    call.delay = 25 * GCC_MSECOND;
    run_and_count_low (
        &call, g_rand_int_range (call.rand, 10, 60), &n_low, &n_steps);
  }
  g_test_message ("below 0.9 in %u of %u", n_low, n_steps);
  g_assert_cmpuint (n_low, <=, n_steps / 10);
  call_clear (&call);
}

/* Guards: the queue of a probe was over-use, and lowered A_s to what the application
 * sends, 0.8 of the link. */
static void
test_the_queue_of_a_probe_does_not_lower_a_rate_that_is_not_used (void)
{
  static const guint frame_rates[] = { 45, 50, 60 };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (frame_rates); i++) {
    GccTime end;

    call_init (&call, "recommended", 300000, 2000000);
    call.capacity = 500000;
    call.application = 350000;
    call.frame_rate = frame_rates[i];
    call_run (&call, 30 * GCC_SECOND);
    for (end = call.now + 60 * GCC_SECOND; call.now < end;) {
      call_step (&call);
      g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 450000);
    }
    call_clear (&call);
  }
}

/* Guards: at 150 kbit/s a probe came each four seconds. A_s grew to 179 kbit/s
 * meanwhile, and was drained again and again. */
static void
test_a_rate_that_a_probe_has_shown_is_not_exceeded (void)
{
  static const GccRate capacities[] = { 150000, 200000, 300000, 500000 };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    GccTime end;

    call_init (&call, "recommended", 150000, 2000000);
    call.capacity = capacities[i];
    call_run (&call, 30 * GCC_SECOND);
    for (end = call.now + 60 * GCC_SECOND; call.now < end;) {
      call_step (&call);
      g_assert_cmpint (gcc_sender_get_target (&call.sender), <=, call.capacity);
    }
    call_clear (&call);
  }
}

static void
test_a_rate_grows_when_no_more_probes_are_wanted (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call.capacity = 500000;
  call_run (&call, 30 * GCC_SECOND);
  gcc_sender_set_probing (&call.sender, FALSE, call.now);
  call.capacity = 3000000;
  g_assert_cmpint (call_run_until_rate (&call, 1900000, 60 * GCC_SECOND), <,
      30 * GCC_SECOND);
  call_clear (&call);
}

/* Guards: ten frames a second at a quarter of the link, each of which took a tenth of
 * a second to leave. */
static void
test_at_the_maximum_frames_leave_sooner_until_a_queue_loses_packets (void)
{
  static Call call;
  const GccSenderStats *stats = gcc_sender_get_stats (&call.sender);

  call_init (&call, "recommended", 300000, 500000);
  call.capacity = 2000000;
  call_run (&call, 30 * GCC_SECOND);
  g_assert_cmpint (stats->target, ==, 500000);
  g_assert_cmpint (stats->pacing_rate, ==, 1250000);

  call.capacity = 450000;
  call.max_queue = 40 * GCC_MSECOND;
  call_run (&call, 2 * GCC_SECOND);
  g_assert_cmpint (
      stats->pacing_rate, <=, (GccRate) (1.1 * (gdouble) stats->target) + 1);
  call_clear (&call);
}

/* The part of the link that is used in a minute, and of the packets that is lost. */
static gdouble
measure_use (Call *call, gdouble *lost)
{
  static const GccTime duration = 60 * GCC_SECOND;
  gint64 before = call->received_bytes;

  call->n_lost = call->n_sent = 0;
  call_run (call, duration);
  *lost = (gdouble) call->n_lost / call->n_sent;

  return (gdouble) (call->received_bytes - before) /
      (gdouble) gcc_rate_get_bytes (call->capacity, duration);
}

/* Guards: probes each second lost 0.9 % in a queue of 15 ms. */
static void
test_a_queue_that_loses_packets_is_probed_seldom (void)
{
  static const GccTime delays[] = { 25 * GCC_MSECOND, 75 * GCC_MSECOND,
    150 * GCC_MSECOND };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (delays); i++) {
    gdouble lost;

    call_init (&call, "recommended", 300000, 6000000);
    call.delay = call.feedback_delay = delays[i];
    call.max_queue = 15 * GCC_MSECOND;
    call_run (&call, 20 * GCC_SECOND);
    g_assert_cmpfloat (measure_use (&call, &lost), >, 0.95);
    g_assert_cmpfloat (lost, <, 0.005);
    call_clear (&call);
  }
}

static void
test_a_steady_link_is_used_without_loss (void)
{
  static Call call;
  gint64 before;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 30 * GCC_SECOND);
  before = call.received_bytes;
  call.n_lost = 0;
  call.max_queueing = 0;
  call_run (&call, 60 * GCC_SECOND);
  g_assert_cmpint (
      8 * (call.received_bytes - before) / 60, >=, call.capacity * 90 / 100);
  g_assert_cmpuint (call.n_lost, ==, 0);
  g_assert_cmpint (call.max_queueing, <, 60 * GCC_MSECOND);
  call_clear (&call);
}

static void
check_is_used (Call *call, GccRate least, const gchar *what)
{
  gint64 before = call->received_bytes;
  GccRate rate;

  call_run (call, 20 * GCC_SECOND);
  rate = 8 * (call->received_bytes - before) / 20;
  if (g_test_verbose ())
    g_printerr ("%s: %" G_GINT64_FORMAT " bit/s, %u of %u lost\n", what, rate,
        call->n_lost, call->n_sent);
  g_assert_cmpint (rate, >=, least);
  g_assert_cmpint (gcc_sender_get_target (&call->sender), <=, 2000000);
}

static void
test_feedback_that_is_lost_costs_little (void)
{
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    for (guint percent = 10; percent <= 50; percent += 20) {
      call_init (&call, profiles[i], 300000, 2000000);
      call.feedback_loss = percent / 100.;
      call_run (&call, 20 * GCC_SECOND);
      check_is_used (&call, 500000, "feedback lost");
      g_assert_cmpuint (call.n_lost, <, call.n_sent / 50);
      g_assert_cmpuint (
          gcc_sender_get_stats (&call.sender)->feedbacks_lost, >, 0);
      call_clear (&call);
    }
  }
}

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

/* Guards: a probe of 40 ms that fell into one clump told the rate of that clump,
 * and lowered A_s to it: 0.6 of 20 Mbit/s, without a queue or a loss. */
static void
test_clumps_do_not_hold_the_rate_down (void)
{
  static const GccTime clumps[] = { 33 * GCC_MSECOND, 50 * GCC_MSECOND,
    100 * GCC_MSECOND };
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (clumps); i++) {
    GccRate sum = 0;

    call_init (&call, "recommended", 300000, 25000000);
    call.capacity = 20000000;
    call.clump = clumps[i];
    call_run (&call, 30 * GCC_SECOND);
    for (guint j = 0; j < 30; j++) {
      call_run (&call, GCC_SECOND);
      sum += gcc_sender_get_target (&call.sender);
    }
    g_test_message ("clumps of %" G_GINT64_FORMAT " ms: A_s %.1f Mbit/s",
        clumps[i] / GCC_MSECOND, (gdouble) sum / 30e6);
    g_assert_cmpint (sum / 30, >, call.capacity / 4);
    call_clear (&call);
  }
}

static gboolean
is_draining (const Call *call)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);

  return g_str_equal (stats->competition, "drain");
}

/* A radio that sends at @burst for @on of each @interval. */
static void
run_radio (Call *call, GccRate burst, GccTime on, GccTime interval)
{
  call->capacity = burst;
  *call->link_free = MAX (*call->link_free, call->now) + interval - on;
  call_run (call, interval);
}

/* Guards: the R(t) of a short window was that of a clump, and 0.6 of it was as much
 * as the link takes. The queue stayed, and was held to be TCP's. */
static void
test_a_drain_on_a_path_of_clumps_sends_less_than_the_link_takes (void)
{
  Call call;

  call_init (&call, "recommended", 300000, 4500000);
  call.max_queue = GCC_SECOND;
  for (guint i = 0; i < 600; i++) {
    run_radio (&call, 6000000, 50 * GCC_MSECOND, 100 * GCC_MSECOND);
    /* the path has to be known as noisy first */
    if (i >= 50 && is_draining (&call))
      g_assert_cmpint (gcc_sender_get_target (&call.sender), <, 2700000);
  }
  call_clear (&call);
}

/* Guards: packets that a path holds up arrive together, and show more than the
 * link takes. */
static void
test_a_probe_on_a_noisy_path_raises_by_half_at_most (void)
{
  GccTime end;
  Call call;

  call_init (&call, "recommended", 300000, 20000000);
  call.noise = 60 * GCC_MSECOND;
  call_run (&call, 10 * GCC_SECOND);
  call.capacity = 20000000;
  end = call.now + 10 * GCC_SECOND;
  while (gcc_sender_get_target (&call.sender) < 2500000) {
    GccRate before = gcc_sender_get_target (&call.sender);

    g_assert_cmpint (call.now, <, end);
    call_run (&call, 50 * GCC_MSECOND);
    g_assert_cmpint (gcc_sender_get_target (&call.sender), <=,
        MAX (before, call.sender.send_side->result.acknowledged) * 16 / 10);
  }
  call_clear (&call);
}

/* Guards: five packets in 5 ms under a jitter of 8 ms read 10 Mbit/s on a link of 5,
 * which a drain had just shown. */
static void
test_a_probe_after_a_drain_raises_by_half_at_most (void)
{
  GccCompetition *competition;
  Call call;

  call_init (&call, "recommended", 300000, 20000000);
  call_run (&call, 10 * GCC_SECOND);
  competition = &call.sender.send_side->rules.competition;
  competition->capacity = 1000000;
  call.capacity = 20000000;
  for (guint i = 0; i < 60; i++) {
    GccRate before = gcc_sender_get_target (&call.sender);

    call_run (&call, 50 * GCC_MSECOND);
    g_assert_cmpint (gcc_sender_get_target (&call.sender), <=,
        MAX (before, call.sender.send_side->result.acknowledged) * 16 / 10);
  }
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 2000000);
  call_clear (&call);
}

static void
test_feedback_that_is_late_does_not_end_the_call (void)
{
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    call_init (&call, profiles[i], 300000, 2000000);
    call.feedback_delay = 2 * GCC_SECOND;
    call_run (&call, 40 * GCC_SECOND);
    check_is_used (&call, 200000, "feedback late");
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

/* Guards: what was sent while feedback was late is told after what was sent
 * since. R(t) was unknown for as long as both came, 50 kbit/s before and after,
 * and the rate with it; and the way back was taken for a queue, which does not
 * drain. */
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

static void
test_five_frames_a_second_are_enough (void)
{
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    call_init (&call, profiles[i], 300000, 2000000);
    call.frame_rate = 5;
    call_run (&call, 20 * GCC_SECOND);
    check_is_used (&call, 400000, "5 frames a second");
    call_clear (&call);
  }
}

static void
test_random_loss_is_not_congestion (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call.loss = 0.05;
  call_run (&call, 20 * GCC_SECOND);
  check_is_used (&call, 700000, "5 % lost");
  call_clear (&call);
}

/* A call whose loss estimate has it pad. */
static const GccSenderStats *
init_padding_call (Call *call)
{
  const GccSenderStats *stats;

  call_init (call, "goog-2026", 300000, 2000000);
  call_run (call, 20 * GCC_SECOND);
  stats = gcc_sender_get_stats (&call->sender);
  call->sender.send_side->result.loss_based = stats->target;
  call->sender.send_side->result.loss_state = GCC_LOSS_ESTIMATE_PADDING;
  return stats;
}

/* Guards: padding of what A_s was before a REMB lowered it that came before the
 * first feedback. */
static void
test_padding_is_no_more_than_a_s (void)
{
  static Call call;
  const GccSenderStats *stats = init_padding_call (&call);

  gcc_send_side_feed_target (
      call.sender.send_side, 2 * stats->target, call.now);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpint (stats->padding_rate, ==, stats->target);
  call_clear (&call);
}

/* Guards: padding of the rate before until the next feedback came. */
static void
test_a_lower_maximum_bounds_padding_at_once (void)
{
  static Call call;
  const GccSenderStats *stats = init_padding_call (&call);

  gcc_sender_set_limits (&call.sender, 30000, 100000);
  g_assert_cmpint (stats->padding_rate, ==, 100000);
  g_assert_cmpint (stats->pacing_rate, <=, 110000);
  call_clear (&call);
}

/* Guards: padding that was counted as retransmission, where there is none. */
static void
test_padding_is_no_retransmission (void)
{
  static Call call;
  const GccSenderStats *stats;

  call_init (&call, "recommended", 300000, 2000000);
  call.application = 200000;
  call_run (&call, 900 * GCC_MSECOND);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpint (call.padding_bytes, >, 0);
  g_assert_cmpint (stats->sent_padding_rate, ==, 8 * call.padding_bytes);
  g_assert_cmpint (stats->rtx_rate, ==, 0);
  call_clear (&call);
}

/* --- why --- */

static gboolean
is_of_a_fall (const gchar *reason)
{
  static const gchar *const falls[] = { "probe", "overuse", "loss",
    "round-trip", "no-feedback", "drain", "drain-over", "tcp", NULL };

  return g_strv_contains (falls, reason);
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
          before, stats->target, stats->reason);
    if (stats->target > before &&
        (g_str_equal (stats->reason, "overuse") ||
            g_str_equal (stats->reason, "loss")))
      g_error ("A_s rises: %s", stats->reason);
  }
}

static void
check_reasons (
    const gchar *profile, const gchar *of_a_queue, const gchar *of_silence)
{
  static Call call;
  const GccSenderStats *stats;

  call_init (&call, profile, 300000, 2000000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_cmpstr (stats->reason, ==, "start");
  while (stats->target < 600000)
    call_step (&call);
  g_assert_cmpstr (stats->reason, ==, "probe");
  run_and_check_reasons (&call, 10 * GCC_SECOND);

  call.capacity = 300000;
  while (stats->target > 800000)
    call_step (&call);
  g_assert_cmpstr (stats->reason, ==, of_a_queue);
  run_and_check_reasons (&call, 10 * GCC_SECOND);

  gcc_sender_set_limits (&call.sender, 30000, 100000);
  g_assert_cmpstr (stats->reason, ==, "limits");
  gcc_sender_set_limits (&call.sender, 30000, 2000000);

  call.capacity = 3000000;
  run_and_check_reasons (&call, 20 * GCC_SECOND);
  call.loss = 0.5;
  while (!g_str_equal (stats->reason, "loss"))
    run_and_check_reasons (&call, CALL_STEP);
  call.is_mute = TRUE;
  run_and_check_reasons (&call, 30 * GCC_SECOND);
  g_assert_cmpstr (stats->reason, ==, of_silence);
  call_clear (&call);
}

static void
test_each_change_of_the_rate_has_its_reason (void)
{
  check_reasons ("goog-2026", "overuse", "round-trip");
  check_reasons ("recommended", "drain", "no-feedback");
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

static const gchar *
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
  g_assert_cmpstr (get_feedback (&call), ==, "transport-cc");
  before = gcc_sender_get_target (&call.sender);
  call.is_mute = TRUE;
  run_with_reports (&call, 3);
  g_assert_cmpstr (get_feedback (&call), ==, "remb");
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
  g_assert_cmpstr (get_feedback (&call), ==, "transport-cc");
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >=, before * 80 / 100);
  call_clear (&call);
}

/* Guards: a call that sends for ever into what nobody tells of. */
static void
test_silence_of_all_feedback_lowers_the_rate (void)
{
  static Call call;

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    call_init (&call, profiles[i], 300000, 2000000);
    call_run (&call, 10 * GCC_SECOND);
    call.is_mute = TRUE;
    call_run (&call, 30 * GCC_SECOND);
    g_assert_cmpint (gcc_sender_get_target (&call.sender), <, 100000);
    call_clear (&call);
  }
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
  GccSenderEvent event;
  gsize length;

  call_init (&call, "recommended", 300000, 2000000);
  call.is_mute = TRUE;
  call_run (&call, GCC_SECOND);
  gcc_transport_feedback_writer_init (&writer, 30000, GCC_SECOND, 7);
  for (guint16 i = 0; i < 100; i++)
    gcc_transport_feedback_writer_add (
        &writer, (guint16) (30000 + i), GCC_SECOND + i * 100);
  length = gcc_transport_feedback_writer_finish (&writer, fci);
  g_assert_true (gcc_sender_feed_transport_feedback (
      &call.sender, fci, length, call.now, &event));
  g_assert_cmpint (event, ==, GCC_SENDER_EVENT_NONE);
  g_assert_cmpstr (get_feedback (&call), ==, "remb");
  g_assert_cmpint (gcc_sender_get_target (&call.sender), ==, 300000);
  g_assert_cmpuint (
      gcc_sender_get_stats (&call.sender)->feedbacks_ignored, ==, 1);
  g_assert_false (gcc_sender_feed_transport_feedback (
      &call.sender, fci, 7, call.now, &event));
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

/* --- probes --- */

static void
test_no_probes_when_they_are_switched_off (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  gcc_sender_set_probing (&call.sender, FALSE, call.now);
  for (guint i = 0; i < 10000; i++) {
    call_step (&call);
    g_assert_cmpint (
        gcc_sender_next_probe (&call.sender, call.now), ==, GCC_TIME_NONE);
  }
  g_assert_cmpint (call.padding_bytes, ==, 0);
  call_clear (&call);
}

/* Guards: an estimate that knows no bound while the application sends little,
 * or none that is of use when it begins to send much. */
static void
test_an_idle_application_learns_of_the_path_by_probes (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call.application = 100000;
  call_run (&call, 30 * GCC_SECOND);
  g_assert_true (gcc_sender_get_stats (&call.sender)->in_alr);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 600000);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), <, 1200000);
  call.application = G_MAXINT64;
  call.max_queueing = 0;
  call.n_lost = 0;
  check_is_used (&call, 800000, "motion after a still");
  g_assert_cmpuint (call.n_lost, ==, 0);
  call_clear (&call);
}

/* Guards: a count that changed when feedback came, and where none comes is what
 * tells why. */
static void
test_a_probe_that_is_given_up_is_counted_at_once (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call.is_mute = TRUE;
  call.may_pad = FALSE;
  call.application = 50000;
  call_run (&call, 5 * GCC_MSECOND);
  gcc_sender_update (&call.sender, call.now);
  g_assert_cmpuint (
      gcc_sender_get_stats (&call.sender)->probes_abandoned, ==, 0);
  gcc_sender_update (&call.sender, call.now + GCC_SECOND);
  g_assert_cmpuint (
      gcc_sender_get_stats (&call.sender)->probes_abandoned, ==, 1);
  call_clear (&call);
}

/* Guards: a raise while a queue drained was never judged, neither right nor
 * wrong, so that the time to the next probe stayed as it was. */
static void
test_a_raise_is_judged_though_a_queue_has_drained_meanwhile (void)
{
  static Call call;
  GccSendSide *side;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 30 * GCC_SECOND);
  side = call.sender.send_side;
  side->probe_controller.busy_interval = 8 * GCC_SECOND;
  side->probe_controller.last_probe = call.now;
  side->rules.raised = call.now;
  side->had_overuse = TRUE;
  side->result.signal = GCC_SIGNAL_UNDERUSE;
  call_run (&call, 2 * GCC_SECOND);
  g_assert_cmpint (side->probe_controller.busy_interval, ==, 4 * GCC_SECOND);
  call_clear (&call);
}

/* Guards: a radio's clumps. A probe read the rate of a clump, the queue that it made
 * was drained without over-use, and the next probe came a second later. */
static void
test_a_raise_that_a_drain_follows_was_wrong (void)
{
  static Call call;
  GccSendSide *side;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 5 * GCC_SECOND);
  side = call.sender.send_side;
  side->probe_controller.busy_interval = 2 * GCC_SECOND;
  side->rules.raised = call.now;
  side->rules.competition.state = GCC_COMPETITION_DRAIN;
  gcc_send_side_rules_feed_signal (&side->rules, GCC_SIGNAL_NORMAL,
      &side->probe_controller, call.now + 100 * GCC_MSECOND);
  g_assert_cmpint (side->probe_controller.busy_interval, ==, 4 * GCC_SECOND);
  call_clear (&call);
}

/* Guards: a bucket of 15 packets passes each cluster whole, and shows twice the rate
 * of the link. */
static void
test_probes_that_a_token_bucket_passes_are_believed_once (void)
{
  static Call call;
  guint n_above = 0;

  call_init (&call, "recommended", 300000, 6000000);
  call.capacity = 1800000;
  call.saved = 65 * GCC_MSECOND;
  call_run (&call, 10 * GCC_SECOND);
  for (guint i = 0; i < 600; i++) {
    call_run (&call, 100 * GCC_MSECOND);
    n_above += gcc_sender_get_target (&call.sender) > 2000000;
  }
  g_assert_cmpuint (n_above, <=, 60);
  call_clear (&call);
}

/* Guards: a probe that was right, and a link that became slower just then. */
static void
test_a_link_that_slows_after_a_raise_is_used_again (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 8000000);
  call_run (&call, 20 * GCC_SECOND);
  call.capacity = 4000000;
  while (gcc_sender_get_target (&call.sender) < 3000000)
    call_step (&call);
  call.capacity = 1000000;
  call_run (&call, 3 * GCC_SECOND);
  call.capacity = 4000000;
  call_run (&call, 30 * GCC_SECOND);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 3000000);
  call_clear (&call);
}

static void
test_the_stats_tell_of_the_path (void)
{
  static Call call;
  const GccSenderStats *stats;

  call_init (&call, "recommended", 300000, 2000000);
  stats = gcc_sender_get_stats (&call.sender);
  g_assert_true (isnan (stats->path_queue_ms));
  call_run (&call, 20 * GCC_SECOND);
  g_assert_cmpfloat (stats->path_queue_ms, <, 50.);
  g_assert_cmpfloat (stats->path_noise_ms, ==, 0.);

  call.capacity = 500000;
  call_run (&call, 500 * GCC_MSECOND);
  g_assert_cmpfloat (stats->path_queue_ms, >, 50.);
  call_run (&call, 5 * GCC_SECOND);
  g_assert_cmpfloat (stats->path_queue_ms, <, 50.);
  g_assert_cmpint (stats->path_capacity, >, 450000);
  g_assert_cmpint (stats->path_capacity, <, 550000);
  g_assert_cmpstr (stats->verdict, ==, "own");
  g_assert_cmpfloat (stats->path_loss, ==, 0.);
  call_clear (&call);

  call_init (&call, "goog-2026", 300000, 2000000);
  call_run (&call, 5 * GCC_SECOND);
  g_assert_true (isnan (stats->path_queue_ms));
  g_assert_true (isnan (stats->path_loss));
  g_assert_null (stats->verdict);
  g_assert_cmpint (stats->path_capacity, ==, GCC_RATE_NONE);
  call_clear (&call);
}

static void
test_probes_take_little_of_the_path (void)
{
  static Call call;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 30 * GCC_SECOND);
  g_assert_cmpint (call.padding_bytes, <, call.received_bytes / 50);
  call_clear (&call);
}

/* A cluster may have been asked for, and its packets may be on the way. */
static void
test_a_probe_from_before_a_restart_tells_nothing (void)
{
  static Call call;

  for (guint i = 0; i < 8; i++) {
    const GccSenderStats *stats;
    guint64 n_probes;

    call_init (&call, "recommended", 300000, 2000000);
    stats = gcc_sender_get_stats (&call.sender);
    call.capacity = 1000000;
    call.delay = call.feedback_delay = 20 * GCC_MSECOND;
    call_run (&call, 10 * GCC_SECOND);
    for (n_probes = stats->probes; stats->probes == n_probes;)
      call_step (&call);
    call_run (&call, i * 10 * GCC_MSECOND);
    gcc_sender_restart (&call.sender, 200000, call.now);
    call_run (&call, GCC_SECOND / 4);
    g_assert_cmpint (stats->target, <, 400000);
    call_clear (&call);
  }
}

/* The application knows better for once: the call goes on from there, as far as the
 * path has it. */
static void
test_a_restart_is_gone_on_from (void)
{
  static const gchar *const measuring[] = { "goog-2026", "recommended" };

  for (guint i = 0; i < G_N_ELEMENTS (measuring); i++) {
    static Call call;
    const GccSenderStats *stats;

    call_init (&call, measuring[i], 300000, 2000000);
    stats = gcc_sender_get_stats (&call.sender);
    call.capacity = 1000000;
    call_run (&call, 10 * GCC_SECOND);

    gcc_sender_restart (&call.sender, 200000, call.now);
    g_assert_cmpint (stats->target, ==, 200000);
    call_run (&call, GCC_SECOND / 4);
    g_assert_cmpint (stats->target, <, 400000);
    call_run (&call, 20 * GCC_SECOND);
    g_assert_cmpint (stats->target, >, 600000);

    gcc_sender_restart (&call.sender, 5000000, call.now);
    g_assert_cmpint (stats->target, ==, 2000000);
    call_run (&call, 5 * GCC_SECOND);
    g_assert_cmpint (stats->target, <, 1200000);
    call_clear (&call);
  }
}

static GccPacketResult
arrive (gint64 seq, GccTime delay)
{
  GccTime sent = seq * 10 * GCC_MSECOND;

  return (GccPacketResult){
    .sent = { .seq = seq, .previous = seq - 1, .time = sent, .size = 1000 },
    .is_received = TRUE,
    .arrival = sent + delay,
  };
}

/* Guards: 5 % of the packets overtook others, the least round trip was that of one
 * of them, and the queue was taken for one that never drains. */
static void
test_a_packet_that_overtakes_others_shows_no_shorter_path (void)
{
  const GccPacketResult packets[] = {
    arrive (0, 25 * GCC_MSECOND),
    arrive (3, 0),
    arrive (4, 0),
    arrive (1, 31 * GCC_MSECOND),
    arrive (2, 25 * GCC_MSECOND),
    arrive (5, 27 * GCC_MSECOND),
  };
  GccTime now = packets[5].arrival + 25 * GCC_MSECOND;
  GccSendSideRules rules;

  gcc_send_side_rules_init (
      &rules, gcc_profile_find ("recommended")->send_side->rules);
  gcc_send_side_rules_feed_packets (
      &rules, packets, G_N_ELEMENTS (packets), now);
  g_assert_cmpint (rules.delay, ==, 25 * GCC_MSECOND);
  g_assert_cmpint (rules.round_trip, ==, 50 * GCC_MSECOND);

  /* behind a loss nothing is known to be in order */
  gcc_send_side_rules_feed_packets (&rules,
      (GccPacketResult[]){ arrive (7, 0), arrive (8, 0) }, 2,
      now + 40 * GCC_MSECOND);
  g_assert_cmpint (rules.round_trip, ==, 50 * GCC_MSECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/send-side/" #name, test_##name)
  ADD (probes_and_pacing_at_the_start);
  ADD (initial_probing_finds_the_capacity);
  ADD (capacity_that_grows_is_probed_in_time);
  ADD (a_long_path_is_used);
  ADD (most_of_the_link_is_used_in_two_seconds);
  ADD (a_step_is_found_in_three_seconds);
  ADD (a_slow_path_is_not_probed_while_busy);
  ADD (a_rate_that_a_probe_has_found_stays);
  ADD (a_delay_that_jumps_for_a_moment_is_no_overuse);
  ADD (the_queue_of_a_probe_does_not_lower_a_rate_that_is_not_used);
  ADD (a_rate_that_a_probe_has_shown_is_not_exceeded);
  ADD (a_rate_grows_when_no_more_probes_are_wanted);
  ADD (at_the_maximum_frames_leave_sooner_until_a_queue_loses_packets);
  ADD (a_queue_that_loses_packets_is_probed_seldom);
  ADD (a_steady_link_is_used_without_loss);
  ADD (feedback_that_is_lost_costs_little);
  ADD (what_lost_feedback_would_have_told_is_not_missing_in_r);
  ADD (r_follows_fast_calls_that_lose_feedback);
  ADD (clumps_do_not_hold_the_rate_down);
  ADD (a_drain_on_a_path_of_clumps_sends_less_than_the_link_takes);
  ADD (a_probe_on_a_noisy_path_raises_by_half_at_most);
  ADD (a_probe_after_a_drain_raises_by_half_at_most);
  ADD (feedback_that_is_late_does_not_end_the_call);
  ADD (media_waits_when_no_feedback_comes);
  ADD (late_feedback_holds_no_media);
  ADD (feedback_that_is_timely_again_costs_nothing);
  ADD (feedback_that_pauses_costs_nothing);
  ADD (five_frames_a_second_are_enough);
  ADD (random_loss_is_not_congestion);
  ADD (padding_is_no_more_than_a_s);
  ADD (a_lower_maximum_bounds_padding_at_once);
  ADD (padding_is_no_retransmission);
  ADD (each_change_of_the_rate_has_its_reason);
  ADD (reports_take_over_without_a_jump);
  ADD (silence_of_all_feedback_lowers_the_rate);
  ADD (loss_in_reports_does_not_count_beside_feedback);
  ADD (a_remb_bounds_the_estimate);
  ADD (a_remb_before_the_first_report_bounds_the_estimate);
  ADD (such_a_remb_ends_with_the_feedback);
  ADD (feedback_of_a_stranger_steers_nothing);
  ADD (older_generations_number_nothing);
  ADD (no_probes_when_they_are_switched_off);
  ADD (an_idle_application_learns_of_the_path_by_probes);
  ADD (a_probe_that_is_given_up_is_counted_at_once);
  ADD (a_raise_is_judged_though_a_queue_has_drained_meanwhile);
  ADD (a_raise_that_a_drain_follows_was_wrong);
  ADD (probes_that_a_token_bucket_passes_are_believed_once);
  ADD (a_link_that_slows_after_a_raise_is_used_again);
  ADD (the_stats_tell_of_the_path);
  ADD (probes_take_little_of_the_path);
  ADD (a_probe_from_before_a_restart_tells_nothing);
  ADD (a_restart_is_gone_on_from);
  ADD (a_packet_that_overtakes_others_shows_no_shorter_path);
#undef ADD
  return g_test_run ();
}
