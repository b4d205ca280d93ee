/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/wire/gcc-ccfb.h>

G_BEGIN_DECLS

/* Streams that are reported at a time. A further one replaces the one that has
 * been silent for longest. */
#define GCC_CCFB_REPORTER_STREAMS 16

/* Packets of each that are remembered, a power of two: 100 ms at 100 Mbit/s. */
#define GCC_CCFB_REPORTER_PACKETS 1024

/* The longest that a packet waits to be reported, and the longest that it waits
 * for the end of its frame (RFC 9392, section 4: between a report for each frame
 * and one each 100 ms). */
#define GCC_CCFB_REPORTER_MAX_WAIT (100 * GCC_MSECOND)
#define GCC_CCFB_REPORTER_MARKER_WAIT (50 * GCC_MSECOND)

/* A packet with CE is reported at once, as RFC 9000, section 13.2.1, has it, but not
 * so soon after the report before: at a high rate a mark follows the other. */
#define GCC_CCFB_REPORTER_CE_GAP (10 * GCC_MSECOND)

/* Part of the received rate that reports take (RFC 9392, section 2), but for
 * those that have waited for the longest time, and the time over which it is
 * averaged. */
#define GCC_CCFB_REPORTER_SHARE 0.05
#define GCC_CCFB_REPORTER_AVERAGED (1 * GCC_SECOND)

/* A session that was asked for a report is not asked again before that. */
#define GCC_CCFB_REPORTER_MAX_DELAY (10 * GCC_MSECOND)

/* A packet that has arrived, with its unwrapped number. */
typedef struct {
  gint64 seq;
  gint64 ticks;
  GccEcn ecn;
} GccCcfbArrival;

/**
 * GccCcfbStream:
 * @ssrc: RTP synchronisation source
 * @highest: highest sequence number that has arrived, unwrapped
 * @next: first one that no report covers
 * @repeated: first one of the last report, which the next one repeats
 * @last: when the last packet arrived
 * @has_news: whether a packet has arrived that was not reported
 * @packets: ring of what has arrived
 */
typedef struct {
  guint32 ssrc;
  gint64 highest;
  gint64 next;
  gint64 repeated;
  GccTime last;
  gboolean has_news;
  GccCcfbArrival packets[GCC_CCFB_REPORTER_PACKETS];
} GccCcfbStream;

/**
 * GccCcfbReporter:
 *
 * The packets of each stream that have arrived, and the reports of RFC 8888
 * about them. Each packet is in two reports, so that no loss of one report is a
 * gap; one that comes late is in the next. No packet allocates memory. Fields
 * are private.
 */
typedef struct {
  GccCcfbStream streams[GCC_CCFB_REPORTER_STREAMS];
  guint n_streams;
  gboolean is_waiting;
  gboolean has_marker;
  gboolean has_ce;
  GccTime waiting_since;
  GccTime reported_at;
  GccTime saved_at;
  gdouble saved;
  gsize cost;
  gboolean has_asked;
  GccTime asked_at;
} GccCcfbReporter;

/**
 * GccCcfbPacket:
 * @ssrc: its stream
 * @seq: its RTP sequence number
 * @size: bytes
 * @is_marker: whether it ends a frame
 * @ecn: bits of its IP header
 * @arrival: when it arrived
 */
typedef struct {
  guint32 ssrc;
  guint16 seq;
  gsize size;
  gboolean is_marker;
  GccEcn ecn;
  GccTime arrival;
} GccCcfbPacket;

void gcc_ccfb_reporter_init (GccCcfbReporter *self);

/* A packet has arrived, and is handled at @now. Of those that come twice the
 * first counts, with CE where any copy has it (RFC 8888, section 3.1). */
void gcc_ccfb_reporter_feed (
    GccCcfbReporter *self, const GccCcfbPacket *packet, GccTime now);

/* Whether the session is to be asked for a report now. If so it counts as
 * asked. */
gboolean gcc_ccfb_reporter_ask (GccCcfbReporter *self, GccTime now);

/**
 * gcc_ccfb_reporter_write:
 * @body: room for @room bytes
 * @present: the time on the clock of the arrivals
 *
 * Writes a report. Packets without room stay for the next one.
 *
 * Returns: its length, bytes; 0 where there is no news, or no room for any
 */
gsize gcc_ccfb_reporter_write (
    GccCcfbReporter *self, guint8 *body, gsize room, GccTime present);

/* The report has left in an RTCP packet of @cost bytes, with all headers. */
void gcc_ccfb_reporter_note_sent (
    GccCcfbReporter *self, gsize cost, GccTime now);

G_END_DECLS
