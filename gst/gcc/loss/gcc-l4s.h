/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccL4sParams:
 * @first: α before the first round, 0 to 1
 * @gain: g, weight of a round in α, 0 to 1
 * @reduction: share of α by which a round with a mark lowers the rate, 0 to 1
 * @queueing: a longer queue is not that of an L4S queue
 * @classic: share by which a mark of such a queue lowers the rate at least,
 *   0 to 1
 * @quiet: after this time without a mark the link may take more ...
 * @approach: ... but after this one while the rate has not left the limit by twice
 *   @flat: growth is on its way to the next mark
 * @packets: packets by which the rate grows in a round trip
 * @min_round: a shorter round trip counts as long
 * @flat: distance from the rate that was marked, as a share of it, within which
 *   growth is least
 * @least: growth there, as a share of the rate, 1/s
 * @episode: marks that come so soon after others are of the same queue
 */
typedef struct {
  gdouble first;
  gdouble gain;
  gdouble reduction;
  GccTime queueing;
  gdouble classic;
  GccTime quiet;
  GccTime approach;
  gdouble packets;
  GccTime min_round;
  gdouble flat;
  gdouble least;
  GccTime episode;
} GccL4sParams;

/**
 * GccL4s:
 * @alpha: α, 0 to 1
 *
 * The answer of a scalable congestion control to CE marks (RFC 9331,
 * section 4.3): α follows the share of marked packets, and a round trip with a
 * mark lowers the rate by a half of α, once (RFC 8257, section 3.3). A
 * round trip has passed when a packet is reported that left after it began. The
 * rate grows by a packet in a round trip, but slowly near the rate that was marked
 * last, and not by a report that lowers it. The other fields are private.
 */
typedef struct {
  const GccL4sParams *params;
  gdouble alpha;
  gdouble unmarked;
  GccTime round;
  guint n_marked;
  guint n_packets;
  GccTime lowered;
  GccTime marked;
  GccRate limit;
  GccTime limited;
} GccL4s;

/**
 * GccL4sInput:
 * @n_packets: packets with ECT(1) of one report that have arrived
 * @n_marked: those of them with CE
 * @sent: when the last of the former left
 * @marked: when the last of the latter left
 * @queueing: the queue of the path; %GCC_TIME_NONE while unknown
 */
typedef struct {
  guint n_packets;
  guint n_marked;
  GccTime sent;
  GccTime marked;
  GccTime queueing;
} GccL4sInput;

/**
 * GccL4sGrowth:
 * @speed: by how much a rate grows, bit/s per s
 * @end: the rate where growth becomes flat; %GCC_RATE_NONE where it is at or beyond
 *   that, or none is known
 */
typedef struct {
  gdouble speed;
  GccRate end;
} GccL4sGrowth;

void gcc_l4s_init (GccL4s *self, const GccL4sParams *params);

/**
 * gcc_l4s_update:
 *
 * Takes one report.
 *
 * Returns: share by which the rate is to be lowered now, 0 to 1; mostly 0
 */
gdouble gcc_l4s_update (GccL4s *self, const GccL4sInput *input, GccTime now);

/* A queue of this flow has been marked at @rate; @link: what the link has for it;
 * %GCC_RATE_NONE while unknown. */
void gcc_l4s_feed_limit (GccL4s *self, GccRate rate, GccRate link, GccTime now);

/* How @rate, bit/s, grows. @packet: size of packets, bytes */
GccL4sGrowth gcc_l4s_get_growth (
    const GccL4s *self, GccRate rate, gdouble packet, GccTime round_trip);

/* Whether marks have shown of late that the link is full at @rate. */
gboolean gcc_l4s_is_marked (const GccL4s *self, GccRate rate, GccTime now);

G_END_DECLS
