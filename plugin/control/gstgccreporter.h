/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-receiving-end.h>
#include <gst/gcc/profiles/gcc-profile-private.h>
#include <gst/gcc/wire/gcc-round-trip.h>
#include <gst/gst.h>

#include "support/gstgccmessages.h"
#include "support/gstgcctrace.h"

G_BEGIN_DECLS

/*
 * GstGccReporter:
 * @element: gccreceiver; does not change
 * @trace: the file of control events; has a lock of its own
 * @messages: messages about the estimate on the bus
 * @lock: protects the fields below, and @messages. With it held, the clock may
 *   be read, packets read and written, @trace written and a bus message built,
 *   and nothing else: no media is pushed, no file written, and neither another
 *   element nor the application called
 * @is_running: whether the element is PAUSED or PLAYING; @end is fed only then
 * @profile: the parameters of @end
 * @end: measures the packets that arrive, and decides what is reported
 * @round_trip: round-trip time of the reports that the session sends
 * @told: the estimate that was notified last, bit/s
 * @sender_was_told: whether a fault of the sender was reported
 * @n_malformed: number of packets that were no RTP
 *
 * The one owner of gccreceiver's #GccReceivingEnd, and of the lock that it
 * needs: packets and RTCP are fed to it, and its reports are written into the
 * RTCP of the session. Each function takes the lock.
 */
typedef struct {
  GstElement *element;
  GstGccTrace *trace;
  GstGccMessages *messages;

  GMutex lock;
  gboolean is_running;
  GccProfile profile;
  GccReceivingEnd end;
  GccRoundTrip round_trip;
  GccRate told;
  gboolean sender_was_told;
  guint64 n_malformed;
  /* over RFC 8888, by codepoint */
  guint64 n_ecn[GCC_ECN_CE + 1];
} GstGccReporter;

/* @element embeds all of them. */
void gst_gcc_reporter_init (GstGccReporter *self, GstElement *element,
    GstGccTrace *trace, GstGccMessages *messages, const GccProfile *profile);
void gst_gcc_reporter_clear (GstGccReporter *self);

/* Nothing has arrived; from now on it is fed. The parameters are those of
 * gcc_receiving_end_init(); @profile is copied. */
void gst_gcc_reporter_start (
    GstGccReporter *self, const GccProfile *profile, gboolean always_remb);

/* From now on it writes reports of RFC 8888. */
void gst_gcc_reporter_use_ccfb (GstGccReporter *self);

/* Mean time between regular reports, µs. */
GccTime gst_gcc_reporter_get_interval (GstGccReporter *self);

/* It is fed no more. */
void gst_gcc_reporter_stop (GstGccReporter *self);

/*
 * GstGccArrival:
 * @buffer: a packet
 * @packet: the packet read in it; the arrival is set
 * @seq: its RTP sequence number
 * @source: source of @timestamp
 * @timestamp: when it arrived, µs
 * @transport_cc_id: identifier of the header extension with the transport-wide
 *   number that the session reads; 0: none
 * @expects_number: whether it should have such a number
 * @ecn: bits of its IP header, over RFC 8888
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
  GccEcn ecn;
} GstGccArrival;

/*
 * GstGccArrivalNews:
 * @has_changed: whether the estimate has changed
 * @asks_for_report: whether the session is to be asked for a report
 * @posts: whether a message is to be posted
 * @lacks_numbers: whether no packet has the number that it should have; once
 * @uses_abs_send_time: whether abs-send-time is used, else RTP timestamps
 * @feedback_interval: interval that should trigger transport-wide feedback, µs;
 *   %GCC_TIME_NONE: the marker should
 * @clock_factor: factor by which RTP timestamps advance too fast or too slowly,
 *   once; 0.: they do not
 *
 * The actions for a packet that are left to do without the lock.
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

/* A compound packet has arrived at @now. Returns once whether the sender does
 * not answer as a sender that follows REMB would. */
gboolean gst_gcc_reporter_receive (
    GstGccReporter *self, GstBuffer *buffer, GccTime now);

/*
 * gst_gcc_reporter_send:
 * @buffer: a compound packet, which leaves at @now, and may be added to
 * @is_early: whether it is no regular report
 * @measures: whether packets are seen as they arrive
 * @internal_ssrc: SSRC of the session
 * @has_changed: (out): whether the estimate has changed
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

/* The columns of the controller, and the counts of the reporter. (transfer
 * full) */
GstStructure *gst_gcc_reporter_create_stats (GstGccReporter *self);

G_END_DECLS
