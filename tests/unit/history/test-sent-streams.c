/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-streams.h>

#include <glib.h>

static void
send_packets (
    GccSentStreams *streams, guint32 ssrc, guint16 seq, guint n, GccTime now)
{
  for (guint i = 0; i < n; i++)
    gcc_sent_stream_feed (
        gcc_sent_streams_take (streams, ssrc, GCC_SENT_VIDEO, now),
        (guint16) (seq + i), now);
}

/* How many packets were sent up to @seq; -1 when that was not sent. */
static gint64
count (const GccSentStreams *streams, guint32 ssrc, guint16 seq)
{
  const GccSentStream *stream = gcc_sent_streams_find (streams, ssrc);
  guint64 n;

  g_assert_nonnull (stream);
  return gcc_sent_stream_count_until (stream, seq, &n) ? (gint64) n : -1;
}

static void
test_a_stream_is_of_the_kind_it_began_as (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  g_assert_null (gcc_sent_streams_find (&streams, 0));
  gcc_sent_streams_take (&streams, 0, GCC_SENT_RTX, 0);
  g_assert_cmpint (gcc_sent_streams_take (&streams, 0, GCC_SENT_FEC, 1)->kind,
      ==, GCC_SENT_RTX);
  g_assert_nonnull (gcc_sent_streams_find (&streams, 0));
  g_assert_null (gcc_sent_streams_find (&streams, 1));
}

static void
test_only_what_was_sent_is_counted (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  gcc_sent_streams_take (&streams, 5, GCC_SENT_VIDEO, 0);
  g_assert_cmpint (count (&streams, 5, 0), ==, -1);

  send_packets (&streams, 5, 65530, 20, 0);
  g_assert_cmpint (count (&streams, 5, 65529), ==, -1);
  g_assert_cmpint (count (&streams, 5, 65530), ==, 1);
  g_assert_cmpint (count (&streams, 5, 65535), ==, 6);
  g_assert_cmpint (count (&streams, 5, 0), ==, 7);
  g_assert_cmpint (count (&streams, 5, 13), ==, 20);
  g_assert_cmpint (count (&streams, 5, 14), ==, -1);

  send_packets (&streams, 5, 14, 200000, 0);
  g_assert_cmpint (count (&streams, 5, (guint16) 200013), ==, 200020);
  g_assert_cmpint (count (&streams, 5, (guint16) 200014), ==, -1);
  g_assert_cmpint (count (&streams, 5, (guint16) (200013 - 20000)), ==, 180020);
}

static void
test_packets_out_of_order_change_no_order (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  send_packets (&streams, 5, 100, 10, 0);
  send_packets (&streams, 5, 105, 1, 0);
  g_assert_cmpint (count (&streams, 5, 109), ==, 11);
  g_assert_cmpint (count (&streams, 5, 110), ==, -1);
}

/* Numbers that were never sent are no packets. */
static void
test_left_out_numbers_do_not_count (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  send_packets (&streams, 5, 0, 10, 0);
  send_packets (&streams, 5, 1000, 10, 0);
  g_assert_cmpint (count (&streams, 5, 1009), ==, 20);
  g_assert_cmpint (count (&streams, 5, 1000), ==, 11);
  g_assert_cmpint (count (&streams, 5, 9), ==, 0);
}

static void
test_a_stream_may_start_afresh (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  send_packets (&streams, 5, 40000, 10, 0);
  send_packets (&streams, 5, 10, 10, 0);
  g_assert_cmpint (count (&streams, 5, 19), ==, 20);
  g_assert_cmpint (count (&streams, 5, 9), ==, -1);
  g_assert_cmpint (count (&streams, 5, 40009), ==, -1);
}

static void
test_the_longest_silent_stream_makes_room (void)
{
  GccSentStreams streams;
  guint32 serial;

  gcc_sent_streams_init (&streams);
  for (guint32 i = 0; i < 3 * GCC_SENT_STREAMS_MAX; i++) {
    send_packets (&streams, 7777777, (guint16) i, 1, i);
    send_packets (&streams, i * 65536, 1, 1, i);
  }
  g_assert_cmpuint (streams.n_streams, ==, GCC_SENT_STREAMS_MAX);
  g_assert_cmpint (count (&streams, 7777777, 3 * GCC_SENT_STREAMS_MAX - 1), ==,
      3 * GCC_SENT_STREAMS_MAX);
  g_assert_null (gcc_sent_streams_find (&streams, 0));
  for (guint32 i = 2 * GCC_SENT_STREAMS_MAX + 1; i < 3 * GCC_SENT_STREAMS_MAX;
       i++)
    g_assert_cmpint (count (&streams, i * 65536, 1), ==, 1);

  serial = gcc_sent_streams_find (&streams, 7777777)->serial;
  for (guint32 i = 0; i < 2 * GCC_SENT_STREAMS_MAX; i++)
    send_packets (&streams, i, 1, 1, 10000 + i);
  g_assert_null (gcc_sent_streams_find (&streams, 7777777));
  send_packets (&streams, 7777777, 1, 1, 20000);
  g_assert_cmpuint (
      gcc_sent_streams_find (&streams, 7777777)->serial, !=, serial);
}

/* What a report that packets @seq to @seq + @n - 1 of @ssrc have arrived is worth. */
static gboolean
confirm (const GccSentStreams *streams, guint32 ssrc, guint16 seq, guint n)
{
  guint8 body[GCC_CCFB_MAX_BODY];
  GccCcfbWriter writer;
  GccCcfb report;
  gsize length;

  gcc_ccfb_writer_init (&writer, body, sizeof body);
  gcc_ccfb_writer_begin (&writer, ssrc, seq, n);
  for (; n > 0; n--)
    gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, 0);
  length = gcc_ccfb_writer_finish (&writer, gcc_ccfb_timestamp (1000));
  g_assert_true (gcc_ccfb_parse (&report, body, length));
  return gcc_sent_streams_confirm (streams, report);
}

static void
test_a_report_is_confirmed_by_what_was_sent (void)
{
  GccSentStreams streams;

  gcc_sent_streams_init (&streams);
  send_packets (&streams, 5, 100, 10, 0);
  g_assert_true (confirm (&streams, 5, 100, 10));
  g_assert_false (confirm (&streams, 5, 100, 11));
  g_assert_false (confirm (&streams, 6, 100, 10));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define TEST(name) g_test_add_func ("/sent-streams/" #name, test_##name)
  TEST (a_stream_is_of_the_kind_it_began_as);
  TEST (only_what_was_sent_is_counted);
  TEST (packets_out_of_order_change_no_order);
  TEST (left_out_numbers_do_not_count);
  TEST (a_stream_may_start_afresh);
  TEST (the_longest_silent_stream_makes_room);
  TEST (a_report_is_confirmed_by_what_was_sent);
  return g_test_run ();
}
