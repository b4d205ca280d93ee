/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-inter-arrival.h>
#include <gst/gcc/profiles/gcc-goog-2026.h>

#include "conformance.h"

#include <string.h>

#define C20 "C20 inter_arrival_unittest, send times in us"
#define NONE "none"

typedef struct {
  GccInterArrival groups;
  gint64 offset_ms;
} Groups;

static void
groups_init (Groups *groups)
{
  *groups = (Groups){ .offset_ms = 0 };
  gcc_inter_arrival_init (&groups->groups, &gcc_goog_2026_inter_arrival);
}

/* µs of departure / ms of arrival / bytes between the last two groups */
static gchar *
feed (Groups *groups, gint64 sent_us, gint64 arrival_ms, gsize size)
{
  GccInterArrivalDelta delta;

  if (!gcc_inter_arrival_update (&groups->groups, sent_us,
          (arrival_ms + groups->offset_ms) * GCC_MSECOND, size,
          arrival_ms * GCC_MSECOND, &delta))
    return g_strdup (NONE);
  return g_strdup_printf ("%d/%d/%d", (gint) delta.departure,
      (gint) (delta.arrival / GCC_MSECOND), (gint) delta.size);
}

static void
conform (Groups *groups, const gchar *name, gint64 sent_us, gint64 arrival_ms,
    gsize size, const gchar *expected)
{
  g_autofree gchar *got = feed (groups, sent_us, arrival_ms, size);

  conformance_check_string (C20, name, expected, got);
}

static void
check (Groups *groups, gint64 sent_us, gint64 arrival_ms, gsize size,
    const gchar *expected)
{
  g_autofree gchar *got = feed (groups, sent_us, arrival_ms, size);

  g_assert_cmpstr (got, ==, expected);
}

static void
test_groups_of_single_packets (void)
{
  Groups groups;

  groups_init (&groups);
  conform (&groups, "FirstPacket", 0, 17, 1, NONE);
  conform (&groups, "FirstGroup: second group", 5020, 23, 2, NONE);
  conform (&groups, "FirstGroup", 10040, 29, 1, "5020/6/1");
  conform (&groups, "SecondGroup", 15060, 35, 2, "5020/6/-1");
}

static void
test_packets_add_up_to_a_group (void)
{
  Groups groups;

  groups_init (&groups);
  check (&groups, 0, 17, 1, NONE);
  check (&groups, 5020, 28, 2, NONE);
  for (guint i = 1; i <= 10; i++)
    check (&groups, 5020 + 20 * i, 23 + 6 * i, 1, NONE);
  conform (&groups, "AccumulatedGroup", 10040, 500, 100, "5220/66/11");
}

static void
test_packets_older_than_their_group_are_dropped (void)
{
  Groups groups;

  groups_init (&groups);
  check (&groups, 0, 17, 1, NONE);
  check (&groups, 5020, 28, 2, NONE);
  for (guint i = 1; i <= 10; i++)
    check (&groups, 5020 + 20 * i, 28 + 6 * i, 1, NONE);
  conform (&groups, "OutOfOrder: dropped", 0, 281, 1, NONE);
  conform (&groups, "OutOfOrder", 10040, 500, 100, "5220/71/11");
}

static void
test_packets_may_be_reordered_within_their_group (void)
{
  Groups groups;

  groups_init (&groups);
  check (&groups, 0, 17, 1, NONE);
  check (&groups, 5020, 28, 2, NONE);
  for (guint i = 0; i < 10; i++)
    check (&groups, 5020 + 20 * (10 - i), 34 + 6 * i, 1, NONE);
  conform (&groups, "OutOfOrderWithinGroup", 10040, 500, 100, "5220/71/11");
}

static void
test_what_leaves_a_queue_at_once_is_one_group (void)
{
  Groups groups;

  groups_init (&groups);
  check (&groups, 0, 17, 1, NONE);
  for (guint i = 1; i <= 10; i++)
    check (&groups, 30000 * i, 100 + 5 * i, 1, NONE);
  conform (&groups, "TwoBursts", 330000, 500, 1, "300000/133/9");

  groups_init (&groups);
  check (&groups, 0, 17, 1, NONE);
  check (&groups, 5020, 28, 2, NONE);
  conform (&groups, "NoBursts", 35020, 34, 100, "5020/11/1");
}

