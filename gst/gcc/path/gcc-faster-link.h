/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-packet-train.h>

G_BEGIN_DECLS

/* Number of trains that show the rate of the link. */
#define GCC_FASTER_LINK_TRAINS 8

/**
 * GccFasterLinkParams:
 * @train: packets of one frame
 * @max_age: greatest age of the trains that show the rate of the link
 * @growth: least ratio of two rates of the link that differ
 * @proof: trains have to show the same limit this long after over-use, when a
 *   token bucket would have filled
 * @share: greatest A_r after a raise, as a share of the rate of the link
 * @raise: greatest A_r after a raise, as a multiple of A_r before it
 * @wait: time from one raise to the next; three times as long each time that
 *   trains showed a faster link that does not exist
 * @max_wait: greatest time from one raise to the next
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
 * Finds a link that has become faster since over-use showed its limit: the
 * packets of each frame arrive in less time than they did then. Without probes,
 * nothing else shows such a link before A_r has grown beyond the limit.
 *
 * Other flows on the link make no difference, because only the time from one
 * packet to the next is compared. Fields are private.
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

/* Over-use at @received_rate, R(t): the present rate of the link is its
 * limit. */
void gcc_faster_link_feed_limit (
    GccFasterLink *self, GccRate received_rate, GccTime now);

/* Greatest rate of the link by the last trains, bit/s; %GCC_RATE_NONE: there
 * are too few trains. */
GccRate gcc_faster_link_get_most (const GccFasterLink *self, GccTime now);

/* Greatest first A_r by the first trains, bit/s: at least @received_rate, R(t),
 * and at most that rate raised once. */
GccRate gcc_faster_link_get_start (
    const GccFasterLink *self, GccRate received_rate);

/**
 * gcc_faster_link_update:
 * @estimate: A_r, bit/s
 *
 * Takes the rates of one train, in the order of arrival.
 *
 * Returns: the A_r to which the link allows a raise at once, bit/s, when the
 * link is faster than its limit: once for each limit; %GCC_RATE_NONE otherwise
 */
GccRate gcc_faster_link_update (GccFasterLink *self, const GccTrainRates *train,
    GccRate estimate, GccTime now);

G_END_DECLS
