/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

#include "exit/gstgccpacerqueue.h"
#include "exit/gstgccsequence.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/* Greatest number of streams that can be padded with packets during the life of
 * an element, half a kilobyte each. Further streams are not padded. */
#define GST_GCC_PADDING_STREAMS 1000

/* Number of packets that may be sent again as padding; rtprtxsend keeps 100. */
#define GST_GCC_PADDING_RECENT 16

/* Longest header of a packet, with sources and header extensions, that padding
 * can follow. */
#define GST_GCC_PADDING_MAX_HEADER 128

/*
 * GstGccPadding:
 * @pad: (nullable): pad of the stream that is padded; no reference
 * @ssrc: SSRC of that stream
 * @has_taken: whether @taken is one
 * @taken: SSRC that collided last, under which nothing is padded
 * @last_sent: when the last packet of it was queued that has left
 * @ends_frame: whether nothing of it has left since the end of a frame
 * @header: header of the packet that ended the frame
 * @header_length: bytes of @header; 0: it was too long
 * @largest: size of the largest packet of its media, bytes: a path that takes no
 *   larger ones would lose padding
 * @pts: PTS of that packet
 * @dts: DTS of that packet
 * @recent: its last packets, in a ring
 * @n_recent: number of packets in @recent
 * @newest: place of the last one
 * @next_request: the next packet to request, as a number of places before
 *   @newest
 * @requested: sequence numbers requested from rtprtxsend
 * @n_requested: number of such packets
 * @requested_bytes: their size
 * @streams: (element-type guint32 GstGccSequence): by SSRC, the one that is
 *   padded and all that were, also those that have ended: receivers do not
 *   forget which numbers came, and SRTP takes older ones for a replay
 * @n_packets: padding sent, packets
 * @n_bytes: padding sent, bytes with RTP headers
 *
 * Padding in place of the media that a probe lacks: retransmissions, which an
 * rtprtxsend upstream makes, or packets of padding in one video stream (RFC
 * 3550, section 5.1). Padding packets take sequence numbers, so the stream's
 * later packets are renumbered. It has no lock: the owner's protects it, and
 * #GstGccSenderPad.padding.
 */
typedef struct {
  GstGccSenderPad *pad;
  guint32 ssrc;
  gboolean has_taken;
  guint32 taken;
  GccTime last_sent;
  gboolean ends_frame;
  guint8 header[GST_GCC_PADDING_MAX_HEADER];
  gsize header_length;
  gsize largest;
  GstClockTime pts;
  GstClockTime dts;

  struct {
    guint16 seq;
    gsize size;
  } recent[GST_GCC_PADDING_RECENT];
  guint n_recent;
  guint newest;
  guint next_request;
  guint16 requested[GST_GCC_PADDING_RECENT];
  guint n_requested;
  gsize requested_bytes;

  GHashTable *streams;

  guint64 n_packets;
  guint64 n_bytes;
} GstGccPadding;

/* Nothing was ever padded. */
void gst_gcc_padding_init (GstGccPadding *self);
void gst_gcc_padding_clear (GstGccPadding *self);

/* The element has started, and no packet was sent yet. The sequence numbers go
 * on. */
void gst_gcc_padding_start (GstGccPadding *self);

/* The streams of @pad end, or their last packets are not known. */
void gst_gcc_padding_forget (GstGccPadding *self, GstGccSenderPad *pad);

/* @ssrc is also that of somebody else (RFC 3550, section 8.2): its stream goes on
 * under another one, and nothing more is padded under this one. */
void gst_gcc_padding_leave (GstGccPadding *self, guint32 ssrc);

/* Whether sequence numbers are translated. */
gboolean gst_gcc_padding_is_translating (const GstGccPadding *self);

/*
 * gst_gcc_padding_note_packet:
 * @item: (inout): a packet; its sequence number becomes the one on the wire
 * @may_follow: whether padding may be wanted after it
 *
 * To be called for each packet that leaves.
 *
 * Returns: whether the number differs from the one in the buffer
 */
gboolean gst_gcc_padding_note_packet (
    GstGccPadding *self, GstGccPacerItem *item, gboolean may_follow);

/* To be called for each serialized event that leaves. */
void gst_gcc_padding_note_event (
    GstGccPadding *self, GstGccSenderPad *pad, GstEvent *event);

/* Whether gst_gcc_padding_make() has an item to send. @bytes: the number of
 * bytes that are to leave. */
gboolean gst_gcc_padding_can_make (const GstGccPadding *self, gsize bytes);

/* Makes an item of padding: a packet of at most about @bytes, or an event that
 * requests a packet from upstream. To be called only when
 * gst_gcc_padding_can_make() says so. (transfer full) */
GstGccPacerItem gst_gcc_padding_make (GstGccPadding *self, gsize bytes);

/* No more padding is to be sent. Requested packets may still come late. */
void gst_gcc_padding_stop (GstGccPadding *self);

/* Whether the retransmission in @item was requested here. */
gboolean gst_gcc_padding_take_retransmission (
    GstGccPadding *self, const GstGccPacerItem *item);

/*
 * gst_gcc_padding_translate_request:
 * @ssrc: SSRC of a packet that a receiver asks for again
 * @seq: (inout): its number on the wire, which becomes that upstream
 *
 * Returns: %FALSE if there is no such packet upstream
 */
gboolean gst_gcc_padding_translate_request (
    const GstGccPadding *self, guint32 ssrc, guint16 *seq);

G_END_DECLS
