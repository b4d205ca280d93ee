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
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccSenderEvent:
 * @GCC_SENDER_EVENT_NONE: nothing that the trace records
 * @GCC_SENDER_EVENT_REPORT: a loss report was taken into account
 * @GCC_SENDER_EVENT_REMB: a REMB was taken into account
 * @GCC_SENDER_EVENT_TRANSPORT: transport-wide feedback was taken into account
 * @GCC_SENDER_EVENT_PROBE: the same, and probes were asked for
 * @GCC_SENDER_EVENT_PROBE_RESULT: the same, and a probe has a result
 * @GCC_SENDER_EVENT_TIMEOUT: time alone changed A_s
 * @GCC_SENDER_EVENT_SILENCE: packets leave, and feedback has stopped to come or
 *   never did
 * @GCC_SENDER_EVENT_MALFORMED: the message cannot be read, and nothing has changed
 *
 * The effect of a call. Each function that takes a message of a receiver, or the
 * time, returns one. Functions about what is sent return nothing.
 */
typedef enum {
  GCC_SENDER_EVENT_NONE,
  GCC_SENDER_EVENT_REPORT,
  GCC_SENDER_EVENT_REMB,
  GCC_SENDER_EVENT_TRANSPORT,
  GCC_SENDER_EVENT_PROBE,
  GCC_SENDER_EVENT_PROBE_RESULT,
  GCC_SENDER_EVENT_TIMEOUT,
  GCC_SENDER_EVENT_SILENCE,
  GCC_SENDER_EVENT_MALFORMED,
} GccSenderEvent;

GCC_API const gchar *gcc_sender_event_to_string (GccSenderEvent event);

/**
 * GccSenderStats:
 * @fraction_lost: fraction lost of the last report that was acted on, 0 to 1
 * @rtt_ms: round-trip time of the last report that had one, ms
 * @remb: A_r, the least REMB in force, bit/s; %GCC_RATE_NONE without any
 * @loss_based: the rate by eq. (1), before REMB and the limits, bit/s; over
 *   transport-wide feedback the estimate from packet results,
 *   %GCC_RATE_NONE while loss is no limit
 * @target: A_s, bit/s
 * @reason: why A_s changed last
 * @video_rate: rate at which video was sent, bit/s
 * @audio_rate: rate at which audio was sent, bit/s
 * @fec_rate: r_FEC, rate at which FEC was sent, bit/s
 * @rtx_rate: r_RTX, rate at which retransmissions were sent, bit/s
 * @sent_padding_rate: rate at which padding was sent, bit/s
 * @encoder_target: v, the rate left for the encoders, bit/s
 * @fec_percentage: FEC packets wanted per hundred media packets
 * @retransmissions: requested packets whose retransmission was allowed
 * @retransmissions_dropped: requested packets whose retransmission was refused
 * @n_decreases_by_remb: n_dd, REMBs that lowered A_s
 * @has_feedback: whether feedback arrives that counts and shows packets
 * @reports: report blocks taken
 * @rembs: REMB messages taken
 * @reports_ignored: report blocks on streams sent here that do not count
 * @rembs_ignored: REMB messages that do not count
 * @feedback: the feedback that A_s follows
 * @acknowledged: R(t) by transport-wide feedback, bit/s; %GCC_RATE_NONE while
 *   unknown, as the following
 * @delay_based: the sender's own delay-based rate, bit/s
 * @signal: signal of the sender's over-use detector
 * @m_ms: m as last compared with γ, ms; NaN while unknown
 * @gamma_ms: γ, ms
 * @loss_state: state of the loss estimate
 * @competition: whether other traffic holds the queue; absent over reports alone
 * @verdict: what the last drain, or the last test of losses, has shown
 * @in_alr: whether the application, not the path, is the limit
 * @path_rtt_ms: round-trip time of the last feedback, ms
 * @path_queue_ms: the queue of the path, ms; NaN where the profile has no rules
 *   about it, as the following
 * @path_noise_ms: what the path's round trips vary beyond the call's own frames,
 *   ms; 0 on a quiet path
 * @path_capacity: R(t) while the last queue stood that was this call's own,
 *   bit/s; %GCC_RATE_NONE while others hold it
 * @probe: result of the last probe, bit/s
 * @probes: probe clusters asked for
 * @probe_results: measurements of probe clusters: one may be measured again when
 *   more of it has arrived
 * @probes_abandoned: probe clusters given up
 * @probe_asked: rate of the last cluster that was asked for, bit/s
 * @probe_abandoned: why the last cluster was given up; %NULL before
 * @pacing_rate: pacing rate by feedback, bit/s; over REMB only beside TCP;
 *   %GCC_RATE_NONE where the profile's pacing applies
 * @padding_rate: rate that padding should reach where media is less, bit/s
 * @is_window_full: whether no media should leave until feedback comes
 * @feedbacks: transport-wide feedback messages that counted
 * @feedbacks_lost: such messages that are missing by their count
 * @feedbacks_ignored: such messages without news about the sent packets
 * @ecn: whether packets leave with ECT(1)
 * @ect1_packets: packets that reports show with ECT(1)
 * @ce_packets: packets that reports show with CE
 * @l4s_alpha: α, mean share of packets with CE, 0 to 1; NaN without ECN
 *
 * The state of the sender after the last call, and its counters.
 */
