/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgcctransportcc.h"

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#include "session/gstgcctransportcaps.h"
#include "support/gstgccstream.h"

#define NUMBER_LENGTH GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH

/* RFC 8285: the first bytes of a header extension, which name its form. */
#define EXTENSION_HEADER 4
#define ONE_BYTE_PROFILE 0xbede
#define TWO_BYTE_PROFILE 0x1000
#define TWO_BYTE_PROFILE_MASK 0xfff0
#define MAX_ONE_BYTE_ID 14

/* RFC 3550, section 5.1 */
#define EXTENSION_BIT 0x10

/* The extension with the number fills one word. */
#define WORD 4

/* --- whether it is numbered --- */

static gboolean
has_id (const GstCaps *caps, guint id)
{
  gchar *name = g_strdup_printf ("extmap-%u", id);
  gboolean has = gst_structure_has_field (
      gst_caps_get_structure (caps, 0), name);

  g_free (name);

  return has;
}

static void
do_not_number (GstGccTransportCc *self, gboolean hides, const gchar *reason)
{
  *self = (GstGccTransportCc){ .hides = hides, .reason = reason };
}

/* The extension was not negotiated. */
static void
choose_id (
    GstGccTransportCc *self, GstGccFeedbackMode mode, const GstCaps *caps)
{
  if (mode != GST_GCC_FEEDBACK_TRANSPORT_CC)
    do_not_number (self, FALSE,
        "the caps have no extmap of the transport-wide header extension");
  else if (caps != NULL && has_id (caps, GST_GCC_TRANSPORT_CC_ID))
    do_not_number (self, FALSE,
        "extmap-" G_STRINGIFY (
            GST_GCC_TRANSPORT_CC_ID) " of the caps is "
                                     "another header extension");
  else
    *self = (GstGccTransportCc){ .id = GST_GCC_TRANSPORT_CC_ID,
      .inserts = TRUE };
}

/* The identifier in the caps; 0: none. Where they have two, as those of rtpfunnel
 * when the extension of one of its streams has changed, the one that has come
 * last. */
static guint
find_id (const GstGccTransportCc *before, const GstCaps *caps)
{
  guint id, other;

  if (caps == NULL)
    return 0;
  id = gst_gcc_stream_find_extension_id (caps, GCC_TRANSPORT_FEEDBACK_URI);
  other = gst_gcc_stream_find_other_extension_id (
      caps, GCC_TRANSPORT_FEEDBACK_URI, id);
  if (id == 0 || other == 0 || before->id == 0)
    return id;
  if (before->id == id)
    return other == before->other_id ? id : other;

  return id == before->other_id ? other : id;
}

/* A second identifier in the caps, or the one before. Packets that are forwarded
 * may come with it after their caps have changed. */
static guint
find_other_id (const GstCaps *caps, guint id, guint before)
{
  guint other;

  if (caps == NULL || id == 0)
    return 0;
  other = gst_gcc_stream_find_other_extension_id (
      caps, GCC_TRANSPORT_FEEDBACK_URI, id);
  if (other == 0 && before != 0 && before != id && !has_id (caps, before))
    other = before;

  return other;
}

static void
decide (GstGccTransportCc *self, GstGccFeedbackMode mode, GstGccPlace place,
    const GstCaps *caps)
{
  guint id = find_id (self, caps);

  if (place == GST_GCC_PLACE_UNKNOWN)
    do_not_number (self, FALSE, "no RTP session was found downstream");
  else if (place == GST_GCC_PLACE_ELSEWHERE)
    do_not_number (self, TRUE,
        "the stream leaves by another RTP session than the one whose feedback "
        "is followed");
  else if (place == GST_GCC_PLACE_BEFORE_SENDER)
    do_not_number (self, FALSE, "another gccsender is downstream");
  else if (place == GST_GCC_PLACE_AFTER_SESSION)
    do_not_number (self, FALSE, "gccsender is downstream of the RTP session");
  else if (place == GST_GCC_PLACE_OF_RECEIVER)
    do_not_number (self, FALSE, "gccsender is where packets arrive");
  else if (mode == GST_GCC_FEEDBACK_REMB)
    do_not_number (
        self, place != GST_GCC_PLACE_BEFORE_SDP, "feedback is set to remb");
  else if (gst_gcc_transport_caps_choose_ccfb (caps, mode))
    *self = (GstGccTransportCc){ .by_stream = TRUE,
      .hides = place == GST_GCC_PLACE_PLAIN };
  else if (place == GST_GCC_PLACE_BEFORE_SDP)
    do_not_number (self, FALSE,
        "gccsender is before a pad of webrtcbin; return it from "
        "request-aux-sender");
  else if (id == 0 && place == GST_GCC_PLACE_NEGOTIATED)
    do_not_number (
        self, FALSE, "the transport-wide header extension was not negotiated");
  else if (id == 0)
    choose_id (self, mode, caps);
  else
    *self = (GstGccTransportCc){ .id = id,
      .inserts = mode == GST_GCC_FEEDBACK_TRANSPORT_CC &&
          place == GST_GCC_PLACE_PLAIN,
      .hides = TRUE };
}

