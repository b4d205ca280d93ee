/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The rules as a receiver has them. What each of them does is tested with its stage. */

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <math.h>

#include "support/cubic.h"
#include "support/remb-call.h"

#define FRAME (GCC_SECOND / 30)
#define PAYLOAD 1200

/* --- in a call --- */

static GccCompetitionState
get_competition_beside_tcp (const GccProfile *profile)
{
  static RembCall call;
  static Cubic tcp;
  GccTime link_free = 0, end;
  GccCompetitionState competition;

  remb_call_init (&call, profile, 300000, 6000000);
  call.link_free = &link_free;
  cubic_init (&tcp, 50 * GCC_MSECOND);
  tcp.is_on = TRUE;
  end = call.now + 30 * GCC_SECOND;
  while (call.now < end) {
    remb_call_step (&call);
    cubic_step (&tcp, &link_free, call.capacity, call.max_queue, call.now);
  }
  competition = gcc_receiver_get_stats (&call.receiver)->competition;
  remb_call_clear (&call);
  return competition;
}

static void
test_the_default_sees_whose_a_queue_is (void)
{
  g_assert_cmpint (get_competition_beside_tcp (&gcc_profile_recommended), ==,
      GCC_COMPETITION_TCP);
}

static void
test_published_generations_do_not_ask (void)
{
  for (guint i = 1; i < gcc_n_profiles; i++)
    g_assert_cmpint (
        get_competition_beside_tcp (gcc_profiles[i]), ==, GCC_COMPETITION_NONE);
}

static void
check_stats_without_rules (const GccProfile *profile)
{
  GccReceiver *receiver = gcc_receiver_new (profile);
  const GccReceiverStats *stats = gcc_receiver_get_stats (receiver);

  g_assert_true (stats->verdict == GCC_VERDICT_ABSENT);
  g_assert_true (isnan (stats->path_queue_ms));
  g_assert_cmpint (stats->path_capacity, ==, GCC_RATE_NONE);
  gcc_receiver_free (receiver);
}

static void
test_published_generations_do_not_tell_of_the_path (void)
{
  for (guint i = 1; i < gcc_n_profiles; i++)
    check_stats_without_rules (gcc_profiles[i]);
}

/* --- two streams --- */

typedef struct {
  GccReceiver *receiver;
  GccTime now;
  guint32 timestamp;
  gsize payload_size;
  guint n_drains;
} Streams;

static void
feed (Streams *self, guint32 ssrc, GccTime delay)
{
  const GccReceiverStats *stats = gcc_receiver_get_stats (self->receiver);
  GccCompetitionState before = stats->competition;
  GccPacket packet = {
    .ssrc = ssrc,
    .rtp_timestamp = self->timestamp,
    .clock_rate = 90000,
    .payload_size = self->payload_size,
    .arrival = self->now + delay,
  };

  gcc_receiver_feed (self->receiver, &packet, packet.arrival);
  gcc_receiver_handle_timeout (self->receiver, packet.arrival);
  self->n_drains += before != GCC_COMPETITION_DRAIN &&
      stats->competition == GCC_COMPETITION_DRAIN;
}

/* A packet each frame of each of the streams from @first to 2. */
static void
run (Streams *self, GccTime duration, guint32 first, GccTime delay)
{
  for (GccTime end = self->now + duration; self->now < end;) {
    self->now += FRAME;
    self->timestamp += 3000;
    for (guint32 ssrc = first; ssrc <= 2; ssrc++)
      feed (self, ssrc, delay);
  }
}

/* Guards: a least delay of the path before in a stream other than the one whose packet
 * told that the path has become longer. */
static void
test_a_path_that_became_longer_is_so_for_each_stream (void)
{
  Streams streams = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
    .payload_size = PAYLOAD,
  };

  run (&streams, 10 * GCC_SECOND, 1, 20 * GCC_MSECOND);
  g_assert_cmpuint (streams.n_drains, ==, 0);
  run (&streams, 10 * GCC_SECOND, 1, 200 * GCC_MSECOND);
  g_assert_cmpuint (streams.n_drains, ==, 1);
  run (&streams, 10 * GCC_SECOND, 2, 200 * GCC_MSECOND);
  g_assert_cmpuint (streams.n_drains, ==, 1);
  gcc_receiver_free (streams.receiver);
}

