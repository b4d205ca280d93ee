/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-reception.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Streams whose loss is counted. Of more the RTP session alone reports. */
#define GCC_LOSS_REPORTER_MAX_STREAMS 16

/**
 * GccLossReporterParams:
 * @interval: between regular RTCP reports of the receiving side
 */
typedef struct {
  GccTime interval;
} GccLossReporterParams;

/**
 * GccLossReporter:
 *
 * What is lost of each stream, and when the sender is told. An RTP session has
 * report blocks in its regular reports only, and puts those off with every
 * early one: asked for many retransmissions it would tell of loss once in many
 * seconds. So an early report has to take blocks along when the last are one
 * interval old. Fields are private.
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

/* A packet of the stream @ssrc has arrived. */
void gcc_loss_reporter_feed (GccLossReporter *self, guint32 ssrc, guint16 seq);

/* A sender report of the stream @ssrc has arrived; @compact_ntp is the middle
 * of its NTP time stamp. */
void gcc_loss_reporter_feed_sender_report (
    GccLossReporter *self, guint32 ssrc, guint32 compact_ntp, GccTime now);

/* What report blocks are made of: @n_receptions of them. */
GccReception *gcc_loss_reporter_get_receptions (
    GccLossReporter *self, guint *n_receptions);

/* Whether a report that leaves without blocks should get some. */
gboolean gcc_loss_reporter_is_due (const GccLossReporter *self, GccTime now);

/* A report with blocks leaves. */
void gcc_loss_reporter_reported (GccLossReporter *self, GccTime now);

G_END_DECLS
