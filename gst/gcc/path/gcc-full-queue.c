/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-full-queue.h>

void
gcc_full_queue_init (GccFullQueue *self, const GccFullQueueParams *params)
{
  *self = (GccFullQueue){
    .params = params,
    .last = GCC_TIME_NONE,
    .last_loss = GCC_TIME_NONE,
    .last_empty_loss = GCC_TIME_NONE,
  };
}

void
gcc_full_queue_begin (GccFullQueue *self, GccTime now)
{
  self->since = now;
  self->rate = 0.;
  self->n_rates = 0;
}

/* The rate of a single feedback is a few per cent off, so the mean counts. */
static void
average (GccFullQueue *self, GccRate acknowledged)
{
  self->n_rates++;
  self->rate += ((gdouble) acknowledged - self->rate) / (gdouble) self->n_rates;
}

void
gcc_full_queue_update (GccFullQueue *self, gboolean is_empty, gboolean has_lost,
    GccRate acknowledged, GccTime now)
{
  const GccFullQueueParams *params = self->params;

  if (has_lost && is_empty)
    self->last_empty_loss = now;
  else if (has_lost)
    self->last_loss = now;

  if (is_empty || acknowledged == GCC_RATE_NONE ||
      gcc_time_has_passed (params->loss_memory, self->last_loss, now))
    gcc_full_queue_begin (self, now);
  else
    average (self, acknowledged);
}

gboolean
gcc_full_queue_is_full (const GccFullQueue *self, GccTime now)
{
  return gcc_time_diff (now, self->since) >= self->params->after;
}

gboolean
gcc_full_queue_is_others (GccFullQueue *self, GccTime now)
{
  const GccFullQueueParams *params = self->params;
  gboolean is_others = !gcc_time_has_passed (params->memory, self->last, now) &&
      gcc_time_has_passed (params->memory, self->last_empty_loss, now) &&
      self->rate < params->again * self->last_rate;

  self->last = now;
  self->last_rate = self->rate;
  return is_others;
}

gboolean
gcc_full_queue_has_ended (const GccFullQueue *self, GccTime now)
{
  return gcc_time_has_passed (self->params->memory, self->last_loss, now);
}
