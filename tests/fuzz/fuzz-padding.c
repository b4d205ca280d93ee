/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Packets of padding, made from the header of what left before: any bytes that
 * are RTP to GStreamer. */

#include <string.h>

#include "exit/gstgccpadding.h"
#include "fuzz-gst.h"
#include "fuzz.h"

#define N_PADS 2
#define MAX_PACKET 600

/* RFC 3550, section 5.1 */
#define PADDING_BIT 0x20
#define MARKER_BIT 0x80

/* What gccsender's pads are to padding: its fields, and a reference. */
static GType
get_pad_type (void)
{
  return g_type_register_static_simple (GST_TYPE_PAD, "FuzzSenderPad",
      sizeof (GstPadClass), NULL, sizeof (GstGccSenderPad), NULL, 0);
}

static GstGccSenderPad *pads[N_PADS];

void
fuzz_init (void)
{
  GType type;

  fuzz_gst_init ();
  type = get_pad_type ();
  for (guint i = 0; i < N_PADS; i++)
    pads[i] = gst_object_ref_sink (g_object_new (type, NULL));
}

static void
open_pads (Fuzz *input)
{
  for (guint i = 0; i < N_PADS; i++) {
    pads[i]->is_open = TRUE;
    pads[i]->flow = GST_FLOW_OK;
    pads[i]->padding = (GstGccPaddingKind) fuzz_up_to (
        input, GST_GCC_PADDING_RETRANSMISSIONS);
  }
}

/* --- packets --- */

/* As gccsender reads it, before it is queued. */
static gboolean
read_packet (GstGccPacerItem *item, GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (gst_buffer_n_memory (buffer) == 0 ||
      !gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  item->packet.ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  item->packet.seq = gst_rtp_buffer_get_seq (&rtp);
  item->packet.payload_size = gst_rtp_buffer_get_payload_len (&rtp);
  item->packet.ends_frame = gst_rtp_buffer_get_marker (&rtp);
  item->packet.size = gst_buffer_get_size (buffer);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

static GstBuffer *
read_buffer (Fuzz *input)
{
  gsize size;
  const guint8 *data = fuzz_bytes (
      input, fuzz_up_to (input, MAX_PACKET), &size);

  return fuzz_buffer_new (data, size);
}

static void
send_packet (GstGccPadding *self, GccTime *now, Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);
  GstGccPacerItem item = {
    .pad = pads[what % N_PADS],
    .arrival = *now = gcc_time_shift (*now, fuzz_duration (input)),
    .packet.kind = (GccSentKind) (what >> 1 & 3),
  };
  GstBuffer *buffer = read_buffer (input);
  guint16 seq;

  item.object = GST_MINI_OBJECT (buffer);
  if (!read_packet (&item, buffer))
    item.packet.kind = GST_GCC_SENT_NO_PACKET;
  seq = item.packet.seq;
  if (item.packet.kind == GCC_SENT_RTX &&
      gst_gcc_padding_take_retransmission (self, &item))
    item.packet.is_padding = TRUE;
  g_assert_true (gst_gcc_padding_note_packet (self, &item, !(what & 8)) ==
      (item.packet.seq != seq));
  gst_buffer_unref (buffer);
}

/* --- what must hold --- */

/* A packet of that stream with nothing but padding, about as long as wanted. */
static void
check_packet (const GstGccPadding *self, GstBuffer *buffer, gsize bytes)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 header[GST_GCC_PADDING_MAX_HEADER];
  gsize size = gst_buffer_get_size (buffer);

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  g_assert_cmpuint (gst_rtp_buffer_get_payload_len (&rtp), ==, 0);
  g_assert_cmpuint (gst_rtp_buffer_get_ssrc (&rtp), ==, self->ssrc);
  g_assert_false (gst_rtp_buffer_get_marker (&rtp));
  g_assert_true (gst_rtp_buffer_get_padding (&rtp));
  g_assert_cmpuint (
      gst_rtp_buffer_get_header_len (&rtp), ==, self->header_length);
  gst_rtp_buffer_unmap (&rtp);

  g_assert_cmpuint (size, <=, MAX (bytes, self->header_length + 1));
  gst_buffer_extract (buffer, 0, header, self->header_length);
  g_assert_cmpuint (header[0], ==, self->header[0] | PADDING_BIT);
  g_assert_cmpuint (header[1], ==, self->header[1] & ~MARKER_BIT);
  g_assert_cmpint (
      memcmp (header + 4, self->header + 4, self->header_length - 4), ==, 0);
}

