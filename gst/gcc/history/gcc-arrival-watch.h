/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-media-time.h>

G_BEGIN_DECLS

/**
 * GccArrivalWatchParams:
 * @after: a report that shows no new packet counts when packets have left for
 *   this long, and a round trip, since the last news
 * @min_packets: least number of packets that have left since then; fewer may
 *   all be lost by chance
 * @max_gap: greatest gap between two packets; a longer one is a pause, and
 *   counts as this
 * @decrease: factor of A_s while no packet arrives
 * @decrease_interval: time between decreases
 */
typedef struct {
  GccTime after;
  guint min_packets;
  GccTime max_gap;
  gdouble decrease;
  GccTime decrease_interval;
} GccArrivalWatchParams;

/**
 * GccArrivalWatch:
 * @is_failing: whether no packet arrives. Then nothing else should set the rate
 *
 * Notices that packets leave, and that reports show none that arrives: the
 * way back works, and the way there does not. A report is the evidence, so a
 * receiver that reports seldom is waited for, and from then on time lowers the
 * rate until news comes. Time counts only while packets leave: a source that
 * pauses has no news to wait for. The other fields are private.
 */
typedef struct {
  const GccArrivalWatchParams *params;
  GccMediaTime sent;
  GccTime waited;
  guint n_sent;
  GccTime next_decrease;
  gboolean is_failing;
} GccArrivalWatch;

void gcc_arrival_watch_init (
    GccArrivalWatch *self, const GccArrivalWatchParams *params);

/* A packet leaves. */
void gcc_arrival_watch_feed_sent (GccArrivalWatch *self, GccTime now);

/* Feedback shows a new packet that has arrived. */
void gcc_arrival_watch_feed_news (GccArrivalWatch *self, GccTime now);

/* A report shows no new packet. @rtt: round-trip time; %GCC_TIME_NONE if
 * unknown. */
void gcc_arrival_watch_feed_no_news (GccArrivalWatch *self, GccTime rtt);

/* When gcc_arrival_watch_handle_timeout() has something to do; %GCC_TIME_NONE
 * while there is nothing. The time is never in the future, because only a
 * packet that leaves makes the wait longer. */
GccTime gcc_arrival_watch_next_timeout (const GccArrivalWatch *self);

/* The rate to which @rate is lowered, bit/s; %GCC_RATE_NONE if it is not. */
GccRate gcc_arrival_watch_handle_timeout (GccArrivalWatch *self, GccRate rate);

G_END_DECLS
