/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-layers.h>

void
gcc_pause_init (GccPause *self)
{
  *self = (GccPause){
    .is_paused = FALSE,
    .fits_since = GCC_TIME_NONE,
    .rests_since = GCC_TIME_NONE,
    .tried_since = GCC_TIME_NONE,
    .n_trials = 0,
  };
}

static gboolean
comes_before (const GccLayer *a, const GccLayer *b)
{
  if (a->is_pausable != b->is_pausable)
    return b->is_pausable;

  return a->is_pausable && a->priority > b->priority;
}

/* By insertion, which keeps the order of equals: there are few layers. */
static void
sort (GccLayer *layers, guint n_layers)
{
  for (guint i = 1; i < n_layers; i++) {
    GccLayer layer = layers[i];
    guint place = i;

    for (; place > 0 && comes_before (&layer, &layers[place - 1]); place--)
      layers[place] = layers[place - 1];
    layers[place] = layer;
  }
}

/* Whether @interval has passed since *@since, which begins @now where there was none or
 * the clock was set back. */
static gboolean
has_lasted (GccTime *since, GccTime interval, GccTime now)
{
  if (*since == GCC_TIME_NONE || now < *since)
    *since = now;

  return gcc_time_diff (now, *since) >= interval;
}

static GccRate
get_resumed (const GccLayersParams *params, GccRate min)
{
  return gcc_rate_from_double (params->margin * (gdouble) min);
}

/* A paused layer waits, so that one whose minimum is about the rate does not start
 * and stop all the time: each start costs a key frame. The rate may dip meanwhile, as
 * it may when the layer flows. */
static void
wait_to_resume (const GccLayer *layer, const GccLayersParams *params,
    GccRate left, GccTime now)
{
  GccPause *pause = layer->pause;
  GccRate least = pause->fits_since == GCC_TIME_NONE
      ? get_resumed (params, layer->min)
      : layer->min;

  if (least > left)
    pause->fits_since = GCC_TIME_NONE;
  else if (has_lasted (&pause->fits_since, params->patience, now))
    gcc_pause_init (pause);
}

/* @n_trials: how many have been for nothing since its minimum has fit */
static void
set_paused (GccPause *self, gboolean is_paused, guint n_trials)
{
  gcc_pause_init (self);
  self->is_paused = is_paused;
  self->n_trials = n_trials;
}

static void
go_on (
    GccPause *self, const GccLayersParams *params, gboolean fits, GccTime now)
{
  if (fits) {
    gcc_pause_init (self);
  } else if (self->tried_since == GCC_TIME_NONE ||
      has_lasted (&self->tried_since, params->trial, now)) {
    set_paused (self, TRUE, self->n_trials);
  }
}

static void
choose (const GccLayer *layer, const GccLayersParams *params, GccRate left,
    GccTime now)
{
  if (!layer->is_pausable)
    gcc_pause_init (layer->pause);
  else if (layer->pause->is_paused)
    wait_to_resume (layer, params, left, now);
  else
    go_on (layer->pause, params, layer->min <= left, now);
}

static GccTime
get_rest (const GccPause *self, const GccLayersParams *params)
{
  GccTime rest = params->rest;

  for (guint i = 0; i < self->n_trials && rest < params->max_rest; i++)
    rest *= 2;
  return MIN (rest, params->max_rest);
}

/* No layer flows. The rate may be that of a moment, or of a path that stays slow. */
static gboolean
try_first (GccPause *self, const GccLayersParams *params, GccTime now)
{
  if (!has_lasted (&self->rests_since, get_rest (self, params), now))
    return FALSE;
  set_paused (self, FALSE, self->n_trials + 1);
  self->tried_since = now;
  return TRUE;
}

GccRate
gcc_layers_get_wanted (
    const GccLayersParams *params, const GccLayer *layers, guint n_layers)
{
  GccRate before = 0, wanted = 0;

  for (guint i = 0; i < n_layers; i++) {
    if (layers[i].pause->is_paused)
      wanted = MAX (
          wanted, gcc_rate_add (before, get_resumed (params, layers[i].min)));
    before = gcc_rate_add (before, layers[i].min);
  }
  return wanted;
}

gboolean
gcc_layers_choose (const GccLayersParams *params, GccRate total,
    GccLayer *layers, guint n_layers, GccTime now)
{
  gboolean resumes = FALSE;
  guint n_flowing = 0;

  sort (layers, n_layers);
  for (guint i = 0; i < n_layers; i++) {
    gboolean was_paused = layers[i].pause->is_paused;

    choose (&layers[i], params, total, now);
    if (layers[i].pause->is_paused)
      continue;
    resumes |= was_paused;
    total -= layers[i].min;
    n_flowing++;
  }
  if (n_flowing > 0)
    for (guint i = 0; i < n_layers; i++)
      layers[i].pause->rests_since = GCC_TIME_NONE;
  else if (n_layers > 0)
    resumes = try_first (layers[0].pause, params, now);
  return resumes;
}
