/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-layers.h>

void
gcc_pause_init (GccPause *self)
{
  *self = (GccPause){ .is_paused = FALSE, .fits_since = GCC_TIME_NONE };
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

/* A paused layer waits, so that one whose minimum is about the rate does not start
 * and stop all the time: each start costs a key frame. */
static void
wait_to_resume (
    GccPause *self, const GccLayersParams *params, gboolean fits, GccTime now)
{
  if (!fits) {
    self->fits_since = GCC_TIME_NONE;
    return;
  }
  if (self->fits_since == GCC_TIME_NONE || now < self->fits_since)
    self->fits_since = now;
  if (gcc_time_diff (now, self->fits_since) >= params->patience)
    gcc_pause_init (self);
}

static void
choose (const GccLayer *layer, const GccLayersParams *params, GccRate left,
    GccTime now)
{
  if (!layer->is_pausable)
    gcc_pause_init (layer->pause);
  else if (layer->pause->is_paused)
    wait_to_resume (layer->pause, params,
        gcc_rate_from_double (params->margin * (gdouble) layer->min) <= left,
        now);
  else
    layer->pause->is_paused = layer->min > left;
}

void
gcc_layers_choose (const GccLayersParams *params, GccRate total,
    GccLayer *layers, guint n_layers, GccTime now)
{
  sort (layers, n_layers);
  for (guint i = 0; i < n_layers; i++) {
    choose (&layers[i], params, total, now);
    if (!layers[i].pause->is_paused)
      total -= layers[i].min;
  }
}
