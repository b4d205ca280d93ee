/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/history/gcc-loss-report-params.h>
#include <gst/gcc/history/gcc-sent-streams.h>

G_BEGIN_DECLS

/* Most reporters, and most pairs of a reporter and a stream, that are followed
 * at a time. A further one replaces the entry that has been silent for
 * longest. */
#define GCC_REPORTERS_MAX 64
#define GCC_REPORTERS_MAX_PLACES 512

/**
 * GccReporter:
 * @ssrc: SSRC of the receiver that reports
 * @interval: time between its reports
 * @last_report: when the last one arrived
 * @last_heard: when the last report or REMB arrived
 * @remb: its REMB, bit/s; %GCC_RATE_NONE if there is none
 * @last_remb: when that REMB arrived
 */
typedef struct {
  guint32 ssrc;
  GccTime interval;
  GccTime last_report;
  GccTime last_heard;
  GccRate remb;
  GccTime last_remb;
} GccReporter;

/**
 * GccReporters:
 *
 * Decides whose reports and REMBs count, and the weight of a report:
 * docs/security.md has the rules.
 *
 * A reporter is an SSRC from which a report block counted, until it sends BYE
 * or has been silent for five of its report intervals (RFC 3550, section
 * 6.3.5), at least five seconds. A REMB counts if it names a stream that is
 * sent here and comes from a reporter, or in the compound packet of one. Some
 * peers send it from another SSRC altogether; such a REMB counts while there
 * are reporters and none of them sends REMBs itself. Transport-wide feedback
 * comes before the first report and names no reporter; while it covers packets
 * that were sent, there is one. A REMB ends when it is not renewed for
 * #GccLossReportParams.remb_lifetime. The least of several REMBs is in force.
 * Fields are private.
 */
typedef struct {
  const GccLossReportParams *params;
  guint64 n_reports;
  GccReporter reporters[GCC_REPORTERS_MAX];
  guint n_reporters;
  /* How far a reporter has reported on a stream. */
  struct {
    guint32 reporter;
    guint32 ssrc;
    guint32 serial;
    guint64 covered;
    guint64 last_report;
  } places[GCC_REPORTERS_MAX_PLACES];
  guint n_places;
  gboolean has_transport_feedback;
  /* The REMB of an SSRC that is no reporter. */
  guint32 other_ssrc;
  GccRate other_remb;
  GccTime last_other_remb;
} GccReporters;

void gcc_reporters_init (GccReporters *self, const GccLossReportParams *params);

/* Starts the report blocks of the next RTCP packet. */
void gcc_reporters_begin_report (GccReporters *self);

/* Takes a report block on @stream. Returns whether it counts: its highest
 * sequence number must have been sent, and not be older than the last one. If
 * so @covered is its content and the number of packets that it covers. The
 * first block on a stream only sets the sequence number from which packets are
 * counted, and only the first of two blocks in one report counts. */
gboolean gcc_reporters_take_block (GccReporters *self,
    const GccSentStream *stream, const GccReportBlock *block, GccTime now,
    GccCoveredBlock *covered);

/* Takes a REMB. Returns whether it counts. */
gboolean gcc_reporters_take_remb (GccReporters *self,
    const GccSentStreams *streams, const GccRemb *remb, GccTime now);

/* Whether transport-wide feedback covers packets that were sent. */
void gcc_reporters_set_transport_feedback (GccReporters *self, gboolean comes);

/* @ssrc has sent BYE. */
void gcc_reporters_take_bye (GccReporters *self, guint32 ssrc);

/* Whether the REMB in force is of an SSRC that is no reporter. */
gboolean gcc_reporters_has_other_remb (const GccReporters *self);

/* The least of the REMBs in force, bit/s; %GCC_RATE_NONE if there is none. */
GccRate gcc_reporters_get_remb (const GccReporters *self);
/* ... and who has sent it. */
guint32 gcc_reporters_get_remb_ssrc (const GccReporters *self);

/* When the next reporter or REMB times out, %GCC_TIME_NONE while there is none; and
 * removes those that have timed out. */
GccTime gcc_reporters_next_timeout (const GccReporters *self);
void gcc_reporters_handle_timeout (GccReporters *self, GccTime now);

G_END_DECLS
