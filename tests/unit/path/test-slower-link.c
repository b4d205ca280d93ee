/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A link that has become slower: the stage alone, then whole calls over REMB with the
 * default profile, which alone looks for it. */

#include <gst/gcc/path/gcc-slower-link.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "sim/remb-call.h"

#define RATE 1000000
#define SLOW 600000
#define PAYLOAD 1200
#define FRAME (GCC_SECOND / 30)
#define QUEUE (100 * GCC_MSECOND)

static const GccSlowerLinkParams *const params =
    &gcc_recommended_receiver_rules.slower_link;
static GccSlowerLink stage;
static GccTime now;
static guint32 timestamp;
static guint64 received;
static guint n_told;
static GccRate told;

static void
start (void)
{
  now = 7 * GCC_SECOND;
  timestamp = 0;
  received = 0;
  n_told = 0;
  told = GCC_RATE_NONE;
  gcc_slower_link_init (&stage, params);
}

static void feed_frame (guint n, GccRate link);

/* Long enough on a path on which no gap is long. */
static void
start_on_a_quiet_path (void)
{
  start ();
  feed_frame (1000, RATE);
}

static void
feed (gsize size, GccTime gap, GccTime queueing)
{
  GccRate rate;

  now = gcc_time_add (now, gap);
  received += size;
  rate = gcc_slower_link_update (
      &stage, timestamp, size, received, now, queueing, RATE);
  if (rate == GCC_RATE_NONE)
    return;
  n_told++;
  told = rate;
}

static void
feed_gap (GccRate link)
{
  feed (PAYLOAD, PAYLOAD * 8 * GCC_SECOND / link, QUEUE);
}

static void
begin_frame (void)
{
  timestamp += 3000;
  feed (PAYLOAD, FRAME, QUEUE);
}

/* A frame of @n packets after the first. */
static void
feed_frame (guint n, GccRate link)
{
  begin_frame ();
  for (guint i = 0; i < n; i++)
    feed_gap (link);
}

static void
assert_told (guint n)
{
  g_assert_cmpuint (n_told, ==, n);
}

static void
test_slow_gaps_tell_what_the_link_passes (void)
{
  start_on_a_quiet_path ();
  feed_frame (params->n_gaps - 1, SLOW);
  assert_told (0);
  feed_gap (SLOW);
  assert_told (1);
  g_assert_cmpint (told, ==, SLOW);
}

static void
test_they_may_be_of_several_frames (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < params->n_gaps; i++)
    feed_frame (1, SLOW);
  assert_told (1);
}

static void
test_what_lies_between_frames_tells_nothing (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    feed_frame (0, SLOW);
  assert_told (0);
}

static void
test_one_fast_gap_is_the_beginning_of_another_row (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < 100; i++) {
    feed_frame (params->n_gaps - 1, SLOW);
    feed_gap (RATE);
  }
  assert_told (0);
}

static void
test_what_is_hardly_slower_is_left_to_the_detector (void)
{
  start_on_a_quiet_path ();
  feed_frame (100, RATE * 3 / 4);
  assert_told (0);
}

static void
test_each_row_is_told_of_once (void)
{
  start_on_a_quiet_path ();
  feed_frame (params->n_gaps, SLOW);
  assert_told (1);
  feed_frame (params->n_gaps - 1, SLOW);
  assert_told (1);
  feed_gap (SLOW);
  assert_told (2);
}

static void
test_gaps_of_long_ago_are_forgotten (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < 100; i++) {
    feed_frame (params->n_gaps - 1, SLOW);
    now += 2 * params->max_age;
  }
  assert_told (0);
}

/* A row goes on until the queue is that of a slow link. */
static void
test_without_a_queue_nothing_is_told (void)
{
  start_on_a_quiet_path ();
  begin_frame ();
  for (guint i = 0; i < 100; i++)
    feed (PAYLOAD, PAYLOAD * 8 * GCC_SECOND / SLOW, params->min_queueing - 1);
  assert_told (0);
  feed_gap (SLOW);
  assert_told (1);
}

