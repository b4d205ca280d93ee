/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-large-loss.h>

void
gcc_large_loss_init (GccLargeLoss *self, const GccLargeLossParams *params)
{
  *self = (GccLargeLoss){ .params = params };
}

void
gcc_large_loss_feed_sent (GccLargeLoss *self, guint16 seq, gsize size)
{
  guint i = seq % GCC_LARGE_LOSS_SIZE;

  self->sent[i].seq = seq;
  self->sent[i].size = (guint16) MIN (size, G_MAXUINT16);
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
count (GccLargeLoss *self, const GccPacketStatus *status)
{
  guint i = status->seq % GCC_LARGE_LOSS_SIZE;
  guint step = MIN (
      self->sent[i].size / GCC_LARGE_LOSS_STEP, GCC_LARGE_LOSS_N_STEPS - 1);

  if (self->sent[i].seq != status->seq || self->sent[i].size == 0)
    return;
  self->n[step]++;
  self->n_lost[step] += !status->received;
  /* once */
  self->sent[i].size = 0;
}

void
gcc_large_loss_feed_feedback (
    GccLargeLoss *self, GccTransportFeedback *feedback)
{
  GccPacketStatus status;

  while (gcc_transport_feedback_next (feedback, &status))
    count (self, &status);
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
