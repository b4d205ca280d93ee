/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The path loses everything for a while, in one direction or in both, in whole
 * calls over either feedback. Guards against ten seconds at the full rate into
 * nothing: reports went on, and told of no packet that arrived. */

#include "support/call.h"
#include "support/remb-call.h"

#define MIN_RATE 50000
#define MAX_RATE 2000000

/* A call over one of the two feedbacks. */
typedef struct {
  Call *call;
  RembCall *remb_call;
} AnyCall;

static void
run (const AnyCall *any, GccTime duration)
{
  if (any->call != NULL) {
    call_run (any->call, duration);
    return;
  }
  for (GccTime end = any->remb_call->now + duration; any->remb_call->now < end;)
    remb_call_step (any->remb_call);
}

static GccTime
get_step (const AnyCall *any)
{
  return any->call != NULL ? CALL_STEP : REMB_CALL_STEP;
}

static void
cut (const AnyCall *any, gboolean forward, gboolean backward)
{
  if (any->call != NULL) {
    any->call->is_cut = forward;
    any->call->is_mute = backward;
  } else {
    any->remb_call->is_cut = forward;
    any->remb_call->is_mute = backward;
  }
}

static GccSender *
get_sender (const AnyCall *any)
{
  return any->call != NULL ? &any->call->sender : &any->remb_call->sender;
}

static GccRate
get_rate (const AnyCall *any)
{
  return gcc_sender_get_target (get_sender (any));
}

static GccReason
get_reason (const AnyCall *any)
{
  return gcc_sender_get_stats (get_sender (any))->reason;
}

static AnyCall
start (gboolean over_transport, GccRate capacity, guint seed)
{
  static Call call;
  static RembCall remb_call;
  static GccTime link_free;
  AnyCall any = { NULL, NULL };

  if (over_transport) {
    any.call = &call;
    call_init (&call, "recommended", 300000, MAX_RATE);
    call.capacity = capacity;
    call.has_reports = call.covers_all = TRUE;
    g_rand_set_seed (call.rand, seed);
  } else {
    any.remb_call = &remb_call;
    link_free = 0;
    remb_call_init (
        &remb_call, gcc_profile_find ("recommended"), 300000, MAX_RATE);
    remb_call.link_free = &link_free;
    remb_call.capacity = capacity;
    g_rand_set_seed (remb_call.rand, seed);
  }
  gcc_sender_set_limits (get_sender (&any), MIN_RATE, MAX_RATE);
  return any;
}

