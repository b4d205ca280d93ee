/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-pacer.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#define MAX_WAIT (250 * GCC_MSECOND)
#define BURST (5 * GCC_MSECOND)
#define MAX_LATE (30 * GCC_MSECOND)

/* 1000 bytes take 8 ms. */
#define RATE 1000000

static void
start (GccPacer *pacer, GccRate rate)
{
  gcc_pacer_init (pacer, &gcc_profile_find ("rtcweb-2013")->pacer, MAX_WAIT);
  gcc_pacer_set_rate (pacer, rate);
}

static void
queue (GccPacer *pacer, guint n, gsize bytes, GccTime now)
{
  for (guint i = 0; i < n; i++)
    gcc_pacer_queued (pacer, bytes, now);
}

static void
check_next (GccPacer *pacer, GccTime next, GccTime now)
{
  g_assert_cmpint (gcc_pacer_next_send (pacer, now), ==, next);
}

static void
test_a_queue_is_overfull_beyond_twenty_seconds_of_the_rate (void)
{
  static const GccRate rates[] = { 400000, 2000000, G_MAXUINT32, G_MAXINT64 };
  GccPacer pacer;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    start (&pacer, RATE);
    queue (&pacer, 1000, 1000, 0);
    g_assert_false (gcc_pacer_is_overfull (&pacer, rates[i]));
    queue (&pacer, 4000, 1000, 0);
    g_assert_cmpint (
        gcc_pacer_is_overfull (&pacer, rates[i]), ==, rates[i] < 2000000);
    queue (&pacer, 1, 1000, 0);
    g_assert_cmpint (
        gcc_pacer_is_overfull (&pacer, rates[i]), ==, rates[i] <= 2000000);
  }
}

/* Not even at a rate of 1 bit/s. */
static void
test_a_key_frame_makes_no_queue_overfull (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 1000, 1000, 0);
  g_assert_false (gcc_pacer_is_overfull (&pacer, 1));
  queue (&pacer, 1, 1000, 0);
  g_assert_true (gcc_pacer_is_overfull (&pacer, 1));
}

static void
test_first_packet_leaves_at_once (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 1, 1000, 7);
  check_next (&pacer, 7, 7);
}

/* When packets of 1000 bytes that are queued at 0 leave. */
static void
send_all (GccPacer *pacer, GccTime *sent, guint n)
{
  GccTime now = 0;

  queue (pacer, n, 1000, 0);
  for (guint i = 0; i < n; i++) {
    now = gcc_pacer_next_send (pacer, now);
    sent[i] = now;
    gcc_pacer_sent (pacer, 1000, now);
  }
}

/* 8 ms at 1 Mbit/s. */
static void
check_gaps (const GccTime *sent, guint n, gdouble factor)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (
        ABS (sent[i + 1] - sent[i] - (GccTime) (8. / factor * GCC_MSECOND)), <=,
        1);
}

/* Two packets of 500 bytes are a group else. */
static void
test_packets_leave_one_by_one_where_a_queue_marks (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  gcc_pacer_send_singly (&pacer);
  queue (&pacer, 3, 500, 0);
  for (GccTime now = 0; now < 12 * GCC_MSECOND; now += 4 * GCC_MSECOND) {
    check_next (&pacer, now, now);
    gcc_pacer_sent (&pacer, 500, now);
  }
}

/* libwebrtc of 2015: five gaps at three times the start rate, and five at six
 * times; what follows is paced. */
static void
test_the_first_packets_of_2016_probe_the_path (void)
{
  GccTime sent[13];
  GccPacer pacer;

  gcc_pacer_init (&pacer, &gcc_profile_find ("rmcat-2016")->pacer, GCC_SECOND);
  gcc_pacer_set_rate (&pacer, RATE * 5 / 2);
  gcc_pacer_probe (&pacer, RATE, 0);
  send_all (&pacer, sent, G_N_ELEMENTS (sent));
  check_gaps (&sent[0], 5, 3.);
  check_gaps (&sent[5], 5, 6.);
  g_assert_cmpint (sent[12] - sent[10], ==, 6400);
}

/* A frame that is not long enough ends the session of probes, as in libwebrtc:
 * the next one is paced. */
