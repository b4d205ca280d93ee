/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Places that are indexed; a power of two. */
#define GCC_SENT_INDEX_SIZE 8192

/* There is no such packet. */
#define GCC_SENT_INDEX_NONE (-1)

/**
 * GccSentIndex:
 *
 * Finds the place of a sent packet by its stream and RTP sequence number, for
 * feedback that covers packets by these. Packets of equal hash are in a list.
 * Fields are private. Zero-initialised: empty.
 */
typedef struct {
  /* places, counted from 1; 0: none */
  guint16 heads[GCC_SENT_INDEX_SIZE];
  guint16 nexts[GCC_SENT_INDEX_SIZE];
  guint32 ssrcs[GCC_SENT_INDEX_SIZE];
  guint16 seqs[GCC_SENT_INDEX_SIZE];
} GccSentIndex;

/* The packet @seq of @ssrc is at @place, which is free. */
void gcc_sent_index_add (
    GccSentIndex *self, guint place, guint32 ssrc, guint16 seq);

/* Frees @place, which has a packet. */
void gcc_sent_index_remove (GccSentIndex *self, guint place);

/* The place of the packet, the newest where there are two;
 * %GCC_SENT_INDEX_NONE. */
gint gcc_sent_index_find (const GccSentIndex *self, guint32 ssrc, guint16 seq);

G_END_DECLS
