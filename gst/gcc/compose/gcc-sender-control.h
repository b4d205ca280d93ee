/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-path.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/history/gcc-reports.h>
#include <gst/gcc/history/gcc-sent-streams.h>
#include <gst/gcc/history/gcc-silence.h>
#include <gst/gcc/loss/gcc-loss-control.h>
#include <gst/gcc/output/gcc-target.h>

G_BEGIN_DECLS

/**
 * GccSenderCounts:
 *
 * The messages that were taken, and those that do not count, as in #GccSenderStats.
 */
typedef struct {
  guint64 reports;
  guint64 reports_ignored;
  guint64 rembs;
  guint64 rembs_ignored;
  guint64 n_decreases_by_remb;
  guint64 feedbacks;
  guint64 feedbacks_ignored;
} GccSenderCounts;

/**
 * GccSenderControl:
 * @streams: what was sent
 * @path: feedback about packets
 * @reports: report blocks and REMBs
 * @loss: eq. (1)
 * @silence: of both
 * @target: A_s
 * @rtt: by reports; %GCC_TIME_NONE while unknown
 * @counts: of messages
 *
 * The way from what receivers say, and from their silence, to A_s.
 *
 * |[
 * feedback ─► path ──────────────────────────────────┐
 * reports ─► fraction lost ─► loss control, eq. (1) ─┐
 *                                 ▲                  ├─► target ─┬─► A_s
 * REMBs ───► A_r ─────────────────┼──────────────────┤           │
 * neither ─► silence ─────────────┼──────────────────┘           │
 *                                 └──────────────────────────────┘
 * ]|
 *
 * Fields are to be read only.
 */
typedef struct {
  GccSentStreams streams;
  GccSenderPath path;
  GccReports reports;
  GccLossControl loss;
  GccSilence silence;
  GccTarget target;
  GccTime rtt;
  GccSenderCounts counts;
} GccSenderControl;

/* Rates in bit/s, 0 < @min <= @max; @start is clamped to them. */
void gcc_sender_control_init (GccSenderControl *self, const GccProfile *profile,
    GccRate min, GccRate start, GccRate max);
void gcc_sender_control_clear (GccSenderControl *self);

/* Sets the limits of A_s, bit/s. */
void gcc_sender_control_set_limits (
    GccSenderControl *self, GccRate min, GccRate max);

/* Continues from @rate, bit/s. */
void gcc_sender_control_restart (
    GccSenderControl *self, GccRate rate, GccTime now);

/* A packet leaves. */
void gcc_sender_control_feed_sent (
    GccSenderControl *self, const GccSentPacket *packet, GccTime now);

/**
 * gcc_sender_control_feed_reports:
 * @report: (out): the aggregate of @blocks, if they count
 * @began: (out): whether they show that a silence has begun, if they count
 *
 * Returns: whether any of the blocks counts
 */
gboolean gcc_sender_control_feed_reports (GccSenderControl *self,
    const GccReportBlock *blocks, guint n_blocks, GccLossReport *report,
    gboolean *began, GccTime now);

/* Returns whether it counts. */
gboolean gcc_sender_control_feed_remb (
    GccSenderControl *self, const GccRemb *remb, GccTime now);

/* Returns whether the REMB in force has ended with it. */
gboolean gcc_sender_control_feed_bye (
    GccSenderControl *self, guint32 ssrc, GccTime now);

/* Transport-wide feedback just parsed. Returns whether it has news about the sent
 * packets. */
gboolean gcc_sender_control_feed_transport (
    GccSenderControl *self, GccTransportFeedback feedback, GccTime now);

/* The same by a report of RFC 8888. */
gboolean gcc_sender_control_feed_ccfb (
    GccSenderControl *self, GccCcfb report, GccTime now);

GccTime gcc_sender_control_next_timeout (const GccSenderControl *self);

/* Returns whether a silence has begun. */
gboolean gcc_sender_control_handle_timeout (
    GccSenderControl *self, GccTime now);

/* The loss-based rate, bit/s: that of the path while A_s follows it, as
 * %GCC_RATE_NONE while loss is no limit there, or that of eq. (1). */
GccRate gcc_sender_control_get_loss_based (const GccSenderControl *self);

G_END_DECLS
