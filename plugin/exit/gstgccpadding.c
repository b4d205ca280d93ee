/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccpadding.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#include "exit/gstgccsentpackets.h"

/* RFC 3550, section 5.1: the fixed header and its bits. */
#define FIXED_HEADER 12
#define PADDING_BIT 0x20
#define EXTENSION_BIT 0x10
#define MARKER_BIT 0x80
#define MAX_PADDING 255

/* RFC 4588, section 4: a retransmission begins with the sequence number of the
 * packet that is sent again. */
#define ORIGINAL_SEQUENCE_NUMBER 2

/* A stream that has been silent for longer is replaced by another. */
#define MAX_SILENCE (1 * GCC_SECOND)

void
gst_gcc_padding_init (GstGccPadding *self)
{
  *self = (GstGccPadding){
    .streams = g_hash_table_new_full (NULL, NULL, NULL, g_free),
  };
}

void
gst_gcc_padding_clear (GstGccPadding *self)
{
  g_hash_table_unref (self->streams);
}

/* --- the streams that were padded --- */

static GstGccSequence *
find_stream (const GstGccPadding *self, guint32 ssrc)
{
  return g_hash_table_lookup (self->streams, GUINT_TO_POINTER (ssrc));
}

static void
add_stream (GstGccPadding *self, guint32 ssrc)
{
  GstGccSequence *sequence = g_new (GstGccSequence, 1);

  gst_gcc_sequence_init (sequence);
  g_hash_table_insert (self->streams, GUINT_TO_POINTER (ssrc), sequence);
}

/* The numbers of a stream that was never padded are the payloader's. */
static void
drop_unless_shifted (GstGccPadding *self, guint32 ssrc)
{
  const GstGccSequence *sequence = find_stream (self, ssrc);

  if (sequence != NULL && !gst_gcc_sequence_is_shifted (sequence))
    g_hash_table_remove (self->streams, GUINT_TO_POINTER (ssrc));
}

static gboolean
has_place (const GstGccPadding *self, guint32 ssrc)
{
  return find_stream (self, ssrc) != NULL ||
      g_hash_table_size (self->streams) < GST_GCC_PADDING_STREAMS;
}

static gboolean
is_shifted (gpointer ssrc, gpointer sequence, gpointer user_data)
{
  (void) ssrc;
  (void) user_data;

  return gst_gcc_sequence_is_shifted (sequence);
}

gboolean
gst_gcc_padding_is_translating (const GstGccPadding *self)
{
  return g_hash_table_find (self->streams, is_shifted, NULL) != NULL;
}

gboolean
gst_gcc_padding_translate_request (
    const GstGccPadding *self, guint32 ssrc, guint16 *seq)
{
  const GstGccSequence *sequence = find_stream (self, ssrc);

  return sequence == NULL || !gst_gcc_sequence_is_shifted (sequence) ||
      gst_gcc_sequence_translate_back (sequence, *seq, seq);
}

/* --- the stream that is padded --- */

static void
forget_stream (GstGccPadding *self)
{
  drop_unless_shifted (self, self->ssrc);
  self->pad = NULL;
  self->ends_frame = FALSE;
  self->header_length = 0;
  self->largest = 0;
  self->n_recent = 0;
  gst_gcc_padding_stop (self);
}

void
gst_gcc_padding_start (GstGccPadding *self)
{
  forget_stream (self);
  self->has_taken = FALSE;
  self->n_packets = 0;
  self->n_bytes = 0;
}

void
gst_gcc_padding_forget (GstGccPadding *self, GstGccSenderPad *pad)
{
  if (self->pad == pad)
    forget_stream (self);
}

void
gst_gcc_padding_leave (GstGccPadding *self, guint32 ssrc)
{
  self->has_taken = TRUE;
  self->taken = ssrc;
  if (self->pad != NULL && self->ssrc == ssrc)
    forget_stream (self);
}

static gboolean
is_padded (const GstGccPadding *self, const GstGccPacerItem *item)
{
  return self->pad == item->pad && self->ssrc == item->packet.ssrc;
}

static gboolean
can_be_padded (const GstGccPadding *self, const GstGccPacerItem *item)
{
  switch (item->pad->padding) {
    case GST_GCC_PADDING_RETRANSMISSIONS:
      return TRUE;
    case GST_GCC_PADDING_PACKETS:
      return has_place (self, item->packet.ssrc) && item->is_video;
    default:
      return FALSE;
  }
}

