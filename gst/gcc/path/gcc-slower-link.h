/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccSlowerLinkParams:
 * @n_gaps: least number of gaps in a row that show a slower link
 * @share: greatest rate of the packets in such a gap, as a share of the lower
 *   of R(t) and A_r; below 1
 * @min_size: least size of a packet whose gap counts, bytes: before a smaller
 *   packet, a single packet of another flow makes the gap long
 * @chance: greatest share of all gaps at which chance would cause such a row
 * @first_slow: share of gaps that are so long by chance, before it is measured
 * @mean_gaps: number of gaps over which this share is measured
 * @min_queueing: least queueing delay of the last packet of a row: the gaps of an
 *   encoder that delivers a frame in parts do not add up to a queue
 * @max_age: greatest time from the first gap of a row to the last
 * @max_drain: time after which the queue of the slower link is gone
 * @beta: A_r is lowered to this share of the rate of the link
 */
typedef struct {
  guint n_gaps;
  gdouble share;
  gsize min_size;
  gdouble chance;
  gdouble first_slow;
  gdouble mean_gaps;
  GccTime min_queueing;
  GccTime max_age;
  GccTime max_drain;
  gdouble beta;
} GccSlowerLinkParams;

/**
 * GccSlowerLink:
 *
 * Finds a link that has become slower by the gaps between packets of one frame.
 * These leave together, or paced at A_s or more, so that no gap is longer than
 * the link takes for the packet that ends it. When each of the last gaps is
 * much longer than R(t) explains, the bytes in them show the rate of the link.
 *
 * The over-use detector has to wait for the end of the frame, and the frame
 * waits for the link. The bytes in a gap are those of the whole session,
 * because packets of streams whose frames leave at the same time alternate.
 *
 * Cross traffic comes between frames. Jitter makes some gaps longer and others
 * shorter: the more of the gaps are long, the longer a row has to be. Fields
 * are private.
 */
typedef struct {
  const GccSlowerLinkParams *params;
  gboolean has_packet;
  guint32 timestamp;
  GccTime arrival;
  guint64 received;
  gdouble slow;
  /* the row, and the share of long gaps before it */
  guint n_gaps;
  guint64 bytes;
  GccTime duration;
  GccTime since;
  gdouble slow_before;
} GccSlowerLink;

void gcc_slower_link_init (
    GccSlowerLink *self, const GccSlowerLinkParams *params);

/**
 * gcc_slower_link_update:
 * @timestamp: RTP timestamp: the same for all packets of a frame
 * @size: payload of the packet, bytes
 * @received: payload of all streams so far, this packet's included, bytes
 * @queueing: queueing delay of the packet
 * @rate: the lower of R(t) and A_r, bit/s
 *
 * Takes one packet of a stream, in the order of arrival.
 *
 * Returns: the rate of the link, bit/s, when it is so much below @rate: once
 * for each row of gaps; %GCC_RATE_NONE otherwise
 */
GccRate gcc_slower_link_update (GccSlowerLink *self, guint32 timestamp,
    gsize size, guint64 received, GccTime arrival, GccTime queueing,
    GccRate rate);

G_END_DECLS
