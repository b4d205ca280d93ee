/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

#include "session/gstgccstatusbudget.h"

G_BEGIN_DECLS

/*
 * GstGccRtcpKind:
 * @GST_GCC_RTCP_SR_REQUEST: a request for a sender report (RFC 6051, section 3:
 *   RTPFB with FMT 5)
 * @GST_GCC_RTCP_TRANSPORT_FEEDBACK: transport-wide feedback (RTPFB with FMT 15)
 * @GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK: such feedback that cannot be read,
 *   or has not a receive delta for each packet that it says has arrived;
 *   rtpsession reads past the end of it (1.22 to 1.28)
 * @GST_GCC_RTCP_MALFORMED: any other packet with a count or a length that leads
 *   past its end; rtpsession reads there in source descriptions (1.22 to 1.28)
 *
 * A kind of packets in compound RTCP.
 */
typedef enum {
  GST_GCC_RTCP_SR_REQUEST,
  GST_GCC_RTCP_TRANSPORT_FEEDBACK,
  GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK,
  GST_GCC_RTCP_MALFORMED
} GstGccRtcpKind;

/*
 * gst_gcc_rtcp_filter_is_rtcp_among_rtp:
 *
 * Whether an RTP session takes @buffer for RTCP that arrives where RTP does
 * (RFC 5761, section 4). There rtpsession takes for RTCP what it cannot read as
 * RTP. So a short RTPFB is RTCP, because its count reads as a number of
 * contributing sources that are missing, and a long RTPFB is RTP. The first two
 * bytes rule out other packets.
 */
gboolean gst_gcc_rtcp_filter_is_rtcp_among_rtp (GstBuffer *buffer);

/* Whether the RTCP in @buffer can be taken apart; rtpsession refuses any
 * other. */
gboolean gst_gcc_rtcp_filter_is_valid (GstBuffer *buffer);

/* Whether @buffer, which is valid RTCP, has a packet of @kind. */
gboolean gst_gcc_rtcp_filter_has (GstBuffer *buffer, GstGccRtcpKind kind);

/*
 * gst_gcc_rtcp_filter_remove:
 * @buffer: (inout) (transfer full): valid RTCP; copied when it is not writable
 *   and has a packet of @kind
 *
 * Takes the packets of @kind out of @buffer, which is empty when it has no
 * others.
 *
 * Returns: how many they were
 */
guint gst_gcc_rtcp_filter_remove (GstBuffer **buffer, GstGccRtcpKind kind);

/* Whether the transport-wide feedback in @buffer, which is sound, is within
 * @budget, from which all of it is taken then. */
gboolean gst_gcc_rtcp_filter_may_pass (
    GstBuffer *buffer, GstGccStatusBudget *budget);

G_END_DECLS
