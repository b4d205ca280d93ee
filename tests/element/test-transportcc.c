/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide numbers in packets and their extension in caps. */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"
#include "stream/gstgcctransportcc.h"
#include "support/gstgccstream.h"

#define ID 5
#define OTHER_ID 3
#define PAYLOAD_SIZE 900u
#define NUMBER 0xbeef

#define CAPS "application/x-rtp,media=video,clock-rate=90000"
#define TRANSPORT_CC "(string)" GCC_TRANSPORT_FEEDBACK_URI

static const guint8 other[] = { 0xab, 0xcd, 0xef };

static const GstGccTransportCc in_place = { .id = ID };
static const GstGccTransportCc inserting = { .id = ID, .inserts = TRUE };

/* --- packets --- */

typedef enum {
  BARE,
  ONE_BYTE,
  TWO_BYTES,
  WITH_SLOT = 1 << 2,
  IN_ONE_MEMORY = 1 << 3,
  PADDED = 1 << 4,
} Kind;

#define HEADERS (BARE | ONE_BYTE | TWO_BYTES)

static void
add_extension (
    GstRTPBuffer *rtp, Kind kind, guint8 id, gconstpointer data, guint size)
{
  if ((kind & HEADERS) == ONE_BYTE)
    g_assert_true (
        gst_rtp_buffer_add_extension_onebyte_header (rtp, id, data, size));
  else
    g_assert_true (
        gst_rtp_buffer_add_extension_twobytes_header (rtp, 0, id, data, size));
}

/* A packet of two sources, and with another extension where it has any. */
static GstBuffer *
packet (Kind kind)
{
  const guint8 room[2] = { 0 };
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (
      PAYLOAD_SIZE, kind & PADDED ? 8 : 0, 2);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstMemory *all;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, 7);
  gst_rtp_buffer_set_marker (&rtp, TRUE);
  gst_rtp_buffer_set_csrc (&rtp, 0, 0xc0c0c0c0);
  gst_rtp_buffer_set_csrc (&rtp, 1, 0xc1c1c1c1);
  memset (gst_rtp_buffer_get_payload (&rtp), 0x55, PAYLOAD_SIZE);
  if ((kind & HEADERS) != BARE)
    add_extension (&rtp, kind, OTHER_ID, other, sizeof other);
  if (kind & WITH_SLOT)
    add_extension (&rtp, kind, ID, room, sizeof room);
  gst_rtp_buffer_unmap (&rtp);
  if (kind & IN_ONE_MEMORY) {
    all = gst_buffer_get_all_memory (buffer);
    gst_buffer_replace_all_memory (buffer, all);
  }

  return buffer;
}

/* --- what is written --- */

static GstGccSlot
find_slot (const GstGccTransportCc *stream, GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstGccSlot slot;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  slot = gst_gcc_transport_cc_find_slot (stream, &rtp);
  gst_rtp_buffer_unmap (&rtp);

  return slot;
}

/* It is not aligned. */
static guint
read_number (const guint8 *data)
{
  return (guint) data[0] << 8 | data[1];
}

/* All is as it was, but for the number. */
static void
check_packet (GstBuffer *buffer, Kind kind)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *payload;
  guint8 *number, *present;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  number = gst_gcc_stream_find_extension (&rtp, ID, 2);
  g_assert_nonnull (number);
  g_assert_cmphex (read_number (number), ==, NUMBER);
  if ((kind & HEADERS) != BARE) {
    present = gst_gcc_stream_find_extension (&rtp, OTHER_ID, sizeof other);
    g_assert_nonnull (present);
    g_assert_cmpmem (present, sizeof other, other, sizeof other);
  }
  g_assert_cmpuint (gst_rtp_buffer_get_seq (&rtp), ==, 7);
  g_assert_cmpuint (gst_rtp_buffer_get_payload_type (&rtp), ==, 96);
  g_assert_true (gst_rtp_buffer_get_marker (&rtp));
  g_assert_cmpuint (gst_rtp_buffer_get_csrc_count (&rtp), ==, 2);
  g_assert_cmphex (gst_rtp_buffer_get_csrc (&rtp, 0), ==, 0xc0c0c0c0);
  g_assert_cmphex (gst_rtp_buffer_get_csrc (&rtp, 1), ==, 0xc1c1c1c1);
  g_assert_cmpuint (gst_rtp_buffer_get_payload_len (&rtp), ==, PAYLOAD_SIZE);
  payload = gst_rtp_buffer_get_payload (&rtp);
  for (guint i = 0; i < PAYLOAD_SIZE; i++)
    g_assert_cmphex (payload[i], ==, 0x55);
  gst_rtp_buffer_unmap (&rtp);
}

