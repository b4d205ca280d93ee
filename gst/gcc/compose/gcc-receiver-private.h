/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-receiver-rules.h>
#include <gst/gcc/compose/gcc-receiver-streams.h>
#include <gst/gcc/compose/gcc-time-base.h>
#include <gst/gcc/compose/gcc-update-times.h>
#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/probe/gcc-remb-probe-detector.h>
#include <gst/gcc/rate/gcc-rate-control.h>
#include <gst/gcc/rate/gcc-received-rate.h>
#include <gst/gcc/report/gcc-remb-policy.h>

G_BEGIN_DECLS

/* The stages are embedded, so that nothing is allocated for them but the streams. Fields are
 * private to gcc-receiver.c. */
struct _GccReceiver {
  const GccProfile *profile;
  GccReceiverStreams streams;
  gboolean has_packets;
  GccTimeBase time_base;
  GccDelayDetector shared_delay;
  GccReceiverRules rules;
  GccRembProbeDetector probes;
  GccTime last_arrival;
  gboolean rate_is_known;
  GccReceivedRate received_rate;
  GccRateControl rate_control;
  GccRembPolicy remb_policy;
  GccUpdateTimes times;
  GccReceiverStats stats;
};

/* As gcc_receiver_new() and _free(), for a receiver embedded in another
 * struct. */
void gcc_receiver_init (GccReceiver *self, const GccProfile *profile);
void gcc_receiver_clear (GccReceiver *self);

G_END_DECLS
