/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-burst-rate.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-loss-test.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>

G_BEGIN_DECLS

/**
 * GccSendSideRulesParams:
 * @recent: R(t) of a shorter window, for @competition and for the decrease at
 *   over-use
 * @burst: the rate of a large frame at the maximum
 * @competition: whose a queue is, and the rate beside it
 * @loss_test: why packets are lost where no queue is seen
 * @held: a rate of this many times what a probe has shown does not grow until the
 *   next probe
 * @max_gap: results of packets sent this long before the newest one that
 *   feedback has covered count for loss only
 * @raise: a probe that raises the rate by more than this factor is judged by
 *   the time after it
 * @judged_after: a probe that raised the rate was right if no over-use follows
 *   within this time
 *
 * The default's own rules of a sender that measures, which no published generation
 * has.
 */
typedef struct {
  GccAcknowledgedRateParams recent;
  GccBurstRateParams burst;
  GccCompetitionParams competition;
  const GccLossTestParams *loss_test;
  gdouble held;
  GccTime max_gap;
  gdouble raise;
  GccTime judged_after;
} GccSendSideRulesParams;

G_END_DECLS
