/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-loss-params.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Streams whose reports are followed at a time; when there are more, the one
 * that has been silent for longest makes room. */
#define GCC_REPORT_READER_MAX_STREAMS 64

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
 * GccReportReader:
 *
 * Makes one loss fraction of the report blocks of all streams: each counts by
 * the packets it is about, and reports are summed up until there are enough
 * packets to stand on. Fields are private.
 */
typedef struct {
  const GccLossParams *params;
  struct {
    guint32 reporter;
    guint32 ssrc;
    guint32 ext_highest_seq;
    guint64 last_report;
  } streams[GCC_REPORT_READER_MAX_STREAMS];
  guint n_streams;
  guint64 n_reports;
  guint64 packets;
  guint64 weighted_loss;
} GccReportReader;

void gcc_report_reader_init (
    GccReportReader *self, const GccLossParams *params);

/* Takes the report blocks of one RTCP report. */
GccLossReport gcc_report_reader_feed (
    GccReportReader *self, const GccReportBlock *blocks, guint n_blocks);

G_END_DECLS