/* --- a slow link --- */

/* Frames of one packet each, ten per second, of which none waits for another. */
static void
run_slowly (Streams *self, guint n_frames, gsize size, GccRate capacity)
{
  self->payload_size = size;
  for (guint i = 0; i < n_frames; i++) {
    self->now += 100 * GCC_MSECOND;
    self->timestamp += 9000;
    feed (self, 1, (GccTime) size * 8 * GCC_SECOND / capacity);
  }
}

/* Guards: the receiver, which drained a queue each time that the encoder sent
 * more than 88 kbit/s on 100. */
static void
test_a_packet_that_takes_its_time_is_no_queue (void)
{
  Streams streams = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
  };

  run_slowly (&streams, 20, 100, 100000);
  run_slowly (&streams, 100, 1200, 100000);
  g_assert_cmpuint (streams.n_drains, ==, 0);
  gcc_receiver_free (streams.receiver);
}

/* Guards: a call of 51 kbit/s beside TCP, whose R(t) was taken for the rate of the
 * link: a packet of 1000 bytes would have taken as long as the queue. */
static void
test_small_packets_that_wait_are_in_a_queue (void)
{
  Streams streams = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
    .payload_size = 200,
  };

  run (&streams, 10 * GCC_SECOND, 2, 20 * GCC_MSECOND);
  run (&streams, 10 * GCC_SECOND, 2, 170 * GCC_MSECOND);
  g_assert_cmpuint (streams.n_drains, ==, 1);
  gcc_receiver_free (streams.receiver);
}

/* --- over-use and under-use --- */

typedef struct {
  GccReceiverRules rules;
  GccReceiverStreamRules stream;
  GccRateControl rate_control;
} End;

static void
end_init (End *self)
{
  gcc_receiver_rules_init (&self->rules, &gcc_recommended_receiver_rules);
  gcc_receiver_rules_init_stream (&self->rules, &self->stream);
  gcc_rate_control_init (
      &self->rate_control, &gcc_profile_recommended.rate_control);
}

/* A frame of three packets, of which the last ones leave a link of 120 Mbit/s, and
 * frames of which each packet waits for @queueing, and @n_lost packets are
 * missing before each. */
static void
end_feed_lossy (End *self, GccTime queueing, guint n_frames, gint n_lost)
{
  GccDelaySample sample = { .clock_rate = 90000, .size = PAYLOAD };
  GccPacket packet = { .clock_rate = 90000, .payload_size = PAYLOAD };
  const GccReceiverRulesPacket taken = {
    .packet = &packet,
    .size = PAYLOAD,
    .received_rate = 1000000,
    .sample = &sample,
  };

  for (guint i = 0; i < 3 * n_frames; i++) {
    GccTime sent = 100 * GCC_SECOND + i / 3 * FRAME;

    packet.n_lost = i % 3 == 0 ? n_lost : 0;
    packet.rtp_timestamp = sample.departure = i / 3 * 3000;
    packet.arrival = sample.arrival = sent + i % 3 * 80 +
        (i < 3 ? 0 : queueing);
    gcc_receiver_rules_feed (&self->rules, &self->stream, &self->rate_control,
        &taken, packet.arrival);
  }
}

static void
end_feed (End *self, GccTime queueing)
{
  end_feed_lossy (self, queueing, 20, 0);
}

static GccSignal
end_get_signal (End *self, GccSignal signal)
{
  GccRateControlInput input = { .signal = signal, .received_rate = 1000000 };

  gcc_receiver_rules_adjust (
      &self->rules, &self->rate_control, &input, 100 * GCC_SECOND + 21 * FRAME);
  return input.signal;
}

/* Guards: a link that had become faster. A_r was held for two seconds, while m was
 * below -γ and there was no queue. */
static void
test_under_use_of_an_empty_queue_does_not_hold_the_start (void)
{
  End end;

  end_init (&end);
  end_feed (&end, 0);
  g_assert_cmpint (
      end_get_signal (&end, GCC_SIGNAL_UNDERUSE), ==, GCC_SIGNAL_NORMAL);
}

