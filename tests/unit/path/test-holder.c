/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What a receiver does about a queue that stands: the stage alone, then whole
 * calls over REMB with the default profile, which alone has it. */

#include <gst/gcc/path/gcc-holder.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "support/remb-link.h"

#define RATE 900000
#define STEP (10 * GCC_MSECOND)
#define QUEUE (150 * GCC_MSECOND)

static GccHolder stage;
static GccHolderResult last;
static GccTime now;
static guint n_changes;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  n_changes = 0;
  gcc_holder_init (&stage, &gcc_recommended_receiver_rules.holder);
}

static void
feed (GccTime queueing, GccRate rate)
{
  GccHolderInput input = {
    .queueing = queueing,
    .rate = rate,
    .estimate = RATE,
  };
  const GccHolderResult *result;

  now += STEP;
  result = gcc_holder_feed (&stage, &input, now);
  if (result == NULL)
    return;
  last = *result;
  n_changes++;
}

static void
hold (GccTime queueing, GccRate rate, GccTime duration)
{
  for (GccTime end = now + duration; now < end;)
    feed (queueing, rate);
}

/* Until it has stood for a window, and the next one. */
static void
begin_drain (void)
{
  start ();
  hold (QUEUE, RATE, 500 * GCC_MSECOND);
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_DRAIN);
}

/* A queue which others shorten and fill again. */
static void
hold_by_others (GccRate rate, GccTime duration)
{
  for (GccTime end = now + duration; now < end;)
    hold (QUEUE - (now / (500 * GCC_MSECOND) % 2) * 20 * GCC_MSECOND, rate,
        100 * GCC_MSECOND);
}

static void
test_a_queue_that_stands_is_drained (void)
{
  begin_drain ();
  g_assert_cmpint (last.rate, ==, 6 * RATE / 10);
  hold (10 * GCC_MSECOND, RATE, STEP);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (last.rate, ==, 9 * RATE / 10);
}

/* Frames of the sender's own, or the path's jitter. */
static void
test_a_queue_that_is_short_in_between_does_not_stand (void)
{
  start ();
  for (guint i = 0; i < 300; i++)
    feed (i % 15 == 0 ? 0 : QUEUE, RATE);
  g_assert_cmpuint (n_changes, ==, 0);
}

static void
test_a_shorter_queue_is_left_to_overuse (void)
{
  start ();
  hold (80 * GCC_MSECOND, RATE, 10 * GCC_SECOND);
  g_assert_cmpuint (n_changes, ==, 0);
}

/* Who do not heed that the sender sends less. */
static void
find_others (void)
{
  hold_by_others (6 * RATE / 10, 2 * GCC_SECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_TCP);
}

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (stage.experiment.verdict, ==, verdict);
}

static void
test_a_queue_that_stays_is_held_by_others (void)
{
  begin_drain ();
  assert_verdict (GCC_VERDICT_NONE);
  find_others ();
  assert_verdict (GCC_VERDICT_OTHERS);
  g_assert_cmpint (last.rate, ==, RATE / 2);
  g_assert_false (last.is_path_longer);
}

static void
wait_for_drain (GccTime at_least)
{
  n_changes = 0;
  hold_by_others (RATE, at_least);
  g_assert_cmpuint (n_changes, ==, 0);
  for (guint i = 0; i < 30 && n_changes == 0; i++)
    hold_by_others (RATE, 100 * GCC_MSECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_DRAIN);
}

static void
test_whether_others_are_still_there_is_tested_again (void)
{
  begin_drain ();
  find_others ();
  wait_for_drain (6 * GCC_SECOND);
  find_others ();
  /* A_r is what it was before the test */
  g_assert_cmpint (last.rate, ==, RATE);
  wait_for_drain (18 * GCC_SECOND);
}

static void
test_others_have_left_when_the_queue_is_empty (void)
{
  begin_drain ();
  find_others ();
  feed (15 * GCC_MSECOND, RATE);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (last.rate, ==, RATE);
}

