/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccrtcpfilter.h"

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "session/gstgccrtcpspan.h"

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

/* With its padding, as rtpsession reads it. */
static gboolean
is_readable (const GstGccRtcpSpan *span)
{
  GccTransportFeedback feedback;

  return span->whole > GST_GCC_RTCP_FEEDBACK_HEADER &&
      gcc_transport_feedback_parse_fci (&feedback,
          span->data + GST_GCC_RTCP_FEEDBACK_HEADER,
          span->whole - GST_GCC_RTCP_FEEDBACK_HEADER) &&
      feedback.has_times;
}

static gboolean
is_of_kind (const GstGccRtcpSpan *span, GstGccRtcpKind kind)
{
  gboolean is_transport = gst_gcc_rtcp_span_is_feedback (
      span, GST_RTCP_RTPFB_TYPE_TWCC);

  switch (kind) {
    case GST_GCC_RTCP_SR_REQUEST:
      return gst_gcc_rtcp_span_is_feedback (
          span, GST_RTCP_RTPFB_TYPE_RTCP_SR_REQ);
    case GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK:
      return is_transport && !is_readable (span);
    case GST_GCC_RTCP_MALFORMED:
      return !is_transport && !gst_gcc_rtcp_span_is_sound (span);
    default:
      return is_transport;
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
  gboolean found = FALSE;
  GstGccRtcpSpan span;
  gsize offset = 0;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  while (!found && gst_gcc_rtcp_span_next (&span, &rtcp, &offset))
    found = is_of_kind (&span, kind);
  gst_rtcp_buffer_unmap (&rtcp);

  return found;
}

/* Moves the other packets together. */
static guint
remove_packets (GstRTCPBuffer *rtcp, GstGccRtcpKind kind)
{
  gsize offset = 0, kept = 0;
  GstGccRtcpSpan span;
  guint n = 0;

  while (gst_gcc_rtcp_span_next (&span, rtcp, &offset))
    if (is_of_kind (&span, kind)) {
      n++;
    } else {
      memmove (rtcp->map.data + kept, span.data, span.whole);
      kept += span.whole;
    }
  rtcp->map.size = kept;

  return n;
}

guint
gst_gcc_rtcp_filter_remove (GstBuffer **buffer, GstGccRtcpKind kind)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint n;

  if (!gst_gcc_rtcp_filter_has (*buffer, kind))
    return 0;

  *buffer = gst_buffer_make_writable (*buffer);
  if (!gst_rtcp_buffer_map (*buffer, GST_MAP_READWRITE, &rtcp))
    return 0;
  n = remove_packets (&rtcp, kind);
  gst_rtcp_buffer_unmap (&rtcp);

  return n;
}

/* --- what feedback costs --- */

static gboolean
take_all (GstGccStatusBudget *budget, const GstRTCPBuffer *rtcp)
{
  GstGccRtcpSpan span;
  gsize offset = 0;

  while (gst_gcc_rtcp_span_next (&span, rtcp, &offset))
    if (is_of_kind (&span, GST_GCC_RTCP_TRANSPORT_FEEDBACK) &&
        !gst_gcc_status_budget_take (budget,
            span.data + GST_GCC_RTCP_FEEDBACK_HEADER,
            span.whole - GST_GCC_RTCP_FEEDBACK_HEADER))
      return FALSE;

  return TRUE;
}

gboolean
gst_gcc_rtcp_filter_may_pass (GstBuffer *buffer, GstGccStatusBudget *budget)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstGccStatusBudget after = *budget;
  gboolean may_pass;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  may_pass = take_all (&after, &rtcp);
  gst_rtcp_buffer_unmap (&rtcp);
  if (may_pass)
    *budget = after;

  return may_pass;
}
