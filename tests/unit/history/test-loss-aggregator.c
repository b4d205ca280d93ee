/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-loss-aggregator.h>

#include <gst/gcc/profiles/gcc-profile-private.h>

#include <glib.h>

static GccCoveredBlock
make_block (guint8 fraction_lost, guint64 packets)
{
  return (GccCoveredBlock){
    .fraction_lost = fraction_lost,
    .packets = packets,
    .rtt = GCC_TIME_NONE,
  };
}

static GccCoveredBlock
make_first_block (guint8 fraction_lost)
{
  GccCoveredBlock block = make_block (fraction_lost, 0);

  block.is_first = TRUE;
  return block;
}

static GccLossReport
feed (GccLossAggregator *aggregator, GccCoveredBlock block)
{
  gcc_loss_aggregator_feed (aggregator, &block);
  return gcc_loss_aggregator_finish (aggregator);
}

static void
test_first_block_only_tells_where_a_stream_starts (void)
{
  GccLossAggregator aggregator;
  GccLossReport report;

  gcc_loss_aggregator_init (
      &aggregator, &gcc_profile_find ("goog-2020")->loss.reports);
  g_assert_false (feed (&aggregator, make_first_block (128)).has_loss);
  report = feed (&aggregator, make_block (128, 100));
  g_assert_true (report.has_loss);
  g_assert_cmpfloat (report.fraction_lost, ==, 128 / 256.);
}

static void
test_first_block_counts_in_2013 (void)
{
  GccLossAggregator aggregator;
  GccLossReport report;

  gcc_loss_aggregator_init (
      &aggregator, &gcc_profile_find ("rtcweb-2013")->loss.reports);
  report = feed (&aggregator, make_first_block (128));
  g_assert_true (report.has_loss);
  g_assert_cmpfloat (report.fraction_lost, ==, 128 / 256.);
}

/* In 2013, too: else whoever repeats a report is acted on each time. */
static void
test_a_block_about_no_packets_says_nothing (void)
{
  for (guint i = 0; i < gcc_n_profiles; i++) {
    GccLossAggregator aggregator;

    gcc_loss_aggregator_init (&aggregator, &gcc_profiles[i]->loss.reports);
    feed (&aggregator, make_first_block (0));
    g_assert_false (feed (&aggregator, make_block (255, 0)).has_loss);
    g_assert_cmpfloat (
        feed (&aggregator, make_block (10, 100)).fraction_lost, ==, 10 / 256.);
  }
}

static void
test_reports_add_up_to_twenty_packets (void)
{
  GccLossAggregator aggregator;
  GccLossReport report;

  gcc_loss_aggregator_init (
      &aggregator, &gcc_profile_find ("goog-2020")->loss.reports);
  feed (&aggregator, make_first_block (0));
  g_assert_false (feed (&aggregator, make_block (100, 10)).has_loss);
  g_assert_false (feed (&aggregator, make_block (0, 9)).has_loss);
  report = feed (&aggregator, make_block (0, 1));
  g_assert_true (report.has_loss);
  g_assert_cmpfloat (report.fraction_lost, ==, 50 / 256.);
  g_assert_false (feed (&aggregator, make_block (255, 10)).has_loss);
}

static void
test_streams_count_by_their_packets (void)
{
  GccCoveredBlock blocks[2] = { make_block (200, 10), make_block (0, 90) };
  GccLossAggregator aggregator;
  GccLossReport report;

  gcc_loss_aggregator_init (
      &aggregator, &gcc_profile_find ("goog-2020")->loss.reports);
  blocks[1].rtt = 70 * GCC_MSECOND;
  gcc_loss_aggregator_feed (&aggregator, &blocks[0]);
  gcc_loss_aggregator_feed (&aggregator, &blocks[1]);
  report = gcc_loss_aggregator_finish (&aggregator);
  g_assert_true (report.has_loss);
  g_assert_cmpfloat (report.fraction_lost, ==, 20 / 256.);
  g_assert_cmpint (report.rtt, ==, 70 * GCC_MSECOND);
  g_assert_cmpint (
      feed (&aggregator, make_block (0, 100)).rtt, ==, GCC_TIME_NONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/loss-aggregator/" #name, test_##name)
  ADD (first_block_only_tells_where_a_stream_starts);
  ADD (first_block_counts_in_2013);
  ADD (a_block_about_no_packets_says_nothing);
  ADD (reports_add_up_to_twenty_packets);
  ADD (streams_count_by_their_packets);
#undef ADD
  return g_test_run ();
}