static void
test_a_burst_ends_after_100_ms (void)
{
  guint n_groups = 0;
  Groups groups;

  /* Packets sent 10 ms apart leave a queue 1 ms apart. */
  groups_init (&groups);
  for (guint i = 0; i < 1000; i++) {
    g_autofree gchar *got = feed (&groups, 10000 * i, 17 + i, 1200);

    n_groups += g_strcmp0 (got, NONE) != 0;
  }
  g_assert_cmpuint (n_groups, ==, 1000 / 100 - 2);
}

/* Guards: a burst of a pacer torn apart on a saturated link, where a packet of
 * the same burst comes later than it was sent. */
static void
test_a_burst_of_the_pacer_is_one_group (void)
{
  Groups groups;

  groups_init (&groups);
  check (&groups, 0, 10, 1, NONE);
  check (&groups, 40000, 50, 1, NONE);
  /* held back, so of the group before; then 0.2 ms behind it */
  check (&groups, 80000, 54, 1, NONE);
  check (&groups, 80200, 59, 1, NONE);
  check (&groups, 80400, 64, 1, NONE);
  check (&groups, 200000, 300, 1, "80400/54/3");
}

/* The sequence of groups with a delta (+) and without (-), 30 ms apart. */
static gchar *
feed_n (Groups *groups, gint64 *ms, guint n)
{
  gchar *pattern = g_strnfill (n, '-');

  for (guint i = 0; i < n; i++) {
    g_autofree gchar *got = feed (groups, *ms * 1000, *ms, 1000);

    if (g_strcmp0 (got, "30000/30/0") == 0)
      pattern[i] = '+';
    *ms += 30;
  }
  return pattern;
}

static void
check_jump (
    gint64 jump_ms, guint n_before, const gchar *name, const gchar *expected)
{
  gint64 ms = 20000;
  g_autofree gchar *before = NULL;
  g_autofree gchar *after = NULL;
  Groups groups;

  groups_init (&groups);
  before = feed_n (&groups, &ms, n_before);
  groups.offset_ms += jump_ms;
  after = feed_n (&groups, &ms, strlen (expected));
  conformance_check_string (C20, name, expected, after);
}

static void
test_groups_start_afresh_when_the_arrival_clock_jumps (void)
{
  check_jump (3000, 2, "PositiveArrivalJump", "+---+");
  check_jump (-1000, 3, "NegativeArrivalJump", "------+");
}

/* Guards: times as a broken peer tells them. */
static void
test_any_times_do_no_harm (void)
{
  static const GccTime times[] = { G_MININT64 + 1, -1, 0, 1, 5000, 5001,
    G_MAXINT64 };
  GRand *rand = g_rand_new_with_seed (7);
  GccInterArrival groups;

  gcc_inter_arrival_init (&groups, &gcc_goog_2026_inter_arrival);
  for (guint i = 0; i < 100000; i++) {
    GccTime sent = times[g_rand_int_range (rand, 0, G_N_ELEMENTS (times))];
    GccTime arrival = times[g_rand_int_range (rand, 0, G_N_ELEMENTS (times))];
    GccInterArrivalDelta delta;

    if (gcc_inter_arrival_update (&groups, sent, arrival, 1, i, &delta))
      g_assert_cmpint (delta.arrival, >=, 0);
  }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/inter-arrival/" #name, test_##name)
  ADD (groups_of_single_packets);
  ADD (packets_add_up_to_a_group);
  ADD (packets_older_than_their_group_are_dropped);
  ADD (packets_may_be_reordered_within_their_group);
  ADD (what_leaves_a_queue_at_once_is_one_group);
  ADD (a_burst_ends_after_100_ms);
  ADD (a_burst_of_the_pacer_is_one_group);
  ADD (groups_start_afresh_when_the_arrival_clock_jumps);
  ADD (any_times_do_no_harm);
#undef ADD
  return g_test_run ();
}
