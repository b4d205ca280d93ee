/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccGrouping:
 * @GCC_GROUPING_FRAME: packets of one RTP timestamp: one video frame
 * @GCC_GROUPING_BURST: packets sent within #GccPacketGroupParams.burst_time,
 * and packets that left a queue back to back
 *
 * Which packets form one group.
 */
typedef enum {
  GCC_GROUPING_FRAME,
  GCC_GROUPING_BURST,
} GccGrouping;

/**
 * GccPacketGroupParams:
 * @grouping: which packets form one group
 * @burst_time: length of a group, and greatest gap within a burst
 * @max_burst: longest burst that may be merged into one group; 0 is no limit
 * @max_jump: jump of the arrival clock relative to the caller's clock at which
 *   grouping starts over; 0 is never
 * @max_reordered: consecutive groups with decreasing arrival times after which
 *   grouping starts over; 0 is never
 */
typedef struct {
  GccGrouping grouping;
  GccTime burst_time;
  GccTime max_burst;
  GccTime max_jump;
  guint max_reordered;
} GccPacketGroupParams;

/**
 * GccGroupDelta:
 * @departure_ms: T(i) - T(i-1), inter-departure time, ms; never negative
 * @arrival_ms: t(i) - t(i-1), inter-arrival time, ms
 * @size: ΔL(i), bytes
 *
 * The differences between two consecutive packet groups.
 */
typedef struct {
  gdouble departure_ms;
  gdouble arrival_ms;
  gint64 size;
} GccGroupDelta;

/**
 * GccGroup:
 *
 * Packets whose delay is measured as one.
 */
typedef struct {
  gboolean is_open;
  guint32 first_timestamp;
  guint32 last_timestamp;
  GccTime first_arrival;
  GccTime last_arrival;
  GccTime now;
  gint64 size;
} GccGroup;

/**
 * GccPacketGroup:
 *
 * Gathers the packets of one stream into groups, by video frame
 * (draft-alvestrand-rmcat-congestion-02, section 3.1) or by burst
 * (draft-ietf-rmcat-gcc-02, section 5.2), and computes the differences in time
 * and size between them. Fields are private.
 */
typedef struct {
  const GccPacketGroupParams *params;
  guint32 clock_rate;
  guint32 length;
  gdouble ms_per_tick;
  GccGroup current;
  GccGroup previous;
  guint n_reordered;
} GccPacketGroup;

void gcc_packet_group_init (
    GccPacketGroup *self, const GccPacketGroupParams *params);

/**
 * gcc_packet_group_update:
 * @timestamp: when the packet was sent, in 1 / @clock_rate s; wraps at 32 bits
 * @clock_rate: Hz, not 0; a new clock rate makes grouping start over
 * @arrival: when it arrived
 * @size: payload, bytes
 * @now: on the caller's clock, to detect jumps of the arrival clock
 * @delta: (out): differences between the last two complete groups
 *
 * Returns: %TRUE if this packet completes a group that has a predecessor
 */
gboolean gcc_packet_group_update (GccPacketGroup *self, guint32 timestamp,
    guint32 clock_rate, GccTime arrival, gsize size, GccTime now,
    GccGroupDelta *delta);

G_END_DECLS
