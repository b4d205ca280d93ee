/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-rtt-backoff.h>

#include <math.h>

void
gcc_rtt_backoff_init (GccRttBackoff *self, const GccRttBackoffParams *params)
{
  *self = (GccRttBackoff){
    .params = params,
    .last_feedback = GCC_TIME_NONE,
    .last_sent = GCC_TIME_NONE,
    .last_decrease = GCC_TIME_NONE,
  };
}

void
gcc_rtt_backoff_feed_feedback (GccRttBackoff *self, GccTime rtt, GccTime now)
{
  self->rtt = rtt;
  self->last_feedback = now;
}

void
gcc_rtt_backoff_feed_sent (GccRttBackoff *self, GccTime now)
{
  self->last_sent = now;
}

GccTime
gcc_rtt_backoff_get_rtt (const GccRttBackoff *self)
{
  GccTime unanswered = 0;

  /* before the first feedback it is not known whether there is any */
  if (self->last_feedback == GCC_TIME_NONE)
    return 0;
  if (self->last_sent != GCC_TIME_NONE)
    unanswered = gcc_time_diff (self->last_sent, self->last_feedback);
  return self->rtt + MAX (unanswered, 0);
}

gboolean
gcc_rtt_backoff_is_active (const GccRttBackoff *self)
{
  return gcc_rtt_backoff_get_rtt (self) > self->params->max_rtt;
}

gboolean
gcc_rtt_backoff_is_unanswered (const GccRttBackoff *self)
{
  return gcc_rtt_backoff_is_active (self) &&
      gcc_rtt_backoff_get_rtt (self) > 2 * self->rtt;
}

GccRate
gcc_rtt_backoff_update (GccRttBackoff *self, GccRate rate, GccTime now)
{
  const GccRttBackoffParams *params = self->params;

  if (!gcc_rtt_backoff_is_active (self) || rate <= params->min_rate)
    return rate;
  if (self->last_decrease != GCC_TIME_NONE &&
      gcc_time_diff (now, self->last_decrease) < params->interval)
    return rate;

  self->last_decrease = now;
  return MAX (llround (params->decrease * (gdouble) rate), params->min_rate);
}
