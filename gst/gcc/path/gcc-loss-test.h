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
 * GccLossTestParams:
 * @min_loss: mean fraction lost from which it is asked why, 0 to 1
 * @min_queueing: mean RTT above the least mean with it: less is no queue; a sample
 *   counts as twice this at most
 * @mean_reports: reports in the moving mean of the RTT; half of them tell of its
 *   least
 * @max_step: mean step from one RTT to the next that a short queue makes at most;
 *   where it is more, the path jumps about, and has no queue
 * @min_step: that a queue of others makes at least
 * @rtt_window: the least mean is that of at least this long
 * @after: each report has to have lost something for so long
 * @max_gap: a report that comes so long after the last one tells of an outage, and of
 *   nothing that A_s has to do with
 * @growth: of A_s in that time from which on nothing is tested: what grows is not
 *   held up, and a path that loses by itself lets it grow
 * @fall: share of A_s that is sent meanwhile; below 1
 * @settles: reports of so long after the fall tell of the time before
 * @min_duration: of the test, with that
 * @min_losses: of packets: fewer before the test tell nothing, nor do fewer that the
 *   path would have lost in it
 * @max_duration: what has not been told by then is taken to be the path's
 * @path: lost at the lower rate, as a share of what was lost before it, from
 *   which it is the path that loses
 * @max_path_loss: more than this may as well be a rate far above the capacity
 * @interval: from the first test that told so without a queue to the next; three
 *   times as long each time that it is told again
 * @max_interval: longest of those
 * @stays: share of the queue that is left at least when others hold it, and of
 *   @min_queueing while they do
 * @own: share of what arrived that is sent once the queue was ours alone
 * @own_time: for so long
 * @lost_again: of what was lost before, from which on it was not ours alone
 * @lowered: share of the rate that is sent then; below that of the test others hold
 *   the queue
 * @unchanged: others who lose this share of what was lost before, or more, at a
 *   lower rate yet, are none where there is no queue
 * @memory: a queue that has lost nothing for so long is full no more
 */
typedef struct {
  gdouble min_loss;
  GccTime min_queueing;
  guint mean_reports;
  GccTime max_step;
  GccTime min_step;
  GccTime rtt_window;
  GccTime after;
  GccTime max_gap;
  gdouble growth;
  gdouble fall;
  GccTime settles;
  GccTime min_duration;
  gdouble min_losses;
  GccTime max_duration;
  gdouble path;
  gdouble max_path_loss;
  GccTime interval;
  GccTime max_interval;
  gdouble stays;
  gdouble own;
  GccTime own_time;
  gdouble lost_again;
  gdouble lowered;
  gdouble unchanged;
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
