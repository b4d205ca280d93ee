/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-receiver-private.h>
#include <gst/gcc/report/gcc-answer-watch.h>
#include <gst/gcc/report/gcc-arrival-time.h>
#include <gst/gcc/report/gcc-ccfb-reporter.h>
#include <gst/gcc/report/gcc-clock-check.h>
#include <gst/gcc/report/gcc-feedback-trigger.h>
#include <gst/gcc/report/gcc-feedback-use.h>
#include <gst/gcc/report/gcc-loss-reporter.h>
#include <gst/gcc/report/gcc-remb-policy.h>
#include <gst/gcc/report/gcc-remb-release.h>

G_BEGIN_DECLS

/**
 * GccReceivingEnd:
 *
 * The end of a session at which media arrives: the delay-based controller, the
 * loss of each stream, and the times at which they are reported. The sender
 * gets A_r in REMBs, unless the session sends transport-wide feedback, from
 * which the sender estimates the rate by itself. Fields are private. Not
 * thread-safe.
 */
typedef struct {
  const GccProfile *profile;
  gboolean always_remb;
  GccReceiver receiver;
  GccArrivalTime arrival_time;
  GccClockCheck clock_check;
  gboolean clock_was_wrong;
  GccLossReporter loss;
  GccRembRequest remb_request;
  GccRembRelease remb_release;
  GccFeedbackUse feedback_use;
  gboolean was_in_use;
  GccFeedbackTrigger feedback_trigger;
  GccAnswerWatch answers;
  GccCcfbReporter *ccfb;
} GccReceivingEnd;

/* Nothing has arrived. @profile stays valid until the end is cleared.
 * @always_remb: whether REMBs are sent beside transport-wide feedback, too. */
void gcc_receiving_end_init (GccReceivingEnd *self, const GccProfile *profile,
    gboolean always_remb, GccTime now);
void gcc_receiving_end_clear (GccReceivingEnd *self);

/* The feedback about arrivals is that of RFC 8888: the caller has
 * gcc_receiving_end_write_ccfb() write it, and packets need no number. */
void gcc_receiving_end_use_ccfb (GccReceivingEnd *self);
gboolean gcc_receiving_end_uses_ccfb (const GccReceivingEnd *self);

/* The controller, to read. */
const GccReceiver *gcc_receiving_end_get_receiver (const GccReceivingEnd *self);

/* --- a packet, in this order --- */

/**
 * gcc_receiving_end_feed:
 * @packet: (inout): all of a packet that has arrived, but for `arrival` and
 *   `n_lost`, which are set
 * @seq: its RTP sequence number
 * @source: the source of @timestamp
 * @timestamp: when the packet arrived, on the clock of @source, µs
 *
 * Returns: as gcc_receiver_feed(); %GCC_RECEIVER_EVENT_REMB only where the
 *   sender gets REMBs
 */
GccReceiverEvent gcc_receiving_end_feed (GccReceivingEnd *self,
    GccPacket *packet, guint16 seq, GccArrivalSource source, GccTime timestamp,
    GccTime now);

/* Runs the actions that are due at @now by time alone; also called without a
 * packet. Returns as gcc_receiving_end_feed(). */
GccReceiverEvent gcc_receiving_end_handle_timeout (
    GccReceivingEnd *self, GccTime now);

/* Whether the transport-wide number of a packet changes the state. */
gboolean gcc_receiving_end_awaits_number (const GccReceivingEnd *self);

/* The packet has the marker bit or not, and a transport-wide number that the
 * session reads or not. Returns whether the use of transport-wide feedback has
 * begun or ended. */
gboolean gcc_receiving_end_feed_media (GccReceivingEnd *self,
    gboolean is_marker, gboolean is_numbered, GccTime now);

/* Where RFC 8888 is in use: @packet has arrived, and gcc_receiving_end_feed() has
 * set its arrival. */
void gcc_receiving_end_feed_ccfb (
    GccReceivingEnd *self, const GccCcfbPacket *packet, GccTime now);

/* The interval that should trigger transport-wide feedback, µs; %GCC_TIME_NONE:
 * the marker should. */
GccTime gcc_receiving_end_get_feedback_interval (const GccReceivingEnd *self);

