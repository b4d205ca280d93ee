/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccrtcpfilter.h"

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>

/* Words of a feedback packet before its FCI that its length counts: the SSRCs
 * of the sender and of the media source. */
#define FEEDBACK_SSRCS 2

/* --- RTCP among RTP --- */

/* The types that rtpsession accepts as the first of a compound packet. */
static gboolean
may_be_rtcp (GstBuffer *buffer)
{
  guint8 bytes[2];

  return gst_buffer_extract (buffer, 0, bytes, sizeof bytes) == sizeof bytes &&
      (GST_READ_UINT16_BE (bytes) & GST_RTCP_REDUCED_SIZE_VALID_MASK) ==
      GST_RTCP_VALID_VALUE;
}

/* As rtpsession asks. */
static gboolean
is_rtp (GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (buffer,
          GST_MAP_READ | (GstMapFlags) GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING,
          &rtp))
    return FALSE;
  gst_rtp_buffer_unmap (&rtp);

  return TRUE;
}

gboolean
gst_gcc_rtcp_filter_is_rtcp_among_rtp (GstBuffer *buffer)
{
  return may_be_rtcp (buffer) && !is_rtp (buffer);
}

/* --- kinds --- */

static gboolean
is_feedback (GstRTCPPacket *packet, GstRTCPFBType format)
{
  return gst_rtcp_packet_get_type (packet) == GST_RTCP_TYPE_RTPFB &&
      gst_rtcp_packet_get_count (packet) == format;
}

/* With its padding, as rtpsession reads it. */
static gboolean
is_readable (GstRTCPPacket *packet)
{
  guint words = gst_rtcp_packet_get_length (packet);
  GccTransportFeedback feedback;

  return words > FEEDBACK_SSRCS &&
      gcc_transport_feedback_parse_fci (&feedback,
          gst_rtcp_packet_fb_get_fci (packet),
          (gsize) 4 * (words - FEEDBACK_SSRCS)) &&
      feedback.has_times;
}

static gboolean
is_of_kind (GstRTCPPacket *packet, GstGccRtcpKind kind)
{
  switch (kind) {
    case GST_GCC_RTCP_SR_REQUEST:
      return is_feedback (packet, GST_RTCP_RTPFB_TYPE_RTCP_SR_REQ);
    case GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK:
      return is_feedback (packet, GST_RTCP_RTPFB_TYPE_TWCC) &&
          !is_readable (packet);
    default:
      return is_feedback (packet, GST_RTCP_RTPFB_TYPE_TWCC);
  }
}

/* --- compound packets --- */

gboolean
gst_gcc_rtcp_filter_is_valid (GstBuffer *buffer)
{
  /* without this check GStreamer would warn of a buffer without memory */
  return gst_buffer_get_size (buffer) > 0 &&
      gst_rtcp_buffer_validate_reduced (buffer);
}

gboolean
gst_gcc_rtcp_filter_has (GstBuffer *buffer, GstGccRtcpKind kind)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean found = FALSE;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
       more && !found; more = gst_rtcp_packet_move_to_next (&packet))
    found = is_of_kind (&packet, kind);
  gst_rtcp_buffer_unmap (&rtcp);

  return found;
}

guint
gst_gcc_rtcp_filter_remove (GstBuffer **buffer, GstGccRtcpKind kind)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint n = 0;

  if (!gst_gcc_rtcp_filter_has (*buffer, kind))
    return 0;

  *buffer = gst_buffer_make_writable (*buffer);
  if (!gst_rtcp_buffer_map (*buffer, GST_MAP_READWRITE, &rtcp))
    return 0;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;)
    if (is_of_kind (&packet, kind)) {
      more = gst_rtcp_packet_remove (&packet);
      n++;
    } else {
      more = gst_rtcp_packet_move_to_next (&packet);
    }
  gst_rtcp_buffer_unmap (&rtcp);

  return n;
}
