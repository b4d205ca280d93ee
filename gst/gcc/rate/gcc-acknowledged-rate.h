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
 * @required_packets: that a rate has to stand on; at least 2
 * @max_reordering: a packet that arrived longer before the newest tells that
 *   the receiver's clock has jumped
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

/* Between one that @follows_unknown and the one before, nobody knows what has
 * arrived. */
typedef struct {
  GccTime sent;
  GccTime arrival;
  gint64 bytes;
  gboolean follows_unknown;
} GccAcknowledgedPacket;

/* The two longest pauses between arrivals, and how often there are such. */
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
 * the one longest pause, but not above that at which they were sent. Fields are
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
  /* time of which nothing is known, by either clock */
  GccTime unknown_sent;
  GccTime unknown_arrival;
  gboolean has_skipped;
  gboolean is_stale;
  GccAcknowledgedPacket packets[GCC_ACKNOWLEDGED_RATE_SIZE];
} GccAcknowledgedRate;

void gcc_acknowledged_rate_init (
    GccAcknowledgedRate *self, const GccAcknowledgedRateParams *params);

/* What was sent before the next results, and after the last, has not been told
 * of: that time does not count. Who tells of it after all makes it count. */
void gcc_acknowledged_rate_skip (GccAcknowledgedRate *self);

/* One feedback; results without an arrival are skipped. */
void gcc_acknowledged_rate_update (
    GccAcknowledgedRate *self, const GccPacketResult *results, guint n_results);

/* R(t) in bit/s, %GCC_RATE_NONE while it is unknown. */
GccRate gcc_acknowledged_rate_get (const GccAcknowledgedRate *self);

/* Whether R(t) stands on as long a time as it should, or on as many packets as there
 * may be. */
gboolean gcc_acknowledged_rate_is_settled (const GccAcknowledgedRate *self);

/**
 * GccArrivalRates:
 * @sent: rate at which packets that have arrived left, bit/s; %GCC_RATE_NONE while
 *   there are few
 * @received: rate at which they arrived, bit/s; %GCC_RATE_NONE likewise
 * @mean_delta: by how much more than its departure a packet's arrival is after that
 *   of the one before, mean, ns: above 0 while a queue grows
 *
 * Of the packets that R(t) stands on.
 */
typedef struct {
  GccRate sent;
  GccRate received;
  gint64 mean_delta;
} GccArrivalRates;

GccArrivalRates gcc_acknowledged_rate_get_rates (
    const GccAcknowledgedRate *self);

G_END_DECLS
