/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The judge: a call on a good path is good, and trouble of the path is seen. */

#include <string.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include "run.h"

/* A minute at 2.5 Mbit/s at most, and lines of its own. */
static JudgeMeasures
judge (JudgeFeedback feedback, const gchar *lines)
{
  JudgeSubject subject = { &gcc_profile_recommended, feedback };
  g_autofree gchar *text = g_strconcat (
      "call x\nmeasure_from_s 10\nmax_kbps 2500\n", lines, "\nend", NULL);
  g_auto (GStrv) all = g_strsplit (text, "\n", -1);
  gboolean is_complete = FALSE;
  JudgeCall call;
  JudgeMeasures measures;

  judge_call_init (&call);
  for (guint i = 0; all[i] != NULL; i++)
    g_assert_cmpstr (judge_call_take (&call, all[i], &is_complete), ==, NULL);
  g_assert_true (is_complete);
  measures = judge_run (&call, &subject);
  judge_call_clear (&call);
  return measures;
}

static void
check_is_good (JudgeFeedback feedback)
{
  JudgeMeasures measures = judge (feedback, "row 0 6000 0 0");

  g_assert_cmpfloat (measures.use, >=, 0.9);
  g_assert_cmpfloat (measures.seen.frozen_percent, ==, 0.);
  g_assert_cmpfloat (measures.seen.incomplete_percent, ==, 0.);
  g_assert_cmpfloat (measures.seen.delay_p95_ms, <, 60.);
  g_assert_cmpfloat (measures.false_back_off_percent, ==, 0.);
}

static void
test_a_constant_link_is_used_without_a_freeze (void)
{
  check_is_good (JUDGE_TRANSPORT_CC);
  check_is_good (JUDGE_REMB);
}

static void
test_a_hole_freezes (void)
{
  JudgeMeasures measures = judge (
      JUDGE_TRANSPORT_CC, "row 0 6000 0 0\nrow 30 0 0 0\nrow 32 6000 0 0");

  /* of 50 seconds about two */
  g_assert_cmpfloat (measures.seen.frozen_percent, >, 3.);
  g_assert_cmpfloat (measures.seen.frozen_percent, <, 6.);
}

static void
test_delay_of_the_path_is_delay_of_frames (void)
{
  JudgeMeasures near = judge (JUDGE_TRANSPORT_CC, "row 0 6000 0 0");
  JudgeMeasures late = judge (JUDGE_TRANSPORT_CC, "row 0 6000 70 0");
  gdouble more = late.seen.delay_p50_ms - near.seen.delay_p50_ms;

  g_assert_cmpfloat_with_epsilon (more, 70., 5.);
}

static void
test_each_remb_arrives_over_a_long_way_back (void)
{
  JudgeMeasures near = judge (JUDGE_REMB, "row 0 6000 0 0");
  JudgeMeasures far = judge (
      JUDGE_REMB, "one_way_delay_ms 300\nrow 0 6000 0 0");

  g_assert_cmpfloat (far.use, >, 0.9 * near.use);
}

static void
test_lost_packets_make_frames_incomplete_unless_they_are_sent_again (void)
{
  JudgeMeasures lost = judge (JUDGE_TRANSPORT_CC, "row 0 6000 0 1");
  JudgeMeasures again = judge (JUDGE_TRANSPORT_CC, "rtx\nrow 0 6000 0 1");

  g_assert_cmpfloat_with_epsilon (lost.lost_percent, 1., 0.5);
  g_assert_cmpfloat (lost.seen.incomplete_percent, >, 2.);
  g_assert_cmpfloat (again.seen.incomplete_percent, <, 0.2);
}

static void
test_codel_holds_the_queue_of_tcp_short (void)
{
  const gchar *tcp = "queue_ms 1000\nrow 0 3000 0 0\ntcp 5 60";
  g_autofree gchar *lines = g_strconcat ("codel 5\n", tcp, NULL);
  JudgeMeasures tail = judge (JUDGE_TRANSPORT_CC, tcp);
  JudgeMeasures codel = judge (JUDGE_TRANSPORT_CC, lines);

  g_assert_cmpfloat (codel.seen.delay_p50_ms, <, 60.);
  g_assert_cmpfloat (tail.seen.delay_p50_ms, >, 150.);
}

static void
test_a_queue_of_ones_own_has_its_share_beside_tcp (void)
{
  JudgeMeasures measures = judge (
      JUDGE_TRANSPORT_CC, "fq_codel 13\nrow 0 3000 0 0\ntcp 0 60");

  g_assert_cmpfloat_with_epsilon (measures.share, 0.5, 0.15);
  g_assert_cmpfloat (measures.utilisation, >, 0.9);
}

static void
test_a_second_call_takes_a_part (void)
{
  JudgeMeasures measures = judge (
      JUDGE_TRANSPORT_CC, "row 0 2000 0 0\nsecond_call 2 60 10");

  g_assert_cmpfloat (measures.jain, >, 0.7);
  g_assert_cmpfloat (measures.use, <, 0.75);
}

static void
test_web_transfers_take_a_part (void)
{
  JudgeMeasures measures = judge (
      JUDGE_TRANSPORT_CC, "row 0 2500 0 0\nweb 6 20000 2000000 1");

  g_assert_cmpfloat (measures.use, <, 0.8);
  g_assert_true (measures.share != measures.share);
}

static void
test_a_wrong_line_is_refused (void)
{
  static const gchar *const wrong[] = { "row 1 2 3", "row 1 2 3 4",
    "max_kbps -1", "max_kbps x", "nothing 1", "end" };
  gboolean is_complete;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    JudgeCall call;

    judge_call_init (&call);
    g_assert_nonnull (judge_call_take (&call, wrong[i], &is_complete));
    judge_call_clear (&call);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/judge/" #name, test_##name)
  ADD (a_constant_link_is_used_without_a_freeze);
  ADD (a_hole_freezes);
  ADD (delay_of_the_path_is_delay_of_frames);
  ADD (each_remb_arrives_over_a_long_way_back);
  ADD (lost_packets_make_frames_incomplete_unless_they_are_sent_again);
  ADD (codel_holds_the_queue_of_tcp_short);
  ADD (a_queue_of_ones_own_has_its_share_beside_tcp);
  ADD (a_second_call_takes_a_part);
  ADD (web_transfers_take_a_part);
  ADD (a_wrong_line_is_refused);
#undef ADD
  return g_test_run ();
}
