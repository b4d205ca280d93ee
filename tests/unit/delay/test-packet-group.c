/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-packet-group.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "conformance.h"

#define C20 "C20 inter_arrival_unittest"

/* The vectors give send times in µs. They are run in two units: RTP ticks, and
 * abs-send-time's 24 bit of 6.18 s, moved up so that they wrap at 32 bit. */
typedef struct {
  const gchar *name;
  guint32 rate;
  guint32 (*from_us) (guint64 us);
  guint64 wrap_us;
  gint64 tick;
} Unit;

static guint32
rtp_from_us (guint64 us)
{
  return (guint32) ((us * 90 + 500) / 1000);
}

static guint32
abs_send_time_from_us (guint64 us)
{
  return (guint32) ((((us << 18) + 500000) / 1000000 & 0xffffff) << 8);
}

static const Unit units[] = {
  { "RTP", 90000, rtp_from_us, G_GUINT64_CONSTANT (47721858827), 1 },
  { "abs-send-time", 1u << 26, abs_send_time_from_us, 63999995, 256 },
};

typedef struct {
  const Unit *unit;
  GccPacketGroup group;
  GccGroupDelta delta;
} Groups;

static void
groups_init (Groups *groups, const Unit *unit)
{
  groups->unit = unit;
  gcc_packet_group_init (
      &groups->group, &gcc_profile_find ("goog-2020")->delay.group);
}

static gboolean
groups_feed (Groups *groups, guint64 us, gint64 arrival_ms, gsize size)
{
  GccTime arrival = arrival_ms * GCC_MSECOND;

  return gcc_packet_group_update (&groups->group, groups->unit->from_us (us),
      groups->unit->rate, arrival, size, arrival, &groups->delta);
}

static void
groups_feed_none (Groups *groups, const gchar *name, guint64 us,
    gint64 arrival_ms, gsize size)
{
  g_autofree gchar *full = g_strconcat (groups->unit->name, ": ", name, NULL);

  conformance_check_boolean (
      C20, full, FALSE, groups_feed (groups, us, arrival_ms, size));
}

/* @tolerance in ticks: the vectors have one near the wraps. */
static void
groups_feed_delta (Groups *groups, const gchar *name, guint64 us,
    gint64 arrival_ms, gsize size, guint64 delta_us, gint64 delta_arrival_ms,
    gint64 delta_size, gint64 tolerance)
{
  const Unit *unit = groups->unit;
  g_autofree gchar *departure = g_strconcat (
      unit->name, ": ", name, ": departure, ticks", NULL);
  g_autofree gchar *arrival = g_strconcat (
      unit->name, ": ", name, ": arrival, ms", NULL);
  g_autofree gchar *bytes = g_strconcat (
      unit->name, ": ", name, ": size, bytes", NULL);
  gboolean has_delta = groups_feed (groups, us, arrival_ms, size);

  if (!has_delta) {
    conformance_check_boolean (C20, departure, TRUE, FALSE);
    return;
  }
  conformance_check_int_near (C20, departure, unit->from_us (delta_us),
      tolerance * unit->tick,
      llround (groups->delta.departure_ms / 1000. * unit->rate));
  conformance_check_double (
      C20, arrival, (gdouble) delta_arrival_ms, 0., groups->delta.arrival_ms);
  conformance_check_int (C20, bytes, delta_size, groups->delta.size);
}

static void
test_groups_of_single_packets (const Unit *unit)
{
  Groups groups;

  groups_init (&groups, unit);
  groups_feed_none (&groups, "FirstPacket", 0, 17, 1);
  groups_feed_none (&groups, "FirstGroup: second group", 5020, 23, 2);
  groups_feed_delta (&groups, "FirstGroup", 10040, 29, 1, 5020, 6, 1, 0);
  groups_feed_delta (&groups, "SecondGroup", 15060, 35, 2, 5020, 6, -1, 0);
}