static void
check_request (GstEvent *event)
{
  const GstStructure *structure = gst_event_get_structure (event);
  guint seq;

  g_assert_true (gst_structure_get_uint (structure, "seqnum", &seq));
  g_assert_cmpuint (seq, <=, G_MAXUINT16);
}

/* As the pacer does: what was made leaves. */
static void
pad (GstGccPadding *self, Fuzz *input)
{
  gsize bytes = fuzz_uint16 (input);
  GstGccPacerItem item;

  if (!gst_gcc_padding_can_make (self, bytes))
    return;
  item = gst_gcc_padding_make (self, bytes);
  g_assert_true (item.pad == self->pad);
  if (GST_IS_EVENT (item.object)) {
    check_request (GST_EVENT (item.object));
  } else {
    check_packet (self, GST_BUFFER (item.object), bytes);
    item.packet.is_padding = TRUE;
    g_assert_true (read_packet (&item, GST_BUFFER (item.object)));
    g_assert_false (gst_gcc_padding_note_packet (self, &item, TRUE));
  }
  gst_mini_object_unref (item.object);
  gst_object_unref (item.pad);
}

static void
push_event (GstGccPadding *self, GstGccSenderPad *sender_pad, gboolean is_last)
{
  GstEvent *event = is_last ? gst_event_new_eos ()
                            : gst_event_new_gap (0, GST_CLOCK_TIME_NONE);

  gst_gcc_padding_note_event (self, sender_pad, event);
  gst_event_unref (event);
}

static void
interrupt (GstGccPadding *self, Fuzz *input)
{
  guint8 what = fuzz_uint8 (input);
  GstGccSenderPad *sender_pad = pads[what % N_PADS];

  switch (what >> 1 & 7) {
    case 0:
      gst_gcc_padding_start (self);
      break;
    case 1:
      gst_gcc_padding_forget (self, sender_pad);
      break;
    case 2:
      gst_gcc_padding_stop (self);
      break;
    case 3:
      sender_pad->flow = sender_pad->flow == GST_FLOW_OK ? GST_FLOW_EOS
                                                         : GST_FLOW_OK;
      break;
    case 4:
      gst_gcc_padding_forget (self, sender_pad);
      sender_pad->padding = (GstGccPaddingKind) (what >> 4) % 3;
      break;
    default:
      push_event (self, sender_pad, what & 16);
      break;
  }
}

static void
ask_for (GstGccPadding *self, Fuzz *input)
{
  guint16 seq = fuzz_uint16 (input);

  gst_gcc_padding_translate_request (self, fuzz_up_to (input, 15), &seq);
}

void
fuzz_one (Fuzz *input)
{
  GccTime now = 1000 * GCC_SECOND;
  GstGccPadding self;

  open_pads (input);
  gst_gcc_padding_init (&self);
  while (fuzz_has_more (input))
    switch (fuzz_uint8 (input) % 8) {
      case 0:
      case 1:
        pad (&self, input);
        break;
      case 2:
        interrupt (&self, input);
        break;
      case 3:
        ask_for (&self, input);
        break;
      default:
        send_packet (&self, &now, input);
        break;
    }
  g_assert_cmpuint (
      g_hash_table_size (self.streams), <=, GST_GCC_PADDING_STREAMS);
  gst_gcc_padding_clear (&self);
}
