/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/history/gcc-reporters.h>
#include <gst/gcc/history/gcc-sent-streams.h>

G_BEGIN_DECLS

/**
 * GccReportNews:
 * @n_blocks: report blocks that count
 * @n_ignored: report blocks on streams sent here that do not
 * @has_first: whether one is the first of its reporter on its stream
 * @is_new: whether one shows a packet that was not known to have arrived
 *
 * The content of an RTCP packet's report blocks.
 */
typedef struct {
  guint n_blocks;
  guint n_ignored;
  gboolean has_first;
  gboolean is_new;
} GccReportNews;

/**
 * GccReports:
 * @reporters: who counts; they send BYE, and time out
 * @aggregator: the fraction lost by the report that was fed last, if one of its blocks
 *   counts
 * @remb: A_r, the REMB that was taken last, bit/s; %GCC_RATE_NONE without any
 *
 * The RTCP reports and REMBs of the receivers of a session: which of them count, the
 * fraction lost of all streams, and the REMB in force. The other fields are private.
 */
typedef struct {
  GccReporters reporters;
  GccLossAggregator aggregator;
  gboolean is_excused;
  /* as taken last */
  GccRate remb;
  guint32 remb_ssrc;
  gboolean has_strange_remb;
  GccRemb strange_remb;
} GccReports;

void gcc_reports_init (GccReports *self, const GccLossReportParams *params);

/* Takes the report blocks of one RTCP packet; @streams: the sent packets, which
 * learn of those that have arrived. */
GccReportNews gcc_reports_feed (GccReports *self, GccSentStreams *streams,
    const GccReportBlock *blocks, guint n_blocks, GccTime now);

/* A silence has begun: what is lost in it tells nothing of the path after it. */
void gcc_reports_begin_silence (GccReports *self);

/* The report that was fed last has ended it, if there was one, and covers that loss. */
void gcc_reports_end_silence (GccReports *self);

/* Takes a REMB. @has_transport_feedback: whether transport-wide feedback covers what is
 * sent, as below. Returns whether it counts. */
gboolean gcc_reports_feed_remb (GccReports *self, const GccSentStreams *streams,
    const GccRemb *remb, gboolean has_transport_feedback, GccTime now);

/* Whether another rate is in force than was taken last, because a REMB has ended. */
gboolean gcc_reports_has_other_rate (
    GccReports *self, gboolean has_transport_feedback);

/* Takes the REMB in force. Returns whether another end has sent it than the one taken
 * before. */
gboolean gcc_reports_take_remb (GccReports *self);

/* @remb has lowered A_s by much. It is remembered if it is the first one of an SSRC that
 * reports on nothing. */
void gcc_reports_suspect (GccReports *self, const GccRemb *remb);

/* That one, or %NULL. */
const GccRemb *gcc_reports_get_strange_remb (const GccReports *self);

G_END_DECLS
