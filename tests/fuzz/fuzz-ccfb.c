/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Reports of RFC 8888: what is read can be written, and what is written can be
 * read. */

#include <gst/gcc/wire/gcc-ccfb.h>

#include "fuzz.h"

/* As long as a packet may be. */
#define MAX_BODY 1400

void
fuzz_init (void)
{
}

/* --- read ... --- */

/* Writes the packets of @report, a block for each, and reads them again. */
static void
write_again (GccCcfb report)
{
  static guint8 bytes[MAX_BODY];
  GccCcfb from_start = report, written;
  GccCcfbStatus status, again;
  GccCcfbWriter writer;
  gsize length;

  gcc_ccfb_writer_init (&writer, bytes, sizeof bytes);
  while (gcc_ccfb_next (&report, &status) &&
      gcc_ccfb_writer_get_room (&writer) > 0) {
    gcc_ccfb_writer_begin (&writer, status.ssrc, status.seq, 1);
    if (status.is_received)
      gcc_ccfb_writer_add (&writer, status.ecn, status.offset);
    else
      gcc_ccfb_writer_add_missing (&writer);
  }
  length = gcc_ccfb_writer_finish (&writer, report.timestamp);
  g_assert_cmpuint (length, <=, sizeof bytes);
  g_assert_true (gcc_ccfb_parse (&written, bytes, length));
  g_assert_cmpuint (written.timestamp, ==, report.timestamp);
  while (gcc_ccfb_next (&written, &again)) {
    g_assert_true (gcc_ccfb_next (&from_start, &status));
    g_assert_cmpuint (again.ssrc, ==, status.ssrc);
    g_assert_cmpuint (again.seq, ==, status.seq);
    g_assert_cmpint (again.is_received, ==, status.is_received);
    g_assert_cmpint (again.ecn, ==, status.ecn);
    g_assert_cmpint (again.offset, ==, status.offset);
  }
}

static void
read_bytes (Fuzz *input)
{
  GccCcfb report;
  GccCcfbStatus status;
  gsize length;
  guint n = 0;
  const guint8 *bytes = fuzz_bytes (input, G_MAXSIZE, &length);

  if (!gcc_ccfb_parse (&report, bytes, length))
    return;
  write_again (report);
  for (; gcc_ccfb_next (&report, &status); n++) {
    g_assert_cmpint (status.offset, >=, GCC_CCFB_NO_OFFSET);
    g_assert_cmpint (status.offset, <=, GCC_CCFB_MAX_OFFSET);
    g_assert_true (status.is_received || status.offset == GCC_CCFB_NO_OFFSET);
    g_assert_true (status.is_received || status.ecn == GCC_ECN_NOT_ECT);
  }
  g_assert_cmpuint (n, ==, report.n_statuses);
}

/* --- ... and write --- */

/* Packets that were written. */
typedef struct {
  guint n;
  guint n_received;
} Count;

static void
write_block (GccCcfbWriter *writer, Fuzz *input, Count *count)
{
  guint n = 1 + fuzz_uint8 (input);

  n = MIN (n, gcc_ccfb_writer_get_room (writer));

  gcc_ccfb_writer_begin (writer, fuzz_uint32 (input), fuzz_uint16 (input), n);
  for (; n > 0; n--) {
    count->n++;
    if (fuzz_once_in (input, 3)) {
      gcc_ccfb_writer_add_missing (writer);
    } else {
      gcc_ccfb_writer_add (
          writer, (GccEcn) (fuzz_uint8 (input) % 4), fuzz_step (input));
      count->n_received++;
    }
  }
}

static void
write_and_read (Fuzz *input)
{
  static guint8 bytes[MAX_BODY];
  gsize room = fuzz_up_to (input, MAX_BODY), length;
  Count count = { 0 };
  GccCcfbWriter writer;
  GccCcfbStatus status;
  GccCcfb report;

  gcc_ccfb_writer_init (&writer, bytes, room);
  while (fuzz_has_more (input) && gcc_ccfb_writer_get_room (&writer) > 0)
    write_block (&writer, input, &count);
  if (room < 4)
    return;
  length = gcc_ccfb_writer_finish (&writer, fuzz_uint32 (input));
  g_assert_cmpuint (length, <=, room);
  g_assert_cmpuint (length % 4, ==, 0);
  g_assert_true (gcc_ccfb_parse (&report, bytes, length));
  g_assert_cmpuint (report.n_statuses, ==, count.n);
  while (gcc_ccfb_next (&report, &status))
    count.n_received -= status.is_received;
  g_assert_cmpuint (count.n_received, ==, 0);
}

static void
check_time (Fuzz *input)
{
  GccTime time = fuzz_step (input);
  gint64 ticks = gcc_ccfb_ticks (time);

  g_assert_cmpint (gcc_ccfb_get_arrival (ticks * 64, 0), <=, time);
  g_assert_cmpint (gcc_ccfb_get_arrival ((ticks + 1) * 64, 0), >=, time);
}

void
fuzz_one (Fuzz *input)
{
  switch (fuzz_uint8 (input) % 3) {
    case 0:
      read_bytes (input);
      break;
    case 1:
      check_time (input);
      break;
    default:
      write_and_read (input);
      break;
  }
}
