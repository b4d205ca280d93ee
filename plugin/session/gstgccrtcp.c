/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccrtcp.h"

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/wire/gcc-ccfb.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "session/gstgccrtcpspan.h"

/* "Application layer feedback" (RFC 4585, section 6.4), in which REMB travels.
 * GStreamer's list of payload-specific formats has a hole here. */
#define RTCP_PSFB_FMT_AFB 15

/* Lengths in bytes (RFC 3550, section 6.4). */
#define SR_HEADER 28
#define RR_HEADER 8
#define REPORT_BLOCK 24

/* Bytes before the body of a report of RFC 8888. */
#define CCFB_HEADER 8

/* RFC 3611 */
#define XR_HEADER 8
#define XR_BLOCK_HEADER 4
#define XR_RECEIVER_REFERENCE_TIME 8
#define XR_DLRR 12

/* --- reports --- */

/* Whether the packet has the SSRC of its sender, and what else a report starts
 * with. */
static gboolean
is_whole_report (const GstGccRtcpSpan *span)
{
  return (span->type == GST_RTCP_TYPE_SR && span->length >= SR_HEADER) ||
      (span->type == GST_RTCP_TYPE_RR && span->length >= RR_HEADER);
}

/* Where the report blocks begin. Returns how many there are, which may be less
 * than the packet claims. */
static guint
find_report_blocks (const GstGccRtcpSpan *span, guint8 **blocks)
{
  gsize header = span->type == GST_RTCP_TYPE_SR ? SR_HEADER : RR_HEADER;

  if (!is_whole_report (span))
    return 0;

  *blocks = span->data + header;
  return (guint) MIN (span->count, (span->length - header) / REPORT_BLOCK);
}

static guint32
get_sender_ssrc (const GstGccRtcpSpan *span)
{
  return GST_READ_UINT32_BE (span->data + GST_GCC_RTCP_HEADER);
}

/* The middle 32 bits of the NTP time at @ntp, which is aligned to 32 bits. */
static guint32
get_compact_ntp (const guint8 *ntp)
{
  return (guint32) GST_READ_UINT16_BE (ntp + 2) << 16 |
      GST_READ_UINT16_BE (ntp + 4);
}

/* --- reading --- */

static void
read_report_blocks (GstGccRtcp *self, const GstGccRtcpSpan *span,
    const GccRoundTrip *round_trip, GccTime now)
{
  guint8 *data;
  guint n = find_report_blocks (span, &data);

  if (n < span->count)
    self->malformed = TRUE;
  for (; n > 0 && self->n_blocks < GST_GCC_RTCP_MAX_BLOCKS; n--) {
    guint32 lsr = GST_READ_UINT32_BE (data + 16);
    guint32 dlsr = GST_READ_UINT32_BE (data + 20);

    self->blocks[self->n_blocks++] = (GccReportBlock){
      .reporter = get_sender_ssrc (span),
      .ssrc = GST_READ_UINT32_BE (data),
      .fraction_lost = data[4],
      .ext_highest_seq = GST_READ_UINT32_BE (data + 8),
      .rtt = gcc_round_trip_measure (round_trip, lsr, dlsr, now),
    };
    data += REPORT_BLOCK;
  }
}

static void
read_sender_report (GstGccRtcp *self, const GstGccRtcpSpan *span, GccTime now)
{
  if (self->n_sender_reports == GST_GCC_RTCP_MAX_SENDER_REPORTS)
    return;

  self->sender_reports[self->n_sender_reports++] = (GstGccReferenceTime){
    .ssrc = get_sender_ssrc (span),
    .ntp = get_compact_ntp (span->data + 8),
    .arrival = now,
  };
}

