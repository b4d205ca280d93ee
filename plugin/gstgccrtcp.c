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

/* The middle 32 bits of an NTP time stamp, as reports echo it. */
static guint32
compact_ntp (guint64 ntp)
{
  return (guint32) (ntp >> 16);
}

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

void
gst_gcc_rtcp_read (GstGccRtcp *self, GstBuffer *buffer,
    const GccRoundTrip *round_trip, GccTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  self->n_blocks = 0;
  self->remb = GCC_RATE_NONE;
  self->malformed_remb = FALSE;
  self->valid = gst_rtcp_buffer_validate_reduced (buffer) &&
      gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp);
  if (!self->valid)
    return;

  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    guint32 reporter;

    switch (gst_rtcp_packet_get_type (&packet)) {
      case GST_RTCP_TYPE_SR:
        gst_rtcp_packet_sr_get_sender_info (
            &packet, &reporter, NULL, NULL, NULL, NULL);
        read_report_blocks (self, &packet, reporter, round_trip, now);
        break;
      case GST_RTCP_TYPE_RR:
        reporter = gst_rtcp_packet_rr_get_ssrc (&packet);
        read_report_blocks (self, &packet, reporter, round_trip, now);
        break;
      case GST_RTCP_TYPE_PSFB:
        read_feedback (self, &packet);
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
    gcc_round_trip_note_sent (round_trip, compact_ntp (ntp), now);
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
