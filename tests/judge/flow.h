/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A sender and its receiver, over either kind of feedback. */

#define JUDGE_STEP 250
#define CALL_STEP JUDGE_STEP
#define CALL_PACKETS 16384
#define CALL_FEEDBACKS 256
#define REMB_CALL_STEP JUDGE_STEP
#define REMB_CALL_PACKETS 16384

#include "../unit/support/any-call.h"

#include "path.h"

typedef enum {
  JUDGE_TRANSPORT_CC,
  JUDGE_REMB,
} JudgeFeedback;

/* What is judged. */
typedef struct {
  const GccProfile *profile;
  JudgeFeedback feedback;
} JudgeSubject;

typedef struct {
  AnyCall call;
  gdouble feedback_loss;
} JudgeFlow;

JudgeFlow *judge_flow_new (const JudgeSubject *subject, JudgeLane *lane,
    GccTime *link_free, GccTime extra_delay, GccTime now);
void judge_flow_free (JudgeFlow *self);

void judge_flow_set_viewer (JudgeFlow *self, const SimViewer *viewer);

/* Goes on by %JUDGE_STEP. */
void judge_flow_step (JudgeFlow *self);

GccRate judge_flow_get_target (const JudgeFlow *self);
gint64 judge_flow_get_received (const JudgeFlow *self);
guint judge_flow_get_sent (const JudgeFlow *self);
guint judge_flow_get_lost (const JudgeFlow *self);
