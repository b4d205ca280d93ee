/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "relay.h"

#include <gst/rtp/rtp.h>
#include <gst/video/video.h>

/* A layer without a packet for so long, six pictures, has stopped. */
#define SILENCE (200 * G_TIME_SPAN_MILLISECOND)
/* A request for a key frame is repeated after this time. */
#define PATIENCE (200 * G_TIME_SPAN_MILLISECOND)

#define CAPS \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96"

const gchar *const relay_rids[RELAY_N_LAYERS] = { "low", "mid", "high" };

/* --- reading --- */

/* -1: none has this rid. */
static gint
find_by_rid (GstRTPBuffer *rtp)
{
  gpointer rid;
  guint size;

  if (!gst_rtp_buffer_get_extension_onebyte_header (
          rtp, RELAY_RID_ID, 0, &rid, &size))
    return -1;
  for (gint i = 0; i < RELAY_N_LAYERS; i++)
    if (strlen (relay_rids[i]) == size &&
        memcmp (rid, relay_rids[i], size) == 0)
      return i;

  return -1;
}

static gint
find_layer (Relay *self, GstRTPBuffer *rtp)
{
  gint i = find_by_rid (rtp);

  if (i >= 0)
    self->layers[i].ssrc = gst_rtp_buffer_get_ssrc (rtp);

  return i;
}

/* The payload descriptor of RFC 7741, section 4.2, and the bit of the frame after it. */
static gboolean
begins_key_frame (GstRTPBuffer *rtp)
{
  const guint8 *payload = gst_rtp_buffer_get_payload (rtp);
  guint size = gst_rtp_buffer_get_payload_len (rtp), at = 1;

  if (size < 6 || (payload[0] & 0x1f) != 0x10)
    return FALSE;
  if (payload[0] & 0x80) {
    guint8 fields = payload[at++];

    if (fields & 0x80)
      at += payload[at] & 0x80 ? 2 : 1;
    at += (fields & 0x40) != 0;
    at += (fields & 0x30) != 0;
  }

  return at < size && (payload[at] & 1) == 0;
}

static void
count_packet (RelayLayer *self, GstRTPBuffer *rtp, gint64 now)
{
  guint16 seq = gst_rtp_buffer_get_seq (rtp);

  if (self->packet_at > 0)
    self->n_missing += (guint16) (seq - self->seq - 1);
  self->seq = seq;
  self->packet_at = now;
  self->n_frames += gst_rtp_buffer_get_marker (rtp);
  self->bytes += gst_rtp_buffer_get_packet_len (rtp);
}

/* --- forwarding --- */

static gboolean
flows (const RelayLayer *layer, gint64 now)
{
  return layer->packet_at > 0 && now - layer->packet_at < SILENCE;
}

static gint
get_wanted (const Relay *self, const RelayViewer *viewer, gint64 now)
{
  gint layer = viewer->most;

  while (layer > 0 && !flows (&self->layers[layer], now))
    layer--;

  return layer;
}

/* A viewer's clock goes on as time does. */
static void
change_to (RelayViewer *viewer, gint layer, GstRTPBuffer *rtp, gint64 now)
{
  viewer->current = layer;
  viewer->shift = (guint32) (now * 9 / 100) -
      gst_rtp_buffer_get_timestamp (rtp);
}

static void
count_pictures (RelayViewer *viewer, gint64 now)
{
  GstBuffer *picture;

  while ((picture = gst_harness_try_pull (viewer->decoder)) != NULL) {
    gst_buffer_unref (picture);
    if (viewer->picture_at > 0)
      viewer->longest_wait = MAX (
          viewer->longest_wait, now - viewer->picture_at);
    viewer->picture_at = now;
    viewer->n_pictures++;
  }
}

