/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccSlowerLinkParams:
 * @n_gaps: so many gaps in a row tell at least
 * @share: of R(t) and A_r, the lower of the two, that the packets come at in such
 *   a gap at most; below 1
 * @min_size: of a packet whose gap tells, bytes: with a smaller one a single packet of
 *   others that came in between makes it long
 * @chance: a row tells that chance would make in this share of all gaps at most
 * @first_slow: share of gaps that are so long by chance, before any has told
 * @mean_gaps: gaps that this share is measured over
 * @min_queueing: the last packet of a row has waited for so long: what a frame takes
 *   to leave an encoder that delivers it in parts does not add up
 * @max_age: from the first gap of a row to the last
 * @max_drain: its queue is gone by then
 * @beta: share of what the link passes that A_r is lowered to
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
 * A link that has become slower, told by the gaps between packets of one frame.
 * These leave together, or paced at A_s or more, so that no gap is longer than the
 * link takes for the packet that ends it. Where each of the last gaps is much longer
 * than R(t) explains, what came in them is what the link passes now. The over-use
 * detector has to wait for the end of the frame, and the frame waits for the link.
 * What came in a gap is all of the session: streams whose frames leave at the same
 * time come alternately. Cross traffic comes between frames. Jitter makes some gaps
 * longer and others shorter: the more of them are long, the more it takes in a row.
 * Fields are private.
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
 * @timestamp: of RTP: the same for all packets of a frame
 * @size: payload, bytes
 * @received: payload of all streams so far, this packet's included, bytes
 * @queueing: how long the packet waited
 * @rate: the lower of R(t) and A_r, bit/s
 *
 * Takes one packet of a stream, in the order of arrival.
 *
 * Returns: what the link passes, bit/s, where that is so much less than @rate: this is
 * told once of each row of gaps; %GCC_RATE_NONE otherwise
 */
GccRate gcc_slower_link_update (GccSlowerLink *self, guint32 timestamp,
    gsize size, guint64 received, GccTime arrival, GccTime queueing,
    GccRate rate);

G_END_DECLS