/* A route that changed. Guards: over-use that counts no more. */
static void
test_a_delay_that_does_not_move_is_that_of_the_path (void)
{
  begin_drain ();
  hold (QUEUE, 6 * RATE / 10, 800 * GCC_MSECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_NONE);
  g_assert_true (last.is_path_longer);
  assert_verdict (GCC_VERDICT_LONGER_PATH);
  g_assert_cmpint (last.rate, ==, RATE);
}

/* Packets of a frame wait for the first ones. Guards: a route that became longer
 * while the rate grew, and was taken for others at each drain, because the packet
 * that began the drain had waited for its frame. */
static void
test_the_wait_for_a_frame_moves_no_delay (void)
{
  begin_drain ();
  find_others ();
  for (n_changes = 0; n_changes == 0;) {
    hold (QUEUE, RATE, 20 * GCC_MSECOND);
    hold (QUEUE + 20 * GCC_MSECOND, RATE, 20 * GCC_MSECOND);
  }
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_DRAIN);
  hold (QUEUE, 6 * RATE / 10, 1300 * GCC_MSECOND);
  assert_verdict (GCC_VERDICT_LONGER_PATH);
}

/* One that cannot send less: that its queue stays tells nothing. */
static void
test_a_sender_who_does_not_follow_is_not_taken_for_others (void)
{
  begin_drain ();
  hold_by_others (RATE, 2 * GCC_SECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_NONE);
  assert_verdict (GCC_VERDICT_UNKNOWN);
  wait_for_drain (3 * GCC_SECOND);
}

/* Guards: 0.9 of what arrived before the link became slower, which filled the
 * queue again. */
static void
test_after_a_fall_of_capacity_the_rate_is_what_the_link_takes (void)
{
  begin_drain ();
  hold (2 * QUEUE, RATE * 8 / 10, 500 * GCC_MSECOND);
  hold (10 * GCC_MSECOND, RATE * 8 / 10, STEP);
  assert_verdict (GCC_VERDICT_OWN);
  g_assert_cmpint (last.rate, ==, RATE * 8 / 10 * 9 / 10);
}

/* @percent of the rate before arrive. */
static void
check_a_slower_link_is_drained_again (gint percent)
{
  begin_drain ();
  n_changes = 0;
  for (guint i = 0; i < 15 && n_changes == 0; i++)
    hold_by_others (percent * RATE / 100, 100 * GCC_MSECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_DRAIN);
  assert_verdict (GCC_VERDICT_SLOWER_LINK);
  g_assert_cmpint (last.rate, ==, percent * RATE / 100 * 6 / 10);
}

/* Guards: a drain that asks for more than the link takes, and no more is asked
 * for; and R of a moment in which the link became slower, 0.6 of which is a little
 * more than it takes now. */
static void
test_a_link_that_takes_less_than_was_asked_for_is_drained_again (void)
{
  check_a_slower_link_is_drained_again (30);
  check_a_slower_link_is_drained_again (52);
}