/* The factor by which the timestamps of @packet, which was fed, advance too
 * fast or too slowly, as gcc_clock_check_feed(); 0. where the rate is right,
 * where the timestamp is not the packet's time, and after it was returned
 * once. */
gdouble gcc_receiving_end_check_clock (
    GccReceivingEnd *self, const GccPacket *packet);

/* Whether the session is to be asked for a report at once, because a REMB
 * waits, or a report of RFC 8888. If so it counts as asked. */
gboolean gcc_receiving_end_asks_for_report (GccReceivingEnd *self, GccTime now);

/* --- RTCP that arrives --- */

/* A sender report of the stream @ssrc has arrived; @compact_ntp is the middle
 * 32 bits of its NTP timestamp. */
void gcc_receiving_end_feed_sender_report (
    GccReceivingEnd *self, guint32 ssrc, guint32 compact_ntp, GccTime arrival);

/**
 * gcc_receiving_end_feed_rtcp:
 * @has_sender_reports: whether it has sender reports
 * @is_answer: whether it answers a receiver reference time (RFC 3611)
 * @rtt: its round-trip time, µs; %GCC_TIME_NONE: none
 *
 * A compound packet has arrived.
 */
void gcc_receiving_end_feed_rtcp (GccReceivingEnd *self,
    gboolean has_sender_reports, gboolean is_answer, GccTime rtt, GccTime now);

/* --- RTCP that leaves --- */

/* Transport-wide feedback leaves, which the session sends by itself. Returns
 * whether its use has begun. */
gboolean gcc_receiving_end_note_feedback (GccReceivingEnd *self);

/**
 * gcc_receiving_end_write_ccfb:
 * @body: room for @room bytes
 *
 * Where RFC 8888 is in use, writes a report that leaves at @now.
 *
 * Returns: its length, bytes; 0 where there is none to send
 */
gsize gcc_receiving_end_write_ccfb (
    GccReceivingEnd *self, guint8 *body, gsize room, GccTime now);

/* The report has left in an RTCP packet of @cost bytes, with all headers. Returns
 * whether the use of feedback about arrivals has begun. */
gboolean gcc_receiving_end_note_ccfb (
    GccReceivingEnd *self, gsize cost, GccTime now);

/* The reception statistics to make report blocks from. */
GccReception *gcc_receiving_end_get_receptions (
    GccReceivingEnd *self, guint *n_receptions);

/* The first returns whether report blocks should be added to a report that has
 * none; the second notes that a report with some is sent. */
gboolean gcc_receiving_end_is_loss_due (
    const GccReceivingEnd *self, GccTime now);
void gcc_receiving_end_note_loss (GccReceivingEnd *self, GccTime now);

/* Whether a REMB waits, so that feedback which leaves early may carry it. */
gboolean gcc_receiving_end_is_remb_due (const GccReceivingEnd *self);

/* The REMB that a report should carry, but for the SSRCs of its packet. Returns
 * %FALSE where it should carry none. Where transport-wide feedback makes A_r
 * needless, the last REMBs lift the bound. */
gboolean gcc_receiving_end_get_remb (
    const GccReceivingEnd *self, GccRemb *remb);

/* The REMB is sent. */
void gcc_receiving_end_note_remb (GccReceivingEnd *self);

/* --- what the sender gets --- */

/* Whether the sender gets REMBs; else it gets transport-wide feedback alone. */
gboolean gcc_receiving_end_sends_remb (const GccReceivingEnd *self);

/* Whether the session sends transport-wide feedback, and how many feedback
 * packets have left. */
gboolean gcc_receiving_end_uses_feedback (const GccReceivingEnd *self);
guint64 gcc_receiving_end_get_n_feedbacks (const GccReceivingEnd *self);

/* Whether media has arrived for five seconds without a numbered packet. */
gboolean gcc_receiving_end_lacks_numbers (const GccReceivingEnd *self);

/* Whether REMBs leave without a sign that the sender follows them
 * (gcc-answer-watch.h). */
gboolean gcc_receiving_end_lacks_answers (
    const GccReceivingEnd *self, GccTime now);

G_END_DECLS
