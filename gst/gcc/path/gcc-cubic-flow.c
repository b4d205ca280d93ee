/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-cubic-flow.h>

void
gcc_cubic_flow_init (GccCubicFlow *self, const GccCubicFlowParams *params)
{
  *self = (GccCubicFlow){ .params = params };
}

void
gcc_cubic_flow_begin (
    GccCubicFlow *self, gdouble rate, GccTime round_trip, GccTime now)
{
  gdouble interval;

  self->mean_rtt = gcc_time_to_seconds (round_trip);
  self->rate = rate;
  self->last_loss = now;
  interval = gcc_cubic_interval (&self->params->cubic, rate, self->mean_rtt);
  for (guint i = 0; i < GCC_CUBIC_FLOW_INTERVALS; i++)
    self->intervals[i] = interval;
}

static void
note_losses (
    GccCubicFlow *self, guint n_losses, GccTime round_trip, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->last_loss);
  guint n;

  if (passed < round_trip)
    return;
  n = (guint) MIN (n_losses, passed / MAX (round_trip, 1));
  n = MIN (n, GCC_CUBIC_FLOW_INTERVALS);
  for (guint i = 0; i < n; i++) {
    self->intervals[self->next_interval] = gcc_time_to_seconds (passed) / n;
    self->next_interval = (self->next_interval + 1) % GCC_CUBIC_FLOW_INTERVALS;
  }
  self->last_loss = now;
}

/* The interval since the last loss counts once it is longer than the mean. */
static gdouble
get_mean_interval (const GccCubicFlow *self, GccTime now)
{
  gdouble open = gcc_time_to_seconds (gcc_time_diff (now, self->last_loss));
  gdouble sum = 0.;
  guint n = GCC_CUBIC_FLOW_INTERVALS;

  for (guint i = 0; i < n; i++)
    sum += self->intervals[i];
  if (open > sum / n)
    return (sum + open) / (n + 1);
  return sum / n;
}

void
gcc_cubic_flow_update (GccCubicFlow *self, guint n_losses, GccTime round_trip,
    GccTime passed, GccTime now)
{
  gdouble seconds = gcc_time_to_seconds (passed);
  gdouble step = self->params->max_step * seconds * self->rate;
  gdouble wanted;

  if (n_losses > 0)
    note_losses (self, n_losses, round_trip, now);
  wanted = gcc_cubic_rate (
      &self->params->cubic, get_mean_interval (self, now), self->mean_rtt);
  self->mean_rtt += (gcc_time_to_seconds (round_trip) - self->mean_rtt) *
      MIN (seconds, 1.);
  self->rate = CLAMP (wanted, self->rate - step, self->rate + step);
}
