/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-result-delay.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* One packet for each group. */
#define GAP (20 * GCC_MSECOND)
#define SIZE 1000

typedef struct {
  GccResultDelay delay;
  GccTime sent;
  GccTime queue;
} Path;

/* One has a trendline, the other an arrival filter. */
static const gchar *const profiles[] = { "goog-2026", "recommended" };

static void
path_init (Path *path, const gchar *profile)
{
  *path = (Path){ .sent = GCC_SECOND };
  gcc_result_delay_init (
      &path->delay, &gcc_profile_find (profile)->send_side->delay);
}

/* The queue is longer by @growth for each packet. */
static void
path_send (Path *path, guint n, GccTime growth)
{
  for (; n > 0; n--) {
    GccPacketResult packet = { .is_received = TRUE };

    path->queue += growth;
    packet.sent.time = path->sent;
    packet.sent.size = SIZE;
    packet.arrival = path->sent + path->queue;
    path->sent += GAP;
    g_assert_false (
        gcc_result_delay_update (&path->delay, &packet, packet.arrival));
  }
}

static GccSignal
get_signal (const Path *path)
{
  return path->delay.detector.signal;
}

static void
test_a_queue_that_grows_is_over_use (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    Path path;

    path_init (&path, profiles[i]);
    path_send (&path, 100, 0);
    g_assert_cmpint (get_signal (&path), ==, GCC_SIGNAL_NORMAL);
    path_send (&path, 40, 10 * GCC_MSECOND);
    g_assert_cmpint (get_signal (&path), ==, GCC_SIGNAL_OVERUSE);
  }
}

static void
test_after_a_time_without_results_it_starts_afresh (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    GccPacketResult packet = { .is_received = TRUE };
    Path path;

    path_init (&path, profiles[i]);
    path_send (&path, 100, 0);
    path_send (&path, 40, 10 * GCC_MSECOND);
    packet.sent.time = path.sent + path.delay.params->timeout + GCC_SECOND;
    packet.sent.size = SIZE;
    packet.arrival = packet.sent.time + path.queue;
    g_assert_true (
        gcc_result_delay_update (&path.delay, &packet, packet.arrival));
    g_assert_cmpint (get_signal (&path), ==, GCC_SIGNAL_NORMAL);
  }
}

static void
test_a_queue_has_drained_when_under_use_after_over_use_ends (void)
{
  static const struct {
    GccSignal signal;
    gboolean has_drained;
  } rows[] = {
    { GCC_SIGNAL_UNDERUSE, FALSE },
    { GCC_SIGNAL_NORMAL, FALSE },
    { GCC_SIGNAL_OVERUSE, FALSE },
    { GCC_SIGNAL_NORMAL, FALSE },
    { GCC_SIGNAL_UNDERUSE, FALSE },
    { GCC_SIGNAL_NORMAL, TRUE },
    { GCC_SIGNAL_UNDERUSE, FALSE },
    { GCC_SIGNAL_NORMAL, FALSE },
  };
  GccSignal before = GCC_SIGNAL_NORMAL;
  Path path;

  path_init (&path, "goog-2026");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_assert_cmpint (
        gcc_result_delay_feed_signal (&path.delay, before, rows[i].signal), ==,
        rows[i].has_drained);
    before = rows[i].signal;
  }
}

#define ADD(test) g_test_add_func ("/result-delay/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_queue_that_grows_is_over_use);
  ADD (after_a_time_without_results_it_starts_afresh);
  ADD (a_queue_has_drained_when_under_use_after_over_use_ends);
  return g_test_run ();
}
