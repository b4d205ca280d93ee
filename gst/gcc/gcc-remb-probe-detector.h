/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

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
  const GccRembProbeParams *params;
  GccTime first_packet;
  struct {
    GccTime sent;
    GccTime arrival;
    gsize size;
  } packets[GCC_REMB_PROBE_DETECTOR_MAX_PACKETS];
  guint n_packets;
} GccRembProbeDetector;

void gcc_remb_probe_detector_init (
    GccRembProbeDetector *self, const GccProfile *profile);

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
