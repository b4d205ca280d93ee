/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

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
 * @clear_delay: a packet that was not delayed by more than this over the least
 *   delay of late met no queue. A cluster that has arrived whole without met
 *   none and made none: the path takes the rate at which it was sent, whatever
 *   the sizes of its packets. Of another the first packet that was delayed
 *   tells when a queue began, and what is received from then on tells of the
 *   link; before that a token bucket passes packets at once, as many as it has
 *   saved up for. 0: the least of both rates counts
 * @min_queued: packets that met the queue, the first of which begins the
 *   measurement
 * @bucket: bytes that a token bucket has saved up for at most
 * @delay_window: the least delay is that of at least this long, and at most of
 *   twice that
 * @unnumbered_weight: share of the bytes without a number that counts, of those
 *   sent between a cluster's packets: they take the same link
 * @utilization: of the received rate that is the result then
 * @pause: so many times what the link takes for a packet the pause before it is
 *   none of the link's; 0: pauses are not looked at
 * @pause_share: of the time that is measured, which such a pause leaves uncertain
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
 *
 * The rate at which clusters of probe packets went through. Fields are private.
 */
typedef struct {
  const GccProbeEstimatorParams *params;
  guint next;
  GccTime window_start;
  GccTime least_delay;
  GccTime least_delay_before;
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
 * Returns: what its cluster tells of the path so far, bit/s, or %GCC_RATE_NONE
 */
GccRate gcc_probe_estimator_update (
    GccProbeEstimator *self, const GccPacketResult *packet);

/* The last result, bit/s, which is forgotten with that; %GCC_RATE_NONE if there
 * was none since. */
GccRate gcc_probe_estimator_fetch (GccProbeEstimator *self);

/* Whether the last result says only what the path takes at least: packets arrive
 * in clumps, and fewer of them are part of the cluster than the time is long. */
gboolean gcc_probe_estimator_is_lower_bound (const GccProbeEstimator *self);

G_END_DECLS
