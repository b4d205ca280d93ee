/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-ccfb.h>

#include "conformance.h"
#include "wire/hex.h"

#include <string.h>

#define PR "PR rfc8888_test"

/* --- bytes and what they say, as text --- */

/* ssrc:seq, and for a packet that has arrived its ECN bits and offset; ? where
 * there is none. */
static gchar *
describe (const gchar *hex)
{
  GString *text = g_string_new (NULL);
  static guint8 bytes[256];
  gsize length = from_hex (hex, bytes);
  GccCcfbStatus status;
  GccCcfb report;

  if (!gcc_ccfb_parse (&report, bytes, length))
    return g_string_free (g_string_append (text, "malformed"), FALSE);
  while (gcc_ccfb_next (&report, &status)) {
    g_string_append_printf (text, "%u:%u", status.ssrc, status.seq);
    if (status.is_received)
      g_string_append_printf (text, "/%d", (gint) status.ecn);
    if (status.offset != GCC_CCFB_NO_OFFSET)
      g_string_append_printf (text, "-%d", status.offset);
    else if (status.is_received)
      g_string_append (text, "?");
    g_string_append_c (text, ' ');
  }
  g_string_append_printf (text, "at %u", report.timestamp);
  return g_string_free (text, FALSE);
}

static void
check (const gchar *hex, const gchar *expected)
{
  g_autofree gchar *text = describe (hex);

  g_assert_cmpstr (text, ==, expected);
}

static void
conform (const gchar *name, const gchar *hex, const gchar *expected)
{
  g_autofree gchar *text = describe (hex);

  conformance_check_string (PR, name, expected, text);
}

#define TIME "00000001"
#define OF_ONE "00000001 0002 0001 "

/* --- read --- */

static void
test_published_bytes_are_parsed (void)
{
  conform ("block: not received", OF_ONE "0000 0000" TIME, "1:2 at 1");
  conform ("block: not received, other bits set", OF_ONE "6200 0000" TIME,
      "1:2 at 1");
  conform ("block: offset 0", OF_ONE "8000 0000" TIME, "1:2/0-0 at 1");
  conform ("block: offset 8189", OF_ONE "9ffd 0000" TIME, "1:2/0-8189 at 1");
  conform ("block: over range", OF_ONE "9ffe 0000" TIME, "1:2/0? at 1");
  conform ("block: not available", OF_ONE "9fff 0000" TIME, "1:2/0? at 1");
  conform ("block: CE", OF_ONE "fff8 0000" TIME, "1:2/3-8184 at 1");
  conform ("no report", TIME, "at 1");
  conform ("a stream of 0 packets", "00000000 0000 0000" TIME, "at 1");
  conform ("two streams of 4 and 3 packets",
      "00000001 0002 0004 9ffd 9ffc 0000 0000"
      "00000002 0002 0003 9ffd 9ffc 0000 0000" TIME,
      "1:2/0-8189 1:3/0-8188 1:4 1:5 2:2/0-8189 2:3/0-8188 2:4 at 1");
  conform ("stream cut in its header", "00000001 0002", "malformed");
  conform ("more packets than bytes",
      "00000001 0002 0006 9ffd 9ffc 0000 0000" TIME, "malformed");
}

static void
test_sequence_numbers_wrap_inside_a_block (void)
{
  check ("00000007 fffe 0004 8000 8001 8002 8003" TIME,
      "7:65534/0-0 7:65535/0-1 7:0/0-2 7:1/0-3 at 1");
}

static void
test_each_ecn_codepoint_is_told_apart (void)
{
  check ("00000007 0000 0004 8000 a000 c000 e000" TIME,
      "7:0/0-0 7:1/1-0 7:2/2-0 7:3/3-0 at 1");
}

static void
test_a_report_without_a_timestamp_is_refused (void)
{
  check ("", "malformed");
  check ("000000", "malformed");
  check ("00000001 0002 0002 8000 8000", "malformed");
  check ("00000001 0002 0002 8000 8000 0000", "malformed");
}

/* A body of one block of @n packets, none of which has arrived. */
static gboolean
parse_block_of (guint n)
{
  static guint8 bytes[2 * G_MAXUINT16 + 16];
  gsize length = 8 + 4 * ((n + 1) / 2) + 4;
  GccCcfb report;

  memset (bytes, 0, sizeof bytes);
  bytes[6] = (guint8) (n >> 8);
  bytes[7] = (guint8) n;
  return gcc_ccfb_parse (&report, bytes, length) && report.n_statuses == n;
}

static void
test_a_block_has_at_most_16384_packets (void)
{
  g_assert_true (parse_block_of (GCC_CCFB_MAX_REPORTS));
  conformance_check_boolean (PR, "16385 packets in a block", FALSE,
      parse_block_of (GCC_CCFB_MAX_REPORTS + 1));
  g_assert_false (parse_block_of (G_MAXUINT16));
}

/* --- write --- */

#define BEGIN(ssrc, seq, n) gcc_ccfb_writer_begin (&writer, ssrc, seq, n)

