/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Who holds the queue, and what to do about it: the stage alone. */

#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

static GccCompetition stage;
static GccTime now;
static GccTime clock_offset;
static gboolean in_alr;

static const GccCompetitionParams *
get_params (void)
{
  return &gcc_profile_recommended.send_side->rules->competition;
}

static void
feed (gboolean is_overused, GccTime round_trip, GccRate acknowledged,
    guint n_lost)
{
  GccCompetitionInput input = {
    .is_overused = is_overused,
    .acknowledged = acknowledged,
    .round_trip = round_trip,
    .delay = round_trip + clock_offset,
    .n_lost = n_lost,
    .n_arrived = 10,
    .in_alr = in_alr,
    .target = 1000000,
  };

  now += 50 * GCC_MSECOND;
  gcc_competition_feed (&stage, &input, now);
}

static void
start (void)
{
  now = 5 * GCC_SECOND;
  clock_offset = -1234567;
  in_alr = FALSE;
  gcc_competition_init (&stage, get_params ());
  feed (FALSE, 50 * GCC_MSECOND, 1000000, 0);
}

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (stage.holder.experiment.verdict, ==, verdict);
}

static void
test_a_queue_that_empties_was_ours (void)
{
  start ();
  assert_verdict (GCC_VERDICT_NONE);
  feed (TRUE, 250 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 700000);
  g_assert_cmpint (stage.queue.queueing, ==, 200 * GCC_MSECOND);
  feed (TRUE, 150 * GCC_MSECOND, 1000000, 0);
  feed (FALSE, 55 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, GCC_RATE_NONE);
  g_assert_cmpint (stage.holder.rate_before, ==, 1000000);
  g_assert_cmpint (stage.capacity, ==, 1000000);
  assert_verdict (GCC_VERDICT_OWN);
}

/* A queue that others shorten and fill again. */
static void
feed_full (GccRate acknowledged, guint n_lost)
{
  feed (FALSE, (250 - now / (500 * GCC_MSECOND) % 2 * 60) * GCC_MSECOND,
      acknowledged, n_lost);
}

