/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFullQueueParams:
 * @loss_memory: for so long a loss tells that the queue loses
 * @after: a queue that has not been empty and has gone on losing for so long is
 *   full, however short it is
 * @memory: for so long one full queue tells of the next, and a loss of others
 * @again: what arrives when it is full once more, as a share of what did the time
 *   before: less, and others have taken it
 */
typedef struct {
  GccTime loss_memory;
  GccTime after;
  GccTime memory;
  gdouble again;
} GccFullQueueParams;

/**
 * GccFullQueue:
 *
 * Whose a full queue is that is shorter than the path. TCP's windows are small
 * there, and less that is sent empties the queue whoever fills it: who does tells
 * the next time that it is full. Fields are private.
 */
typedef struct {
  const GccFullQueueParams *params;
  /* now */
  GccTime since;
  gdouble rate;
  guint n_rates;
  /* the last one */
  GccTime last;
  gdouble last_rate;
  /* losses */
  GccTime last_loss;
  GccTime last_empty_loss;
} GccFullQueue;

void gcc_full_queue_init (GccFullQueue *self, const GccFullQueueParams *params);

/**
 * gcc_full_queue_update:
 * @is_empty: whether the queue is
 * @acknowledged: what arrives, bit/s; %GCC_RATE_NONE while unknown
 *
 * Takes one feedback.
 */
void gcc_full_queue_update (GccFullQueue *self, gboolean is_empty,
    gboolean has_lost, GccRate acknowledged, GccTime now);

gboolean gcc_full_queue_is_full (const GccFullQueue *self, GccTime now);

/**
 * gcc_full_queue_is_others:
 *
 * While the queue is full. Each call is remembered for the next.
 *
 * Returns: whether others have taken what was left to them since the last call; a
 * path that loses with an empty queue, too, never tells that
 */
gboolean gcc_full_queue_is_others (GccFullQueue *self, GccTime now);

/* No queue has lost anything for @memory. */
gboolean gcc_full_queue_has_ended (const GccFullQueue *self, GccTime now);

G_END_DECLS
