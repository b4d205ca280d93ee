/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-recent-loss.h>

void
gcc_recent_loss_init (GccRecentLoss *self, const GccRecentLossParams *params)
{
  *self = (GccRecentLoss){ .params = params, .since = GCC_TIME_NONE };
}

static void
end_window (GccRecentLoss *self, GccTime now)
{
  self->is_much = self->n_lost > 0 &&
      (gdouble) self->n_lost >=
          self->params->min_loss * (gdouble) (self->n_lost + self->n_arrived);
  self->n_lost = self->n_arrived = 0;
  self->since = now;
}

void
gcc_recent_loss_feed (GccRecentLoss *self, gint n_lost, GccTime now)
{
  if (self->since == GCC_TIME_NONE)
    self->since = now;
  self->n_lost += n_lost;
  self->n_arrived++;
  if (gcc_time_has_passed (self->params->window, self->since, now))
    end_window (self, now);
}

gboolean
gcc_recent_loss_counts (const GccRecentLoss *self, GccTime queueing)
{
  return self->is_much && queueing >= self->params->min_queueing;
}

void
gcc_recent_loss_answer (GccRecentLoss *self)
{
  self->is_much = FALSE;
}
