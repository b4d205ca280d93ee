/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-queue-loss.h>

void
gcc_queue_loss_init (GccQueueLoss *self, const GccQueueLossParams *params)
{
  *self = (GccQueueLoss){
    .params = params,
    .remb = GCC_RATE_NONE,
    .last_fall = GCC_TIME_NONE,
    .last_full = GCC_TIME_NONE,
  };
  gcc_windowed_min_init (&self->least_rtt);
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
  gcc_windowed_min_feed (&self->least_rtt, rtt, self->params->rtt_window, now);
}

static gboolean
is_queueing (const GccQueueLoss *self, GccTime rtt)
{
  return gcc_windowed_min_get_excess (&self->least_rtt, rtt) >=
      self->params->min_queueing;
}

void
gcc_queue_loss_feed_loss (
    GccQueueLoss *self, gdouble fraction_lost, GccTime rtt, GccTime now)
{
  if (fraction_lost < self->params->min_loss)
    return;
  if (is_queueing (self, rtt) || is_of_late (self, self->last_fall, now))
    self->last_full = now;
}

gboolean
gcc_queue_loss_is_full (const GccQueueLoss *self, GccTime now)
{
  return is_of_late (self, self->last_full, now);
}
