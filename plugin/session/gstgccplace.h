/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccPlace:
 * @GST_GCC_PLACE_UNKNOWN: no RTP session has been found downstream
 * @GST_GCC_PLACE_PLAIN: right before a session without SDP
 * @GST_GCC_PLACE_NEGOTIATED: right before a session inside webrtcbin, as
 *   `request-aux-sender` puts it
 * @GST_GCC_PLACE_BEFORE_SDP: before a pad of webrtcbin, whose SDP is made from
 *   the caps
 * @GST_GCC_PLACE_ELSEWHERE: before another session than the one that gccsender
 *   has joined
 * @GST_GCC_PLACE_BEFORE_SENDER: before another gccsender
 * @GST_GCC_PLACE_AFTER_SESSION: downstream of a session, with none further down
 * @GST_GCC_PLACE_OF_RECEIVER: before the pad of a session where packets arrive
 *
 * The place to which a stream of gccsender leads. From
 * @GST_GCC_PLACE_BEFORE_SENDER on, gccsender is in a wrong place.
 */
typedef enum {
  GST_GCC_PLACE_UNKNOWN,
  GST_GCC_PLACE_PLAIN,
  GST_GCC_PLACE_NEGOTIATED,
  GST_GCC_PLACE_BEFORE_SDP,
  GST_GCC_PLACE_ELSEWHERE,
  GST_GCC_PLACE_BEFORE_SENDER,
  GST_GCC_PLACE_AFTER_SESSION,
  GST_GCC_PLACE_OF_RECEIVER,
} GstGccPlace;

/* Whether a bin that @object is in makes SDP, as webrtcbin does. */
gboolean gst_gcc_place_is_in_sdp (GstObject *object);

/* The pads of a session by which packets arrive, and leave. */
#define GST_GCC_PLACE_ARRIVING "recv_rtp_sink"
#define GST_GCC_PLACE_LEAVING "send_rtp_sink"

/* Whether the first session downstream of @srcpad is entered by its pad @name. */
gboolean gst_gcc_place_enters (GstPad *srcpad, const gchar *name);

/* The place to which @srcpad of @sender, a gccsender, leads. @joined:
 * (nullable): the element that holds the session which @sender has joined. */
GstGccPlace gst_gcc_place_find (
    GstPad *srcpad, GstElement *sender, GstElement *joined);

G_END_DECLS
