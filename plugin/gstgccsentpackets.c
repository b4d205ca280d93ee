/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccsentpackets.h"

#include <gst/gcc/gcc-sender-private.h>
#include <gst/rtp/rtp.h>

#include "gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_sent_packets_init (GstGccSentPackets *self, GstGccElement *owner,
    GccSender *controller, GstElementCallAsyncFunc silence_due)
{
  *self = (GstGccSentPackets){
    .owner = owner,
    .controller = controller,
    .silence_due = silence_due,
  };
}

void
gst_gcc_sent_packets_start (GstGccSentPackets *self)
{
  self->is_silence_due = FALSE;
  self->has_rtcp = FALSE;
  self->n_malformed = 0;
}

void
gst_gcc_sent_packets_set_has_session (
    GstGccSentPackets *self, gboolean has_session)
{
  g_mutex_lock (&self->owner->lock);
  self->has_session = has_session;
  g_mutex_unlock (&self->owner->lock);
}

void
gst_gcc_sent_packets_add_stats (
    const GstGccSentPackets *self, GstStructure *stats)
{
  gst_structure_set (
      stats, "malformed-rtp", G_TYPE_UINT64, self->n_malformed, NULL);
}

/* --- what a stream is --- */

void
gst_gcc_sent_packets_set_caps (
    GstGccSentPackets *self, GstGccSenderPad *pad, const GstCaps *caps)
{
  const gchar *media = gst_structure_get_string (
      gst_caps_get_structure (caps, 0), "media");

  g_mutex_lock (&self->owner->lock);
  gst_gcc_stream_set_caps (&pad->format, caps);
  pad->is_audio = g_strcmp0 (media, "audio") == 0;
  pad->is_video = g_strcmp0 (media, "video") == 0;
  g_mutex_unlock (&self->owner->lock);
}

gboolean
gst_gcc_sent_packets_is_video (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  gboolean is_audio;

  g_mutex_lock (&self->owner->lock);
  is_audio = pad->is_audio;
  g_mutex_unlock (&self->owner->lock);

  return !is_audio && gst_pad_is_linked (GST_PAD (pad));
}

void
gst_gcc_sent_packets_find_protection (
    GstGccSentPackets *self, GstGccSenderPad *pad, gboolean warn)
{
  GstGccProtection protection = { 0 };
  gint payload_type;

  g_mutex_lock (&self->owner->lock);
  payload_type = pad->format.payload_type;
  g_mutex_unlock (&self->owner->lock);

  gst_gcc_protection_find (&protection, GST_PAD (pad), payload_type);
  if (warn)
    gst_gcc_protection_check (
        &protection, GST_ELEMENT (self->owner), pad->srcpad, payload_type);

  g_mutex_lock (&self->owner->lock);
  gst_gcc_protection_exchange (&pad->protection, &protection);
  g_mutex_unlock (&self->owner->lock);
  gst_gcc_protection_clear (&protection);
}

GstGccPaddingKind
gst_gcc_sent_packets_get_padding (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  GstGccPaddingKind kind;
  gboolean is_video;

  g_mutex_lock (&self->owner->lock);
  kind = gst_gcc_protection_get_padding (&pad->protection);
  is_video = pad->is_video;
  g_mutex_unlock (&self->owner->lock);

  return is_video || kind == GST_GCC_PADDING_RETRANSMISSIONS
      ? kind
      : GST_GCC_PADDING_NONE;
}

/* --- from coming to leaving --- */

static void
count_malformed (GstGccSentPackets *self)
{
  gboolean is_first;

  g_mutex_lock (&self->owner->lock);
  is_first = self->n_malformed++ == 0;
  g_mutex_unlock (&self->owner->lock);

  if (is_first)
    GST_WARNING_OBJECT (
        self->owner, "passing on buffers that are not RTP packets");
}

GccSentKind
gst_gcc_sent_packets_read (GstGccSentPackets *self, GstGccSenderPad *pad,
    GstBuffer *buffer, GccSentPacket *packet)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self->owner));
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GccSentKind first;

  *packet = (GccSentPacket){ .kind = GST_GCC_SENT_NO_PACKET };
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp)) {
    count_malformed (self);
    return GST_GCC_SENT_NO_PACKET;
  }

  packet->ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  packet->seq = gst_rtp_buffer_get_seq (&rtp);
  packet->bytes = gst_rtp_buffer_get_payload_len (&rtp);
  packet->ends_frame = gst_rtp_buffer_get_marker (&rtp);
  g_mutex_lock (&self->owner->lock);
  packet->kind = gst_gcc_protection_get_kind (
      &pad->protection, &rtp, pad->is_audio ? GCC_SENT_AUDIO : GCC_SENT_VIDEO);
  first = gcc_sender_announce (self->controller, packet, now);
  g_mutex_unlock (&self->owner->lock);
  gst_rtp_buffer_unmap (&rtp);

  return first;
}

/* With the lock held. Returns whether it has become due, so that it is told
 * once. */
static gboolean
note_silence_due (GstGccSentPackets *self)
{
  gboolean was_due = self->is_silence_due;

  self->is_silence_due = self->has_session &&
      gcc_sender_is_silence_due (self->controller);
  return self->is_silence_due && !was_due;
}

/* The payloader's send time is too early by the time a packet was held; that of
 * a retransmission is that of the first copy. */
guint
gst_gcc_sent_packets_leave (GstGccSentPackets *self, GstGccSenderPad *pad,
    const GccSentPacket *packet, gboolean was_held)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self->owner));
  gboolean silence_due = FALSE;
  guint id;

  g_mutex_lock (&self->owner->lock);
  if (self->owner->running && packet->kind != GST_GCC_SENT_NO_PACKET) {
    gcc_sender_feed_sent (self->controller, packet, now);
    silence_due = note_silence_due (self);
  }
  id = pad->format.abs_send_time_id;
  g_mutex_unlock (&self->owner->lock);

  if (silence_due)
    gst_element_call_async (
        GST_ELEMENT (self->owner), self->silence_due, NULL, NULL);

  return was_held || packet->kind == GCC_SENT_RTX ? id : 0;
}

/* --- what is sent again --- */

void
gst_gcc_sent_packets_begin_request (GstGccSentPackets *self, GccTime now)
{
  g_mutex_lock (&self->owner->lock);
  if (self->owner->running) {
    self->has_rtcp = TRUE;
    gcc_sender_begin_request (self->controller, now);
  }
  g_mutex_unlock (&self->owner->lock);
}

/* Without RTCP there is no rate to keep to. */
static gboolean
may_resend (
    GstGccSentPackets *self, GstGccSenderPad *pad, const GstStructure *request)
{
  GccTime now = gst_gcc_time_now (GST_ELEMENT (self->owner));
  guint ssrc, seq;
  gboolean may = TRUE;

  if (!gst_structure_get_uint (request, "ssrc", &ssrc) ||
      !gst_structure_get_uint (request, "seqnum", &seq))
    return TRUE;

  g_mutex_lock (&self->owner->lock);
  if (pad->protection.rtx != NULL && self->has_rtcp)
    may = gcc_sender_allow_retransmission (
        self->controller, ssrc, (guint16) seq, now);
  g_mutex_unlock (&self->owner->lock);
  if (!may)
    GST_LOG_OBJECT (pad, "packet %u is not sent again", seq);

  return may;
}

gboolean
gst_gcc_sent_packets_refuse (
    GstGccSentPackets *self, GstGccSenderPad *pad, GstEvent *event)
{
  return gst_event_has_name (event, GST_GCC_RETRANSMISSION_REQUEST) &&
      !may_resend (self, pad, gst_event_get_structure (event));
}
