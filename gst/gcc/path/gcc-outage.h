/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccOutageParams:
 * @min_gap: a gap between the arrivals of two packets is an outage when it is
 *   this much longer than the gap between their departures; 0: there are no
 *   outages
 * @min_ratio: least ratio of the two gaps; with less, a queue grows
 * @max_gap: a longer gap is a silence of unknown cause
 * @flushed: backlog at which the flush has ended, ms
 * @max_flush: a backlog that is left this long after the outage is a queue
 * @max_time: time after the outage for which the backlog is watched
 */
typedef struct {
  GccTime min_gap;
  gdouble min_ratio;
  GccTime max_gap;
  gdouble flushed;
  GccTime max_flush;
  GccTime max_time;
} GccOutageParams;

/**
 * GccOutageState:
 * @GCC_OUTAGE_NONE: packets show the queue
 * @GCC_OUTAGE_ENDS: this packet is the first after an outage
 * @GCC_OUTAGE_FLUSH: packets that waited during the outage arrive
 * @GCC_OUTAGE_QUEUE: the flush takes so long that the queue has to be drained
 * @GCC_OUTAGE_FLUSHED: this packet is the first that shows the queue again
 */
typedef enum {
  GCC_OUTAGE_NONE,
  GCC_OUTAGE_ENDS,
  GCC_OUTAGE_FLUSH,
  GCC_OUTAGE_QUEUE,
  GCC_OUTAGE_FLUSHED,
} GccOutageState;

/**
 * GccOutage:
 *
 * Detects an interrupted path: packets were sent and none arrived, and then the
 * waiting packets arrive. Neither delay nor rate of that time shows the
 * capacity of the path. Fields are private.
 */
typedef struct {
  const GccOutageParams *params;
  gboolean has_packets;
  gboolean is_flushing;
  guint32 last_departure;
  GccTime last_arrival;
  GccTime end;
  gdouble backlog_ms;
} GccOutage;

void gcc_outage_init (GccOutage *self, const GccOutageParams *params);

/**
 * gcc_outage_update:
 * @departure: departure of the packet, in 1 / @clock_rate s; wraps at 32 bits
 * @arrival: arrival of the packet
 */
GccOutageState gcc_outage_update (
    GccOutage *self, guint32 departure, guint32 clock_rate, GccTime arrival);

G_END_DECLS