typedef struct {
  gdouble fraction_lost;
  gdouble rtt_ms;
  GccRate remb;
  GccRate loss_based;
  GccRate target;
  GccReason reason;
  GccRate video_rate;
  GccRate audio_rate;
  GccRate fec_rate;
  GccRate rtx_rate;
  GccRate sent_padding_rate;
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
  GccFeedback feedback;
  GccRate acknowledged;
  GccRate delay_based;
  GccSignal signal;
  gdouble m_ms;
  gdouble gamma_ms;
  GccLossEstimateState loss_state;
  GccCompetitionState competition;
  GccVerdict verdict;
  gboolean in_alr;
  gdouble path_rtt_ms;
  gdouble path_queue_ms;
  gdouble path_noise_ms;
  GccRate path_capacity;
  GccRate probe;
  guint64 probes;
  guint64 probe_results;
  guint64 probes_abandoned;
  GccRate probe_asked;
  const gchar *probe_abandoned;
  GccRate pacing_rate;
  GccRate padding_rate;
  gboolean is_window_full;
  guint64 feedbacks;
  guint64 feedbacks_lost;
  guint64 feedbacks_ignored;
  GccEcnState ecn;
  guint64 ect1_packets;
  guint64 ce_packets;
  gdouble l4s_alpha;
} GccSenderStats;

GCC_API extern const GccColumn gcc_sender_columns[];
GCC_API extern const guint gcc_sender_n_columns;

/**
 * GccSender:
 *
 * The sending side: it computes the sending rate A_s from the RTCP reports,
 * REMBs and transport-wide feedback of a session's receivers, and the rate that
 * is left for the encoders. Not thread-safe.
 */
typedef struct _GccSender GccSender;

/* The rates are bit/s; 0 < @min <= @max, and @start is clamped to them. */
GCC_API GccSender *gcc_sender_new (
    const GccProfile *profile, GccRate min, GccRate start, GccRate max);
GCC_API void gcc_sender_free (GccSender *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GccSender, gcc_sender_free)

/* Sets the limits, which apply to A_s at once. */
GCC_API void gcc_sender_set_limits (GccSender *self, GccRate min, GccRate max);

/* Continues from @rate, bit/s, above 0: A_s is set to @rate at once, as far as
 * the limits and REMBs allow, and earlier estimates do not count. */
GCC_API void gcc_sender_restart (GccSender *self, GccRate rate, GccTime now);

/* Takes the report blocks of one RTCP packet (RFC 3550, section 6.4). Blocks on
 * streams that are not sent here are ignored, and so are repeated ones and those
 * whose highest sequence number was not sent. The first block on a stream only sets the
 * sequence number from which packets are counted (rtcweb-2013 acts on it): loss
 * counts from the second block on, and in most profiles once 20 packets are
 * covered. */
GCC_API GccSenderEvent gcc_sender_feed_reports (
    GccSender *self, const GccReportBlock *blocks, guint n_blocks, GccTime now);

/* Takes a REMB message. It counts when it names a stream that is sent here, and
 * comes from an end whose reports count. */
GCC_API GccSenderEvent gcc_sender_feed_remb (
    GccSender *self, const GccRemb *remb, GccTime now);

/* --- transport-wide feedback
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01) ---
 *
 * Once feedback about numbered packets comes, A_s is the sender's own estimate;
 * REMB is a bound, and reports of loss do not count. When it ends while reports
 * or REMBs come, they take over from the A_s in force. */

/* Packets will be numbered from now on. %FALSE if the profile, an older
 * generation, follows no such feedback; numbers are then not needed. */
GCC_API gboolean gcc_sender_use_transport_feedback (
    GccSender *self, GccTime now);

/* The transport-wide sequence number of the next packet; after
 * gcc_sender_use_transport_feedback() has returned %TRUE. */
GCC_API guint16 gcc_sender_take_transport_seq (GccSender *self);

/* @fci: (array length=length): feedback control information of RTPFB format 15 */
GCC_API GccSenderEvent gcc_sender_feed_transport_feedback (
    GccSender *self, const guint8 *fci, gsize length, GccTime now);

/* --- reports of RFC 8888, instead ---
 *
 * They cover packets by stream and RTP sequence number: `is_numbered` and
 * `transport_seq` are set as above, but no number is written into a packet. The
 * last of the two `use` functions decides which of both is followed. */
GCC_API gboolean gcc_sender_use_ccfb (GccSender *self, GccTime now);

/**
 * gcc_sender_feed_ccfb:
 * @body: (array length=length): the bytes after the sender's SSRC of RTPFB
 *   format 11, without padding
 *
 * A report that claims the arrival of a packet that was never sent is ignored.
 */
