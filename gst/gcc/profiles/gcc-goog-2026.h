/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-inter-arrival.h>
#include <gst/gcc/delay/gcc-trendline.h>
#include <gst/gcc/history/gcc-congestion-window.h>
#include <gst/gcc/history/gcc-rtt-backoff.h>
#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/probe/gcc-prober.h>
#include <gst/gcc/profiles/gcc-send-side-params.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>
#include <gst/gcc/rate/gcc-alr-detector.h>
#include <gst/gcc/rate/gcc-bayesian-rate.h>

G_BEGIN_DECLS

/* The numbers of libwebrtc as of July 2026 (branch 7871) for the stages that
 * the sender runs over transport-wide feedback: C26. */
extern const GccSentHistoryParams gcc_goog_2026_sent_history;
extern const GccAcknowledgedRateParams gcc_goog_2026_acknowledged_rate;
extern const GccInterArrivalParams gcc_goog_2026_inter_arrival;
extern const GccTrendlineParams gcc_goog_2026_trendline;
extern const GccProbeEstimatorParams gcc_goog_2026_probe_estimator;
extern const GccAlrDetectorParams gcc_goog_2026_alr_detector;
extern const GccCongestionWindowParams gcc_goog_2026_congestion_window;
extern const GccRttBackoffParams gcc_goog_2026_rtt_backoff;
extern const GccProberParams gcc_goog_2026_prober;
extern const GccProbeControllerParams gcc_goog_2026_probe_controller;
extern const GccLossEstimateParams gcc_goog_2026_loss_estimate;
extern const GccBayesianRateParams gcc_goog_2026_bayesian_rate;
extern const GccOveruseDetectorParams gcc_goog_2026_overuse_detector;
extern const GccRateControlParams gcc_goog_2026_rate_control;

/* All of them together. */
extern const GccSendSideParams gcc_goog_2026_send_side;

G_END_DECLS
