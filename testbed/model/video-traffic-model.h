/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* K_B of RFC 8593, bytes */
#define VIDEO_TRAFFIC_KEY_BYTES 13500

/**
 * VideoTrafficParams:
 * @frame_rate: 1 / t_0, frames per second, above 0
 * @min_rate: R_min, bit/s, above 0
 * @max_rate: R_max, bit/s, at least @min_rate
 * @rate_factor: rate between key frames as a multiple of R_v, above 0; 1 in the
 *   RFC
 * @late_us: time after which R_v is followed, at least 0; 0 in the RFC
 * @key_bytes: K_B, the first frame of a burst, above 0; VIDEO_TRAFFIC_KEY_BYTES
 *   in the RFC
 * @key_interval_us: greatest time from one burst to the next; 0: no bound, as
 *   in the RFC
 * @starts_over: whether each change of R_v is followed at once, and by a frame of
 *   @key_bytes that the frames after it do not make up for
 *
 * The numbers of the model, and the differences of an encoder from it.
 */
typedef struct {
  gdouble frame_rate;
  gdouble min_rate;
  gdouble max_rate;
  gdouble rate_factor;
  gint64 late_us;
  gdouble key_bytes;
  gint64 key_interval_us;
  gboolean starts_over;
} VideoTrafficParams;

/**
 * VideoTrafficModel:
 *
 * The statistical model of RFC 8593, section 5: how large the frames of a live
 * encoder are and when they come, as its target rate R_v changes. Fields are
 * private.
 */
typedef struct {
  VideoTrafficParams params;
  GRand *random;
  /* rates that are not followed yet, the oldest first */
  GQueue targets;
  gdouble rate;
  gint64 changed_us;
  gint64 key_us;
  guint burst_left;
} VideoTrafficModel;

typedef struct {
  gsize bytes;
  /* from this frame to the next */
  gint64 interval_us;
  /* the first of a burst, or that of an encoder that starts over */
  gboolean is_key;
} VideoTrafficFrame;

/* The same @seed gives the same frames. */
void video_traffic_model_init (
    VideoTrafficModel *self, guint32 seed, const VideoTrafficParams *params);
void video_traffic_model_clear (VideoTrafficModel *self);

/* The frame that is taken at @now_us, while @target_rate is asked for. */
VideoTrafficFrame video_traffic_model_next (
    VideoTrafficModel *self, gdouble target_rate, gint64 now_us);

G_END_DECLS
