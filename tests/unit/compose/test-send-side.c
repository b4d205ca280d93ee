/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"
#include "support/call.h"

/* The stages over transport-wide feedback, put together, in whole calls. */

#define C26 "C26 goog_cc_network_control_unittest"

/* --- published --- */

static void
check_first_probes (GccSendSide *side, GccRate first, GccRate second)
{
  conformance_check_int (C26, "60 kbit/s at most 300: first probe", first,
      side->probing.prober.clusters[0].request.rate);
  conformance_check_int (C26, "60 kbit/s at most 300: second probe", second,
      side->probing.prober.clusters[1].request.rate);
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
  check_first_probes (call.sender.control.path.side, 180000, 300000);
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

static void
make_key_frame (Call *call, gint64 bytes)
{
  for (; bytes > 0; bytes -= CALL_MAX_PAYLOAD) {
    gsize size = (gsize) MIN (bytes, CALL_MAX_PAYLOAD);

    call_queue_push (
        &call->pacer, (CallPacket){ .bytes = size, .time = call->now });
    gcc_sender_feed_queued (&call->sender, size + CALL_HEADERS, call->now);
  }
}

/* A still scene: two seconds of small frames behind a key frame of 60 kB. Returns how
 * long the key frame takes to leave. */
static GccTime
send_key_frame (Call *call)
{
  call->held = 0;
  make_key_frame (call, 60000);
  call_run (call, 2 * GCC_SECOND);
  return call->held;
}

static void
begin_still_scene (Call *call, GccRate capacity)
{
  call_init (call, "recommended", 300000, 1000000);
  call->capacity = capacity;
  call->application = 240000;
  call_run (call, 10 * GCC_SECOND);
}

/* Guards: at 2.5 A_s each key frame took 0.2 s, for ever. */
static void
test_key_frames_leave_at_the_rate_that_the_path_has_shown (void)
{
  static Call call;

  begin_still_scene (&call, 20000000);
  g_assert_cmpint (send_key_frame (&call), >, 150 * GCC_MSECOND);
  send_key_frame (&call);
  send_key_frame (&call);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpint (send_key_frame (&call), <, 50 * GCC_MSECOND);
  call_clear (&call);
}

static void
test_key_frames_wait_for_a_link_that_has_become_slower (void)
{
  static Call call;

  begin_still_scene (&call, 20000000);
  for (guint i = 0; i < 5; i++)
    send_key_frame (&call);
  call.capacity = 4000000;
  send_key_frame (&call);
  send_key_frame (&call);
  call.max_queueing = 0;
  send_key_frame (&call);
  g_assert_cmpint (call.max_queueing, <, 20 * GCC_MSECOND);
  g_assert_cmpuint (call.n_lost, ==, 0);
  call_clear (&call);
}

static void
test_key_frames_of_a_published_profile_leave_as_they_did (void)
{
  static Call call;

  call_init (&call, "goog-2026", 300000, 1000000);
  call.capacity = 20000000;
  call.application = 240000;
  call_run (&call, 10 * GCC_SECOND);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (send_key_frame (&call), >, 200 * GCC_MSECOND);
  call_clear (&call);
}

static gboolean
is_draining (const Call *call)
{
  const GccSenderStats *stats = gcc_sender_get_stats (&call->sender);

  return stats->competition == GCC_COMPETITION_DRAIN;
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
        MAX (before, call.sender.control.path.side->rates.result.acknowledged) *
            16 / 10);
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
  competition = &call.sender.control.path.side->rates.rules.competition;
  competition->capacity = 1000000;
  call.capacity = 20000000;
  for (guint i = 0; i < 60; i++) {
    GccRate before = gcc_sender_get_target (&call.sender);

    call_run (&call, 50 * GCC_MSECOND);
    g_assert_cmpint (gcc_sender_get_target (&call.sender), <=,
        MAX (before, call.sender.control.path.side->rates.result.acknowledged) *
            16 / 10);
  }
  g_assert_cmpint (gcc_sender_get_target (&call.sender), >, 2000000);
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
  call->sender.control.path.side->rates.result.loss_based = stats->target;
  call->sender.control.path.side->rates.result.loss_state =
      GCC_LOSS_ESTIMATE_PADDING;
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
      call.sender.control.path.side, 2 * stats->target, call.now);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/send-side/" #name, test_##name)
  ADD (probes_and_pacing_at_the_start);
  ADD (initial_probing_finds_the_capacity);
  ADD (capacity_that_grows_is_probed_in_time);
  ADD (a_long_path_is_used);
  ADD (a_slow_path_is_not_probed_while_busy);
  ADD (a_delay_that_jumps_for_a_moment_is_no_overuse);
  ADD (at_the_maximum_frames_leave_sooner_until_a_queue_loses_packets);
  ADD (key_frames_leave_at_the_rate_that_the_path_has_shown);
  ADD (key_frames_wait_for_a_link_that_has_become_slower);
  ADD (key_frames_of_a_published_profile_leave_as_they_did);
  ADD (a_drain_on_a_path_of_clumps_sends_less_than_the_link_takes);
  ADD (a_probe_on_a_noisy_path_raises_by_half_at_most);
  ADD (a_probe_after_a_drain_raises_by_half_at_most);
  ADD (padding_is_no_more_than_a_s);
  ADD (a_lower_maximum_bounds_padding_at_once);
  ADD (padding_is_no_retransmission);
#undef ADD
  return g_test_run ();
}
