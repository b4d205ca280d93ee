/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccsentpackets.h"

#include <gst/rtp/rtp.h>

#include "stream/gstgcckeyrequests.h"
#include "support/gstgccabssendtime.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

void
gst_gcc_sent_packets_init (GstGccSentPackets *self,
    GstGccController *controller, GstGccSession *session,
    GstElementCallAsyncFunc check)
{
  *self = (GstGccSentPackets){
    .controller = controller,
    .session = session,
    .check = check,
  };
}

void
gst_gcc_sent_packets_start (
    GstGccSentPackets *self, GstGccFeedbackMode feedback_mode)
{
  self->feedback_mode = feedback_mode;
  self->has_rtcp = FALSE;
  self->n_malformed = 0;
}

void
gst_gcc_sent_packets_add_stats (
    const GstGccSentPackets *self, GstStructure *stats)
{
  gst_structure_set (
      stats, "malformed-rtp", G_TYPE_UINT64, self->n_malformed, NULL);
}

/* --- what a stream is --- */

/* With the lock held. Returns whether the profile follows it. */
static gboolean
use_feedback (GstGccSentPackets *self, GstGccSenderPad *pad, GccTime now)
{
  GccSender *sender = self->controller->sender;

  return pad->transport_cc.by_stream
      ? gcc_sender_use_ccfb (sender, now)
      : gcc_sender_use_transport_feedback (sender, now);
}

/* With the lock held. @caps: (nullable) */
static void
decide_on_numbers (
    GstGccSentPackets *self, GstGccSenderPad *pad, const GstCaps *caps)
{
  gst_gcc_transport_cc_decide (
      &pad->transport_cc, self->feedback_mode, pad->place, caps);
  if (gst_gcc_transport_cc_is_used (&pad->transport_cc) &&
      !use_feedback (self, pad, gst_gcc_time_now ()))
    gst_gcc_transport_cc_refuse (
        &pad->transport_cc, "the profile follows no transport-wide feedback");
}

GstGccPlace
gst_gcc_sent_packets_get_place (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  GstGccPlace place;

  g_mutex_lock (&self->controller->lock);
  place = pad->place;
  g_mutex_unlock (&self->controller->lock);

  return place;
}

GstCaps *
gst_gcc_sent_packets_set_caps (
    GstGccSentPackets *self, GstGccSenderPad *pad, GstCaps *caps)
{
  if (gst_gcc_sent_packets_get_place (self, pad) == GST_GCC_PLACE_UNKNOWN)
    gst_gcc_sent_packets_find_place (self, pad);

  g_mutex_lock (&self->controller->lock);
  gst_gcc_formats_set_caps (&pad->formats, caps);
  decide_on_numbers (self, pad, caps);
  caps = gst_gcc_transport_cc_filter_caps (&pad->transport_cc, caps);
  g_mutex_unlock (&self->controller->lock);
  g_atomic_int_set (&pad->caps_are_due, FALSE);

  return caps;
}

void
gst_gcc_sent_packets_find_place (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  GstElement *joined = gst_gcc_session_get_holder (self->session);
  GstGccPlace place = gst_gcc_place_find (
      pad->srcpad, self->controller->element, joined);
  GstCaps *caps = gst_pad_get_current_caps (GST_PAD (pad));
  GstGccTransportCc before;

  g_mutex_lock (&self->controller->lock);
  before = pad->transport_cc;
  pad->place = place;
  decide_on_numbers (self, pad, caps);
  if (caps != NULL &&
      (pad->transport_cc.hides != before.hides ||
          pad->transport_cc.id != before.id))
    g_atomic_int_set (&pad->caps_are_due, TRUE);
  g_mutex_unlock (&self->controller->lock);
  gst_clear_caps (&caps);
  gst_clear_object (&joined);
}

