/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Transport-wide feedback on the wire: RTPFB (205), format 15
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1). */
#define GCC_TRANSPORT_FEEDBACK_FORMAT 15

/* The RTP header extension that numbers what is sent: 2 bytes, big endian, one
 * counter for all streams of a transport. */
#define GCC_TRANSPORT_FEEDBACK_URI \
  "http://www.ietf.org/id/" \
  "draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH 2

/* Units of a time delta, and of the reference time. */
#define GCC_TRANSPORT_FEEDBACK_TICK G_GINT64_CONSTANT (250)
#define GCC_TRANSPORT_FEEDBACK_REFERENCE_TICK (64 * GCC_MSECOND)

/* Bits of the reference time, and of a transport-wide sequence number. */
#define GCC_TRANSPORT_FEEDBACK_REFERENCE_BITS 24
#define GCC_TRANSPORT_FEEDBACK_NUMBER_BITS 16

/* Longest FCI that is written, bytes: the packet stays below any MTU. */
#define GCC_TRANSPORT_FEEDBACK_MAX_FCI 1180

/**
 * GccTransportFeedback:
 * @base_seq: number of the first packet that is covered
 * @n_statuses: how many are, 1 to 65535
 * @reference_time: of the receiver's clock, in 64 ms; wraps at 24 bits
 * @count: of feedback packets sent before; wraps at 8 bits
 * @has_times: %FALSE where the deltas are missing or cut: the received packets
 *   are known, but not their times
 *
 * A feedback message, and how far its statuses have been read. The bytes from
 * which it was parsed must stay until the last status has been read. Other
 * fields are private.
 */
typedef struct {
  guint16 base_seq;
  guint16 n_statuses;
  guint32 reference_time;
  guint8 count;
  gboolean has_times;

  const guint8 *chunks;
  const guint8 *deltas;
  guint n_read;
  guint16 chunk;
  guint chunk_size;
  guint chunk_read;
  gint64 ticks;
} GccTransportFeedback;

/**
 * GccPacketStatus:
 * @seq: transport-wide sequence number
 * @received: whether the packet has arrived
 * @arrival: since the reference time, may be negative; %GCC_TIME_NONE where
 *   unknown
 */
typedef struct {
  guint16 seq;
  gboolean received;
  GccTime arrival;
} GccPacketStatus;

/**
 * gcc_transport_feedback_parse_fci:
 * @fci: (array length=length): the bytes after the feedback header
 * @length: in bytes, without RTCP padding; zero bytes at the end do not matter
 *
 * Returns: %FALSE, with nothing written, when it is malformed: it is too short
 * for its statuses, has none, or has one of the reserved kind
 */
gboolean gcc_transport_feedback_parse_fci (
    GccTransportFeedback *self, const guint8 *fci, gsize length);

/**
 * gcc_transport_feedback_parse_packet:
 * @packet: (array length=length): one RTCP packet with its header
 *
 * As gcc_transport_feedback_parse_fci(), after RTCP padding is taken away. Also
 * %FALSE for another type or format, and for a length or padding that does not
 * fit.
 */
gboolean gcc_transport_feedback_parse_packet (
    GccTransportFeedback *self, const guint8 *packet, gsize length);

/* The status of the next packet. FALSE after the last. */
gboolean gcc_transport_feedback_next (
    GccTransportFeedback *self, GccPacketStatus *status);

/* Skips the next @n packets, or all that are left; returns how many. A run is
 * skipped in constant time. */
guint gcc_transport_feedback_skip (GccTransportFeedback *self, guint n);

/* Whether any of the packets that are left has arrived. A run is checked in
 * constant time. */
gboolean gcc_transport_feedback_has_arrivals (const GccTransportFeedback *self);

/* The number nearest to @previous that ends in the @bits bits of @value; of two
 * equally near the higher. */
gint64 gcc_transport_feedback_unwrap (
    gint64 previous, guint32 value, guint bits);

/**
 * GccTransportFeedbackWriter:
 *
 * Gathers the statuses of one message. Fields are private.
 */
typedef struct {
  guint16 base_seq;
  guint8 count;
  gint64 reference_time;
  gint64 last_ticks;
  guint n_statuses;
  /* the chunk that is open */
  guint8 symbols[14];
  guint n_symbols;
  gboolean all_equal;
  gboolean has_large;
  guint n_chunk_bytes;
  guint n_delta_bytes;
  guint8 chunk_bytes[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  guint8 delta_bytes[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
} GccTransportFeedbackWriter;

/* @base_time: of the receiver's clock, not negative; at or before the first
 * arrival */
void gcc_transport_feedback_writer_init (GccTransportFeedbackWriter *self,
    guint16 base_seq, GccTime base_time, guint8 count);

/**
 * gcc_transport_feedback_writer_add:
 * @seq: newer than the last one, or the base
 *
 * A packet has arrived. The packets between the last one and this one have not.
 *
 * Returns: %FALSE, with nothing changed, when the packet has to start another
 * message: its number is older than the last or 0x8001 or more above it, its
 * delta needs more than 16 bits, or the message would be too long
 */
gboolean gcc_transport_feedback_writer_add (
    GccTransportFeedbackWriter *self, guint16 seq, GccTime arrival);

/**
 * gcc_transport_feedback_writer_finish:
 * @fci: room for %GCC_TRANSPORT_FEEDBACK_MAX_FCI bytes
 *
 * Returns: length of the FCI, bytes; a multiple of 4, with zeros at the end
 */
gsize gcc_transport_feedback_writer_finish (
    const GccTransportFeedbackWriter *self, guint8 *fci);

G_END_DECLS
