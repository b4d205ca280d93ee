/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* The frames of a call as its viewer has them. */

#include "path.h"

typedef struct {
  GccTime made;
  /* of its last byte that has arrived, less the delay of an empty path */
  GccTime arrived;
  /* of what all frames have */
  gint64 end;
  gint64 missing;
} JudgeFrame;

typedef struct {
  JudgePath *path;
  GccTime delay;
  gboolean is_repaired;
  GArray *frames;
  SimViewer hook;
} JudgeFrames;

/* %NAN where there is none. */
typedef struct {
  gdouble delay_p50_ms;
  gdouble delay_p95_ms;
  gdouble delay_p99_ms;
  gdouble incomplete_percent;
  gdouble frozen_percent;
} JudgeSeen;

void judge_frames_init (JudgeFrames *self, JudgePath *path);
void judge_frames_clear (JudgeFrames *self);

JudgeSeen judge_frames_measure (
    const JudgeFrames *self, GccTime begin, GccTime end);
