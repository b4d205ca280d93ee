/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccrtcp.h"

#include <gst/gcc/gcc-remb.h>
#include <gst/rtp/rtp.h>

/* "Application layer feedback" (RFC 4585, section 6.4), in which REMB travels.
 * GStreamer's list of payload-specific formats has a hole here. */
#define RTCP_PSFB_FMT_AFB 15

/* Lengths in bytes of what an XR packet is made of (RFC 3611). */
#define XR_BLOCK_HEADER 4
#define XR_REFERENCE_TIME 8
#define XR_DLRR 12

static void
read_report_blocks (GstGccRtcp *self, GstRTCPPacket *packet, guint32 reporter,
    const GccRoundTrip *round_trip, GccTime now)
{
  guint n = gst_rtcp_packet_get_rb_count (packet);

  for (guint i = 0; i < n && self->n_blocks < GST_GCC_RTCP_MAX_BLOCKS; i++) {
    GccReportBlock *block = &self->blocks[self->n_blocks++];
    gint32 packets_lost;
    guint32 jitter, lsr, dlsr;

    gst_rtcp_packet_get_rb (packet, i, &block->ssrc, &block->fraction_lost,
        &packets_lost, &block->ext_highest_seq, &jitter, &lsr, &dlsr);
    block->reporter = reporter;
    block->rtt = gcc_round_trip_measure (round_trip, lsr, dlsr, now);
  }
}

static void
read_feedback (GstGccRtcp *self, GstRTCPPacket *packet)
{
  guint64 bitrate;

  if (gst_rtcp_packet_fb_get_type (packet) != RTCP_PSFB_FMT_AFB)
    return;

  if (gcc_remb_parse_fci (gst_rtcp_packet_fb_get_fci (packet),
          4 * (gsize) gst_rtcp_packet_fb_get_fci_length (packet), &bitrate,
          NULL, NULL))
    self->remb = (GccRate) MIN (bitrate, (guint64) G_MAXINT64);
  else
    self->malformed_remb = TRUE;
}

static void
read_echo (GstGccRtcp *self, GstRTCPPacket *packet,
    const GccRoundTrip *round_trip, GccTime now)
{
  guint words = gst_rtcp_packet_xr_get_block_length (packet);
  guint32 lrr, dlrr;

  /* of an odd length the last sub-block would lie outside the block */
  if (words % (XR_DLRR / 4) != 0)
    return;

  for (guint i = 0;
       gst_rtcp_packet_xr_get_dlrr_block (packet, i, NULL, &lrr, &dlrr); i++) {
    GccTime rtt = gcc_round_trip_measure (round_trip, lrr, dlrr, now);

    if (rtt != GCC_TIME_NONE)
      self->rtt = rtt;
  }
}

static void
read_sender_report (
    GstGccRtcp *self, GstRTCPPacket *packet, guint32 *ssrc, GccTime now)
{
  GstGccReference *report;
  guint64 ntp;

  gst_rtcp_packet_sr_get_sender_info (packet, ssrc, &ntp, NULL, NULL, NULL);
  if (self->n_sender_reports == GST_GCC_RTCP_MAX_SENDER_REPORTS)
    return;

  report = &self->sender_reports[self->n_sender_reports++];
  report->ssrc = *ssrc;
  report->reference = gcc_compact_ntp (ntp);
  report->arrival = now;
}

static void
read_extended_report (GstGccRtcp *self, GstRTCPPacket *packet,
    const GccRoundTrip *round_trip, GccTime now)
{
  for (gboolean more = gst_rtcp_packet_xr_first_rb (packet); more;
       more = gst_rtcp_packet_xr_next_rb (packet)) {
    guint64 ntp;

    switch (gst_rtcp_packet_xr_get_block_type (packet)) {
      case GST_RTCP_XR_TYPE_RRT:
        if (gst_rtcp_packet_xr_get_rrt (packet, &ntp)) {
          self->reference.ssrc = gst_rtcp_packet_xr_get_ssrc (packet);
          self->reference.reference = gcc_compact_ntp (ntp);
          self->reference.arrival = now;
        }
        break;
      case GST_RTCP_XR_TYPE_DLRR:
        read_echo (self, packet, round_trip, now);
        break;
      default:
        break;
    }
  }
}

void
gst_gcc_rtcp_read (GstGccRtcp *self, GstBuffer *buffer,
    const GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  self->n_blocks = 0;
  self->n_sender_reports = 0;
  self->remb = GCC_RATE_NONE;
  self->malformed_remb = FALSE;
  self->reference = (GstGccReference){ 0 };
  self->rtt = GCC_TIME_NONE;
  self->valid = gst_rtcp_buffer_validate_reduced (buffer) &&
      gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  if (!self->valid)
    return;

  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    guint32 reporter;

    switch (gst_rtcp_packet_get_type (&packet)) {
      case GST_RTCP_TYPE_SR:
        read_sender_report (self, &packet, &reporter, now);
        read_report_blocks (self, &packet, reporter, round_trip, now);
        break;
      case GST_RTCP_TYPE_RR:
        reporter = gst_rtcp_packet_rr_get_ssrc (&packet);
        read_report_blocks (self, &packet, reporter, round_trip, now);
        break;
      case GST_RTCP_TYPE_PSFB:
        read_feedback (self, &packet);
        break;
      case GST_RTCP_TYPE_XR:
        read_extended_report (self, &packet, round_trip, now);
        break;
      default:
        break;
    }
  }

  gst_rtcp_buffer_unmap (&rtcp);
}

