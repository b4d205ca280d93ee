/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The rules as a receiver has them. What each of them does is tested with its stage. */

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "sim/cubic.h"
#include "sim/remb-call.h"

#define FRAME (GCC_SECOND / 30)
#define PAYLOAD 1200

/* --- in a call --- */

static const gchar *
get_competition_beside_tcp (const GccProfile *profile)
{
  static RembCall call;
  static Cubic tcp;
  GccTime link_free = 0, end;
  const gchar *competition;

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
  g_assert_cmpstr (
      get_competition_beside_tcp (&gcc_profile_recommended), ==, "tcp");
}

static void
test_published_generations_do_not_ask (void)
{
  for (guint i = 1; i < gcc_n_profiles; i++)
    g_assert_cmpstr (get_competition_beside_tcp (gcc_profiles[i]), ==, "none");
}

/* --- two streams --- */

typedef struct {
  GccReceiver *receiver;
  GccTime now;
  guint32 timestamp;
  gsize payload_size;
  guint n_drains;
} Path;

static void
feed (Path *self, guint32 ssrc, GccTime delay)
{
  const GccReceiverStats *stats = gcc_receiver_get_stats (self->receiver);
  const gchar *before = stats->competition;
  GccPacket packet = {
    .ssrc = ssrc,
    .rtp_timestamp = self->timestamp,
    .clock_rate = 90000,
    .payload_size = self->payload_size,
    .arrival = self->now + delay,
  };

  gcc_receiver_feed (self->receiver, &packet, packet.arrival);
  gcc_receiver_handle_timeout (self->receiver, packet.arrival);
  self->n_drains += !g_str_equal (before, "drain") &&
      g_str_equal (stats->competition, "drain");
}

/* A packet each frame of each of the streams from @first to 2. */
static void
run (Path *self, GccTime duration, guint32 first, GccTime delay)
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
  Path path = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
    .payload_size = PAYLOAD,
  };

  run (&path, 10 * GCC_SECOND, 1, 20 * GCC_MSECOND);
  g_assert_cmpuint (path.n_drains, ==, 0);
  run (&path, 10 * GCC_SECOND, 1, 200 * GCC_MSECOND);
  g_assert_cmpuint (path.n_drains, ==, 1);
  run (&path, 10 * GCC_SECOND, 2, 200 * GCC_MSECOND);
  g_assert_cmpuint (path.n_drains, ==, 1);
  gcc_receiver_free (path.receiver);
}

/* --- a slow link --- */

/* Frames of one packet each, ten per second, of which none waits for another. */
static void
run_slowly (Path *self, guint n_frames, gsize size, GccRate capacity)
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
  Path path = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
  };

  run_slowly (&path, 20, 100, 100000);
  run_slowly (&path, 100, 1200, 100000);
  g_assert_cmpuint (path.n_drains, ==, 0);
  gcc_receiver_free (path.receiver);
}

/* Guards: a call of 51 kbit/s beside TCP, whose R(t) was taken for the rate of the
 * link: a packet of 1000 bytes would have taken as long as the queue. */
static void
test_small_packets_that_wait_are_in_a_queue (void)
{
  Path path = {
    .receiver = gcc_receiver_new (&gcc_profile_recommended),
    .now = 100 * GCC_SECOND,
    .payload_size = 200,
  };

  run (&path, 10 * GCC_SECOND, 2, 20 * GCC_MSECOND);
  run (&path, 10 * GCC_SECOND, 2, 170 * GCC_MSECOND);
  g_assert_cmpuint (path.n_drains, ==, 1);
  gcc_receiver_free (path.receiver);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/receiver-rules/the_default_sees_whose_a_queue_is",
      test_the_default_sees_whose_a_queue_is);
  g_test_add_func ("/receiver-rules/published_generations_do_not_ask",
      test_published_generations_do_not_ask);
  g_test_add_func (
      "/receiver-rules/a_path_that_became_longer_is_so_for_each_stream",
      test_a_path_that_became_longer_is_so_for_each_stream);
  g_test_add_func ("/receiver-rules/a_packet_that_takes_its_time_is_no_queue",
      test_a_packet_that_takes_its_time_is_no_queue);
  g_test_add_func ("/receiver-rules/small_packets_that_wait_are_in_a_queue",
      test_small_packets_that_wait_are_in_a_queue);
  return g_test_run ();
}
