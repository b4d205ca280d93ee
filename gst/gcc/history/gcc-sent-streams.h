/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/wire/gcc-ccfb.h>

G_BEGIN_DECLS

/* Most streams that are known at a time. A further one replaces the one that
 * has been silent for longest. */
#define GCC_SENT_STREAMS_MAX 256

/**
 * GccSentStream:
 * @ssrc: RTP synchronisation source
 * @serial: unique to this stream, even among streams that reuse its SSRC
 * @kind: kind of its first packet
 * @told: number of packets up to the last one that is known to have arrived,
 *   modulo 2³²
 * @packets: sent so far
 * @first: sequence number since which it has been sent without a restart
 * @highest: highest sequence number sent, extended as in RFC 3550, section
 *   6.4.1
 * @last_sent: when its last packet was sent, or the first announced
 *
 * A stream that is sent.
 */
typedef struct {
  guint32 ssrc;
  guint32 serial;
  GccSentKind kind;
  guint32 told;
  guint64 packets;
  guint32 first;
  guint32 highest;
  GccTime last_sent;
} GccSentStream;

/**
 * GccSentStreams:
 *
 * The packets that were sent, by stream. Reports of receivers are checked
 * against them. Fields are private.
 */
typedef struct {
  GccSentStream streams[GCC_SENT_STREAMS_MAX];
  guint n_streams;
  guint last;
  guint32 n_taken;
  /* Open addressing: places in @streams, counted from 1. */
  guint16 places[2 * GCC_SENT_STREAMS_MAX];
} GccSentStreams;

void gcc_sent_streams_init (GccSentStreams *self);

/* The stream @ssrc; a new one of @kind if it is not known. */
GccSentStream *gcc_sent_streams_take (
    GccSentStreams *self, guint32 ssrc, GccSentKind kind, GccTime now);

/* The stream @ssrc, or %NULL. */
const GccSentStream *gcc_sent_streams_find (
    const GccSentStreams *self, guint32 ssrc);

/* A packet is sent. */
void gcc_sent_stream_feed (GccSentStream *self, guint16 seq, GccTime now);

/* Whether a packet with the sequence number @seq was sent; if so @n_packets is
 * the number of packets up to and including it. */
gboolean gcc_sent_stream_count_until (
    const GccSentStream *self, guint16 seq, guint64 *n_packets);

/* The packet @seq of the stream @ssrc is known to have arrived. Returns whether
 * that is news: the packet was sent, and none that was sent with it or after it
 * was known to have arrived. */
gboolean gcc_sent_streams_tell (
    GccSentStreams *self, guint32 ssrc, guint16 seq);

/* Whether @report claims the arrival of packets of ours, and of none that was never
 * sent. Streams that are not known are those of other senders. */
gboolean gcc_sent_streams_confirm (const GccSentStreams *self, GccCcfb report);

G_END_DECLS