/* Guards: an encoder that delivers a frame in slices, one packet each, while the
 * picture comes to rest. */
static void
test_slices_of_small_frames_are_no_slow_link (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < 1000; i++) {
    timestamp += 3000;
    for (guint j = 0; j < 4; j++)
      feed (700, FRAME / 4, j * FRAME / 4);
  }
  assert_told (0);
}

/* Guards: netem's, which keeps packets in order. */
static void
test_jitter_is_no_slow_link (void)
{
  static const gdouble deviations_ms[] = { 2., 5., 8., 10., 15., 20., 30. };

  for (guint i = 0; i < G_N_ELEMENTS (deviations_ms); i++) {
    GRand *rand = g_rand_new_with_seed (1);
    GccTime sent = 0, arrival = 0;

    start ();
    for (guint frame = 0; frame < 30 * 600; frame++) {
      sent = frame * FRAME;
      timestamp += 3000;
      for (guint j = 0; j < 4; j++) {
        gdouble jitter = 0.;

        for (guint k = 0; k < 12; k++)
          jitter += g_rand_double (rand) - 0.5;
        sent += PAYLOAD * 8 * GCC_SECOND / (RATE * 5 / 4);
        arrival = MAX (arrival,
            sent + 50 * GCC_MSECOND +
                (GccTime) (jitter * deviations_ms[i] * GCC_MSECOND));
        feed (PAYLOAD, arrival - now, arrival - sent);
      }
    }
    g_test_message ("%g ms: %u in ten minutes", deviations_ms[i], n_told);
    assert_told (0);
    g_rand_free (rand);
  }
}

/* Guards: a stream of a stranger, or a slow one of a session's own, beside another that
 * has all of R(t). */
static void
test_a_slow_stream_beside_a_fast_one_is_no_slow_link (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < 100; i++) {
    received += RATE / 8 / 10;
    feed (PAYLOAD, GCC_SECOND / 10, QUEUE);
  }
  assert_told (0);
}

static void
test_packets_that_come_at_once_are_fast (void)
{
  start ();
  begin_frame ();
  for (guint i = 0; i < 100; i++)
    feed (PAYLOAD, i % 3 == 0 ? 0 : GCC_SECOND / 10, QUEUE);
  assert_told (0);
}

static void
test_a_clock_that_is_set_back_does_no_harm (void)
{
  start_on_a_quiet_path ();
  feed_frame (params->n_gaps - 1, SLOW);
  now -= 3600 * GCC_SECOND;
  feed_gap (SLOW);
  assert_told (0);
  now = G_MAXINT64 - GCC_SECOND;
  feed_frame (100, SLOW);
  now = G_MININT64 + GCC_SECOND;
  feed_frame (100, SLOW);
}

/* Guards: what a stranger may send. */
static void
test_packets_without_payload_do_no_harm (void)
{
  start_on_a_quiet_path ();
  begin_frame ();
  for (guint i = 0; i < params->n_gaps; i++)
    feed (0, GCC_MSECOND, QUEUE);
  assert_told (0);
}

/* Guards: what is left of a frame after its full packets, and a packet of TCP in the
 * queue before it. It was told at a sixth of the link, and starved. */
static void
test_small_packets_after_one_of_others_tell_nothing (void)
{
  start_on_a_quiet_path ();
  for (guint i = 0; i < 100; i++) {
    begin_frame ();
    feed (150, (1500 + 150) * 8 * GCC_SECOND / (2 * RATE), QUEUE);
  }
  assert_told (0);
}

static void
test_an_unknown_rate_is_none_to_be_slower_than (void)
{
  GccRate rate;

  start ();
  timestamp += 3000;
  for (guint i = 0; i < 100; i++) {
    now += GCC_SECOND / 10;
    received += PAYLOAD;
    rate = gcc_slower_link_update (
        &stage, timestamp, PAYLOAD, received, now, QUEUE, GCC_RATE_NONE);
    g_assert_cmpint (rate, ==, GCC_RATE_NONE);
  }
}

