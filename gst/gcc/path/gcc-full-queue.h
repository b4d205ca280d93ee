/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccFullQueueParams:
 * @loss_memory: time for which a loss shows that the queue loses packets
 * @after: a queue is full, however short, when it has been neither empty nor
 *   without loss for this long
 * @memory: time for which a full queue is compared with the next one, and for
 *   which a loss of other flows, or one from an empty queue, counts
 * @again: other flows hold the queue when the received rate in it is below this
 *   share of the received rate in the full queue before
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
 * Finds the holder of a full queue that is shorter than the path. TCP's windows
 * are small there, and the queue empties when this call sends less, whichever
 * flows fill it. The holder shows in the next full queue: other flows have then
 * taken a part of the rate. Fields are private.
 */
typedef struct {
  const GccFullQueueParams *params;
  /* the present queue */
  GccTime since;
  gdouble rate;
  guint n_rates;
  /* the full queue before */
  GccTime last;
  gdouble last_rate;
  /* losses */
  GccTime last_loss;
  GccTime last_empty_loss;
} GccFullQueue;

void gcc_full_queue_init (GccFullQueue *self, const GccFullQueueParams *params);

/* The queue has been drained: what is left of it is measured anew. */
void gcc_full_queue_begin (GccFullQueue *self, GccTime now);

/**
 * gcc_full_queue_update:
 * @is_empty: whether the queue is empty
 * @acknowledged: received rate, bit/s; %GCC_RATE_NONE while unknown
 *
 * Takes one feedback.
 */
void gcc_full_queue_update (GccFullQueue *self, gboolean is_empty,
    gboolean has_lost, GccRate acknowledged, GccTime now);

gboolean gcc_full_queue_is_full (const GccFullQueue *self, GccTime now);

/**
 * gcc_full_queue_is_others:
 *
 * To be called while the queue is full. Each call is remembered for the next.
 *
 * Returns: whether other flows have taken the rate that was left to them since
 * the last call; %FALSE on a path that loses packets from an empty queue, too
 */
gboolean gcc_full_queue_is_others (GccFullQueue *self, GccTime now);

/* Whether no queue has lost packets for @memory. */
gboolean gcc_full_queue_has_ended (const GccFullQueue *self, GccTime now);

G_END_DECLS
