/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/wire/gcc-transport-feedback.h>

#include <string.h>

/* --- the wire --- */

#define FCI_HEADER_LENGTH 8
#define CHUNK_LENGTH 2
#define MIN_FCI_LENGTH (FCI_HEADER_LENGTH + CHUNK_LENGTH)

/* Sequence numbers that one message may leave out in a row. */
#define MAX_JUMP 0x8000
#define MAX_STATUSES 0xffff

/* Status chunks: the top bit tells a vector from a run, the next one a vector
 * of 7 two-bit symbols from one of 14 one-bit symbols. */
#define VECTOR 0x8000
#define TWO_BITS 0x4000
#define MAX_RUN 0x1fff
#define RUN_SYMBOL_SHIFT 13
#define ONE_BIT_SYMBOLS 14
#define TWO_BIT_SYMBOLS 7

/* Symbols. The value of the first three is also the length of the packet's
 * delta in bytes. */
#define NOT_RECEIVED 0
#define SMALL_DELTA 1
#define LARGE_DELTA 2
#define RESERVED 3

#define TICKS_PER_REFERENCE \
  (GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK / GCC_TRANSPORT_FEEDBACK_TICK)

/* RTCP's common header, and the two SSRCs of a feedback message. */
#define RTCP_HEADER_LENGTH 4
#define SSRCS_LENGTH 8
#define RTCP_VERSION 2
#define RTPFB 205

static guint16
read_uint16 (const guint8 *bytes)
{
  return (guint16) (bytes[0] << 8 | bytes[1]);
}

static guint32
read_uint24 (const guint8 *bytes)
{
  return (guint32) bytes[0] << 16 | read_uint16 (bytes + 1);
}

static void
write_uint16 (guint8 *bytes, guint value)
{
  bytes[0] = (guint8) (value >> 8);
  bytes[1] = (guint8) value;
}

gint64
gcc_transport_feedback_unwrap (gint64 previous, guint32 value, guint bits)
{
  gint64 period = G_GINT64_CONSTANT (1) << bits;
  gint64 ahead = (gint64) ((value - (guint64) previous) &
      (guint64) (period - 1));

  return previous + (ahead <= period / 2 ? ahead : ahead - period);
}

/* --- read --- */

static guint
get_chunk_size (guint16 chunk)
{
  if (!(chunk & VECTOR))
    return chunk & MAX_RUN;
  return chunk & TWO_BITS ? TWO_BIT_SYMBOLS : ONE_BIT_SYMBOLS;
}

static guint
get_symbol (guint16 chunk, guint i)
{
  if (!(chunk & VECTOR))
    return chunk >> RUN_SYMBOL_SHIFT & 3;
  if (chunk & TWO_BITS)
    return chunk >> 2 * (TWO_BIT_SYMBOLS - 1 - i) & 3;
  return chunk >> (ONE_BIT_SYMBOLS - 1 - i) & 1;
}

/* Bytes of the deltas of a chunk's first @n symbols. FALSE if one of them is
 * reserved. */
static gboolean
add_delta_bytes (guint16 chunk, guint n, gsize *n_bytes)
{
  guint n_looked_at = chunk & VECTOR ? n : MIN (n, 1);

  for (guint i = 0; i < n_looked_at; i++) {
    guint symbol = get_symbol (chunk, i);

    if (symbol == RESERVED)
      return FALSE;
    *n_bytes += chunk & VECTOR ? symbol : (gsize) symbol * n;
  }
  return TRUE;
}

/* Walks the chunks once, so that later reads can trust them. Symbols of the
 * last chunk beyond the number of packets do not count. */
static gboolean
find_deltas (GccTransportFeedback *self, const guint8 *end)
{
  const guint8 *next = self->chunks;
  guint n_left = self->n_statuses;
  gsize n_bytes = 0;

  for (; n_left > 0; next += CHUNK_LENGTH) {
    guint16 chunk;
    guint n;

    if (end - next < CHUNK_LENGTH)
      return FALSE;
    chunk = read_uint16 (next);
    n = MIN (get_chunk_size (chunk), n_left);
    if (!add_delta_bytes (chunk, n, &n_bytes))
      return FALSE;
    n_left -= n;
  }

  self->deltas = next;
  self->has_times = (gsize) (end - next) >= n_bytes;
  return TRUE;
}

