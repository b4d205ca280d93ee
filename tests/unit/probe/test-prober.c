/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-prober.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>

#include "conformance.h"

#define C26 "C26 bitrate_prober_unittest"

#define SIZE 1000

static void
add (GccProber *prober, gint id, GccRate rate, GccTime now)
{
  GccProbeRequest request = {
    .id = id,
    .rate = rate,
    .duration = 15 * GCC_MSECOND,
    .min_packets = 5,
    .min_spacing = 2 * GCC_MSECOND,
  };

  gcc_prober_add (prober, &request, now);
}

static gint
get_id (GccProber *prober, GccTime now)
{
  GccProbeInfo probe;

  gcc_prober_get_probe (prober, now, &probe);
  return probe.id;
}

/* Sends the packets of one cluster; returns how many. */
static guint
send_cluster (GccProber *prober, gsize size, GccTime *now)
{
  gint id = get_id (prober, *now);
  guint n = 0;

  while (gcc_prober_is_probing (prober)) {
    GccTime next = gcc_prober_next_send (prober, *now);

    *now = MAX (*now, next);
    if (get_id (prober, *now) != id)
      break;
    gcc_prober_feed_sent (prober, size, *now);
    n++;
  }
  return n;
}

/* To the time at which the packet after the last would leave. */
static void
check_cluster (GccProber *prober, const gchar *name, GccRate rate, GccTime *now)
{
  g_autofree gchar *packets = g_strconcat (name, ": packets", NULL);
  g_autofree gchar *lasts = g_strconcat (name, ": lasts 15 ms", NULL);
  g_autofree gchar *rates = g_strconcat (name, ": rate", NULL);
  GccTime start = *now;
  guint n = send_cluster (prober, SIZE, now);
  GccTime duration = prober->next_send - start;

  conformance_check_int (C26, packets, 5, n);
  conformance_check_boolean (C26, lasts, TRUE, duration >= 15 * GCC_MSECOND);
  conformance_check_int_near (C26, rates, rate, rate / 10,
      (gint64) n * SIZE * 8 * GCC_SECOND / duration);
}

static void
test_clusters_are_sent_at_their_rate (void)
{
  GccTime now = 0;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  conformance_check_boolean (
      C26, "probes before a cluster", FALSE, gcc_prober_is_probing (&prober));
  add (&prober, 0, 900000, now);
  add (&prober, 1, 1800000, now);
  conformance_check_boolean (
      C26, "probes before a packet", FALSE, gcc_prober_is_probing (&prober));
  gcc_prober_feed_queued (&prober, SIZE);
  conformance_check_boolean (C26, "probes with the first packet", TRUE,
      gcc_prober_is_probing (&prober));
  g_assert_cmpint (gcc_prober_next_send (&prober, now), ==, now);

  check_cluster (&prober, "900 kbit/s", 900000, &now);
  now = gcc_prober_next_send (&prober, now);
  check_cluster (&prober, "then 1800 kbit/s", 1800000, &now);
  conformance_check_boolean (C26, "probes after the last cluster", FALSE,
      gcc_prober_is_probing (&prober));
}

static void
test_few_clusters_wait (void)
{
  GccTime now = 0;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 900000, now);
  gcc_prober_feed_queued (&prober, SIZE);
  for (gint id = 1; id <= 11; id++) {
    add (&prober, id, 900000, now);
    gcc_prober_feed_queued (&prober, SIZE);
  }
  conformance_check_boolean (C26, "of 12 clusters the first 5 are dropped",
      TRUE, get_id (&prober, now) >= 5);
  while (gcc_prober_is_probing (&prober) && now < 2 * GCC_SECOND)
    send_cluster (&prober, SIZE, &now);
  conformance_check_boolean (
      C26, "the others end within 1 s", TRUE, now < GCC_SECOND);
}

