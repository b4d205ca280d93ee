/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>

#include "conformance.h"

#define C26 "C26 robust_throughput_estimator_unittest"

#define SIZE 1000
#define MAX_PACKETS 100

/* What the next packet is sent and received at. */
typedef struct {
  GccAcknowledgedRate rate;
  gint64 seq;
  GccTime send_clock;
  GccTime receive_clock;
  GccPacketResult packets[MAX_PACKETS];
} Arrivals;

static void
arrivals_init (Arrivals *arrivals)
{
  *arrivals = (Arrivals){
    .send_clock = 100 * GCC_SECOND,
    .receive_clock = 10 * GCC_SECOND,
  };
  gcc_acknowledged_rate_init (
      &arrivals->rate, &gcc_goog_2026_acknowledged_rate);
}

/* Rates in kB/s. The clocks go on before each packet. */
static GccPacketResult *
make_packets (
    Arrivals *arrivals, guint n, guint send_kbytes, guint receive_kbytes)
{
  for (guint i = 0; i < n; i++) {
    arrivals->send_clock += GCC_MSECOND * SIZE / send_kbytes;
    arrivals->receive_clock += GCC_MSECOND * SIZE / receive_kbytes;
    arrivals->packets[i] = (GccPacketResult){
      .sent = { .seq = arrivals->seq++,
          .time = arrivals->send_clock,
          .size = SIZE,
          .probe = { GCC_PROBE_NONE, 0, 0 } },
      .is_received = TRUE,
      .arrival = arrivals->receive_clock,
    };
  }
  return arrivals->packets;
}

static GccRate
feed (Arrivals *arrivals, guint n, guint send_kbytes, guint receive_kbytes)
{
  gcc_acknowledged_rate_update (&arrivals->rate,
      make_packets (arrivals, n, send_kbytes, receive_kbytes), n);
  return gcc_acknowledged_rate_get (&arrivals->rate);
}

static void
test_first_rate_needs_ten_packets (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  conformance_check_int (
      C26, "9 packets", GCC_RATE_NONE, feed (&arrivals, 9, 100, 100));
  conformance_check_int (
      C26, "10th packet", 800000, feed (&arrivals, 1, 100, 100));
}

static void
test_rate_falls_with_the_window (void)
{
  static const GccRate expected[] = { 1360000, 1120000, 880000, 640000, 400000,
    400000 };
  Arrivals arrivals;

  arrivals_init (&arrivals);
  for (guint i = 0; i < 20; i++)
    feed (&arrivals, 10, 200, 200);
  conformance_check_int (
      C26, "200 packets at 200 kB/s", 1600000, feed (&arrivals, 10, 200, 200));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autofree gchar *name = g_strdup_printf (
        "then at 50 kB/s: %u packets", 10 * (i + 1));

    conformance_check_int (
        C26, name, expected[i], feed (&arrivals, 10, 50, 50));
  }
}

static void
test_the_slower_of_sender_and_receiver_counts (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  conformance_check_int (C26, "sent at 100 kB/s, received at 25", 200000,
      feed (&arrivals, 20, 100, 25));
  arrivals_init (&arrivals);
  conformance_check_int (C26, "sent at 50 kB/s, received at 100", 400000,
      feed (&arrivals, 20, 50, 100));
}

static void
test_lost_packets_do_not_count (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  make_packets (&arrivals, 20, 100, 100);
  for (guint i = 0; i < 20; i += 2) {
    arrivals.packets[i].is_received = FALSE;
    arrivals.packets[i].arrival = GCC_TIME_NONE;
  }
  gcc_acknowledged_rate_update (&arrivals.rate, arrivals.packets, 20);
  conformance_check_int (C26, "every second of 20 packets lost", 400000,
      gcc_acknowledged_rate_get (&arrivals.rate));
}

static void
test_reordered_feedback_is_put_in_order (void)
{
  Arrivals arrivals;
  GccPacketResult delayed[10];

  arrivals_init (&arrivals);
  feed (&arrivals, 20, 100, 100);
  make_packets (&arrivals, 10, 100, 100);
  for (guint i = 0; i < 10; i++)
    delayed[i] = arrivals.packets[i];
  conformance_check_int (C26, "10 packets ahead of 10 others", 594871,
      feed (&arrivals, 10, 100, 100));
  gcc_acknowledged_rate_update (&arrivals.rate, delayed, 10);
  conformance_check_int (C26, "then the others", 800000,
      gcc_acknowledged_rate_get (&arrivals.rate));
}

static void
test_a_pause_makes_it_start_anew (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  feed (&arrivals, 20, 100, 100);
  arrivals.send_clock += 60 * GCC_SECOND;
  arrivals.receive_clock += 60 * GCC_SECOND;
  conformance_check_int (C26, "5 packets after a pause of 60 s", GCC_RATE_NONE,
      feed (&arrivals, 5, 100, 100));
  conformance_check_int (
      C26, "and 5 more", 800000, feed (&arrivals, 5, 100, 100));
}

static void
test_bytes_without_a_number_count (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  make_packets (&arrivals, 20, 100, 100);
  for (guint i = 0; i < 20; i++)
    arrivals.packets[i].sent.unnumbered_bytes = SIZE;
  gcc_acknowledged_rate_update (&arrivals.rate, arrivals.packets, 20);
  g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), ==, 1600000);
}

