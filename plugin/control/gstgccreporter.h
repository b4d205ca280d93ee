/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-receiving-end.h>
#include <gst/gcc/wire/gcc-round-trip.h>
#include <gst/gst.h>

#include "support/gstgccmessages.h"
#include "support/gstgcctrace.h"

G_BEGIN_DECLS

/*
 * GstGccReporter:
 * @element: gccreceiver; does not change
 * @trace: that the control events are written to; has a lock of its own
 * @messages: about the estimate, on the bus
 * @lock: protects what follows, and @messages. With it held, the clock may be
 *   read, packets read and written, @trace written and a bus message built, no
 *   more: no media is pushed, no file written, and neither another element nor
 *   the application called
 * @is_running: from PAUSED until back in READY; @end is fed only then
 * @end: measures what arrives, and decides what is reported
 * @round_trip: of the reports that the session sends
 * @told: the estimate that was notified last, bit/s
 * @sender_was_told: whether it was told what the sender lacks
 * @n_malformed: packets that were no RTP
 *
 * The one owner of gccreceiver's #GccReceivingEnd, and of the lock that it
 * needs: packets and RTCP are fed to it, and what it reports is written into the
 * RTCP of the session. Each function takes the lock.
 */
typedef struct {
  GstElement *element;
  GstGccTrace *trace;
  GstGccMessages *messages;

  GMutex lock;
  gboolean is_running;
  GccReceivingEnd end;
  GccRoundTrip round_trip;
  GccRate told;
  gboolean sender_was_told;
  guint64 n_malformed;
} GstGccReporter;

/* @element embeds all of them. */
void gst_gcc_reporter_init (GstGccReporter *self, GstElement *element,
    GstGccTrace *trace, GstGccMessages *messages, const GccProfile *profile);
void gst_gcc_reporter_clear (GstGccReporter *self);

/* Nothing has arrived; from now on it is fed. The parameters are those of
 * gcc_receiving_end_init(). */
void gst_gcc_reporter_start (
    GstGccReporter *self, const GccProfile *profile, gboolean always_remb);

/* It is fed no more. */
void gst_gcc_reporter_stop (GstGccReporter *self);

/*
 * GstGccArrival:
 * @buffer: a packet
 * @packet: what was read in it; the arrival is set
 * @seq: its RTP sequence number
 * @source: of @timestamp
 * @timestamp: when it arrived, µs
 * @transport_cc_id: of the header extension with the transport-wide number that
 *   the session reads; 0: none
 * @expects_number: whether it should have such a number
 *
 * A packet that has arrived.
 */
typedef struct {
  GstBuffer *buffer;
  GccPacket packet;
  guint16 seq;
  GccArrivalSource source;
  GccTime timestamp;
  guint transport_cc_id;
  gboolean expects_number;
} GstGccArrival;

/*
 * GstGccArrivalNews:
 * @has_changed: the estimate has
 * @asks_for_report: the session is to be asked for one
 * @posts: a message is to be posted
 * @lacks_numbers: no packet has the number that it should; once
 * @uses_abs_send_time: whether abs-send-time is used, else RTP timestamps
 * @feedback_interval: that should trigger transport-wide feedback, µs;
 *   %GCC_TIME_NONE: the marker should
 * @clock_factor: by which RTP timestamps advance too fast, or too slowly, once;
 *   0.: they do not
 *
 * What is to be done for a packet without the lock.
 */
typedef struct {
  gboolean has_changed;
  gboolean asks_for_report;
  gboolean posts;
  gboolean lacks_numbers;
  gboolean uses_abs_send_time;
  GccTime feedback_interval;
  gdouble clock_factor;
} GstGccArrivalNews;

/* @arrival is handled at @now. */
GstGccArrivalNews gst_gcc_reporter_feed (
    GstGccReporter *self, GstGccArrival *arrival, GccTime now);

/* A packet that is no RTP has arrived. */
void gst_gcc_reporter_count_malformed (GstGccReporter *self);

/* A compound packet has arrived at @now. Returns whether the sender does not
 * answer, as one that follows REMB would; once. */
gboolean gst_gcc_reporter_receive (
    GstGccReporter *self, GstBuffer *buffer, GccTime now);

/*
 * gst_gcc_reporter_send:
 * @buffer: a compound packet, which leaves at @now, and may be added to
 * @is_early: whether it is no regular report
 * @measures: whether packets are seen as they arrive
 * @internal_ssrc: that of the session
 * @has_changed: (out): whether the estimate has
 *
 * Returns: whether something was added that the sender needs
 */
gboolean gst_gcc_reporter_send (GstGccReporter *self, GstBuffer *buffer,
    gboolean is_early, gboolean measures, guint32 internal_ssrc, GccTime now,
    gboolean *has_changed);

/* Transport-wide feedback leaves, which the session sends by itself. */
void gst_gcc_reporter_note_feedback (GstGccReporter *self);

/* A_r, bit/s; %GCC_RATE_NONE before the first. */
GccRate gst_gcc_reporter_get_estimate (GstGccReporter *self);

/* The columns of the controller, and what this counts. (transfer full) */
GstStructure *gst_gcc_reporter_create_stats (GstGccReporter *self);

G_END_DECLS
