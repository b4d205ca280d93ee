/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-ccfb-reporter.h>

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#define SLOT(seq) ((seq) & (GCC_CCFB_REPORTER_PACKETS - 1))

void
gcc_ccfb_reporter_init (GccCcfbReporter *self)
{
  memset (self, 0, sizeof *self);
  self->reported_at = GCC_TIME_NONE;
  self->saved_at = GCC_TIME_NONE;
}

/* --- streams --- */

static void
start_stream (GccCcfbStream *stream, gint64 seq)
{
  stream->highest = seq - 1;
  stream->next = seq;
  stream->repeated = seq;
  for (guint i = 0; i < GCC_CCFB_REPORTER_PACKETS; i++)
    stream->packets[i].seq = G_MININT64;
}

/* A free place, or that of the stream which has been silent for longest. */
static GccCcfbStream *
find_place (GccCcfbReporter *self, GccTime now)
{
  GccCcfbStream *found = &self->streams[0];

  if (self->n_streams < GCC_CCFB_REPORTER_STREAMS)
    return &self->streams[self->n_streams++];
  for (guint i = 1; i < self->n_streams; i++)
    if (gcc_time_diff (now, self->streams[i].last) >
        gcc_time_diff (now, found->last))
      found = &self->streams[i];
  return found;
}

static GccCcfbStream *
take_stream (GccCcfbReporter *self, const GccCcfbPacket *packet, GccTime now)
{
  GccCcfbStream *stream;

  for (guint i = 0; i < self->n_streams; i++)
    if (self->streams[i].ssrc == packet->ssrc)
      return &self->streams[i];

  stream = find_place (self, now);
  stream->ssrc = packet->ssrc;
  stream->has_news = FALSE;
  start_stream (stream, packet->seq);
  return stream;
}

/* --- packets --- */

/* Returns whether the packet is a new one. A jump beyond what is remembered is a
 * restart. */
static gboolean
note_arrival (GccCcfbStream *stream, const GccCcfbPacket *packet)
{
  gint64 seq = gcc_transport_feedback_unwrap (
      stream->highest, packet->seq, GCC_CCFB_SEQ_BITS);
  GccCcfbArrival *arrival = &stream->packets[SLOT (seq)];

  if (seq > stream->highest + GCC_CCFB_REPORTER_PACKETS ||
      seq <= stream->highest - GCC_CCFB_REPORTER_PACKETS)
    start_stream (stream, seq);
  if (arrival->seq == seq) {
    if (packet->ecn == GCC_ECN_CE)
      arrival->ecn = packet->ecn;
    return FALSE;
  }

  *arrival = (GccCcfbArrival){
    .seq = seq,
    .ticks = gcc_ccfb_ticks (packet->arrival),
    .ecn = packet->ecn,
  };
  stream->highest = MAX (stream->highest, seq);
  stream->repeated = MIN (stream->repeated, seq);
  return TRUE;
}

/* Counts the bytes that reports may take. More than one of them needs is kept for
 * about a second: when the rate falls, marks are reported as often as before. */
static void
save (GccCcfbReporter *self, gsize bytes, GccTime now)
{
  gdouble rest = MAX (self->saved - (gdouble) self->cost, 0.);
  GccTime passed = self->saved_at != GCC_TIME_NONE
      ? CLAMP (
            gcc_time_diff (now, self->saved_at), 0, GCC_CCFB_REPORTER_AVERAGED)
      : 0;

  self->saved -= rest * (gdouble) passed / (gdouble) GCC_CCFB_REPORTER_AVERAGED;
  self->saved += (gdouble) bytes * GCC_CCFB_REPORTER_SHARE;
  self->saved_at = now;
}

void
gcc_ccfb_reporter_feed (
    GccCcfbReporter *self, const GccCcfbPacket *packet, GccTime now)
{
  GccCcfbStream *stream = take_stream (self, packet, now);

  stream->last = now;
  save (self, packet->size, now);
  if (!note_arrival (stream, packet))
    return;

  if (!self->is_waiting)
    self->waiting_since = now;
  self->is_waiting = TRUE;
  self->has_marker |= packet->is_marker;
  self->has_ce |= packet->ecn == GCC_ECN_CE;
  stream->has_news = TRUE;
}

