/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Greatest number of places between packets whose padding is remembered. */
#define GST_GCC_SEQUENCE_GAPS 32

/*
 * GstGccSequenceGap:
 * @first: extended sequence number of the first padding packet
 * @n: number of consecutive padding packets
 */
typedef struct {
  guint64 first;
  guint n;
} GstGccSequenceGap;

/*
 * GstGccSequence:
 *
 * The sequence numbers of an RTP stream into which padding is put: on the wire
 * they are those of the payloader and the number of padding packets before.
 * Extended numbers (RFC 3550, appendix A.1) are those on the wire. Fields are
 * private.
 */
typedef struct {
  gboolean has_packets;
  guint64 highest;
  guint16 shift;
  /* Numbers below this have forgotten padding. */
  guint64 forgotten;
  guint n_gaps;
  guint newest;
  GstGccSequenceGap gaps[GST_GCC_SEQUENCE_GAPS];
} GstGccSequence;

/* Without packets, and without padding. */
void gst_gcc_sequence_init (GstGccSequence *self);

/* A packet of the payloader leaves. Returns its number on the wire. A late
 * packet gets the number that it would have had in time. */
guint16 gst_gcc_sequence_translate (GstGccSequence *self, guint16 seq);

/* Padding leaves after the packet of the highest number; there must have been a
 * packet. Returns the number of the padding on the wire. */
guint16 gst_gcc_sequence_pad (GstGccSequence *self);

/* Whether @seq, a number on the wire, was the highest so far. */
gboolean gst_gcc_sequence_is_highest (const GstGccSequence *self, guint16 seq);

/*
 * gst_gcc_sequence_translate_back:
 * @wire: a number on the wire
 * @seq: (out): the payloader's
 *
 * Returns: %FALSE for padding, and for packets that left too long ago
 */
gboolean gst_gcc_sequence_translate_back (
    const GstGccSequence *self, guint16 wire, guint16 *seq);

/* Whether numbers are translated at all. */
gboolean gst_gcc_sequence_is_shifted (const GstGccSequence *self);

G_END_DECLS
