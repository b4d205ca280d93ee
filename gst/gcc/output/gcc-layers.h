/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccLayersParams:
 * @margin: a paused layer waits for this multiple of its minimum to fit; at least 1
 * @patience: ... and resumes when its minimum has fit for so long since
 * @rest: where no layer flows, the first one is tried after this time, and after twice
 *   as long with each trial that was for nothing
 * @max_rest: ... but not longer
 * @trial: ... for so long, although its minimum does not fit
 */
typedef struct {
  gdouble margin;
  GccTime patience;
  GccTime rest;
  GccTime max_rest;
  GccTime trial;
} GccLayersParams;

/**
 * GccPause:
 * @is_paused: whether the layer sends nothing
 * @fits_since: since when a paused layer has fit; %GCC_TIME_NONE: it does not
 * @rests_since: since when it is the first of layers of which none flows, or
 *   %GCC_TIME_NONE
 * @tried_since: since when it flows without room, or %GCC_TIME_NONE
 * @n_trials: how often it has done so since its minimum has fit
 *
 * The state of a layer between two choices.
 */
typedef struct {
  gboolean is_paused;
  GccTime fits_since;
  GccTime rests_since;
  GccTime tried_since;
  guint n_trials;
} GccPause;

void gcc_pause_init (GccPause *self);

/**
 * GccLayer:
 * @min: the rate without which the layer is of no use, bit/s
 * @priority: the layers of a greater one get their minimum first
 * @is_pausable: whether the layer may be paused; others get their minimum before all
 * @pause: its state
 *
 * One of several streams that share a rate: a picture of a camera in one size, or a
 * screen beside it.
 */
typedef struct {
  GccRate min;
  guint priority;
  gboolean is_pausable;
  GccPause *pause;
} GccLayer;

/*
 * gcc_layers_choose:
 * @total: the rate of all @layers, bit/s
 * @now: a clock that is set back begins the time of a resumption anew
 *
 * Decides which layers flow. A layer whose minimum does not fit into what those before
 * it leave is paused at once, and the layers after it may flow in its place. Of two
 * layers with one priority the first one comes first. @layers are sorted. Where none
 * flows nobody reports on anything, and @total stays as it is: the first layer is tried.
 * Returns whether a layer resumes.
 */
gboolean gcc_layers_choose (const GccLayersParams *params, GccRate total,
    GccLayer *layers, guint n_layers, GccTime now);

/* The rate that the paused ones of @layers wait for, bit/s; 0: none is paused. They are
 * in the order of gcc_layers_choose(). */
GccRate gcc_layers_get_wanted (
    const GccLayersParams *params, const GccLayer *layers, guint n_layers);

G_END_DECLS