static void
test_a_probe_that_waits_for_packets_is_over (void)
{
  GccTime sent[3];
  GccPacer pacer;

  gcc_pacer_init (&pacer, &gcc_profile_find ("rmcat-2016")->pacer, GCC_SECOND);
  gcc_pacer_set_rate (&pacer, RATE * 5 / 2);
  gcc_pacer_probe (&pacer, RATE, 0);
  send_all (&pacer, sent, G_N_ELEMENTS (sent));
  gcc_pacer_queued (&pacer, 1000, 33 * GCC_MSECOND);
  check_next (&pacer, 33 * GCC_MSECOND, 33 * GCC_MSECOND);
  gcc_pacer_sent (&pacer, 1000, 33 * GCC_MSECOND);
  g_assert_cmpuint (pacer.prober.n_abandoned, ==, 2);
}

/* A packet of a probe would wait until the clock is there again. */
static void
test_a_clock_that_is_set_back_does_not_stop_a_probe (void)
{
  GccTime now = 3600 * GCC_SECOND;
  GccPacer pacer;

  gcc_pacer_init (&pacer, &gcc_profile_find ("rmcat-2016")->pacer, GCC_SECOND);
  gcc_pacer_set_rate (&pacer, RATE * 5 / 2);
  gcc_pacer_probe (&pacer, RATE, now);
  queue (&pacer, 3, 1000, now);
  gcc_pacer_sent (&pacer, 1000, now);
  g_assert_cmpint (gcc_pacer_next_send (&pacer, now), >, now);
  check_next (&pacer, 0, 0);
}

static void
test_no_probe_breaks_the_bound (void)
{
  GccTime sent[20];
  GccPacer pacer;

  gcc_pacer_init (
      &pacer, &gcc_profile_find ("rmcat-2016")->pacer, 20 * GCC_MSECOND);
  gcc_pacer_set_rate (&pacer, RATE * 5 / 2);
  gcc_pacer_probe (&pacer, RATE, 0);
  send_all (&pacer, sent, G_N_ELEMENTS (sent));
  g_assert_cmpint (sent[19], <=, 20 * GCC_MSECOND);
}

static void
test_padding_makes_up_for_media (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  g_assert_cmpint (gcc_pacer_next_padding (&pacer, 7), ==, GCC_TIME_NONE);
  gcc_pacer_set_padding_rate (&pacer, RATE / 2);
  g_assert_cmpint (gcc_pacer_next_padding (&pacer, 7), ==, 7);
  g_assert_cmpuint (gcc_pacer_get_padding_size (&pacer), ==, 312);
  queue (&pacer, 1, 1000, 7);
  g_assert_cmpint (gcc_pacer_next_padding (&pacer, 7), ==, GCC_TIME_NONE);
  gcc_pacer_sent (&pacer, 1000, 7);
  g_assert_cmpint (
      gcc_pacer_next_padding (&pacer, 7), ==, 16 * GCC_MSECOND + 7);
  gcc_pacer_queued (&pacer, 500, 7);
  gcc_pacer_probed (&pacer, 500, 7);
  g_assert_cmpint (
      gcc_pacer_next_padding (&pacer, 7), ==, 24 * GCC_MSECOND + 7);
  gcc_pacer_set_padding_rate (&pacer, 0);
  g_assert_cmpint (
      gcc_pacer_next_padding (&pacer, GCC_SECOND), ==, GCC_TIME_NONE);
}

static GccTime
get_wait_after_probe (const gchar *profile)
{
  GccPacer pacer;

  gcc_pacer_init (&pacer, &gcc_profile_find (profile)->pacer, MAX_WAIT);
  gcc_pacer_set_rate (&pacer, RATE);
  queue (&pacer, 5, 1000, 0);
  for (GccTime now = 0; now < 20 * GCC_MSECOND; now += 4 * GCC_MSECOND)
    gcc_pacer_probed (&pacer, 1000, now);
  queue (&pacer, 1, 1000, 17 * GCC_MSECOND);
  return gcc_pacer_next_send (&pacer, 17 * GCC_MSECOND) - 17 * GCC_MSECOND;
}

