/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Congestion control feedback on the wire (RFC 8888, section 3.1): RTPFB (205),
 * format 11. It covers packets by SSRC and RTP sequence number, so that they
 * need no number of their own. */
#define GCC_CCFB_FORMAT 11

/* Packets that one block may cover (RFC 8888, section 3.1). */
#define GCC_CCFB_MAX_REPORTS 16384

/* Units of an arrival time offset, in a second. */
#define GCC_CCFB_TICKS_PER_SECOND 1024

/* The greatest offset, in that unit: 8 s. Two values have no time: more than
 * that, and unknown. */
#define GCC_CCFB_MAX_OFFSET 0x1ffd
#define GCC_CCFB_OVER_RANGE 0x1ffe
#define GCC_CCFB_UNAVAILABLE 0x1fff

/* The offset of a packet whose time is not known. */
#define GCC_CCFB_NO_OFFSET (-1)

/* Bits of a report timestamp, which is in 1/65536 s, and of a sequence
 * number. */
#define GCC_CCFB_TIMESTAMP_BITS 32
#define GCC_CCFB_SEQ_BITS 16

/* Longest body that is written, bytes: the packet stays below any MTU. */
#define GCC_CCFB_MAX_BODY 1180

/**
 * GccEcn:
 *
 * The ECN field of the IP header (RFC 3168, section 5).
 */
typedef enum {
  GCC_ECN_NOT_ECT = 0,
  GCC_ECN_ECT_1 = 1,
  GCC_ECN_ECT_0 = 2,
  GCC_ECN_CE = 3,
} GccEcn;

/**
 * GccCcfb:
 * @timestamp: time of the report by the receiver's clock, in 1/65536 s; wraps
 *   at 32 bits
 * @n_statuses: how many packets it covers
 *
 * A report, and how far it has been read. The bytes from which it was parsed
 * must stay until the last status has been read. Other fields are private.
 */
typedef struct {
  guint32 timestamp;
  guint n_statuses;

  const guint8 *next;
  const guint8 *end;
  guint32 ssrc;
  guint16 seq;
  guint n_left;
  guint n_padding;
} GccCcfb;

/**
 * GccCcfbStatus:
 * @ssrc: the stream of the packet
 * @seq: its RTP sequence number
 * @is_received: whether it has arrived
 * @ecn: the bits with which it arrived
 * @offset: how long before the report, in 1/1024 s; %GCC_CCFB_NO_OFFSET where
 *   that is not known, and where it has not arrived
 */
typedef struct {
  guint32 ssrc;
  guint16 seq;
  gboolean is_received;
  GccEcn ecn;
  gint offset;
} GccCcfbStatus;

/**
 * gcc_ccfb_parse:
 * @body: (array length=length): the bytes after the SSRC of the sender
 * @length: in bytes, without RTCP padding
 *
 * Returns: %FALSE, with nothing written, when it is malformed: it has no
 * timestamp, or a block is longer than the body or covers more than
 * %GCC_CCFB_MAX_REPORTS packets
 */
gboolean gcc_ccfb_parse (GccCcfb *self, const guint8 *body, gsize length);

/* The next packet. FALSE after the last. */
gboolean gcc_ccfb_next (GccCcfb *self, GccCcfbStatus *status);

/* The number of offset units until @time, rounded down. */
gint64 gcc_ccfb_ticks (GccTime time);

/* The report timestamp at @ticks. */
guint32 gcc_ccfb_timestamp (gint64 ticks);

/* The time @offset ticks before the report with @timestamp, unwrapped. */
GccTime gcc_ccfb_get_arrival (gint64 timestamp, gint offset);

/**
 * GccCcfbWriter:
 *
 * Writes the body of a report. Fields are private.
 */
typedef struct {
  guint8 *bytes;
  gsize room;
  gsize length;
} GccCcfbWriter;

/* @bytes has room for @room, which is all that is written. */
void gcc_ccfb_writer_init (GccCcfbWriter *self, guint8 *bytes, gsize room);

/* How many packets a further block could cover. */
guint gcc_ccfb_writer_get_room (const GccCcfbWriter *self);

/* A block begins: the next @n packets that are added are those of stream @ssrc
 * from @seq on. @n is 1 to gcc_ccfb_writer_get_room(). */
void gcc_ccfb_writer_begin (
    GccCcfbWriter *self, guint32 ssrc, guint16 seq, guint n);

/* The next packet has arrived @offset ticks before the report: an offset below 0
 * is not available, and a long one is over range. */
void gcc_ccfb_writer_add (GccCcfbWriter *self, GccEcn ecn, gint64 offset);

/* The next packet has not arrived. */
void gcc_ccfb_writer_add_missing (GccCcfbWriter *self);

/* Returns: length of the body, bytes; a multiple of 4 */
gsize gcc_ccfb_writer_finish (GccCcfbWriter *self, guint32 timestamp);

G_END_DECLS
