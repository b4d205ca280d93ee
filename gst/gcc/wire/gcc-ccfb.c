/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-ccfb.h>

/* SSRC, first sequence number and count of a block, and the timestamp at the
 * end. */
#define BLOCK_HEADER_LENGTH 8
#define TIMESTAMP_LENGTH 4
#define REPORT_LENGTH 2

/* A report of one packet. */
#define RECEIVED 0x8000
#define ECN_SHIFT 13
#define ECN_MASK 3
#define OFFSET_MASK 0x1fff

/* Of a timestamp, in one of an offset. */
#define TIMESTAMPS_PER_TICK ((gint64) 65536 / GCC_CCFB_TICKS_PER_SECOND)

static guint16
read_uint16 (const guint8 *bytes)
{
  return (guint16) (bytes[0] << 8 | bytes[1]);
}

static guint32
read_uint32 (const guint8 *bytes)
{
  return (guint32) read_uint16 (bytes) << 16 | read_uint16 (bytes + 2);
}

static void
write_uint16 (guint8 *bytes, guint value)
{
  bytes[0] = (guint8) (value >> 8);
  bytes[1] = (guint8) value;
}

static void
write_uint32 (guint8 *bytes, guint32 value)
{
  write_uint16 (bytes, value >> 16);
  write_uint16 (bytes + 2, value & G_MAXUINT16);
}

/* --- time --- */

/* GCC_SECOND and the ticks of a second have 64 as their greatest common
 * divisor. */
#define TICKS (GCC_CCFB_TICKS_PER_SECOND / 64)
#define MICROSECONDS (GCC_SECOND / 64)
#define TIMESTAMPS (TICKS * TIMESTAMPS_PER_TICK)

gint64
gcc_ccfb_ticks (GccTime time)
{
  gint64 rest = time % MICROSECONDS;

  return time / MICROSECONDS * TICKS + rest * TICKS / MICROSECONDS -
      (rest < 0 && rest * TICKS % MICROSECONDS != 0);
}

guint32
gcc_ccfb_timestamp (gint64 ticks)
{
  return (guint32) ((guint64) ticks * (guint64) TIMESTAMPS_PER_TICK);
}

GccTime
gcc_ccfb_get_arrival (gint64 timestamp, gint offset)
{
  gint64 arrival = timestamp - (gint64) offset * TIMESTAMPS_PER_TICK;

  return arrival / TIMESTAMPS * MICROSECONDS +
      arrival % TIMESTAMPS * MICROSECONDS / TIMESTAMPS;
}

/* --- read --- */

/* Reports fill words. */
static guint
count_padding (guint n_reports)
{
  return n_reports % 2;
}

/* Walks the blocks once, so that later reads can trust them. */
static gboolean
check_blocks (GccCcfb *self)
{
  const guint8 *next = self->next;

  while (next < self->end) {
    gsize left = (gsize) (self->end - next);
    guint n;

    if (left < BLOCK_HEADER_LENGTH)
      return FALSE;
    n = read_uint16 (next + 6);
    if (n > GCC_CCFB_MAX_REPORTS ||
        left < BLOCK_HEADER_LENGTH + REPORT_LENGTH * (n + count_padding (n)))
      return FALSE;
    next += BLOCK_HEADER_LENGTH + REPORT_LENGTH * (n + count_padding (n));
    self->n_statuses += n;
  }
  return TRUE;
}

gboolean
gcc_ccfb_parse (GccCcfb *self, const guint8 *body, gsize length)
{
  GccCcfb parsed;

  if (body == NULL || length < TIMESTAMP_LENGTH)
    return FALSE;

  parsed = (GccCcfb){
    .timestamp = read_uint32 (body + length - TIMESTAMP_LENGTH),
    .next = body,
    .end = body + length - TIMESTAMP_LENGTH,
  };
  if (!check_blocks (&parsed))
    return FALSE;
  *self = parsed;
  return TRUE;
}

/* Returns FALSE after the last block. */
static gboolean
open_block (GccCcfb *self)
{
  while (self->n_left == 0) {
    self->next += (gsize) REPORT_LENGTH * self->n_padding;
    self->n_padding = 0;
    if (self->next == self->end)
      return FALSE;
    self->ssrc = read_uint32 (self->next);
    self->seq = read_uint16 (self->next + 4);
    self->n_left = read_uint16 (self->next + 6);
    self->n_padding = count_padding (self->n_left);
    self->next += BLOCK_HEADER_LENGTH;
  }
  return TRUE;
}

gboolean
gcc_ccfb_next (GccCcfb *self, GccCcfbStatus *status)
{
  guint report, offset;

  if (!open_block (self))
    return FALSE;

  report = read_uint16 (self->next);
  offset = report & OFFSET_MASK;
  *status = (GccCcfbStatus){
    .ssrc = self->ssrc,
    .seq = self->seq++,
    .offset = GCC_CCFB_NO_OFFSET,
  };
  if (report & RECEIVED) {
    status->is_received = TRUE;
    status->ecn = (GccEcn) (report >> ECN_SHIFT & ECN_MASK);
    if (offset <= GCC_CCFB_MAX_OFFSET)
      status->offset = (gint) offset;
  }
  self->next += REPORT_LENGTH;
  self->n_left--;
  return TRUE;
}

/* --- write --- */

void
gcc_ccfb_writer_init (GccCcfbWriter *self, guint8 *bytes, gsize room)
{
  *self = (GccCcfbWriter){ .bytes = bytes, .room = room };
}

/* The length up to here, with whole words. */
static gsize
get_whole_length (const GccCcfbWriter *self)
{
  return (self->length + 3) / 4 * 4;
}

guint
gcc_ccfb_writer_get_room (const GccCcfbWriter *self)
{
  gsize used = get_whole_length (self) + BLOCK_HEADER_LENGTH + TIMESTAMP_LENGTH;
  gsize n = self->room > used ? (self->room - used) / 4 * 2 : 0;

  return (guint) MIN (n, GCC_CCFB_MAX_REPORTS);
}

/* The padding before the next block. */
static void
fill_word (GccCcfbWriter *self)
{
  while (self->length % 4 != 0)
    self->bytes[self->length++] = 0;
}

void
gcc_ccfb_writer_begin (GccCcfbWriter *self, guint32 ssrc, guint16 seq, guint n)
{
  g_return_if_fail (n > 0 && n <= gcc_ccfb_writer_get_room (self));

  fill_word (self);
  write_uint32 (self->bytes + self->length, ssrc);
  write_uint16 (self->bytes + self->length + 4, seq);
  write_uint16 (self->bytes + self->length + 6, n);
  self->length += BLOCK_HEADER_LENGTH;
}

static void
add_report (GccCcfbWriter *self, guint report)
{
  write_uint16 (self->bytes + self->length, report);
  self->length += REPORT_LENGTH;
}

void
gcc_ccfb_writer_add (GccCcfbWriter *self, GccEcn ecn, gint64 offset)
{
  if (offset < 0)
    offset = GCC_CCFB_UNAVAILABLE;
  else if (offset > GCC_CCFB_MAX_OFFSET)
    offset = GCC_CCFB_OVER_RANGE;
  add_report (self, RECEIVED | (guint) ecn << ECN_SHIFT | (guint) offset);
}

void
gcc_ccfb_writer_add_missing (GccCcfbWriter *self)
{
  add_report (self, 0);
}

gsize
gcc_ccfb_writer_finish (GccCcfbWriter *self, guint32 timestamp)
{
  fill_word (self);
  write_uint32 (self->bytes + self->length, timestamp);
  return self->length + TIMESTAMP_LENGTH;
}
