/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccOwnQueueParams:
 * @window: the least delay of this time is that of the empty path
 * @resolution: of arrival times
 * @min_gaps: least number of gaps between marked packets that measure the link
 * @min_time: and their least time
 */
typedef struct {
  GccTime window;
  GccTime resolution;
  guint min_gaps;
  GccTime min_time;
} GccOwnQueueParams;

/**
 * GccOwnQueue:
 *
 * Tells marks that this sender causes from others. A packet is in a queue of its
 * own flow if it comes to the link before the packet before it has left: its delay
 * is longer than the gap between the two arrivals. A packet that only waits
 * for one of another flow, as in a queue with a turn for each, is not. While all
 * packets are in the own queue, they arrive at the rate that the link has for
 * them. Fields are private.
 */
typedef struct {
  const GccOwnQueueParams *params;
  GccWindowedMin delay;
  GccTime arrival;
  gint64 seq;
  guint n_gaps;
  guint64 bytes;
  GccTime first;
} GccOwnQueue;

/**
 * GccOwnQueueNews:
 * @n_marked: packets with CE that were in the own queue
 * @wait: the longest queueing delay of them
 * @link: rate of the link, bit/s; %GCC_RATE_NONE where they measure none
 */
typedef struct {
  guint n_marked;
  GccTime wait;
  GccRate link;
} GccOwnQueueNews;

void gcc_own_queue_init (GccOwnQueue *self, const GccOwnQueueParams *params);

/* @results: packets that have arrived, in that order. */
GccOwnQueueNews gcc_own_queue_feed (GccOwnQueue *self,
    const GccPacketResult *results, guint n_results, GccTime now);

G_END_DECLS