static void
stop (const AnyCall *any)
{
  if (any->call != NULL)
    call_clear (any->call);
  else
    remb_call_clear (any->remb_call);
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
run_outage (const AnyCall *any, GccTime duration)
{
  GccRate before = get_rate (any);
  Fall fall = { 0, GCC_TIME_NONE, GCC_TIME_NONE };

  for (GccTime t = 0; t < duration; t += get_step (any)) {
    run (any, get_step (any));
    if (get_sender (any)->arrivals.n_sent == 0) {
      fall.told = t;
      before = get_rate (any);
    }
    if (fall.halved == GCC_TIME_NONE && get_rate (any) <= before / 2)
      fall.halved = t - fall.told;
    if (fall.least == GCC_TIME_NONE && get_rate (any) == MIN_RATE)
      fall.least = t - fall.told;
  }
  return fall;
}

static GccTime
run_until (const AnyCall *any, GccRate rate, GccTime limit)
{
  GccTime t = 0;

  for (; t < limit && get_rate (any) < rate; t += get_step (any))
    run (any, get_step (any));
  return t;
}

static void
check_outage (gboolean over_transport, GccTime duration, GccRate capacity)
{
  GccTime told = 0, halved = 0, least = 0, back = 0;

  for (guint seed = 0; seed < 10; seed++) {
    AnyCall any = start (over_transport, capacity, seed);
    GccRate before;
    GccTime passed;
    Fall fall;

    run (&any, 20 * GCC_SECOND + seed * 100 * GCC_MSECOND);
    before = get_rate (&any);
    cut (&any, TRUE, FALSE);
    fall = run_outage (&any, duration);
    cut (&any, FALSE, FALSE);
    /* over REMB A_s is payload, and less than that at times */
    passed = run_until (&any, MIN (before, capacity * 9 / 10), 20 * GCC_SECOND);
    g_test_message ("%u: told %.2f s, half %.2f s, least %.2f s, back %.2f s",
        seed, gcc_time_to_seconds (fall.told),
        gcc_time_to_seconds (fall.halved), gcc_time_to_seconds (fall.least),
        gcc_time_to_seconds (passed));
    g_assert_cmpint (fall.halved, !=, GCC_TIME_NONE);
    told = MAX (told, fall.told);
    halved = MAX (halved, fall.halved);
    least = MAX (least, fall.least);
    back = MAX (back, passed);
    stop (&any);
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
test_an_outage_of_5_s_over_transport_wide_feedback_ends (void)
{
  check_outage (TRUE, 5 * GCC_SECOND, 1000000);
}

static void
test_an_outage_of_20_s_over_transport_wide_feedback_ends (void)
{
  check_outage (TRUE, 20 * GCC_SECOND, 1000000);
}

static void
test_an_outage_of_5_s_over_remb_ends (void)
{
  check_outage (FALSE, 5 * GCC_SECOND, 1000000);
}

static void
test_an_outage_of_20_s_over_remb_ends (void)
{
  check_outage (FALSE, 20 * GCC_SECOND, 1000000);
}

static void
test_a_fast_path_falls_as_soon (void)
{
  check_outage (TRUE, 10 * GCC_SECOND, 1900000);
  check_outage (FALSE, 10 * GCC_SECOND, 1900000);
}

static void
set_capacity (const AnyCall *any, GccRate capacity)
{
  if (any->call != NULL)
    any->call->capacity = capacity;
  else
    any->remb_call->capacity = capacity;
}

static void
set_application (const AnyCall *any, GccRate rate)
{
  if (any->call != NULL)
    any->call->application = rate;
  else
    any->remb_call->application = rate;
}

/* What was known of the path is tried, and found to be wrong. */
static void
test_a_path_that_comes_back_slower_is_followed (void)
{
  for (guint i = 0; i < 2; i++) {
    AnyCall any = start (i == 0, 1000000, i);

    run (&any, 20 * GCC_SECOND);
    cut (&any, TRUE, FALSE);
    run (&any, 10 * GCC_SECOND);
    cut (&any, FALSE, FALSE);
    set_capacity (&any, 300000);
    run (&any, 5 * GCC_SECOND);
    g_test_message ("A_s: %" G_GINT64_FORMAT, get_rate (&any));
    g_assert_cmpint (get_rate (&any), <=, 390000);
    stop (&any);
  }
}

/* A report may come before the next packet. */
static void
test_a_slow_source_is_no_outage (void)
{
  static const GccRate rates[] = { 1000, 8000, 32000 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (rates); i++) {
    AnyCall any = start (i % 2 == 0, 1000000, i);

    set_application (&any, rates[i / 2]);
    for (guint j = 0; j < 6000; j++) {
      run (&any, 10 * GCC_MSECOND);
      g_assert_false (gcc_sender_is_cut_off (get_sender (&any)));
    }
    stop (&any);
  }
}

/* --- the way back, and both --- */

/* Guards against a bound that outlived its silence when a REMB came before the
 * first report, and against the loss of the silence that counted after it. */
static void
check_return (gboolean over_transport, gboolean forward, GccTime duration)
{
  GccTime back = 0;

  for (guint seed = 0; seed < 10; seed++) {
    AnyCall any = start (over_transport, 1000000, seed);
    GccRate before;
    GccTime passed;

    run (&any, 20 * GCC_SECOND + seed * 100 * GCC_MSECOND);
    before = get_rate (&any);
    cut (&any, forward, TRUE);
    run (&any, duration);
    cut (&any, FALSE, FALSE);
    /* A_r, which goes on meanwhile, is between this and 0.93 of the link */
    passed = run_until (&any, MIN (before, 850000), 20 * GCC_SECOND);
    back = MAX (back, passed);
    run (&any, 10 * GCC_SECOND);
    g_assert_cmpint (get_rate (&any), >=, before / 2);
    g_assert_cmpint (get_rate (&any), <=, 1300000);
    stop (&any);
  }
  g_test_message ("back after %.2f s at most", gcc_time_to_seconds (back));
  g_assert_cmpint (back, <, 3 * GCC_SECOND);
}

static void
test_feedback_that_was_lost_leaves_nothing_behind (void)
{
  for (guint i = 0; i < 2; i++) {
    check_return (i == 0, FALSE, 5 * GCC_SECOND);
    check_return (i == 0, FALSE, 20 * GCC_SECOND);
  }
}

static void
test_an_outage_of_both_ways_ends (void)
{
  for (guint i = 0; i < 2; i++) {
    check_return (i == 0, TRUE, 5 * GCC_SECOND);
    check_return (i == 0, TRUE, 20 * GCC_SECOND);
  }
}

/* --- one place decides --- */

/* From the first fall on nothing raises A_s, and the reason is the same. */
static void
check_fall (const AnyCall *any, GccTime duration)
{
  GccRate before = get_rate (any);
  gboolean falls = FALSE;

  for (GccTime t = 0; t < duration; t += get_step (any)) {
    run (any, get_step (any));
    falls |= get_reason (any) == GCC_REASON_SILENCE;
    if (falls) {
      g_assert_cmpint (get_reason (any), ==, GCC_REASON_SILENCE);
      g_assert_cmpint (get_rate (any), <=, before);
    }
    before = get_rate (any);
  }
  g_assert_true (falls);
  g_test_message ("A_s: %" G_GINT64_FORMAT, get_rate (any));
}

static void
check_falls (gboolean forward, gboolean backward)
{
  for (guint i = 0; i < 4; i++) {
    AnyCall any = start (i % 2 == 0, 1000000, i);

    /* the fall goes on for as long as anybody looks */
    gcc_sender_set_limits (get_sender (&any), 1000, MAX_RATE);
    run (&any, 20 * GCC_SECOND);
    cut (&any, forward, backward);
    check_fall (&any, (i < 2 ? 10 : 40) * GCC_SECOND);
    stop (&any);
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
  ADD (an_outage_of_5_s_over_transport_wide_feedback_ends);
  ADD (an_outage_of_20_s_over_transport_wide_feedback_ends);
  ADD (an_outage_of_5_s_over_remb_ends);
  ADD (an_outage_of_20_s_over_remb_ends);
  ADD (a_fast_path_falls_as_soon);
  ADD (a_path_that_comes_back_slower_is_followed);
  ADD (a_slow_source_is_no_outage);
  ADD (feedback_that_was_lost_leaves_nothing_behind);
  ADD (an_outage_of_both_ways_ends);
  ADD (a_s_only_falls_while_nothing_arrives);
  ADD (a_s_only_falls_while_no_feedback_arrives);
  ADD (a_s_only_falls_when_the_receiver_is_gone);
#undef ADD

  return g_test_run ();
}
