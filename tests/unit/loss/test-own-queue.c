/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-own-queue.h>

#define DELAY (25 * GCC_MSECOND)
#define SIZE 1250
/* Of a packet, at 2 Mbit/s. */
#define PACKET_TIME (5 * GCC_MSECOND)

static const GccOwnQueueParams params = {
  .window = 10 * GCC_SECOND,
  .resolution = 1 * GCC_MSECOND,
  .min_gaps = 2,
  .min_time = 15 * GCC_MSECOND,
};

typedef struct {
  GccOwnQueue queue;
  GccTime sent;
  gint64 seq;
  GccTime arrival;
  gint probe;
} Flow;

static void
start (Flow *self)
{
  *self = (Flow){ .sent = GCC_SECOND, .probe = GCC_PROBE_NONE };
  gcc_own_queue_init (&self->queue, &params);
}

/* A packet leaves @gap after the one before, and waits for @wait. */
static GccOwnQueueNews
send_packet (Flow *self, GccTime gap, GccTime wait, GccEcn ecn)
{
  GccPacketResult result = {
    .sent = {
      .seq = self->seq + 1,
      .previous = self->seq,
      .time = self->sent + gap,
      .size = SIZE,
      .probe = { .id = self->probe },
    },
    .is_received = TRUE,
    .arrival = self->sent + gap + DELAY + wait,
    .ecn = ecn,
  };

  self->seq++;
  self->sent += gap;
  self->arrival = result.arrival;
  return gcc_own_queue_feed (&self->queue, &result, 1, result.arrival);
}

/* Each packet leaves @gap after the one before, and the queue grows by
 * @growth. */
static GccOwnQueueNews
send_packets (Flow *self, guint n, GccTime gap, GccTime growth, GccTime *wait)
{
  GccOwnQueueNews sum = { .link = GCC_RATE_NONE };

  for (; n > 0; n--) {
    GccOwnQueueNews news;

    *wait += growth;
    news = send_packet (self, gap, *wait, GCC_ECN_CE);
    sum.n_marked += news.n_marked;
    sum.wait = MAX (sum.wait, news.wait);
    if (news.link != GCC_RATE_NONE)
      sum.link = news.link;
  }
  return sum;
}

/* It begins with an empty path, whose delay is learned. */
static void
start_queue (Flow *self)
{
  start (self);
  send_packet (self, 0, 0, GCC_ECN_ECT_1);
}

static void
test_a_packet_behind_one_of_its_flow_is_in_its_own_queue (void)
{
  Flow flow;

  start_queue (&flow);
  send_packet (&flow, PACKET_TIME, PACKET_TIME, GCC_ECN_ECT_1);
  g_assert_cmpuint (
      send_packet (&flow, 2 * GCC_MSECOND, 8 * GCC_MSECOND, GCC_ECN_CE)
          .n_marked,
      ==, 1);
}

/* A turn of another flow takes PACKET_TIME, and the next of this flow comes later. */
static void
test_a_packet_behind_one_of_another_flow_is_not (void)
{
  Flow flow;

  start_queue (&flow);
  for (guint i = 0; i < 50; i++)
    g_assert_cmpuint (
        send_packet (&flow, 12 * GCC_MSECOND, PACKET_TIME, GCC_ECN_CE).n_marked,
        ==, 0);
}

static void
test_only_marks_count (void)
{
  Flow flow;

  start_queue (&flow);
  send_packet (&flow, PACKET_TIME, PACKET_TIME, GCC_ECN_ECT_1);
  g_assert_cmpuint (
      send_packet (&flow, 1 * GCC_MSECOND, 9 * GCC_MSECOND, GCC_ECN_ECT_1)
          .n_marked,
      ==, 0);
}

static void
test_the_queue_of_a_probe_is_no_own_one (void)
{
  GccTime wait = PACKET_TIME;
  GccOwnQueueNews news;
  Flow flow;

  start_queue (&flow);
  flow.probe = 3;
  news = send_packets (&flow, 20, 1 * GCC_MSECOND, 4 * GCC_MSECOND, &wait);
  g_assert_cmpuint (news.n_marked, ==, 0);
  g_assert_cmpint (news.link, ==, GCC_RATE_NONE);
}

static void
test_behind_a_packet_that_is_not_known_nothing_is_told (void)
{
  Flow flow;

  start_queue (&flow);
  send_packet (&flow, PACKET_TIME, PACKET_TIME, GCC_ECN_ECT_1);
  flow.seq++;
  g_assert_cmpuint (
      send_packet (&flow, 2 * GCC_MSECOND, 8 * GCC_MSECOND, GCC_ECN_CE)
          .n_marked,
      ==, 0);
}

static void
test_marked_packets_of_a_queue_arrive_at_the_rate_of_the_link (void)
{
  GccTime wait = PACKET_TIME;
  GccOwnQueueNews news;
  Flow flow;

  start_queue (&flow);
  news = send_packets (&flow, 8, 2 * GCC_MSECOND, 3 * GCC_MSECOND, &wait);
  g_assert_cmpint (news.link, ==, SIZE * 8 * GCC_SECOND / PACKET_TIME);
  g_assert_cmpint (news.wait, ==, wait);
}

static void
test_a_packet_without_a_mark_ends_the_measurement (void)
{
  GccTime wait = PACKET_TIME;
  GccOwnQueueNews news;
  Flow flow;

  start_queue (&flow);
  for (guint i = 0; i < 10; i++) {
    news = send_packets (&flow, 2, 2 * GCC_MSECOND, 3 * GCC_MSECOND, &wait);
    g_assert_cmpint (news.link, ==, GCC_RATE_NONE);
    send_packet (&flow, PACKET_TIME, wait, GCC_ECN_ECT_1);
  }
}

static void
test_a_longer_path_is_no_queue_once_it_has_lasted (void)
{
  Flow flow;

  start_queue (&flow);
  g_assert_cmpuint (
      send_packet (&flow, 10 * GCC_MSECOND, 40 * GCC_MSECOND, GCC_ECN_CE)
          .n_marked,
      ==, 0);
  g_assert_cmpuint (
      send_packet (&flow, 10 * GCC_MSECOND, 40 * GCC_MSECOND, GCC_ECN_CE)
          .n_marked,
      ==, 1);
  for (guint i = 0; i < 2001; i++)
    send_packet (&flow, 10 * GCC_MSECOND, 40 * GCC_MSECOND, GCC_ECN_CE);
  g_assert_cmpuint (
      send_packet (&flow, 10 * GCC_MSECOND, 40 * GCC_MSECOND, GCC_ECN_CE)
          .n_marked,
      ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/own-queue/" #name, test_##name)
  ADD (a_packet_behind_one_of_its_flow_is_in_its_own_queue);
  ADD (a_packet_behind_one_of_another_flow_is_not);
  ADD (only_marks_count);
  ADD (the_queue_of_a_probe_is_no_own_one);
  ADD (behind_a_packet_that_is_not_known_nothing_is_told);
  ADD (marked_packets_of_a_queue_arrive_at_the_rate_of_the_link);
  ADD (a_packet_without_a_mark_ends_the_measurement);
  ADD (a_longer_path_is_no_queue_once_it_has_lasted);
#undef ADD
  return g_test_run ();
}
