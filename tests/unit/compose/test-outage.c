/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The path loses everything for a while, in one direction or in both, in whole
 * calls over either feedback. Guards against ten seconds at the full rate into
 * nothing: reports went on, and told of no packet that arrived. */

#include "support/any-call.h"

#define MIN_RATE 50000
#define MAX_RATE 2000000

static AnyCall *
start (gboolean over_remb, GccRate capacity, guint seed)
{
  static AnyCall call;

  any_call_init (&call, over_remb, "recommended", 300000, MAX_RATE);
  any_call_set_path (&call, &(Path){ .capacity = capacity });
  any_call_add_reports (&call);
  g_rand_set_seed (ANY_CALL (&call, rand), seed);
  gcc_sender_set_limits (call.sender, MIN_RATE, MAX_RATE);
  return &call;
}

static GccReason
get_reason (const AnyCall *call)
{
  return gcc_sender_get_stats (call->sender)->reason;
}

/* --- the way there --- */

/**
 * Fall:
 * @told: last news of an arrival, from the begin of the outage
 * @halved: from the last news
 * @least: minimum, from the last news
 */
typedef struct {
  GccTime told;
  GccTime halved;
  GccTime least;
} Fall;

static Fall
run_outage (AnyCall *call, GccTime duration)
{
  GccRate before = any_call_get_rate (call);
  Fall fall = { 0, GCC_TIME_NONE, GCC_TIME_NONE };

  for (GccTime t = 0; t < duration; t += any_call_get_step (call)) {
    any_call_step (call);
    if (call->sender->control.silence.arrivals.n_sent == 0) {
      fall.told = t;
      before = any_call_get_rate (call);
    }
    if (fall.halved == GCC_TIME_NONE && any_call_get_rate (call) <= before / 2)
      fall.halved = t - fall.told;
    if (fall.least == GCC_TIME_NONE && any_call_get_rate (call) == MIN_RATE)
      fall.least = t - fall.told;
  }
  return fall;
}

static GccTime
run_until (AnyCall *call, GccRate rate, GccTime limit)
{
  GccTime t = 0;

  for (; t < limit && any_call_get_rate (call) < rate;
       t += any_call_get_step (call))
    any_call_step (call);
  return t;
}

static void
check_outage (gboolean over_remb, GccTime duration, GccRate capacity)
{
  GccTime told = 0, halved = 0, least = 0, back = 0;

  for (guint seed = 0; seed < 10; seed++) {
    AnyCall *call = start (over_remb, capacity, seed);
    GccRate before;
    GccTime passed;
    Fall fall;

    any_call_run (call, 20 * GCC_SECOND + seed * 100 * GCC_MSECOND);
    before = any_call_get_rate (call);
    any_call_cut (call, TRUE, FALSE);
    fall = run_outage (call, duration);
    any_call_cut (call, FALSE, FALSE);
    /* over REMB A_s is payload, and less than that at times */
    passed = run_until (call, MIN (before, capacity * 9 / 10), 20 * GCC_SECOND);
    g_test_message ("%u: told %.2f s, half %.2f s, least %.2f s, back %.2f s",
        seed, gcc_time_to_seconds (fall.told),
        gcc_time_to_seconds (fall.halved), gcc_time_to_seconds (fall.least),
        gcc_time_to_seconds (passed));
    g_assert_cmpint (fall.halved, !=, GCC_TIME_NONE);
    told = MAX (told, fall.told);
    halved = MAX (halved, fall.halved);
    least = MAX (least, fall.least);
    back = MAX (back, passed);
    any_call_clear (call);
  }
  g_test_message (
      "at most: told %.2f s, half %.2f s, least %.2f s, back %.2f s",
      gcc_time_to_seconds (told), gcc_time_to_seconds (halved),
      gcc_time_to_seconds (least), gcc_time_to_seconds (back));
  g_assert_cmpint (halved, <, 2 * GCC_SECOND);
  g_assert_cmpint (least, <, 5 * GCC_SECOND);
  g_assert_cmpint (back, <, 3 * GCC_SECOND);
}

static void
test_an_outage_ends (void)
{
  for (guint i = 0; i < 2; i++) {
    check_outage (i == 1, 5 * GCC_SECOND, 1000000);
    check_outage (i == 1, 20 * GCC_SECOND, 1000000);
  }
}

static void
test_a_fast_path_falls_as_soon (void)
{
  for (guint i = 0; i < 2; i++)
    check_outage (i == 1, 10 * GCC_SECOND, 1900000);
}

