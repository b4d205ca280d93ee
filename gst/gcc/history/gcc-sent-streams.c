/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-streams.h>

#include <string.h>

/* RFC 3550, appendix A.1: a larger step is a restart of the stream, for example
 * because its payloader was replaced. */
#define MAX_DROPOUT 3000
#define MAX_MISORDER 100

/* Sequence numbers wrap after 65536 packets: a number means the last packet
 * that had it, provided that this packet is among the last so many. */
#define MAX_AGE G_MAXINT16

#define N_PLACES G_N_ELEMENTS (((GccSentStreams *) 0)->places)

G_STATIC_ASSERT (
    (2 * GCC_SENT_STREAMS_MAX & (2 * GCC_SENT_STREAMS_MAX - 1)) == 0);

void
gcc_sent_streams_init (GccSentStreams *self)
{
  memset (self, 0, sizeof *self);
}

/* The place of @ssrc, or the free one where it belongs. At least half of the
 * places are free. */
static guint
find_place (const GccSentStreams *self, guint32 ssrc)
{
  /* 2^32 over the golden ratio (Knuth) spreads neighbours */
  guint place = (ssrc * 2654435769u >> 16) % N_PLACES;

  while (self->places[place] != 0 &&
      self->streams[self->places[place] - 1].ssrc != ssrc)
    place = (place + 1) % N_PLACES;
  return place;
}

const GccSentStream *
gcc_sent_streams_find (const GccSentStreams *self, guint32 ssrc)
{
  guint i = self->places[find_place (self, ssrc)];

  return i > 0 ? &self->streams[i - 1] : NULL;
}

static guint
find_most_silent (const GccSentStreams *self, GccTime now)
{
  GccTime longest = G_MININT64;
  guint found = 0;

  for (guint i = 0; i < self->n_streams; i++) {
    GccTime silence = gcc_time_diff (now, self->streams[i].last_sent);

    if (silence > longest) {
      longest = silence;
      found = i;
    }
  }
  return found;
}

/* Gives stream @i a new SSRC. All places are rebuilt, because this is rare. */
static void
rename_stream (GccSentStreams *self, guint i, guint32 ssrc)
{
  self->streams[i].ssrc = ssrc;
  memset (self->places, 0, sizeof self->places);
  for (guint j = 0; j < self->n_streams; j++)
    self->places[find_place (self, self->streams[j].ssrc)] = (guint16) (j + 1);
}

static guint
add_stream (GccSentStreams *self, guint32 ssrc, GccSentKind kind, GccTime now)
{
  guint i;

  if (self->n_streams < GCC_SENT_STREAMS_MAX) {
    i = self->n_streams++;
    self->places[find_place (self, ssrc)] = (guint16) (i + 1);
  } else {
    i = find_most_silent (self, now);
    rename_stream (self, i, ssrc);
  }

  self->streams[i] = (GccSentStream){
    .ssrc = ssrc,
    .serial = self->n_taken++,
    .kind = kind,
    .last_sent = now,
  };
  return i;
}

GccSentStream *
gcc_sent_streams_take (
    GccSentStreams *self, guint32 ssrc, GccSentKind kind, GccTime now)
{
  guint i = self->last;

  /* consecutive packets are mostly of one stream */
  if (i >= self->n_streams || self->streams[i].ssrc != ssrc) {
    i = self->places[find_place (self, ssrc)];
    i = i > 0 ? i - 1 : add_stream (self, ssrc, kind, now);
    self->last = i;
  }
  return &self->streams[i];
}

void
gcc_sent_stream_feed (GccSentStream *self, guint16 seq, GccTime now)
{
  gint step = (gint16) (guint16) (seq - (guint16) self->highest);

  if (self->packets == 0 || step > MAX_DROPOUT || step < -MAX_MISORDER)
    self->first = self->highest = seq;
  else if (step > 0)
    self->highest += (guint32) step;
  self->packets++;
  self->last_sent = now;
}

gboolean
gcc_sent_stream_count_until (
    const GccSentStream *self, guint16 seq, guint64 *n_packets)
{
  guint16 behind = (guint16) (self->highest - seq);

  if (self->packets == 0 || behind > MAX_AGE ||
      behind > self->highest - self->first)
    return FALSE;

  /* fewer if sequence numbers were skipped */
  *n_packets = self->packets > behind ? self->packets - behind : 0;
  return TRUE;
}

gboolean
gcc_sent_streams_tell (GccSentStreams *self, guint32 ssrc, guint16 seq)
{
  guint i = self->places[find_place (self, ssrc)];
  GccSentStream *stream = i > 0 ? &self->streams[i - 1] : NULL;
  guint64 n_packets;

  if (stream == NULL ||
      !gcc_sent_stream_count_until (stream, seq, &n_packets) ||
      (gint32) ((guint32) n_packets - stream->told) <= 0)
    return FALSE;

  stream->told = (guint32) n_packets;
  return TRUE;
}

gboolean
gcc_sent_streams_confirm (const GccSentStreams *self, GccCcfb report)
{
  const GccSentStream *stream = NULL;
  gboolean is_ours = FALSE;
  GccCcfbStatus packet;
  guint64 n_packets;

  while (gcc_ccfb_next (&report, &packet)) {
    if (!packet.is_received)
      continue;
    if (stream == NULL || stream->ssrc != packet.ssrc)
      stream = gcc_sent_streams_find (self, packet.ssrc);
    if (stream == NULL)
      continue;
    if (!gcc_sent_stream_count_until (stream, packet.seq, &n_packets))
      return FALSE;
    is_ours = TRUE;
  }
  return is_ours;
}
