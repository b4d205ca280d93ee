/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-result-delay.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-congestion-window.h>
#include <gst/gcc/history/gcc-rtt-backoff.h>
#include <gst/gcc/history/gcc-sent-history.h>
#include <gst/gcc/loss/gcc-loss-estimate.h>
#include <gst/gcc/probe/gcc-probe-controller.h>
#include <gst/gcc/probe/gcc-probe-estimator.h>
#include <gst/gcc/probe/gcc-prober.h>
#include <gst/gcc/profiles/gcc-send-side-ecn-params.h>
#include <gst/gcc/profiles/gcc-send-side-rules-params.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>
#include <gst/gcc/rate/gcc-alr-detector.h>
#include <gst/gcc/rate/gcc-rate-control.h>

G_BEGIN_DECLS

/**
 * GccSendSideParams:
 * @history: what was sent, until feedback about it comes
 * @acknowledged: R(t), from feedback
 * @delay: delay detector
 * @rate_control: delay based rate
 * @probes: the result of a probe
 * @probe_controller: when to probe, and at which rate
 * @prober: when the packets of a probe leave
 * @alr: whether the application is the limit
 * @loss: loss based rate
 * @window: bytes in flight at most
 * @backoff: how a long round trip lowers the rate
 * @rules: (nullable): rules of the default; %NULL in published generations
 * @ecn: (nullable): the default's answer to ECN; %NULL in published generations
 * @overhead: bytes of a packet below RTP that take their share of the path: IP
 *   and UDP
 * @pads: whether padding fills the rate that media does not use while the loss
 *   based rate rises
 * @probe_floor: a probe lowers the rate no further than to this times R
 * @probes_lower: whether a probe may lower the rate at all
 * @holds_media: whether media waits while the congestion window is full
 * @update_interval: time between updates by time alone
 * @first_pacing_factor: pacing rate as a multiple of A_s, until feedback comes;
 *   with @rules also while A_s is at its maximum and the path has room
 * @pacing_factor: the same from then on
 *
 * The parameters of a generation whose sender measures, over transport-wide
 * feedback. Those of the stages are tables of their own.
 */
typedef struct {
  const GccSentHistoryParams *history;
  const GccAcknowledgedRateParams *acknowledged;
  GccResultDelayParams delay;
  const GccRateControlParams *rate_control;
  const GccProbeEstimatorParams *probes;
  const GccProbeControllerParams *probe_controller;
  const GccProberParams *prober;
  const GccAlrDetectorParams *alr;
  const GccLossEstimateParams *loss;
  const GccCongestionWindowParams *window;
  const GccRttBackoffParams *backoff;
  const GccSendSideRulesParams *rules;
  const GccSendSideEcnParams *ecn;
  gsize overhead;
  gdouble probe_floor;
  gboolean probes_lower;
  gboolean holds_media;
  gboolean pads;
  GccTime update_interval;
  gdouble first_pacing_factor;
  gdouble pacing_factor;
} GccSendSideParams;

G_END_DECLS
