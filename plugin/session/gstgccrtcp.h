/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-report-block.h>
#include <gst/gcc/report/gcc-reception.h>
#include <gst/gcc/wire/gcc-round-trip.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* Report blocks of one compound packet that are looked at. RFC 3550 allows 31
 * in a report, and a compound packet of 1400 bytes has room for fewer. */
#define GST_GCC_RTCP_MAX_BLOCKS 62

/* Sender reports that are looked at: as many as a packet of 1400 bytes has room
 * for. */
#define GST_GCC_RTCP_MAX_SENDER_REPORTS 50

/* REMBs and BYEs that are looked at; there is no use for more. */
#define GST_GCC_RTCP_MAX_REMBS 8
#define GST_GCC_RTCP_MAX_BYES 31

/*
 * GstGccReferenceTime:
 * @ssrc: SSRC of its sender
 * @ntp: a time by the sender's clock, compact NTP; 0 is none
 * @arrival: when it arrived
 *
 * A time that is sent back with the delay since its arrival, so that its sender
 * can compute the round-trip time: the time of a sender report (LSR and DLSR,
 * RFC 3550, section 6.4.1), or the receiver reference time (LRR and DLRR, RFC
 * 3611, sections 4.4 and 4.5) of a peer without sender reports.
 */
typedef struct {
  guint32 ssrc;
  guint32 ntp;
  GccTime arrival;
} GstGccReferenceTime;

/*
 * GstGccRtcp:
 * @valid: %FALSE when the compound packet cannot be taken apart; no other field
 *   is set then
 * @malformed: a packet in it claims more than it holds; the part that it holds
 *   is read
 * @blocks: the report blocks of all SR and RR packets
 * @n_blocks: how many
 * @sender_reports: the times of the SR packets
 * @n_sender_reports: how many
 * @rembs: the REMBs
 * @n_rembs: how many
 * @malformed_remb: a packet is marked REMB but could not be read
 * @byes: the SSRCs in BYE packets
 * @n_byes: how many
 * @receiver_reference_time: the last one (RFC 3611, section 4.4)
 * @rtt: round-trip time from a DLRR about a reference time of ours;
 *   %GCC_TIME_NONE when there is none
 *
 * The parts of an RTCP compound packet that congestion control reads.
 */
typedef struct {
  gboolean valid;
  gboolean malformed;
  GccReportBlock blocks[GST_GCC_RTCP_MAX_BLOCKS];
  guint n_blocks;
  GstGccReferenceTime sender_reports[GST_GCC_RTCP_MAX_SENDER_REPORTS];
  guint n_sender_reports;
  GccRemb rembs[GST_GCC_RTCP_MAX_REMBS];
  guint n_rembs;
  gboolean malformed_remb;
  guint32 byes[GST_GCC_RTCP_MAX_BYES];
  guint n_byes;
  GstGccReferenceTime receiver_reference_time;
  GccTime rtt;
} GstGccRtcp;

/* Reads @buffer, received at @now. Round-trip times come from the reports that
 * @round_trip knows of. No count or length in @buffer is trusted: a packet is
 * read within its own length only. */
void gst_gcc_rtcp_read (GstGccRtcp *self, GstBuffer *buffer,
    const GccRoundTrip *round_trip, GccTime now);

/*
 * GstGccTransportFeedbackFunc:
 * @fci: (array length=length): the bytes after the feedback header, without
 *   padding
 *
 * Returns: %FALSE where it is malformed
 */
typedef gboolean (*GstGccTransportFeedbackFunc) (
    const guint8 *fci, gsize length, gpointer user_data);

/* Calls @func for each transport-wide feedback message in @buffer, which is
 * valid. Returns how many were malformed. */
guint gst_gcc_rtcp_read_transport_feedback (
    GstBuffer *buffer, GstGccTransportFeedbackFunc func, gpointer user_data);

/* The same for each report of RFC 8888: @fci is then the bytes after the SSRC of
 * its sender. */
guint gst_gcc_rtcp_read_ccfb (
    GstBuffer *buffer, GstGccTransportFeedbackFunc func, gpointer user_data);

/* Remembers the sender reports in @buffer, which leaves at @now, in
 * @round_trip. */
void gst_gcc_rtcp_note_sender_reports (
    GstBuffer *buffer, GccRoundTrip *round_trip, GccTime now);

/* Whether @buffer starts with a report, so that a REMB may be added: unlike,
 * for example, a stand-alone transport-wide feedback packet, of which many are
 * sent in a second. On %TRUE, @ssrc is that of the reporter. */
gboolean gst_gcc_rtcp_is_report (GstBuffer *buffer, guint32 *ssrc);

/* Whether @buffer is an early packet of a session of reduced size (RFC 5506),
 * to which a REMB may be added: feedback alone, or nothing yet. A stand-alone
 * transport-wide feedback packet is not. On %TRUE, @ssrc is that of the sender
 * of the feedback; it is unchanged where there is no feedback. */
gboolean gst_gcc_rtcp_is_early_feedback (GstBuffer *buffer, guint32 *ssrc);

/* Whether @buffer starts with transport-wide feedback (RTPFB, FMT 15), which an
 * RTP session sends in a packet of its own. */
gboolean gst_gcc_rtcp_is_transport_feedback (GstBuffer *buffer);

/* Replaces the fractions lost in report blocks about @receptions by those of
 * @receptions, so that each covers the packets since the last block that was
 * sent, by the session or by this element. Returns how many blocks there
 * were. */
guint gst_gcc_rtcp_update_blocks (GstBuffer *buffer, GccReception *receptions,
    guint n_receptions, GccTime now);

/* Appends a receiver report from @ssrc about those of @receptions of which
 * packets have come. Returns %FALSE and does not change the packet where it has
 * no room, or there is nothing to report. */
gboolean gst_gcc_rtcp_add_blocks (GstBuffer *buffer, guint32 ssrc,
    GccReception *receptions, guint n_receptions, GccTime now);

/* Appends @remb. Returns %FALSE and leaves the packet alone where it has no
 * room. */
gboolean gst_gcc_rtcp_add_remb (GstBuffer *buffer, const GccRemb *remb);

/* Bytes of a report of RFC 8888 for which the packet has room, in whole words. */
gsize gst_gcc_rtcp_get_ccfb_room (GstBuffer *buffer);

/* Appends a report of RFC 8888 from @sender_ssrc. @length is at most
 * gst_gcc_rtcp_get_ccfb_room(). */
gboolean gst_gcc_rtcp_add_ccfb (
    GstBuffer *buffer, guint32 sender_ssrc, const guint8 *body, gsize length);

/* Appends a receiver reference time from @ssrc, and lets @round_trip know that
 * it leaves at @now. Returns %FALSE and leaves the packet alone where it has no
 * room. */
gboolean gst_gcc_rtcp_add_receiver_reference_time (
    GstBuffer *buffer, guint32 ssrc, GccRoundTrip *round_trip, GccTime now);

/* Appends a DLRR (RFC 3611, section 4.5) about @time from @ssrc, which
 * leaves at @now. Returns %FALSE and leaves the packet alone where it has no
 * room. */
gboolean gst_gcc_rtcp_add_dlrr (GstBuffer *buffer, guint32 ssrc,
    const GstGccReferenceTime *time, GccTime now);

G_END_DECLS
