/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccOutageParams:
 * @min_gap: between the arrivals of two packets that are an outage if they
 *   were sent so much closer together; 0: there are none
 * @min_ratio: least ratio of the two: less is a queue that grows
 * @max_gap: a longer one is a silence, of which nobody knows the reason
 * @flushed: backlog that is left when it is over, ms
 * @max_flush: what is left of it so long after the outage is a queue
 * @max_time: so long after the outage that is not looked at any more
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
 * @GCC_OUTAGE_NONE: packets tell of the queue
 * @GCC_OUTAGE_ENDS: this packet is the first after an outage
 * @GCC_OUTAGE_FLUSH: what has waited meanwhile arrives
 * @GCC_OUTAGE_QUEUE: that takes so long that the queue has to be drained
 * @GCC_OUTAGE_FLUSHED: this packet is the first that tells of the queue again
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
 * Whether the path was interrupted: nothing arrived although packets were sent,
 * and then those arrive that have waited. Neither the delay nor the rate of that
 * time says what the path takes. Fields are private.
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
 * @departure: when the packet left, in 1 / @clock_rate s; wraps at 32 bits
 * @arrival: when it arrived
 */
GccOutageState gcc_outage_update (
    GccOutage *self, guint32 departure, guint32 clock_rate, GccTime arrival);

G_END_DECLS
