/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-arrival-watch.h>
#include <gst/gcc/history/gcc-feedback-watch.h>
#include <gst/gcc/loss/gcc-loss-params.h>
#include <gst/gcc/output/gcc-encoder-rate.h>
#include <gst/gcc/output/gcc-encoder-ratio.h>
#include <gst/gcc/output/gcc-fec-control.h>
#include <gst/gcc/output/gcc-key-requests.h>
#include <gst/gcc/output/gcc-pacer.h>
#include <gst/gcc/output/gcc-protection.h>
#include <gst/gcc/output/gcc-retransmission.h>
#include <gst/gcc/output/gcc-sent-rates.h>
#include <gst/gcc/output/gcc-target.h>
#include <gst/gcc/probe/gcc-remb-probe-detector.h>
#include <gst/gcc/profiles/gcc-receiver-params.h>
#include <gst/gcc/profiles/gcc-receiver-rules-params.h>
#include <gst/gcc/profiles/gcc-send-side-params.h>
#include <gst/gcc/rate/gcc-rate-control.h>
#include <gst/gcc/rate/gcc-received-rate.h>
#include <gst/gcc/report/gcc-feedback-trigger.h>
#include <gst/gcc/report/gcc-feedback-use.h>
#include <gst/gcc/report/gcc-loss-reporter.h>
#include <gst/gcc/report/gcc-remb-policy.h>

G_BEGIN_DECLS

/*
 * GccProfile:
 * @name: value of the `profile` property
 * @description: one sentence for gst-inspect-1.0
 * @delay: delay detector
 * @remb_probe: detection of the sender's probes
 * @received_rate: R(t)
 * @rate_control: rate controller
 * @receiver_rules: (nullable): rules of the default; %NULL in published generations
 * @receiver: time base of the receiving side, and when A_r is updated
 * @remb: when A_r is sent
 * @loss_reporter: when loss is reported
 * @feedback_use: whether the receiver sends transport-wide feedback
 * @feedback_trigger: when the receiver sends transport-wide feedback
 * @loss: loss controller
 * @feedback_watch: when feedback is silent, and by how much silence lowers A_s
 * @transport_watch: when transport-wide feedback is silent, so that REMB and
 *   reports take over
 * @target: when A_s follows a REMB up
 * @arrival_watch: (nullable): by how much A_s falls while reports show no packet
 *   that arrives, over either feedback; %NULL in published generations
 * @sent_rates: measured rates of what is sent
 * @protection: FEC and retransmission inside A_s
 * @fec: amount of FEC
 * @retransmission: which packets are retransmitted
 * @encoder_rate: when an encoder is set to a new rate
 * @encoder_ratio: (nullable): when an encoder is set to another rate than is wanted;
 *   %NULL in published generations
 * @key_requests: (nullable): how often key frames are requested; %NULL in published
 *   generations
 * @pacer: pacing
 * @send_side: (nullable): the sender's own estimate, over transport-wide
 *   feedback; %NULL in generations that have none
 *
 * All parameters of one published generation of the algorithm. A copy may be
 * changed; it must outlive the objects that were initialised with it.
 */
struct _GccProfile {
  const gchar *name;
  const gchar *description;
  GccDelayDetectorParams delay;
  GccRembProbeDetectorParams remb_probe;
  GccReceivedRateParams received_rate;
  GccRateControlParams rate_control;
  const GccReceiverRulesParams *receiver_rules;
  GccReceiverParams receiver;
  GccRembPolicyParams remb;
  GccLossReporterParams loss_reporter;
  GccFeedbackUseParams feedback_use;
  GccFeedbackTriggerParams feedback_trigger;
  GccLossParams loss;
  GccFeedbackWatchParams feedback_watch;
  GccFeedbackWatchParams transport_watch;
  GccTargetParams target;
  const GccArrivalWatchParams *arrival_watch;
  GccSentRatesParams sent_rates;
  GccProtectionParams protection;
  GccFecControlParams fec;
  GccRetransmissionParams retransmission;
  GccEncoderRateParams encoder_rate;
  const GccEncoderRatioParams *encoder_ratio;
  const GccKeyRequestsParams *key_requests;
  GccPacerParams pacer;
  const GccSendSideParams *send_side;
};

/* Each in a file of its own: profiles/gcc-profile-….c. */
extern const GccProfile gcc_profile_recommended;
extern const GccProfile gcc_profile_goog_2026;
extern const GccProfile gcc_profile_goog_2020;
extern const GccProfile gcc_profile_rtcweb_2013;
extern const GccProfile gcc_profile_rmcat_2016;
extern const GccProfile gcc_profile_rmcat_2016_eq_2;
extern const GccProfile gcc_profile_draft_gcc_02;

/* Of the default only. */
extern const GccReceiverRulesParams gcc_recommended_receiver_rules;
extern const GccArrivalWatchParams gcc_recommended_arrival_watch;

/* All of them. The default profile is the first. */
extern const GccProfile *const gcc_profiles[];
extern const guint gcc_n_profiles;

G_END_DECLS
