/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/report/gcc-reception.h>

G_BEGIN_DECLS

/* Most streams whose loss is counted. The RTP session alone reports on
 * others. */
#define GCC_LOSS_REPORTER_MAX_STREAMS 16

/**
 * GccLossReporterParams:
 * @interval: time between regular RTCP reports of the receiving side
 */
typedef struct {
  GccTime interval;
} GccLossReporterParams;

/**
 * GccLossReporter:
 *
 * Counts the loss of each stream, and decides when to report it. An RTP session
 * puts report blocks into regular reports only, and each early report postpones
 * the next regular one. With many retransmission requests loss would be
 * reported only once in many seconds. So an early report has to carry report
 * blocks if the last ones are an interval old. Fields are private.
 */
typedef struct {
  const GccLossReporterParams *params;
  GccTime last_report;
  GccReception receptions[GCC_LOSS_REPORTER_MAX_STREAMS];
  guint n_receptions;
} GccLossReporter;

/* The first report is due one interval after @now. */
void gcc_loss_reporter_init (
    GccLossReporter *self, const GccLossReporterParams *params, GccTime now);

/* A packet of the stream @ssrc has arrived. Returns, as gcc_reception_feed(), how
 * many are missing before it; 0 where the stream is not counted. */
gint gcc_loss_reporter_feed (GccLossReporter *self, guint32 ssrc, guint16 seq);

/* A sender report of the stream @ssrc has arrived; @compact_ntp is the middle
 * 32 bits of its NTP timestamp. */
void gcc_loss_reporter_feed_sender_report (
    GccLossReporter *self, guint32 ssrc, guint32 compact_ntp, GccTime now);

/* The reception statistics to make report blocks from. */
GccReception *gcc_loss_reporter_get_receptions (
    GccLossReporter *self, guint *n_receptions);

/* Whether report blocks should be added to a report that has none. */
gboolean gcc_loss_reporter_is_due (const GccLossReporter *self, GccTime now);

/* A report with report blocks is sent. */
void gcc_loss_reporter_reported (GccLossReporter *self, GccTime now);

G_END_DECLS
