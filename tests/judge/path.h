/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The path of a call, whose rate, delay and loss follow rows, and its queue. */

#include "../unit/support/hooks.h"
#include "codel.h"
#include "description.h"

typedef struct {
  const JudgeCall *call;
  /* of the first row */
  GccTime begin;
  /* what the link can have carried until each row */
  gdouble *bits;
  GRand *rand;
  /* flows that have something to send now */
  guint n_busy;
} JudgePath;

/* A queue before the link: that of all flows, or of one. */
typedef struct {
  JudgePath *path;
  JudgeCodel codel;
  GccTime link_free;
  SimPath hook;
} JudgeLane;

void judge_path_init (JudgePath *self, const JudgeCall *call, GccTime begin);
void judge_path_clear (JudgePath *self);

const JudgeRow *judge_path_get_row (const JudgePath *self, GccTime now);

/* How much later a packet is that leaves the link; %GCC_TIME_NONE: it is lost */
GccTime judge_path_carry (JudgePath *self, GccTime now);

void judge_lane_init (JudgeLane *self, JudgePath *path);
