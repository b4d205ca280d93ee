/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-feedback-watch.h>

#include <math.h>

void
gcc_feedback_watch_init (
    GccFeedbackWatch *self, const GccFeedbackWatchParams *params)
{
  *self = (GccFeedbackWatch){
    .params = params,
    .interval = params->first_interval,
  };
}

void
gcc_feedback_watch_feed_sent (GccFeedbackWatch *self, GccTime now)
{
  self->waited = gcc_time_add (self->waited,
      gcc_media_time_pass (&self->sent, self->params->max_gap, now));
}

/* The interval follows a longer one at once, and shorter ones slowly. It at
 * most doubles: a receiver that was away for a minute does not report once a
 * minute. */
static void
note_interval (GccFeedbackWatch *self)
{
  const GccFeedbackWatchParams *params = self->params;
  GccTime passed = CLAMP (MIN (self->waited, 2 * self->interval),
      params->min_interval, params->max_interval);

  self->interval = MAX (passed, (7 * self->interval + passed) / 8);
}

void
gcc_feedback_watch_feed_feedback (GccFeedbackWatch *self, GccTime now)
{
  if (self->had_feedback)
    note_interval (self);
  self->had_feedback = TRUE;
  self->is_silent = FALSE;
  gcc_media_time_pass (&self->sent, 0, now);
  self->waited = 0;
}

static gboolean
may_lower (const GccFeedbackWatch *self)
{
  return self->params->decrease < 1.;
}

static GccTime
get_limit (const GccFeedbackWatch *self)
{
  return self->params->intervals * self->interval;
}

static gboolean
is_due (const GccFeedbackWatch *self)
{
  if (self->is_silent)
    return may_lower (self) && self->waited >= self->next_decrease;
  return self->waited >= get_limit (self);
}

GccTime
gcc_feedback_watch_next_timeout (const GccFeedbackWatch *self)
{
  return is_due (self) ? self->sent.last : GCC_TIME_NONE;
}

/* Lowers the rate as often as was due since the last time. */
static GccRate
lower (GccFeedbackWatch *self, GccRate rate)
{
  GccTime interval = self->params->decrease_interval;
  GccTime n = (self->waited - self->next_decrease) / interval + 1;

  self->next_decrease = gcc_time_add (self->next_decrease, n * interval);
  return gcc_rate_from_double (
      (gdouble) rate * pow (self->params->decrease, (gdouble) n));
}

GccRate
gcc_feedback_watch_handle_timeout (GccFeedbackWatch *self, GccRate rate)
{
  if (!is_due (self))
    return GCC_RATE_NONE;

  if (!self->is_silent) {
    self->is_silent = TRUE;
    self->next_decrease = get_limit (self);
  }
  return may_lower (self) ? lower (self, rate) : GCC_RATE_NONE;
}

gboolean
gcc_feedback_watch_has_feedback (const GccFeedbackWatch *self)
{
  return self->had_feedback && !self->is_silent;
}

gboolean
gcc_feedback_watch_lowers (const GccFeedbackWatch *self)
{
  return self->is_silent && may_lower (self);
}
