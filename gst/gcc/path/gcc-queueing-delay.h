/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/* Delays that differ by no more are the same. */
#define GCC_QUEUEING_DELAY_SAME (4 * GCC_MSECOND)

/**
 * GccQueueingDelay:
 *
 * How long the packets of one stream waited on their way: what their delay, by
 * two clocks that need not agree, is above the least there has been. Clocks drift
 * apart, so the least is that of some minutes. Fields are private.
 */
typedef struct {
  gboolean has_packets;
  guint32 last_departure;
  GccTime last_arrival;
  gdouble delay_ms;
  GccWindowedMin least;
  GccTime least_since;
} GccQueueingDelay;

void gcc_queueing_delay_init (GccQueueingDelay *self);

/**
 * gcc_queueing_delay_feed:
 * @departure: when the packet left, in 1 / @clock_rate s; wraps at 32 bits
 * @clock_rate: Hz, not 0
 * @arrival: when it arrived
 * @window: the least is that of this time, and at most of twice that
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: its queueing delay, not negative
 */
GccTime gcc_queueing_delay_feed (GccQueueingDelay *self, guint32 departure,
    guint32 clock_rate, GccTime arrival, GccTime window);

/* When the least delay was last lowered by more than %GCC_QUEUEING_DELAY_SAME. A
 * packet that finds the queue as short later finds it empty: of a queue that others
 * hold each low is another. */
GccTime gcc_queueing_delay_get_least_since (const GccQueueingDelay *self);

G_END_DECLS
