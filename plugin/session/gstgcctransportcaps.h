/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "session/gstgccfeedbackmode.h"

G_BEGIN_DECLS

/*
 * GstGccTransportCaps:
 * @GST_GCC_TRANSPORT_CAPS_DONE: the caps are as @mode wants them
 * @GST_GCC_TRANSPORT_CAPS_ID_TAKEN: %GST_GCC_TRANSPORT_CC_ID is another header
 *   extension
 * @GST_GCC_TRANSPORT_CAPS_NO_PAYLOAD_TYPE: rtpsession reads no extension in
 *   caps without `payload`
 * @GST_GCC_TRANSPORT_CAPS_ELSEWHERE: the caps do not name a format: the session
 *   has formats by payload type, and they are negotiated
 *
 * The state of the transport-wide header extension in caps.
 */
typedef enum {
  GST_GCC_TRANSPORT_CAPS_DONE,
  GST_GCC_TRANSPORT_CAPS_ID_TAKEN,
  GST_GCC_TRANSPORT_CAPS_NO_PAYLOAD_TYPE,
  GST_GCC_TRANSPORT_CAPS_ELSEWHERE,
} GstGccTransportCaps;

/*
 * gst_gcc_transport_caps_filter:
 * @caps: as they come from the network source
 * @result: (out): the state of the extension
 *
 * Returns: (transfer full): what rtpsession is to see: @caps, with the
 *   extension where @mode is %GST_GCC_FEEDBACK_TRANSPORT_CC, without it where
 *   @mode is %GST_GCC_FEEDBACK_REMB or %GST_GCC_FEEDBACK_CCFB; @caps itself where that is so already or
 *   cannot be
 */
GstCaps *gst_gcc_transport_caps_filter (
    GstCaps *caps, GstGccFeedbackMode mode, GstGccTransportCaps *result);

/* The identifier of the extension; 0: there is none. */
guint gst_gcc_transport_caps_get_id (const GstCaps *caps);

/* Whether the feedback is that of RFC 8888: @mode says so, or leaves it to @caps
 * (nullable), which have it from SDP, and no transport-wide extension. */
gboolean gst_gcc_transport_caps_choose_ccfb (
    const GstCaps *caps, GstGccFeedbackMode mode);

G_END_DECLS
