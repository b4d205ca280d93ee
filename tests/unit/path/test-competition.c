/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Who holds the queue, and what to do about it: the stage alone. */

#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

static const GccCompetitionParams params = {
  .queue = {
    .max_way_back = 50 * GCC_MSECOND,
    .max_jump = 5 * GCC_SECOND,
    .max_round_trip = 5 * GCC_SECOND,
    .mean_steps = 16.,
    .quiet = 10 * GCC_MSECOND,
    .loud = 40 * GCC_MSECOND,
    .base_window = 10 * GCC_SECOND,
    .round = 200 * GCC_MSECOND,
    .packet = 1000,
    .packet_time = {
      .link_memory = 20 * GCC_SECOND,
      .empty = 10 * GCC_MSECOND,
    },
    .empty = 10 * GCC_MSECOND,
  },
  .trigger = {
    .min_queueing = 50 * GCC_MSECOND,
    .min_shared_queueing = 40 * GCC_MSECOND,
  },
  .drain = {
    .share = 0.5,
    .min_duration = 100 * GCC_MSECOND,
    .max_duration = 1 * GCC_SECOND,
    .drained = 0.5,
    .follows = 0.9,
  },
  .loss_memory = 1 * GCC_SECOND,
  .lossy_time = 10 * GCC_SECOND,
  .share = {
    .first = 0.5,
    .test_interval = 20 * GCC_SECOND,
    .cubic = { .max_step = 0.1,
        .cubic = { .packet = 1500., .beta = 0.7, .C = 0.4 } },
  },
};

static GccCompetition stage;
static GccTime now;
static GccTime clock_offset;
static gboolean is_shared;
static gboolean in_alr;
/* what has been sent, and at which rate that goes on */
static guint64 sent;
static GccRate sending;

static void
feed (gboolean is_overused, GccTime round_trip, GccRate acknowledged,
    guint n_lost)
{
  GccCompetitionInput input;

  sent += (guint64) sending / 8 / 20;
  input = (GccCompetitionInput){
    .is_overused = is_overused,
    .acknowledged = acknowledged,
    .round_trip = round_trip,
    .delay = round_trip + clock_offset,
    .n_lost = n_lost,
    .n_arrived = 10,
    .sent = sent,
    .is_shared = is_shared,
    .in_alr = in_alr,
  };

  now += 50 * GCC_MSECOND;
  gcc_competition_update (&stage, &input, now);
}

static void
start (void)
{
  now = 5 * GCC_SECOND;
  clock_offset = -1234567;
  is_shared = FALSE;
  in_alr = FALSE;
  sent = 0;
  sending = 0;
  gcc_competition_init (&stage, &params);
  feed (FALSE, 50 * GCC_MSECOND, 1000000, 0);
}

static void
assert_verdict (GccVerdict verdict)
{
  g_assert_cmpint (
      gcc_competition_get_experiment (&stage)->verdict, ==, verdict);
}

static void
test_a_queue_that_empties_was_ours (void)
{
  start ();
  assert_verdict (GCC_VERDICT_NONE);
  feed (TRUE, 250 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 500000);
  g_assert_cmpint (
      gcc_competition_get_queueing (&stage), ==, 200 * GCC_MSECOND);
  feed (TRUE, 150 * GCC_MSECOND, 1000000, 0);
  feed (FALSE, 55 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, GCC_RATE_NONE);
  g_assert_cmpint (gcc_competition_get_rate_before (&stage), ==, 1000000);
  g_assert_cmpint (gcc_competition_get_capacity (&stage), ==, 1000000);
  assert_verdict (GCC_VERDICT_OWN);
}

static void
run_queue (guint n, GccTime round_trip, GccRate acknowledged)
{
  for (guint i = 0; i < n; i++)
    feed (TRUE, round_trip, acknowledged, 0);
}

static void
run_full_queue (guint n, GccRate acknowledged)
{
  run_queue (n, 250 * GCC_MSECOND, acknowledged);
}

