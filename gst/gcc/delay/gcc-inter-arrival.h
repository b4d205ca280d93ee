/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccInterArrivalParams:
 * @group_length: packets sent within this are one group
 * @tick: above 0; packets sent in the same tick of the sender's clock left
 *   together, and are never two groups. Send times finer than those of the
 *   source would tear the bursts of a pacer apart.
 * @max_burst_gap: greatest gap between arrivals within a burst
 * @max_burst: longest burst that is merged into one group, by arrival
 * @max_jump: jump of the arrivals ahead of the caller's clock, from one group
 *   to the next, at which the groups start afresh
 * @max_reordered: groups in a row with arrivals running backwards after which
 *   the groups start afresh
 */
typedef struct {
  GccTime group_length;
  GccTime tick;
  GccTime max_burst_gap;
  GccTime max_burst;
  GccTime max_jump;
  guint max_reordered;
} GccInterArrivalParams;

/**
 * GccInterArrivalDelta:
 * @departure: T(i) - T(i-1)
 * @arrival: t(i) - t(i-1), not negative
 * @size: ΔL(i), bytes
 *
 * The differences between the last packets of two consecutive groups.
 */
typedef struct {
  GccTime departure;
  GccTime arrival;
  gint64 size;
} GccInterArrivalDelta;

typedef struct {
  gboolean is_open;
  GccTime first_sent;
  GccTime last_sent;
  GccTime first_arrival;
  GccTime last_arrival;
  GccTime now;
  gint64 size;
} GccInterArrivalGroup;

/**
 * GccInterArrival:
 *
 * Gathers packets into groups by the sender's own send times. #GccPacketGroup
 * does so by timestamps on the wire. Fields are private.
 */
typedef struct {
  const GccInterArrivalParams *params;
  GccInterArrivalGroup current;
  GccInterArrivalGroup previous;
  guint n_reordered;
} GccInterArrival;

void gcc_inter_arrival_init (
    GccInterArrival *self, const GccInterArrivalParams *params);

/**
 * gcc_inter_arrival_update:
 * @sent: when the packet was sent
 * @arrival: when it arrived
 * @size: bytes
 * @now: when the feedback came
 * @delta: (out): differences between the last two complete groups
 *
 * Returns: %TRUE if this packet has completed a group that has a predecessor
 */
gboolean gcc_inter_arrival_update (GccInterArrival *self, GccTime sent,
    GccTime arrival, gsize size, GccTime now, GccInterArrivalDelta *delta);

G_END_DECLS