/* --- when --- */

static gboolean
has_bandwidth (const GccCcfbReporter *self)
{
  return self->saved >= (gdouble) self->cost;
}

static gboolean
is_ce_due (const GccCcfbReporter *self, GccTime now)
{
  return self->has_ce &&
      (self->reported_at == GCC_TIME_NONE ||
          gcc_time_has_passed (
              GCC_CCFB_REPORTER_CE_GAP, self->reported_at, now));
}

static gboolean
is_due (const GccCcfbReporter *self, GccTime now)
{
  if (!self->is_waiting)
    return FALSE;
  if (gcc_time_has_passed (
          GCC_CCFB_REPORTER_MAX_WAIT, self->waiting_since, now))
    return TRUE;
  return has_bandwidth (self) &&
      (self->has_marker || is_ce_due (self, now) ||
          gcc_time_has_passed (
              GCC_CCFB_REPORTER_MARKER_WAIT, self->waiting_since, now));
}

gboolean
gcc_ccfb_reporter_ask (GccCcfbReporter *self, GccTime now)
{
  if (!is_due (self, now) ||
      (self->has_asked &&
          !gcc_time_has_passed (
              GCC_CCFB_REPORTER_MAX_DELAY, self->asked_at, now)))
    return FALSE;
  self->has_asked = TRUE;
  self->asked_at = now;
  return TRUE;
}

/* --- what --- */

static void
write_packets (GccCcfbWriter *writer, const GccCcfbStream *stream, gint64 first,
    gint64 end, gint64 now)
{
  gcc_ccfb_writer_begin (
      writer, stream->ssrc, (guint16) first, (guint) (end - first));
  for (gint64 seq = first; seq < end; seq++) {
    const GccCcfbArrival *packet = &stream->packets[SLOT (seq)];

    if (packet->seq == seq)
      gcc_ccfb_writer_add (writer, packet->ecn, now - packet->ticks);
    else
      gcc_ccfb_writer_add_missing (writer);
  }
}

/* New packets come before those that are repeated. */
static void
write_stream (GccCcfbWriter *writer, GccCcfbStream *stream, gint64 now)
{
  gint64 room = gcc_ccfb_writer_get_room (writer);
  gint64 oldest = stream->highest - GCC_CCFB_REPORTER_PACKETS + 1;
  gint64 first = MAX (stream->repeated, oldest);
  gint64 end;

  if (stream->highest + 1 - first > room)
    first = MAX (first, MIN (stream->next, stream->highest));
  end = MIN (stream->highest + 1, first + room);
  if (end <= first)
    return;

  write_packets (writer, stream, first, end, now);
  stream->repeated = MIN (stream->next, end);
  stream->next = end;
  stream->has_news = end <= stream->highest;
}

gsize
gcc_ccfb_reporter_write (
    GccCcfbReporter *self, guint8 *body, gsize room, GccTime present)
{
  /* rounded up, so that no packet has arrived after it */
  gint64 now = gcc_ccfb_ticks (present) + 1;
  GccCcfbWriter writer;

  if (!self->is_waiting)
    return 0;
  gcc_ccfb_writer_init (&writer, body, room);
  if (gcc_ccfb_writer_get_room (&writer) == 0)
    return 0;

  self->is_waiting = FALSE;
  for (guint i = 0; i < self->n_streams; i++) {
    write_stream (&writer, &self->streams[i], now);
    self->is_waiting |= self->streams[i].has_news;
  }
  return gcc_ccfb_writer_finish (&writer, gcc_ccfb_timestamp (now));
}

void
gcc_ccfb_reporter_note_sent (GccCcfbReporter *self, gsize cost, GccTime now)
{
  self->has_asked = FALSE;
  self->has_marker = self->is_waiting;
  self->has_ce = FALSE;
  self->reported_at = now;
  self->saved = MAX (self->saved - (gdouble) cost, 0.);
  self->cost = cost;
}