static void
test_packets_add_up_to_a_group (const Unit *unit)
{
  gint64 arrival_ms = 23;
  Groups groups;

  groups_init (&groups, unit);
  groups_feed_none (&groups, "AccumulatedGroup: first", 0, 17, 1);
  groups_feed_none (&groups, "AccumulatedGroup: second", 5020, 28, 2);
  for (guint i = 1; i <= 10; i++) {
    arrival_ms += 6;
    g_assert_false (groups_feed (&groups, 5020 + 20 * i, arrival_ms, 1));
  }
  groups_feed_delta (
      &groups, "AccumulatedGroup", 10040, 500, 100, 5220, 66, 11, 0);
}

static void
test_packets_out_of_order_are_dropped (const Unit *unit)
{
  gint64 arrival_ms = 28;
  Groups groups;

  groups_init (&groups, unit);
  groups_feed_none (&groups, "OutOfOrder: first", 0, 17, 1);
  groups_feed_none (&groups, "OutOfOrder: second", 5020, 28, 2);
  for (guint i = 1; i <= 10; i++) {
    arrival_ms += 6;
    g_assert_false (groups_feed (&groups, 5020 + 20 * i, arrival_ms, 1));
  }
  groups_feed_none (&groups, "OutOfOrder: dropped", 0, 281, 1);
  groups_feed_delta (&groups, "OutOfOrder", 10040, 500, 100, 5220, 71, 11, 0);
}

static void
test_no_bursts (const Unit *unit)
{
  Groups groups;

  groups_init (&groups, unit);
  groups_feed_none (&groups, "NoBursts: first", 0, 17, 1);
  groups_feed_none (&groups, "NoBursts: second", 5020, 28, 2);
  groups_feed_delta (&groups, "NoBursts", 35020, 34, 100, 5020, 11, 1, 0);
}

static void
test_timestamps_wrap (const Unit *unit, gboolean is_reordered)
{
  guint64 w = unit->wrap_us;
  gint64 arrival_ms = 41;
  const gchar *name = is_reordered ? "OutOfOrderWrap" : "Wrap";
  Groups groups;

  groups_init (&groups, unit);
  groups_feed_none (&groups, name, 0, 17, 1);
  groups_feed_none (&groups, name, w / 4, 23, 1);
  groups_feed_delta (&groups, name, w / 2, 29, 1, w / 4, 6, 0, 1);
  groups_feed_delta (&groups, name, w / 2 + w / 4, 35, 1, w / 4, 6, 0, 1);
  groups_feed_delta (&groups, name, w, 41, 2, w / 4, 6, 0, 1);
  for (guint i = 0; i < 10; i++) {
    arrival_ms += 6;
    g_assert_false (groups_feed (
        &groups, w + 20 * (is_reordered ? 9 - i : i), arrival_ms, 1));
  }
  groups_feed_none (&groups, name, w - 100, 107, 100);
  groups_feed_delta (
      &groups, name, w + 5020, 113, 10, w / 4 + 9 * 20, 66, 11, 1);
  groups_feed_none (&groups, name, w + 5000, 119, 100);
  groups_feed_delta (
      &groups, name, w + 10040, 125, 10, 5020 - 9 * 20, 12, -2, 1);
}

static void
test_groups_as_published (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    test_groups_of_single_packets (&units[i]);
    test_packets_add_up_to_a_group (&units[i]);
    test_packets_out_of_order_are_dropped (&units[i]);
    test_no_bursts (&units[i]);
    test_timestamps_wrap (&units[i], FALSE);
    test_timestamps_wrap (&units[i], TRUE);
  }
}

/* Packets of 1000 bytes every 30 ms of a sender's, an arrival and the caller's
 * clock; tells whether each gave a delta. */
typedef struct {
  GccPacketGroup group;
  guint32 timestamp;
  gint64 arrival_ms;
  gint64 now_ms;
  GccGroupDelta delta;
} Clocks;

