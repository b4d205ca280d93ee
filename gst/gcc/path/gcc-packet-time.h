/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPacketTimeParams:
 * @link_memory: time for which, about, a high R(t) counts as the rate of the
 *   link
 * @empty: a shorter time counts as none, because so short a queue counts as
 *   empty
 */
typedef struct {
  GccTime link_memory;
  GccTime empty;
} GccPacketTimeParams;

/**
 * GccPacketTime:
 *
 * The time that a packet takes on a slow link, which is no queue. Fields are
 * private.
 */
typedef struct {
  const GccPacketTimeParams *params;
  gdouble link_rate;
} GccPacketTime;

void gcc_packet_time_init (
    GccPacketTime *self, const GccPacketTimeParams *params);

/* Takes R(t), bit/s; %GCC_RATE_NONE while unknown. @passed is the time since the
 * last R(t). */
void gcc_packet_time_feed (
    GccPacketTime *self, GccRate received_rate, GccTime passed);

/* The time of a packet of @bytes beyond that of an empty queue; 0 on a fast link,
 * and while the link is not known. */
GccTime gcc_packet_time_get (const GccPacketTime *self, gsize bytes);

/* The part of @queueing, the delay of a packet of @bytes above the least, that is
 * not this time; not negative. */
GccTime gcc_packet_time_get_wait (
    const GccPacketTime *self, GccTime queueing, gsize bytes);

G_END_DECLS
