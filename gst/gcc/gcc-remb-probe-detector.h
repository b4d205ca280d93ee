/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRembProbeDetectorParams:
 * @max_packets: that are looked back on; 0 is no probing
 * @max_unpaced_size: smaller packets and these are no probes, bytes
 * @duration: after the first packet, the time in which probes may raise an A_r
 *   that is known already
 * @min_gaps: between packets sent at one pace, least
 * @min_gap_ms: a gap below that, where it was sent or arrives, is none: packets
 *   that left together; most gaps must be real ones, ms
 * @max_deviation_ms: of a gap from their mean, exclusive, ms
 * @max_growth_ms: by which gaps may be longer on arrival, mean, ms
 * @max_drain_ms: by which gaps may be shorter on arrival, mean, ms
 * @expected_clusters: after which a new set of probes begins
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

/* Most probe packets that can be looked back on. */
#define GCC_REMB_PROBE_DETECTOR_MAX_PACKETS 16

/**
 * GccRembProbeDetector:
 *
 * Finds bursts that a sender has paced evenly, to probe the path, among the
 * first packets of a session: a burst that arrives about as fast as it was sent
 * shows that the path carries its rate. It needs send times, not RTP
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
