/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The rules as a sender has them. What each of them does is tested with its stage. */

#include <gst/gcc/compose/gcc-sender-private.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "reporting.h"

#define RECEIVER 1
#define STREAM 2
#define START_RATE 300000
#define MAX_RATE 2000000
#define PATH (50 * GCC_MSECOND)

typedef struct {
  GccSender sender;
  GccTime now;
  guint32 seq;
} Path;

static void
path_init (Path *self, const gchar *profile)
{
  self->now = 1000 * GCC_SECOND;
  self->seq = 0;
  gcc_sender_init (
      &self->sender, gcc_profile_find (profile), 100000, START_RATE, MAX_RATE);
}

/* A second of a hundred packets, and a report on them. */
static void
path_report (Path *self, guint8 fraction_lost, GccTime rtt)
{
  GccReportBlock block = {
    .reporter = RECEIVER,
    .ssrc = STREAM,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = self->seq + 100,
    .rtt = rtt,
  };

  self->now += GCC_SECOND;
  for (guint i = 0; i < 100; i++)
    reporting_send_up_to (&self->sender, STREAM, ++self->seq, self->now);
  gcc_sender_feed_reports (&self->sender, &block, 1, self->now);
}

static void
test_a_queue_that_stays_and_loses_is_that_of_others (void)
{
  static const gchar *const profiles[] = { "recommended", "goog-2020" };
  static const gchar *const states[] = { "tcp", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    Path path;

    path_init (&path, profiles[i]);
    path_report (&path, 0, PATH);
    for (guint j = 0; j < 20; j++)
      path_report (&path, j % 3 == 0 ? 10 : 0, 4 * PATH);
    g_assert_cmpstr (
        gcc_sender_get_stats (&path.sender)->competition, ==, states[i]);
    gcc_sender_clear (&path.sender);
  }
}

/* Frames would overflow a queue that others fill. */
static void
test_packets_are_paced_beside_others_only (void)
{
  const GccSenderStats *stats;
  Path path;

  path_init (&path, "recommended");
  stats = gcc_sender_get_stats (&path.sender);
  path_report (&path, 0, PATH);
  g_assert_cmpint (stats->pacing_rate, ==, GCC_RATE_NONE);
  for (guint j = 0; j < 20; j++)
    path_report (&path, 10, 4 * PATH);
  g_assert_cmpint (stats->pacing_rate, >, stats->target);
  gcc_sender_clear (&path.sender);
}

#define ADD(test) g_test_add_func ("/sender-rules/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_queue_that_stays_and_loses_is_that_of_others);
  ADD (packets_are_paced_beside_others_only);
  return g_test_run ();
}
