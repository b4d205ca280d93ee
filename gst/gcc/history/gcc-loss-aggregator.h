/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-report-params.h>

G_BEGIN_DECLS

/**
 * GccCoveredBlock:
 * @fraction_lost: in 1/256 (RFC 3550, section 6.4.1)
 * @rtt: round-trip time; %GCC_TIME_NONE if unknown
 * @packets: number of packets that it covers
 * @is_first: whether it is the first on its stream, for which @packets is not
 *   known
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
 * @has_loss: whether @fraction_lost covers enough packets to be acted on
 * @fraction_lost: of all streams, weighted by their packets, 0 to 1: a multiple of
 *   1/256, as RTCP has it
 * @packets: number of packets that it covers; 0 while that is not known
 * @rtt: the longest round-trip time of the report blocks; %GCC_TIME_NONE if
 *   unknown
 *
 * The aggregate of an RTCP report.
 */
typedef struct {
  gboolean has_loss;
  gdouble fraction_lost;
  guint64 packets;
  GccTime rtt;
} GccLossReport;

/* Packets lost, as precise as @fraction_lost; 0 while it is not known. */
static inline gdouble
gcc_loss_report_get_n_lost (const GccLossReport *report)
{
  return (gdouble) report->packets * report->fraction_lost;
}

/**
 * GccLossAggregator:
 *
 * Aggregates the report blocks of all streams into one fraction lost. Each is
 * weighted by the packets it covers, and reports are accumulated until they
 * cover enough packets. Fields are private.
 */
typedef struct {
  const GccLossReportParams *params;
  guint64 packets;
  guint64 weighted_loss;
  /* in this report */
  guint64 new_packets;
  gboolean has_first;
  guint8 first_loss;
  GccTime rtt;
} GccLossAggregator;

void gcc_loss_aggregator_init (
    GccLossAggregator *self, const GccLossReportParams *params);

/* Takes one block of a report, ... */
void gcc_loss_aggregator_feed (
    GccLossAggregator *self, const GccCoveredBlock *block);
/* ... and returns, after the last, the aggregate of the report. */
GccLossReport gcc_loss_aggregator_finish (GccLossAggregator *self);

/* Forgets the loss of the blocks since the last aggregate. */
void gcc_loss_aggregator_forget (GccLossAggregator *self);

G_END_DECLS
