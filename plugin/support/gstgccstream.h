/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-receiver.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_GCC_STREAM_ANY_PAYLOAD_TYPE (-1)

/*
 * GstGccStream:
 * @clock_rate: clock rate of RTP timestamps, Hz; 0: not known
 * @payload_type: payload type of the packets that @clock_rate is for, or
 *   %GST_GCC_STREAM_ANY_PAYLOAD_TYPE
 * @is_audio: whether these are audio
 * @is_video: ... or video; neither where the caps leave it open
 * @is_repair: whether these are retransmissions or FEC
 * @abs_send_time_id: identifier of the header extension abs-send-time; 0: none
 *
 * The properties of RTP packets by their caps. Zero-initialised it is not
 * valid.
 */
typedef struct {
  guint clock_rate;
  gint payload_type;
  gboolean is_audio;
  gboolean is_video;
  gboolean is_repair;
  guint abs_send_time_id;
} GstGccStream;

/* Nothing is known. */
void gst_gcc_stream_init (GstGccStream *self);

/* Takes `clock-rate`, `payload`, `media`, `encoding-name` and `extmap-N`, both as a
 * string and as an array of direction, URI and attributes. */
void gst_gcc_stream_set_caps (GstGccStream *self, const GstCaps *caps);

/* Fills in all of @packet but its arrival, and @seq. Returns %FALSE for a
 * buffer that is no RTP packet. */
gboolean gst_gcc_stream_read_packet (const GstGccStream *self,
    GstBuffer *buffer, GccPacket *packet, guint16 *seq);

/* Whether the `media` of @caps is @media, such as "audio". */
gboolean gst_gcc_stream_is_of_media (const GstCaps *caps, const gchar *media);

/* The identifier that @caps have for the header extension @uri, in an
 * `extmap-N` of either form; 0: none. */
guint gst_gcc_stream_find_extension_id (const GstCaps *caps, const gchar *uri);
/* ... another one than @id. */
guint gst_gcc_stream_find_other_extension_id (
    const GstCaps *caps, const gchar *uri, guint id);

/* @caps without the header extension @uri; @caps itself where it does not have
 * it. (transfer full) */
GstCaps *gst_gcc_stream_drop_extension (GstCaps *caps, const gchar *uri);

/* Whether the packet has a byte for the count of its padding, if its header
 * claims padding. The header of a packet without is not changed. */
gboolean gst_gcc_stream_has_sound_padding (GstRTPBuffer *rtp);

/* The place of the @length bytes of extension @id in @rtp; %NULL if @rtp does
 * not have it. */
guint8 *gst_gcc_stream_find_extension (
    GstRTPBuffer *rtp, guint id, guint length);

/* Whether the packet has a transport-wide number, as extension @id. */
gboolean gst_gcc_stream_is_numbered (GstBuffer *buffer, guint id);

/* The place of abs-send-time, extension @id, in @rtp; %NULL if @rtp does not
 * have it. */
guint8 *gst_gcc_stream_find_abs_send_time (GstRTPBuffer *rtp, guint id);

G_END_DECLS
