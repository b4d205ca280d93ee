/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C26 "C26 probe_bitrate_estimator_unittest"

#define SIZE 1000

static const GccProbeInfo default_probe = { 0, 5, 5000 };

static GccRate
feed (GccProbeEstimator *estimator, const GccProbeInfo *probe, guint32 size,
    gint64 sent_ms, gint64 arrival_ms)
{
  GccPacketResult packet = {
    .sent = { .time = sent_ms * GCC_MSECOND, .size = size, .probe = *probe },
    .is_received = TRUE,
    .arrival = arrival_ms * GCC_MSECOND,
  };

  return gcc_probe_estimator_update (estimator, &packet);
}

typedef struct {
  guint32 size;
  gint64 sent_ms;
  gint64 arrival_ms;
} Packet;

typedef struct {
  const gchar *name;
  GccProbeInfo probe;
  Packet packets[6];
  GccRate expected;
} Vector;

static void
test_clusters_are_measured_as_published (void)
{
  static const Vector vectors[] = {
    { "4 of 5 packets", { 0, 5, 5000 },
        { { SIZE, 0, 10 }, { SIZE, 10, 20 }, { SIZE, 20, 30 },
            { SIZE, 30, 40 } },
        800000 },
    { "3 of 5 packets", { 0, 5, 5000 },
        { { 2000, 0, 10 }, { 2000, 10, 20 }, { 2000, 20, 30 } },
        GCC_RATE_NONE },
    { "6 packets of 150 bytes, at least 1000", { 0, 5, 1000 },
        { { 150, 0, 10 }, { 150, 10, 20 }, { 150, 20, 30 }, { 150, 30, 40 },
            { 150, 40, 50 }, { 150, 50, 60 } },
        120000 },
    { "received more than twice as fast", { 0, 5, 5000 },
        { { SIZE, 0, 19 }, { SIZE, 10, 22 }, { SIZE, 20, 25 },
            { SIZE, 40, 27 } },
        GCC_RATE_NONE },
    { "received at once", { 0, 5, 5000 },
        { { SIZE, 0, 50 }, { SIZE, 10, 50 }, { SIZE, 20, 50 },
            { SIZE, 40, 50 } },
        GCC_RATE_NONE },
    { "the last packet is larger", { 0, 5, 5000 },
        { { SIZE, 0, 10 }, { SIZE, 10, 20 }, { SIZE, 20, 30 }, { SIZE, 30, 40 },
            { 1500, 40, 50 } },
        800000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++) {
    const Vector *vector = &vectors[i];
    GccProbeEstimator estimator;

    gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
    for (guint j = 0; j < 6 && vector->packets[j].size != 0; j++)
      feed (&estimator, &vector->probe, vector->packets[j].size,
          vector->packets[j].sent_ms, vector->packets[j].arrival_ms);
    conformance_check_int (C26, vector->name, vector->expected,
        gcc_probe_estimator_fetch (&estimator));
  }
}

static void
test_fast_clusters_are_measured (void)
{
  static const GccProbeInfo probe = { 0, 30, 312500 };
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  for (guint i = 0; i < 25; i++)
    feed (&estimator, &probe, 12500, i, i + 5);
  conformance_check_int (C26, "25 of 30 packets, 12500 bytes each ms",
      100000000, gcc_probe_estimator_fetch (&estimator));
}

static void
test_clusters_are_kept_apart (void)
{
  static const GccProbeInfo second = { 1, 5, 5000 };
  static const Packet packets[] = { { SIZE, 60, 70 }, { SIZE, 65, 77 },
    { SIZE, 70, 84 }, { SIZE, 75, 90 } };
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  feed (&estimator, &default_probe, SIZE, 0, 10);
  feed (&estimator, &default_probe, SIZE, 10, 20);
  feed (&estimator, &default_probe, SIZE, 20, 30);
  conformance_check_int (C26, "first cluster, fourth packet 20 ms late", 456000,
      feed (&estimator, &default_probe, SIZE, 40, 60));
  conformance_check_int (C26, "first cluster, fifth packet in time", 640000,
      feed (&estimator, &default_probe, SIZE, 50, 60));
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++)
    feed (&estimator, &second, SIZE, packets[i].sent_ms, packets[i].arrival_ms);
  conformance_check_int (
      C26, "second cluster", 1140000, gcc_probe_estimator_fetch (&estimator));
}

/* 1 Mbit/s behind a token bucket of 1500 bytes, which passes the first packet and
 * a part of the second at once. */
static void
test_the_default_is_not_misled_by_a_token_bucket (void)
{
  static const Packet packets[] = { { 1250, 0, 0 }, { 1250, 5, 8 },
    { 1250, 10, 18 }, { 1250, 15, 28 }, { 1250, 20, 38 } };
  GccProbeEstimator estimator;
  GccRate rate = GCC_RATE_NONE;

  gcc_probe_estimator_init (
      &estimator, gcc_profile_find ("recommended")->send_side->probes);
  for (guint i = 0; i < G_N_ELEMENTS (packets); i++)
    rate = feed (&estimator, &default_probe, packets[i].size,
        packets[i].sent_ms, packets[i].arrival_ms);
  g_assert_cmpint (rate, ==, 945000);
}