/* Packets of it may wait in the pacer. */
static gboolean
is_taken (const GstGccPadding *self, guint32 ssrc)
{
  return self->has_taken && self->taken == ssrc;
}

/* One stream is padded as long as it is sent. */
static gboolean
is_chosen (const GstGccPadding *self, const GstGccPacerItem *item)
{
  return item->packet.kind == GCC_SENT_VIDEO && item->packet.payload_size > 0 &&
      item->pad->is_open && can_be_padded (self, item) &&
      !is_taken (self, item->packet.ssrc) &&
      (self->pad == NULL ||
          gcc_time_diff (item->arrival, self->last_sent) > MAX_SILENCE);
}

static void
choose (GstGccPadding *self, const GstGccPacerItem *item)
{
  forget_stream (self);
  self->pad = item->pad;
  self->ssrc = item->packet.ssrc;
  if (item->pad->padding == GST_GCC_PADDING_PACKETS &&
      find_stream (self, self->ssrc) == NULL)
    add_stream (self, self->ssrc);
}

static gsize
get_header_length (const guint8 *header, gsize length)
{
  gsize needed = FIXED_HEADER + 4 * (gsize) (header[0] & 0xf);

  if ((header[0] & EXTENSION_BIT) == 0)
    return needed;
  if (length < needed + 4)
    return G_MAXSIZE;

  return needed + 4 + 4 * (gsize) GST_READ_UINT16_BE (header + needed + 2);
}

/* With its extensions: they identify the stream, and have room for the numbers
 * and times that are written when a packet leaves. */
static void
keep_header (GstGccPadding *self, GstBuffer *buffer)
{
  gsize length = gst_buffer_extract (
      buffer, 0, self->header, sizeof self->header);

  self->header_length = length < FIXED_HEADER
      ? 0
      : get_header_length (self->header, length);
  if (self->header_length > length)
    self->header_length = 0;
  self->pts = GST_BUFFER_PTS (buffer);
  self->dts = GST_BUFFER_DTS (buffer);
}

static void
keep_recent (GstGccPadding *self, const GstGccPacerItem *item)
{
  self->newest = (self->newest + 1) % GST_GCC_PADDING_RECENT;
  self->recent[self->newest].seq = item->packet.seq;
  self->recent[self->newest].size = item->packet.size;
  self->n_recent = MIN (self->n_recent + 1, GST_GCC_PADDING_RECENT);
  self->next_request = 0;
}

static void
note_padded (GstGccPadding *self, const GstGccPacerItem *item)
{
  self->last_sent = item->arrival;
  if (item->packet.payload_size > 0) {
    self->largest = MAX (self->largest, item->packet.size);
    keep_recent (self, item);
  }
  self->ends_frame = item->packet.ends_frame;
  if (self->ends_frame)
    keep_header (self, GST_BUFFER (item->object));
}

static void
count (GstGccPadding *self, const GstGccPacerItem *item)
{
  self->n_packets++;
  self->n_bytes += gst_buffer_get_size (GST_BUFFER (item->object));
}

static gboolean
translate (GstGccPadding *self, GstGccPacerItem *item)
{
  GstGccSequence *sequence = find_stream (self, item->packet.ssrc);
  guint16 seq = item->packet.seq;

  if (sequence == NULL)
    return FALSE;

  item->packet.seq = gst_gcc_sequence_translate (sequence, seq);
  /* Padding follows the packet of the highest number, and not a late one. */
  if (!gst_gcc_sequence_is_highest (sequence, item->packet.seq) &&
      is_padded (self, item))
    self->ends_frame = FALSE;

  return item->packet.seq != seq;
}

gboolean
gst_gcc_padding_note_packet (
    GstGccPadding *self, GstGccPacerItem *item, gboolean may_follow)
{
  if (item->packet.is_padding)
    count (self, item);
  if (item->packet.kind == GST_GCC_SENT_NO_PACKET)
    return FALSE;
  /* A requested retransmission has its number already. */
  if (item->packet.is_padding && item->packet.payload_size == 0)
    return FALSE;

  if (may_follow && is_chosen (self, item))
    choose (self, item);
  if (self->pad != NULL && is_padded (self, item))
    note_padded (self, item);

  return translate (self, item);
}

