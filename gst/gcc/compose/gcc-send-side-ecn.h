/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-ecn-check.h>
#include <gst/gcc/loss/gcc-l4s.h>
#include <gst/gcc/loss/gcc-own-queue.h>
#include <gst/gcc/profiles/gcc-send-side-ecn-params.h>

G_BEGIN_DECLS

/**
 * GccSendSideEcn:
 *
 * ECN at a sender that measures. It is off until the application asks for it, and
 * nothing depends on it then. Fields are private, but the counts.
 */
typedef struct {
  const GccSendSideEcnParams *params;
  gboolean is_on;
  GccEcnCheck check;
  GccL4s l4s;
  GccOwnQueue own;
  GccTime sent;
  /* when marks have told of the rate */
  GccTime told;
  /* by the last report */
  gboolean was_full;
  /* A_r after the last report */
  GccRate rate;
  /* bytes that the pacer holds */
  gint64 held;
  guint64 n_ect1;
  guint64 n_ce;
} GccSendSideEcn;

/* @params: (nullable): without them it stays off. */
void gcc_send_side_ecn_init (
    GccSendSideEcn *self, const GccSendSideEcnParams *params);

/* Whether packets may leave with ECT(1), where the profile takes it. */
void gcc_send_side_ecn_set_on (GccSendSideEcn *self, gboolean is_on);

/* Sets the bytes of media that the pacer holds. */
void gcc_send_side_ecn_set_held (GccSendSideEcn *self, gint64 bytes);

/* The part of A_s, bit/s, which media that is held takes: while marks tell
 * the pacer is hardly faster than A_s, and what it holds would stay for long. */
GccRate gcc_send_side_ecn_get_release (
    const GccSendSideEcn *self, GccRate target);

/* A packet leaves at @now. */
void gcc_send_side_ecn_feed_sent (GccSendSideEcn *self, GccTime now);

/**
 * gcc_send_side_ecn_feed:
 * @results: what a report of RFC 8888 shows
 * @queueing: the queue of the path; %GCC_TIME_NONE while unknown
 *
 * Returns: share by which the rate is to be lowered for marks, 0 to 1
 */
gdouble gcc_send_side_ecn_feed (GccSendSideEcn *self,
    const GccPacketResult *results, guint n_results, GccTime queueing,
    GccTime now);

/**
 * gcc_send_side_ecn_lower:
 * @arrived: what has arrived by the same report, in that order
 * @rate: A_r, bit/s
 * @least: the least that is sent, bit/s
 * @reduction: of gcc_send_side_ecn_feed()
 *
 * Marks of many packets, or at the least rate, that go on for long without an own
 * queue come at any rate: a queue whose threshold is less than the time of a packet
 * of other flows makes them. ECT(1) is left for good then.
 *
 * Returns: A_r after these marks, at most @rate
 */
GccRate gcc_send_side_ecn_lower (GccSendSideEcn *self,
    const GccPacketResult *arrived, guint n_arrived, GccRate rate,
    GccRate least, gdouble reduction, GccTime now);

/**
 * gcc_send_side_ecn_get_growth:
 * @rate: A_r, bit/s
 * @received: the received rate, bit/s; %GCC_RATE_NONE while unknown
 * @packet: size of packets, bytes
 *
 * Returns: how A_r grows while marks tell
 */
GccL4sGrowth gcc_send_side_ecn_get_growth (const GccSendSideEcn *self,
    GccRate rate, GccRate received, gdouble packet, GccTime round_trip);

/* Without ECT(1) a mark is of a classic queue, and counts as a loss (RFC 3168,
 * section 5). */
void gcc_send_side_ecn_lose_classic (
    const GccSendSideEcn *self, GccPacketResult *results, guint n_results);

void gcc_send_side_ecn_handle_timeout (
    GccSendSideEcn *self, GccTime round_trip, GccTime now);

/* Whether packets are to leave with ECT(1). */
gboolean gcc_send_side_ecn_marks (const GccSendSideEcn *self);

/* Whether reports show the marks of the path. */
gboolean gcc_send_side_ecn_is_capable (const GccSendSideEcn *self);

/* Whether they did by the last report. */
gboolean gcc_send_side_ecn_was_full (const GccSendSideEcn *self);

/* Whether marks have shown of late that the link is full: no probe finds more, and
 * nothing else looks for the holder of a queue. */
gboolean gcc_send_side_ecn_is_full (const GccSendSideEcn *self, GccTime now);

G_END_DECLS
