/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

/* The port that the system gave the udpsrc @name of @pipeline, which is opened for
 * it. */
gint udp_port_of (GstElement *pipeline, const gchar *name);

/* Has the udpsink @name of @pipeline send to @port of this machine. */
void udp_point (GstElement *pipeline, const gchar *name, gint port);
