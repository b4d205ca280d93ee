/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-update-times.h>

/* A step back of the caller's clock beyond this means that it was set back. */
#define CLOCK_TOLERANCE GCC_SECOND

static GccTime
compute_interval (const GccReceiverParams *params, GccRate estimate)
{
  gdouble seconds;
  GccTime interval;

  if (estimate == GCC_RATE_NONE)
    return params->first_interval;
  if (params->feedback_share <= 0.)
    return params->min_interval;

  seconds = 8. * params->feedback_size /
      (params->feedback_share * (gdouble) MAX (estimate, 1));
  interval = (GccTime) (seconds * 1000. + 0.5) * GCC_MSECOND;
  return CLAMP (interval, params->min_interval, params->max_interval);
}

/* Each packet asks for the interval, which changes with A_r only. */
static GccTime
get_interval (GccUpdateTimes *self, GccRate estimate)
{
  if (estimate != self->interval_estimate) {
    self->interval_estimate = estimate;
    self->interval = compute_interval (self->params, estimate);
  }
  return self->interval;
}

void
gcc_update_times_init (GccUpdateTimes *self, const GccReceiverParams *params)
{
  self->params = params;
  self->interval_estimate = GCC_RATE_NONE;
  self->interval = compute_interval (params, GCC_RATE_NONE);
  gcc_update_times_stop (self);
}

void
gcc_update_times_stop (GccUpdateTimes *self)
{
  self->last = GCC_TIME_NONE;
  self->next = GCC_TIME_NONE;
}

void
gcc_update_times_begin (GccUpdateTimes *self, GccTime now)
{
  if (self->next == GCC_TIME_NONE)
    self->next = now;
}

void
gcc_update_times_feed_estimate (GccUpdateTimes *self, GccRate estimate)
{
  if (self->last != GCC_TIME_NONE)
    self->next = gcc_time_add (self->last, get_interval (self, estimate));
}

void
gcc_update_times_feed_update (GccUpdateTimes *self, GccTime now)
{
  self->last = now;
}

GccTime
gcc_update_times_get_next (const GccUpdateTimes *self)
{
  return self->next;
}

gboolean
gcc_update_times_is_timer_due (
    GccUpdateTimes *self, GccRate estimate, GccTime now)
{
  GccTime interval = get_interval (self, estimate);
  GccTime wait;

  if (self->next == GCC_TIME_NONE)
    return FALSE;

  wait = gcc_time_diff (self->next, now);
  if (wait > interval + CLOCK_TOLERANCE)
    self->next = gcc_time_add (now, interval);
  return wait <= 0;
}

gboolean
gcc_update_times_is_due (GccUpdateTimes *self, GccRate estimate, GccTime now)
{
  return self->last == GCC_TIME_NONE ||
      gcc_time_diff (now, self->last) > get_interval (self, estimate);
}
