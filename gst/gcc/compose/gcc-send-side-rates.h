/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-send-side-ecn.h>
#include <gst/gcc/compose/gcc-send-side-rules.h>
#include <gst/gcc/delay/gcc-result-delay.h>
#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/path/gcc-reason.h>
#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/profiles/gcc-send-side-params.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>
#include <gst/gcc/rate/gcc-rate-control.h>

G_BEGIN_DECLS

/**
 * GccSendSideResult:
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @delay_based: delay based rate, bit/s
 * @loss_based: loss based rate, bit/s; %GCC_RATE_NONE while loss is no limit
 * @signal: of the over-use detector
 * @loss_state: of the loss estimate
 * @competition: whether others hold the queue
 * @delay_reason: why @delay_based has changed last
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
  GccReason delay_reason;
  GccTime round_trip;
  GccTime queueing;
  GccTime noise;
  GccRate capacity;
  GccVerdict verdict;
  gdouble m_ms;
  gdouble gamma_ms;
  GccRate probe;
  guint64 n_probe_results;
} GccSendSideResult;

/**
 * GccSendSideInput:
 * @packets: (array length=n): the results: those that have arrived first, in the order
 *   of arrival
 * @n: how many; at least one
 * @n_arrived: how many have arrived, ...
 * @n_stale: ... the first of which are older than the arrivals of earlier feedback
 * @first: the first of them, in the order in which they were sent
 * @last: the last
 * @is_excused: whether all were sent into a silence, and their loss tells nothing
 * @round_trip: the shortest, not negative; %GCC_TIME_NONE: as before
 * @in_alr: whether the application is the limit
 * @reduction: by their marks, of gcc_send_side_ecn_feed()
 * @mean_size: of packets that are sent, bytes
 * @target: A_s, bit/s
 * @history: the packets that were sent
 * @controller: hears of the end of over-use, and of the outcome of its probes
 *
 * The results of one feedback message, and the state of the call that they meet.
 */
typedef struct {
  GccPacketResult *packets;
  guint n;
  guint n_arrived;
  guint n_stale;
  GccSentRecord first;
  GccSentRecord last;
  gboolean is_excused;
  GccTime round_trip;
  gboolean in_alr;
  gdouble reduction;
  gdouble mean_size;
  GccRate target;
  GccSentHistory *history;
  GccProbeController *controller;
} GccSendSideInput;

/**
 * GccSendSideRates:
 * @result: of the last feedback
 * @rules: the default's own, if the profile has any
 * @ecn: what marks tell
 * @acknowledged: R(t)
 * @loss: the loss estimate
 *
 * The way from the results of packets to the delay based and the loss based rate.
 *
 * |[
 * results ─┬► delay detector ──────────────────┐
 *          ├► R(t) ─────────────────────────┐  │
 *          ├► probe estimator ───────────► rate control
 *          └► loss estimate                 │
 *                  │      delay based rate ◄┴─ rules, marks
 *                  └► loss based rate
 * ]|
 *
 * The other fields are private.
 */
typedef struct {
  const GccSendSideParams *params;
  GccAcknowledgedRate acknowledged;
  GccResultDelay delay;
  GccRateControl rate_control;
  GccProbeEstimator probes;
  GccLossEstimate loss;
  GccSendSideRules rules;
  GccSendSideEcn ecn;
  GccRate min;
  gboolean streams_wait;
  /* when a stream resumed, until feedback covers a later packet */
  GccTime resumed;
  gboolean is_tested;
  GccSendSideResult result;
} GccSendSideRates;

/* Rates in bit/s: @min is the least that is sent, @rate the first. */
void gcc_send_side_rates_init (GccSendSideRates *self,
    const GccSendSideParams *params, GccRate min, GccRate rate, GccTime now);

/* Continues from @rate, bit/s, as if it had always been the estimate. */
void gcc_send_side_rates_restart (
    GccSendSideRates *self, GccRate rate, GccTime now);

void gcc_send_side_rates_set_min (GccSendSideRates *self, GccRate min);

/* Whether streams wait for a greater rate, as layers that are paused. */
void gcc_send_side_rates_set_streams_wait (
    GccSendSideRates *self, gboolean wait);

/* A stream that waited is sent from @now on. R(t) of the time before does not count. */
void gcc_send_side_rates_feed_resumption (GccSendSideRates *self, GccTime now);

/* Takes the results of one feedback, which came at @now. */
void gcc_send_side_rates_update (
    GccSendSideRates *self, const GccSendSideInput *input, GccTime now);

/* The limit of the rate, for the probe controller. @in_alr: as in #GccSendSideInput */
GccRateLimit gcc_send_side_rates_get_limit (
    const GccSendSideRates *self, gboolean in_alr);

/* The rate at which a drain in course ends, bit/s; %GCC_RATE_NONE where none is. */
GccRate gcc_send_side_rates_get_rate_after_drain (const GccSendSideRates *self);

G_END_DECLS
