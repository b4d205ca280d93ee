/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-answer-watch.h>

/* By default reports are five seconds apart (RFC 3550). */
#define PATIENCE (15 * GCC_SECOND)
#define MIN_REPORTS 3

void
gcc_answer_watch_feed_report (GccAnswerWatch *self, GccTime now)
{
  if (self->n_reports++ == 0)
    self->first_report = now;
}

void
gcc_answer_watch_feed_answer (GccAnswerWatch *self)
{
  self->has_answer = TRUE;
}

gboolean
gcc_answer_watch_is_missing (const GccAnswerWatch *self, GccTime now)
{
  return !self->has_answer && self->n_reports >= MIN_REPORTS &&
      gcc_time_diff (now, self->first_report) >= PATIENCE;
}
