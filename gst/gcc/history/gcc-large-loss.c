/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-large-loss.h>

void
gcc_large_loss_init (
    GccLargeLoss *self, const GccLargeLossParams *params, gsize overhead)
{
  *self = (GccLargeLoss){ .params = params, .overhead = overhead };
}

/* Older packets fade, so that the count follows a path that changes. */
static void
fade (GccLargeLoss *self)
{
  guint n = 0;

  for (guint i = 0; i < GCC_LARGE_LOSS_N_STEPS; i++)
    n += self->n[i];
  if (n < self->params->most)
    return;
  for (guint i = 0; i < GCC_LARGE_LOSS_N_STEPS; i++) {
    self->n[i] /= 2;
    self->n_lost[i] /= 2;
  }
}

static void
count (GccLargeLoss *self, const GccPacketResult *packet)
{
  gsize size = packet->sent.size - MIN (packet->sent.size, self->overhead);
  gsize step = MIN (size / GCC_LARGE_LOSS_STEP, GCC_LARGE_LOSS_N_STEPS - 1);

  if (packet->was_lost || packet->had_arrived)
    return;
  self->n[step]++;
  self->n_lost[step] += !packet->is_received;
}

void
gcc_large_loss_feed (
    GccLargeLoss *self, const GccPacketResult *packets, guint n)
{
  for (guint i = 0; i < n; i++)
    count (self, &packets[i]);
  fade (self);
}

/* Counts the packets of the steps from @first to below @end. */
static guint
sum (const guint *counts, guint first, guint end)
{
  guint n = 0;

  for (guint i = first; i < end; i++)
    n += counts[i];

  return n;
}

static gboolean
is_limit (const GccLargeLoss *self, guint step)
{
  guint small = sum (self->n, 0, step);
  guint large = sum (self->n, step, GCC_LARGE_LOSS_N_STEPS);
  gdouble small_lost = sum (self->n_lost, 0, step);
  gdouble large_lost = sum (self->n_lost, step, GCC_LARGE_LOSS_N_STEPS);

  return small >= self->params->least && large >= self->params->least &&
      small_lost <= self->params->passed * small &&
      large_lost >= self->params->lost * large;
}

gsize
gcc_large_loss_get_limit (const GccLargeLoss *self)
{
  for (guint step = 1; step < GCC_LARGE_LOSS_N_STEPS; step++)
    if (self->n[step] > 0 && is_limit (self, step))
      return (gsize) step * GCC_LARGE_LOSS_STEP;

  return 0;
}
