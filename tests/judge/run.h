/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* Makes a call, and measures it. */

#include "flow.h"
#include "frames.h"

/* %NAN where there is none. */
typedef struct {
  /* of what the link takes of the greatest rate, the part that arrives */
  gdouble use;
  /* of the link, by all flows */
  gdouble utilisation;
  /* of what media and long TCP flows receive, the media's part */
  gdouble share;
  gdouble jain;
  gdouble lost_percent;
  /* of the time, that in which the link takes twice the greatest rate, and A_s
   * is below 0.9 of it */
  gdouble false_back_off_percent;
  JudgeSeen seen;
} JudgeMeasures;

JudgeMeasures judge_run (const JudgeCall *call, const JudgeSubject *subject);
