/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "udp-ports.h"

gint
udp_port_of (GstElement *pipeline, const gchar *name)
{
  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), name);
  gint port;

  g_assert_cmpint (gst_element_set_state (source, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  g_object_get (source, "port", &port, NULL);
  gst_object_unref (source);

  return port;
}

void
udp_point (GstElement *pipeline, const gchar *name, gint port)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_object_set (sink, "host", "127.0.0.1", "port", port, NULL);
  gst_object_unref (sink);
}
