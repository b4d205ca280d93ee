/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-report-reader.h>

#include <gst/gcc/gcc-profile-private.h>

#include <glib.h>

static GccReportBlock
make_block (guint32 ssrc, guint8 fraction_lost, guint32 ext_highest_seq)
{
  return (GccReportBlock){
    .reporter = 1,
    .ssrc = ssrc,
    .fraction_lost = fraction_lost,
    .ext_highest_seq = ext_highest_seq,
    .rtt = GCC_TIME_NONE,
  };
}

static GccLossReport
feed (GccReportReader *reader, GccReportBlock block)
{
  return gcc_report_reader_feed (reader, &block, 1);
}

static void
test_first_block_only_tells_where_a_stream_starts (void)
{
  GccReportReader reader;
  GccLossReport report;

  gcc_report_reader_init (&reader, &gcc_profile_find ("goog-2020")->loss);
  g_assert_false (feed (&reader, make_block (2, 128, 1000)).has_loss);
  report = feed (&reader, make_block (2, 128, 1100));
  g_assert_true (report.has_loss);
  g_assert_cmpuint (report.fraction_lost, ==, 128);
}

static void
test_first_block_counts_in_2013 (void)
{
  GccReportReader reader;
  GccLossReport report;

  gcc_report_reader_init (&reader, &gcc_profile_find ("rtcweb-2013")->loss);
  report = feed (&reader, make_block (2, 128, 1000));
  g_assert_true (report.has_loss);
  g_assert_cmpuint (report.fraction_lost, ==, 128);
}

static void
test_reports_add_up_to_twenty_packets (void)
{
  GccReportReader reader;
  GccLossReport report;

  gcc_report_reader_init (&reader, &gcc_profile_find ("goog-2020")->loss);
  feed (&reader, make_block (2, 0, 1000));
  g_assert_false (feed (&reader, make_block (2, 100, 1010)).has_loss);
  g_assert_false (feed (&reader, make_block (2, 0, 1019)).has_loss);
  report = feed (&reader, make_block (2, 0, 1020));
  g_assert_true (report.has_loss);
  g_assert_cmpuint (report.fraction_lost, ==, 50);
  g_assert_false (feed (&reader, make_block (2, 255, 1030)).has_loss);
}

static void
test_streams_count_by_their_packets (void)
{
  GccReportBlock blocks[2] = { make_block (2, 0, 1000), make_block (3, 0, 50) };
  GccReportReader reader;
  GccLossReport report;

  gcc_report_reader_init (&reader, &gcc_profile_find ("goog-2020")->loss);
  gcc_report_reader_feed (&reader, blocks, 2);
  blocks[0] = make_block (2, 200, 1010);
  blocks[1] = make_block (3, 0, 140);
  blocks[1].rtt = 70 * GCC_MSECOND;
  report = gcc_report_reader_feed (&reader, blocks, 2);
  g_assert_true (report.has_loss);
  g_assert_cmpuint (report.fraction_lost, ==, 20);
  g_assert_cmpint (report.rtt, ==, 70 * GCC_MSECOND);
}

static void
test_sequence_numbers_wrap_and_start_afresh (void)
{
  GccReportReader reader;

  gcc_report_reader_init (&reader, &gcc_profile_find ("goog-2020")->loss);
  feed (&reader, make_block (2, 0, G_MAXUINT32 - 9));
  g_assert_true (feed (&reader, make_block (2, 0, 20)).has_loss);
  g_assert_false (feed (&reader, make_block (2, 0, G_MAXUINT32 - 9)).has_loss);
  g_assert_true (feed (&reader, make_block (2, 0, 20)).has_loss);
  g_assert_false (feed (&reader, make_block (2, 255, 20)).has_loss);
}

static void
test_silent_streams_make_room (void)
{
  GccReportReader reader;

  gcc_report_reader_init (&reader, &gcc_profile_find ("goog-2020")->loss);
  for (guint32 i = 0; i < 10 * GCC_REPORT_READER_MAX_STREAMS; i++) {
    g_assert_cmpint (
        feed (&reader, make_block (0, 0, i * 100)).has_loss, ==, i > 0);
    g_assert_false (feed (&reader, make_block (1000 + i, 0, 1)).has_loss);
  }
  g_assert_cmpuint (reader.n_streams, ==, GCC_REPORT_READER_MAX_STREAMS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func (
      "/report-reader/first_block_only_tells_where_a_stream_starts",
      test_first_block_only_tells_where_a_stream_starts);
  g_test_add_func ("/report-reader/first_block_counts_in_2013",
      test_first_block_counts_in_2013);
  g_test_add_func ("/report-reader/reports_add_up_to_twenty_packets",
      test_reports_add_up_to_twenty_packets);
  g_test_add_func ("/report-reader/streams_count_by_their_packets",
      test_streams_count_by_their_packets);
  g_test_add_func ("/report-reader/sequence_numbers_wrap_and_start_afresh",
      test_sequence_numbers_wrap_and_start_afresh);
  g_test_add_func (
      "/report-reader/silent_streams_make_room", test_silent_streams_make_room);
  return g_test_run ();
}