gboolean
gcc_transport_feedback_parse_fci (
    GccTransportFeedback *self, const guint8 *fci, gsize length)
{
  GccTransportFeedback parsed;

  if (fci == NULL || length < MIN_FCI_LENGTH)
    return FALSE;

  parsed = (GccTransportFeedback){
    .base_seq = read_uint16 (fci),
    .n_statuses = read_uint16 (fci + 2),
    .reference_time = read_uint24 (fci + 4),
    .count = fci[7],
    .chunks = fci + FCI_HEADER_LENGTH,
  };
  if (parsed.n_statuses == 0 || !find_deltas (&parsed, fci + length))
    return FALSE;
  *self = parsed;
  return TRUE;
}

gboolean
gcc_transport_feedback_parse_packet (
    GccTransportFeedback *self, const guint8 *packet, gsize length)
{
  gsize payload, padding;

  if (packet == NULL || length < RTCP_HEADER_LENGTH + SSRCS_LENGTH)
    return FALSE;
  if (packet[0] >> 6 != RTCP_VERSION || packet[1] != RTPFB ||
      (packet[0] & 0x1f) != GCC_TRANSPORT_FEEDBACK_FORMAT)
    return FALSE;
  if (((gsize) read_uint16 (packet + 2) + 1) * 4 != length)
    return FALSE;

  payload = length - RTCP_HEADER_LENGTH - SSRCS_LENGTH;
  padding = packet[0] & 0x20 ? packet[length - 1] : 0;
  if (padding > payload || (packet[0] & 0x20 && padding == 0))
    return FALSE;
  return gcc_transport_feedback_parse_fci (
      self, packet + RTCP_HEADER_LENGTH + SSRCS_LENGTH, payload - padding);
}

static void
open_chunk (GccTransportFeedback *self)
{
  while (self->chunk_read == self->chunk_size) {
    self->chunk = read_uint16 (self->chunks);
    self->chunks += CHUNK_LENGTH;
    self->chunk_size = get_chunk_size (self->chunk);
    self->chunk_read = 0;
  }
}

static guint
next_symbol (GccTransportFeedback *self)
{
  open_chunk (self);
  return get_symbol (self->chunk, self->chunk_read++);
}

static void
read_delta (GccTransportFeedback *self, guint symbol)
{
  self->ticks += symbol == LARGE_DELTA ? (gint16) read_uint16 (self->deltas)
                                       : self->deltas[0];
  self->deltas += symbol;
}

gboolean
gcc_transport_feedback_next (
    GccTransportFeedback *self, GccPacketStatus *status)
{
  guint symbol;

  if (self->n_read == self->n_statuses)
    return FALSE;

  symbol = next_symbol (self);
  *status = (GccPacketStatus){
    .seq = (guint16) (self->base_seq + self->n_read++),
    .received = symbol != NOT_RECEIVED,
    .arrival = GCC_TIME_NONE,
  };
  if (status->received && self->has_times) {
    read_delta (self, symbol);
    status->arrival = self->ticks * GCC_TRANSPORT_FEEDBACK_TICK;
  }
  return TRUE;
}

/* How many of the next packets are in a run that has no deltas. */
static guint
get_n_left_in_run (GccTransportFeedback *self)
{
  open_chunk (self);
  if (self->chunk & VECTOR ||
      (self->has_times && get_symbol (self->chunk, 0) != NOT_RECEIVED))
    return 0;
  return self->chunk_size - self->chunk_read;
}

guint
gcc_transport_feedback_skip (GccTransportFeedback *self, guint n)
{
  guint n_skipped = MIN (n, (guint) (self->n_statuses - self->n_read));
  GccPacketStatus status;
  guint n_left, step;

  for (n_left = n_skipped; n_left > 0; n_left -= step) {
    step = MIN (get_n_left_in_run (self), n_left);
    self->chunk_read += step;
    self->n_read += step;
    if (step == 0)
      step = gcc_transport_feedback_next (self, &status) ? 1 : 0;
  }
  return n_skipped;
}

