/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-result-delay.h>

void
gcc_result_delay_init (GccResultDelay *self, const GccResultDelayParams *params)
{
  self->params = params;
  gcc_result_delay_restart (self);
}

void
gcc_result_delay_restart (GccResultDelay *self)
{
  const GccResultDelayParams *params = self->params;

  gcc_inter_arrival_init (&self->groups, params->groups);
  if (params->filter != NULL)
    gcc_arrival_filter_init (&self->filter, params->filter);
  else
    gcc_trendline_init (&self->trendline, params->trendline);
  gcc_overuse_detector_init (&self->detector, params->detector);
  self->had_overuse = FALSE;
  self->last_arrival = GCC_TIME_NONE;
}

/* The growth of the queue per group, m. */
static gdouble
estimate_growth (
    GccResultDelay *self, const GccInterArrivalDelta *delta, GccTime arrival)
{
  gdouble departure_ms = gcc_time_to_ms (delta->departure);
  gdouble arrival_ms = gcc_time_to_ms (delta->arrival);
  GccGroupDelta group = { departure_ms, arrival_ms, delta->size };

  if (self->params->filter == NULL)
    return gcc_trendline_update (
        &self->trendline, arrival_ms, departure_ms, arrival);
  return gcc_arrival_filter_update (&self->filter, &group,
      self->detector.signal, gcc_overuse_detector_get_gamma (&self->detector),
      self->params->detector->n_max);
}

static guint
get_n_deltas (const GccResultDelay *self)
{
  return self->params->filter != NULL
      ? gcc_arrival_filter_get_n_deltas (&self->filter)
      : self->trendline.n_deltas;
}

gboolean
gcc_result_delay_update (
    GccResultDelay *self, const GccPacketResult *packet, GccTime now)
{
  gboolean is_late = self->last_arrival != GCC_TIME_NONE &&
      gcc_time_diff (now, self->last_arrival) > self->params->timeout;
  GccInterArrivalDelta delta;
  gdouble m;

  if (is_late)
    gcc_result_delay_restart (self);
  self->last_arrival = now;
  if (!gcc_inter_arrival_update (&self->groups, packet->sent.time,
          packet->arrival, packet->sent.size, now, &delta))
    return is_late;

  m = estimate_growth (self, &delta, packet->arrival);
  gcc_overuse_detector_update (&self->detector, m, get_n_deltas (self),
      gcc_time_to_ms (delta.departure), packet->arrival);
  return is_late;
}

gboolean
gcc_result_delay_feed_signal (
    GccResultDelay *self, GccSignal before, GccSignal signal)
{
  gboolean has_drained = self->had_overuse && before == GCC_SIGNAL_UNDERUSE &&
      signal == GCC_SIGNAL_NORMAL;

  self->had_overuse = signal == GCC_SIGNAL_OVERUSE ||
      (self->had_overuse && !has_drained);
  return has_drained;
}
