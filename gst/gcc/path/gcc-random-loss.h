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
 * @n_reports: reports whose mean is taken, above 0. Fewer tell of a rate that has risen by 1 / @fall meanwhile
 * @margin: loss above that of the path that is still explained by it
 * @max_queueing: an RTT this much above its least is a queue, which may be what
 *   loses packets
 * @rtt_window: the least RTT is that of at least this long
 * @fall: after A_s has fallen to this share of its greatest, the loss at the
 *   lower rate is learnt anew
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
 * Tells loss that does not depend on the rate from congestion: what was lost at
 * lower rates, too, and without a queue, is lost by the path itself. Fields are
 * private.
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
 * @fraction_lost: of a report, 0 to 1
 * @target: A_s, bit/s
 */
void gcc_random_loss_feed_loss (
    GccRandomLoss *self, gdouble fraction_lost, GccRate target);

/**
 * gcc_random_loss_explains:
 * @path_loss: what a test took for the path's own loss, 0 to 1; 0: not known
 *
 * Returns: whether the loss of late is that of the path itself
 */
gboolean gcc_random_loss_explains (
    const GccRandomLoss *self, gdouble path_loss);

G_END_DECLS
