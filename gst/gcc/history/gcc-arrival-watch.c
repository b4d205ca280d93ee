/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-arrival-watch.h>

#include <math.h>

void
gcc_arrival_watch_init (
    GccArrivalWatch *self, const GccArrivalWatchParams *params)
{
  *self = (GccArrivalWatch){ .params = params };
}

void
gcc_arrival_watch_feed_sent (GccArrivalWatch *self, GccTime now)
{
  self->waited = gcc_time_add (self->waited,
      gcc_media_time_pass (&self->sent, self->params->max_gap, now));
  if (self->n_sent < G_MAXUINT)
    self->n_sent++;
}

void
gcc_arrival_watch_feed_news (GccArrivalWatch *self, GccTime now)
{
  self->is_failing = FALSE;
  gcc_media_time_pass (&self->sent, 0, now);
  self->waited = 0;
  self->n_sent = 0;
}

void
gcc_arrival_watch_feed_no_news (GccArrivalWatch *self, GccTime rtt)
{
  GccTime needed = gcc_time_add (self->params->after, MAX (rtt, 0));

  if (self->is_failing || self->waited < needed ||
      self->n_sent < self->params->min_packets)
    return;

  self->is_failing = TRUE;
  self->next_decrease = self->waited;
}

static gboolean
is_due (const GccArrivalWatch *self)
{
  return self->is_failing && self->waited >= self->next_decrease;
}

GccTime
gcc_arrival_watch_next_timeout (const GccArrivalWatch *self)
{
  return is_due (self) ? self->sent.last : GCC_TIME_NONE;
}

GccRate
gcc_arrival_watch_handle_timeout (GccArrivalWatch *self, GccRate rate)
{
  const GccArrivalWatchParams *params = self->params;
  GccTime n;

  if (!is_due (self))
    return GCC_RATE_NONE;

  /* as often as was due since the last time */
  n = (self->waited - self->next_decrease) / params->decrease_interval + 1;
  self->next_decrease = gcc_time_add (
      self->next_decrease, n * params->decrease_interval);
  return gcc_rate_from_double (
      (gdouble) rate * pow (params->decrease, (gdouble) n));
}
