/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Who holds the queue, and what to do about it: whole calls with the default profile,
 * which alone has this stage, beside TCP and alone. whole-calls.c has others. */

#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "support/call.h"
#include "support/cubic.h"

/* A call, and a TCP flow that may share its link. */
static Call call;
static Cubic tcp;
static GccTime longest;

static void
begin (GccRate capacity)
{
  call_init (&call, "recommended", 300000, 6000000);
  call.capacity = capacity;
  call.max_queue = 240 * GCC_MSECOND;
  cubic_init (&tcp, 50 * GCC_MSECOND);
}

static void
run (GccTime duration)
{
  for (GccTime end = call.now + duration; call.now < end;) {
    call_step (&call);
    cubic_step (&tcp, call.link_free, call.capacity, call.max_queue, call.now);
    longest = MAX (longest, *call.link_free - call.now);
  }
}

static GccCompetitionState
get_state (void)
{
  return gcc_sender_get_send_side (&call.sender)->rates.result.competition;
}

/* Guards: a call that goes on filling the queue when it is the only one left. */
static void
test_the_queue_drains_when_tcp_has_left (void)
{
  gint64 before;

  begin (1000000);
  run (20 * GCC_SECOND);
  tcp.is_on = TRUE;
  run (20 * GCC_SECOND);
  g_assert_cmpint (get_state (), ==, GCC_COMPETITION_TCP);
  tcp.is_on = FALSE;
  run (45 * GCC_SECOND);
  g_assert_cmpint (get_state (), ==, GCC_COMPETITION_NONE);
  longest = 0;
  before = call.received_bytes;
  run (60 * GCC_SECOND);
  g_assert_cmpfloat (
      (gdouble) (call.received_bytes - before) * 8. / 60e6, >, 0.85);
  g_assert_cmpint (longest, <, 100 * GCC_MSECOND);
  call_clear (&call);
}

/* libwebrtc's rate control needs 2 s for that, and loses twice as much. */
static void
test_a_drop_of_capacity_is_drained_at_once (void)
{
  begin (2500000);
  run (30 * GCC_SECOND);
  call.capacity = 600000;
  call.n_lost = 0;
  run (GCC_SECOND);
  g_assert_cmpint (*call.link_free - call.now, <, 150 * GCC_MSECOND);
  run (10 * GCC_SECOND);
  g_assert_cmpuint (call.n_lost, <, 100);
  g_assert_cmpint (get_state (), !=, GCC_COMPETITION_TCP);
  call_clear (&call);
}

static void
test_random_loss_is_no_competition (void)
{
  begin (1000000);
  call.loss = 0.05;
  for (guint i = 0; i < 60; i++) {
    run (GCC_SECOND);
    g_assert_cmpint (get_state (), !=, GCC_COMPETITION_TCP);
  }
  call_clear (&call);
}

/* As of a receiver that is busy now and then. */
static void
run_noisy (GccTime duration)
{
  for (GccTime end = call.now + duration; call.now < end;) {
    call.delay = 25 * GCC_MSECOND +
        g_rand_int_range (call.rand, 0, 80) * GCC_MSECOND;
    call_step (&call);
  }
}

/* Guards: over-use had to be above the sum of γ, which follows m, and of the
 * noise, and never was: the queue grew until it lost, twice as much. */
static void
test_a_queue_that_grows_under_noise_is_overuse (void)
{
  guint n_lost = 0;
  gint64 bytes = 0;

  for (guint i = 0; i < 12; i++) {
    begin (2000000);
    g_rand_set_seed (call.rand, i);
    run_noisy (30 * GCC_SECOND);
    call.n_lost = 0;
    call.received_bytes = 0;
    run_noisy (60 * GCC_SECOND);
    n_lost += call.n_lost;
    bytes += call.received_bytes;
    call_clear (&call);
  }
  if (g_test_verbose ())
    g_printerr ("lost %u, use %.2f\n", n_lost,
        (gdouble) bytes * 8. / (12. * 60. * 2000000.));
  g_assert_cmpuint (n_lost, <, 600);
}

/* Guards: a path that has become longer was taken for a queue that others hold
 * until the next test, for 20 s. */
static void
test_a_longer_path_is_used_after_two_seconds (void)
{
  gint64 before;

  begin (1000000);
  run (30 * GCC_SECOND);
  call.delay += 100 * GCC_MSECOND;
  run (2 * GCC_SECOND);
  before = call.received_bytes;
  run (8 * GCC_SECOND);
  g_assert_cmpint (call.received_bytes - before, >, 800000);
  g_assert_cmpint (get_state (), ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (gcc_sender_get_stats (&call.sender)->verdict, ==,
      GCC_VERDICT_LONGER_PATH);
  call_clear (&call);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/shared-link/" #name, test_##name)
  ADD (the_queue_drains_when_tcp_has_left);
  ADD (a_drop_of_capacity_is_drained_at_once);
  ADD (random_loss_is_no_competition);
  ADD (a_queue_that_grows_under_noise_is_overuse);
  ADD (a_longer_path_is_used_after_two_seconds);
#undef ADD
  return g_test_run ();
}
