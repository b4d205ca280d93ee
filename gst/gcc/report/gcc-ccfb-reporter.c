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

void
gcc_ccfb_reporter_feed (
    GccCcfbReporter *self, const GccCcfbPacket *packet, GccTime now)
{
  GccCcfbStream *stream = take_stream (self, packet, now);

  stream->last = now;
  self->bytes += packet->size;
  if (!note_arrival (stream, packet))
    return;

  if (!self->is_waiting)
    self->waiting_since = now;
  self->is_waiting = TRUE;
  self->has_marker |= packet->is_marker ||
      (packet->ecn == GCC_ECN_CE && !self->was_marked);
  self->was_marked = packet->ecn == GCC_ECN_CE;
  stream->has_news = TRUE;
}

/* --- when --- */

static gboolean
has_bandwidth (const GccCcfbReporter *self)
{
  return (gdouble) self->bytes * GCC_CCFB_REPORTER_SHARE >=
      (gdouble) self->cost;
}

static gboolean
is_due (const GccCcfbReporter *self, GccTime now)
{
  GccTime wait = self->was_marked ? GCC_CCFB_REPORTER_CE_WAIT
                                  : GCC_CCFB_REPORTER_MARKER_WAIT;

  if (!self->is_waiting)
    return FALSE;
  if (gcc_time_has_passed (
          GCC_CCFB_REPORTER_MAX_WAIT, self->waiting_since, now))
    return TRUE;
  return has_bandwidth (self) &&
      (self->has_marker ||
          gcc_time_has_passed (wait, self->waiting_since, now));
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
gcc_ccfb_reporter_note_sent (GccCcfbReporter *self, gsize cost)
{
  self->has_asked = FALSE;
  self->has_marker = self->is_waiting;
  self->bytes = 0;
  self->cost = cost;
}
