/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/* Greatest #GccAcknowledgedRateParams.max_packets. */
#define GCC_ACKNOWLEDGED_RATE_SIZE 512

/**
 * GccAcknowledgedRateParams:
 * @window_packets: packets that the window holds, at least
 * @min_window: time that it holds, at least
 * @max_packets: packets that it holds, at most; below
 *   %GCC_ACKNOWLEDGED_RATE_SIZE
 * @max_window: time that it holds, at most
 * @required_packets: packets that a rate needs; at least 2
 * @max_reordering: greatest time between the arrivals of a packet and of the
 *   newest before it; a longer one means that the receiver's clock has jumped
 * @unnumbered_weight: share of the bytes without a number that counts
 */
typedef struct {
  guint window_packets;
  GccTime min_window;
  guint max_packets;
  GccTime max_window;
  guint required_packets;
  GccTime max_reordering;
  gdouble unnumbered_weight;
} GccAcknowledgedRateParams;

/* @follows_unknown: the arrivals between this packet and the one before are not
 * known. */
typedef struct {
  GccTime sent;
  GccTime arrival;
  gint64 bytes;
  gboolean follows_unknown;
} GccAcknowledgedPacket;

/* The two longest pauses between arrivals, and how often each occurs. */
typedef struct {
  GccTime longest;
  GccTime second;
  guint n_longest;
  guint n_second;
} GccAcknowledgedGaps;

/**
 * GccAcknowledgedRate:
 *
 * R(t) as the sender knows it: the rate at which packets have arrived, without
 * the longest pause, and not above the rate at which they were sent. Fields are
 * private.
 */
typedef struct {
  const GccAcknowledgedRateParams *params;
  GccTime last_dropped_sent;
  guint first;
  guint n_packets;
  gint64 bytes;
  gint64 sent_bytes;
  guint n_reordered;
  GccAcknowledgedGaps gaps;
  /* time without knowledge of arrivals, by either clock */
  GccTime unknown_sent;
  GccTime unknown_arrival;
  gboolean has_skipped;
  gboolean is_stale;
  GccAcknowledgedPacket packets[GCC_ACKNOWLEDGED_RATE_SIZE];
} GccAcknowledgedRate;

void gcc_acknowledged_rate_init (
    GccAcknowledgedRate *self, const GccAcknowledgedRateParams *params);

/* No feedback covers the packets sent after the last results and before the
 * next: that time does not count. It counts after all when later feedback
 * covers them. */
void gcc_acknowledged_rate_skip (GccAcknowledgedRate *self);

/* One feedback; results without an arrival are skipped. */
void gcc_acknowledged_rate_update (
    GccAcknowledgedRate *self, const GccPacketResult *results, guint n_results);

/* R(t) in bit/s, %GCC_RATE_NONE while it is unknown. */
GccRate gcc_acknowledged_rate_get (const GccAcknowledgedRate *self);

/* Whether R(t) is based on a full window of time, or on the greatest number of
 * packets. */
gboolean gcc_acknowledged_rate_is_settled (const GccAcknowledgedRate *self);

/**
 * GccArrivalRates:
 * @sent: rate at which packets that have arrived left, bit/s; %GCC_RATE_NONE while
 *   there are few
 * @received: rate at which they arrived, bit/s; %GCC_RATE_NONE likewise
 * @mean_delta: mean difference between the inter-arrival and the
 *   inter-departure time of two packets, ns: above 0 while a queue grows
 *
 * Of the packets on which R(t) is based.
 */
typedef struct {
  GccRate sent;
  GccRate received;
  gint64 mean_delta;
} GccArrivalRates;

GccArrivalRates gcc_acknowledged_rate_get_rates (
    const GccAcknowledgedRate *self);

G_END_DECLS
