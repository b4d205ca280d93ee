/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccSenderEvent:
 * @GCC_SENDER_EVENT_NONE: nothing worth a line of the trace
 * @GCC_SENDER_EVENT_REPORT: a loss report was taken into account
 * @GCC_SENDER_EVENT_REMB: a REMB was taken into account
 * @GCC_SENDER_EVENT_TIMEOUT: time alone changed A_s
 * @GCC_SENDER_EVENT_SILENCE: packets leave, and feedback has stopped to come or
 *   never did
 */
typedef enum {
  GCC_SENDER_EVENT_NONE,
  GCC_SENDER_EVENT_REPORT,
  GCC_SENDER_EVENT_REMB,
  GCC_SENDER_EVENT_TIMEOUT,
  GCC_SENDER_EVENT_SILENCE,
} GccSenderEvent;

const gchar *gcc_sender_event_to_string (GccSenderEvent event);

/**
 * GccSenderStats:
 * @fraction_lost: of the last report that was acted on, 0 to 1
 * @rtt_ms: round-trip time of the last report that had one, ms
 * @remb: A_r, the least REMB in force, bit/s; %GCC_RATE_NONE without any
 * @loss_based: what eq. (1) alone says, before REMB and the limits, bit/s
 * @target: A_s, bit/s
 * @video_rate: what the video sent of late, bit/s
 * @audio_rate: what audio takes of A_s, bit/s
 * @fec_rate: r_FEC, what FEC takes of A_s, bit/s
 * @rtx_rate: r_RTX, what retransmission takes of A_s, bit/s
 * @encoder_target: v, what is left for the encoders, bit/s
 * @fec_percentage: FEC packets wanted for a hundred media packets
 * @retransmissions: packets that were allowed to be sent again
 * @retransmissions_dropped: those that were not
 * @n_decreases_by_remb: n_dd, REMBs that lowered A_s
 * @has_feedback: whether reports or REMBs come that count
 * @reports: report blocks taken
 * @rembs: REMB messages taken
 * @reports_ignored: report blocks about streams of ours that do not count
 * @rembs_ignored: REMB messages that do not count
 *
 * The state of the loss-based controller after the last call, and what it has
 * seen so far.
 */
typedef struct {
  gdouble fraction_lost;
  gdouble rtt_ms;
  GccRate remb;
  GccRate loss_based;
  GccRate target;
  GccRate video_rate;
  GccRate audio_rate;
  GccRate fec_rate;
  GccRate rtx_rate;
  GccRate encoder_target;
  guint64 fec_percentage;
  guint64 retransmissions;
  guint64 retransmissions_dropped;
  guint64 n_decreases_by_remb;
  gboolean has_feedback;
  guint64 reports;
  guint64 rembs;
  guint64 reports_ignored;
  guint64 rembs_ignored;
} GccSenderStats;

extern const GccColumn gcc_sender_columns[];
extern const guint gcc_sender_n_columns;

/**
 * GccSender:
 *
 * The loss-based controller: it follows the RTCP reports of a session's
 * receivers and tells the rate A_s to send at. Not thread-safe.
 */
typedef struct _GccSender GccSender;

/* The rates are bit/s; 0 < @min <= @max, and @start is brought between them. */
GccSender *gcc_sender_new (
    const GccProfile *profile, GccRate min, GccRate start, GccRate max);
void gcc_sender_free (GccSender *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GccSender, gcc_sender_free)

/* New limits apply to A_s at once. */
void gcc_sender_set_limits (GccSender *self, GccRate min, GccRate max);

/* Takes the report blocks of one RTCP packet (RFC 3550, section 6.4). Those
 * about streams of others are none of our business; which of the rest count,
 * and what they weigh, is in docs/security.md. The first block of a stream only
 * tells where its sequence numbers stand (in rtcweb-2013 it is acted on): loss
 * counts from the second on, and from 20 packets on where the profile has that.
 */
GccSenderEvent gcc_sender_feed_reports (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now);

/* Takes a REMB message, which counts as docs/security.md says. */
GccSenderEvent gcc_sender_feed_remb (
    GccSender *self, const GccRemb *remb, GccTime now);

/* @ssrc has said BYE: its REMB ends. */
void gcc_sender_feed_bye (GccSender *self, guint32 ssrc, GccTime now);

/* A packet is going to leave. Returns what the first one of its stream was part
 * of: media, in a stream that FEC shares. */
GccSentKind gcc_sender_announce (
    GccSender *self, const GccSentPacket *packet, GccTime now);

/* Counts a packet that leaves. The rates and v follow with the next of the
 * other calls. */
void gcc_sender_feed_sent (
    GccSender *self, const GccSentPacket *packet, GccTime now);

/* Width × height of the video; 0: not known. FEC depends on it. */
void gcc_sender_set_pixels (GccSender *self, guint pixels);

/* A receiver's RTCP packet begins, which may ask for retransmissions. */
void gcc_sender_begin_request (GccSender *self, GccTime now);

/* Whether a packet that it asks for may be sent again: gcc-retransmission.h. */
gboolean gcc_sender_allow_retransmission (
    GccSender *self, guint32 ssrc, guint16 seq, GccTime now);

/* Brings the rates, v and the FEC percentage up to date: they change with what
 * is sent, too. */
void gcc_sender_update (GccSender *self, GccTime now);

/* When gcc_sender_handle_timeout() wants to be called next; %GCC_TIME_NONE
 * while there is nothing to wait for. A late call does no harm. */
GccTime gcc_sender_next_timeout (const GccSender *self);
GccSenderEvent gcc_sender_handle_timeout (GccSender *self, GccTime now);

/* Whether gcc_sender_handle_timeout() is to notice now that packets leave and
 * no feedback comes: for who has no other clock than the packets, to be asked
 * for each of them. */
gboolean gcc_sender_is_silence_due (const GccSender *self);

/* Whether that was noticed, and none has come since. */
gboolean gcc_sender_is_silent (const GccSender *self);

/* A_s in bit/s, always within the limits. */
GccRate gcc_sender_get_target (const GccSender *self);

const GccSenderStats *gcc_sender_get_stats (const GccSender *self);

G_END_DECLS