static void
number (const GstGccTransportCc *stream, Kind kind)
{
  GstBuffer *buffer = packet (kind);
  GstGccSlot slot = find_slot (stream, buffer);
  gsize size = gst_buffer_get_size (buffer);

  g_assert_cmpuint (slot.offset, >, 0);
  buffer = gst_gcc_slot_write (&slot, buffer, NUMBER);
  g_assert_cmpuint (
      gst_buffer_get_size (buffer), ==, size + gst_gcc_slot_get_growth (&slot));
  check_packet (buffer, kind);
  gst_buffer_unref (buffer);
}

static void
test_the_number_goes_where_there_is_room (void)
{
  const Kind kinds[] = { ONE_BYTE, TWO_BYTES, ONE_BYTE | IN_ONE_MEMORY,
    TWO_BYTES | IN_ONE_MEMORY, ONE_BYTE | PADDED };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    number (&in_place, kinds[i] | WITH_SLOT);
    number (&inserting, kinds[i] | WITH_SLOT);
  }
}

/* Guards against a number that is written where the receiver looks for the
 * length of the padding, and drops the packet. */
static void
test_what_is_also_the_padding_is_not_written (void)
{
  static const guint8 packets[][20] = {
    { 0xb0, 96, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 0x10, 0x00, 0, 1, ID, 2, 0, 0 },
    { 0xa0, 96, 0, 1, 0, 0, 0, 9, 0, 0, 1, 0 },
  };
  static const gsize lengths[] = { 20, 12 };
  const GstGccTransportCc two_bytes = { .id = 20, .inserts = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (packets); i++) {
    GstBuffer *buffer = gst_buffer_new_memdup (packets[i], lengths[i]);

    g_assert_cmpuint (find_slot (&in_place, buffer).offset, ==, 0);
    g_assert_cmpuint (find_slot (&two_bytes, buffer).offset, ==, 0);
    gst_buffer_unref (buffer);
  }
}

#define MANY_WORDS 20000u

/* Guards against a number that is written 64 kB before its place. */
static void
test_the_number_may_be_at_the_end_of_a_long_extension (void)
{
  const gsize at = 12 + 4 + 4 * MANY_WORDS - 4;
  gsize size = at + 4 + 100;
  guint8 *data = g_malloc0 (size), *expected;
  GstBuffer *buffer;
  GstGccSlot slot;
  GstMapInfo map;

  data[0] = 0x90;
  GST_WRITE_UINT16_BE (data + 12, 0x1000);
  GST_WRITE_UINT16_BE (data + 14, MANY_WORDS);
  data[at] = ID;
  data[at + 1] = 2;
  expected = g_memdup2 (data, size);
  GST_WRITE_UINT16_BE (expected + at + 2, NUMBER);
  buffer = gst_buffer_new_wrapped (data, size);
  slot = find_slot (&in_place, buffer);
  buffer = gst_gcc_slot_write (&slot, buffer, NUMBER);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_assert_cmpmem (map.data, map.size, expected, size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  g_free (expected);
}

static void
test_a_packet_without_room_gets_it (void)
{
  const Kind kinds[] = { BARE, ONE_BYTE, TWO_BYTES };
  const Kind shapes[] = { 0, IN_ONE_MEMORY, PADDED, PADDED | IN_ONE_MEMORY };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (shapes); j++)
      number (&inserting, kinds[i] | shapes[j]);
}

static void
test_nothing_is_inserted_where_it_was_not_negotiated (void)
{
  const Kind kinds[] = { BARE, ONE_BYTE, TWO_BYTES };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GstBuffer *buffer = packet (kinds[i]);

    g_assert_cmpuint (find_slot (&in_place, buffer).offset, ==, 0);
    gst_buffer_unref (buffer);
  }
}

/* An extension of that identifier, and not of two bytes, is another one. */
static void
test_other_header_extensions_are_left_alone (void)
{
  GstBuffer *buffer = packet (BARE);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  g_assert_true (gst_rtp_buffer_set_extension_data (&rtp, 0x1234, 1));
  gst_rtp_buffer_unmap (&rtp);
  g_assert_cmpuint (find_slot (&inserting, buffer).offset, ==, 0);
  gst_buffer_unref (buffer);
}

