/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-send-side-ecn.h>
#include <gst/gcc/compose/gcc-send-side-rules.h>
#include <gst/gcc/delay/gcc-arrival-filter.h>
#include <gst/gcc/delay/gcc-inter-arrival.h>
#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/delay/gcc-trendline.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-congestion-window.h>
#include <gst/gcc/history/gcc-large-loss.h>
#include <gst/gcc/history/gcc-rtt-backoff.h>
#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-reason.h>
#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/probe/gcc-prober.h>
#include <gst/gcc/profiles/gcc-send-side-params.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>
#include <gst/gcc/rate/gcc-alr-detector.h>
#include <gst/gcc/rate/gcc-rate-control.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>

G_BEGIN_DECLS

/**
 * GccSendSideResult:
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @delay_based: delay based rate, bit/s
 * @loss_based: loss based rate, bit/s; %GCC_RATE_NONE while loss is no limit
 * @signal: of the over-use detector
 * @loss_state: of the loss estimate
 * @competition: whether others hold the queue
 * @in_alr: whether the application is the limit
 * @delay_reason: why @delay_based has changed last
 * @is_backing_off: whether the round trip is too long, so that nothing else
 *   counts
 * @round_trip: shortest round trip of the last feedback; %GCC_TIME_NONE while
 *   unknown
 * @queueing: the queue of the path; %GCC_TIME_NONE without rules about it
 * @noise: noise of the path, with @queueing
 * @capacity: what the last drain has shown of the link, bit/s; %GCC_RATE_NONE while
 *   unknown
 * @verdict: how the holder of the queue, or the cause of loss, was found last
 * @m_ms: m as last compared with γ, ms
 * @gamma_ms: γ, ms
 * @probe: the last result of a probe, bit/s; %GCC_RATE_NONE without any
 * @n_probes: clusters that were asked for
 * @probe_asked: rate of the last of them, bit/s; %GCC_RATE_NONE before
 * @n_probe_results: measurements of clusters: one may be measured again when more
 *   of it has arrived
 *
 * The state of the path by the last feedback.
 */
typedef struct {
  GccRate acknowledged;
  GccRate delay_based;
  GccRate loss_based;
  GccSignal signal;
  GccLossEstimateState loss_state;
  GccCompetitionState competition;
  gboolean in_alr;
  GccReason delay_reason;
  gboolean is_backing_off;
  GccTime round_trip;
  GccTime queueing;
  GccTime noise;
  GccRate capacity;
  GccVerdict verdict;
  gdouble m_ms;
  gdouble gamma_ms;
  GccRate probe;
  guint64 n_probes;
  GccRate probe_asked;
  guint64 n_probe_results;
} GccSendSideResult;

/**
 * GccSendSide:
 *
 * The sender that measures. From the sent packets and transport-wide feedback
 * about them it computes the delay based rate, the loss based rate, and the
 * probes that look for a higher rate.
 *
 * |[
 * sent ──► history ─► results ─┬► groups ─► trendline ─► over-use detector ─┐
 *             ▲                ├► R(t) ──────────────────────────────────┐  │
 * feedback ───┘                ├► probe estimator ──────────────► rate control
 *                              └► loss estimate                          │
 *                                        │            delay based rate ◄─┘
 *                                        └► loss based rate
 * A_s ──► ALR detector ─► probe controller ─► prober ─► when packets leave
 * ]|
 *
 * Fields are private.
 */
typedef struct {
  const GccSendSideParams *params;
  GccSentHistory history;
  GccLargeLoss large_loss;
  GccAcknowledgedRate acknowledged;
  GccInterArrival groups;
  GccTrendline trendline;
  GccArrivalFilter filter;
  GccOveruseDetector detector;
  GccRateControl rate_control;
  GccProbeEstimator probes;
  GccProbeController probe_controller;
  GccProber prober;
  GccAlrDetector alr;
  GccLossEstimate loss;
  GccCongestionWindow window;
  GccRttBackoff backoff;
  GccSendSideRules rules;
  GccSendSideEcn ecn;
  guint16 next_seq;
  gboolean has_feedback;
  gboolean had_overuse;
  gboolean is_probing;
  gboolean is_running;
  gboolean streams_wait;
  GccTime last_arrival;
  GccTime last_update;
  GccRate min;
  GccRate max;
  GccRate target;
  gboolean is_tested;
  GccRate backed_off;
  gdouble mean_payload;
  gdouble mean_size;
  guint n_means;
  GccSendSideResult result;
  gint64 last_excused;
  guint n_arrived;
  GccPacketResult packets[GCC_SENT_HISTORY_MAX_RESULTS];
} GccSendSide;

/* Rates in bit/s, 0 < @min <= @start <= @max. The first probes are asked for. */
void gcc_send_side_init (GccSendSide *self, const GccSendSideParams *params,
    GccRate min, GccRate start, GccRate max, GccTime now);

/* Continues from @target, bit/s, after another estimate was in force, or at the
 * start. The sent packets are kept. */
void gcc_send_side_resume (GccSendSide *self, GccRate target, GccTime now);

/* The same when the application has set @target. */
void gcc_send_side_restart (GccSendSide *self, GccRate target, GccTime now);

