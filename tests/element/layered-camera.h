/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A camera in three sizes through one gccsender to three sinks, in real time. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define CAMERA_N_LAYERS 3

/* The least rate of each picture of a camera, the smallest one first. */
extern const guint layer_mins[CAMERA_N_LAYERS];

#define CAMERA_SOURCE \
  "videotestsrc is-live=true ! video/x-raw,width=64,height=64,framerate=30/1 " \
  "! "
#define CAMERA_ENCODER(name) \
  CAMERA_SOURCE "vp8enc deadline=1 name=" name " ! rtpvp8pay ! "
#define CAMERA_SINK " ! fakesink async=false sync=false "

#define CAMERA_STREAM(i) \
  CAMERA_ENCODER ("encoder" i) "sender.sink_" i " sender.src_" i CAMERA_SINK

#define CAMERA_STREAMS \
  "gccsender name=sender " CAMERA_STREAM ("0") CAMERA_STREAM ("1") \
      CAMERA_STREAM ("2")
#define CAMERA_BUNDLE \
  CAMERA_ENCODER ("encoder0") \
  "f. " CAMERA_ENCODER ("encoder1") "f. " CAMERA_ENCODER ( \
      "encoder2") "f. rtpfunnel name=f ! gccsender name=sender " CAMERA_SINK

/* Atomic. */
typedef struct {
  gint n_frames;
  gint n_pauses;
  gint n_resumptions;
  gint n_key_units;
} Layer;

typedef struct {
  GstElement *pipeline;
  GstElement *sender;
  Layer layers[CAMERA_N_LAYERS];
  guint rate;
  gint n_notified;
} Camera;

/* What an event upstream says of a layer. */
void layer_count_event (Layer *self, GstEvent *event);

/* @line has encoders and pads of gccsender with the names of CAMERA_STREAMS. */
void camera_init (Camera *self, const gchar *line, guint rate);
/* Minima and priorities, and all may be paused. */
void camera_make_layers (Camera *self);
/* Both, and the pipeline plays. */
void camera_start (Camera *self, const gchar *line, guint rate);
void camera_stop (Camera *self);

/* (transfer none) */
GstElement *camera_get_encoder (Camera *self, guint i);
GstPad *camera_get_pad (Camera *self, const gchar *name);
GstPad *camera_get_pad_of (Camera *self, guint i);

/* The target is applied, as with each report. */
void camera_set_rate (Camera *self, guint rate);
gboolean camera_is_active (Camera *self, guint i);
/* The first ones, and no other. */
guint camera_count_active (Camera *self);
/* For test_wait_until(): sets a rate for two, or for all. */
gboolean camera_has_two (gpointer camera);
gboolean camera_has_all (gpointer camera);

/* The frames of each layer in @time, once those that an encoder held are out. */
void camera_see_frames (Camera *self, gint *n, gulong time);
void camera_assert_flowing (Camera *self, guint n_flowing);
gint camera_bitrate_of (Camera *self, guint i);

G_END_DECLS
