/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* TCP beside a call: a flow without end, or one transfer after the other. */

#include "../unit/support/cubic.h"
#include "path.h"

typedef struct {
  Cubic cubic;
  JudgeLane *lane;
  GccTime *link_free;
  /* when it begins, or the next transfer; never after @stop */
  GccTime next;
  GccTime stop;
  gboolean is_web;
  /* of the transfers before this one */
  gint64 bytes;
} JudgeTcp;

/* @other: %NULL for transfers, which go on until the end */
JudgeTcp *judge_tcp_new (
    const JudgeOther *other, JudgeLane *lane, GccTime *link_free);
void judge_tcp_step (JudgeTcp *self, GccTime now);

gint64 judge_tcp_get_received (const JudgeTcp *self);
