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
 * @window: some packet of each such time finds what is left of the frame before
 * @min_queueing: what is left is a queue from here on
 * @empty_queueing: what the queue has to have been shorter than in between
 * @least_window: of the least delay, above which there is a queue: short, because
 *   clocks that differ by 100 ppm drift by 6 ms in a minute
 * @max_step: mean step from one window's least delay to the next that frames make
 *   at most; where it is more the path has jitter, and its delays tell nothing
 * @mean_steps: steps that this mean is of
 * @memory: for so long others may be there who have been noticed, or could have
 * @least_age: a queue that is as short as the least has been for so long is empty
 * @beta: share of R that A_r is lowered to
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
 * A queue that frames no longer leave empty. Where a packet group is a frame, the
 * over-use detector needs some hundred milliseconds to tell one that grows from a
 * large frame; but what the *first* packet of a frame has to wait for is none of
 * its own frame. It tells once of each such queue: one that does not become empty
 * after that is not ours, or the path is longer. Fields are private.
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

/* Others fill the queue: a packet is missing, or one that stands is theirs. */
void gcc_short_queue_feed_others (GccShortQueue *self, GccTime now);

/* They may: a longer queue stands. This is forgotten when the queue is as empty as
 * it ever is. */
void gcc_short_queue_feed_doubt (GccShortQueue *self, GccTime now);

/**
 * gcc_short_queue_update:
 * @queueing: delay of one packet above the least there has been
 * @least_since: since when it has been the least
 *
 * Takes one packet, in the order of arrival.
 *
 * Returns: whether such a queue has begun with it
 */
gboolean gcc_short_queue_update (
    GccShortQueue *self, GccTime queueing, GccTime least_since, GccTime now);

/* What the last update returned, until that has been heeded. */
gboolean gcc_short_queue_has_begun (const GccShortQueue *self);

/* A_r has been lowered for it. */
void gcc_short_queue_heed (GccShortQueue *self);

/* Whether one would be found now: others may be there, or the path have jitter. */
gboolean gcc_short_queue_is_watching (const GccShortQueue *self, GccTime now);

G_END_DECLS
