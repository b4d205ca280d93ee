/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRembProbeDetectorParams:
 * @max_packets: number of last packets that are examined while they hold no
 *   cluster; 0 is no probing
 * @max_unpaced_size: packets up to this size are no probes, bytes
 * @duration: time after the first packet during which probes may raise an A_r
 *   that is already known
 * @min_gaps: least number of gaps in a cluster
 * @min_gap_ms: a shorter gap, on departure or arrival, means packets that left
 *   together; most gaps of a cluster must be longer, ms
 * @max_deviation_ms: deviation of a gap from the mean of its cluster,
 *   exclusive, ms
 * @max_growth_ms: mean by which gaps may be longer on arrival, ms
 * @max_drain_ms: mean by which gaps may be shorter on arrival, ms
 * @expected_clusters: number of clusters after which a new set of probes begins
 */
typedef struct {
  guint max_packets;
  gsize max_unpaced_size;
  GccTime duration;
  guint min_gaps;
  gdouble min_gap_ms;
  gdouble max_deviation_ms;
  gdouble max_growth_ms;
  gdouble max_drain_ms;
  guint expected_clusters;
} GccRembProbeDetectorParams;

/* Most probe packets that are examined: while there are clusters, the list
 * grows until it has the expected number of them. */
#define GCC_REMB_PROBE_DETECTOR_MAX_PACKETS 256

/**
 * GccRembProbeDetector:
 *
 * Finds, among the first packets of a session, the evenly paced bursts with
 * which a sender probes the path: a burst that arrives about as fast as it was
 * sent shows that the path carries its rate. It needs send times, not RTP
 * timestamps. Fields are private.
 */
typedef struct {
  const GccRembProbeDetectorParams *params;
  GccTime first_packet;
  struct {
    GccTime sent;
    GccTime arrival;
    gsize size;
  } packets[GCC_REMB_PROBE_DETECTOR_MAX_PACKETS];
  guint n_packets;
} GccRembProbeDetector;

void gcc_remb_probe_detector_init (
    GccRembProbeDetector *self, const GccRembProbeDetectorParams *params);

/**
 * gcc_remb_probe_detector_update:
 * @sent: when the packet was sent; only differences count
 * @arrival: when it arrived; only differences count
 * @size: payload, bytes
 * @estimate: A_r, bit/s, or %GCC_RATE_NONE
 *
 * Returns: the rate of the best probe if it is above @estimate, bit/s, else
 *   %GCC_RATE_NONE
 */
GccRate gcc_remb_probe_detector_update (GccRembProbeDetector *self,
    GccTime sent, GccTime arrival, gsize size, GccRate estimate, GccTime now);

G_END_DECLS
