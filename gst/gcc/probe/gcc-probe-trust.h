/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccProbeTrust:
 *
 * The share of a probe's result that counts. A token bucket lets a cluster pass
 * faster than the link, and a link that fades was faster when the cluster came.
 * Then over-use follows the raise, and R(t) shows what the result was worth.
 * The next results count for that share, until the link has carried more.
 *
 * Over-use may also have another cause, such as a link that has become slower
 * just then. So the share grows to its square root each time that a while has
 * passed without another such raise. Fields are private.
 */
typedef struct {
  gdouble share;
  /* the result that @share is of, and the one that is not yet judged, bit/s */
  GccRate refuted;
  GccRate result;
  /* when @share was last set, or grew with time */
  GccTime since;
} GccProbeTrust;

void gcc_probe_trust_init (GccProbeTrust *self);

/**
 * gcc_probe_trust_weigh:
 * @result: of a probe, bit/s
 * @before: the rate before the probe, bit/s
 * @acknowledged: R(t), bit/s; %GCC_RATE_NONE while unknown
 * @memory: time after which the share grows
 *
 * Returns: the share of @result that counts, bit/s, and not less than @before. A
 * result below @before counts in full.
 */
GccRate gcc_probe_trust_weigh (GccProbeTrust *self, GccRate result,
    GccRate before, GccRate acknowledged, GccTime memory, GccTime now);

/* Over-use has followed the raise by the last result, at @acknowledged, R(t), in
 * bit/s; %GCC_RATE_NONE while unknown. */
void gcc_probe_trust_feed_overuse (
    GccProbeTrust *self, GccRate acknowledged, GccTime now);

G_END_DECLS
