/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-congestion-window.h>

/* Bytes: more than any path holds. The bound matters where a peer forges round
 * trips. */
#define MAX_WINDOW 1e15

void
gcc_congestion_window_init (
    GccCongestionWindow *self, const GccCongestionWindowParams *params)
{
  g_return_if_fail (params->n_feedbacks > 0 &&
      params->n_feedbacks <= GCC_CONGESTION_WINDOW_FEEDBACKS);

  *self = (GccCongestionWindow){ .params = params, .share = 1. };
}

void
gcc_congestion_window_feed_feedback (
    GccCongestionWindow *self, GccTime max_round_trip)
{
  guint n = self->params->n_feedbacks;

  self->round_trips[self->next] = MAX (max_round_trip, 0);
  self->next = (self->next + 1) % n;
  self->n_round_trips = MIN (self->n_round_trips + 1, n);
}

static GccTime
get_round_trip (const GccCongestionWindow *self)
{
  GccTime shortest = G_MAXINT64;

  for (guint i = 0; i < self->n_round_trips; i++)
    shortest = MIN (shortest, self->round_trips[i]);
  return shortest;
}

void
gcc_congestion_window_set_rate (GccCongestionWindow *self, GccRate rate)
{
  gdouble bytes;

  if (self->n_round_trips == 0)
    return;

  bytes = gcc_rate_get_bytes (
      rate, gcc_time_add (get_round_trip (self), self->params->queue));
  if (self->window > 0)
    bytes = (bytes + (gdouble) self->window) / 2.;
  self->window = MAX (
      (gint64) MIN (bytes, MAX_WINDOW), self->params->min_window);
}

void
gcc_congestion_window_set_window (GccCongestionWindow *self, gint64 bytes)
{
  self->window = bytes;
}

gboolean
gcc_congestion_window_is_full (
    const GccCongestionWindow *self, gint64 in_flight)
{
  return self->window > 0 && in_flight >= self->window;
}

static void
update_share (GccCongestionWindow *self, gint64 in_flight)
{
  const GccCongestionWindowParams *params = self->params;
  gdouble fill = (gdouble) in_flight / (gdouble) self->window;

  if (fill > params->very_full)
    self->share *= params->very_full_factor;
  else if (fill > params->full)
    self->share *= params->full_factor;
  else if (fill < params->idle)
    self->share = 1.;
  else
    self->share = MIN (self->share * params->recovery_factor, 1.);
}

GccRate
gcc_congestion_window_push_back (GccCongestionWindow *self, gint64 in_flight,
    GccRate target, gdouble *dropped_share)
{
  const GccCongestionWindowParams *params = self->params;
  GccRate pushed;

  *dropped_share = 0.;
  if (self->window <= 0)
    return target;

  update_share (self, in_flight);
  pushed = (GccRate) ((gdouble) target * self->share);
  if (pushed < params->min_rate)
    pushed = MIN (target, params->min_rate);
  if (!params->drops_frames)
    return pushed;
  if (target > 0)
    *dropped_share = (gdouble) (target - pushed) / (gdouble) target;
  return target;
}
