/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccstream.h"

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#define EXTMAP "extmap-"

/* RFC 8285: 15 has a meaning of its own in one-byte headers. */
#define MAX_ONE_BYTE_ID 14
#define MAX_TWO_BYTE_ID 255

void
gst_gcc_stream_init (GstGccStream *self)
{
  *self = (GstGccStream){ .payload_type = GST_GCC_STREAM_ANY_PAYLOAD_TYPE };
}

/* --- caps --- */

/* The URI of an `extmap-N`: a string, or the middle one of three. */
static const gchar *
get_uri (const GValue *value)
{
  if (G_VALUE_HOLDS (value, GST_TYPE_ARRAY) &&
      gst_value_array_get_size (value) == 3)
    value = gst_value_array_get_value (value, 1);

  return G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
}

/* The identifier of extension @uri if @field names that extension; else 0. */
static guint
get_extension_id (GQuark field, const GValue *value, const gchar *uri)
{
  const gchar *name = g_quark_to_string (field);
  const gchar *present;
  guint64 number;

  if (!g_str_has_prefix (name, EXTMAP) ||
      !g_ascii_string_to_unsigned (
          name + strlen (EXTMAP), 10, 1, MAX_TWO_BYTE_ID, &number, NULL))
    return 0;
  present = get_uri (value);
  if (present == NULL || g_ascii_strcasecmp (present, uri) != 0)
    return 0;

  return (guint) number;
}

typedef struct {
  const gchar *uri;
  guint but; /* this one is not looked for */
  guint id;
} Search;

static gboolean
search (GQuark field, const GValue *value, gpointer user_data)
{
  Search *self = user_data;

  self->id = get_extension_id (field, value, self->uri);
  if (self->id == self->but)
    self->id = 0;
  return self->id == 0;
}

gboolean
gst_gcc_stream_is_of_media (const GstCaps *caps, const gchar *media)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return g_strcmp0 (gst_structure_get_string (structure, "media"), media) == 0;
}

guint
gst_gcc_stream_find_extension_id (const GstCaps *caps, const gchar *uri)
{
  return gst_gcc_stream_find_other_extension_id (caps, uri, 0);
}

guint
gst_gcc_stream_find_other_extension_id (
    const GstCaps *caps, const gchar *uri, guint id)
{
  Search found = { .uri = uri, .but = id };

  gst_structure_foreach (gst_caps_get_structure (caps, 0), search, &found);

  return found.id;
}

static gboolean
is_other (GQuark field, GValue *value, gpointer user_data)
{
  const Search *self = user_data;

  return get_extension_id (field, value, self->uri) == 0;
}

GstCaps *
gst_gcc_stream_drop_extension (GstCaps *caps, const gchar *uri)
{
  Search dropped = { .uri = uri };

  if (gst_gcc_stream_find_extension_id (caps, uri) == 0)
    return gst_caps_ref (caps);

  caps = gst_caps_copy (caps);
  gst_structure_filter_and_map_in_place (
      gst_caps_get_structure (caps, 0), is_other, &dropped);

  return caps;
}

/* RTX (RFC 4588), and ULPFEC, FLEXFEC-03, 1D-INTERLEAVED-PARITYFEC, ... RED is
 * not among them, because it may carry the media itself. */
static gboolean
is_repair (const gchar *encoding_name)
{
  return encoding_name != NULL &&
      (g_str_equal (encoding_name, "RTX") ||
          strstr (encoding_name, "FEC") != NULL);
}

void
gst_gcc_stream_set_caps (GstGccStream *self, const GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  gint clock_rate = 0;

  gst_gcc_stream_init (self);
  self->is_audio = gst_gcc_stream_is_of_media (caps, "audio");
  self->is_video = gst_gcc_stream_is_of_media (caps, "video");
  gst_structure_get_int (structure, "clock-rate", &clock_rate);
  self->clock_rate = (guint) MAX (clock_rate, 0);
  gst_structure_get_int (structure, "payload", &self->payload_type);
  self->is_repair = is_repair (
      gst_structure_get_string (structure, "encoding-name"));
  self->abs_send_time_id = gst_gcc_stream_find_extension_id (
      caps, GCC_ABS_SEND_TIME_URI);
}

/* --- packets --- */

/* Where there is neither padding nor payload, the last byte of the header would
 * also be the count of padding, so a count written there would damage the
 * header. */
gboolean
gst_gcc_stream_has_sound_padding (GstRTPBuffer *rtp)
{
  return !gst_rtp_buffer_get_padding (rtp) || rtp->size[3] > 0 ||
      gst_rtp_buffer_get_payload_len (rtp) > 0;
}

/* gst_rtp_buffer_map() lets an extension pass the end of its memory by as much
 * as comes before it there (1.22 to 1.28): a packet that is longer than what
 * udpsrc has in one piece, or that an application cut. */
static gboolean
is_extension_whole (const GstRTPBuffer *rtp)
{
  const guint8 *end = rtp->map[1].data + rtp->map[1].size;

  return rtp->size[1] <= (gsize) (end - (const guint8 *) rtp->data[1]);
}

guint8 *
gst_gcc_stream_find_extension (GstRTPBuffer *rtp, guint id, guint length)
{
  gpointer data;
  guint8 bits;
  guint size;

  if (id == 0 || !gst_rtp_buffer_get_extension (rtp) ||
      !is_extension_whole (rtp) || !gst_gcc_stream_has_sound_padding (rtp))
    return NULL;
  if ((id > MAX_ONE_BYTE_ID ||
          !gst_rtp_buffer_get_extension_onebyte_header (
              rtp, (guint8) id, 0, &data, &size)) &&
      !gst_rtp_buffer_get_extension_twobytes_header (
          rtp, &bits, (guint8) id, 0, &data, &size))
    return NULL;

  return size == length ? data : NULL;
}

guint8 *
gst_gcc_stream_find_abs_send_time (GstRTPBuffer *rtp, guint id)
{
  return gst_gcc_stream_find_extension (rtp, id, GCC_ABS_SEND_TIME_LENGTH);
}

gboolean
gst_gcc_stream_is_numbered (GstBuffer *buffer, guint id)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gboolean is_numbered;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;
  is_numbered = gst_gcc_stream_find_extension (
                    &rtp, id, GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH) != NULL;
  gst_rtp_buffer_unmap (&rtp);

  return is_numbered;
}

gboolean
gst_gcc_stream_read_packet (const GstGccStream *self, GstBuffer *buffer,
    GccPacket *packet, guint16 *seq)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *abs_send_time;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return FALSE;

  *seq = gst_rtp_buffer_get_seq (&rtp);
  packet->ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  packet->rtp_timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  packet->clock_rate = self->clock_rate;
  packet->payload_size = gst_rtp_buffer_get_payload_len (&rtp);
  abs_send_time = gst_gcc_stream_find_abs_send_time (
      &rtp, self->abs_send_time_id);
  packet->has_abs_send_time = abs_send_time != NULL;
  if (abs_send_time != NULL)
    packet->abs_send_time = GST_READ_UINT24_BE (abs_send_time);
  packet->ignore_rtp_timestamp = self->is_repair ||
      (self->payload_type != GST_GCC_STREAM_ANY_PAYLOAD_TYPE &&
          self->payload_type != gst_rtp_buffer_get_payload_type (&rtp));
  gst_rtp_buffer_unmap (&rtp);

  return TRUE;
}
