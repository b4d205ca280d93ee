/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

#include "gstgccelement.h"
#include "gstgccsenderpad.h"

G_BEGIN_DECLS

/* gst_rtp_session.c: a NACK (RFC 4585, section 6.2.1) asks for a packet. */
#define GST_GCC_RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"

/* The kind of a buffer that is no RTP packet; it is not counted. */
#define GST_GCC_SENT_NO_PACKET ((GccSentKind) GCC_SENT_N_KINDS)

/*
 * GstGccSentPackets:
 *
 * What gccsender knows of the packets that pass through it: what each is, by
 * the caps and the protection upstream of its pad, and when it left. It counts
 * them in the controller, and admits retransmissions.
 *
 * Locks: the controller, the fields below and those of #GstGccSenderPad that
 * are read here are protected by the owner's lock, which each function takes
 * unless it says otherwise. With it held the clock is read, no more; the
 * pipeline is walked and references are dropped without.
 */
typedef struct {
  GstGccElement *owner;
  GccSender *controller;
  GstElementCallAsyncFunc silence_due;
  gboolean has_session;
  gboolean is_silence_due;
  gboolean has_rtcp;
  guint64 n_malformed;
} GstGccSentPackets;

/* @owner embeds both @self and @controller. @silence_due is called, in a thread
 * of its own, when packets leave and no feedback comes: a session that makes no
 * reports calls nobody. */
void gst_gcc_sent_packets_init (GstGccSentPackets *self, GstGccElement *owner,
    GccSender *controller, GstElementCallAsyncFunc silence_due);

/* Whether there is a session for feedback to come from. */
void gst_gcc_sent_packets_set_has_session (
    GstGccSentPackets *self, gboolean has_session);

/* Nothing has been sent. With the owner's lock held. */
void gst_gcc_sent_packets_start (GstGccSentPackets *self);

/* Appends the count of buffers that were no RTP packets. With the owner's lock
 * held. */
void gst_gcc_sent_packets_add_stats (
    const GstGccSentPackets *self, GstStructure *stats);

/* @pad has new caps. */
void gst_gcc_sent_packets_set_caps (
    GstGccSentPackets *self, GstGccSenderPad *pad, const GstCaps *caps);

/* Whether @pad has video, as far as is known; audio is counted and left alone.
 */
gboolean gst_gcc_sent_packets_is_video (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* What may pad the streams of @pad: nothing where they may be audio, but for
 * retransmissions. */
GstGccPaddingKind gst_gcc_sent_packets_get_padding (
    GstGccSentPackets *self, GstGccSenderPad *pad);

/* Looks upstream of @pad for what adds FEC and retransmissions. With @warn,
 * warnings tell of settings with which that does not work. */
void gst_gcc_sent_packets_find_protection (
    GstGccSentPackets *self, GstGccSenderPad *pad, gboolean warn);

/*
 * gst_gcc_sent_packets_read:
 * @packet: (out): what @buffer is
 *
 * To be called when a packet comes.
 *
 * Returns: the kind of the first packet of the same RTP stream. Packets of one
 *   stream share it, also where FEC uses the stream of the media
 */
GccSentKind gst_gcc_sent_packets_read (GstGccSentPackets *self,
    GstGccSenderPad *pad, GstBuffer *buffer, GccSentPacket *packet);

/*
 * gst_gcc_sent_packets_leave:
 * @was_held: whether it leaves later than it came
 *
 * To be called when @packet leaves.
 *
 * Returns: the identifier of the abs-send-time to be written anew; 0: none
 */
guint gst_gcc_sent_packets_leave (GstGccSentPackets *self, GstGccSenderPad *pad,
    const GccSentPacket *packet, gboolean was_held);

/* RTCP has arrived at @now: the retransmissions that it requests share one
 * budget. */
void gst_gcc_sent_packets_begin_request (GstGccSentPackets *self, GccTime now);

/* Whether @event asks for a retransmission for which there is no budget, so
 * that it must not reach the elements upstream of @pad. */
gboolean gst_gcc_sent_packets_refuse (
    GstGccSentPackets *self, GstGccSenderPad *pad, GstEvent *event);

G_END_DECLS
