/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/path/gcc-experiment.h>

G_BEGIN_DECLS

/**
 * GccLossTestTriggerParams:
 * @min_loss: mean fraction lost from which a test begins, 0 to 1
 * @after: time before a test in which each report has loss
 * @max_gap: a report that comes this long after the one before follows an
 *   outage, and its loss has another cause than A_s
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
  GccTime after;
  GccTime max_gap;
  gdouble growth;
  GccTime interval;
  GccTime max_interval;
} GccLossTestTriggerParams;

/**
 * GccLossTestFallParams:
 * @share: share of A_s that is sent during a test, 0 to 1; below 1
 * @settles: time after the fall whose reports cover the time before it, and do
 *   not count
 * @min_duration: least duration of a test, including @settles
 * @max_duration: greatest duration of a test; without a result by then, the
 *   loss counts as that of the path
 *
 * How much less is sent in a test, and for how long.
 */
typedef struct {
  gdouble share;
  GccTime settles;
  GccTime min_duration;
  GccTime max_duration;
} GccLossTestFallParams;

/**
 * GccLossTestPathParams:
 * @share: the path loses the packets when the loss at the lower rate is at
 *   least this share of the loss before it
 * @max_loss: greatest fraction lost that counts as that of the path, 0 to 1: a
 *   greater one may come from a rate far above the capacity
 *
 * When the path itself loses the packets.
 */
typedef struct {
  gdouble share;
  gdouble max_loss;
} GccLossTestPathParams;

/**
 * GccLossTestOwnParams:
 * @share: share of the received rate that is sent, 0 to 1
 * @duration: time for which it is sent
 * @lost_again: share of the loss before, from which the link takes still less
 * @lowered: the rate is then lowered to this share of it, 0 to 1
 *
 * The rate after a test has shown that the link takes no more.
 */
typedef struct {
  gdouble share;
  GccTime duration;
  gdouble lost_again;
  gdouble lowered;
} GccLossTestOwnParams;

/**
 * GccLossTestParams:
 * @trigger: when a test begins
 * @min_losses: packets: least number lost before a test, and least number that
 *   the path would have lost in it, for a result
 * @fall: how much less is sent, and for how long
 * @path: when the path itself loses the packets
 * @own: rate after a test has shown a queue of this call alone
 * @memory: the loss of a path that has lost nothing for this long is forgotten
 */
typedef struct {
  GccLossTestTriggerParams trigger;
  gdouble min_losses;
  GccLossTestFallParams fall;
  GccLossTestPathParams path;
  GccLossTestOwnParams own;
  GccTime memory;
} GccLossTestParams;

/**
 * GccLossTestState:
 * @GCC_LOSS_TEST_NONE: no packets are lost, or the path loses them
 * @GCC_LOSS_TEST_FALL: less is sent, to see whether less is lost
 * @GCC_LOSS_TEST_OWN: less is lost at the lower rate, so the link takes no more
 */
typedef enum {
  GCC_LOSS_TEST_NONE,
  GCC_LOSS_TEST_FALL,
  GCC_LOSS_TEST_OWN,
} GccLossTestState;

/**
 * GccLossTest:
 *
 * Finds the cause of loss where a queue is too short to be seen, as at a policer.
 * Less is sent for a while. A path that loses by itself loses as much as before.
 *
 * Fields are private.
 */
typedef struct {
  const GccLossTestParams *params;
  GccLossTestState state;
  GccExperiment experiment;
  GccRate rate;
  GccRate test_rate;
  GccRate rate_before;
  GccRate resumed;
  gdouble loss_before;
  gdouble arrived_before;
  gdouble path_loss;
  GccTime last_report;
  GccTime last_loss;
  GccTime last_path;
  GccTime interval;
  GccTime last_own;
  /* since the state began, or since the last report without loss */
  GccTime since;
  GccRate first;
  gdouble n_packets;
  gdouble n_lost;
  gdouble n_rates;
  gdouble arrived;
} GccLossTest;

void gcc_loss_test_init (GccLossTest *self, const GccLossTestParams *params);

/**
 * gcc_loss_test_feed_report:
 * @target: A_s, bit/s
 *
 * Returns: A_s before a test that this report has ended, bit/s, when the lower
 * rate did not help because the path loses packets at any rate; otherwise
 * %GCC_RATE_NONE
 */
GccRate gcc_loss_test_feed_report (GccLossTest *self,
    const GccLossReport *report, GccRate target, GccTime now);

/* Upper bound of A_s, bit/s; %GCC_RATE_NONE: the test sets none. */
GccRate gcc_loss_test_get_rate (const GccLossTest *self);

/* Loss of the path itself by the last test, 0 to 1; 0 when nothing has recently
 * been lost. */
gdouble gcc_loss_test_get_path_loss (const GccLossTest *self, GccTime now);

GccLossTestState gcc_loss_test_get_state (const GccLossTest *self);

/* The last test. */
const GccExperiment *gcc_loss_test_get_experiment (const GccLossTest *self);

G_END_DECLS
