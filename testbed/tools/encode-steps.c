/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Encodes as fast as it goes, with a new value of a property, or a key frame,
 * at given frames, which gst-launch cannot do. measure_encoder.py compiles it
 * and runs
 *
 *   encode-steps "... ! x264enc name=encoder ! fakesink" FRAME:bitrate=500
 *     FRAME:key
 *
 * On stdout is a line per encoded frame: its time in ns, which tells which ones
 * were dropped, "key" or "delta", and what is in it, in hexadecimal digits. */

#include <gst/gst.h>

typedef struct {
  GstElement *encoder;
  gchar **steps;
  guint64 frame;
} Run;

/* The event that a receiver's PLI becomes. */
static void
request_key_frame (GstElement *encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "src");

  gst_pad_send_event (pad,
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new_empty ("GstForceKeyUnit")));
  gst_object_unref (pad);
}

/* @step: PROPERTY=VALUE, or "key" */
static void
take_step (GstElement *encoder, const gchar *step)
{
  gchar **words = g_strsplit (step, "=", 2);

  if (words[1] == NULL)
    request_key_frame (encoder);
  else
    gst_util_set_object_arg (G_OBJECT (encoder), words[0], words[1]);
  g_strfreev (words);
}

static GstPadProbeReturn
before_frame (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Run *run = data;

  (void) pad;
  (void) info;
  for (gchar **step = run->steps; *step != NULL; step++) {
    gchar *colon;

    if (g_ascii_strtoull (*step, &colon, 10) == run->frame)
      take_step (run->encoder, colon + 1);
  }
  run->frame++;

  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
after_frame (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMapInfo map;

  (void) pad;
  (void) data;
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    g_error ("a frame cannot be read");
  g_print ("%" G_GUINT64_FORMAT " %s ", GST_BUFFER_PTS (buffer),
      GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT) ? "delta"
                                                                  : "key");
  for (gsize i = 0; i < map.size; i++)
    g_print ("%02x", map.data[i]);
  g_print ("\n");
  gst_buffer_unmap (buffer, &map);

  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *element, const gchar *pad_name,
    GstPadProbeCallback callback, Run *run)
{
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, run, NULL);
  gst_object_unref (pad);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  GstMessage *end;
  Run run = { 0 };
  gboolean is_good;
  GstBus *bus;

  gst_init (&argc, &argv);
  if (argc < 2)
    g_error ("no pipeline given");
  pipeline = gst_parse_launch (argv[1], &error);
  if (error != NULL)
    g_error ("%s", error->message);
  run.encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  run.steps = argv + 2;
  add_probe (run.encoder, "sink", before_frame, &run);
  add_probe (run.encoder, "src", after_frame, &run);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  bus = gst_element_get_bus (pipeline);
  end = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  is_good = GST_MESSAGE_TYPE (end) == GST_MESSAGE_EOS;

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_message_unref (end);
  gst_object_unref (bus);
  gst_object_unref (run.encoder);
  gst_object_unref (pipeline);

  return is_good ? 0 : 1;
}
