/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The way from the results of packets to the rates, without a history. */

#include <gst/gcc/compose/gcc-send-side-rates.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

/* bit/s */
#define START 300000
#define MIN_RATE 50000

#define GAP (10 * GCC_MSECOND)
#define SIZE 1000
#define N 10

typedef struct {
  GccSendSideRates rates;
  GccProbeController controller;
  GccPacketResult packets[N];
  GccTime now;
  GccTime queue;
  gint64 seq;
} Path;

static Path path;

static void
path_init (void)
{
  const GccSendSideParams *params = gcc_profile_find ("goog-2026")->send_side;

  path = (Path){ .now = GCC_SECOND };
  gcc_probe_controller_init (
      &path.controller, params->probe_controller, path.now);
  gcc_send_side_rates_init (&path.rates, params, MIN_RATE, START, path.now);
}

/* Ten packets, of which the last @n_lost are lost. The queue is longer by @growth for
 * each of them. */
static const GccSendSideResult *
feed (guint n_lost, GccTime growth)
{
  GccSendSideInput input = {
    .packets = path.packets,
    .n = N,
    .n_arrived = N - n_lost,
    .round_trip = 50 * GCC_MSECOND,
    .mean_size = SIZE,
    .target = path.rates.result.delay_based,
    .controller = &path.controller,
  };

  for (guint i = 0; i < N; i++) {
    path.queue += growth;
    path.packets[i] = (GccPacketResult){
      .is_received = i < N - n_lost,
      .arrival = path.now + path.queue,
      .sent = { .seq = path.seq, .time = path.now, .size = SIZE },
    };
    path.packets[i].sent.previous = path.seq++ - 1;
    path.now += GAP;
  }
  input.first = path.packets[0].sent;
  input.last = path.packets[N - 1].sent;
  gcc_send_side_rates_update (&path.rates, &input, path.now + path.queue);
  return &path.rates.result;
}

static void
test_a_path_without_a_queue_lets_the_rate_grow (void)
{
  path_init ();
  for (guint i = 0; i < 100; i++)
    feed (0, 0);
  g_assert_cmpint (path.rates.result.acknowledged, >, 700000);
  g_assert_cmpint (path.rates.result.delay_based, >, START * 3 / 2);
  g_assert_cmpint (path.rates.result.loss_based, ==, GCC_RATE_NONE);
  g_assert_cmpint (gcc_send_side_rates_get_limit (&path.rates, FALSE), ==,
      GCC_RATE_LIMIT_DELAY);
}

static void
test_a_queue_that_grows_lowers_the_delay_based_rate (void)
{
  GccRate before;

  path_init ();
  for (guint i = 0; i < 100; i++)
    feed (0, 0);
  before = path.rates.result.delay_based;
  for (guint i = 0; i < 20; i++)
    feed (0, 10 * GCC_MSECOND);
  g_assert_cmpint (path.rates.result.delay_based, <, before);
  g_assert_cmpint (path.rates.result.delay_reason, ==, GCC_REASON_OVERUSE);
  g_assert_cmpint (gcc_send_side_rates_get_limit (&path.rates, FALSE), ==,
      GCC_RATE_LIMIT_DELAY_INCREASED);
}

static void
test_loss_lowers_the_loss_based_rate_alone (void)
{
  path_init ();
  for (guint i = 0; i < 50; i++)
    feed (0, 0);
  for (guint i = 0; i < 50; i++)
    feed (4, 0);
  g_assert_cmpint (path.rates.result.loss_based, !=, GCC_RATE_NONE);
  g_assert_cmpint (
      path.rates.result.loss_based, <, path.rates.result.delay_based);
}

static void
test_it_continues_from_another_rate (void)
{
  path_init ();
  for (guint i = 0; i < 50; i++)
    feed (4, 0);
  gcc_send_side_rates_restart (&path.rates, 2 * START, path.now);
  g_assert_cmpint (path.rates.result.delay_based, ==, 2 * START);
  g_assert_cmpint (path.rates.result.loss_based, ==, GCC_RATE_NONE);
  g_assert_cmpint (path.rates.result.acknowledged, ==, GCC_RATE_NONE);
}

static void
test_a_profile_without_rules_knows_no_drain (void)
{
  path_init ();
  feed (0, 0);
  g_assert_cmpint (path.rates.result.verdict, ==, GCC_VERDICT_ABSENT);
  g_assert_cmpint (gcc_send_side_rates_get_rate_after_drain (&path.rates), ==,
      GCC_RATE_NONE);
}

#define ADD(test) g_test_add_func ("/send-side-rates/" #test, test_##test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD (a_path_without_a_queue_lets_the_rate_grow);
  ADD (a_queue_that_grows_lowers_the_delay_based_rate);
  ADD (loss_lowers_the_loss_based_rate_alone);
  ADD (it_continues_from_another_rate);
  ADD (a_profile_without_rules_knows_no_drain);
  return g_test_run ();
}