static void
test_under_use_holds_while_a_queue_drains (void)
{
  End end;

  end_init (&end);
  end_feed (&end, 50 * GCC_MSECOND);
  g_assert_cmpint (
      end_get_signal (&end, GCC_SIGNAL_UNDERUSE), ==, GCC_SIGNAL_UNDERUSE);
}

/* Near the limit of the path growth without a queue is no hurry. */
static void
test_under_use_holds_near_the_limit_of_the_path (void)
{
  GccRateControlInput over = {
    .signal = GCC_SIGNAL_OVERUSE,
    .received_rate = 1000000,
  };
  End end;

  end_init (&end);
  gcc_rate_control_update (&end.rate_control, &over, 100 * GCC_SECOND);
  end_feed (&end, 0);
  g_assert_cmpint (
      end_get_signal (&end, GCC_SIGNAL_UNDERUSE), ==, GCC_SIGNAL_UNDERUSE);
}

static GccSignal
get_overuse_at (GccRate rate, GccTime queueing)
{
  End end;

  end_init (&end);
  gcc_rate_control_set_rate (&end.rate_control, rate, 100 * GCC_SECOND);
  end_feed (&end, queueing);
  return end_get_signal (&end, GCC_SIGNAL_OVERUSE);
}

/* Guards: cars' uplinks of 50 Mbit/s. Single packets were 50 to 500 ms late, m was
 * above γ for seconds after each, and A_r fell to 0.3 Mbit/s. */
static void
test_over_use_without_a_queue_does_not_count_on_a_link_with_headroom (void)
{
  g_assert_cmpint (get_overuse_at (1000000, 0), ==, GCC_SIGNAL_NORMAL);
}

static void
test_over_use_counts_where_there_is_a_queue (void)
{
  g_assert_cmpint (
      get_overuse_at (1000000, 50 * GCC_MSECOND), ==, GCC_SIGNAL_OVERUSE);
}

static void
test_over_use_counts_where_the_link_is_near (void)
{
  g_assert_cmpint (get_overuse_at (100000000, 0), ==, GCC_SIGNAL_OVERUSE);
}

static GccSignal
get_signal_where_lost (GccTime queueing, guint n_frames, gint n_lost)
{
  End end;

  end_init (&end);
  end_feed_lossy (&end, queueing, n_frames, n_lost);
  return end_get_signal (&end, GCC_SIGNAL_NORMAL);
}

/* Guards: calls in a queue of 20 ms, which lost 2 to 10 % for good. */
static void
test_losses_in_a_short_queue_are_over_use (void)
{
  g_assert_cmpint (
      get_signal_where_lost (15 * GCC_MSECOND, 32, 1), ==, GCC_SIGNAL_OVERUSE);
}

static void
test_losses_without_a_queue_are_those_of_the_path (void)
{
  g_assert_cmpint (get_signal_where_lost (0, 32, 1), ==, GCC_SIGNAL_NORMAL);
}

static void
test_losses_of_a_second_are_answered_once (void)
{
  End end;

  end_init (&end);
  end_feed_lossy (&end, 15 * GCC_MSECOND, 32, 1);
  end_get_signal (&end, GCC_SIGNAL_NORMAL);
  g_assert_cmpint (
      end_get_signal (&end, GCC_SIGNAL_NORMAL), ==, GCC_SIGNAL_NORMAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/receiver-rules/" #name, test_##name)
  ADD (the_default_sees_whose_a_queue_is);
  ADD (published_generations_do_not_ask);
  ADD (published_generations_do_not_tell_of_the_path);
  ADD (a_path_that_became_longer_is_so_for_each_stream);
  ADD (a_packet_that_takes_its_time_is_no_queue);
  ADD (small_packets_that_wait_are_in_a_queue);
  ADD (under_use_of_an_empty_queue_does_not_hold_the_start);
  ADD (under_use_holds_while_a_queue_drains);
  ADD (under_use_holds_near_the_limit_of_the_path);
  ADD (over_use_without_a_queue_does_not_count_on_a_link_with_headroom);
  ADD (over_use_counts_where_there_is_a_queue);
  ADD (over_use_counts_where_the_link_is_near);
  ADD (losses_in_a_short_queue_are_over_use);
  ADD (losses_without_a_queue_are_those_of_the_path);
  ADD (losses_of_a_second_are_answered_once);
#undef ADD
  return g_test_run ();
}
