/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-queue-loss.h>

void
gcc_queue_loss_init (GccQueueLoss *self, const GccQueueLossParams *params)
{
  *self = (GccQueueLoss){
    .params = params,
    .window_start = GCC_TIME_NONE,
    .least_before = GCC_TIME_NONE,
    .least = GCC_TIME_NONE,
    .remb = GCC_RATE_NONE,
    .last_fall = GCC_TIME_NONE,
    .last_full = GCC_TIME_NONE,
  };
}

static gboolean
is_of_late (const GccQueueLoss *self, GccTime then, GccTime now)
{
  return !gcc_time_has_passed (self->params->hold, then, now);
}

void
gcc_queue_loss_feed_remb (GccQueueLoss *self, GccRate remb, GccTime now)
{
  if (self->remb != GCC_RATE_NONE && remb != GCC_RATE_NONE &&
      (gdouble) remb < self->params->min_fall * (gdouble) self->remb)
    self->last_fall = now;
  self->remb = remb;
}

void
gcc_queue_loss_feed_rtt (GccQueueLoss *self, GccTime rtt, GccTime now)
{
  if (gcc_time_has_passed (self->params->rtt_window, self->window_start, now)) {
    self->window_start = now;
    self->least_before = self->least;
    self->least = rtt;
  }
  self->least = MIN (self->least, rtt);
}

static GccTime
get_least (const GccQueueLoss *self)
{
  if (self->least_before == GCC_TIME_NONE)
    return self->least;
  return MIN (self->least, self->least_before);
}

static gboolean
is_queueing (const GccQueueLoss *self, GccTime rtt)
{
  return rtt >= 0 &&
      gcc_time_diff (rtt, get_least (self)) >= self->params->min_queueing;
}

void
gcc_queue_loss_feed_loss (
    GccQueueLoss *self, gdouble fraction_lost, GccTime rtt, GccTime now)
{
  if (self->params->min_queueing == 0 || fraction_lost < self->params->min_loss)
    return;
  if (is_queueing (self, rtt) || is_of_late (self, self->last_fall, now))
    self->last_full = now;
}

gboolean
gcc_queue_loss_is_full (const GccQueueLoss *self, GccTime now)
{
  return is_of_late (self, self->last_full, now);
}