/* @report: the last one in this compound packet, or empty */
static void
read_feedback (
    GstGccRtcp *self, const GstGccRtcpSpan *span, const GstGccRtcpSpan *report)
{
  GccRemb *remb;

  if (span->count != RTCP_PSFB_FMT_AFB)
    return;
  if (span->length < GST_GCC_RTCP_FEEDBACK_HEADER) {
    self->malformed_remb = TRUE;
    return;
  }
  if (self->n_rembs == GST_GCC_RTCP_MAX_REMBS)
    return;

  remb = &self->rembs[self->n_rembs];
  if (!gcc_remb_parse_fci (remb, span->data + GST_GCC_RTCP_FEEDBACK_HEADER,
          span->length - GST_GCC_RTCP_FEEDBACK_HEADER)) {
    self->malformed_remb = TRUE;
    return;
  }
  remb->sender = get_sender_ssrc (span);
  remb->reporter = get_sender_ssrc (report->length > 0 ? report : span);
  self->n_rembs++;
}

static void
read_bye (GstGccRtcp *self, const GstGccRtcpSpan *span)
{
  gsize n = MIN (span->count, span->length / 4 - 1);

  if (n < span->count)
    self->malformed = TRUE;
  for (gsize i = 0; i < n && self->n_byes < GST_GCC_RTCP_MAX_BYES; i++)
    self->byes[self->n_byes++] = GST_READ_UINT32_BE (
        span->data + GST_GCC_RTCP_HEADER + 4 * i);
}

static void
read_receiver_reference_time (GstGccRtcp *self, guint32 ssrc,
    const guint8 *data, gsize length, GccTime now)
{
  if (length != XR_RECEIVER_REFERENCE_TIME)
    return;

  self->receiver_reference_time = (GstGccReferenceTime){
    .ssrc = ssrc,
    .ntp = get_compact_ntp (data),
    .arrival = now,
  };
}

static void
read_dlrr (GstGccRtcp *self, const guint8 *data, gsize length,
    const GccRoundTrip *round_trip, GccTime now)
{
  if (length % XR_DLRR != 0)
    return;

  for (; length > 0; length -= XR_DLRR, data += XR_DLRR) {
    GccTime rtt = gcc_round_trip_measure (round_trip,
        GST_READ_UINT32_BE (data + 4), GST_READ_UINT32_BE (data + 8), now);

    if (rtt != GCC_TIME_NONE)
      self->rtt = rtt;
  }
}

static void
read_extended_report (GstGccRtcp *self, const GstGccRtcpSpan *span,
    const GccRoundTrip *round_trip, GccTime now)
{
  const guint8 *data = span->data + XR_HEADER;
  gsize left, length;

  if (span->length < XR_HEADER) {
    self->malformed = TRUE;
    return;
  }
  for (left = span->length - XR_HEADER; left > 0;
       left -= length, data += length) {
    length = left < XR_BLOCK_HEADER
        ? XR_BLOCK_HEADER
        : XR_BLOCK_HEADER + 4 * (gsize) GST_READ_UINT16_BE (data + 2);
    if (length > left) {
      self->malformed = TRUE;
      return;
    }
    if (data[0] == GST_RTCP_XR_TYPE_RRT)
      read_receiver_reference_time (self, get_sender_ssrc (span),
          data + XR_BLOCK_HEADER, length - XR_BLOCK_HEADER, now);
    else if (data[0] == GST_RTCP_XR_TYPE_DLRR)
      read_dlrr (self, data + XR_BLOCK_HEADER, length - XR_BLOCK_HEADER,
          round_trip, now);
  }
}

static void
read_report (GstGccRtcp *self, const GstGccRtcpSpan *span,
    const GccRoundTrip *round_trip, GccTime now)
{
  if (!is_whole_report (span)) {
    self->malformed = TRUE;
    return;
  }
  if (span->type == GST_RTCP_TYPE_SR)
    read_sender_report (self, span, now);
  read_report_blocks (self, span, round_trip, now);
}