/* A report may come before the next packet. */
static void
test_a_slow_source_is_no_outage (void)
{
  static const GccRate rates[] = { 1000, 8000, 32000 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rates); i++) {
    AnyCall *call = start (i % 2 == 1, 1000000, i);

    any_call_set_path (call, &(Path){ .application = rates[i / 2] });
    for (guint j = 0; j < 6000; j++) {
      any_call_run (call, 10 * GCC_MSECOND);
      g_assert_false (gcc_sender_is_cut_off (call->sender));
    }
    any_call_clear (call);
  }
}

/* --- the way back, and both --- */

/* Guards against a bound that outlived its silence when a REMB came before the
 * first report, and against the loss of the silence that counted after it. */
static void
check_return (gboolean over_remb, gboolean forward, GccTime duration)
{
  GccTime back = 0;

  for (guint seed = 0; seed < 10; seed++) {
    AnyCall *call = start (over_remb, 1000000, seed);
    GccRate before;
    GccTime passed;

    any_call_run (call, 20 * GCC_SECOND + seed * 100 * GCC_MSECOND);
    before = any_call_get_rate (call);
    any_call_cut (call, forward, TRUE);
    any_call_run (call, duration);
    any_call_cut (call, FALSE, FALSE);
    /* A_r, which goes on meanwhile, is between this and 0.93 of the link */
    passed = run_until (call, MIN (before, 850000), 20 * GCC_SECOND);
    back = MAX (back, passed);
    any_call_run (call, 10 * GCC_SECOND);
    g_assert_cmpint (any_call_get_rate (call), >=, before / 2);
    g_assert_cmpint (any_call_get_rate (call), <=, 1300000);
    any_call_clear (call);
  }
  g_test_message ("back after %.2f s at most", gcc_time_to_seconds (back));
  g_assert_cmpint (back, <, 3 * GCC_SECOND);
}

static void
test_feedback_that_was_lost_leaves_nothing_behind (void)
{
  for (guint i = 0; i < 2; i++) {
    check_return (i == 1, FALSE, 5 * GCC_SECOND);
    check_return (i == 1, FALSE, 20 * GCC_SECOND);
  }
}

static void
test_an_outage_of_both_ways_ends (void)
{
  for (guint i = 0; i < 2; i++) {
    check_return (i == 1, TRUE, 5 * GCC_SECOND);
    check_return (i == 1, TRUE, 20 * GCC_SECOND);
  }
}

/* --- one place decides --- */

/* From the first fall on nothing raises A_s, and the reason is the same. */
static void
check_fall (AnyCall *call, GccTime duration)
{
  GccRate before = any_call_get_rate (call);
  gboolean falls = FALSE;

  for (GccTime t = 0; t < duration; t += any_call_get_step (call)) {
    any_call_step (call);
    falls |= get_reason (call) == GCC_REASON_SILENCE;
    if (falls) {
      g_assert_cmpint (get_reason (call), ==, GCC_REASON_SILENCE);
      g_assert_cmpint (any_call_get_rate (call), <=, before);
    }
    before = any_call_get_rate (call);
  }
  g_assert_true (falls);
  g_test_message ("A_s: %" G_GINT64_FORMAT, any_call_get_rate (call));
}

static void
check_falls (gboolean forward, gboolean backward)
{
  for (guint i = 0; i < 4; i++) {
    AnyCall *call = start (i % 2 == 1, 1000000, i);

    /* the fall goes on for as long as anybody looks */
    gcc_sender_set_limits (call->sender, 1000, MAX_RATE);
    any_call_run (call, 20 * GCC_SECOND);
    any_call_cut (call, forward, backward);
    check_fall (call, (i < 2 ? 10 : 40) * GCC_SECOND);
    any_call_clear (call);
  }
}

static void
test_a_s_only_falls_while_nothing_arrives (void)
{
  check_falls (TRUE, FALSE);
}

static void
test_a_s_only_falls_while_no_feedback_arrives (void)
{
  check_falls (FALSE, TRUE);
}

/* Guards against a target that two rules set in turns: 1280 bit/s for growth and
 * 1024 for silence, every 20 ms. */
static void
test_a_s_only_falls_when_the_receiver_is_gone (void)
{
  check_falls (TRUE, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/outage/" #name, test_##name)
  ADD (an_outage_ends);
  ADD (a_fast_path_falls_as_soon);
  ADD (a_slow_source_is_no_outage);
  ADD (feedback_that_was_lost_leaves_nothing_behind);
  ADD (an_outage_of_both_ways_ends);
  ADD (a_s_only_falls_while_nothing_arrives);
  ADD (a_s_only_falls_while_no_feedback_arrives);
  ADD (a_s_only_falls_when_the_receiver_is_gone);
#undef ADD

  return g_test_run ();
}