/* A_r is what it was before, not half of what arrives of two drains. */
static void
test_others_who_leave_less_keep_their_place (void)
{
  begin_drain ();
  find_others ();
  wait_for_drain (6 * GCC_SECOND);
  n_changes = 0;
  while (n_changes == 0)
    hold_by_others (RATE / 2, 100 * GCC_MSECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_DRAIN);
  hold_by_others (3 * RATE / 10, 2 * GCC_SECOND);
  g_assert_cmpint (last.state, ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (last.rate, ==, RATE);
}

/* --- whole calls --- */

static const GccReceiverStats *
run (GccTime duration)
{
  link_run (duration);
  return gcc_receiver_get_stats (&link_.call.receiver);
}

static void
start_call (GccRate capacity)
{
  link_init (capacity);
  link_run (60 * GCC_SECOND);
}

/* Guards: an encoder that takes its time, whose queue was taken for that of
 * others. */
static void
test_the_queue_of_a_link_that_became_slower_is_our_own (void)
{
  const GccReceiverStats *stats;

  start_call (2500000);
  link_.call.capacity = 600000;
  stats = run (300 * GCC_MSECOND);
  g_assert_cmpfloat (stats->path_queue_ms, >, 50.);
  for (guint i = 0; i < 100; i++)
    g_assert_cmpint (
        run (100 * GCC_MSECOND)->competition, !=, GCC_COMPETITION_TCP);
  g_assert_cmpint (stats->verdict, ==, GCC_VERDICT_OWN);
  g_assert_cmpfloat (stats->path_queue_ms, <, 50.);
  g_assert_cmpint (stats->path_capacity, >, 540000);
  g_assert_cmpint (stats->path_capacity, <, 660000);
  g_assert_cmpint (link_.call.queueing, <, 50 * GCC_MSECOND);
  g_assert_cmpint (gcc_receiver_get_estimate (&link_.call.receiver), >, 400000);
  remb_call_clear (&link_.call);
}

static void
test_a_longer_path_is_no_competition (void)
{
  const GccReceiverStats *stats;
  guint n_tcp = 0;

  start_call (1000000);
  link_.call.delay += 100 * GCC_MSECOND;
  for (guint i = 0; i < 600; i++) {
    stats = run (100 * GCC_MSECOND);
    n_tcp += stats->competition == GCC_COMPETITION_TCP;
  }
  g_assert_cmpuint (n_tcp, ==, 0);
  g_assert_cmpint (stats->received_rate, >, 750000);
  remb_call_clear (&link_.call);
}

static void
test_tcp_is_noticed_and_that_it_has_left (void)
{
  const GccReceiverStats *stats;
  guint n_tcp = 0;

  start_call (1000000);
  link_.tcp.is_on = TRUE;
  run (30 * GCC_SECOND);
  for (guint i = 0; i < 600; i++) {
    stats = run (100 * GCC_MSECOND);
    n_tcp += stats->competition == GCC_COMPETITION_TCP;
  }
  g_assert_cmpuint (n_tcp, >, 400);
  link_.tcp.is_on = FALSE;
  stats = run (60 * GCC_SECOND);
  g_assert_cmpint (stats->competition, ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (stats->received_rate, >, 750000);
  remb_call_clear (&link_.call);
}

/* Guards: an estimate that was forgotten in a drain, which holds it. */
static void
test_a_call_that_pauses_in_a_drain_goes_on_after_it (void)
{
  RembCall *call = &link_.call;
  const GccReceiverStats *stats = gcc_receiver_get_stats (&call->receiver);

  start_call (2500000);
  call->capacity = 600000;
  while (stats->competition != GCC_COMPETITION_DRAIN)
    run (10 * GCC_MSECOND);
  call->now += 60 * GCC_SECOND;
  call->next_frame = call->next_report = call->now;
  run (10 * GCC_SECOND);
  g_assert_cmpint (stats->competition, ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (gcc_receiver_get_estimate (&call->receiver), >, 200000);
  remb_call_clear (call);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/holder/" #name, test_##name)
  ADD (a_queue_that_stands_is_drained);
  ADD (a_queue_that_is_short_in_between_does_not_stand);
  ADD (a_shorter_queue_is_left_to_overuse);
  ADD (a_queue_that_stays_is_held_by_others);
  ADD (whether_others_are_still_there_is_tested_again);
  ADD (others_have_left_when_the_queue_is_empty);
  ADD (a_delay_that_does_not_move_is_that_of_the_path);
  ADD (the_wait_for_a_frame_moves_no_delay);
  ADD (a_sender_who_does_not_follow_is_not_taken_for_others);
  g_test_add_func ("/holder/"
                   "after_a_fall_of_capacity_the_rate_is_what_the_link_takes",
      test_after_a_fall_of_capacity_the_rate_is_what_the_link_takes);
  g_test_add_func ("/holder/"
                   "a_link_that_takes_less_than_was_asked_for_is_drained_again",
      test_a_link_that_takes_less_than_was_asked_for_is_drained_again);
  ADD (others_who_leave_less_keep_their_place);
  ADD (the_queue_of_a_link_that_became_slower_is_our_own);
  ADD (a_longer_path_is_no_competition);
  ADD (tcp_is_noticed_and_that_it_has_left);
  ADD (a_call_that_pauses_in_a_drain_goes_on_after_it);
#undef ADD
  return g_test_run ();
}
