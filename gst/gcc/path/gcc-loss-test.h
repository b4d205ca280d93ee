/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-experiment.h>

G_BEGIN_DECLS

/**
 * GccLossTestTriggerParams:
 * @min_loss: fraction lost from which a test begins, 0 to 1
 * @min_losses: least number of packets lost before it, and least number that the
 *   path would have lost in it, for a result
 * @after: time before it, no second of which is without loss
 * @growth: no test begins when A_s has grown by this factor in that time: a
 *   test would hold up the growth, which a path with random loss allows
 * @interval: time to the next test after the first one that found a path that
 *   loses without a queue; three times as long each time that a test finds it
 *   again
 * @max_interval: greatest such time
 *
 * When a test begins.
 */
typedef struct {
  gdouble min_loss;
  guint min_losses;
  GccTime after;
  gdouble growth;
  GccTime interval;
  GccTime max_interval;
} GccLossTestTriggerParams;

/**
 * GccLossTestParams:
 * @trigger: when a test begins
 * @share: share of A_s that is sent during a test, 0 to 1; below 1
 * @duration: duration of a test; twice as long where packets are few. The feedback
 *   that still covers the time before the fall is a small part of it
 * @same: the path loses the packets when the loss at the lower rate is at
 *   least this share of the loss before it
 * @max_loss: greatest fraction lost that counts as that of the path, 0 to 1: a
 *   greater one may come from a rate far above the capacity
 * @own_share: share of the received rate that is sent at most where the link
 *   takes no more, 0 to 1
 * @own_duration: time for which that is the most
 */
typedef struct {
  GccLossTestTriggerParams trigger;
  gdouble share;
  GccTime duration;
  gdouble same;
  gdouble max_loss;
  gdouble own_share;
  GccTime own_duration;
} GccLossTestParams;

/**
 * GccLossTest:
 * @most: upper bound of A_s, bit/s; %GCC_RATE_NONE: the test sets none
 * @is_testing: whether less is sent, to see whether less is lost
 * @experiment: the last test
 *
 * Finds the cause of loss where a queue is too short to be seen, as at a policer.
 * Less is sent for a while. A path that loses by itself loses as much as before.
 *
 * The other fields are private.
 */
typedef struct {
  const GccLossTestParams *params;
  GccExperiment experiment;
  gboolean is_testing;
  GccRate most;
  GccTime most_since;
  GccRate rate_before;
  gdouble loss_before;
  GccTime last_path;
  GccTime interval;
  /* what has become of packets, and A_s, since the count began */
  GccTime since;
  guint n_lost;
  guint n_arrived;
  GccRate first;
  GccTime last_loss;
} GccLossTest;

void gcc_loss_test_init (GccLossTest *self, const GccLossTestParams *params);

/**
 * gcc_loss_test_feed:
 * @n_lost, @n_arrived: packets that a feedback shows as lost, and as arrived
 * @target: A_s, bit/s
 *
 * Returns: A_s before a test that this feedback has ended, bit/s, when the lower
 * rate did not help because the path loses packets at any rate; otherwise
 * %GCC_RATE_NONE
 */
GccRate gcc_loss_test_feed (GccLossTest *self, guint n_lost, guint n_arrived,
    GccRate target, GccTime now);

G_END_DECLS