/* --- whole calls --- */

/* Guards: a second stream in the session, whose frames leave with those of the first
 * and share a link that both nearly fill. */
static void
test_streams_that_come_alternately_are_no_slow_link (void)
{
  GccReceiver *receiver = gcc_receiver_new (&gcc_profile_recommended);
  GccTime free = 0, frame = 100 * GCC_SECOND;

  for (guint n = 0; n < 15 * 60; n++, frame += 2 * FRAME) {
    guint n_streams = n < 15 * 10 ? 1 : 2;

    for (guint i = 0; i < 24; i++) {
      GccPacket packet = {
        .ssrc = 1 + i % n_streams,
        .rtp_timestamp = 6000 * n,
        .clock_rate = 90000,
        .payload_size = PAYLOAD,
      };

      free = MAX (free, frame) +
          (PAYLOAD + REMB_CALL_HEADERS) * 8 * GCC_SECOND / 3700000;
      packet.arrival = free;
      gcc_receiver_feed (receiver, &packet, free);
      gcc_receiver_handle_timeout (receiver, free);
      g_assert_cmpint (receiver->rules.slower_link.since, ==, GCC_TIME_NONE);
    }
  }
  gcc_receiver_free (receiver);
}

typedef struct {
  guint n_lost;
  gint64 received_bytes;
  GccRate estimate;
  gdouble gamma_ms;
} Outcome;

static RembCall call;
static GccTime link_free;

/* A call on a link of 2.5 Mbit/s, which after 60 s has @capacity. */
static void
start_call (const GccProfile *profile, GccRate capacity)
{
  GccTime begun;

  link_free = 0;
  remb_call_init (&call, profile, 300000, 2000000);
  call.link_free = &link_free;
  call.capacity = 2500000;
  begun = call.now;
  while (call.now < begun + 60 * GCC_SECOND)
    remb_call_step (&call);
  call.capacity = capacity;
}

static Outcome
measure (const GccProfile *profile, GccRate capacity, GccTime seconds)
{
  GccTime end;
  Outcome outcome;

  start_call (profile, capacity);
  end = call.now + seconds * GCC_SECOND;
  while (call.now < end)
    remb_call_step (&call);
  outcome = (Outcome){ call.n_lost, call.received_bytes,
    gcc_receiver_get_estimate (&call.receiver),
    gcc_receiver_get_stats (&call.receiver)->gamma_ms };
  remb_call_clear (&call);
  return outcome;
}

static GccProfile
without (void)
{
  static GccReceiverRulesParams rules;
  GccProfile profile = gcc_profile_recommended;

  rules = gcc_recommended_receiver_rules;
  rules.slower_link.n_gaps = G_MAXUINT;
  profile.receiver_rules = &rules;
  return profile;
}

static void
test_a_call_loses_less_where_its_link_becomes_slow (void)
{
  GccProfile before = without ();
  Outcome with = measure (&gcc_profile_recommended, 600000, 10);
  Outcome other = measure (&before, 600000, 10);

  g_test_message ("%u packets lost, %u without", with.n_lost, other.n_lost);
  /* the rest is lost before the encoder has followed */
  g_assert_cmpuint (with.n_lost, <, other.n_lost * 2 / 3);
}

/* Guards: what the rule takes is given back. */
static void
test_a_call_has_as_much_afterwards (void)
{
  GccProfile before = without ();
  Outcome with = measure (&gcc_profile_recommended, 600000, 30);
  Outcome other = measure (&before, 600000, 30);

  g_test_message ("A_r %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " without",
      with.estimate, other.estimate);
  g_assert_cmpint (with.received_bytes, >, other.received_bytes * 98 / 100);
}