static void
test_what_is_written_is_as_published (void)
{
  guint8 bytes[64];
  GccCcfbWriter writer;
  g_autofree gchar *hex = NULL;

  gcc_ccfb_writer_init (&writer, bytes, sizeof bytes);
  for (guint ssrc = 1; ssrc <= 2; ssrc++) {
    BEGIN (ssrc, 2, 5 - ssrc);
    gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, 8189);
    gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, 8188);
    for (guint n = 2; n < 5 - ssrc; n++)
      gcc_ccfb_writer_add_missing (&writer);
  }
  hex = to_hex (bytes, gcc_ccfb_writer_finish (&writer, 1));
  conformance_check_string (PR, "two streams of 4 and 3 packets, written",
      "00000001000200049ffd9ffc00000000"
      "00000002000200039ffd9ffc00000000"
      "00000001",
      hex);
}

static void
test_offsets_that_have_no_value_are_marked (void)
{
  guint8 bytes[64];
  GccCcfbWriter writer;
  g_autofree gchar *hex = NULL;

  gcc_ccfb_writer_init (&writer, bytes, sizeof bytes);
  BEGIN (1, 0, 4);
  gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, -1);
  gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, GCC_CCFB_MAX_OFFSET);
  gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, GCC_CCFB_MAX_OFFSET + 1);
  gcc_ccfb_writer_add (&writer, GCC_ECN_NOT_ECT, G_MAXINT64);
  hex = to_hex (bytes, gcc_ccfb_writer_finish (&writer, 0));
  g_assert_cmpstr (hex, ==, "00000001000000049fff9ffd9ffe9ffe00000000");
}

static void
test_the_room_is_never_exceeded (void)
{
  guint8 bytes[64];

  for (gsize room = 0; room <= sizeof bytes; room++) {
    GccCcfbWriter writer;
    guint n;

    gcc_ccfb_writer_init (&writer, bytes, room);
    n = gcc_ccfb_writer_get_room (&writer);
    g_assert_cmpuint (n, ==, room < 16 ? 0 : (room - 12) / 4 * 2);
    if (n == 0)
      continue;
    BEGIN (1, 0, n);
    for (; n > 0; n--)
      gcc_ccfb_writer_add_missing (&writer);
    g_assert_cmpuint (gcc_ccfb_writer_get_room (&writer), ==, 0);
    g_assert_cmpuint (gcc_ccfb_writer_finish (&writer, 0), <=, room);
  }
}

/* --- time --- */

static void
test_ticks_are_1024_a_second_rounded_down (void)
{
  g_assert_cmpint (gcc_ccfb_ticks (0), ==, 0);
  g_assert_cmpint (gcc_ccfb_ticks (GCC_SECOND), ==, 1024);
  g_assert_cmpint (gcc_ccfb_ticks (GCC_SECOND - 1), ==, 1023);
  g_assert_cmpint (gcc_ccfb_ticks (976), ==, 0);
  g_assert_cmpint (gcc_ccfb_ticks (977), ==, 1);
  g_assert_cmpint (gcc_ccfb_ticks (-1), ==, -1);
  g_assert_cmpint (gcc_ccfb_ticks (-GCC_SECOND), ==, -1024);
}

static void
test_timestamps_wrap_after_65536_seconds (void)
{
  g_assert_cmpuint (gcc_ccfb_timestamp (1024), ==, 65536);
  g_assert_cmpuint (gcc_ccfb_timestamp (65536 * 1024 - 1), ==, 0xffffffc0);
  g_assert_cmpuint (gcc_ccfb_timestamp (65536 * 1024), ==, 0);
}

static void
test_an_arrival_is_before_its_report (void)
{
  g_assert_cmpint (gcc_ccfb_get_arrival (65536, 0), ==, GCC_SECOND);
  g_assert_cmpint (gcc_ccfb_get_arrival (65536, 16), ==, GCC_SECOND - 15625);
  g_assert_cmpint (gcc_ccfb_get_arrival (65536, 1024), ==, 0);
  g_assert_cmpint (gcc_ccfb_get_arrival (G_GINT64_CONSTANT (86400) << 16, 0),
      ==, 86400 * GCC_SECOND);
  /* finer than an offset */
  g_assert_cmpint (gcc_ccfb_get_arrival (65536 + 1, 0), ==, GCC_SECOND + 15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name) g_test_add_func ("/ccfb/" #name, test_##name)
  ADD (published_bytes_are_parsed);
  ADD (sequence_numbers_wrap_inside_a_block);
  ADD (each_ecn_codepoint_is_told_apart);
  ADD (a_report_without_a_timestamp_is_refused);
  ADD (a_block_has_at_most_16384_packets);
  ADD (what_is_written_is_as_published);
  ADD (offsets_that_have_no_value_are_marked);
  ADD (the_room_is_never_exceeded);
  ADD (ticks_are_1024_a_second_rounded_down);
  ADD (timestamps_wrap_after_65536_seconds);
  ADD (an_arrival_is_before_its_report);
#undef ADD
  return g_test_run ();
}