gboolean
gcc_transport_feedback_has_arrivals (const GccTransportFeedback *self)
{
  GccTransportFeedback rest = *self;

  while (rest.n_read < rest.n_statuses) {
    guint step = 1;

    open_chunk (&rest);
    if (get_symbol (rest.chunk, rest.chunk_read) != NOT_RECEIVED)
      return TRUE;
    if (!(rest.chunk & VECTOR))
      step = MIN (rest.chunk_size - rest.chunk_read,
          (guint) (rest.n_statuses - rest.n_read));
    rest.chunk_read += step;
    rest.n_read += step;
  }
  return FALSE;
}

/* --- write: the chunks as libwebrtc chooses them --- */

static void
reopen_chunk (GccTransportFeedbackWriter *self, guint n_symbols)
{
  self->n_symbols = n_symbols;
  self->all_equal = TRUE;
  self->has_large = FALSE;
  for (guint i = 0; i < n_symbols; i++) {
    self->all_equal &= self->symbols[i] == self->symbols[0];
    self->has_large |= self->symbols[i] == LARGE_DELTA;
  }
}

void
gcc_transport_feedback_writer_init (GccTransportFeedbackWriter *self,
    guint16 base_seq, GccTime base_time, guint8 count)
{
  g_return_if_fail (base_time >= 0);

  self->base_seq = base_seq;
  self->count = count;
  self->reference_time = base_time / GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK;
  self->last_ticks = self->reference_time * TICKS_PER_REFERENCE;
  self->n_statuses = 0;
  self->n_chunk_bytes = 0;
  self->n_delta_bytes = 0;
  reopen_chunk (self, 0);
}

static gboolean
has_room_in_chunk (const GccTransportFeedbackWriter *self, guint8 symbol)
{
  if (self->n_symbols < TWO_BIT_SYMBOLS)
    return TRUE;
  if (self->n_symbols < ONE_BIT_SYMBOLS && !self->has_large &&
      symbol != LARGE_DELTA)
    return TRUE;
  return self->n_symbols < MAX_RUN && self->all_equal &&
      self->symbols[0] == symbol;
}

static guint
make_run (const GccTransportFeedbackWriter *self)
{
  return (guint) self->symbols[0] << RUN_SYMBOL_SHIFT | self->n_symbols;
}

static guint
make_one_bit_vector (const GccTransportFeedbackWriter *self)
{
  guint chunk = VECTOR;

  for (guint i = 0; i < MIN (self->n_symbols, ONE_BIT_SYMBOLS); i++)
    chunk |= (guint) self->symbols[i] << (ONE_BIT_SYMBOLS - 1 - i);
  return chunk;
}

static guint
make_two_bit_vector (const GccTransportFeedbackWriter *self)
{
  guint chunk = VECTOR | TWO_BITS;

  for (guint i = 0; i < MIN (self->n_symbols, TWO_BIT_SYMBOLS); i++)
    chunk |= (guint) self->symbols[i] << 2 * (TWO_BIT_SYMBOLS - 1 - i);
  return chunk;
}

/* Writes the open chunk, because the next symbol has no room in it. Symbols
 * that do not fit into a vector of two bits stay open. */
static void
close_chunk (GccTransportFeedbackWriter *self)
{
  guint8 *chunk = self->chunk_bytes + self->n_chunk_bytes;

  self->n_chunk_bytes += CHUNK_LENGTH;
  if (self->all_equal) {
    write_uint16 (chunk, make_run (self));
    reopen_chunk (self, 0);
  } else if (self->n_symbols == ONE_BIT_SYMBOLS) {
    write_uint16 (chunk, make_one_bit_vector (self));
    reopen_chunk (self, 0);
  } else {
    write_uint16 (chunk, make_two_bit_vector (self));
    memmove (self->symbols, self->symbols + TWO_BIT_SYMBOLS,
        ONE_BIT_SYMBOLS - TWO_BIT_SYMBOLS);
    reopen_chunk (self, self->n_symbols - TWO_BIT_SYMBOLS);
  }
}

