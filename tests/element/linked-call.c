/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "linked-call.h"

#include "element-test.h"

static GstCaps *
tell_media (GstElement *session, guint payload_type, gpointer media)
{
  GstCaps *caps = gst_caps_from_string (media);

  (void) session;
  gst_caps_set_simple (caps, "payload", G_TYPE_INT, (gint) payload_type, NULL);

  return caps;
}

static GstCaps *
tell_media_of_bin (
    GstElement *rtpbin, guint session, guint payload_type, gpointer media)
{
  (void) session;

  return tell_media (rtpbin, payload_type, media);
}

void
linked_call_add_probe (GstElement *element, const gchar *name,
    GstPadProbeCallback callback, gpointer data)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, data, NULL);
  gst_object_unref (pad);
}

static void
answer_with (GstElement *element, GCallback tell, const gchar *media)
{
  gchar *kept = g_strdup (media);

  g_object_set_data_full (G_OBJECT (element), "media", kept, g_free);
  g_signal_connect (element, "request-pt-map", tell, kept);
}

void
linked_call_open (
    GstElement *pipeline, SlowLink *link, gint64 capacity, const gchar *media)
{
  GstElement *a = test_get_element (pipeline, "a");

  answer_with (a, G_CALLBACK (tell_media_of_bin), media);
  answer_with (
      test_get_element (pipeline, "b"), G_CALLBACK (tell_media), media);
  gst_element_set_state (a, GST_STATE_PAUSED);
  slow_link_init (
      link, pipeline, test_get_element (pipeline, "link"), capacity);
  linked_call_add_probe (test_get_element (pipeline, "back"), "sink",
      test_send_back, test_open_rtcp (a, "recv_rtcp_sink_0"));
}
