/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-feedback-use.h>

void
gcc_feedback_use_init (GccFeedbackUse *self, const GccFeedbackUseParams *params)
{
  *self = (GccFeedbackUse){ .params = params };
}

gboolean
gcc_feedback_use_awaits_number (const GccFeedbackUse *self)
{
  return !self->was_numbered || self->without_number > 0;
}

/* The numbers have stopped, so that no feedback follows. */
static gboolean
has_no_numbers (const GccFeedbackUse *self)
{
  return self->was_numbered &&
      self->without_number >= self->params->number_timeout;
}

void
gcc_feedback_use_feed_media (
    GccFeedbackUse *self, gboolean is_numbered, GccTime now)
{
  GccTime gap = gcc_media_time_pass (&self->media, self->params->max_gap, now);

  self->is_in_use |= is_numbered && !self->was_numbered;
  self->was_numbered |= is_numbered;
  self->without_number = is_numbered ? 0 : self->without_number + gap;
  if (!self->was_numbered)
    self->unnumbered += gap;
  if (!self->is_in_use)
    return;

  self->without += gap;
  self->is_in_use = self->without < self->params->timeout &&
      !has_no_numbers (self);
}

GccTime
gcc_feedback_use_get_unnumbered (const GccFeedbackUse *self)
{
  return self->unnumbered;
}

void
gcc_feedback_use_note_sent (GccFeedbackUse *self)
{
  self->is_in_use = TRUE;
  self->without = 0;
  self->without_number = 0;
  self->n_sent++;
}

gboolean
gcc_feedback_use_is_in_use (const GccFeedbackUse *self)
{
  return self->is_in_use;
}

guint64
gcc_feedback_use_get_n_sent (const GccFeedbackUse *self)
{
  return self->n_sent;
}