/* Two-byte headers, where nobody has chosen the other ones. */
static void
test_an_identifier_above_fourteen_gets_two_bytes (void)
{
  const GstGccTransportCc high = { .id = 200, .inserts = TRUE };
  GstBuffer *bare = packet (BARE);
  GstBuffer *one_byte = packet (ONE_BYTE);
  GstGccSlot slot = find_slot (&high, bare);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *data;

  g_assert_cmpuint (find_slot (&high, one_byte).offset, ==, 0);
  bare = gst_gcc_slot_write (&slot, bare, NUMBER);
  g_assert_true (gst_rtp_buffer_map (bare, GST_MAP_READ, &rtp));
  data = gst_gcc_stream_find_extension (&rtp, 200, 2);
  g_assert_nonnull (data);
  g_assert_cmphex (read_number (data), ==, NUMBER);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (bare);
  gst_buffer_unref (one_byte);
}

static gpointer
get_payload (GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer payload;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  payload = gst_rtp_buffer_get_payload (&rtp);
  gst_rtp_buffer_unmap (&rtp);

  return payload;
}

/* rtprtxsend keeps the packet, to send it again with another number. */
static void
test_who_else_holds_a_packet_sees_no_number (void)
{
  const Kind kinds[] = { BARE, ONE_BYTE, TWO_BYTES, BARE | IN_ONE_MEMORY,
    ONE_BYTE | WITH_SLOT, TWO_BYTES | WITH_SLOT,
    ONE_BYTE | WITH_SLOT | IN_ONE_MEMORY };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GstBuffer *kept = packet (kinds[i]);
    GstBuffer *before = gst_buffer_copy_deep (kept);
    GstGccSlot slot = find_slot (&inserting, kept);
    GstBuffer *leaving = gst_gcc_slot_write (
        &slot, gst_buffer_ref (kept), NUMBER);
    GstMapInfo map;

    g_assert_true (leaving != kept);
    check_packet (leaving, kinds[i]);
    g_assert_cmpuint (
        gst_buffer_get_size (kept), ==, gst_buffer_get_size (before));
    g_assert_true (gst_buffer_map (before, &map, GST_MAP_READ));
    g_assert_cmpint (gst_buffer_memcmp (kept, 0, map.data, map.size), ==, 0);
    gst_buffer_unmap (before, &map);
    gst_buffer_unref (before);
    gst_buffer_unref (leaving);
    gst_buffer_unref (kept);
  }
}

static void
test_the_payload_is_not_copied (void)
{
  const Kind kinds[] = { BARE, ONE_BYTE, BARE | IN_ONE_MEMORY,
    ONE_BYTE | WITH_SLOT };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    for (guint is_shared = 0; is_shared < 2; is_shared++) {
      GstBuffer *buffer = packet (kinds[i]);
      GstBuffer *kept = is_shared ? gst_buffer_ref (buffer) : NULL;
      gpointer payload = get_payload (buffer);
      GstGccSlot slot = find_slot (&inserting, buffer);

      buffer = gst_gcc_slot_write (&slot, buffer, NUMBER);
      g_assert_true (get_payload (buffer) == payload);
      gst_buffer_unref (buffer);
      gst_clear_buffer (&kept);
    }
  }
}

/* --- caps --- */

static void
decide (GstGccTransportCc *stream, GstGccFeedbackMode mode, GstGccPlace place,
    const gchar *caps_string)
{
  GstCaps *caps = gst_caps_from_string (caps_string);

  g_assert_nonnull (caps);
  gst_gcc_transport_cc_decide (stream, mode, place, caps);
  gst_caps_unref (caps);
}

#define NEGOTIATED CAPS ",extmap-5=" TRANSPORT_CC
#define WITH_ANOTHER CAPS ",extmap-12=(string)urn:another"

