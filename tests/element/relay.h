/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A small SFU: it gets layers of one camera in VP8, which it tells apart by their rid,
 * and forwards one of them to each of two viewers, which decode it. */

#pragma once

#include <gst/check/gstharness.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define RELAY_RID_ID 4
#define RELAY_N_LAYERS 3
#define RELAY_N_VIEWERS 2

/* From the smallest picture to the largest. */
extern const gchar *const relay_rids[RELAY_N_LAYERS];

/*
 * RelayLayer:
 * @packet_at: when its last packet came, monotonic, µs; 0: none has
 * @n_frames: whole ones, by their last packets
 * @n_missing: packets that its sequence numbers lack
 * @bytes: since they were last taken
 */
typedef struct {
  guint32 ssrc;
  gint64 packet_at;
  guint16 seq;
  guint n_frames;
  guint n_missing;
  guint64 bytes;
} RelayLayer;

/*
 * RelayViewer:
 * @most: the layer that it wants where that flows
 * @current: the layer that it gets; -1: none yet
 * @seq: of the last packet that it got
 * @shift: between its timestamps and those of the layer
 * @asked_at: when a key frame was requested for it last
 * @n_pictures: decoded ones
 * @longest_wait: between two of them, µs
 */
typedef struct {
  gint most;
  gint current;
  guint16 seq;
  guint32 shift;
  gint64 asked_at;
  gint64 picture_at;
  guint n_pictures;
  gint64 longest_wait;
  GstHarness *decoder;
} RelayViewer;

typedef struct {
  GMutex lock;
  RelayLayer layers[RELAY_N_LAYERS];
  RelayViewer viewers[RELAY_N_VIEWERS];
  guint n_unknown;
} Relay;

/* The first viewer wants the largest picture, the second one the smallest. */
void relay_init (Relay *self);
/* What comes to @pad, a sink's, is the relay's. */
void relay_add (Relay *self, GstPad *pad);
/* ... once the pipeline has stopped. */
void relay_clear (Relay *self);

/* The longest wait of each viewer begins anew. */
void relay_measure_from_now (Relay *self);

/* The bytes of layer @i since the last call. */
guint64 relay_take_bytes (Relay *self, guint i);

/* A bit for each layer of which a packet came in the last 0.2 s. */
guint relay_get_flowing (Relay *self);

G_END_DECLS
