/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/path/gcc-competition.h>
#include <gst/gcc/path/gcc-loss-test.h>
#include <gst/gcc/rate/gcc-acknowledged-rate.h>

G_BEGIN_DECLS

/**
 * GccSendSideRulesParams:
 * @recent: R(t) of late, for @competition, and what over-use lowers the rate to a
 *   part of
 * @competition: what to do about a queue
 * @loss_test: why packets are lost where no queue is seen
 * @report_interval: the time of which feedback is one report to @loss_test
 * @after_drain: of what arrived while a queue was full, to send at when it is
 *   empty
 * @max_gap: what was sent so long before the newest packet that has been told of
 *   tells of loss only
 * @raise: a probe that raises the rate by more than this factor is judged by
 *   what follows
 * @judged_after: so long after a probe has raised the rate without over-use it
 *   was right
 *
 * The default's own rules of a sender that measures, which no published generation
 * has.
 */
typedef struct {
  GccAcknowledgedRateParams recent;
  GccCompetitionParams competition;
  const GccLossTestParams *loss_test;
  GccTime report_interval;
  gdouble after_drain;
  GccTime max_gap;
  gdouble raise;
  GccTime judged_after;
} GccSendSideRulesParams;

G_END_DECLS
