/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

/* Bytes of the header that each packet has (RFC 3550, section 6.4). */
#define GST_GCC_RTCP_HEADER 4

/* Bytes of a feedback packet before its FCI (RFC 4585, section 6.1). */
#define GST_GCC_RTCP_FEEDBACK_HEADER 12

/*
 * GstGccRtcpSpan:
 * @type: its type
 * @count: five bits of its header that are a count, or the format
 * @data: the packet
 * @length: its bytes without padding
 * @whole: with padding
 *
 * A packet within a compound packet. GstRTCPBuffer checks that a packet fits
 * into it, but not the counts and lengths inside.
 */
typedef struct {
  GstRTCPType type;
  guint count;
  guint8 *data;
  gsize length;
  gsize whole;
} GstGccRtcpSpan;

/* Reads the packet at @offset of @rtcp, and moves @offset to the next one.
 * Returns %FALSE when there is none. A packet whose padding is longer than
 * itself counts as empty. */
gboolean gst_gcc_rtcp_span_next (
    GstGccRtcpSpan *self, const GstRTCPBuffer *rtcp, gsize *offset);

/* Whether the packet is feedback about the transport (RTPFB) of @format. */
gboolean gst_gcc_rtcp_span_is_feedback (
    const GstGccRtcpSpan *self, GstRTCPFBType format);

/* Whether each count and length in the packet leads to bytes of the packet, by
 * its format. Formats that are not known here are. */
gboolean gst_gcc_rtcp_span_is_sound (const GstGccRtcpSpan *self);

G_END_DECLS