GstCaps *
gst_gcc_sent_packets_get_caps (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (GST_PAD (pad));
  GstCaps *filtered = NULL;

  g_mutex_lock (&self->controller->lock);
  if (caps != NULL)
    filtered = gst_gcc_transport_cc_filter_caps (&pad->transport_cc, caps);
  g_mutex_unlock (&self->controller->lock);
  gst_clear_caps (&caps);

  return filtered;
}

const gchar *
gst_gcc_sent_packets_get_reason (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  const gchar *reason;

  g_mutex_lock (&self->controller->lock);
  reason = pad->transport_cc.reason;
  g_mutex_unlock (&self->controller->lock);

  return reason;
}

gboolean
gst_gcc_sent_packets_is_video (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  gboolean is_audio;

  g_mutex_lock (&self->controller->lock);
  is_audio = pad->formats.stream.is_audio;
  g_mutex_unlock (&self->controller->lock);

  return !is_audio && gst_pad_is_linked (GST_PAD (pad));
}

void
gst_gcc_sent_packets_find_protection (
    GstGccSentPackets *self, GstGccSenderPad *pad, gboolean warn)
{
  GstGccProtection protection = { 0 };
  gint payload_type;

  g_mutex_lock (&self->controller->lock);
  payload_type = pad->formats.stream.payload_type;
  g_mutex_unlock (&self->controller->lock);

  gst_gcc_protection_find (&protection, GST_PAD (pad), payload_type);
  if (warn)
    gst_gcc_protection_check (
        &protection, self->controller->element, pad->srcpad, payload_type);

  g_mutex_lock (&self->controller->lock);
  gst_gcc_protection_exchange (&pad->protection, &protection);
  g_mutex_unlock (&self->controller->lock);
  gst_gcc_protection_clear (&protection);
}

GstGccPaddingKind
gst_gcc_sent_packets_get_padding (GstGccSentPackets *self, GstGccSenderPad *pad)
{
  GstGccPaddingKind kind;

  g_mutex_lock (&self->controller->lock);
  kind = gst_gcc_protection_get_padding (&pad->protection);
  g_mutex_unlock (&self->controller->lock);

  return kind;
}

/* --- from coming to leaving, with the lock held --- */

static void
count_malformed (GstGccSentPackets *self)
{
  if (self->n_malformed++ == 0)
    GST_WARNING_OBJECT (self->controller->element,
        "passing on buffers that are not RTP packets");
}

void
gst_gcc_sent_packets_map (GstBuffer *buffer, GstGccPacketMap *map)
{
  map->rtp = (GstRTPBuffer) GST_RTP_BUFFER_INIT;
  map->is_video = FALSE;
  map->is_rtp = gst_rtp_buffer_map (buffer, GST_MAP_READ, &map->rtp);
  map->size = gst_buffer_get_size (buffer);
}

void
gst_gcc_sent_packets_read (GstGccSentPackets *self, GstGccSenderPad *pad,
    GstGccPacketMap *map, GccSentPacket *packet, GstGccStamp *stamp)
{
  GstRTPBuffer *rtp = &map->rtp;
  const GstGccStream *format;

  *packet = (GccSentPacket){
    .size = map->size,
    .kind = GST_GCC_SENT_NO_PACKET,
  };
  *stamp = (GstGccStamp){ .number = 0 };
  if (!map->is_rtp) {
    count_malformed (self);
    return;
  }

  format = gst_gcc_formats_look_up (
      &pad->formats, gst_rtp_buffer_get_payload_type (rtp));
  packet->ssrc = gst_rtp_buffer_get_ssrc (rtp);
  packet->seq = gst_rtp_buffer_get_seq (rtp);
  packet->payload_size = gst_rtp_buffer_get_payload_len (rtp);
  packet->ends_frame = gst_rtp_buffer_get_marker (rtp);
  packet->is_numbered = pad->transport_cc.by_stream;
  packet->kind = gst_gcc_protection_get_kind (&pad->protection, rtp,
      format->is_audio ? GCC_SENT_AUDIO : GCC_SENT_VIDEO);
  if (packet->kind == GCC_SENT_VIDEO) {
    pad->video_bytes += packet->payload_size;
    gst_gcc_key_requests_note_packet (pad, packet->ssrc,
        gst_rtp_buffer_get_timestamp (rtp), packet->payload_size);
  }
  map->is_video = format->is_video;
  stamp->abs_send_time_id = format->abs_send_time_id;
  stamp->slot = gst_gcc_transport_cc_find_slot (&pad->transport_cc, rtp);
  packet->size += gst_gcc_slot_get_growth (&stamp->slot);
  gst_rtp_buffer_unmap (rtp);
}