/* Guards: a drain that took R of the link before for what arrives. */
static void
test_the_rate_stays_below_the_link_until_its_queue_is_empty (void)
{
  const GccReceiverStats *stats = gcc_receiver_get_stats (&call.receiver);
  GccTime begun;

  start_call (&gcc_profile_recommended, 600000);
  begun = call.now;
  while (stats->estimate > 600000)
    remb_call_step (&call);
  g_assert_cmpint (call.now - begun, <, 200 * GCC_MSECOND);
  while (call.queueing > 20 * GCC_MSECOND) {
    remb_call_step (&call);
    g_assert_cmpint (stats->estimate, <, 500000);
  }
  remb_call_clear (&call);
}

/* The queue that comes and goes is none that others fill. */
static void
test_the_threshold_begins_anew_with_an_empty_queue (void)
{
  GccProfile before = without ();
  Outcome with = measure (&gcc_profile_recommended, 600000, 3);
  Outcome other = measure (&before, 600000, 3);

  g_test_message ("%.1f ms, %.1f ms without", with.gamma_ms, other.gamma_ms);
  g_assert_cmpfloat (with.gamma_ms, <, other.gamma_ms);
}

static void
test_a_call_on_one_link_is_left_alone (void)
{
  GccProfile before = without ();
  Outcome with = measure (&gcc_profile_recommended, 2500000, 60);
  Outcome other = measure (&before, 2500000, 60);

  g_assert_cmpint (with.received_bytes, ==, other.received_bytes);
  g_assert_cmpint (with.estimate, ==, other.estimate);
}

/* Guards: others' frames, which come between ours, and not into them. */
static void
test_two_calls_on_one_link_are_left_alone (void)
{
  GccProfile before = without ();
  const GccProfile *profiles[] = { &gcc_profile_recommended, &before };
  gint64 bytes[2];

  for (guint i = 0; i < 2; i++) {
    static RembCall calls[2];

    link_free = 0;
    for (guint j = 0; j < 2; j++) {
      remb_call_init (&calls[j], profiles[i], 300000, 6000000);
      calls[j].link_free = &link_free;
      calls[j].capacity = 2000000;
      g_rand_set_seed (calls[j].rand, j + 1);
    }
    calls[1].next_frame += REMB_CALL_FRAME / 2;
    while (calls[0].now < 220 * GCC_SECOND)
      for (guint j = 0; j < 2; j++)
        remb_call_step (&calls[j]);
    bytes[i] = calls[0].received_bytes;
    for (guint j = 0; j < 2; j++)
      remb_call_clear (&calls[j]);
  }
  g_assert_cmpint (bytes[0], ==, bytes[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/slower-link/" #name, test_##name)
  ADD (slow_gaps_tell_what_the_link_passes);
  ADD (they_may_be_of_several_frames);
  ADD (what_lies_between_frames_tells_nothing);
  ADD (one_fast_gap_is_the_beginning_of_another_row);
  ADD (what_is_hardly_slower_is_left_to_the_detector);
  ADD (each_row_is_told_of_once);
  ADD (gaps_of_long_ago_are_forgotten);
  ADD (without_a_queue_nothing_is_told);
  ADD (slices_of_small_frames_are_no_slow_link);
  ADD (jitter_is_no_slow_link);
  ADD (a_slow_stream_beside_a_fast_one_is_no_slow_link);
  ADD (packets_that_come_at_once_are_fast);
  ADD (a_clock_that_is_set_back_does_no_harm);
  ADD (packets_without_payload_do_no_harm);
  ADD (small_packets_after_one_of_others_tell_nothing);
  ADD (an_unknown_rate_is_none_to_be_slower_than);
  ADD (streams_that_come_alternately_are_no_slow_link);
  ADD (a_call_loses_less_where_its_link_becomes_slow);
  ADD (a_call_has_as_much_afterwards);
  ADD (the_rate_stays_below_the_link_until_its_queue_is_empty);
  ADD (the_threshold_begins_anew_with_an_empty_queue);
  ADD (a_call_on_one_link_is_left_alone);
  ADD (two_calls_on_one_link_are_left_alone);
  return g_test_run ();
}
