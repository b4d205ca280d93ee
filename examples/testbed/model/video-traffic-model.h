/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * VideoTrafficModel:
 *
 * The statistical model of RFC 8593, section 5: how large the frames of a live
 * encoder are and when they come, as its target rate R_v changes. Fields are
 * private.
 */
typedef struct {
  GRand *random;
  gdouble frame_rate;
  gdouble min_rate;
  gdouble max_rate;
  gdouble rate;
  gint64 changed_us;
  guint burst_left;
} VideoTrafficModel;

typedef struct {
  gsize bytes;
  /* from this frame to the next */
  gint64 interval_us;
  /* the first of a burst, where an encoder has a key frame */
  gboolean begins_burst;
} VideoTrafficFrame;

/* @frame_rate is 1 / t_0 in frames per second; rates are in bit/s. The same
 * @seed gives the same frames. */
void video_traffic_model_init (VideoTrafficModel *self, guint32 seed,
    gdouble frame_rate, gdouble min_rate, gdouble max_rate);
void video_traffic_model_clear (VideoTrafficModel *self);

/* The frame that is taken at @now_us, while R_v is @target_rate. */
VideoTrafficFrame video_traffic_model_next (
    VideoTrafficModel *self, gdouble target_rate, gint64 now_us);

G_END_DECLS
