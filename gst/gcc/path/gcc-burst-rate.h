/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/**
 * GccBurstRateParams:
 * @max_gap: greatest time from one packet of a burst to the next, as they leave
 * @min_bytes: a burst of less shows nothing
 * @takes: a burst that arrives at less than this share of the rate at which it
 *   has left has met a queue, 0 to 1
 * @memory: time in which bursts leave at the rate of the link, after one that met
 *   a queue
 * @raise: rate of the next burst at other times, over that of the last ones; above 1
 */
typedef struct {
  GccTime max_gap;
  gint64 min_bytes;
  gdouble takes;
  GccTime memory;
  gdouble raise;
} GccBurstRateParams;

/**
 * GccBurstRate:
 *
 * The rate at which the path takes a burst, such as a large frame. Each burst that
 * arrives as it left makes the next one faster. One that arrives later has met a
 * queue, and shows the rate of the link. Fields are private.
 */
typedef struct {
  const GccBurstRateParams *params;
  GccRate rate;
  GccTime limited;
  guint n_packets;
  gint64 bytes;
  gint64 first_bytes;
  GccTime first_sent;
  GccTime last_sent;
  GccTime first_arrival;
  GccTime last_arrival;
} GccBurstRate;

/* Nothing is known. @params must outlive it. */
void gcc_burst_rate_init (GccBurstRate *self, const GccBurstRateParams *params);

/* A packet has arrived, in the order of arrival. */
void gcc_burst_rate_feed (GccBurstRate *self, const GccPacketResult *packet);

/* The rate at which the next burst may leave, bit/s; 0 while nothing is known. */
GccRate gcc_burst_rate_get (const GccBurstRate *self);

G_END_DECLS