/* Sends and receives ten packets of which no feedback tells. */
static void
lose_feedback (Arrivals *arrivals)
{
  make_packets (arrivals, 10, 100, 100);
  gcc_acknowledged_rate_skip (&arrivals->rate);
}

/* Guards: R(t) that is half of what arrives while half of the feedback is lost.
 */
static void
test_what_nobody_tells_of_does_not_count (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  feed (&arrivals, 10, 100, 100);
  for (guint i = 0; i < 20; i++) {
    lose_feedback (&arrivals);
    g_assert_cmpint (feed (&arrivals, 10, 100, 100), ==, 800000);
  }
  /* nor does it hide that the path has become slower */
  for (guint i = 0; i < 10; i++) {
    lose_feedback (&arrivals);
    feed (&arrivals, 10, 100, 50);
  }
  g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), ==, 400000);
}

static void
test_what_is_told_late_counts (void)
{
  GccPacketResult late[10];
  Arrivals arrivals;

  arrivals_init (&arrivals);
  feed (&arrivals, 10, 100, 100);
  make_packets (&arrivals, 10, 100, 100);
  memcpy (late, arrivals.packets, sizeof late);
  gcc_acknowledged_rate_skip (&arrivals.rate);
  feed (&arrivals, 10, 100, 100);
  gcc_acknowledged_rate_update (&arrivals.rate, late, 10);
  g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), ==, 800000);
}

static void
test_a_receivers_clock_set_back_makes_it_start_anew (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  feed (&arrivals, 20, 100, 100);
  arrivals.receive_clock -= 10 * GCC_SECOND;
  g_assert_cmpint (feed (&arrivals, 1, 100, 100), ==, GCC_RATE_NONE);
  g_assert_cmpint (feed (&arrivals, 9, 100, 100), ==, GCC_RATE_NONE);
  g_assert_cmpint (feed (&arrivals, 1, 100, 100), ==, 800000);
}

static void
test_window_is_bounded (void)
{
  Arrivals arrivals;

  arrivals_init (&arrivals);
  for (guint i = 0; i < 1000; i++)
    feed (&arrivals, 100, 20000, 20000);
  g_assert_cmpuint (
      arrivals.rate.n_packets, ==, gcc_goog_2026_acknowledged_rate.max_packets);
  g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), ==, 160000000);
}

/* Guards: division by a window of no length, and one feedback that is longer
 * than the window. */
static void
test_packets_that_arrive_together_do_no_harm (void)
{
  static GccPacketResult results[2048];
  Arrivals arrivals;

  arrivals_init (&arrivals);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    results[i] = (GccPacketResult){
      .sent = { .seq = i, .time = GCC_SECOND, .size = 1 },
      .is_received = TRUE,
      .arrival = GCC_SECOND,
    };
  gcc_acknowledged_rate_update (
      &arrivals.rate, results, G_N_ELEMENTS (results));
  g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), >, 0);
}

/* Random gaps of whole ticks, with pauses; some packets overtake others. */
static void
make_random_packet (Arrivals *arrivals, GRand *rand, GccPacketResult *packet)
{
  gboolean is_pause = g_rand_int_range (rand, 0, 100) == 0;
  gboolean is_overtaken = g_rand_int_range (rand, 0, 50) == 0;

  arrivals->send_clock += g_rand_int_range (rand, 0, 12) * GCC_MSECOND;
  arrivals->receive_clock += is_pause ? 300 * GCC_MSECOND
                                      : g_rand_int_range (rand, 0, 40) * 250;
  *packet = (GccPacketResult){
    .sent = { .time = arrivals->send_clock -
            (is_overtaken ? 30 * GCC_MSECOND : 0),
        .size = (guint32) g_rand_int_range (rand, 1, SIZE) },
    .is_received = TRUE,
    .arrival = arrivals->receive_clock,
  };
}

/* Guards the sums, which are not made anew when packets leave the window. */
static void
test_the_rate_is_that_of_the_window_alone (void)
{
  static GccPacketResult packets[5000];
  GRand *rand = g_rand_new_with_seed (1);
  Arrivals arrivals, anew;

  arrivals_init (&arrivals);
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    guint n;

    make_random_packet (&arrivals, rand, &packets[i]);
    gcc_acknowledged_rate_update (&arrivals.rate, &packets[i], 1);
    n = arrivals.rate.n_packets;
    arrivals_init (&anew);
    anew.rate.last_dropped_sent = arrivals.rate.last_dropped_sent;
    gcc_acknowledged_rate_update (&anew.rate, &packets[i + 1 - n], n);
    g_assert_cmpint (gcc_acknowledged_rate_get (&arrivals.rate), ==,
        gcc_acknowledged_rate_get (&anew.rate));
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/acknowledged-rate/" #name, test_##name)
  ADD (first_rate_needs_ten_packets);
  ADD (rate_falls_with_the_window);
  ADD (the_slower_of_sender_and_receiver_counts);
  ADD (lost_packets_do_not_count);
  ADD (reordered_feedback_is_put_in_order);
  ADD (a_pause_makes_it_start_anew);
  ADD (bytes_without_a_number_count);
  ADD (what_nobody_tells_of_does_not_count);
  ADD (what_is_told_late_counts);
  ADD (a_receivers_clock_set_back_makes_it_start_anew);
  ADD (window_is_bounded);
  ADD (packets_that_arrive_together_do_no_harm);
  ADD (the_rate_is_that_of_the_window_alone);
#undef ADD
  return g_test_run ();
}