GCC_API GccSenderEvent gcc_sender_feed_ccfb (
    GccSender *self, const guint8 *body, gsize length, GccTime now);

/* Why A_s follows this kind of feedback, in a few words. */
GCC_API const gchar *gcc_sender_get_feedback_reason (const GccSender *self);

/* Whether to probe; the default is to probe. */
GCC_API void gcc_sender_set_probing (
    GccSender *self, gboolean is_probing, GccTime now);

/* A packet of @size bytes with its headers waits to be sent: a probe may begin with
 * it. */
GCC_API void gcc_sender_feed_queued (GccSender *self, gsize size, GccTime now);

/* When the next packets of a probe cluster, or padding, are to leave: @now or
 * later; %GCC_TIME_NONE while none is being sent. */
GCC_API GccTime gcc_sender_next_probe (GccSender *self, GccTime now);

/* Number of bytes that should leave together then. */
GCC_API gsize gcc_sender_get_probe_size (GccSender *self);

/* Whether media should wait because too much is in flight. It may leave again
 * after feedback; the profile recommended never holds media back. */
GCC_API gboolean gcc_sender_is_window_full (GccSender *self);

/* @ssrc has sent BYE: its REMB ends. */
GCC_API GccSenderEvent gcc_sender_feed_bye (
    GccSender *self, guint32 ssrc, GccTime now);

/* A packet is about to be sent. Returns the kind of the first packet of its
 * stream, which is media if FEC shares a stream with it. */
GCC_API GccSentKind gcc_sender_announce (
    GccSender *self, const GccSentPacket *packet, GccTime now);

/* Counts a packet that is sent. The rates and v are updated by the next of the
 * other calls. */
GCC_API void gcc_sender_feed_sent (
    GccSender *self, const GccSentPacket *packet, GccTime now);

/* Sets width × height of the video, which FEC depends on; 0: not known. */
GCC_API void gcc_sender_set_pixels (GccSender *self, guint pixels);

/* Sets the rate of what the application sends beside on the same path, bit/s: v is
 * what that leaves, too. */
GCC_API void gcc_sender_set_reserved (GccSender *self, GccRate reserved);

/* Sets the v at which all streams of the application would be sent that wait for it, as
 * layers that are paused, bit/s; 0, as at the start: none waits. The path is probed for
 * as much. @resumes: whether a stream that has waited is sent from @now on: what was
 * received before tells little of the path. Only profiles that probe while all of A_s is
 * used follow. */
GCC_API void gcc_sender_set_wanted (
    GccSender *self, GccRate v, gboolean resumes, GccTime now);

/* Begins an RTCP packet that may request retransmissions. */
GCC_API void gcc_sender_begin_request (GccSender *self, GccTime now);

/* Whether a packet requested in it may be retransmitted: one request is answered
 * with at most A_s times the round trip, and no packet again before its last copy
 * can have arrived. */
GCC_API gboolean gcc_sender_allow_retransmission (
    GccSender *self, guint32 ssrc, guint16 seq, GccTime now);

/* Updates the stats: the rates, v and the FEC percentage also depend on what was
 * sent, and probes and the congestion window on the time. */
GCC_API void gcc_sender_update (GccSender *self, GccTime now);

/* When to call gcc_sender_handle_timeout() next; %GCC_TIME_NONE if there is
 * nothing to wait for. A late call does no harm. */
GCC_API GccTime gcc_sender_next_timeout (const GccSender *self);
GCC_API GccSenderEvent gcc_sender_handle_timeout (GccSender *self, GccTime now);

/* Whether gcc_sender_handle_timeout() has to be called now, because packets
 * leave and no feedback comes. A caller without a timer asks for each
 * packet. */
GCC_API gboolean gcc_sender_is_silence_due (const GccSender *self);

/* Whether feedback is silent: gcc_sender_handle_timeout() has noticed it, and
 * none has come since. */
GCC_API gboolean gcc_sender_is_silent (const GccSender *self);

/**
 * gcc_sender_get_strange_remb:
 *
 * Returns: (nullable): the first REMB from an SSRC that reports on nothing which
 *   has lowered A_s below half of the estimate, or of A_s before it
 */
GCC_API const GccRemb *gcc_sender_get_strange_remb (const GccSender *self);

/* Whether reports have come that show no packet that arrives: the way back
 * works, and the way there does not. No packet is known to have
 * arrived since. */
GCC_API gboolean gcc_sender_is_cut_off (const GccSender *self);

/* A_s in bit/s, always within the limits. */
GCC_API GccRate gcc_sender_get_target (const GccSender *self);

/* v without what does not last: with neither the drain of a queue nor probes, whose
 * place media takes. Which streams fit is chosen by it. */
GCC_API GccRate gcc_sender_get_lasting_target (const GccSender *self);

GCC_API const GccSenderStats *gcc_sender_get_stats (const GccSender *self);

G_END_DECLS
