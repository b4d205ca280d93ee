/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "control/gstgcccontroller.h"
#include "session/gstgccfeedbackmode.h"
#include "session/gstgccsession.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/* gst_rtp_session.c: a NACK (RFC 4585, section 6.2.1) asks for a packet. */
#define GST_GCC_RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"

/* The kind of a buffer that is no RTP packet; it is not counted. */
#define GST_GCC_SENT_NO_PACKET ((GccSentKind) GCC_SENT_N_KINDS)

/*
 * GstGccStamp:
 * @slot: the place of the transport-wide number
 * @number: the transport-wide number
 * @abs_send_time_id: identifier of the abs-send-time, to be written anew in a packet
 *   that was held; 0: none
 *
 * The values that are written into a packet when it leaves.
 */
typedef struct {
  GstGccSlot slot;
  guint16 number;
  guint abs_send_time_id;
} GstGccStamp;

/* Whether there is anything to write. */
gboolean gst_gcc_stamp_is_needed (const GstGccStamp *self);

/* Takes @buffer, and returns it or a writable copy of it with the values of the
 * stamp. (transfer full) */
GstBuffer *gst_gcc_stamp_write (const GstGccStamp *self, GstBuffer *buffer);

/*
 * GstGccSentPackets:
 * @session: the session that the element has joined; has a lock of its own
 * @feedback_mode: the property `feedback`
 *
 * Reads the packets that pass gccsender: finds the kind of each by the caps and
 * the protection upstream of its pad, counts and numbers it in the controller
 * when it leaves, and admits retransmissions.
 *
 * Locks: the fields below and those of #GstGccSenderPad that are read here are
 * protected by the controller's lock, which each function takes unless it says
 * otherwise. The pipeline is walked and references are dropped without.
 */
typedef struct {
  GstGccController *controller;
  GstGccSession *session;
  GstElementCallAsyncFunc check;
  GstGccFeedbackMode feedback_mode;
  gboolean has_rtcp;
  guint64 n_malformed;
} GstGccSentPackets;

/* The element of @controller embeds all of them. @check is called, in a thread
 * of its own, when packets leave and no feedback comes, or time has changed the
 * target: a session that makes no reports calls nobody. */
void gst_gcc_sent_packets_init (GstGccSentPackets *self,
    GstGccController *controller, GstGccSession *session,
    GstElementCallAsyncFunc check);

/* Nothing has been sent. With the controller's lock held. */
void gst_gcc_sent_packets_start (
    GstGccSentPackets *self, GstGccFeedbackMode feedback_mode);

/* Appends the count of buffers that were no RTP packets. With the controller's lock
 * held. */
void gst_gcc_sent_packets_add_stats (
    const GstGccSentPackets *self, GstStructure *stats);

/* @pad has new caps. Returns them as they leave. (transfer full) */
GstCaps *gst_gcc_sent_packets_set_caps (
    GstGccSentPackets *self, GstGccSenderPad *pad, GstCaps *caps);

/* Looks for the place to which @pad leads. Then other caps may have to leave;
 * @pad notes that they are due. */
void gst_gcc_sent_packets_find_place (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* The place to which @pad leads. */
GstGccPlace gst_gcc_sent_packets_get_place (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* The present caps of @pad as they leave. (transfer full) (nullable) */
GstCaps *gst_gcc_sent_packets_get_caps (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* Why the packets of @pad are not numbered; %NULL when they are. */
const gchar *gst_gcc_sent_packets_get_reason (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* Whether @pad has video, as far as is known; audio is counted and left alone.
 */
gboolean gst_gcc_sent_packets_is_video (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* The kind of padding that the video streams of @pad allow. */
GstGccPaddingKind gst_gcc_sent_packets_get_padding (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* Looks upstream of @pad for elements that add FEC and retransmissions. With
 * @warn, warns of settings with which they do not work. */
void gst_gcc_sent_packets_find_protection (
    GstGccSentPackets *self, GstGccSenderPad *pad, gboolean warn);

/*
 * GstGccPacketMap:
 * @rtp: the packet, mapped for reading
 * @is_rtp: whether it is an RTP packet
 * @size: with its headers, bytes
 * @is_video: set by gst_gcc_sent_packets_read(): whether it is known to be of a
 *   video stream; caps without `media` may be those of audio
 *
 * A buffer between gst_gcc_sent_packets_map() and gst_gcc_sent_packets_read().
 */
typedef struct {
  GstRTPBuffer rtp;
  gboolean is_rtp;
  gsize size;
  gboolean is_video;
} GstGccPacketMap;

/* A packet comes. Needs no lock. */
void gst_gcc_sent_packets_map (GstBuffer *buffer, GstGccPacketMap *map);

/*
 * gst_gcc_sent_packets_read:
 * @map: map of the buffer; it is unmapped
 * @packet: (out): the packet
 * @stamp: (out): the values to write into it
 *
 * With the lock held.
 */
void gst_gcc_sent_packets_read (GstGccSentPackets *self, GstGccSenderPad *pad,
    GstGccPacketMap *map, GccSentPacket *packet, GstGccStamp *stamp);

/*
 * gst_gcc_sent_packets_announce:
 *
 * To be called when @packet is queued, with the lock held.
 *
 * Returns: the kind of the first packet of the same RTP stream. Packets of one
 *   stream share it, also where FEC uses the stream of the media
 */
GccSentKind gst_gcc_sent_packets_announce (
    GstGccSentPackets *self, const GccSentPacket *packet, GccTime now);

/*
 * gst_gcc_sent_packets_leave:
 * @was_held: whether @packet leaves later than it came
 *
 * To be called when @packet leaves, at @now, right before @stamp is written,
 * with the lock held.
 *
 * Returns: whether gst_gcc_sent_packets_call_check() is to be called, without
 *   the lock
 */
gboolean gst_gcc_sent_packets_leave (GstGccSentPackets *self,
    GccSentPacket *packet, GstGccStamp *stamp, GccTime now, gboolean was_held);
void gst_gcc_sent_packets_call_check (GstGccSentPackets *self);

/* RTCP has arrived at @now: the retransmissions that it requests share one
 * budget. */
void gst_gcc_sent_packets_begin_request (GstGccSentPackets *self, GccTime now);

/* Whether @event asks for a retransmission without a budget, so that it must
 * not reach the elements upstream of @pad. */
gboolean gst_gcc_sent_packets_refuse (
    GstGccSentPackets *self, GstGccSenderPad *pad, GstEvent *event);

G_END_DECLS
