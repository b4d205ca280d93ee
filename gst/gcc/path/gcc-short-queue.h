/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-delay-range.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccShortQueueParams:
 * @window: length of a window: some packet in each waits only for the rest of
 *   the frame before it
 * @min_queueing: least such rest that is a queue
 * @empty_queueing: the queue has to be this short between one short queue and
 *   the next
 * @least_window: time over which the least delay is taken, above which there is
 *   a queue: short, because clocks that differ by 100 ppm drift by 6 ms in a
 *   minute
 * @max_step: greatest mean step from the least delay of one window to that of
 *   the next, as frames cause it; with more, the path has jitter, and its
 *   delays do not count
 * @mean_steps: number of steps in this mean
 * @memory: time for which other flows that were noticed, or could have been,
 *   may still be there
 * @least_age: a queue as short as the least is empty when the least has stood
 *   for this long
 * @beta: A_r is lowered to this share of R
 */
typedef struct {
  GccTime window;
  GccTime min_queueing;
  GccTime empty_queueing;
  GccTime least_window;
  GccTime max_step;
  gdouble mean_steps;
  GccTime memory;
  GccTime least_age;
  gdouble beta;
} GccShortQueueParams;

/**
 * GccShortQueue:
 *
 * Finds a queue that frames no longer leave empty. Where a packet group is a
 * frame, the over-use detector needs some hundred milliseconds to distinguish a
 * queue that grows from a large frame. The *first* packet of a frame does not
 * wait for its own frame, so its delay shows the queue earlier.
 *
 * Each such queue is reported once. If it does not become empty after that,
 * other flows hold it, or the path is longer. Fields are private.
 */
typedef struct {
  const GccShortQueueParams *params;
  GccWindowedMin least;
  GccDelayRange window;
  GccTime shortest;
  gdouble mean_step;
  gboolean was_empty;
  gboolean has_begun;
  GccTime last_others;
  GccTime last_doubt;
} GccShortQueue;

void gcc_short_queue_init (
    GccShortQueue *self, const GccShortQueueParams *params);

/* Other flows fill the queue: a packet is missing, or a standing queue is
 * theirs. */
void gcc_short_queue_feed_others (GccShortQueue *self, GccTime now);

/* Other flows may fill the queue, because a longer queue stands. This is
 * forgotten when the queue is as short as its least. */
void gcc_short_queue_feed_doubt (GccShortQueue *self, GccTime now);

/**
 * gcc_short_queue_update:
 * @queueing: delay of one packet above the least so far
 * @least_since: time since which that delay has been the least
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: whether a short queue has begun with this packet
 */
gboolean gcc_short_queue_update (
    GccShortQueue *self, GccTime queueing, GccTime least_since, GccTime now);

/* The result of the last update, until gcc_short_queue_heed(). */
gboolean gcc_short_queue_has_begun (const GccShortQueue *self);

/* A_r has been lowered because of the queue. */
void gcc_short_queue_heed (GccShortQueue *self);

/* Whether a short queue would be found now: it would not while other flows may
 * be there, or while the path has jitter. */
gboolean gcc_short_queue_is_watching (const GccShortQueue *self, GccTime now);

G_END_DECLS