/* Guards: a frame that waited until the rate had paid for a probe at twice the
 * rate, which libwebrtc makes it do. */
static void
test_a_frame_does_not_wait_for_a_probe_that_has_left (void)
{
  g_assert_cmpint (get_wait_after_probe ("recommended"), ==, 0);
  g_assert_cmpint (get_wait_after_probe ("goog-2026"), ==, 23 * GCC_MSECOND);
}

static void
test_packets_leave_at_the_rate (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 10, 1000, 0);
  for (guint i = 0; i < 10; i++) {
    GccTime due = (GccTime) i * 8 * GCC_MSECOND;

    check_next (&pacer, due, MAX (due - GCC_MSECOND, 0));
    check_next (&pacer, due, due);
    gcc_pacer_sent (&pacer, 1000, due);
  }
}

/* A packet takes 23 ms and a third of a us at this rate. */
static void
test_rounded_times_do_not_add_up (void)
{
  const GccRate rate = 347821;
  GccPacer pacer;
  GccTime now = 0;

  start (&pacer, rate);
  queue (&pacer, 1, 1000, 0);
  for (gint64 i = 0; i < 100000; i++) {
    gint64 load = i * 1000 * 8 * GCC_SECOND;

    queue (&pacer, 1, 1000, now);
    now = gcc_pacer_next_send (&pacer, now);
    g_assert_cmpint (now, ==, (load + rate - 1) / rate);
    gcc_pacer_sent (&pacer, 1000, now);
  }
}

static void
test_small_packets_leave_in_groups (void)
{
  GccPacer pacer;
  GccTime now = 0;

  start (&pacer, RATE);
  queue (&pacer, 100, 125, now);
  for (guint i = 0; i < 20; i++, now += BURST) {
    for (guint j = 0; j < 5; j++) {
      check_next (&pacer, now, now);
      gcc_pacer_sent (&pacer, 125, now);
    }
    check_next (&pacer, now + BURST, now);
  }
}

/* A group is open while it is paid for. */
static void
test_a_packet_may_join_a_group_that_is_not_full (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 1, 500, 0);
  gcc_pacer_sent (&pacer, 500, 0);
  queue (&pacer, 1, 500, 3 * GCC_MSECOND);
  check_next (&pacer, 3 * GCC_MSECOND, 3 * GCC_MSECOND);
  gcc_pacer_sent (&pacer, 500, 3 * GCC_MSECOND);
  queue (&pacer, 1, 500, 4 * GCC_MSECOND);
  check_next (&pacer, 8 * GCC_MSECOND, 4 * GCC_MSECOND);
}

