/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/* Clusters that are measured at a time; a further one replaces the oldest. */
#define GCC_PROBE_ESTIMATOR_CLUSTERS 16

/**
 * GccProbeEstimatorParams:
 * @min_share: share of a cluster's packets, and of its bytes, that has to
 *   arrive
 * @max_interval: longest time in which a cluster may be sent, or received
 * @max_ratio: greatest received rate over sent rate; more is bunching on the
 *   path
 * @link_ratio: received rate over sent rate below which the link was the limit
 * @clear_delay: a packet whose delay exceeds the recent least delay by no more
 *   than this met no queue. If no packet of a complete cluster met one, the
 *   path takes the rate at which the cluster was sent. Otherwise a queue began
 *   at the first packet that was delayed, and only the packets from there on
 *   measure the link: a token bucket may have passed the packets before at
 *   once. 0: the lower of the sent and the received rate counts
 * @min_queued: least number of packets that met the queue; the first of them
 *   begins the measurement
 * @bucket: bytes that a token bucket passes at once, at most
 * @delay_window: the least delay is that of at least this long, and at most of
 *   twice that
 * @unnumbered_weight: share that counts of the bytes without a number that were
 *   sent between a cluster's packets: they take the same link
 * @utilization: share of the received rate that is the result where the link
 *   was the limit
 * @pause: a pause before a packet that is this many times the packet's time on
 *   the link has another cause than the link; 0: pauses are not looked at
 * @pause_share: least share of the measured time from which such a pause makes
 *   the result uncertain
 * @max_age: after its last arrival a cluster is forgotten
 */
typedef struct {
  gdouble min_share;
  GccTime max_interval;
  gdouble max_ratio;
  gdouble link_ratio;
  GccTime clear_delay;
  guint min_queued;
  gint64 bucket;
  GccTime delay_window;
  gdouble unnumbered_weight;
  gdouble utilization;
  gdouble pause;
  gdouble pause_share;
  GccTime max_age;
} GccProbeEstimatorParams;

typedef struct {
  gint id;
  guint n_packets;
  gint64 bytes;
  GccTime first_sent;
  GccTime last_sent;
  gint64 last_sent_bytes;
  GccTime first_arrival;
  gint64 first_arrival_bytes;
  GccTime last_arrival;
  GccTime longest_pause;
  gint64 bytes_after_pause;
  GccTime queued_since;
  gint64 queued_bytes;
  guint n_queued;
} GccProbeCluster;

/**
 * GccProbeEstimator:
 * @is_lower_bound: whether the last result is only a lower bound of the path's rate:
 *   packets arrive in clumps, and those of the cluster do not fill the measured time
 *
 * The rate at which clusters of probe packets went through. The other fields are private.
 */
typedef struct {
  const GccProbeEstimatorParams *params;
  guint next;
  GccWindowedMin delays;
  GccProbeCluster clusters[GCC_PROBE_ESTIMATOR_CLUSTERS];
  GccRate result;
  gboolean is_lower_bound;
} GccProbeEstimator;

void gcc_probe_estimator_init (
    GccProbeEstimator *self, const GccProbeEstimatorParams *params);

/**
 * gcc_probe_estimator_update:
 * @packet: a probe that has arrived; others are ignored
 *
 * Returns: the rate of the path by its cluster so far, bit/s, or %GCC_RATE_NONE
 */
GccRate gcc_probe_estimator_update (
    GccProbeEstimator *self, const GccPacketResult *packet);

/* Returns the last result, bit/s, and forgets it; %GCC_RATE_NONE if there was
 * none since. */
GccRate gcc_probe_estimator_fetch (GccProbeEstimator *self);

G_END_DECLS
