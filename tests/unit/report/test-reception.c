/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-reception.h>

static void
feed (GccReception *reception, guint from, guint n, guint lose_every)
{
  for (guint i = 0; i < n; i++)
    if (lose_every == 0 || i % lose_every != lose_every - 1)
      gcc_reception_feed (reception, (guint16) (from + i));
}

static void
test_nothing_lost_is_a_fraction_of_zero (void)
{
  GccReception reception;
  GccReceptionReport report;

  gcc_reception_init (&reception, 1);
  g_assert_false (gcc_reception_has_news (&reception));
  feed (&reception, 1000, 50, 0);
  g_assert_true (gcc_reception_has_news (&reception));
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.fraction_lost, ==, 0);
  g_assert_cmpint (report.total_lost, ==, 0);
  g_assert_cmpuint (report.ext_highest_seq, ==, 1049);
  g_assert_false (gcc_reception_has_news (&reception));
}

static void
test_a_fraction_is_of_the_packets_since_the_last_report (void)
{
  GccReception reception;
  GccReceptionReport report;

  gcc_reception_init (&reception, 1);
  feed (&reception, 0, 101, 4);
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.fraction_lost, ==, 25 * 256 / 101);
  g_assert_cmpint (report.total_lost, ==, 25);
  feed (&reception, 101, 100, 0);
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.fraction_lost, ==, 0);
  g_assert_cmpint (report.total_lost, ==, 25);
}

static void
test_sequence_numbers_wrap (void)
{
  GccReception reception;
  GccReceptionReport report;

  gcc_reception_init (&reception, 1);
  feed (&reception, 65000, 1001, 10);
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.ext_highest_seq, ==, 66000);
  g_assert_cmpint (report.total_lost, ==, 100);
}

static void
test_a_late_packet_is_not_lost_and_a_second_copy_makes_up_for_one (void)
{
  GccReception reception;

  gcc_reception_init (&reception, 1);
  feed (&reception, 0, 10, 0);
  gcc_reception_feed (&reception, 12);
  gcc_reception_feed (&reception, 10);
  gcc_reception_feed (&reception, 11);
  g_assert_cmpuint (gcc_reception_report (&reception, 0).fraction_lost, ==, 0);
  gcc_reception_feed (&reception, 11);
  g_assert_cmpint (gcc_reception_report (&reception, 0).total_lost, ==, -1);
}

static void
test_each_packet_tells_of_those_before_it (void)
{
  GccReception reception;

  gcc_reception_init (&reception, 1);
  g_assert_cmpint (gcc_reception_feed (&reception, 65535), ==, 0);
  g_assert_cmpint (gcc_reception_feed (&reception, 0), ==, 0);
  g_assert_cmpint (gcc_reception_feed (&reception, 4), ==, 3);
  g_assert_cmpint (gcc_reception_feed (&reception, 2), ==, -1);
  g_assert_cmpint (gcc_reception_feed (&reception, 5), ==, 0);
  g_assert_cmpint (gcc_reception_feed (&reception, 40000), ==, 0);
}

static void
test_all_but_the_last_lost_is_the_greatest_fraction (void)
{
  GccReception reception;

  gcc_reception_init (&reception, 1);
  gcc_reception_feed (&reception, 0);
  gcc_reception_report (&reception, 0);
  gcc_reception_feed (&reception, 2999);
  g_assert_cmpuint (
      gcc_reception_report (&reception, 0).fraction_lost, ==, 255);
}

static void
test_a_stray_packet_is_ignored_and_a_new_beginning_is_not (void)
{
  GccReception reception;
  GccReceptionReport report;

  gcc_reception_init (&reception, 1);
  feed (&reception, 100, 10, 0);
  gcc_reception_feed (&reception, 40000);
  gcc_reception_feed (&reception, 110);
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.ext_highest_seq, ==, 110);
  g_assert_cmpint (report.total_lost, ==, 0);

  feed (&reception, 40000, 5, 0);
  report = gcc_reception_report (&reception, 0);
  g_assert_cmpuint (report.ext_highest_seq, ==, 40004);
  g_assert_cmpint (report.total_lost, ==, 0);
}

static void
test_a_report_answers_the_last_sender_report (void)
{
  GccReception reception;
  GccReceptionReport report;

  gcc_reception_init (&reception, 1);
  gcc_reception_feed (&reception, 1);
  report = gcc_reception_report (&reception, GCC_SECOND);
  g_assert_cmphex (report.lsr, ==, 0);
  g_assert_cmphex (report.dlsr, ==, 0);
  gcc_reception_feed_sender_report (&reception, 0xb7052000, 2 * GCC_SECOND);
  report = gcc_reception_report (&reception, 7250 * GCC_MSECOND);
  g_assert_cmphex (report.lsr, ==, 0xb7052000);
  g_assert_cmphex (report.dlsr, ==, 0x00054000); /* RFC 3550, figure 2 */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name) g_test_add_func ("/reception/" #name, test_##name)
  ADD (nothing_lost_is_a_fraction_of_zero);
  ADD (a_fraction_is_of_the_packets_since_the_last_report);
  ADD (sequence_numbers_wrap);
  ADD (a_late_packet_is_not_lost_and_a_second_copy_makes_up_for_one);
  ADD (each_packet_tells_of_those_before_it);
  ADD (all_but_the_last_lost_is_the_greatest_fraction);
  ADD (a_stray_packet_is_ignored_and_a_new_beginning_is_not);
  ADD (a_report_answers_the_last_sender_report);
#undef ADD

  return g_test_run ();
}
