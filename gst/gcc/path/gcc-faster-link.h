/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-packet-train.h>

G_BEGIN_DECLS

/* So many trains tell of the link. */
#define GCC_FASTER_LINK_TRAINS 8

/**
 * GccFasterLinkParams:
 * @train: packets of one frame
 * @max_age: trains of so long tell of the link
 * @growth: of what the link passes, from which on it is another
 * @proof: of over-use, after which trains still have to tell of the same limit: by
 *   then a token bucket has filled
 * @share: of what it passes that A_r may be at once
 * @raise: times A_r that it may be at once
 * @wait: from one raise to the next, and three times as long each time that trains
 *   told of a faster link where there was none
 * @max_wait: longest of those
 */
typedef struct {
  GccPacketTrainParams train;
  GccTime max_age;
  gdouble growth;
  GccTime proof;
  gdouble share;
  gdouble raise;
  GccTime wait;
  GccTime max_wait;
} GccFasterLinkParams;

/**
 * GccFasterLink:
 *
 * A link that has become faster since over-use told of its limit, as the packets of
 * each frame arrive in less time than they did then. Without probes nothing else
 * tells so before A_r has crept beyond that limit. Other flows on the link make no
 * difference: all that is compared is how fast it passes one packet after the other.
 * Fields are private.
 */
typedef struct {
  const GccFasterLinkParams *params;
  GccTrainRates trains[GCC_FASTER_LINK_TRAINS];
  GccTime times[GCC_FASTER_LINK_TRAINS];
  guint n_trains;
  guint next;
  GccRate limit;
  GccTime limited_since;
  gboolean is_proved;
  GccRate received_rate;
  GccRate raised_from;
  GccTime quiet_since;
  GccTime wait;
} GccFasterLink;

void gcc_faster_link_init (
    GccFasterLink *self, const GccFasterLinkParams *params);

/* Over-use at @received_rate, R(t): what the link passes now is its limit. */
void gcc_faster_link_feed_limit (
    GccFasterLink *self, GccRate received_rate, GccTime now);

/* It has become slower, and passes @rate, bit/s, now: this is its limit. */
void gcc_faster_link_feed_slower (
    GccFasterLink *self, GccRate rate, GccTime now);

/* What the link passes at most, as the last trains tell, bit/s; %GCC_RATE_NONE: they
 * are too few. */
GccRate gcc_faster_link_get_most (const GccFasterLink *self, GccTime now);

/* What the first A_r may be as the first trains were as fast as they were, bit/s: not
 * less than @received_rate, R(t), nor more than that raised once. */
GccRate gcc_faster_link_get_start (
    const GccFasterLink *self, GccRate received_rate);

/**
 * gcc_faster_link_update:
 * @estimate: A_r, bit/s
 *
 * Takes what one train tells, in the order of arrival.
 *
 * Returns: what A_r may be at once, bit/s, where the link is faster than that limit:
 * this is told once of each limit; %GCC_RATE_NONE otherwise
 */
GccRate gcc_faster_link_update (GccFasterLink *self, const GccTrainRates *train,
    GccRate estimate, GccTime now);

G_END_DECLS