/* Another estimate is in force: no probes. */
void gcc_send_side_pause (GccSendSide *self, GccTime now);

/* Sets the least rate that is sent, below which the delay based rate does not
 * go, and the greatest rate that is looked for, bit/s; the next
 * gcc_send_side_handle_timeout() applies them. */
void gcc_send_side_set_limits (GccSendSide *self, GccRate min, GccRate max);

/* Whether streams wait for a greater rate, as layers that are paused; none does at the
 * start. */
void gcc_send_side_set_streams_wait (GccSendSide *self, gboolean wait);

/* Whether to probe; the default is to probe. */
void gcc_send_side_set_probing (
    GccSendSide *self, gboolean is_probing, GccTime now);

/* Whether packets may leave with ECT(1); the default is that none does. Only
 * reports of RFC 8888 show marks. */
void gcc_send_side_set_ecn (GccSendSide *self, gboolean is_on);

/* Sets the bytes of media that the pacer holds. */
void gcc_send_side_set_held (GccSendSide *self, gint64 bytes);

/* Whether they are to leave with it now, and what was seen of ECN. */
const GccSendSideEcn *gcc_send_side_get_ecn (const GccSendSide *self);

/* The transport-wide sequence number of the next packet. */
guint16 gcc_send_side_take_seq (GccSendSide *self);

/* The next @n numbers are those of packets of other senders. */
void gcc_send_side_skip_seqs (GccSendSide *self, guint64 n);

/* Whether @feedback covers a number of another sender. */
gboolean gcc_send_side_is_of_others (
    const GccSendSide *self, const GccTransportFeedback *feedback);

/* A packet leaves, with its number or without one. */
void gcc_send_side_feed_sent (
    GccSendSide *self, const GccSentPacket *packet, GccTime now);

/* Whether feedback has come since the start. */
gboolean gcc_send_side_has_feedback (const GccSendSide *self);

/* Whether it is not paused. */
gboolean gcc_send_side_is_running (const GccSendSide *self);

/**
 * gcc_send_side_feed_feedback:
 * @feedback: a message just parsed; it is read to its end
 *
 * Returns: %FALSE if it has no news about the sent packets
 */
gboolean gcc_send_side_feed_feedback (
    GccSendSide *self, GccTransportFeedback *feedback, GccTime now);

/* The same by a report of RFC 8888. */
gboolean gcc_send_side_feed_ccfb (
    GccSendSide *self, GccCcfb *report, GccTime now);

/* Whether it lowers the rate because packets leave and no feedback comes. */
gboolean gcc_send_side_is_unanswered (const GccSendSide *self);

/* The packets that have been sent so far were sent into a silence: their loss
 * tells nothing of the path after it. */
void gcc_send_side_excuse_loss (GccSendSide *self);

/* The packets of the last feedback with news that have arrived, in the order of
 * arrival; @n is how many. */
const GccPacketResult *gcc_send_side_get_arrived (
    const GccSendSide *self, guint *n);

/* Sets A_s, bit/s, the result of these rates and of all other bounds. */
void gcc_send_side_feed_target (GccSendSide *self, GccRate target, GccTime now);

/* When gcc_send_side_handle_timeout() has something to do. */
GccTime gcc_send_side_next_timeout (const GccSendSide *self);

/* Time has passed. Returns whether the rates may have changed. */
gboolean gcc_send_side_handle_timeout (GccSendSide *self, GccTime now);

const GccSendSideResult *gcc_send_side_get_result (const GccSendSide *self);

/* The lower of the delay based and the loss based rate, bit/s; less when the
 * round trip is too long. All headers count. */
GccRate gcc_send_side_get_rate (const GccSendSide *self);

/* Why that rate has changed last. */
GccReason gcc_send_side_get_reason (const GccSendSide *self);

/* The rate at which a drain in course ends, bit/s; %GCC_RATE_NONE where none is. */
GccRate gcc_send_side_get_rate_after_drain (const GccSendSide *self);

/* The share of payload in the sent bytes, without padding; 0 to 1. */
gdouble gcc_send_side_get_payload_share (const GccSendSide *self);

/* Feedback messages that have not arrived. */
guint64 gcc_send_side_get_n_lost (const GccSendSide *self);

/* Size from which on RTP packets are lost while smaller ones arrive, bytes; 0: there
 * is none. */
gsize gcc_send_side_get_large_limit (const GccSendSide *self);

/* The rates behind R(t), and the mean fraction lost by feedback, 0 to 1. */
GccArrivalRates gcc_send_side_get_arrival_rates (const GccSendSide *self);
gdouble gcc_send_side_get_average_loss (const GccSendSide *self);

/* When packets of probes leave. */
GccProber *gcc_send_side_get_prober (GccSendSide *self);

/* Pacing rate, bit/s. */
GccRate gcc_send_side_get_pacing_rate (const GccSendSide *self);

/* Rate that padding should reach where media is less, bit/s; 0 is none, as
 * always where #GccSendSideParams.pads is %FALSE. */
GccRate gcc_send_side_get_padding_rate (const GccSendSide *self);

/* Whether no media should leave because too much is in flight; never where
 * #GccSendSideParams.holds_media is %FALSE. */
gboolean gcc_send_side_is_window_full (GccSendSide *self);

G_END_DECLS