/* What a link of 1 Mbit/s, with a token bucket of 1500 bytes that has filled up,
 * tells of a cluster. */
static GccRate
probe_through_bucket (
    const GccProbeInfo *probe, guint n, guint32 size, GccTime interval)
{
  GccProbeEstimator estimator;
  GccTime free = -12 * GCC_MSECOND;
  GccRate rate = GCC_RATE_NONE;

  gcc_probe_estimator_init (
      &estimator, gcc_profile_find ("recommended")->send_side->probes);
  for (guint i = 0; i < n; i++) {
    GccPacketResult packet = {
      .sent = { .time = (GccTime) i * interval, .size = size, .probe = *probe },
      .is_received = TRUE,
    };

    free = MAX (free, packet.sent.time - 12 * GCC_MSECOND) + size * 8;
    packet.arrival = MAX (packet.sent.time, free);
    rate = gcc_probe_estimator_update (&estimator, &packet);
  }
  return rate;
}

/* Guards: nine of twenty small packets passed at once, and what came of all was
 * half as much again as the link takes. */
static void
test_the_default_measures_from_where_a_queue_begins (void)
{
  static const GccProbeInfo probe = { 0, 5, 5000 };

  g_assert_cmpint (
      probe_through_bucket (&probe, 20, 250, GCC_MSECOND), ==, 945000);
}

/* Guards: a cluster that the bucket nearly held was delayed by 4 ms, and taken for
 * one that had met no queue. What came less the bucket is the link's. */
static void
test_a_short_queue_is_none_of_a_clear_path (void)
{
  static const GccProbeInfo probe = { 0, 4, 3600 };
  GccRate rate = probe_through_bucket (&probe, 4, 900, 4 * GCC_MSECOND);

  g_assert_cmpint (rate, >, 900000);
  g_assert_cmpint (rate, <, 960000);
}

/* Guards: the first packets of a cluster pass any bucket. */
static void
test_a_path_is_clear_when_the_whole_cluster_has_passed (void)
{
  static const GccProbeInfo probe = { 0, 5, 5000 };

  g_assert_cmpint (probe_through_bucket (&probe, 4, 1000, 10 * GCC_MSECOND), ==,
      GCC_RATE_NONE);
  g_assert_cmpint (
      probe_through_bucket (&probe, 5, 1000, 10 * GCC_MSECOND), ==, 800000);
}

typedef struct {
  guint32 size;
  gint64 arrival_ms;
} Arrival;

/* Ten packets, sent 4 ms one after the other. */
static gboolean
is_lower_bound (const Arrival *arrivals)
{
  const GccProfile *profile = gcc_profile_find ("recommended");
  static const GccProbeInfo probe = { 0, 5, 5000 };
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, profile->send_side->probes);
  for (guint i = 0; i < 10; i++)
    feed (&estimator, &probe, arrivals[i].size, 4 * i, arrivals[i].arrival_ms);
  g_assert_cmpint (gcc_probe_estimator_fetch (&estimator), !=, GCC_RATE_NONE);
  return estimator.is_lower_bound;
}

static void
test_clumps_tell_what_the_path_takes_at_least (void)
{
  static const Arrival two[] = { { SIZE, 50 }, { SIZE, 50 }, { SIZE, 50 },
    { SIZE, 50 }, { SIZE, 100 }, { SIZE, 100 }, { SIZE, 100 }, { SIZE, 100 },
    { SIZE, 100 }, { SIZE, 100 } };
  static const Arrival three[] = { { SIZE, 33 }, { SIZE, 66 }, { SIZE, 66 },
    { SIZE, 66 }, { SIZE, 66 }, { SIZE, 66 }, { SIZE, 66 }, { SIZE, 66 },
    { SIZE, 66 }, { SIZE, 99 } };

  g_assert_true (is_lower_bound (two));
  g_assert_true (is_lower_bound (three));
}

/* A link takes longer for a large packet, and for that of another flow. */
static void
test_a_link_tells_what_it_takes (void)
{
  static const Arrival even[] = { { SIZE, 50 }, { SIZE, 58 }, { SIZE, 66 },
    { SIZE, 74 }, { SIZE, 82 }, { SIZE, 90 }, { SIZE, 98 }, { SIZE, 106 },
    { SIZE, 114 }, { SIZE, 122 } };
  static const Arrival sizes[] = { { 250, 50 }, { 250, 52 }, { 250, 54 },
    { 250, 56 }, { 4 * SIZE, 88 }, { 250, 90 }, { 250, 92 }, { 250, 94 },
    { 250, 96 }, { 250, 98 } };
  static const Arrival others[] = { { SIZE, 50 }, { SIZE, 58 }, { SIZE, 66 },
    { SIZE, 74 }, { SIZE, 98 }, { SIZE, 106 }, { SIZE, 114 }, { SIZE, 122 },
    { SIZE, 130 }, { SIZE, 138 } };

  g_assert_false (is_lower_bound (even));
  g_assert_false (is_lower_bound (sizes));
  g_assert_false (is_lower_bound (others));
}

