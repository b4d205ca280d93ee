/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccRandomLossParams:
 * @n_reports: reports whose mean is taken, above 0; fewer suffice when the rate
 *   has meanwhile risen by 1 / @fall
 * @margin: loss above that of the path that still counts as the path's
 * @max_queueing: an RTT this much above its least is a queue, which may be the
 *   cause of the loss
 * @rtt_window: least time over which the least RTT is taken
 * @fall: after A_s has fallen to this share of its greatest, the loss of the
 *   path is measured anew
 */
typedef struct {
  guint n_reports;
  gdouble margin;
  GccTime max_queueing;
  GccTime rtt_window;
  gdouble fall;
} GccRandomLossParams;

/**
 * GccRandomLoss:
 *
 * Distinguishes random loss, which does not depend on the rate, from
 * congestion. The path itself causes the loss that also occurs at lower rates,
 * and without a queue. Fields are private.
 */
typedef struct {
  const GccRandomLossParams *params;
  GccWindowedMin least_rtt;
  GccTime rtt;
  guint n;
  gdouble mean;
  gdouble least;
  GccRate first_rate;
  GccRate max_rate;
} GccRandomLoss;

void gcc_random_loss_init (
    GccRandomLoss *self, const GccRandomLossParams *params);

void gcc_random_loss_feed_rtt (GccRandomLoss *self, GccTime rtt, GccTime now);

/**
 * gcc_random_loss_feed_loss:
 * @fraction_lost: fraction lost of a report, 0 to 1
 * @target: A_s, bit/s
 */
void gcc_random_loss_feed_loss (
    GccRandomLoss *self, gdouble fraction_lost, GccRate target);

/**
 * gcc_random_loss_explains:
 * @path_loss: loss of the path itself by a test, 0 to 1; 0: not known
 *
 * Returns: whether the recent loss is that of the path itself
 */
gboolean gcc_random_loss_explains (
    const GccRandomLoss *self, gdouble path_loss);

G_END_DECLS
