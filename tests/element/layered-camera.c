/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "layered-camera.h"

#include <gst/video/video.h>

#include "element-test.h"

const guint layer_mins[CAMERA_N_LAYERS] = { 150000, 500000, 1500000 };

/* --- what is seen of a layer --- */

static GstPadProbeReturn
count_frame (GstPad *pad, GstPadProbeInfo *info, gpointer layer)
{
  (void) pad;
  (void) info;
  g_atomic_int_inc (&((Layer *) layer)->n_frames);

  return GST_PAD_PROBE_OK;
}

void
layer_count_event (Layer *self, GstEvent *event)
{
  const GstStructure *structure = gst_event_get_structure (event);
  gboolean is_paused;

  if (gst_video_event_is_force_key_unit (event))
    g_atomic_int_inc (&self->n_key_units);
  if (!gst_event_has_name (event, "GstGccPaused"))
    return;
  g_assert_true (gst_structure_get_boolean (structure, "paused", &is_paused));
  g_atomic_int_inc (is_paused ? &self->n_pauses : &self->n_resumptions);
}

static GstPadProbeReturn
see_event (GstPad *pad, GstPadProbeInfo *info, gpointer layer)
{
  (void) pad;
  layer_count_event (layer, gst_pad_probe_info_get_event (info));

  return GST_PAD_PROBE_OK;
}

GstElement *
camera_get_encoder (Camera *self, guint i)
{
  gchar *name = g_strdup_printf ("encoder%u", i);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

  g_free (name);
  gst_object_unref (encoder);

  return encoder;
}

static void
watch (Camera *self, guint i)
{
  GstPad *pad = gst_element_get_static_pad (
      camera_get_encoder (self, i), "src");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, count_frame, &self->layers[i], NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, see_event,
      &self->layers[i], NULL);
  gst_object_unref (pad);
}

/* --- the camera --- */

void
camera_init (Camera *self, const gchar *line, guint rate)
{
  *self = (Camera){ .pipeline = test_parse (line), .rate = rate };
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  g_object_set (
      self->sender, "start-bitrate", rate, "max-bitrate", 10000000, NULL);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    watch (self, i);
}

GstPad *
camera_get_pad (Camera *self, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (self->sender, name);

  g_assert_nonnull (pad);
  gst_object_unref (pad);

  return pad;
}

GstPad *
camera_get_pad_of (Camera *self, guint i)
{
  gchar *name = g_strdup_printf ("sink_%u", i);
  GstPad *pad = camera_get_pad (self, name);

  g_free (name);

  return pad;
}

void
camera_make_layers (Camera *self)
{
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    g_object_set (camera_get_pad_of (self, i), "min-bitrate", layer_mins[i],
        "priority", CAMERA_N_LAYERS - i, "pausable", TRUE, NULL);
}

void
camera_start (Camera *self, const gchar *line, guint rate)
{
  camera_init (self, line, rate);
  camera_make_layers (self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

void
camera_stop (Camera *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
}

void
camera_set_rate (Camera *self, guint rate)
{
  self->rate = rate;
  g_signal_emit_by_name (self->sender, "restart", rate);
}

gboolean
camera_is_active (Camera *self, guint i)
{
  gboolean active;

  g_object_get (camera_get_pad_of (self, i), "active", &active, NULL);

  return active;
}

guint
camera_count_active (Camera *self)
{
  guint n = 0;

  while (n < CAMERA_N_LAYERS && camera_is_active (self, n))
    n++;
  for (guint i = n; i < CAMERA_N_LAYERS; i++)
    g_assert_false (camera_is_active (self, i));

  return n;
}

/* Several may resume between two looks. */
static gboolean
has_after (Camera *self, guint rate, guint n_wanted)
{
  guint n = 0;

  camera_set_rate (self, rate);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    n += camera_is_active (self, i);

  return n == n_wanted;
}

gboolean
camera_has_two (gpointer camera)
{
  return has_after (camera, 900000, 2);
}

gboolean
camera_has_all (gpointer camera)
{
  return has_after (camera, 3000000, 3);
}

void
camera_see_frames (Camera *self, gint *n, gulong time)
{
  g_usleep (G_USEC_PER_SEC / 10);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    n[i] = -g_atomic_int_get (&self->layers[i].n_frames);
  g_usleep (time);
  for (guint i = 0; i < CAMERA_N_LAYERS; i++)
    n[i] += g_atomic_int_get (&self->layers[i].n_frames);
}

/* Of those that flow a frame comes, however slow the machine is. */
static void
wait_for_frame (Camera *self, guint i, gint before)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (g_atomic_int_get (&self->layers[i].n_frames) == before) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (G_USEC_PER_SEC / 100);
  }
}

void
camera_assert_flowing (Camera *self, guint n_flowing)
{
  gint n[CAMERA_N_LAYERS];

  for (guint i = 0; i < n_flowing; i++)
    wait_for_frame (self, i, g_atomic_int_get (&self->layers[i].n_frames));
  camera_see_frames (self, n, G_USEC_PER_SEC / 2);
  for (guint i = n_flowing; i < CAMERA_N_LAYERS; i++)
    g_assert_cmpint (n[i], ==, 0);
}

gint
camera_bitrate_of (Camera *self, guint i)
{
  gint bitrate;

  g_object_get (camera_get_encoder (self, i), "target-bitrate", &bitrate, NULL);

  return bitrate;
}