/* Guards: two flows that take each other's frames for a queue of TCP. */
static void
test_a_short_queue_is_drained_gently_and_to_a_frame (void)
{
  start ();
  feed (TRUE, 95 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  is_shared = TRUE;
  feed (TRUE, 95 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 550000);
  for (guint i = 0; i < 20; i++)
    feed (FALSE, 74 * GCC_MSECOND, 600000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

/* As PIE makes it. */
static void
test_a_short_queue_that_stays_and_loses_is_held_by_others (void)
{
  start ();
  is_shared = TRUE;
  feed (TRUE, 95 * GCC_MSECOND, 1000000, 0);
  for (guint i = 0; i < 20; i++)
    feed (FALSE, 74 * GCC_MSECOND, 600000, i == 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

static void
test_a_queue_that_stays_is_held_by_others (void)
{
  start ();
  feed (TRUE, 250 * GCC_MSECOND, 1000000, 0);
  feed (FALSE, 55 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_capacity (&stage), ==, 1000000);
  run_full_queue (20, 500000);
  g_assert_cmpint (gcc_competition_get_capacity (&stage), ==, GCC_RATE_NONE);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (gcc_competition_get_rate (&stage), >, 200000);
  assert_verdict (GCC_VERDICT_OTHERS);
}

static void
test_a_share_that_does_not_arrive_is_given_up (void)
{
  start ();
  run_full_queue (20, 500000);
  for (guint i = 0; i < 19; i++)
    feed (FALSE, 250 * GCC_MSECOND, 100000, 1);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  feed (FALSE, 250 * GCC_MSECOND, 100000, 1);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 50000);
  /* others hold the queue all the same */
  while (stage.state == GCC_COMPETITION_DRAIN)
    feed (FALSE, 250 * GCC_MSECOND, 100000, 1);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (gcc_competition_get_rate (&stage), <=, 110000);
}

static void
test_an_application_that_sends_little_keeps_its_share (void)
{
  start ();
  run_full_queue (20, 500000);
  in_alr = TRUE;
  for (guint i = 0; i < 100; i++)
    feed (FALSE, 250 * GCC_MSECOND, 100000, 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

/* Beside a queue whose length does not change, for as long as until the next test;
 * one packet is lost in each @nth feedback. */
static GccCompetitionState
lose_beside_a_steady_queue (guint nth)
{
  static GccCompetitionParams steady;

  steady = params;
  steady.longer_path = (GccCompetitionLongerPathParams){ .steady = 25 *
        GCC_MSECOND,
    .steady_time = 5 * GCC_SECOND,
    .full_at = 0.7,
    .max_loss = 0.02 };
  start ();
  stage.params = &steady;
  run_full_queue (20, 500000);
  for (guint i = 0; stage.state == GCC_COMPETITION_TCP; i++)
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

/* Guards: a queue that an encoder went on filling for 400 ms was held by TCP. */
static void
test_a_drain_begins_when_the_encoder_sends_less (void)
{
  start ();
  sending = 1000000;
  feed (FALSE, 50 * GCC_MSECOND, 1000000, 0);
  feed (TRUE, 250 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  for (guint i = 0; i < 15; i++)
    feed (TRUE, 300 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  sending = 500000;
  for (guint i = 0; i <= 10; i++)
    feed (FALSE, (300 - 25 * (GccTime) i) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);

  /* none waits for ever */
  sending = 1000000;
  run_full_queue (60, 1000000);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

/* A frame leaves at once, and nothing for a while after it. */
static void
send_in_bursts (GccRate rate, GccTime round_trip, guint n)
{
  for (guint i = 0; i < n; i++) {
    sending = i % 4 == 0 ? 4 * rate : 0;
    feed (FALSE, round_trip, 1000000, 0);
  }
}

/* Guards: PIE beside a TCP flow. Each frame of a call that had been lowered was taken
 * for the rate before. The call sent 0.7 R for a second and more, in which the queue
 * emptied, and had .2 of the link. */
static void
test_a_frame_does_not_prolong_a_drain (void)
{
  start ();
  send_in_bursts (1000000, 50 * GCC_MSECOND, 20);
  feed (TRUE, 150 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  send_in_bursts (500000, 150 * GCC_MSECOND, 14);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

/* An encoder that sends a fifth more than it is asked for has answered, too. */
static void
test_an_encoder_that_exceeds_its_target_may_answer (void)
{
  start ();
  sending = 1200000;
  for (guint i = 0; i < 20; i++)
    feed (FALSE, 50 * GCC_MSECOND, 1000000, 0);
  feed (TRUE, 150 * GCC_MSECOND, 1000000, 0);
  sending = 850000;
  for (guint i = 0; i < 14; i++)
    feed (FALSE, 150 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
}

/* What arrives is less than what is sent: it is the link that has changed. */
static void
test_a_queue_that_stays_on_a_slower_link_is_drained_again (void)
{
  start ();
  run_full_queue (5, 1000000);
  run_full_queue (15, 200000);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_DRAIN);
  g_assert_cmpint (gcc_competition_get_rate (&stage), ==, 100000);
  assert_verdict (GCC_VERDICT_SLOWER_LINK);
}

static void
test_more_losses_are_a_lower_rate (void)
{
  GccRate rare, often;

  start ();
  run_full_queue (30, 500000);
  for (guint i = 0; i < 300; i++)
    feed (FALSE, 250 * GCC_MSECOND, 500000, i % 100 == 0);
  rare = gcc_competition_get_rate (&stage);
  start ();
  run_full_queue (30, 500000);
  for (guint i = 0; i < 300; i++)
    feed (FALSE, 250 * GCC_MSECOND, 500000, i % 20 == 0);
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
  run_full_queue (20, 500000);
  for (guint i = 0; i < 300; i++)
    feed (FALSE, 250 * GCC_MSECOND, 500000, i % 100 == 0);
  before = gcc_competition_get_rate (&stage);
  feed (FALSE, 50 * GCC_MSECOND, 500000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  run_full_queue (2, 500000);
  while (gcc_competition_get_state (&stage) == GCC_COMPETITION_DRAIN)
    feed (TRUE, 250 * GCC_MSECOND, 250000, 0);
  g_assert_cmpint (gcc_competition_get_state (&stage), ==, GCC_COMPETITION_TCP);
  g_assert_cmpint (gcc_competition_get_rate (&stage), >, before - before / 100);
}

/* Guards: a rate that was halved again and again while feedback was late. */
static void
test_feedback_that_is_late_is_no_queue (void)
{
  start ();
  clock_offset -= 2 * GCC_SECOND;
  feed (TRUE, 2050 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_queueing (&stage), ==, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

static void
test_a_clock_that_drifts_is_no_queue (void)
{
  start ();
  clock_offset += 500 * GCC_MSECOND;
  feed (TRUE, 50 * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_queueing (&stage), ==, 0);
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
    gcc_competition_update (&stage, &input, now);
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
  g_assert_cmpint (gcc_competition_get_queueing (&stage), ==, 40 * GCC_MSECOND);
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
  g_assert_cmpint (gcc_competition_get_noise (&stage), >, 20 * GCC_MSECOND);
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
  start ();
  for (guint i = 0; i < 100; i++)
    feed (FALSE, (100 + (i % 2) * 14) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_noise (&stage), >, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
  for (guint i = 0; i < 100; i++)
    feed (FALSE, (100 + 3 * i + (i % 2) * 14) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), !=, GCC_COMPETITION_NONE);
}

static void
test_a_long_queue_on_a_quiet_path_waits_for_overuse (void)
{
  start ();
  for (guint i = 0; i < 200; i++)
    feed (FALSE, (100 + 2 * i) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (
      gcc_competition_get_state (&stage), ==, GCC_COMPETITION_NONE);
}

static void
test_a_quiet_path_makes_no_noise (void)
{
  start ();
  for (guint i = 0; i < 200; i++)
    feed (FALSE, (50 + 8 * (i % 2)) * GCC_MSECOND, 1000000, 0);
  g_assert_cmpint (gcc_competition_get_noise (&stage), ==, 0);
  g_assert_cmpint (gcc_competition_get_queueing (&stage), ==, 8 * GCC_MSECOND);
}

/* Guards: a number that was in this file's table and not in the profile's. */
static void
test_the_default_has_every_number (void)
{
  const GccCompetitionParams *own =
      &gcc_profile_recommended.send_side->rules->competition;

  g_assert_cmpint (own->trigger.min_queueing, ==, params.trigger.min_queueing);
  g_assert_cmpint (own->loss_memory, ==, params.loss_memory);
  g_assert_cmpint (own->queue.empty, ==, params.queue.empty);
  g_assert_cmpint (own->queue.round, ==, params.queue.round);
  g_assert_cmpuint (own->queue.packet, ==, params.queue.packet);
  g_assert_cmpint (own->queue.packet_time.link_memory, ==,
      params.queue.packet_time.link_memory);
  g_assert_cmpint (
      own->queue.packet_time.empty, ==, params.queue.packet_time.empty);
  g_assert_cmpint (own->lossy_time, ==, params.lossy_time);
  g_assert_cmpint (own->share.test_interval, ==, params.share.test_interval);
  g_assert_cmpint (own->trigger.min_shared_queueing, >, 0);
  g_assert_cmpint (
      own->trigger.min_shared_queueing, <=, own->trigger.min_queueing);
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
  ADD (a_drain_begins_when_the_encoder_sends_less);
  ADD (a_frame_does_not_prolong_a_drain);
  ADD (an_encoder_that_exceeds_its_target_may_answer);
  ADD (a_queue_that_empties_was_ours);
  ADD (a_short_queue_is_drained_gently_and_to_a_frame);
  ADD (a_short_queue_that_stays_and_loses_is_held_by_others);
  ADD (a_queue_that_stays_is_held_by_others);
  ADD (a_queue_that_stays_on_a_slower_link_is_drained_again);
  ADD (more_losses_are_a_lower_rate);
  ADD (an_empty_queue_ends_no_share);
  ADD (the_default_has_every_number);
  ADD (feedback_that_is_late_is_no_queue);
  ADD (a_clock_that_drifts_is_no_queue);
  ADD (another_clock_tells_of_another_path);
  ADD (times_of_any_clock_do_no_harm);
  ADD (jitter_is_no_queue);
  ADD (a_long_queue_on_a_noisy_path_is_drained_without_overuse);
  ADD (a_long_queue_on_a_quiet_path_waits_for_overuse);
  ADD (a_quiet_path_makes_no_noise);
  ADD (a_round_trip_of_no_time_tells_nothing);
  ADD (a_drain_ends_whatever_the_round_trip_was);
#undef ADD
  return g_test_run ();
}
