/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-loss-params.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccCoveredBlock:
 * @fraction_lost: in 1/256 (RFC 3550, section 6.4.1)
 * @rtt: round-trip time; %GCC_TIME_NONE where unknown
 * @packets: that it is about
 * @is_first: whether it is the first about its stream, which does not tell how
 *   many packets it is about
 *
 * A report block that counts: gcc-reporters.h.
 */
typedef struct {
  guint8 fraction_lost;
  GccTime rtt;
  guint64 packets;
  gboolean is_first;
} GccCoveredBlock;

/**
 * GccLossReport:
 * @has_loss: whether @fraction_lost stands on enough packets to be acted on
 * @fraction_lost: of all streams, weighted by their packets, in 1/256
 * @rtt: the longest of the report's blocks; %GCC_TIME_NONE where unknown
 *
 * What one RTCP report comes to.
 */
typedef struct {
  gboolean has_loss;
  guint8 fraction_lost;
  GccTime rtt;
} GccLossReport;

/**
 * GccLossAggregator:
 *
 * Makes one loss fraction of the report blocks of all streams: each counts by
 * the packets it is about, and reports are summed up until there are enough
 * packets to stand on. Fields are private.
 */
typedef struct {
  const GccLossParams *params;
  guint64 packets;
  guint64 weighted_loss;
  /* of this report */
  guint64 new_packets;
  gboolean has_first;
  guint8 first_loss;
  GccTime rtt;
} GccLossAggregator;

void gcc_loss_aggregator_init (
    GccLossAggregator *self, const GccLossParams *params);

/* Takes one block of a report, ... */
void gcc_loss_aggregator_feed (
    GccLossAggregator *self, const GccCoveredBlock *block);
/* ... and tells, after the last, what the report comes to. */
GccLossReport gcc_loss_aggregator_finish (GccLossAggregator *self);

G_END_DECLS
