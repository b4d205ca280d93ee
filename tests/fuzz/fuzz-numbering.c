/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide numbers in packets: where the number goes, and a header that
 * is made anew for it. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <string.h>

#include "stream/gstgcctransportcc.h"
#include "fuzz-gst.h"
#include "fuzz.h"
#include "support/gstgccstream.h"

/* Extension header and word: the most that a packet can become longer by. */
#define MAX_GROWTH 8

/* RFC 3550: what a header that gets an extension differs in. */
#define EXTENSION_BIT 0x10

/* RFC 8285: one-byte headers end at this identifier. */
#define STOP_ID 15

void
fuzz_init (void)
{
  fuzz_gst_init ();
}

/* In one piece, or in two as payloaders make them: header and payload; or cut
 * anywhere. */
static GstBuffer *
read_buffer (Fuzz *input)
{
  guint8 cut = fuzz_uint8 (input);
  gsize size;
  const guint8 *data = fuzz_bytes (input, G_MAXSIZE, &size);
  GstBuffer *buffer;

  if (cut == 0 || cut >= size)
    return fuzz_buffer_new (data, size);
  buffer = fuzz_buffer_new (data, cut);
  return gst_buffer_append (buffer, fuzz_buffer_new (data + cut, size - cut));
}

static GBytes *
copy_bytes (GstBuffer *buffer)
{
  gpointer data;
  gsize size;

  gst_buffer_extract_dup (buffer, 0, G_MAXSIZE, &data, &size);
  return g_bytes_new_take (data, size);
}

/* --- what must hold --- */

static void
check_number (
    GstBuffer *buffer, const GstGccSlot *slot, guint id, guint16 number)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *data;
  guint8 bytes[2];

  gst_buffer_extract (buffer, slot->offset, bytes, sizeof bytes);
  g_assert_cmpuint (GST_READ_UINT16_BE (bytes), ==, number);
  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  data = gst_gcc_stream_find_extension (
      &rtp, id, GCC_TRANSPORT_FEEDBACK_NUMBER_LENGTH);
  g_assert_true (data != NULL || id == STOP_ID);
  if (data != NULL)
    g_assert_cmpuint (data[0] << 8 | data[1], ==, number);
  gst_rtp_buffer_unmap (&rtp);
}

/* All but the number: of a packet that had the extension already. */
static void
check_in_place (
    const guint8 *before, const guint8 *after, gsize size, gsize offset)
{
  g_assert_cmpuint (offset + 2, <=, size);
  g_assert_cmpint (memcmp (before, after, offset), ==, 0);
  g_assert_cmpint (
      memcmp (before + offset + 2, after + offset + 2, size - offset - 2), ==,
      0);
}

/* The fixed header, the other extensions, and all that follows the header. */
static void
check_inserted (const GstGccSlot *slot, const guint8 *before,
    const guint8 *after, gsize size, gsize growth)
{
  gsize header = slot->header + growth;

  g_assert_cmpuint (slot->header, <=, size);
  g_assert_cmpuint (before[0] | EXTENSION_BIT, ==, after[0]);
  g_assert_cmpint (memcmp (before + 1, after + 1, slot->fixed - 1u), ==, 0);
  g_assert_cmpint (memcmp (before + slot->header - slot->others,
                       after + header - slot->others, slot->others),
      ==, 0);
  g_assert_cmpint (
      memcmp (before + slot->header, after + header, size - slot->header), ==,
      0);
}

static void
check_bytes (const GstGccSlot *slot, GBytes *before_bytes, GBytes *after_bytes)
{
  gsize size, new_size, growth = gst_gcc_slot_get_growth (slot);
  const guint8 *before = g_bytes_get_data (before_bytes, &size);
  const guint8 *after = g_bytes_get_data (after_bytes, &new_size);

  g_assert_cmpuint (growth, <=, MAX_GROWTH);
  g_assert_cmpuint (new_size, ==, size + growth);
  if (slot->is_new)
    check_inserted (slot, before, after, size, growth);
  else
    check_in_place (before, after, size, slot->offset);
}

static void
write_number (
    GstBuffer *buffer, const GstGccSlot *slot, guint id, guint16 number)
{
  GBytes *before = copy_bytes (buffer);
  GstBuffer *written = gst_gcc_slot_write (
      slot, gst_buffer_ref (buffer), number);
  GBytes *after = copy_bytes (written);
  GBytes *unchanged = copy_bytes (buffer);

  g_assert_true (g_bytes_equal (before, unchanged));
  check_bytes (slot, before, after);
  check_number (written, slot, id, number);
  g_bytes_unref (unchanged);
  g_bytes_unref (after);
  g_bytes_unref (before);
  gst_buffer_unref (written);
}

void
fuzz_one (Fuzz *input)
{
  GstGccTransportCc self = { .id = fuzz_uint8 (input),
    .inserts = fuzz_once_in (input, 2) };
  guint16 number = fuzz_uint16 (input);
  GstBuffer *buffer = read_buffer (input);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstGccSlot slot;

  if (gst_buffer_n_memory (buffer) > 0 &&
      gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp)) {
    slot = gst_gcc_transport_cc_find_slot (&self, &rtp);
    gst_rtp_buffer_unmap (&rtp);
    g_assert_true (slot.offset == 0 || self.id != 0);
    g_assert_true (!slot.is_new || self.inserts);
    if (slot.offset != 0)
      write_number (buffer, &slot, self.id, number);
  }
  gst_buffer_unref (buffer);
}
