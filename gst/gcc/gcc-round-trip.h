/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Sender reports that are remembered. A receiver echoes the last one it has
 * seen: at one report a second this covers round trips of 16 s. */
#define GCC_ROUND_TRIP_HISTORY 16

/**
 * GccRoundTrip:
 *
 * Measures the round-trip time as RFC 3550, section 6.4.1 has it, but on the
 * caller's clock: it remembers when each sender report left, so that nothing
 * depends on the time base of the NTP time stamps. Fields are private.
 */
typedef struct {
  struct {
    guint32 lsr;
    GccTime sent;
  } reports[GCC_ROUND_TRIP_HISTORY];
  guint next;
} GccRoundTrip;

void gcc_round_trip_init (GccRoundTrip *self);

/* Remembers that a sender report with the compact (middle 32 bits) NTP time
 * @lsr left at @now. */
void gcc_round_trip_note_sent (GccRoundTrip *self, guint32 lsr, GccTime now);

/**
 * gcc_round_trip_measure:
 * @lsr: the report block's LSR, 0 when the receiver has seen no sender report
 * @dlsr: its DLSR, in 1/65536 s
 * @now: when the report arrived
 *
 * Returns: the round-trip time, not below 0; %GCC_TIME_NONE for a sender report
 *   that is not remembered
 */
GccTime gcc_round_trip_measure (const GccRoundTrip *self, guint32 lsr,
    guint32 dlsr, GccTime now);

G_END_DECLS
