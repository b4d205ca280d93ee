/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-sent-index.h>

/* 2^32 over the golden ratio (Knuth) spreads the streams; packets of one stream
 * follow each other. */
static guint
get_hash (guint32 ssrc, guint16 seq)
{
  return ((ssrc * 2654435769u >> 16) + seq) % GCC_SENT_INDEX_SIZE;
}

void
gcc_sent_index_add (GccSentIndex *self, guint place, guint32 ssrc, guint16 seq)
{
  guint16 *head = &self->heads[get_hash (ssrc, seq)];

  self->ssrcs[place] = ssrc;
  self->seqs[place] = seq;
  self->nexts[place] = *head;
  *head = (guint16) (place + 1);
}

void
gcc_sent_index_remove (GccSentIndex *self, guint place)
{
  guint16 *link =
      &self->heads[get_hash (self->ssrcs[place], self->seqs[place])];

  while (*link != 0 && *link != place + 1)
    link = &self->nexts[*link - 1];
  if (*link != 0)
    *link = self->nexts[place];
}

gint
gcc_sent_index_find (const GccSentIndex *self, guint32 ssrc, guint16 seq)
{
  guint place = self->heads[get_hash (ssrc, seq)];

  while (place != 0 &&
      (self->ssrcs[place - 1] != ssrc || self->seqs[place - 1] != seq))
    place = self->nexts[place - 1];
  return (gint) place - 1;
}
