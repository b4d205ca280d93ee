/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-aggregator.h>
#include <gst/gcc/path/gcc-windowed-min.h>

G_BEGIN_DECLS

/**
 * GccLossTestQueueParams:
 * @min_queueing: mean RTT above the least mean with it: less is no queue; a sample
 *   counts as twice this at most
 * @mean_reports: reports in the moving mean of the RTT; half of them tell of its
 *   least
 * @max_step: mean step from one RTT to the next that a short queue makes at most;
 *   where it is more, the path jumps about, and has no queue
 * @rtt_window: the least mean is that of at least this long
 *
 * Whether there is a queue.
 */
typedef struct {
  GccTime min_queueing;
  guint mean_reports;
  GccTime max_step;
  GccTime rtt_window;
} GccLossTestQueueParams;

/**
 * GccLossTestTriggerParams:
 * @min_loss: mean fraction lost from which it is asked why, 0 to 1
 * @after: each report has to have lost something for so long
 * @max_gap: a report that comes so long after the last one tells of an outage, and of
 *   nothing that A_s has to do with
 * @growth: of A_s in that time from which on nothing is tested: what grows is not
 *   held up, and a path that loses by itself lets it grow
 * @interval: from the first test that found a path that loses without a queue to the
 *   next; three times as long each time that it is found again
 * @max_interval: longest of those
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
 * @share: share of A_s that is sent meanwhile, 0 to 1; below 1
 * @settles: reports of so long after the fall tell of the time before
 * @min_duration: of the test, with that
 * @max_duration: what has not been told by then is taken to be the path's
 *
 * How less is sent, and for how long.
 */
typedef struct {
  gdouble share;
  GccTime settles;
  GccTime min_duration;
  GccTime max_duration;
} GccLossTestFallParams;

/**
 * GccLossTestPathParams:
 * @share: lost at the lower rate, as a share of what was lost before it, from
 *   which it is the path that loses
 * @max_loss: a greater fraction lost may as well be that of a rate far above the
 *   capacity, 0 to 1
 *
 * When the path loses by itself.
 */
typedef struct {
  gdouble share;
  gdouble max_loss;
} GccLossTestPathParams;

/**
 * GccLossTestOwnParams:
 * @share: share of what arrived that is sent, 0 to 1
 * @duration: for so long
 * @lost_again: share of what was lost before, from which on the queue was not ours
 *   alone
 * @lowered: share of the rate that is sent then, 0 to 1; below that of the test
 *   others hold the queue
 *
 * What is done once the queue was ours alone.
 */
typedef struct {
  gdouble share;
  GccTime duration;
  gdouble lost_again;
  gdouble lowered;
} GccLossTestOwnParams;

/**
 * GccLossTestOthersParams:
 * @min_step: mean step from one RTT to the next that a queue of others makes at
 *   least
 * @stays: share of the queue that is left at least when others hold it, and of
 *   #GccLossTestQueueParams.min_queueing while they do
 * @unchanged: others who lose this share of what was lost before, or more, at a
 *   lower rate yet, are none where there is no queue
 *
 * When others hold the queue.
 */
typedef struct {
  GccTime min_step;
  gdouble stays;
  gdouble unchanged;
} GccLossTestOthersParams;

/**
 * GccLossTestParams:
 * @queue: whether there is one
 * @trigger: when a test begins
 * @min_losses: of packets: fewer before the test tell nothing, nor do fewer that the
 *   path would have lost in it
 * @fall: how less is sent, and for how long
 * @path: when the path loses by itself
 * @own: what is done when the queue was ours alone
 * @others: when others hold it
 * @memory: a queue that has lost nothing for so long is full no more
 */
typedef struct {
  GccLossTestQueueParams queue;
  GccLossTestTriggerParams trigger;
  gdouble min_losses;
  GccLossTestFallParams fall;
  GccLossTestPathParams path;
  GccLossTestOwnParams own;
  GccLossTestOthersParams others;
  GccTime memory;
} GccLossTestParams;

/**
 * GccLossTestState:
 * @GCC_LOSS_TEST_NONE: nothing is lost, or the path loses it
 * @GCC_LOSS_TEST_FALL: less is sent, to see whether less is lost
 * @GCC_LOSS_TEST_OWN: the queue was ours alone, and has drained
 * @GCC_LOSS_TEST_OTHERS: others have filled it meanwhile
 */
typedef enum {
  GCC_LOSS_TEST_NONE,
  GCC_LOSS_TEST_FALL,
  GCC_LOSS_TEST_OWN,
  GCC_LOSS_TEST_OTHERS,
} GccLossTestState;

/**
 * GccLossTest:
 *
 * Why packets are lost, where a queue is too short for its delay to tell, or to be
 * seen. Less is
 * sent for a while: a queue of ours alone drains; one of others stays, and loses
 * less of ours; a path that loses by itself loses as much as before. Fields are
 * private.
 */
typedef struct {
  const GccLossTestParams *params;
  GccLossTestState state;
  GccRate rate;
  GccRate test_rate;
  GccRate rate_before;
  GccRate resumed;
  gdouble loss_before;
  gdouble arrived_before;
  gdouble queueing_before;
  gdouble path_loss;
  GccTime last_report;
  GccTime last_loss;
  GccTime last_path;
  GccTime interval;
  GccTime last_own;
  GccWindowedMin least_mean;
  guint n_mean;
  gdouble mean_rtt;
  gdouble mean_step;
  gdouble last_rtt;
  /* since the state began, or since nothing was lost */
  GccTime since;
  GccRate first;
  gdouble n_packets;
  gdouble n_lost;
  gdouble n_rtts;
  gdouble queueing;
  gdouble n_rates;
  gdouble arrived;
} GccLossTest;

void gcc_loss_test_init (GccLossTest *self, const GccLossTestParams *params);

/**
 * gcc_loss_test_feed_report:
 * @target: A_s, bit/s
 *
 * Returns: what A_s was before a test that this report has ended, bit/s: it was for
 * nothing, as the path loses packets at any rate; else %GCC_RATE_NONE
 */
GccRate gcc_loss_test_feed_report (GccLossTest *self,
    const GccLossReport *report, GccRate target, GccTime now);

/* What A_s may be at most, bit/s; %GCC_RATE_NONE while the test says nothing. */
GccRate gcc_loss_test_get_rate (const GccLossTest *self);

/* What the last test took for the path's own loss, 0 to 1; 0 when nothing has been
 * lost of late. */
gdouble gcc_loss_test_get_path_loss (const GccLossTest *self, GccTime now);

GccLossTestState gcc_loss_test_get_state (const GccLossTest *self);

/* Whether a test has ever told that the queue was ours alone. */
gboolean gcc_loss_test_was_own (const GccLossTest *self);

G_END_DECLS