void
gst_gcc_rtcp_read (GstGccRtcp *self, GstBuffer *buffer,
    const GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstGccRtcpSpan report = { 0 };
  gsize offset = 0;
  GstGccRtcpSpan span;

  self->malformed = FALSE;
  self->n_blocks = 0;
  self->n_sender_reports = 0;
  self->n_rembs = 0;
  self->malformed_remb = FALSE;
  self->n_byes = 0;
  self->receiver_reference_time = (GstGccReferenceTime){ 0 };
  self->rtt = GCC_TIME_NONE;
  /* without this check GStreamer would warn of a buffer without memory */
  self->valid = gst_buffer_get_size (buffer) > 0 &&
      gst_rtcp_buffer_validate_reduced (buffer) &&
      gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  if (!self->valid)
    return;

  while (gst_gcc_rtcp_span_next (&span, &rtcp, &offset)) {
    switch (span.type) {
      case GST_RTCP_TYPE_SR:
      case GST_RTCP_TYPE_RR:
        read_report (self, &span, round_trip, now);
        if (is_whole_report (&span))
          report = span;
        break;
      case GST_RTCP_TYPE_PSFB:
        read_feedback (self, &span, &report);
        break;
      case GST_RTCP_TYPE_BYE:
        read_bye (self, &span);
        break;
      case GST_RTCP_TYPE_XR:
        read_extended_report (self, &span, round_trip, now);
        break;
      default:
        break;
    }
  }

  gst_rtcp_buffer_unmap (&rtcp);
}

/* Feedback about the transport of @format, whose content begins after @header
 * bytes. */
static guint
read_transport (GstBuffer *buffer, guint format, gsize header,
    GstGccTransportFeedbackFunc func, gpointer user_data)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint n_malformed = 0;
  gsize offset = 0;
  GstGccRtcpSpan span;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return 0;

  while (gst_gcc_rtcp_span_next (&span, &rtcp, &offset)) {
    if (!gst_gcc_rtcp_span_is_feedback (&span, (GstRTCPFBType) format))
      continue;
    if (span.length < header ||
        !func (span.data + header, span.length - header, user_data))
      n_malformed++;
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return n_malformed;
}

guint
gst_gcc_rtcp_read_transport_feedback (
    GstBuffer *buffer, GstGccTransportFeedbackFunc func, gpointer user_data)
{
  return read_transport (buffer, GST_RTCP_RTPFB_TYPE_TWCC,
      GST_GCC_RTCP_FEEDBACK_HEADER, func, user_data);
}

guint
gst_gcc_rtcp_read_ccfb (
    GstBuffer *buffer, GstGccTransportFeedbackFunc func, gpointer user_data)
{
  return read_transport (buffer, GCC_CCFB_FORMAT, CCFB_HEADER, func, user_data);
}

/* --- what leaves --- */

void
gst_gcc_rtcp_note_sender_reports (
    GstBuffer *buffer, GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  gsize offset = 0;
  GstGccRtcpSpan span;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return;

  while (gst_gcc_rtcp_span_next (&span, &rtcp, &offset))
    if (span.type == GST_RTCP_TYPE_SR && is_whole_report (&span))
      gcc_round_trip_note_sent (
          round_trip, get_compact_ntp (span.data + 8), now);

  gst_rtcp_buffer_unmap (&rtcp);
}

gboolean
gst_gcc_rtcp_is_report (GstBuffer *buffer, guint32 *ssrc)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  gboolean is_report;
  gsize offset = 0;
  GstGccRtcpSpan span;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;

  is_report = gst_gcc_rtcp_span_next (&span, &rtcp, &offset) &&
      is_whole_report (&span);
  if (is_report)
    *ssrc = get_sender_ssrc (&span);
  gst_rtcp_buffer_unmap (&rtcp);

  return is_report;
}

