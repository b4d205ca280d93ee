/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-feedback-trigger.h>

void
gcc_feedback_trigger_init (
    GccFeedbackTrigger *self, const GccFeedbackTriggerParams *params)
{
  *self = (GccFeedbackTrigger){ .params = params };
}

/* If the clock was set back, the time counts as short. */
static gboolean
is_within (GccTime duration, GccTime since, GccTime now)
{
  return gcc_time_diff (now, since) < duration;
}

static void
watch_markers (GccFeedbackTrigger *self, gboolean is_marker, GccTime now)
{
  if (!self->is_waiting || gcc_time_diff (now, self->waiting_since) < 0)
    self->waiting_since = now;
  self->is_waiting = !is_marker;

  if (!is_within (self->params->max_wait, self->waiting_since, now)) {
    self->was_late = TRUE;
    self->late_at = now;
  }
}

static void
watch_interval (GccFeedbackTrigger *self, gboolean is_in_use, GccTime now)
{
  if (!self->uses_interval || is_in_use ||
      is_within (self->params->timeout, self->interval_since, now))
    return;

  self->has_failed = TRUE;
  self->failed_at = now;
}

static gboolean
wants_interval (const GccFeedbackTrigger *self, GccTime now)
{
  if (self->has_failed && is_within (self->params->retry, self->failed_at, now))
    return FALSE;
  return self->was_late && is_within (self->params->hold, self->late_at, now);
}

void
gcc_feedback_trigger_feed (GccFeedbackTrigger *self, gboolean is_marker,
    gboolean is_in_use, GccTime now)
{
  gboolean wants;

  watch_markers (self, is_marker, now);
  watch_interval (self, is_in_use, now);
  wants = wants_interval (self, now);
  if (wants && !self->uses_interval)
    self->interval_since = now;
  self->uses_interval = wants;
}

GccTime
gcc_feedback_trigger_get_interval (const GccFeedbackTrigger *self)
{
  return self->uses_interval ? self->params->interval : GCC_TIME_NONE;
}
