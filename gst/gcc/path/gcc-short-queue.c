/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-short-queue.h>

#include <gst/gcc/path/gcc-queueing-delay.h>
#include <math.h>

void
gcc_short_queue_init (GccShortQueue *self, const GccShortQueueParams *params)
{
  *self = (GccShortQueue){
    .params = params,
    .window = { .since = GCC_TIME_NONE },
    .shortest = GCC_TIME_NONE,
    .last_others = GCC_TIME_NONE,
    .last_doubt = GCC_TIME_NONE,
  };
  gcc_windowed_min_init (&self->least);
}

void
gcc_short_queue_feed_others (GccShortQueue *self, GccTime now)
{
  self->last_others = now;
}

void
gcc_short_queue_feed_doubt (GccShortQueue *self, GccTime now)
{
  self->last_doubt = now;
}

static gboolean
is_empty (const GccShortQueue *self, GccTime queueing, GccTime least_since,
    GccTime now)
{
  return queueing <= GCC_QUEUEING_DELAY_SAME &&
      gcc_time_diff (now, least_since) >= self->params->least_age;
}

static void
note_step (GccShortQueue *self, GccTime shortest)
{
  gdouble step;

  if (self->shortest != GCC_TIME_NONE) {
    step = fabs ((gdouble) gcc_time_diff (shortest, self->shortest));
    self->mean_step += (step - self->mean_step) / self->params->mean_steps;
  }
  self->shortest = shortest;
}

gboolean
gcc_short_queue_is_watching (const GccShortQueue *self, GccTime now)
{
  const GccShortQueueParams *params = self->params;

  return self->mean_step <= (gdouble) params->max_step &&
      gcc_time_has_passed (params->memory, self->last_others, now) &&
      gcc_time_has_passed (params->memory, self->last_doubt, now);
}

static gboolean
begins (GccShortQueue *self, GccTime shortest, GccTime now)
{
  note_step (self, shortest);
  if (!self->was_empty || shortest < self->params->min_queueing ||
      !gcc_short_queue_is_watching (self, now))
    return FALSE;
  self->was_empty = FALSE;
  return TRUE;
}

gboolean
gcc_short_queue_update (
    GccShortQueue *self, GccTime queueing, GccTime least_since, GccTime now)
{
  const GccShortQueueParams *params = self->params;
  GccDelayRange ended;
  GccTime delay;

  self->has_begun = FALSE;
  if (is_empty (self, queueing, least_since, now))
    self->last_doubt = GCC_TIME_NONE;
  gcc_windowed_min_feed (&self->least, queueing, params->least_window, now);
  delay = gcc_windowed_min_get_excess (&self->least, queueing);
  if (delay <= params->empty_queueing)
    self->was_empty = TRUE;
  if (gcc_delay_range_feed_window (
          &self->window, delay, params->window, &ended, now))
    self->has_begun = begins (self, ended.shortest, now);
  return self->has_begun;
}

gboolean
gcc_short_queue_has_begun (const GccShortQueue *self)
{
  return self->has_begun;
}

void
gcc_short_queue_heed (GccShortQueue *self)
{
  self->has_begun = FALSE;
}
