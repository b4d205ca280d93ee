/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-loss-aggregator.h>
#include <gst/gcc/gcc-loss-params.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-sent-streams.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Reporters that are followed at a time, and streams times reporters; when
 * there are more, what has been silent for longest makes room. */
#define GCC_REPORTERS_MAX 64
#define GCC_REPORTERS_MAX_PLACES 512

/**
 * GccReporter:
 * @ssrc: of the receiver that reports
 * @interval: between its reports
 * @last_report: when the last one came
 * @last_heard: when the last report or REMB came
 * @remb: its REMB, bit/s; %GCC_RATE_NONE when there is none
 * @last_remb: when that came
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
 * Decides who may steer the rate, and what a report weighs: docs/security.md
 * has the rules and their reasons.
 *
 * A reporter is who has sent a report block that counted, until it says BYE or
 * has been silent for five of its report intervals (RFC 3550, section 6.3.5),
 * at least five seconds. A REMB counts when it names a stream of ours and comes
 * from a reporter, or in the compound packet of one. Some peers send it from
 * another SSRC altogether; such a REMB counts while there are reporters and
 * none of them sends REMBs itself. Of several the least is in force. Fields are
 * private.
 */
typedef struct {
  const GccLossParams *params;
  guint64 n_reports;
  GccReporter reporters[GCC_REPORTERS_MAX];
  guint n_reporters;
  /* How far a reporter has told about a stream. */
  struct {
    guint32 reporter;
    guint32 ssrc;
    guint32 serial;
    guint64 covered;
    guint64 last_report;
  } places[GCC_REPORTERS_MAX_PLACES];
  guint n_places;
  /* The REMB that comes from no reporter. */
  guint32 other_ssrc;
  GccRate other_remb;
} GccReporters;

void gcc_reporters_init (GccReporters *self, const GccLossParams *params);

/* The report blocks of another RTCP packet begin. */
void gcc_reporters_begin_report (GccReporters *self);

/* Takes a report block about @stream. Returns whether it counts: its highest
 * sequence number must be one that was sent, and not older than the one before.
 * Then @covered is what it says, and of how many packets; a stream's first one
 * only tells where the sequence numbers stand, and two of one report cover what
 * the first covers. */
gboolean gcc_reporters_take_block (GccReporters *self,
    const GccSentStream *stream, const GccReportBlock *block, GccTime now,
    GccCoveredBlock *covered);

/* Takes a REMB. Returns whether it counts. */
gboolean gcc_reporters_take_remb (GccReporters *self,
    const GccSentStreams *streams, const GccRemb *remb, GccTime now);

/* @ssrc has said BYE. */
void gcc_reporters_take_bye (GccReporters *self, guint32 ssrc);

/* The least of the REMBs in force, bit/s; %GCC_RATE_NONE when there is none. */
GccRate gcc_reporters_get_remb (const GccReporters *self);

/* When the next reporter is given up, %GCC_TIME_NONE while there is none; and
 * gives up those that are due. */
GccTime gcc_reporters_next_timeout (const GccReporters *self);
void gcc_reporters_handle_timeout (GccReporters *self, GccTime now);

G_END_DECLS