void
gst_gcc_transport_cc_decide (GstGccTransportCc *self, GstGccFeedbackMode mode,
    GstGccPlace place, const GstCaps *caps)
{
  GstGccTransportCc before = *self;

  decide (self, mode, place, caps);
  self->other_id = find_other_id (
      caps, self->id, self->id == before.id ? before.other_id : before.id);
}

gboolean
gst_gcc_transport_cc_is_used (const GstGccTransportCc *self)
{
  return self->id != 0 || self->by_stream;
}

void
gst_gcc_transport_cc_refuse (GstGccTransportCc *self, const gchar *reason)
{
  do_not_number (self, FALSE, reason);
}

/* --- caps --- */

GstCaps *
gst_gcc_transport_cc_filter_caps (const GstGccTransportCc *self, GstCaps *caps)
{
  return self->hides
      ? gst_gcc_stream_drop_extension (caps, GCC_TRANSPORT_FEEDBACK_URI)
      : gst_caps_ref (caps);
}

/* --- packets --- */

/* The form of header extension into which it would be inserted; 0: none takes
 * it. */
static guint16
choose_profile (GstRTPBuffer *rtp, guint id)
{
  guint16 profile;
  gpointer data;
  guint words;

  if (!gst_rtp_buffer_get_extension_data (rtp, &profile, &data, &words))
    return id <= MAX_ONE_BYTE_ID ? ONE_BYTE_PROFILE : TWO_BYTE_PROFILE;
  if (words == G_MAXUINT16)
    return 0;
  if (profile == ONE_BYTE_PROFILE)
    return id <= MAX_ONE_BYTE_ID ? profile : 0;
  return (profile & TWO_BYTE_PROFILE_MASK) == TWO_BYTE_PROFILE ? profile : 0;
}

/* Written as the first extension, so that the others need not be read. */
static GstGccSlot
make_slot (const GstRTPBuffer *rtp, guint16 profile, guint id)
{
  gsize others = MAX (rtp->size[1], EXTENSION_HEADER) - EXTENSION_HEADER;

  return (GstGccSlot){
    .offset = (guint32) (rtp->size[0] + EXTENSION_HEADER +
        (profile == ONE_BYTE_PROFILE ? 1 : 2)),
    .is_new = TRUE,
    .id = (guint8) id,
    .profile = profile,
    .fixed = (guint32) rtp->size[0],
    .header = (guint32) (rtp->size[0] + rtp->size[1]),
    .others = (guint32) others,
  };
}

/* Bytes before the number, and the form of header extension. */
static guint
get_header_length (guint16 profile)
{
  return profile == ONE_BYTE_PROFILE ? 1 : 2;
}

static guint16
get_profile (GstRTPBuffer *rtp)
{
  guint16 profile = 0;

  gst_rtp_buffer_get_extension_data (rtp, &profile, NULL, NULL);

  return profile;
}

static guint32
get_offset (const GstRTPBuffer *rtp, const guint8 *number)
{
  return (guint32) (rtp->size[0] +
      (gsize) (number - (const guint8 *) rtp->data[1]));
}

/* The number at @number, of @self or of another hop; that of another hop at @other
 * goes. */
static GstGccSlot
take_slot (const GstGccTransportCc *self, GstRTPBuffer *rtp,
    const guint8 *number, const guint8 *other)
{
  guint16 profile = get_profile (rtp);
  GstGccSlot slot = { .id = (guint8) self->id, .profile = profile };

  if (number != NULL)
    slot.offset = get_offset (rtp, number);
  if (other == NULL)
    return slot;
  if (number != NULL) {
    slot.erased = get_offset (rtp, other) - get_header_length (profile);
  } else if (profile != ONE_BYTE_PROFILE || self->id <= MAX_ONE_BYTE_ID) {
    slot.offset = get_offset (rtp, other);
    slot.is_renamed = TRUE;
  }

  return slot;
}

