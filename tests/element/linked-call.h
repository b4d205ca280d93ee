/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls in virtual time within one pipeline: the rtpbin "a" sends over the queue
 * "link" to the rtpsession "b", and the RTCP of "b" goes to the sink "back". */

#pragma once

#include <gst/gst.h>

#include "slow-link.h"

G_BEGIN_DECLS

/**
 * linked_call_open:
 * @link: becomes the link, of @capacity bit/s
 * @media: caps of the media, whatever their payload type
 *
 * To be called before the pipeline plays.
 */
void linked_call_open (
    GstElement *pipeline, SlowLink *link, gint64 capacity, const gchar *media);

/* Calls @callback for each buffer at the pad @name. */
void linked_call_add_probe (GstElement *element, const gchar *name,
    GstPadProbeCallback callback, gpointer data);

G_END_DECLS