void
gst_gcc_padding_note_event (
    GstGccPadding *self, GstGccSenderPad *pad, GstEvent *event)
{
  if (self->pad != pad)
    return;

  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    forget_stream (self);
  else
    self->ends_frame = FALSE;
}

/* --- padding --- */

static gboolean
is_retransmitted (const GstGccPadding *self)
{
  return self->pad->padding == GST_GCC_PADDING_RETRANSMISSIONS;
}

gboolean
gst_gcc_padding_can_make (const GstGccPadding *self, gsize bytes)
{
  if (bytes == 0 || self->pad == NULL || self->pad->flow != GST_FLOW_OK)
    return FALSE;

  switch (self->pad->padding) {
    case GST_GCC_PADDING_RETRANSMISSIONS:
      return self->n_recent > 0 && self->requested_bytes < bytes &&
          self->n_requested < GST_GCC_PADDING_RECENT;
    case GST_GCC_PADDING_PACKETS:
      return self->ends_frame && self->header_length > 0;
    default:
      return FALSE;
  }
}

static GstBuffer *
make_packet (GstGccPadding *self, gsize bytes, guint16 seq)
{
  gsize wanted = MIN (bytes, self->largest);
  gsize n = wanted > self->header_length ? wanted - self->header_length : 1;
  guint8 *data;
  gsize size;

  n = MIN (n, MAX_PADDING);
  size = self->header_length + n;
  data = g_malloc0 (size);
  memcpy (data, self->header, self->header_length);
  data[0] |= PADDING_BIT;
  data[1] &= (guint8) ~MARKER_BIT;
  GST_WRITE_UINT16_BE (data + 2, seq);
  data[size - 1] = (guint8) n;

  return gst_buffer_new_wrapped (data, size);
}

/* The stream is there as long as it is padded. */
static GstMiniObject *
make_padding (GstGccPadding *self, gsize bytes)
{
  GstGccSequence *sequence = find_stream (self, self->ssrc);
  GstBuffer *buffer = make_packet (
      self, bytes, gst_gcc_sequence_pad (sequence));

  GST_BUFFER_PTS (buffer) = self->pts;
  GST_BUFFER_DTS (buffer) = self->dts;

  return GST_MINI_OBJECT (buffer);
}

/* The newest packet first, and again from there when all were sent. */
static GstMiniObject *
make_request (GstGccPadding *self)
{
  guint i = (self->newest + GST_GCC_PADDING_RECENT - self->next_request) %
      GST_GCC_PADDING_RECENT;

  self->next_request = (self->next_request + 1) % self->n_recent;
  self->requested[self->n_requested++] = self->recent[i].seq;
  self->requested_bytes += self->recent[i].size;

  return GST_MINI_OBJECT (gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new (GST_GCC_RETRANSMISSION_REQUEST, "seqnum", G_TYPE_UINT,
          (guint) self->recent[i].seq, "ssrc", G_TYPE_UINT, self->ssrc, NULL)));
}

GstGccPacerItem
gst_gcc_padding_make (GstGccPadding *self, gsize bytes)
{
  return (GstGccPacerItem){
    .pad = gst_object_ref (self->pad),
    .object = is_retransmitted (self) ? make_request (self)
                                      : make_padding (self, bytes),
  };
}

void
gst_gcc_padding_stop (GstGccPadding *self)
{
  self->n_requested = 0;
  self->requested_bytes = 0;
}

static gboolean
read_original (GstBuffer *buffer, guint16 *seq)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean has_it;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;

  has_it = gst_rtp_buffer_get_payload_len (&rtp) >= ORIGINAL_SEQUENCE_NUMBER;
  if (has_it)
    *seq = GST_READ_UINT16_BE (gst_rtp_buffer_get_payload (&rtp));
  gst_rtp_buffer_unmap (&rtp);

  return has_it;
}

gboolean
gst_gcc_padding_take_retransmission (
    GstGccPadding *self, const GstGccPacerItem *item)
{
  guint16 seq;

  if (self->n_requested == 0 || self->pad != item->pad ||
      !read_original (GST_BUFFER (item->object), &seq))
    return FALSE;

  for (guint i = 0; i < self->n_requested; i++) {
    if (self->requested[i] != seq)
      continue;
    self->requested[i] = self->requested[--self->n_requested];
    self->requested_bytes -= MIN (item->packet.size, self->requested_bytes);
    return TRUE;
  }

  return FALSE;
}
