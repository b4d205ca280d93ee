/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* RTP packets and their header extensions: what caps tell of them, what is
 * read, and abs-send-time as it is written anew. */

#include "fuzz-gst.h"
#include "fuzz.h"
#include "support/gstgccabssendtime.h"
#include "support/gstgccstream.h"

void
fuzz_init (void)
{
  fuzz_gst_init ();
}

static void
set_extension (GstStructure *structure, guint id, gboolean is_array)
{
  g_autofree gchar *name = g_strdup_printf ("extmap-%u", id);
  GValue array = G_VALUE_INIT, text = G_VALUE_INIT;

  if (!is_array) {
    gst_structure_set (
        structure, name, G_TYPE_STRING, GCC_ABS_SEND_TIME_URI, NULL);
    return;
  }
  g_value_init (&array, GST_TYPE_ARRAY);
  g_value_init (&text, G_TYPE_STRING);
  g_value_set_static_string (&text, "sendrecv");
  gst_value_array_append_value (&array, &text);
  g_value_set_static_string (&text, GCC_ABS_SEND_TIME_URI);
  gst_value_array_append_value (&array, &text);
  g_value_set_static_string (&text, "");
  gst_value_array_append_value (&array, &text);
  gst_structure_take_value (structure, name, &array);
  g_value_unset (&text);
}

/* Any text is what applications and SDP may put there. */
static void
set_text (GstStructure *structure, Fuzz *input)
{
  static const gchar *const names[] = { "encoding-name", "extmap-1",
    "extmap-256", "extmap-x" };
  const gchar *name = names[fuzz_up_to (input, G_N_ELEMENTS (names) - 1)];
  gsize length;
  const guint8 *bytes = fuzz_bytes (input, fuzz_up_to (input, 31), &length);
  g_autofree gchar *text = g_strndup ((const gchar *) bytes, length);

  if (g_utf8_validate (text, -1, NULL))
    gst_structure_set (structure, name, G_TYPE_STRING, text, NULL);
}

static void
read_caps (GstGccStream *stream, guint8 fields, Fuzz *input)
{
  GstStructure *structure = gst_structure_new_empty ("application/x-rtp");
  GstCaps *caps;

  if (fields & 1)
    gst_structure_set (
        structure, "clock-rate", G_TYPE_INT, (gint) fuzz_uint32 (input), NULL);
  if (fields & 2)
    gst_structure_set (
        structure, "payload", G_TYPE_INT, (gint) fuzz_uint8 (input), NULL);
  if (fields & 4)
    set_extension (structure, fuzz_uint8 (input), (fields & 8) != 0);
  if (fields & 16)
    set_text (structure, input);
  caps = gst_caps_new_full (structure, NULL);
  gst_gcc_stream_set_caps (stream, caps);
  gst_caps_unref (caps);
}

static void
check_packet (const GstGccStream *stream, GstBuffer *buffer)
{
  GccPacket packet = { 0 }, again = { 0 };
  guint16 seq, seq_again;
  gsize size = gst_buffer_get_size (buffer);

  if (!gst_gcc_stream_read_packet (stream, buffer, &packet, &seq))
    return;
  g_assert_cmpuint (packet.payload_size, <=, size);
  g_assert_cmpuint (packet.abs_send_time, <, 1 << 24);
  g_assert_true (!packet.has_abs_send_time || stream->abs_send_time_id > 0);

  buffer = gst_gcc_abs_send_time_renew (
      gst_buffer_copy_deep (buffer), stream->abs_send_time_id);
  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, size);
  g_assert_true (
      gst_gcc_stream_read_packet (stream, buffer, &again, &seq_again));
  again.abs_send_time = packet.abs_send_time;
  again.rtp_timestamp = packet.rtp_timestamp;
  g_assert_cmpuint (again.payload_size, ==, packet.payload_size);
  g_assert_cmpuint (again.ssrc, ==, packet.ssrc);
  g_assert_cmpuint (seq_again, ==, seq);
  g_assert_cmpint (again.has_abs_send_time, ==, packet.has_abs_send_time);
  gst_buffer_unref (buffer);
}

void
fuzz_one (Fuzz *input)
{
  GstGccStream stream;
  GstBuffer *buffer;
  guint8 fields = fuzz_uint8 (input);
  gsize size;
  const guint8 *data;

  gst_gcc_stream_init (&stream);
  /* Caps are slow. */
  if (fields & 128)
    read_caps (&stream, fields, input);
  else
    stream.abs_send_time_id = fuzz_uint8 (input);
  g_assert_cmpuint (stream.abs_send_time_id, <=, 255);
  data = fuzz_bytes (input, G_MAXSIZE, &size);
  buffer = fuzz_buffer_new (data, size);
  check_packet (&stream, buffer);
  gst_buffer_unref (buffer);
}
