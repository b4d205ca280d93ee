/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Who holds the queue, and what to do about it: whole calls with the default profile,
 * which alone has this stage, beside TCP, beside each other and alone. */

#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "support/call.h"
#include "support/cubic.h"

#define PROFILE "recommended"
#define MAX_FLOWS 3

/* One link with calls and TCP flows that share it. */
typedef struct {
  GccTime free;
  GccRate capacity;
  GccTime max_queue;
  guint n_calls;
  guint n_cubics;
  Call calls[MAX_FLOWS];
  Cubic cubics[MAX_FLOWS];
  GccTime longest;
} Link;

static Link link_;

static void
set_queue (GccTime max_queue)
{
  link_.max_queue = max_queue;
  for (guint i = 0; i < link_.n_calls; i++)
    link_.calls[i].max_queue = max_queue;
}

static void
set_capacity (GccRate capacity)
{
  link_.capacity = capacity;
  for (guint i = 0; i < link_.n_calls; i++)
    link_.calls[i].capacity = capacity;
}

static void
link_init (guint n_calls, guint n_cubics, GccRate capacity)
{
  link_.free = 0;
  link_.n_calls = n_calls;
  link_.n_cubics = n_cubics;
  link_.longest = 0;
  for (guint i = 0; i < n_calls; i++) {
    Call *call = &link_.calls[i];

    call_init (call, PROFILE, 300000, 6000000);
    call->link_free = &link_.free;
    call->next_frame += i * 11 * GCC_MSECOND;
    call->next_feedback += i * 17 * GCC_MSECOND;
  }
  for (guint i = 0; i < n_cubics; i++)
    cubic_init (&link_.cubics[i], 50 * GCC_MSECOND);
  set_capacity (capacity);
  set_queue (240 * GCC_MSECOND);
}

static void
link_clear (void)
{
  for (guint i = 0; i < link_.n_calls; i++)
    call_clear (&link_.calls[i]);
}

static void
link_run (GccTime duration)
{
  GccTime end = link_.calls[0].now + duration;

  while (link_.calls[0].now < end) {
    for (guint i = 0; i < link_.n_calls; i++)
      call_step (&link_.calls[i]);
    for (guint i = 0; i < link_.n_cubics; i++)
      cubic_step (&link_.cubics[i], &link_.free, link_.capacity,
          link_.max_queue, link_.calls[0].now);
    link_.longest = MAX (link_.longest, link_.free - link_.calls[0].now);
  }
}

static void
switch_cubics (gboolean is_on)
{
  for (guint i = 0; i < link_.n_cubics; i++)
    link_.cubics[i].is_on = is_on;
}

static GccCompetitionState
get_state (guint i)
{
  return gcc_send_side_get_result (link_.calls[i].sender.send_side)
      ->competition;
}

/* The share of the link in the next 60 s. */
static gdouble
measure_share (guint i)
{
  Call *call = &link_.calls[i];
  gint64 before = call->received_bytes;

  link_run (60 * GCC_SECOND);
  return (gdouble) (call->received_bytes - before) * 8. / 60. /
      (gdouble) link_.capacity;
}

/* --- beside TCP --- */

/* From minute to minute the share beside TCP changes by a third, so ten of them
 * are looked at. */
static gdouble
measure_mean_share (guint i)
{
  gdouble share = 0.;

  for (guint j = 0; j < 10; j++)
    share += measure_share (i) / 10.;
  return share;
}

static void
test_one_tcp_flow_leaves_a_fair_share (void)
{
  static const GccRate capacities[] = { 1000000, 2000000, 4000000 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    gdouble share;

    link_init (1, 1, capacities[i]);
    link_run (20 * GCC_SECOND);
    switch_cubics (TRUE);
    link_run (20 * GCC_SECOND);
    link_.calls[0].n_lost = link_.calls[0].n_sent = 0;
    share = measure_mean_share (0);
    if (g_test_verbose ())
      g_printerr ("%d bit/s: share %.2f, %u of %u lost\n", (gint) capacities[i],
          share, link_.calls[0].n_lost, link_.calls[0].n_sent);
    g_assert_cmpfloat (share, >, 0.2);
    g_assert_cmpfloat (share, <, 0.7);
    g_assert_cmpuint (link_.calls[0].n_lost, <, link_.calls[0].n_sent / 20);
    link_clear ();
  }
}

/* Guards: a call that goes on filling the queue when it is the only one left. */
static void
test_the_queue_drains_when_tcp_has_left (void)
{
  link_init (1, 1, 1000000);
  link_run (20 * GCC_SECOND);
  switch_cubics (TRUE);
  link_run (20 * GCC_SECOND);
  g_assert_cmpint (get_state (0), ==, GCC_COMPETITION_TCP);
  switch_cubics (FALSE);
  link_run (45 * GCC_SECOND);
  g_assert_cmpint (get_state (0), ==, GCC_COMPETITION_NONE);
  link_.longest = 0;
  g_assert_cmpfloat (measure_share (0), >, 0.85);
  g_assert_cmpint (link_.longest, <, 100 * GCC_MSECOND);
  link_clear ();
}