static void
test_a_small_packet_begins_no_cluster (void)
{
  GccProberParams params = gcc_goog_2026_prober;
  GccProber prober;

  gcc_prober_init (&prober, &params);
  add (&prober, 0, 1000000, 0);
  gcc_prober_feed_queued (&prober, 100);
  conformance_check_boolean (
      C26, "begins with 100 bytes", FALSE, gcc_prober_is_probing (&prober));

  params.min_packet = 0;
  gcc_prober_init (&prober, &params);
  add (&prober, 0, 1000000, 0);
  gcc_prober_feed_queued (&prober, 10);
  conformance_check_boolean (C26, "begins with 10 bytes, least size 0", TRUE,
      gcc_prober_is_probing (&prober));
}

static void
test_a_slow_cluster_has_its_packets (void)
{
  GccTime now = 0;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 100000, now);
  gcc_prober_feed_queued (&prober, SIZE);
  conformance_check_int (
      C26, "packets of 100 kbit/s", 5, send_cluster (&prober, SIZE, &now));
}

static void
test_a_cluster_that_has_waited_gives_way (void)
{
  GccTime now = 0;
  GccProber prober;
  gsize bytes = 0;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 300000, now);
  gcc_prober_feed_queued (&prober, 20);
  conformance_check_boolean (
      C26, "20 bytes, 300 kbit/s", FALSE, gcc_prober_is_probing (&prober));
  now = 5 * GCC_SECOND;
  add (&prober, 1, 30000, now);
  gcc_prober_feed_queued (&prober, 20);
  conformance_check_boolean (
      C26, "and after 5 s 30 kbit/s", FALSE, gcc_prober_is_probing (&prober));
  now += GCC_MSECOND;
  add (&prober, 2, 30000, now);
  gcc_prober_feed_queued (&prober, 20);
  conformance_check_boolean (C26, "and after 5.001 s 30 kbit/s", TRUE,
      gcc_prober_is_probing (&prober));
  while (gcc_prober_is_probing (&prober))
    bytes += 20 * send_cluster (&prober, 20, &now);
  conformance_check_int (C26, "bytes of both", 200, (gint64) bytes);
}

static void
test_a_late_cluster_is_given_up (void)
{
  GccProbeInfo probe;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 800000, 0);
  gcc_prober_feed_queued (&prober, SIZE);
  gcc_prober_feed_sent (&prober, SIZE, 0);
  g_assert_cmpint (gcc_prober_next_send (&prober, 0), ==, 10 * GCC_MSECOND);
  g_assert_true (gcc_prober_get_probe (&prober, 20 * GCC_MSECOND, &probe));
  g_assert_cmpint (probe.id, ==, 0);
  g_assert_cmpuint (probe.min_packets, ==, 5);
  g_assert_cmpuint (probe.min_bytes, ==, 1500);
  g_assert_false (gcc_prober_get_probe (&prober, 20 * GCC_MSECOND + 1, &probe));
  g_assert_cmpint (probe.id, ==, GCC_PROBE_NONE);
  g_assert_cmpuint (prober.n_abandoned, ==, 1);
  g_assert_cmpint (gcc_prober_next_send (&prober, 0), ==, GCC_TIME_NONE);
  g_assert_cmpuint (gcc_prober_get_min_bytes (&prober), ==, 0);
}

/* Guards: at 15 ms of more than 2 Tbit/s the number of bytes overflowed. */
static void
test_a_cluster_of_any_rate_has_its_bytes (void)
{
  static const GccRate rates[] = { 2000000000000, 3000000000000, G_MAXINT64 };
  GccProbeInfo probe;
  guint before = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    GccProber prober;

    gcc_prober_init (&prober, &gcc_goog_2026_prober);
    add (&prober, 0, rates[i], 0);
    gcc_prober_feed_queued (&prober, SIZE);
    g_assert_true (gcc_prober_get_probe (&prober, 0, &probe));
    g_assert_cmpuint (probe.min_bytes, >, before);
    g_assert_cmpuint (gcc_prober_get_min_bytes (&prober), <=, G_MAXUINT);
    before = MIN (probe.min_bytes, G_MAXUINT - 1);
  }
}