gboolean
gst_gcc_rtcp_is_early_feedback (GstBuffer *buffer, guint32 *ssrc)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstRTCPType type;
  gboolean is_feedback;

  if (gst_buffer_get_size (buffer) == 0)
    return TRUE;
  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;

  is_feedback = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  if (is_feedback) {
    type = gst_rtcp_packet_get_type (&packet);
    is_feedback = type == GST_RTCP_TYPE_PSFB ||
        (type == GST_RTCP_TYPE_RTPFB &&
            gst_rtcp_packet_fb_get_type (&packet) != GST_RTCP_RTPFB_TYPE_TWCC);
  }
  if (is_feedback)
    *ssrc = gst_rtcp_packet_fb_get_sender_ssrc (&packet);
  gst_rtcp_buffer_unmap (&rtcp);

  return is_feedback;
}

gboolean
gst_gcc_rtcp_is_transport_feedback (GstBuffer *buffer)
{
  guint8 header[GST_GCC_RTCP_HEADER];

  return gst_buffer_extract (buffer, 0, header, GST_GCC_RTCP_HEADER) ==
      GST_GCC_RTCP_HEADER &&
      header[1] == GST_RTCP_TYPE_RTPFB &&
      (header[0] & 0x1f) == GST_RTCP_RTPFB_TYPE_TWCC;
}

/* Written by hand: gst_rtcp_packet_set_rb() is not implemented. */
static guint
update_blocks_of (const GstGccRtcpSpan *span, GccReception *receptions,
    guint n_receptions, GccTime now)
{
  guint8 *block;
  guint n_blocks = find_report_blocks (span, &block);
  guint n = 0;

  for (; n_blocks > 0; n_blocks--, block += REPORT_BLOCK) {
    GccReception *reception = gcc_reception_find (
        receptions, n_receptions, GST_READ_UINT32_BE (block));

    if (reception == NULL || !gcc_reception_has_packets (reception))
      continue;
    block[4] = gcc_reception_report (reception, now).fraction_lost;
    n++;
  }

  return n;
}

guint
gst_gcc_rtcp_update_blocks (GstBuffer *buffer, GccReception *receptions,
    guint n_receptions, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  gsize offset = 0;
  guint n = 0;
  GstGccRtcpSpan span;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return 0;

  while (gst_gcc_rtcp_span_next (&span, &rtcp, &offset))
    n += update_blocks_of (&span, receptions, n_receptions, now);
  gst_rtcp_buffer_unmap (&rtcp);

  return n;
}

gboolean
gst_gcc_rtcp_add_blocks (GstBuffer *buffer, guint32 ssrc,
    GccReception *receptions, guint n_receptions, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean added = FALSE;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  if (gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet)) {
    gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
    for (guint i = 0; i < n_receptions; i++) {
      GccReception before = receptions[i];
      GccReceptionReport report;

      if (!gcc_reception_has_news (&receptions[i]))
        continue;
      report = gcc_reception_report (&receptions[i], now);
      if (gst_rtcp_packet_add_rb (&packet, gcc_reception_get_ssrc (&before),
              report.fraction_lost, report.total_lost, report.ext_highest_seq,
              0, report.lsr, report.dlsr))
        added = TRUE;
      else
        receptions[i] = before;
    }
    if (!added)
      gst_rtcp_packet_remove (&packet);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return added;
}

gboolean
gst_gcc_rtcp_add_remb (GstBuffer *buffer, const GccRemb *remb)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean added;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  added = gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_PSFB, &packet);
  if (added) {
    gst_rtcp_packet_fb_set_type (&packet, RTCP_PSFB_FMT_AFB);
    gst_rtcp_packet_fb_set_sender_ssrc (&packet, remb->sender);
    gst_rtcp_packet_fb_set_media_ssrc (&packet, 0);
    added = gst_rtcp_packet_fb_set_fci_length (
        &packet, (guint16) (GCC_REMB_FCI_LENGTH (remb->n_ssrcs) / 4));
    if (added)
      gcc_remb_write_fci (remb, gst_rtcp_packet_fb_get_fci (&packet));
    else
      gst_rtcp_packet_remove (&packet);
  }

  gst_rtcp_buffer_unmap (&rtcp);

  return added;
}