/* What a link of 1 Mbit/s tells of five packets, between which others without a
 * number took a fifth of it. */
static GccRate
probe_beside_audio (const GccProbeEstimatorParams *params)
{
  GccProbeEstimator estimator;
  GccRate rate = GCC_RATE_NONE;

  gcc_probe_estimator_init (&estimator, params);
  for (guint i = 0; i < 5; i++) {
    GccPacketResult packet = {
      .sent = { .time = i * 5 * GCC_MSECOND,
          .size = SIZE,
          .unnumbered_bytes = SIZE / 4,
          .probe = default_probe },
      .is_received = TRUE,
      .arrival = i * 10 * GCC_MSECOND,
    };

    rate = gcc_probe_estimator_update (&estimator, &packet);
  }
  return rate;
}

/* Guards: video beside audio of another session was held 8 % below the link. */
static void
test_bytes_without_a_number_are_part_of_what_the_link_takes (void)
{
  g_assert_cmpint (
      probe_beside_audio (gcc_profile_find ("recommended")->send_side->probes),
      ==, 945000);
  g_assert_cmpint (
      probe_beside_audio (&gcc_goog_2026_probe_estimator), ==, 760000);
}

static void
test_a_result_is_read_once (void)
{
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  conformance_check_int (C26, "no result yet", GCC_RATE_NONE,
      gcc_probe_estimator_fetch (&estimator));
  for (guint i = 0; i < 4; i++)
    feed (&estimator, &default_probe, SIZE, 10 * i, 10 * i + 10);
  conformance_check_int (
      C26, "read once", 800000, gcc_probe_estimator_fetch (&estimator));
  conformance_check_int (
      C26, "read twice", GCC_RATE_NONE, gcc_probe_estimator_fetch (&estimator));
}

static void
test_a_cluster_is_forgotten_after_a_second (void)
{
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  for (guint i = 0; i < 3; i++)
    feed (&estimator, &default_probe, SIZE, 10 * i, 10 * i + 10);
  g_assert_cmpint (
      feed (&estimator, &default_probe, SIZE, 30, 1031), ==, GCC_RATE_NONE);
  g_assert_cmpuint (estimator.clusters[1].n_packets, ==, 1);
}

static void
test_other_packets_are_ignored (void)
{
  static const GccProbeInfo none = { GCC_PROBE_NONE, 0, 0 };
  GccPacketResult lost = { .sent = { .size = SIZE, .probe = default_probe },
    .arrival = GCC_TIME_NONE };
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  for (guint i = 0; i < 10; i++) {
    g_assert_cmpint (
        feed (&estimator, &none, SIZE, 10 * i, 10 * i + 10), ==, GCC_RATE_NONE);
    g_assert_cmpint (
        gcc_probe_estimator_update (&estimator, &lost), ==, GCC_RATE_NONE);
  }
}

/* Guards: a cluster that is never forgotten because its clock stands. */
static void
test_clusters_are_bounded (void)
{
  GccProbeEstimator estimator;

  gcc_probe_estimator_init (&estimator, &gcc_goog_2026_probe_estimator);
  for (gint id = 0; id < 1000; id++) {
    GccProbeInfo probe = { id, 5, 5000 };

    for (guint i = 0; i < 4; i++)
      feed (&estimator, &probe, SIZE, 10 * i, 10 * i + 10);
    g_assert_cmpint (gcc_probe_estimator_fetch (&estimator), ==, 800000);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/probe-estimator/" #name, test_##name)
  ADD (clusters_are_measured_as_published);
  ADD (fast_clusters_are_measured);
  ADD (clusters_are_kept_apart);
  ADD (the_default_is_not_misled_by_a_token_bucket);
  ADD (the_default_measures_from_where_a_queue_begins);
  ADD (a_short_queue_is_none_of_a_clear_path);
  ADD (a_path_is_clear_when_the_whole_cluster_has_passed);
  ADD (clumps_tell_what_the_path_takes_at_least);
  ADD (a_link_tells_what_it_takes);
  ADD (bytes_without_a_number_are_part_of_what_the_link_takes);
  ADD (a_result_is_read_once);
  ADD (a_cluster_is_forgotten_after_a_second);
  ADD (other_packets_are_ignored);
  ADD (clusters_are_bounded);
#undef ADD
  return g_test_run ();
}