static void
clocks_init (Clocks *clocks)
{
  *clocks = (Clocks){
    .timestamp = 10000 * 90,
    .arrival_ms = 20000,
    .now_ms = 30000,
  };
  gcc_packet_group_init (
      &clocks->group, &gcc_profile_find ("goog-2020")->delay.group);
}

static gboolean
clocks_tick (Clocks *clocks)
{
  clocks->timestamp += 30 * 90;
  clocks->arrival_ms += 30;
  clocks->now_ms += 30;
  return gcc_packet_group_update (&clocks->group, clocks->timestamp, 90000,
      clocks->arrival_ms * GCC_MSECOND, 1000, clocks->now_ms * GCC_MSECOND,
      &clocks->delta);
}

/* The sequence of ticks with a delta (+) and without (-). */
static gchar *
clocks_tick_n (Clocks *clocks, guint n)
{
  gchar *pattern = g_strnfill (n, '-');

  for (guint i = 0; i < n; i++) {
    if (clocks_tick (clocks))
      pattern[i] = '+';
  }
  return pattern;
}

static void
clocks_check_delta (const Clocks *clocks, const gchar *name)
{
  g_autofree gchar *got = g_strdup_printf ("%g/%g/%" G_GINT64_FORMAT,
      clocks->delta.departure_ms, clocks->delta.arrival_ms, clocks->delta.size);

  conformance_check_string (C20, name, "30/30/0", got);
}

static void
test_arrival_clock_jumps_ahead (void)
{
  g_autofree gchar *before = NULL;
  g_autofree gchar *after = NULL;
  Clocks clocks;

  clocks_init (&clocks);
  before = clocks_tick_n (&clocks, 2);
  clocks.arrival_ms += 3000;
  after = clocks_tick_n (&clocks, 5);
  conformance_check_string (C20, "PositiveArrivalJump: start", "--", before);
  conformance_check_string (C20, "PositiveArrivalJump: reset", "+---+", after);
  clocks_check_delta (&clocks, "PositiveArrivalJump: delta after");
}

static void
test_arrival_clock_jumps_back (void)
{
  g_autofree gchar *before = NULL;
  g_autofree gchar *after = NULL;
  Clocks clocks;

  clocks_init (&clocks);
  before = clocks_tick_n (&clocks, 3);
  clocks.arrival_ms -= 1000;
  after = clocks_tick_n (&clocks, 7);
  conformance_check_string (C20, "NegativeArrivalJump: start", "--+", before);
  conformance_check_string (
      C20, "NegativeArrivalJump: reset", "------+", after);
  clocks_check_delta (&clocks, "NegativeArrivalJump: delta after");
}

static void
test_burst_ends_after_100_ms (void)
{
  guint n_groups = 0;
  Groups groups;

  /* Packets sent 10 ms apart leave a queue 1 ms apart. */
  groups_init (&groups, &units[0]);
  for (guint i = 0; i < 1000; i++)
    n_groups += groups_feed (&groups, 10000 * i, 17 + i, 1200) ? 1 : 0;
  g_assert_cmpuint (n_groups, ==, 1000 / 100 - 2);
}

static void
test_another_clock_rate_starts_afresh (void)
{
  GccPacketGroup group;
  GccGroupDelta delta;

  gcc_packet_group_init (&group, &gcc_profile_find ("goog-2020")->delay.group);
  for (guint i = 0; i < 4; i++) {
    GccTime now = i * 20 * GCC_MSECOND;

    g_assert_cmpint (
        gcc_packet_group_update (&group, i * 1800, 90000, now, 1, now, &delta),
        ==, i >= 2);
  }
  g_assert_false (
      gcc_packet_group_update (&group, 0, 48000, 80000, 1, 80000, &delta));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/packet-group/" #name, test_##name)
  ADD (groups_as_published);
  ADD (arrival_clock_jumps_ahead);
  ADD (arrival_clock_jumps_back);
  ADD (burst_ends_after_100_ms);
  ADD (another_clock_rate_starts_afresh);
#undef ADD
  return g_test_run ();
}
