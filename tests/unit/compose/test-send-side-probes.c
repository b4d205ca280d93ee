/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What the send side makes of probes. */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <math.h>

#include "support/call.h"

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
  gint64 before;

  call_init (&call, "recommended", 300000, 2000000);
  call.application = 100000;
  call_run (&call, 30 * GCC_SECOND);
  g_assert_true (gcc_sender_get_stats (&call.sender)->in_alr);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 600000);
  g_assert_cmpint (gcc_sender_get_target (&call.sender), <, 1200000);
  call.application = G_MAXINT64;
  call.max_queueing = 0;
  call.n_lost = 0;
  before = call.received_bytes;
  call_run (&call, 20 * GCC_SECOND);
  g_assert_cmpint (8 * (call.received_bytes - before) / 20, >=, 800000);
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
  side = call.sender.control.path.side;
  side->probing.controller.busy_interval = 8 * GCC_SECOND;
  side->probing.controller.last_probe = call.now;
  side->rates.rules.raised = call.now;
  side->rates.delay.had_overuse = TRUE;
  side->rates.result.signal = GCC_SIGNAL_UNDERUSE;
  call_run (&call, 2 * GCC_SECOND);
  g_assert_cmpint (side->probing.controller.busy_interval, ==, 4 * GCC_SECOND);
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
  side = call.sender.control.path.side;
  side->probing.controller.busy_interval = 2 * GCC_SECOND;
  side->rates.rules.raised = call.now;
  side->rates.rules.competition.holder.result.state = GCC_COMPETITION_DRAIN;
  gcc_send_side_rules_feed_signal (&side->rates.rules,
      &side->rates.delay.detector, side->params->delay.detector->gamma_0,
      &side->probing.controller, call.now + 100 * GCC_MSECOND);
  g_assert_cmpint (side->probing.controller.busy_interval, ==, 4 * GCC_SECOND);
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

/* Guards: a drain of the queue of a resumed layer's key frame. R(t) over the second in
 * which the layer waited had it paused again. */
static void
test_what_was_received_before_a_stream_resumes_is_forgotten (void)
{
  static Call call;
  const GccSendSideRates *rates;

  call_init (&call, "recommended", 300000, 2000000);
  call.application = 100000;
  call_run (&call, 10 * GCC_SECOND);
  gcc_sender_set_wanted (&call.sender, 0, TRUE, call.now);
  call.application = 500000;
  call_run (&call, 300 * GCC_MSECOND);
  rates = &call.sender.control.path.side->rates;
  g_assert_cmpint (
      gcc_acknowledged_rate_get (&rates->acknowledged), >=, 400000);
  call_clear (&call);
}

/* Streams wait for @v: what is probed for, over A_s. */
static gdouble
get_wanted_share (Call *call, GccRate v)
{
  const GccSendSide *side = call->sender.control.path.side;

  gcc_sender_set_wanted (&call->sender, v, FALSE, call->now);
  return (gdouble) side->probing.controller.wanted /
      (gdouble) gcc_sender_get_target (&call->sender);
}

/* A_s has headers, and what protection takes, beside the v that streams wait for. */
static void
test_the_path_is_probed_for_the_rate_that_leaves_what_streams_wait_for (void)
{
  static Call call;
  GccRate v;

  call_init (&call, "recommended", 300000, 2000000);
  call_run (&call, 10 * GCC_SECOND);
  v = gcc_sender_get_lasting_target (&call.sender);
  g_assert_cmpfloat_with_epsilon (get_wanted_share (&call, v), 1., 0.01);
  g_assert_cmpfloat_with_epsilon (get_wanted_share (&call, 2 * v), 2., 0.01);
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
  g_assert_cmpint (stats->verdict, ==, GCC_VERDICT_OWN);
  call_clear (&call);

  call_init (&call, "goog-2026", 300000, 2000000);
  call_run (&call, 5 * GCC_SECOND);
  g_assert_true (isnan (stats->path_queue_ms));
  g_assert_true (stats->verdict == GCC_VERDICT_ABSENT);
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
  const GccSendSideParams *params = gcc_profile_find ("recommended")->send_side;
  GccAcknowledgedRate acknowledged;
  GccSendSideRules rules;

  gcc_acknowledged_rate_init (&acknowledged, params->acknowledged);
  gcc_send_side_rules_init (&rules, params->rules);
  gcc_send_side_rules_feed_packets (
      &rules, packets, G_N_ELEMENTS (packets), &acknowledged, now);
  g_assert_cmpint (rules.delay, ==, 25 * GCC_MSECOND);
  g_assert_cmpint (rules.round_trip, ==, 50 * GCC_MSECOND);

  /* behind a loss nothing is known to be in order */
  gcc_send_side_rules_feed_packets (&rules,
      (GccPacketResult[]){ arrive (7, 0), arrive (8, 0) }, 2, &acknowledged,
      now + 40 * GCC_MSECOND);
  g_assert_cmpint (rules.round_trip, ==, 50 * GCC_MSECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/send-side-probes/" #name, test_##name)
  ADD (no_probes_when_they_are_switched_off);
  ADD (an_idle_application_learns_of_the_path_by_probes);
  ADD (a_probe_that_is_given_up_is_counted_at_once);
  ADD (a_raise_is_judged_though_a_queue_has_drained_meanwhile);
  ADD (a_raise_that_a_drain_follows_was_wrong);
  ADD (probes_that_a_token_bucket_passes_are_believed_once);
  ADD (what_was_received_before_a_stream_resumes_is_forgotten);
  ADD (the_path_is_probed_for_the_rate_that_leaves_what_streams_wait_for);
  ADD (the_stats_tell_of_the_path);
  ADD (probes_take_little_of_the_path);
  ADD (a_probe_from_before_a_restart_tells_nothing);
  ADD (a_restart_is_gone_on_from);
  ADD (a_packet_that_overtakes_others_shows_no_shorter_path);
#undef ADD
  return g_test_run ();
}
