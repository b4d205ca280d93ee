/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-arrival-watch.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* fifty packets a second */
#define GAP (20 * GCC_MSECOND)

#define START 1000000
#define RTT (50 * GCC_MSECOND)

typedef struct {
  GccArrivalWatch watch;
  GccRate rate;
  GccTime now;
} Sending;

static void
sending_init (Sending *self)
{
  gcc_arrival_watch_init (&self->watch, &gcc_recommended_arrival_watch);
  self->rate = START;
  self->now = 0;
  gcc_arrival_watch_feed_sent (&self->watch, 0);
  gcc_arrival_watch_feed_news (&self->watch, 0);
}

static void
check_timeout (Sending *self)
{
  GccRate rate = gcc_arrival_watch_handle_timeout (&self->watch, self->rate);

  if (rate != GCC_RATE_NONE)
    self->rate = rate;
  /* Guards against a caller that spins. */
  g_assert_cmpint (
      gcc_arrival_watch_next_timeout (&self->watch), ==, GCC_TIME_NONE);
}

static void
send_each (Sending *self, GccTime gap, GccTime duration)
{
  for (GccTime end = self->now + duration; self->now < end;) {
    self->now += gap;
    gcc_arrival_watch_feed_sent (&self->watch, self->now);
    check_timeout (self);
  }
}

static void
report_no_news (Sending *self)
{
  gcc_arrival_watch_feed_no_news (&self->watch, RTT);
  check_timeout (self);
}

static void
test_a_report_without_news_halves_the_rate_each_400_ms (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, GCC_SECOND);
  g_assert_cmpint (sending.rate, ==, START);
  report_no_news (&sending);
  g_assert_true (sending.watch.is_failing);
  g_assert_cmpint (sending.rate, ==, START / 2);
  send_each (&sending, GAP, 400 * GCC_MSECOND);
  g_assert_cmpint (sending.rate, ==, START / 4);
  /* further reports make it no faster */
  report_no_news (&sending);
  g_assert_cmpint (sending.rate, ==, START / 4);
  send_each (&sending, GAP, 800 * GCC_MSECOND);
  g_assert_cmpint (sending.rate, ==, START / 16);
}

/* Whoever reports once in five seconds, or not at all, has not said anything. */
static void
test_no_report_is_no_evidence (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, 20 * GCC_SECOND);
  g_assert_false (sending.watch.is_failing);
  g_assert_cmpint (sending.rate, ==, START);
}

static void
test_news_ends_it (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, GCC_SECOND);
  report_no_news (&sending);
  gcc_arrival_watch_feed_news (&sending.watch, sending.now);
  g_assert_false (sending.watch.is_failing);
  send_each (&sending, GAP, 500 * GCC_MSECOND);
  report_no_news (&sending);
  g_assert_cmpint (sending.rate, ==, START / 2);
}

/* What has left within a round trip is on its way. */
static void
test_packets_on_their_way_are_waited_for (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, GCC_SECOND);
  gcc_arrival_watch_feed_no_news (&sending.watch, 600 * GCC_MSECOND);
  g_assert_false (sending.watch.is_failing);
  gcc_arrival_watch_feed_no_news (&sending.watch, GCC_TIME_NONE);
  g_assert_true (sending.watch.is_failing);
}

static void
test_a_source_that_pauses_has_no_news (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, 300 * GCC_MSECOND);
  sending.now += 600 * GCC_SECOND;
  report_no_news (&sending);
  g_assert_false (sending.watch.is_failing);
  /* nor has it when it goes on */
  send_each (&sending, GAP, 2 * GAP);
  report_no_news (&sending);
  g_assert_false (sending.watch.is_failing);
}

/* Four packets may be lost by chance. */
static void
test_a_slow_source_is_judged_by_its_packets (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, 10 * GCC_SECOND, 40 * GCC_SECOND);
  report_no_news (&sending);
  g_assert_false (sending.watch.is_failing);
  send_each (&sending, 10 * GCC_SECOND, 10 * GCC_SECOND);
  report_no_news (&sending);
  g_assert_true (sending.watch.is_failing);
}

static void
test_a_pause_stops_the_fall (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, GCC_SECOND);
  report_no_news (&sending);
  sending.now += 600 * GCC_SECOND;
  check_timeout (&sending);
  g_assert_cmpint (sending.rate, ==, START / 2);
}

static void
test_a_late_call_makes_up_for_what_it_missed (void)
{
  Sending sending;

  sending_init (&sending);
  send_each (&sending, GAP, GCC_SECOND);
  report_no_news (&sending);
  for (guint i = 0; i < 60; i++) {
    sending.now += GAP;
    gcc_arrival_watch_feed_sent (&sending.watch, sending.now);
  }
  check_timeout (&sending);
  g_assert_cmpint (sending.rate, ==, START / 16);
}

static void
test_a_clock_that_jumps_is_no_outage (void)
{
  Sending sending;

  sending_init (&sending);
  gcc_arrival_watch_feed_sent (&sending.watch, G_MAXINT64);
  gcc_arrival_watch_feed_sent (&sending.watch, G_MININT64 + 1);
  report_no_news (&sending);
  g_assert_cmpint (sending.rate, ==, START);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/arrival-watch/" #name, test_##name)
  ADD (a_report_without_news_halves_the_rate_each_400_ms);
  ADD (no_report_is_no_evidence);
  ADD (news_ends_it);
  ADD (packets_on_their_way_are_waited_for);
  ADD (a_source_that_pauses_has_no_news);
  ADD (a_slow_source_is_judged_by_its_packets);
  ADD (a_pause_stops_the_fall);
  ADD (a_late_call_makes_up_for_what_it_missed);
  ADD (a_clock_that_jumps_is_no_outage);
#undef ADD

  return g_test_run ();
}