static void
add_symbol (GccTransportFeedbackWriter *self, guint8 symbol)
{
  if (!has_room_in_chunk (self, symbol))
    close_chunk (self);

  if (self->n_symbols < ONE_BIT_SYMBOLS)
    self->symbols[self->n_symbols] = symbol;
  self->all_equal &= symbol == self->symbols[0];
  self->has_large |= symbol == LARGE_DELTA;
  self->n_symbols++;
  self->n_statuses++;
}

static void
add_delta (GccTransportFeedbackWriter *self, gint64 ticks)
{
  guint8 *delta = self->delta_bytes + self->n_delta_bytes;

  if (ticks >= 0 && ticks <= G_MAXUINT8) {
    *delta = (guint8) ticks;
    self->n_delta_bytes += SMALL_DELTA;
    add_symbol (self, SMALL_DELTA);
  } else {
    write_uint16 (delta, (guint16) ticks);
    self->n_delta_bytes += LARGE_DELTA;
    add_symbol (self, LARGE_DELTA);
  }
}

/* Rounded to the nearest tick of the absolute time, so that errors do not add
 * up. */
static gint64
to_ticks (GccTime time)
{
  gint64 half = GCC_TRANSPORT_FEEDBACK_TICK / 2;

  return (time + (time < 0 ? -half : half)) / GCC_TRANSPORT_FEEDBACK_TICK;
}

static gboolean
has_room (const GccTransportFeedbackWriter *self, guint n_missing)
{
  /* two vectors and a run to close the open chunk; runs; a last chunk */
  gsize n_chunks = 4 + n_missing / MAX_RUN + 1;
  gsize length = FCI_HEADER_LENGTH + self->n_chunk_bytes +
      n_chunks * CHUNK_LENGTH + self->n_delta_bytes + LARGE_DELTA + 3;

  return length <= GCC_TRANSPORT_FEEDBACK_MAX_FCI &&
      self->n_statuses + n_missing < MAX_STATUSES;
}

gboolean
gcc_transport_feedback_writer_add (
    GccTransportFeedbackWriter *self, guint16 seq, GccTime arrival)
{
  guint n_missing = (guint16) (seq - self->base_seq - self->n_statuses);
  gint64 delta = to_ticks (arrival) - self->last_ticks;

  if (n_missing >= MAX_JUMP || !has_room (self, n_missing))
    return FALSE;
  if (delta < G_MININT16 || delta > G_MAXINT16)
    return FALSE;

  for (guint i = 0; i < n_missing; i++)
    add_symbol (self, NOT_RECEIVED);
  self->last_ticks += delta;
  add_delta (self, delta);
  return TRUE;
}

static guint
make_last_chunk (const GccTransportFeedbackWriter *self)
{
  if (self->all_equal)
    return make_run (self);
  return self->n_symbols <= TWO_BIT_SYMBOLS ? make_two_bit_vector (self)
                                            : make_one_bit_vector (self);
}

gsize
gcc_transport_feedback_writer_finish (
    const GccTransportFeedbackWriter *self, guint8 *fci)
{
  gsize length = FCI_HEADER_LENGTH;

  write_uint16 (fci, self->base_seq);
  write_uint16 (fci + 2, self->n_statuses);
  fci[4] = (guint8) (self->reference_time >> 16);
  write_uint16 (fci + 5, (guint) (self->reference_time & 0xffff));
  fci[7] = self->count;

  memcpy (fci + length, self->chunk_bytes, self->n_chunk_bytes);
  length += self->n_chunk_bytes;
  if (self->n_symbols > 0) {
    write_uint16 (fci + length, make_last_chunk (self));
    length += CHUNK_LENGTH;
  }
  memcpy (fci + length, self->delta_bytes, self->n_delta_bytes);
  length += self->n_delta_bytes;
  for (; length % 4 != 0; length++)
    fci[length] = 0;
  return length;
}
