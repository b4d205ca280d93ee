/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/wire/gcc-round-trip.h>

G_BEGIN_DECLS

/**
 * GccReception:
 *
 * Reception statistics of one stream, from its sequence numbers (RFC 3550,
 * appendix A.1). Fields are private.
 */
typedef struct {
  guint32 ssrc;
  gboolean has_packets;
  guint32 base;
  guint32 highest;
  guint32 received;
  guint32 expected_before;
  guint32 received_before;
  gint32 stray;
  guint32 last_sr;
  GccTime last_sr_arrival;
} GccReception;

/**
 * GccReceptionReport:
 * @fraction_lost: since the last report, in 1/256
 * @total_lost: since the beginning; negative if there were duplicates
 * @ext_highest_seq: extended highest sequence number received
 * @lsr: compact NTP timestamp of the last sender report; 0 is none
 * @dlsr: delay since it arrived, in 2^-16 s
 *
 * The content of a report block (RFC 3550, section 6.4.1) except the jitter.
 */
typedef struct {
  guint8 fraction_lost;
  gint32 total_lost;
  guint32 ext_highest_seq;
  guint32 lsr;
  guint32 dlsr;
} GccReceptionReport;

void gcc_reception_init (GccReception *self, guint32 ssrc);

/* The reception of the stream @ssrc among @n_receptions, or %NULL. */
GccReception *gcc_reception_find (
    GccReception *receptions, guint n_receptions, guint32 ssrc);

/* A packet has arrived. A jump of thousands in the sequence numbers is taken
 * for a restart of the stream if the next packet continues from it; else it is
 * ignored.
 *
 * Returns: packets that are missing just before this one; -1 if this one was
 *   missing, because it comes late. The sum is RFC 3550's (appendix A.3) */
gint gcc_reception_feed (GccReception *self, guint16 seq);

/* A sender report of the stream has arrived; @compact_ntp is the middle 32 bits
 * of its NTP timestamp. */
void gcc_reception_feed_sender_report (
    GccReception *self, guint32 compact_ntp, GccTime now);

guint32 gcc_reception_get_ssrc (const GccReception *self);

/* Whether a packet has ever arrived. */
gboolean gcc_reception_has_packets (const GccReception *self);

/* Whether packets have arrived since the last report. */
gboolean gcc_reception_has_news (const GccReception *self);

/* Makes a report (RFC 3550, appendix A.3) and starts the next interval. Call it
 * only after a packet has arrived. */
GccReceptionReport gcc_reception_report (GccReception *self, GccTime now);

G_END_DECLS
