/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-packet-result.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Clusters that are measured at a time; the oldest gives way. */
#define GCC_PROBE_ESTIMATOR_CLUSTERS 16

/**
 * GccProbeEstimatorParams:
 * @min_share: of a cluster's packets and of its bytes that have to arrive
 * @max_interval: longest time in which a cluster may be sent, or received
 * @max_ratio: greatest received rate over sent rate; more is bunching on the
 *   path
 * @link_ratio: received rate over sent rate below which the link was the limit
 * @compares_times: whether the time to receive the cluster over that to send it
 *   tells whether the link was the limit; else the rates do, which differ with
 *   the sizes of the first and the last packet
 * @utilization: of the received rate that is the result then
 * @max_age: after its last arrival a cluster is forgotten
 */
typedef struct {
  gdouble min_share;
  GccTime max_interval;
  gdouble max_ratio;
  gdouble link_ratio;
  gboolean compares_times;
  gdouble utilization;
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
} GccProbeCluster;

/**
 * GccProbeEstimator:
 *
 * The rate at which clusters of probe packets went through. Fields are private.
 */
typedef struct {
  const GccProbeEstimatorParams *params;
  guint next;
  GccProbeCluster clusters[GCC_PROBE_ESTIMATOR_CLUSTERS];
  GccRate result;
} GccProbeEstimator;

void gcc_probe_estimator_init (
    GccProbeEstimator *self, const GccProbeEstimatorParams *params);

/**
 * gcc_probe_estimator_update:
 * @packet: a probe that has arrived; others are ignored
 *
 * Returns: what its cluster tells of the path so far, bit/s, or %GCC_RATE_NONE
 */
GccRate gcc_probe_estimator_update (
    GccProbeEstimator *self, const GccPacketResult *packet);

/* The last result, bit/s, which is forgotten with that; %GCC_RATE_NONE if there
 * was none since. */
GccRate gcc_probe_estimator_fetch (GccProbeEstimator *self);

G_END_DECLS