static void
test_an_idle_pacer_keeps_no_credit (void)
{
  GccPacer pacer;
  const GccTime later = 3600 * GCC_SECOND;

  start (&pacer, RATE);
  queue (&pacer, 1, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  queue (&pacer, 2, 1000, later);
  check_next (&pacer, later, later);
  gcc_pacer_sent (&pacer, 1000, later);
  check_next (&pacer, later + 8 * GCC_MSECOND, later);
}

/* The pause was too short to pay for the last packet. */
static void
test_a_short_pause_is_no_new_start (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 1, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  queue (&pacer, 1, 1000, 6 * GCC_MSECOND);
  check_next (&pacer, 8 * GCC_MSECOND, 6 * GCC_MSECOND);
}

static void
test_a_late_caller_catches_up (void)
{
  GccPacer pacer;
  GccTime now = 20 * GCC_MSECOND;

  start (&pacer, RATE);
  queue (&pacer, 10, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  for (guint i = 0; i < 2; i++) {
    check_next (&pacer, now, now);
    gcc_pacer_sent (&pacer, 1000, now);
  }
  check_next (&pacer, 24 * GCC_MSECOND, now);
}

static void
test_a_very_late_caller_catches_up_on_no_more_than_allowed (void)
{
  GccPacer pacer;
  GccTime now = 1000 * GCC_MSECOND;

  start (&pacer, RATE);
  queue (&pacer, 10, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  for (guint i = 0; i < 4; i++) {
    check_next (&pacer, now, now);
    gcc_pacer_sent (&pacer, 1000, now);
  }
  check_next (&pacer, now - MAX_LATE + 32 * GCC_MSECOND, now);
}

static void
test_a_long_queue_is_sent_faster (void)
{
  GccPacer pacer;
  GccTime now = 0;

  start (&pacer, RATE);
  queue (&pacer, 100, 1000, 0);
  for (guint i = 0; i < 100; i++) {
    now = gcc_pacer_next_send (&pacer, now);
    g_assert_cmpint (now, <=, MAX_WAIT);
    gcc_pacer_sent (&pacer, 1000, now);
  }
  g_assert_cmpint (now, >, MAX_WAIT - 2 * BURST);
}

static void
test_the_boost_ends_with_the_queue (void)
{
  GccPacer pacer;
  GccTime now = 0;

  start (&pacer, RATE);
  queue (&pacer, 100, 1000, 0);
  for (guint i = 0; i < 100; i++) {
    now = gcc_pacer_next_send (&pacer, now);
    gcc_pacer_sent (&pacer, 1000, now);
  }
  now += GCC_SECOND;
  queue (&pacer, 2, 1000, now);
  gcc_pacer_sent (&pacer, 1000, now);
  check_next (&pacer, now + 8 * GCC_MSECOND, now);
}

static void
test_dropped_packets_no_longer_wait (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 100, 1000, 0);
  for (guint i = 0; i < 100; i++)
    gcc_pacer_dropped (&pacer, 1000);
  queue (&pacer, 2, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  check_next (&pacer, 8 * GCC_MSECOND, 0);
  gcc_pacer_dropped (&pacer, 1000);
  gcc_pacer_dropped (&pacer, 1000);
  queue (&pacer, 1, 1000, 0);
  check_next (&pacer, 8 * GCC_MSECOND, 0);
}

static void
test_a_reset_forgets_the_queue_and_keeps_the_rate (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 100, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  gcc_pacer_reset (&pacer);
  queue (&pacer, 2, 1000, 0);
  check_next (&pacer, 0, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  check_next (&pacer, 8 * GCC_MSECOND, 0);
}

static void
test_a_new_rate_holds_at_once (void)
{
  GccPacer pacer;

  start (&pacer, RATE);
  queue (&pacer, 3, 1000, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  check_next (&pacer, 8 * GCC_MSECOND, 0);
  gcc_pacer_set_rate (&pacer, RATE / 2);
  check_next (&pacer, 16 * GCC_MSECOND, 0);
  gcc_pacer_set_rate (&pacer, 10 * RATE);
  check_next (&pacer, 0, 0);
}

static void
test_a_clock_that_is_set_back_does_not_stop_it (void)
{
  GccPacer pacer;
  const GccTime then = 3600 * GCC_SECOND;

  start (&pacer, RATE);
  queue (&pacer, 3, 1000, then);
  gcc_pacer_sent (&pacer, 1000, then);
  check_next (&pacer, 0, 0);
  gcc_pacer_sent (&pacer, 1000, 0);
  check_next (&pacer, 8 * GCC_MSECOND, 0);
}

/* --- a queue with random packets --- */

#define MAX_PACKETS 50000

typedef struct {
  GRand *rand;
  GccPacer pacer;
  GccTime now;
  guint n_queued;
  guint n_sent;
  gsize bytes[MAX_PACKETS];
  GccTime queued[MAX_PACKETS];
  GccTime sent[MAX_PACKETS];
} Flow;

static void
flow_queue_frame (Flow *flow, guint max_packets)
{
  guint n = 1 + (guint) g_rand_int_range (flow->rand, 0, (gint) max_packets);

  for (; n > 0 && flow->n_queued < MAX_PACKETS; n--) {
    gsize bytes = (gsize) g_rand_int_range (flow->rand, 1, 1500);

    flow->bytes[flow->n_queued] = bytes;
    flow->queued[flow->n_queued++] = flow->now;
    gcc_pacer_queued (&flow->pacer, bytes, flow->now);
  }
}

/* Sends all that is due before the next frame, woken late by as much as told
 * at most. */
static void
flow_run (Flow *flow, GccTime until, GccTime max_late)
{
  while (flow->n_sent < flow->n_queued) {
    GccTime next = gcc_pacer_next_send (&flow->pacer, flow->now);

    g_assert_cmpint (next, >=, flow->now);
    if (next > flow->now && max_late > 0)
      next += g_rand_int_range (flow->rand, 0, (gint) max_late);
    if (next > until)
      break;
    flow->now = next;
    flow->sent[flow->n_sent] = next;
    gcc_pacer_sent (&flow->pacer, flow->bytes[flow->n_sent++], next);
  }
  flow->now = MAX (flow->now, until);
}

/* To some time within the next 70 ms. */
static void
flow_run_on (Flow *flow, GccTime max_late)
{
  flow_run (flow,
      flow->now + g_rand_int_range (flow->rand, 0, 70 * GCC_MSECOND), max_late);
}

static void
check_wait (const Flow *flow, GccTime max_wait)
{
  for (guint i = 0; i < flow->n_sent; i++)
    g_assert_cmpint (flow->sent[i] - flow->queued[i], <=, max_wait);
}

/* Not more than the rate in any stretch of time, but for the group it begins
 * with and what was caught up on. */
static void
check_rate (const Flow *flow, GccRate rate, GccTime max_late)
{
  for (guint i = 0; i < flow->n_sent; i += 7) {
    gint64 bytes = 0;

    for (guint j = i; j < MIN (i + 500, flow->n_sent); j++) {
      GccTime passed = flow->sent[j] - flow->sent[i];

      bytes += (gint64) flow->bytes[j];
      g_assert_cmpint (bytes * 8 * GCC_SECOND, <=,
          rate * (passed + BURST + max_late + 1) + 1500 * 8 * GCC_SECOND);
    }
  }
}

static Flow *
flow_new (guint32 seed, GccRate rate)
{
  Flow *flow = g_new0 (Flow, 1);

  flow->rand = g_rand_new_with_seed (seed);
  start (&flow->pacer, rate);
  return flow;
}

static void
flow_free (Flow *flow)
{
  g_rand_free (flow->rand);
  g_free (flow);
}

/* At such odd rates that no time is a whole number of us. */
static void
test_the_rate_is_kept_without_a_boost (void)
{
  static const GccRate rates[] = { 333331, 1000003, 7777777, 50000017 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    for (GccTime late = 0; late <= MAX_LATE; late += MAX_LATE / 2) {
      Flow *flow = flow_new (7 + i, rates[i]);
      guint max_packets = (guint) (rates[i] / 300000);

      while (flow->n_queued < MAX_PACKETS / 5) {
        flow_queue_frame (flow, MAX (max_packets, 1));
        flow_run_on (flow, late);
        if (flow->n_queued - flow->n_sent > 3 * max_packets)
          flow_run (flow, flow->now + GCC_SECOND, late);
      }
      check_rate (flow, rates[i], late);
      flow_free (flow);
    }
  }
}

/* Whatever the rate is set to while packets wait. */
static void
test_no_packet_waits_longer_than_the_bound (void)
{
  for (guint i = 0; i < 20; i++) {
    Flow *flow = flow_new (20 + i, RATE);

    while (flow->n_queued < MAX_PACKETS / 5) {
      if (g_rand_int_range (flow->rand, 0, 5) == 0)
        gcc_pacer_set_rate (&flow->pacer,
            1 +
                (GccRate) (g_rand_int (flow->rand) >>
                    g_rand_int_range (flow->rand, 0, 32)));
      flow_queue_frame (
          flow, (guint) (1 << g_rand_int_range (flow->rand, 0, 9)));
      flow_run_on (flow, 0);
    }
    flow_run (flow, flow->now + GCC_SECOND, 0);
    g_assert_cmpuint (flow->n_sent, ==, flow->n_queued);
    check_wait (flow, MAX_WAIT);
    flow_free (flow);
  }
}

/* It may be late for the last, but that does not add up. */
static void
test_late_calls_do_not_add_up (void)
{
  for (guint i = 0; i < 20; i++) {
    Flow *flow = flow_new (40 + i, RATE);

    while (flow->n_queued < MAX_PACKETS / 5) {
      if (g_rand_int_range (flow->rand, 0, 5) == 0)
        gcc_pacer_set_rate (
            &flow->pacer, 1 + g_rand_int_range (flow->rand, 0, 5 * RATE));
      flow_queue_frame (flow, 50);
      flow_run_on (flow, MAX_LATE);
    }
    check_wait (flow, MAX_WAIT + MAX_LATE);
    flow_free (flow);
  }
}

static void
test_drops_do_not_break_the_bound (void)
{
  Flow *flow = flow_new (60, RATE);

  while (flow->n_queued < MAX_PACKETS) {
    flow_queue_frame (flow, 60);
    flow_run_on (flow, 0);
    while (flow->n_sent < flow->n_queued &&
        g_rand_int_range (flow->rand, 0, 4) != 0) {
      flow->sent[flow->n_sent] = flow->queued[flow->n_sent];
      gcc_pacer_dropped (&flow->pacer, flow->bytes[flow->n_sent++]);
    }
  }
  check_wait (flow, MAX_WAIT);
  flow_free (flow);
}

static void
test_no_call_does_harm (void)
{
  GRand *rand = g_rand_new_with_seed (61);
  GccPacer pacer;
  GccTime now = 0;

  start (&pacer, RATE);
  for (guint i = 0; i < 500000; i++) {
    gsize bytes = i % 7 == 0 ? G_MAXSIZE
                             : (gsize) g_rand_int_range (rand, 0, 1500);

    if (g_rand_int_range (rand, 0, 50) == 0)
      now = (GccTime) ((guint64) g_rand_int (rand) << (i % 33));
    else if (now < G_MAXINT64 - GCC_SECOND)
      now += g_rand_int_range (rand, 0, 10 * GCC_MSECOND);
    switch (g_rand_int_range (rand, 0, 5)) {
      case 0:
        gcc_pacer_queued (&pacer, bytes, now);
        break;
      case 1:
        gcc_pacer_sent (&pacer, bytes, now);
        break;
      case 2:
        gcc_pacer_dropped (&pacer, bytes);
        break;
      case 3:
        gcc_pacer_set_rate (
            &pacer, 1 + ((GccRate) g_rand_int (rand) << (i % 31)));
        break;
      default:
        gcc_pacer_next_send (&pacer, now);
        break;
    }
    g_assert_cmpint (gcc_pacer_get_queued (&pacer), >=, 0);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/pacer/" #name, test_##name)
  ADD (a_queue_is_overfull_beyond_twenty_seconds_of_the_rate);
  ADD (a_key_frame_makes_no_queue_overfull);
  ADD (first_packet_leaves_at_once);
  ADD (packets_leave_one_by_one_where_a_queue_marks);
  ADD (the_first_packets_of_2016_probe_the_path);
  ADD (a_probe_that_waits_for_packets_is_over);
  ADD (a_clock_that_is_set_back_does_not_stop_a_probe);
  ADD (no_probe_breaks_the_bound);
  ADD (padding_makes_up_for_media);
  ADD (a_frame_does_not_wait_for_a_probe_that_has_left);
  ADD (packets_leave_at_the_rate);
  ADD (rounded_times_do_not_add_up);
  ADD (small_packets_leave_in_groups);
  ADD (a_packet_may_join_a_group_that_is_not_full);
  ADD (an_idle_pacer_keeps_no_credit);
  ADD (a_short_pause_is_no_new_start);
  ADD (a_late_caller_catches_up);
  ADD (a_very_late_caller_catches_up_on_no_more_than_allowed);
  ADD (a_long_queue_is_sent_faster);
  ADD (the_boost_ends_with_the_queue);
  ADD (dropped_packets_no_longer_wait);
  ADD (a_reset_forgets_the_queue_and_keeps_the_rate);
  ADD (a_new_rate_holds_at_once);
  ADD (a_clock_that_is_set_back_does_not_stop_it);
  ADD (the_rate_is_kept_without_a_boost);
  ADD (no_packet_waits_longer_than_the_bound);
  ADD (late_calls_do_not_add_up);
  ADD (drops_do_not_break_the_bound);
  ADD (no_call_does_harm);
#undef ADD
  return g_test_run ();
}