gsize
gst_gcc_rtcp_get_ccfb_room (GstBuffer *buffer)
{
  gsize offset, whole, size = gst_buffer_get_sizes (buffer, &offset, &whole);
  gsize used = offset + size + CCFB_HEADER;

  return whole > used ? MIN (whole - used, GCC_CCFB_MAX_BODY) / 4 * 4 : 0;
}

/* The SSRC of the first block is where other feedback has that of the media. */
gboolean
gst_gcc_rtcp_add_ccfb (
    GstBuffer *buffer, guint32 sender_ssrc, const guint8 *body, gsize length)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean added;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  added = gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RTPFB, &packet);
  if (added) {
    gst_rtcp_packet_fb_set_type (&packet, GCC_CCFB_FORMAT);
    gst_rtcp_packet_fb_set_sender_ssrc (&packet, sender_ssrc);
    added = gst_rtcp_packet_fb_set_fci_length (
        &packet, (guint16) (length / 4 - 1));
    if (added)
      memcpy (gst_rtcp_packet_fb_get_fci (&packet) - 4, body, length);
    else
      gst_rtcp_packet_remove (&packet);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return added;
}

/* Appends an XR packet of one block with @length bytes after the block header
 * and returns where they go, or %NULL if there is no room. GstRTCPBuffer reads
 * extended reports but writes no more of them than their first eight bytes. */
static guint8 *
add_xr_block (
    GstRTCPBuffer *rtcp, guint32 ssrc, GstRTCPXRType type, guint length)
{
  guint rest = XR_BLOCK_HEADER + length;
  GstRTCPPacket packet;
  guint8 *data;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_XR, &packet))
    return NULL;
  if (rtcp->map.size + rest > rtcp->map.maxsize) {
    gst_rtcp_packet_remove (&packet);
    return NULL;
  }

  data = rtcp->map.data + packet.offset;
  GST_WRITE_UINT16_BE (data + 2, (guint16) (1 + rest / 4));
  GST_WRITE_UINT32_BE (data + 4, ssrc);
  data[8] = (guint8) type;
  data[9] = 0;
  GST_WRITE_UINT16_BE (data + 10, (guint16) (length / 4));
  rtcp->map.size += rest;

  return data + 12;
}

gboolean
gst_gcc_rtcp_add_receiver_reference_time (
    GstBuffer *buffer, guint32 ssrc, GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  /* any clock suffices, because only this element interprets the value */
  guint64 ntp = gst_util_uint64_scale (
      (guint64) g_get_real_time (), G_GUINT64_CONSTANT (1) << 32, GCC_SECOND);
  guint8 *data;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  data = add_xr_block (
      &rtcp, ssrc, GST_RTCP_XR_TYPE_RRT, XR_RECEIVER_REFERENCE_TIME);
  if (data != NULL) {
    /* in halves: RTCP is aligned to 32 bits */
    GST_WRITE_UINT32_BE (data, (guint32) (ntp >> 32));
    GST_WRITE_UINT32_BE (data + 4, (guint32) ntp);
    gcc_round_trip_note_sent (round_trip, gcc_compact_ntp (ntp), now);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return data != NULL;
}

gboolean
gst_gcc_rtcp_add_dlrr (GstBuffer *buffer, guint32 ssrc,
    const GstGccReferenceTime *time, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 *data;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  data = add_xr_block (&rtcp, ssrc, GST_RTCP_XR_TYPE_DLRR, XR_DLRR);
  if (data != NULL) {
    GST_WRITE_UINT32_BE (data, time->ssrc);
    GST_WRITE_UINT32_BE (data + 4, time->ntp);
    GST_WRITE_UINT32_BE (
        data + 8, gcc_compact_ntp_from_time (now - time->arrival));
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return data != NULL;
}