static void
forward (RelayViewer *viewer, GstBuffer *buffer, gint64 now)
{
  GstBuffer *copy = gst_buffer_copy_deep (buffer);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (copy, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_seq (&rtp, ++viewer->seq);
  gst_rtp_buffer_set_timestamp (
      &rtp, gst_rtp_buffer_get_timestamp (&rtp) + viewer->shift);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_push (viewer->decoder, copy);
  count_pictures (viewer, now);
}

/* The session makes a PLI of it. */
static void
ask_for_key_frame (GstPad *pad, guint32 ssrc)
{
  GstEvent *event = gst_video_event_new_upstream_force_key_unit (
      GST_CLOCK_TIME_NONE, TRUE, 0);

  gst_structure_set (gst_event_writable_structure (event), "ssrc", G_TYPE_UINT,
      ssrc, "payload", G_TYPE_UINT, 96, NULL);
  gst_pad_push_event (pad, event);
}

/* Returns whether a key frame is missing for the layer that @viewer wants. */
static gboolean
serve (
    Relay *self, RelayViewer *viewer, gint layer, GstRTPBuffer *rtp, gint64 now)
{
  gint wanted = get_wanted (self, viewer, now);

  if (wanted == layer && viewer->current != layer && begins_key_frame (rtp))
    change_to (viewer, layer, rtp, now);
  if (viewer->current == layer)
    forward (viewer, rtp->buffer, now);
  if (viewer->current == wanted || now - viewer->asked_at < PATIENCE)
    return FALSE;
  viewer->asked_at = now;

  return TRUE;
}

static void
take_packet (Relay *self, GstPad *pad, GstRTPBuffer *rtp)
{
  gint64 now = g_get_monotonic_time ();
  gint layer = find_layer (self, rtp);

  if (layer < 0) {
    self->n_unknown++;
    return;
  }
  count_packet (&self->layers[layer], rtp, now);
  for (guint i = 0; i < RELAY_N_VIEWERS; i++)
    if (serve (self, &self->viewers[i], layer, rtp, now))
      ask_for_key_frame (
          pad, self->layers[get_wanted (self, &self->viewers[i], now)].ssrc);
}

static GstPadProbeReturn
packet_comes (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Relay *self = user_data;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (
      GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp));
  g_mutex_lock (&self->lock);
  take_packet (self, pad, &rtp);
  g_mutex_unlock (&self->lock);
  gst_rtp_buffer_unmap (&rtp);

  return GST_PAD_PROBE_DROP;
}

/* --- */

static void
viewer_init (RelayViewer *self, gint most)
{
  *self = (RelayViewer){ .most = most,
    .current = -1,
    .decoder = gst_harness_new_parse ("rtpvp8depay ! vp8dec") };
  gst_harness_set_src_caps_str (self->decoder, CAPS);
}

void
relay_init (Relay *self)
{
  *self = (Relay){ .n_unknown = 0 };
  g_mutex_init (&self->lock);
  viewer_init (&self->viewers[0], RELAY_N_LAYERS - 1);
  viewer_init (&self->viewers[1], 0);
}

void
relay_add (Relay *self, GstPad *pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, packet_comes, self, NULL);
}

void
relay_clear (Relay *self)
{
  for (guint i = 0; i < RELAY_N_VIEWERS; i++)
    gst_harness_teardown (self->viewers[i].decoder);
  g_mutex_clear (&self->lock);
}

void
relay_measure_from_now (Relay *self)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < RELAY_N_VIEWERS; i++)
    self->viewers[i].longest_wait = 0;
  g_mutex_unlock (&self->lock);
}

guint64
relay_take_bytes (Relay *self, guint i)
{
  guint64 bytes;

  g_mutex_lock (&self->lock);
  bytes = self->layers[i].bytes;
  self->layers[i].bytes = 0;
  g_mutex_unlock (&self->lock);

  return bytes;
}

guint
relay_get_flowing (Relay *self)
{
  gint64 now = g_get_monotonic_time ();
  guint flowing = 0;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < RELAY_N_LAYERS; i++)
    flowing |= (guint) flows (&self->layers[i], now) << i;
  g_mutex_unlock (&self->lock);

  return flowing;
}