/* Guards against a hiccup of 10 ms that took all clusters of the start. */
static void
test_the_next_cluster_is_not_late_with_the_last (void)
{
  GccProber prober;
  GccTime now = GCC_SECOND;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 900000, now);
  add (&prober, 1, 1800000, now);
  gcc_prober_feed_queued (&prober, SIZE);
  g_assert_cmpint (get_id (&prober, now), ==, 0);
  gcc_prober_feed_sent (&prober, SIZE, now);
  now += GCC_SECOND;
  g_assert_cmpint (get_id (&prober, now), ==, 1);
  g_assert_cmpint (gcc_prober_next_send (&prober, now), ==, now);
  g_assert_cmpint (get_id (&prober, now), ==, 1);
  gcc_prober_feed_sent (&prober, SIZE, now);
  g_assert_cmpint (gcc_prober_next_send (&prober, now), ==,
      now + 8 * SIZE * GCC_SECOND / 1800000);
  g_assert_cmpuint (prober.n_abandoned, ==, 1);
}

static void
test_a_packet_that_is_nearly_due_is_due (void)
{
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 800000, 0);
  g_assert_cmpuint (gcc_prober_get_min_bytes (&prober), ==, 200);
  gcc_prober_feed_queued (&prober, SIZE);
  gcc_prober_feed_sent (&prober, SIZE, 0);
  g_assert_cmpint (gcc_prober_next_send (&prober, 8999), ==, 10000);
  g_assert_cmpint (gcc_prober_next_send (&prober, 9000), ==, 9000);
}

static void
test_packets_without_a_cluster_do_not_matter (void)
{
  GccProbeInfo probe;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  gcc_prober_feed_queued (&prober, SIZE);
  gcc_prober_feed_sent (&prober, SIZE, 0);
  g_assert_false (gcc_prober_get_probe (&prober, 0, &probe));
  g_assert_cmpint (probe.id, ==, GCC_PROBE_NONE);
}

/* Nothing would be probed until the clock is where it was. */
static void
test_a_cluster_ends_when_the_clock_is_set_back (void)
{
  GccTime now = 1000 * GCC_SECOND;
  GccProbeInfo probe;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  add (&prober, 0, 800000, now);
  gcc_prober_feed_queued (&prober, SIZE);
  gcc_prober_feed_sent (&prober, SIZE, now);
  now -= 900 * GCC_SECOND;
  g_assert_false (gcc_prober_get_probe (&prober, now, &probe));
  g_assert_cmpint (gcc_prober_next_send (&prober, now), ==, GCC_TIME_NONE);
  g_assert_cmpuint (prober.n_abandoned, ==, 1);
}

/* Guards: fifteen milliseconds at a low rate are no more than a token bucket
 * passes at once. */
static void
test_a_cluster_has_the_bytes_that_are_asked_for (void)
{
  GccProbeRequest request = {
    .rate = 800000,
    .duration = 15 * GCC_MSECOND,
    .min_bytes = 5000,
    .min_packets = 2,
    .min_spacing = 2 * GCC_MSECOND,
  };
  GccTime now = 0;
  GccProber prober;

  gcc_prober_init (&prober, &gcc_goog_2026_prober);
  gcc_prober_add (&prober, &request, now);
  gcc_prober_feed_queued (&prober, SIZE);
  g_assert_cmpuint (send_cluster (&prober, SIZE, &now), ==, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/prober/" #name, test_##name)
  ADD (clusters_are_sent_at_their_rate);
  ADD (few_clusters_wait);
  ADD (a_small_packet_begins_no_cluster);
  ADD (a_slow_cluster_has_its_packets);
  ADD (a_cluster_that_has_waited_gives_way);
  ADD (a_late_cluster_is_given_up);
  ADD (a_cluster_of_any_rate_has_its_bytes);
  ADD (the_next_cluster_is_not_late_with_the_last);
  ADD (a_packet_that_is_nearly_due_is_due);
  ADD (packets_without_a_cluster_do_not_matter);
  ADD (a_cluster_ends_when_the_clock_is_set_back);
  ADD (a_cluster_has_the_bytes_that_are_asked_for);
#undef ADD
  return g_test_run ();
}