/* --- beside each other --- */

/* Guards: two calls that each take the other for TCP, and hold a full queue for
 * ever. Who has more changes from minute to minute, so ten of them are looked
 * at. While the first gap of a probe counted, one had .28. */
static void
test_two_calls_share_a_short_queue (void)
{
  gdouble share;

  link_init (2, 0, 1000000);
  link_run (30 * GCC_SECOND);
  share = measure_mean_share (0);
  g_assert_cmpfloat (share, >, 0.35);
  g_assert_cmpfloat (share, <, 0.65);
  link_.longest = 0;
  link_run (30 * GCC_SECOND);
  g_assert_cmpint (link_.longest, <, 200 * GCC_MSECOND);
  g_assert_cmpuint (link_.calls[0].n_lost + link_.calls[1].n_lost, ==, 0);
  link_clear ();
}

/* --- alone --- */

/* libwebrtc's rate control needs 2 s for that, and loses twice as much. */
static void
test_a_drop_of_capacity_is_drained_at_once (void)
{
  Call *call = &link_.calls[0];

  link_init (1, 0, 2500000);
  link_run (30 * GCC_SECOND);
  set_capacity (600000);
  call->n_lost = 0;
  link_run (GCC_SECOND);
  g_assert_cmpint (link_.free - call->now, <, 150 * GCC_MSECOND);
  link_run (10 * GCC_SECOND);
  g_assert_cmpuint (call->n_lost, <, 100);
  g_assert_cmpint (get_state (0), !=, GCC_COMPETITION_TCP);
  link_clear ();
}

static void
test_random_loss_is_no_competition (void)
{
  link_init (1, 0, 1000000);
  link_.calls[0].loss = 0.05;
  for (guint i = 0; i < 60; i++) {
    link_run (GCC_SECOND);
    g_assert_cmpint (get_state (0), !=, GCC_COMPETITION_TCP);
  }
  link_clear ();
}

/* As of a receiver that is busy now and then. */
static void
run_noisy (Call *call, GccTime duration)
{
  for (GccTime end = call->now + duration; call->now < end;) {
    call->delay = 25 * GCC_MSECOND +
        g_rand_int_range (call->rand, 0, 80) * GCC_MSECOND;
    call_step (call);
  }
}

/* Guards: over-use had to be above the sum of γ, which follows m, and of the
 * noise, and never was: the queue grew until it lost, twice as much. */
static void
test_a_queue_that_grows_under_noise_is_overuse (void)
{
  Call *call = &link_.calls[0];
  guint n_lost = 0;
  gint64 bytes = 0;

  for (guint i = 0; i < 12; i++) {
    link_init (1, 0, 2000000);
    g_rand_set_seed (call->rand, i);
    run_noisy (call, 30 * GCC_SECOND);
    call->n_lost = 0;
    call->received_bytes = 0;
    run_noisy (call, 60 * GCC_SECOND);
    n_lost += call->n_lost;
    bytes += call->received_bytes;
    link_clear ();
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
  Call *call = &link_.calls[0];
  gint64 before;

  link_init (1, 0, 1000000);
  link_run (30 * GCC_SECOND);
  call->delay += 100 * GCC_MSECOND;
  link_run (2 * GCC_SECOND);
  before = call->received_bytes;
  link_run (8 * GCC_SECOND);
  g_assert_cmpint (call->received_bytes - before, >, 800000);
  g_assert_cmpint (get_state (0), ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (gcc_sender_get_stats (&call->sender)->verdict, ==,
      GCC_VERDICT_LONGER_PATH);
  link_clear ();
}

/* Guards: any loss since the last test said that others fill the queue. The
 * path loses 0.3 % by itself and becomes longer: one of twelve calls kept half of
 * it for good, another was late. */
static void
test_a_longer_path_that_loses_is_used (void)
{
  guint n_stuck = 0;

  for (guint i = 0; i < 12; i++) {
    gdouble share;

    link_init (1, 0, 4000000);
    link_.calls[0].loss = 0.003;
    g_rand_set_seed (link_.calls[0].rand, i);
    link_run (30 * GCC_SECOND);
    link_.calls[0].delay += 40 * GCC_MSECOND;
    link_run (30 * GCC_SECOND);
    share = measure_share (0);
    if (g_test_verbose ())
      g_printerr ("seed %u: share %.2f\n", i, share);
    n_stuck += share < 0.9;
    link_clear ();
  }
  g_assert_cmpuint (n_stuck, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/shared-link/" #name, test_##name)
  ADD (one_tcp_flow_leaves_a_fair_share);
  ADD (the_queue_drains_when_tcp_has_left);
  ADD (two_calls_share_a_short_queue);
  ADD (a_drop_of_capacity_is_drained_at_once);
  ADD (random_loss_is_no_competition);
  ADD (a_queue_that_grows_under_noise_is_overuse);
  ADD (a_longer_path_is_used_after_two_seconds);
  ADD (a_longer_path_that_loses_is_used);
#undef ADD
  return g_test_run ();
}