void
gst_gcc_rtcp_note_sender_reports (
    GstBuffer *buffer, GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return;

  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    guint64 ntp;

    if (gst_rtcp_packet_get_type (&packet) != GST_RTCP_TYPE_SR)
      continue;
    gst_rtcp_packet_sr_get_sender_info (&packet, NULL, &ntp, NULL, NULL, NULL);
    gcc_round_trip_note_sent (round_trip, gcc_compact_ntp (ntp), now);
  }

  gst_rtcp_buffer_unmap (&rtcp);
}

gboolean
gst_gcc_rtcp_is_report (GstBuffer *buffer, guint32 *ssrc)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean is_report = FALSE;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;

  if (gst_rtcp_buffer_get_first_packet (&rtcp, &packet)) {
    switch (gst_rtcp_packet_get_type (&packet)) {
      case GST_RTCP_TYPE_SR:
        gst_rtcp_packet_sr_get_sender_info (
            &packet, ssrc, NULL, NULL, NULL, NULL);
        is_report = TRUE;
        break;
      case GST_RTCP_TYPE_RR:
        *ssrc = gst_rtcp_packet_rr_get_ssrc (&packet);
        is_report = TRUE;
        break;
      default:
        break;
    }
  }

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

/* RFC 3550, section 6.4: bytes */
#define SR_HEADER 28
#define RR_HEADER 8
#define BLOCK 24

/* Written by hand: gst_rtcp_packet_set_rb() is not implemented. */
static guint8 *
get_block (GstRTCPPacket *packet, guint index)
{
  guint header = gst_rtcp_packet_get_type (packet) == GST_RTCP_TYPE_SR
      ? SR_HEADER
      : RR_HEADER;

  return packet->rtcp->map.data + packet->offset + header + index * BLOCK;
}

static guint
update_blocks_of (GstRTCPPacket *packet, GccReception *receptions,
    guint n_receptions, GccTime now)
{
  guint n = 0;

  for (guint i = 0; i < gst_rtcp_packet_get_rb_count (packet); i++) {
    guint8 *block = get_block (packet, i);
    GccReception *reception = gcc_reception_find (
        receptions, n_receptions, GST_READ_UINT32_BE (block));

    if (reception == NULL || !reception->has_packets)
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
  GstRTCPPacket packet;
  guint n = 0;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return 0;

  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    GstRTCPType type = gst_rtcp_packet_get_type (&packet);

    if (type == GST_RTCP_TYPE_SR || type == GST_RTCP_TYPE_RR)
      n += update_blocks_of (&packet, receptions, n_receptions, now);
  }
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
      if (gst_rtcp_packet_add_rb (&packet, before.ssrc, report.fraction_lost,
              report.total_lost, report.ext_highest_seq, 0, report.lsr,
              report.dlsr))
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
gst_gcc_rtcp_add_remb (GstBuffer *buffer, guint32 sender_ssrc, GccRate bitrate,
    const guint32 *ssrcs, guint n_ssrcs)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean added;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  added = gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_PSFB, &packet);
  if (added) {
    gst_rtcp_packet_fb_set_type (&packet, RTCP_PSFB_FMT_AFB);
    gst_rtcp_packet_fb_set_sender_ssrc (&packet, sender_ssrc);
    gst_rtcp_packet_fb_set_media_ssrc (&packet, 0);
    added = gst_rtcp_packet_fb_set_fci_length (
        &packet, GCC_REMB_FCI_LENGTH (n_ssrcs) / 4);
    if (added)
      gcc_remb_write_fci (gst_rtcp_packet_fb_get_fci (&packet),
          (guint64) bitrate, ssrcs, n_ssrcs);
    else
      gst_rtcp_packet_remove (&packet);
  }

  gst_rtcp_buffer_unmap (&rtcp);

  return added;
}

/* Appends an XR packet of one block with @length bytes behind the block header
 * and returns where they go, or %NULL for want of room. GstRTCPBuffer reads
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
  GST_WRITE_UINT16_BE (data + 2, 1 + rest / 4);
  GST_WRITE_UINT32_BE (data + 4, ssrc);
  data[8] = (guint8) type;
  data[9] = 0;
  GST_WRITE_UINT16_BE (data + 10, length / 4);
  rtcp->map.size += rest;

  return data + 12;
}

gboolean
gst_gcc_rtcp_add_reference (
    GstBuffer *buffer, guint32 ssrc, GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  /* any clock does: nobody but us looks at the value */
  guint64 ntp = gst_util_uint64_scale (
      g_get_real_time (), G_GUINT64_CONSTANT (1) << 32, GCC_SECOND);
  guint8 *data;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  data = add_xr_block (&rtcp, ssrc, GST_RTCP_XR_TYPE_RRT, XR_REFERENCE_TIME);
  if (data != NULL) {
    GST_WRITE_UINT64_BE (data, ntp);
    gcc_round_trip_note_sent (round_trip, gcc_compact_ntp (ntp), now);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return data != NULL;
}

gboolean
gst_gcc_rtcp_add_echo (GstBuffer *buffer, guint32 ssrc,
    const GstGccReference *reference, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 *data;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return FALSE;

  data = add_xr_block (&rtcp, ssrc, GST_RTCP_XR_TYPE_DLRR, XR_DLRR);
  if (data != NULL) {
    GST_WRITE_UINT32_BE (data, reference->ssrc);
    GST_WRITE_UINT32_BE (data + 4, reference->reference);
    GST_WRITE_UINT32_BE (
        data + 8, gcc_compact_ntp_from_time (now - reference->arrival));
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return data != NULL;
}