static void
test_what_becomes_of_a_stream (void)
{
  static const struct {
    GstGccFeedbackMode mode;
    GstGccPlace place;
    const gchar *caps;
    guint id;
    gboolean inserts;
    gboolean hides;
  } rows[] = {
    /* negotiated */
    { GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_PLAIN, NEGOTIATED, 5, FALSE, TRUE },
    { GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_NEGOTIATED, NEGOTIATED, 5, FALSE,
        TRUE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_PLAIN, NEGOTIATED, 5, TRUE,
        TRUE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_NEGOTIATED, NEGOTIATED, 5,
        FALSE, TRUE },
    /* not negotiated */
    { GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_PLAIN, CAPS, 0, FALSE, FALSE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_PLAIN, CAPS,
        GST_GCC_TRANSPORT_CC_ID, TRUE, FALSE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_PLAIN, WITH_ANOTHER, 0,
        FALSE, FALSE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_NEGOTIATED, CAPS, 0, FALSE,
        FALSE },
    /* where nothing may be touched */
    { GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_BEFORE_SDP, NEGOTIATED, 0, FALSE,
        FALSE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_BEFORE_SDP, NEGOTIATED, 0,
        FALSE, FALSE },
    { GST_GCC_FEEDBACK_REMB, GST_GCC_PLACE_BEFORE_SDP, NEGOTIATED, 0, FALSE,
        FALSE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_UNKNOWN, NEGOTIATED, 0,
        FALSE, FALSE },
    /* another session's: nobody numbers */
    { GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_ELSEWHERE, NEGOTIATED, 0, FALSE,
        TRUE },
    { GST_GCC_FEEDBACK_TRANSPORT_CC, GST_GCC_PLACE_ELSEWHERE, CAPS, 0, FALSE,
        TRUE },
    /* nothing is to be numbered */
    { GST_GCC_FEEDBACK_REMB, GST_GCC_PLACE_PLAIN, NEGOTIATED, 0, FALSE, TRUE },
    { GST_GCC_FEEDBACK_REMB, GST_GCC_PLACE_NEGOTIATED, NEGOTIATED, 0, FALSE,
        TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstGccTransportCc stream;

    g_test_message ("row %u", i);
    decide (&stream, rows[i].mode, rows[i].place, rows[i].caps);
    g_assert_cmpuint (stream.id, ==, rows[i].id);
    g_assert_cmpint (stream.inserts, ==, rows[i].inserts);
    g_assert_cmpint (stream.hides, ==, rows[i].hides);
    g_assert_cmpint (stream.reason == NULL, ==, stream.id != 0);
  }
}

static void
test_only_that_extension_is_hidden (void)
{
  static const gchar *forms[] = {
    CAPS ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI ",extmap-5=" TRANSPORT_CC,
    CAPS ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI
         ",extmap-5=(string)<\"\"," GCC_TRANSPORT_FEEDBACK_URI ",\"\">",
  };
  GstCaps *rest = gst_caps_from_string (
      CAPS ",extmap-3=(string)" GCC_ABS_SEND_TIME_URI);

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++) {
    GstCaps *caps = gst_caps_from_string (forms[i]);
    GstGccTransportCc stream;
    GstCaps *leaving;

    gst_gcc_transport_cc_decide (
        &stream, GST_GCC_FEEDBACK_AUTO, GST_GCC_PLACE_PLAIN, caps);
    g_assert_cmpuint (stream.id, ==, 5);
    leaving = gst_gcc_transport_cc_filter_caps (&stream, caps);
    g_assert_true (gst_caps_is_equal (leaving, rest));
    gst_caps_unref (leaving);
    gst_caps_unref (caps);
  }
  gst_caps_unref (rest);
}

static void
test_caps_that_hide_nothing_stay_the_same (void)
{
  const GstGccTransportCc stream = { .id = 5, .hides = TRUE };
  GstCaps *caps = gst_caps_from_string (CAPS);
  GstCaps *leaving = gst_gcc_transport_cc_filter_caps (&stream, caps);

  g_assert_true (leaving == caps);
  gst_caps_unref (leaving);
  gst_caps_unref (caps);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/transportcc/" #name, test_##name)
  ADD (the_number_goes_where_there_is_room);
  ADD (what_is_also_the_padding_is_not_written);
  ADD (the_number_may_be_at_the_end_of_a_long_extension);
  ADD (a_packet_without_room_gets_it);
  ADD (nothing_is_inserted_where_it_was_not_negotiated);
  ADD (other_header_extensions_are_left_alone);
  ADD (an_identifier_above_fourteen_gets_two_bytes);
  ADD (who_else_holds_a_packet_sees_no_number);
  ADD (the_payload_is_not_copied);
  ADD (what_becomes_of_a_stream);
  ADD (only_that_extension_is_hidden);
  ADD (caps_that_hide_nothing_stay_the_same);

  return g_test_run ();
}
