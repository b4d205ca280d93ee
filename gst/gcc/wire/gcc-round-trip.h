/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Number of sent reports that are remembered. The peer refers to the last one
 * it has received: at one report a second this covers round trips of 16 s. */
#define GCC_ROUND_TRIP_HISTORY 16

/**
 * GccRoundTrip:
 *
 * Measures the round-trip time from sender reports (RFC 3550, section 6.4.1)
 * and from receiver reference times (RFC 3611, section 4.4), but on the
 * caller's clock. The time of each sent report is remembered, so the result
 * does not depend on the time base of the NTP timestamps. Fields are private.
 */
typedef struct {
  struct {
    guint32 lsr;
    GccTime sent;
  } reports[GCC_ROUND_TRIP_HISTORY];
  guint next;
} GccRoundTrip;

/* The middle 32 bits of an NTP timestamp, as in LSR and LRR: 1/65536 s. */
guint32 gcc_compact_ntp (guint64 ntp);

/* A duration in that unit, as in DLSR and DLRR: clamped to 0 .. 2^32 - 1. */
guint32 gcc_compact_ntp_from_time (GccTime duration);

void gcc_round_trip_init (GccRoundTrip *self);

/* Remembers that a report with the compact NTP timestamp @lsr was sent at
 * @now. */
void gcc_round_trip_note_sent (GccRoundTrip *self, guint32 lsr, GccTime now);

/**
 * gcc_round_trip_measure:
 * @lsr: the LSR of a report block or LRR of a DLRR sub-block, 0 if the peer has
 *   received no report
 * @dlsr: the DLSR or DLRR, in 1/65536 s
 * @now: when the report block arrived
 *
 * Returns: the round-trip time, not below 0; %GCC_TIME_NONE for a report that
 * is not remembered
 */
GccTime gcc_round_trip_measure (
    const GccRoundTrip *self, guint32 lsr, guint32 dlsr, GccTime now);

G_END_DECLS