GstGccSlot
gst_gcc_transport_cc_find_slot (
    const GstGccTransportCc *self, GstRTPBuffer *rtp)
{
  const guint8 *number, *other = NULL;
  guint16 profile;

  if (self->id == 0 || !gst_gcc_stream_has_sound_padding (rtp))
    return (GstGccSlot){ 0 };
  number = gst_gcc_stream_find_extension (rtp, self->id, NUMBER_LENGTH);
  if (self->other_id != 0)
    other = gst_gcc_stream_find_extension (rtp, self->other_id, NUMBER_LENGTH);
  if (number != NULL || other != NULL)
    return take_slot (self, rtp, number, other);

  profile = self->inserts ? choose_profile (rtp, self->id) : 0;
  return profile != 0 ? make_slot (rtp, profile, self->id) : (GstGccSlot){ 0 };
}

gsize
gst_gcc_slot_get_growth (const GstGccSlot *self)
{
  return self->is_new
      ? self->fixed + EXTENSION_HEADER + WORD + self->others - self->header
      : 0;
}

static void
write_extension (const GstGccSlot *self, guint8 *data)
{
  memset (data, 0, WORD);
  if (self->profile == ONE_BYTE_PROFILE) {
    data[0] = (guint8) (self->id << 4 | (NUMBER_LENGTH - 1));
  } else {
    data[0] = self->id;
    data[1] = NUMBER_LENGTH;
  }
}

/* The header of @buffer with the extension. */
static GstMemory *
make_header (const GstGccSlot *self, GstBuffer *buffer)
{
  GstMemory *memory = gst_allocator_alloc (
      NULL, self->fixed + EXTENSION_HEADER + WORD + self->others, NULL);
  guint8 *extension;
  GstMapInfo map;

  gst_memory_map (memory, &map, GST_MAP_WRITE);
  gst_buffer_extract (buffer, 0, map.data, self->fixed);
  map.data[0] |= EXTENSION_BIT;
  extension = map.data + self->fixed;
  GST_WRITE_UINT16_BE (extension, self->profile);
  GST_WRITE_UINT16_BE (extension + 2, (guint16) (1 + self->others / WORD));
  write_extension (self, extension + EXTENSION_HEADER);
  gst_buffer_extract (buffer, self->header - self->others,
      extension + EXTENSION_HEADER + WORD, self->others);
  gst_memory_unmap (memory, &map);

  return memory;
}

/* Neither copies nor moves the payload. */
static void
replace_header (GstBuffer *buffer, gsize length, GstMemory *header)
{
  gsize size;

  while (length > 0) {
    size = gst_memory_get_sizes (
        gst_buffer_peek_memory (buffer, 0), NULL, NULL);
    if (size > length)
      break;
    gst_buffer_remove_memory (buffer, 0);
    length -= size;
  }
  if (length > 0)
    gst_buffer_resize (buffer, (gssize) length, -1);
  gst_buffer_prepend_memory (buffer, header);
}

/* Bytes of 0 are padding between extensions. */
static void
rewrite_headers (const GstGccSlot *self, GstBuffer *buffer)
{
  guint length = get_header_length (self->profile);
  guint8 header = self->id;

  if (length == 1)
    header = (guint8) (self->id << 4 | (NUMBER_LENGTH - 1));
  if (self->erased != 0)
    gst_buffer_memset (buffer, self->erased, 0, length + NUMBER_LENGTH);
  if (self->is_renamed)
    gst_buffer_fill (buffer, self->offset - length, &header, 1);
}

GstBuffer *
gst_gcc_slot_write (const GstGccSlot *self, GstBuffer *buffer, guint16 number)
{
  guint8 bytes[NUMBER_LENGTH];

  GST_WRITE_UINT16_BE (bytes, number);
  buffer = gst_buffer_make_writable (buffer);
  if (self->is_new)
    replace_header (buffer, self->header, make_header (self, buffer));
  rewrite_headers (self, buffer);
  gst_buffer_fill (buffer, self->offset, bytes, sizeof bytes);

  return buffer;
}