/* A queue that stays, and of what arrives the share of a drain: TCP. */
static void
find_others (GccRate acknowledged)
{
  /* after a jump the path is noisy, and the least of a round counts */
  for (guint i = 0;
       i < 10 && gcc_competition_get_state (&stage) == GCC_COMPETITION_NONE;
       i++)
    feed (TRUE, 250 * GCC_MSECOND, acknowledged, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  while (gcc_competition_get_state (&stage) == GCC_COMPETITION_DRAIN)
    feed_full (7 * acknowledged / 10, 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

static void
test_a_queue_that_stays_is_held_by_others (void)
{
  start ();
  feed (TRUE, 250 * GCC_MSECOND, 1000000, 0);
  feed (FALSE, 55 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (stage.capacity, ==, 1000000);
  find_others (1000000);
  g_assert_cmpint (stage.capacity, ==, GCC_RATE_NONE);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (gcc_competition_get_rate (&stage), >, 200000);
  assert_verdict (GCC_VERDICT_OTHERS);
}

static void
test_a_share_that_does_not_arrive_is_given_up (void)
{
  start ();
  find_others (1000000);
  for (guint i = 0; i < 19; i++)
    feed_full (100000, 1);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  feed_full (100000, 1);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 70000);
  /* others hold the queue all the same */
  while (gcc_competition_get_state (&stage) == GCC_COMPETITION_DRAIN)
    feed_full (70000, 1);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (gcc_competition_get_rate (&stage), <=, 110000);
}

static void
test_an_application_that_sends_little_keeps_its_share (void)
{
  start ();
  find_others (1000000);
  in_alr = TRUE;
  for (guint i = 0; i < 100; i++)
    feed_full (100000, 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

/* Beside a queue whose length does not change, for as long as until the next test;
 * one packet is lost in each @nth feedback. */
static GccCompetitionState
lose_beside_a_steady_queue (guint nth)
{
  start ();
  find_others (1000000);
  for (guint i = 0; gcc_competition_get_state (&stage) == GCC_COMPETITION_TCP;
       i++)
    feed (FALSE, (250 + (GccTime) i % 5) * GCC_MSECOND, 500000,
        i % nth == 0 ? 1 : 0);
  return gcc_competition_get_state (&stage);
}

/* Guards: TCP that had most of a queue kept it full, and was taken for a longer path.
 * A_s fell to its least for good. */
static void
test_a_steady_queue_that_loses_much_is_no_longer_path (void)
{
  g_assert_cmpint (lose_beside_a_steady_queue (2), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (lose_beside_a_steady_queue (20), ==, GCC_COMPETITION_NONE);
}

static void
test_more_losses_are_a_lower_rate (void)
{
  GccRate rare, often;

  start ();
  find_others (1000000);
  for (guint i = 0; i < 300; i++)
    feed_full (500000, i % 100 == 0);
  rare = gcc_competition_get_rate (&stage);
  start ();
  find_others (1000000);
  for (guint i = 0; i < 300; i++)
    feed_full (500000, i % 20 == 0);
  often = gcc_competition_get_rate (&stage);
  g_assert_cmpint (often, <, rare);
  g_assert_cmpint (often, >, 0);
}

/* Guards: each time that TCP left the queue empty for a moment, late between two
 * tests, the share began anew at half of what arrived. */
static void
test_an_empty_queue_ends_no_share (void)
{
  GccRate before;

  start ();
  find_others (1000000);
  for (guint i = 0; i < 150; i++)
    feed_full (gcc_competition_get_rate (&stage), i % 100 == 0);
  before = gcc_competition_get_rate (&stage);
  feed (FALSE, 50 * GCC_MSECOND, 500000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  find_others (before);
  g_assert_cmpint (gcc_competition_get_rate (&stage), >, before - before / 100);
}

/* Guards: a rate that was halved again and again while feedback was late. */
static void
test_feedback_that_is_late_is_no_queue (void)
{
  start ();
  clock_offset -= 2 * GCC_SECOND;
  feed (TRUE, 2050 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (stage.queue.queueing, ==, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

static void
test_a_clock_that_drifts_is_no_queue (void)
{
  start ();
  clock_offset += 500 * GCC_MSECOND;
  feed (TRUE, 50 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (stage.queue.queueing, ==, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

static void
test_times_of_any_clock_do_no_harm (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  start ();
  for (guint i = 0; i < 100000; i++) {
    GccCompetitionInput input = {
      .is_overused = g_rand_boolean (rand),
      .acknowledged = g_rand_int_range (rand, -1, 2000000),
      .round_trip = g_rand_int_range (rand, -10, 3000000),
      .delay = (GccTime) ((guint64) g_rand_int (rand)
          << g_rand_int_range (rand, 0, 33)),
      .n_lost = (guint) g_rand_int_range (rand, 0, 3),
    };

    now = (GccTime) ((guint64) now +
        (guint64) g_rand_int_range (rand, -1000000, 2000000));
    gcc_competition_feed (&stage, &input, now);
    g_assert_cmpint (gcc_competition_get_rate (&stage), >=, GCC_RATE_NONE);
  }
}

/* Guards: somebody tells of a packet before it can have arrived, by a clock that
 * is far off; the least round trip was his, and the next over-use a queue that
 * never drained. */
static void
test_another_clock_tells_of_another_path (void)
{
  start ();
  clock_offset += 3600 * GCC_SECOND;
  feed (FALSE, 5 * GCC_MSECOND, 1000000, 0);
  clock_offset -= 3600 * GCC_SECOND;
  feed (TRUE, 60 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  feed (TRUE, 120 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
}

/* Guards: a receiver of GStreamer 1.22 that was started anew told of one packet
 * by another clock. The least round trip was 0 from then on, every queue one of
 * others, and half the rate was sent for as long as one looked. */
static void
test_a_round_trip_of_no_time_tells_nothing (void)
{
  start ();
  feed (FALSE, 0, 1000000, 0);
  feed (TRUE, 90 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (stage.queue.queueing, ==, 40 * GCC_MSECOND);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

/* Guards: a Wi-Fi's jitter of 20 ms, whose least round trip is 80 ms below the
 * mean: each over-use found a queue, which no drain made shorter. */
static void
test_jitter_is_no_queue (void)
{
  static const GccTime jumps[] = { 0, 40, -30, 20, -60, 50, -10, 30, -40, 10 };

  start ();
  for (guint i = 0; i < 200; i++)
    feed (FALSE, (100 + jumps[i % G_N_ELEMENTS (jumps)]) * GCC_MSECOND, 1000000,
        0);
  g_assert_cmpint (
      gcc_path_queue_get_noise (&stage.queue), >, 20 * GCC_MSECOND);
  feed (TRUE, 130 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);

  /* and a queue is one still, after two rounds at most */
  for (guint i = 0; i < 9; i++)
    feed (TRUE, (400 + jumps[i]) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), !=, GCC_COMPETITION_NONE);
}

/* γ follows a queue that grows slowly, and m never is above it. */
static void
test_a_long_queue_on_a_noisy_path_is_drained_without_overuse (void)
{
  gboolean has_drained = FALSE;

  start ();
  for (guint i = 0; i < 100; i++)
    feed (FALSE, (100 + (i % 2) * 14) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_path_queue_get_noise (&stage.queue), >, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  for (guint i = 0; i < 100; i++) {
    feed (FALSE, (100 + 3 * i + (i % 2) * 14) * GCC_MSECOND, 1000000, 0);
    has_drained |= gcc_competition_get_state (&stage) == GCC_COMPETITION_DRAIN;
  }
  g_assert_true (has_drained);
}

static void
test_a_quiet_path_makes_no_noise (void)
{
  start ();
  for (guint i = 0; i < 200; i++)
    feed (FALSE, (50 + 8 * (i % 2)) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_path_queue_get_noise (&stage.queue), ==, 0);
  g_assert_cmpint (stage.queue.queueing, ==, 8 * GCC_MSECOND);
}

/* Guards: somebody told of packets of half a day ago, and half the rate was sent
 * for half a day more. */
static void
test_a_drain_ends_whatever_the_round_trip_was (void)
{
  GccTime late = 12 * 3600 * GCC_SECOND;

  start ();
  clock_offset -= late;
  feed (TRUE, late + 250 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  clock_offset += late;
  for (guint i = 0; i < 200; i++)
    feed (FALSE, 65 * GCC_MSECOND, 500000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/competition/" #name, test_##name)
  ADD (a_share_that_does_not_arrive_is_given_up);
  ADD (an_application_that_sends_little_keeps_its_share);
  ADD (a_steady_queue_that_loses_much_is_no_longer_path);
  ADD (a_queue_that_empties_was_ours);
  ADD (a_queue_that_stays_is_held_by_others);
  ADD (more_losses_are_a_lower_rate);
  ADD (an_empty_queue_ends_no_share);
  ADD (feedback_that_is_late_is_no_queue);
  ADD (a_clock_that_drifts_is_no_queue);
  ADD (another_clock_tells_of_another_path);
  ADD (times_of_any_clock_do_no_harm);
  ADD (jitter_is_no_queue);
  ADD (a_long_queue_on_a_noisy_path_is_drained_without_overuse);
  ADD (a_quiet_path_makes_no_noise);
  ADD (a_round_trip_of_no_time_tells_nothing);
  ADD (a_drain_ends_whatever_the_round_trip_was);
#undef ADD
  return g_test_run ();
}
