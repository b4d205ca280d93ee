/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-cubic-flow.h>

#define ROUND_TRIP (100 * GCC_MSECOND)
#define TICK (50 * GCC_MSECOND)

static const GccCubicFlowParams params = {
  .max_step = 0.1,
  .cubic = { .packet = 1500., .beta = 0.7, .C = 0.4 },
};

static GccCubicFlow flow;
static GccTime now;

static void
begin (gdouble rate)
{
  now = 100 * GCC_SECOND;
  gcc_cubic_flow_init (&flow, &params);
  gcc_cubic_flow_begin (&flow, rate, ROUND_TRIP, now);
}

/* @loss_interval: 0 for no loss */
static gdouble
run (GccTime duration, GccTime loss_interval)
{
  GccTime next_loss = now + loss_interval;

  for (GccTime end = now + duration; now < end;) {
    gboolean has_lost;

    now += TICK;
    has_lost = loss_interval > 0 && now >= next_loss;
    if (has_lost)
      next_loss += loss_interval;
    gcc_cubic_flow_update (&flow, has_lost ? 1 : 0, ROUND_TRIP, TICK, now);
  }
  return flow.rate;
}

static void
test_it_has_no_rate_before_it_begins (void)
{
  gcc_cubic_flow_init (&flow, &params);
  g_assert_cmpfloat (flow.rate, ==, 0.);
}

static void
test_it_ends_at_the_rate_of_the_losses_there_are (void)
{
  gdouble expected = gcc_cubic_rate (&params.cubic, 2., 0.1);

  begin (expected / 3.);
  g_assert_cmpfloat_with_epsilon (
      run (60 * GCC_SECOND, 2 * GCC_SECOND), expected, expected / 20.);
  begin (expected * 3.);
  g_assert_cmpfloat_with_epsilon (
      run (60 * GCC_SECOND, 2 * GCC_SECOND), expected, expected / 20.);
}

static void
test_it_changes_by_a_tenth_a_second_at_most (void)
{
  begin (1e6);
  g_assert_cmpfloat (run (1 * GCC_SECOND, 200 * GCC_MSECOND), >, 0.9e6);
  begin (1e5);
  g_assert_cmpfloat (run (10 * GCC_SECOND, 0), <, 2.8e5);
}

static void
test_losses_within_a_round_trip_are_one (void)
{
  gdouble rate;

  begin (1e6);
  rate = run (20 * GCC_SECOND, 1 * GCC_SECOND);
  begin (1e6);
  for (guint i = 0; i < 20; i++) {
    gcc_cubic_flow_update (&flow, 1, ROUND_TRIP, 0, now);
    gcc_cubic_flow_update (&flow, 1, ROUND_TRIP, 0, now + TICK);
    run (1 * GCC_SECOND, 0);
  }
  g_assert_cmpfloat_with_epsilon (flow.rate, rate, rate / 20.);
}

/* As a report tells that comes once a second. */
static void
test_losses_that_are_told_at_once_are_several (void)
{
  gdouble rate;

  begin (1e6);
  rate = run (40 * GCC_SECOND, 500 * GCC_MSECOND);
  begin (1e6);
  for (guint i = 0; i < 40; i++) {
    run (1 * GCC_SECOND, 0);
    gcc_cubic_flow_update (&flow, 2, ROUND_TRIP, 0, now);
  }
  /* the interval that has not ended counts, too */
  g_assert_cmpfloat_with_epsilon (flow.rate, rate, rate / 5.);
}

/* No more than one in a round trip, and no more than are remembered. */
static void
test_a_report_of_many_losses_is_survived (void)
{
  begin (1e6);
  run (1 * GCC_SECOND, 0);
  gcc_cubic_flow_update (&flow, G_MAXUINT, ROUND_TRIP, 0, now);
  gcc_cubic_flow_update (&flow, G_MAXUINT, 0, GCC_SECOND, now + GCC_SECOND);
  g_assert_cmpfloat (flow.rate, >, 0.);
}

/* Guards: division by no time, and a rate that is no number. */
static void
test_no_time_and_no_round_trip_are_survived (void)
{
  begin (0.);
  gcc_cubic_flow_update (&flow, 1, 0, 0, now);
  gcc_cubic_flow_update (&flow, 1, 0, GCC_SECOND, now - GCC_SECOND);
  g_assert_true (flow.rate >= 0.);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/cubic-flow/" #name, test_##name)
  ADD (it_has_no_rate_before_it_begins);
  ADD (it_ends_at_the_rate_of_the_losses_there_are);
  ADD (it_changes_by_a_tenth_a_second_at_most);
  ADD (losses_within_a_round_trip_are_one);
  ADD (losses_that_are_told_at_once_are_several);
  ADD (a_report_of_many_losses_is_survived);
  ADD (no_time_and_no_round_trip_are_survived);

  return g_test_run ();
}
