/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRecentLossParams:
 * @window: time over which losses are counted
 * @min_loss: least part of the packets of a window whose loss counts, 0 to 1
 * @min_queueing: least queueing at which it counts
 */
typedef struct {
  GccTime window;
  gdouble min_loss;
  GccTime min_queueing;
} GccRecentLossParams;

/**
 * GccRecentLoss:
 *
 * The packets that a receiver loses. A queue that is too short for over-use loses
 * packets in its place, and eq. (1) of the papers leaves the rate as it is up to a
 * tenth lost. A path that loses packets of itself does so without a queue, too.
 * Fields are private.
 */
typedef struct {
  const GccRecentLossParams *params;
  GccTime since;
  gint n_lost;
  gint n_arrived;
  gboolean is_much;
} GccRecentLoss;

/* @params must outlive it. */
void gcc_recent_loss_init (
    GccRecentLoss *self, const GccRecentLossParams *params);

/* A packet arrives, and @n_lost are missing just before it: -1 if it was missing
 * itself, because it comes late. */
void gcc_recent_loss_feed (GccRecentLoss *self, gint n_lost, GccTime now);

/* Whether the losses of the last window count where the least packet waits for
 * @queueing. */
gboolean gcc_recent_loss_counts (const GccRecentLoss *self, GccTime queueing);

/* They have been answered, and count no more. */
void gcc_recent_loss_answer (GccRecentLoss *self);

G_END_DECLS