GccSentKind
gst_gcc_sent_packets_announce (
    GstGccSentPackets *self, const GccSentPacket *packet, GccTime now)
{
  return packet->kind == GST_GCC_SENT_NO_PACKET
      ? GST_GCC_SENT_NO_PACKET
      : gcc_sender_announce (self->controller->sender, packet, now);
}

/* Returns whether a check is due. */
static gboolean
count_sent (GstGccSentPackets *self, GccSentPacket *packet, GstGccStamp *stamp,
    GccTime now)
{
  gboolean is_check_due;

  packet->is_numbered |= stamp->slot.offset != 0;
  is_check_due = gst_gcc_controller_count (self->controller, packet, now);
  stamp->number = packet->transport_seq;

  return is_check_due;
}

/* The payloader's send time is too early by the time a packet was held; that of
 * a retransmission is that of the first copy. */
gboolean
gst_gcc_sent_packets_leave (GstGccSentPackets *self, GccSentPacket *packet,
    GstGccStamp *stamp, GccTime now, gboolean was_held)
{
  gboolean is_check_due = FALSE;

  if (self->controller->is_running && packet->kind != GST_GCC_SENT_NO_PACKET)
    is_check_due = count_sent (self, packet, stamp, now);
  else
    stamp->slot.offset = 0;
  if (!was_held && packet->kind != GCC_SENT_RTX)
    stamp->abs_send_time_id = 0;

  return is_check_due;
}

/* --- without it --- */

void
gst_gcc_sent_packets_call_check (GstGccSentPackets *self)
{
  gst_element_call_async (self->controller->element, self->check, NULL, NULL);
}

gboolean
gst_gcc_stamp_is_needed (const GstGccStamp *self)
{
  return self->slot.offset != 0 || self->abs_send_time_id != 0;
}

GstBuffer *
gst_gcc_stamp_write (const GstGccStamp *self, GstBuffer *buffer)
{
  if (self->slot.offset != 0)
    buffer = gst_gcc_slot_write (&self->slot, buffer, self->number);
  if (self->abs_send_time_id != 0)
    buffer = gst_gcc_abs_send_time_renew (buffer, self->abs_send_time_id);

  return buffer;
}

/* --- what is sent again --- */

void
gst_gcc_sent_packets_begin_request (GstGccSentPackets *self, GccTime now)
{
  g_mutex_lock (&self->controller->lock);
  if (self->controller->is_running) {
    self->has_rtcp = TRUE;
    gcc_sender_begin_request (self->controller->sender, now);
  }
  g_mutex_unlock (&self->controller->lock);
}

/* Without RTCP there is no rate to keep to. */
static gboolean
may_resend (
    GstGccSentPackets *self, GstGccSenderPad *pad, const GstStructure *request)
{
  GccTime now = gst_gcc_time_now ();
  guint ssrc, seq;
  gboolean may = TRUE;

  if (!gst_structure_get_uint (request, "ssrc", &ssrc) ||
      !gst_structure_get_uint (request, "seqnum", &seq))
    return TRUE;

  g_mutex_lock (&self->controller->lock);
  if (pad->protection.rtx != NULL && self->has_rtcp)
    may = gcc_sender_allow_retransmission (
        self->controller->sender, ssrc, (guint16) seq, now);
  g_mutex_unlock (&self->controller->lock);
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
