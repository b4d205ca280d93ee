/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-ecn-check.h>

#define RTT (50 * GCC_MSECOND)
#define GAP (10 * GCC_MSECOND)

static const GccEcnCheckParams params = {
  .n_packets = 10,
  .report = 100 * GCC_MSECOND,
  .patience = 3,
  .retest = 10 * GCC_SECOND,
};

typedef struct {
  GccEcnCheck check;
  GccTime now;
} Path;

static void
start (Path *self)
{
  self->now = GCC_SECOND;
  gcc_ecn_check_init (&self->check, &params);
  g_assert_false (gcc_ecn_check_marks (&self->check));
  gcc_ecn_check_start (&self->check, self->now);
  g_assert_true (gcc_ecn_check_marks (&self->check));
}

/* A packet leaves, and a report tells of it. */
static void
report (Path *self, gboolean is_received, GccEcn ecn)
{
  GccPacketResult result = {
    .sent = { .time = self->now + GAP },
    .is_received = is_received,
    .ecn = ecn,
  };

  self->now += GAP;
  gcc_ecn_check_feed (&self->check, &result, 1, self->now + RTT);
}

static void
report_many (Path *self, guint n, gboolean is_received, GccEcn ecn)
{
  for (; n > 0; n--)
    report (self, is_received, ecn);
}

static void
check_state (const Path *self, const gchar *state)
{
  g_assert_cmpstr (gcc_ecn_state_to_string (self->check.state), ==, state);
}

static void
test_a_mark_that_arrives_shows_the_path (void)
{
  static const GccEcn marks[] = { GCC_ECN_ECT_1, GCC_ECN_CE };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++) {
    Path path;

    start (&path);
    check_state (&path, "testing");
    report (&path, TRUE, marks[i]);
    check_state (&path, "capable");
  }
}

static void
test_ten_packets_without_their_mark_end_it (void)
{
  static const GccEcn others[] = { GCC_ECN_NOT_ECT, GCC_ECN_ECT_0 };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    Path path;

    start (&path);
    report_many (&path, 9, TRUE, others[i]);
    check_state (&path, "testing");
    report (&path, TRUE, others[i]);
    check_state (&path, "bleached");
    g_assert_false (gcc_ecn_check_marks (&path.check));
    gcc_ecn_check_handle_timeout (
        &path.check, path.now, RTT, path.now + 60 * GCC_SECOND);
    check_state (&path, "bleached");
  }
}

static void
test_a_route_that_bleaches_in_mid_call_is_noticed (void)
{
  Path path;

  start (&path);
  report_many (&path, 100, TRUE, GCC_ECN_ECT_1);
  report_many (&path, 9, TRUE, GCC_ECN_NOT_ECT);
  report (&path, TRUE, GCC_ECN_CE);
  report_many (&path, 9, TRUE, GCC_ECN_NOT_ECT);
  check_state (&path, "capable");
  report (&path, TRUE, GCC_ECN_NOT_ECT);
  check_state (&path, "bleached");
}

static void
test_a_path_that_drops_the_mark_is_tested_again (void)
{
  Path path;

  start (&path);
  report_many (&path, 10, FALSE, GCC_ECN_NOT_ECT);
  check_state (&path, "dropped");
  g_assert_false (gcc_ecn_check_marks (&path.check));
  gcc_ecn_check_handle_timeout (
      &path.check, path.now, RTT, path.now + params.retest);
  check_state (&path, "dropped");
  path.now += params.retest + RTT;
  gcc_ecn_check_handle_timeout (&path.check, path.now, RTT, path.now);
  check_state (&path, "testing");
  report (&path, TRUE, GCC_ECN_ECT_1);
  check_state (&path, "capable");
}

/* Where nothing arrives, nothing is reported. */
static void
test_a_path_without_a_report_counts_as_one_that_drops (void)
{
  GccTime wait = params.patience * (RTT + params.report);
  Path path;

  start (&path);
  path.now += GAP;
  gcc_ecn_check_handle_timeout (&path.check, path.now, RTT, GCC_SECOND + wait);
  check_state (&path, "testing");
  gcc_ecn_check_handle_timeout (
      &path.check, path.now, RTT, GCC_SECOND + wait + 1);
  check_state (&path, "dropped");
}

static void
test_a_pause_of_media_is_no_drop (void)
{
  Path path;

  start (&path);
  report (&path, TRUE, GCC_ECN_ECT_1);
  gcc_ecn_check_handle_timeout (
      &path.check, path.now, RTT, path.now + 60 * GCC_SECOND);
  check_state (&path, "capable");
}

static void
test_packets_that_left_before_tell_nothing (void)
{
  GccPacketResult before = {
    .sent = { .time = GCC_SECOND },
    .is_received = TRUE,
  };
  Path path;

  start (&path);
  for (guint i = 0; i < 20; i++)
    gcc_ecn_check_feed (&path.check, &before, 1, path.now);
  check_state (&path, "testing");
  g_assert_false (gcc_ecn_check_is_marked (&path.check, &before.sent));
}

static void
test_it_can_be_switched_off (void)
{
  Path path;

  start (&path);
  report (&path, TRUE, GCC_ECN_ECT_1);
  gcc_ecn_check_stop (&path.check);
  check_state (&path, "off");
  g_assert_false (gcc_ecn_check_marks (&path.check));
}

static void
test_a_path_that_marks_everything_is_left_for_good (void)
{
  Path path;

  start (&path);
  report_many (&path, 10, TRUE, GCC_ECN_CE);
  check_state (&path, "capable");
  gcc_ecn_check_refuse (&path.check, path.now);
  check_state (&path, "always-marked");
  path.now += 60 * GCC_SECOND;
  report_many (&path, 10, TRUE, GCC_ECN_NOT_ECT);
  gcc_ecn_check_handle_timeout (&path.check, path.now, RTT, path.now);
  check_state (&path, "always-marked");
  g_assert_false (gcc_ecn_check_marks (&path.check));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/ecn_check/" #name, test_##name)
  ADD (a_mark_that_arrives_shows_the_path);
  ADD (ten_packets_without_their_mark_end_it);
  ADD (a_route_that_bleaches_in_mid_call_is_noticed);
  ADD (a_path_that_drops_the_mark_is_tested_again);
  ADD (a_path_without_a_report_counts_as_one_that_drops);
  ADD (a_pause_of_media_is_no_drop);
  ADD (packets_that_left_before_tell_nothing);
  ADD (it_can_be_switched_off);
  ADD (a_path_that_marks_everything_is_left_for_good);
  return g_test_run ();
}
