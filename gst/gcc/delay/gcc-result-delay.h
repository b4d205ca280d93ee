/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-arrival-filter.h>
#include <gst/gcc/delay/gcc-inter-arrival.h>
#include <gst/gcc/delay/gcc-overuse-detector.h>
#include <gst/gcc/delay/gcc-trendline.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/**
 * GccResultDelayParams:
 * @groups: packet groups
 * @trendline: (nullable): trend of the queueing delay
 * @filter: (nullable): arrival filter, in place of @trendline
 * @detector: over-use detector
 * @timeout: time without an arrival after which the detector starts afresh
 */
typedef struct {
  const GccInterArrivalParams *groups;
  const GccTrendlineParams *trendline;
  const GccArrivalFilterParams *filter;
  const GccOveruseDetectorParams *detector;
  GccTime timeout;
} GccResultDelayParams;

/**
 * GccResultDelay:
 *
 * The delay detector of a sender that measures: #GccDelayDetector is that of a
 * receiver.
 *
 * |[
 * results ─► groups ─► trendline, or arrival filter ─► m ─► over-use detector
 * ]|
 *
 * Fields are private, but @detector, which may be read.
 */
typedef struct {
  const GccResultDelayParams *params;
  GccInterArrival groups;
  GccTrendline trendline;
  GccArrivalFilter filter;
  GccOveruseDetector detector;
  gboolean had_overuse;
  GccTime last_arrival;
} GccResultDelay;

void gcc_result_delay_init (
    GccResultDelay *self, const GccResultDelayParams *params);

/* Starts afresh. */
void gcc_result_delay_restart (GccResultDelay *self);

/* Takes a packet that has arrived; its feedback came at @now. Returns whether it has
 * started afresh with it. */
gboolean gcc_result_delay_update (
    GccResultDelay *self, const GccPacketResult *packet, GccTime now);

/* The signal in force was @before and is @signal, which may differ from the
 * detector's. Returns whether the queue has drained that over-use came with: under-use
 * has ended. */
gboolean gcc_result_delay_feed_signal (
    GccResultDelay *self, GccSignal before, GccSignal signal);

G_END_DECLS
