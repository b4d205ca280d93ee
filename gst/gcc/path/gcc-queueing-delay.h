/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccQueueingDelay:
 *
 * The queueing delay of the packets of one stream: their delay, by two clocks
 * that need not agree, less the least delay so far. The least is that of some
 * minutes, because clocks drift apart. Fields are private.
 */
typedef struct {
  gboolean has_packets;
  guint32 last_departure;
  GccTime last_arrival;
  gdouble delay_ms;
  GccWindowedMin least;
} GccQueueingDelay;

void gcc_queueing_delay_init (GccQueueingDelay *self);

/**
 * gcc_queueing_delay_feed:
 * @departure: departure of the packet, in 1 / @clock_rate s; wraps at 32 bits
 * @clock_rate: Hz, not 0
 * @arrival: arrival of the packet
 * @window: the least delay is that of this time, and at most of twice this time
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: the queueing delay of the packet, not negative
 */
GccTime gcc_queueing_delay_feed (GccQueueingDelay *self, guint32 departure,
    guint32 clock_rate, GccTime arrival, GccTime window);

G_END_DECLS
