/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What passes the guard of an RTP session, by either pad, in a buffer or in
 * lists: RTP, RTCP or neither. */

#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/rtp/rtp.h>

#include "fuzz-gst.h"
#include "fuzz.h"
#include "session/gstgccguard.h"

#define N_PADS 2
#define MAX_LIST 4
#define MAX_PACKET 511

/* RTCP: types, formats, and where the FCI of feedback begins. */
#define RTPFB 205
#define SR_REQUEST 5
#define TRANSPORT_FEEDBACK 15
#define FCI 12

static GstElement *element;
static GstPad *sinks[N_PADS];
static GstGccGuard *guard;
static GPtrArray *passed;
static gboolean takes;

/* --- a session that keeps what it gets --- */

static GstFlowReturn
keep (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  g_ptr_array_add (passed, buffer);
  return GST_FLOW_OK;
}

static gboolean
take (GstBuffer *rtcp, gpointer user_data)
{
  (void) rtcp;
  (void) user_data;
  return takes;
}

void
fuzz_init (void)
{
  static const gchar *const names[N_PADS] = { "recv_rtcp_sink",
    "recv_rtp_sink" };

  fuzz_gst_init ();
  passed = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  element = gst_object_ref_sink (gst_bin_new (NULL));
  guard = gst_gcc_guard_new (element, take, element);
  for (guint i = 0; i < N_PADS; i++) {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    sinks[i] = gst_pad_new (names[i], GST_PAD_SINK);
    gst_pad_set_chain_function (sinks[i], keep);
    gst_pad_set_active (sinks[i], TRUE);
    gst_element_add_pad (element, sinks[i]);
    gst_pad_send_event (sinks[i], gst_event_new_stream_start ("network"));
    gst_pad_send_event (sinks[i], gst_event_new_segment (&segment));
  }
}

/* --- what is expected to pass --- */

static gboolean
is_rtp (GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (gst_buffer_n_memory (buffer) == 0 ||
      !gst_rtp_buffer_map (buffer,
          GST_MAP_READ | (GstMapFlags) GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING,
          &rtp))
    return FALSE;
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

static gboolean
has_all_times (const guint8 *fci, gsize length)
{
  GccTransportFeedback feedback;

  return gcc_transport_feedback_parse_fci (&feedback, fci, length) &&
      feedback.has_times;
}

static gboolean
is_to_pass (const guint8 *packet, gsize length)
{
  if (packet[1] != RTPFB)
    return TRUE;
  switch (packet[0] & 0x1f) {
    case SR_REQUEST:
      return FALSE;
    case TRANSPORT_FEEDBACK:
      return !takes && length > FCI &&
          has_all_times (packet + FCI, length - FCI);
    default:
      return TRUE;
  }
}

/* Packet by packet, as far as rtpsession walks it. */
static GByteArray *
filter (GstBuffer *buffer)
{
  GByteArray *rest = g_byte_array_new ();
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint end = 0;

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    const guint8 *data = rtcp.map.data + packet.offset;
    guint length = 4 * (GST_READ_UINT16_BE (data + 2) + 1u);

    if (is_to_pass (data, length))
      g_byte_array_append (rest, data, length);
    end = packet.offset + length;
  }
  g_byte_array_append (rest, rtcp.map.data + end, (guint) rtcp.map.size - end);
  gst_rtcp_buffer_unmap (&rtcp);
  return rest;
}

static GByteArray *
copy_bytes (GstBuffer *buffer)
{
  gsize size = gst_buffer_get_size (buffer);
  g_autofree guint8 *data = g_malloc (size + 1);

  gst_buffer_extract (buffer, 0, data, size);
  return g_byte_array_append (g_byte_array_new (), data, (guint) size);
}

/* %NULL where nothing is to come. */
static GByteArray *
expect (GstBuffer *buffer, gboolean is_rtp_pad)
{
  GByteArray *all = copy_bytes (buffer);
  GByteArray *rest;

  if ((is_rtp_pad && is_rtp (buffer)) || all->len < 4 ||
      !gst_rtcp_buffer_validate_data_reduced (all->data, all->len))
    return all;
  g_byte_array_unref (all);
  rest = filter (buffer);
  if (rest->len > 0)
    return rest;
  g_byte_array_unref (rest);
  return NULL;
}

static gboolean
has_bytes (GstBuffer *buffer, const GByteArray *bytes)
{
  return gst_buffer_get_size (buffer) == bytes->len &&
      (bytes->len == 0 ||
          gst_buffer_memcmp (buffer, 0, bytes->data, bytes->len) == 0);
}

static void
check_passed (GPtrArray *expected)
{
  g_assert_cmpuint (passed->len, ==, expected->len);
  for (guint i = 0; i < passed->len; i++) {
    const GByteArray *bytes = g_ptr_array_index (expected, i);
    GstBuffer *buffer = g_ptr_array_index (passed, i);

    g_assert_true (has_bytes (buffer, bytes));
  }
}

/* --- packets --- */

/* In one piece, or cut. */
static GstBuffer *
read_buffer (Fuzz *input)
{
  guint size_wanted = fuzz_up_to (input, MAX_PACKET);
  gsize cut = fuzz_uint8 (input);
  gsize size;
  const guint8 *data = fuzz_bytes (input, size_wanted, &size);

  if (cut == 0 || cut >= size)
    return fuzz_buffer_new (data, size);
  return gst_buffer_append (
      fuzz_buffer_new (data, cut), fuzz_buffer_new (data + cut, size - cut));
}

/* Of a copy: GStreamer makes the memories of a buffer one where it maps them,
 * and what was no RTP because its header was cut may be RTP then. */
static void
expect_buffer (GPtrArray *expected, GstBuffer *buffer, gboolean is_rtp_pad)
{
  GstBuffer *copy = gst_buffer_copy (buffer);
  GByteArray *bytes = expect (copy, is_rtp_pad);

  gst_buffer_unref (copy);
  if (bytes != NULL)
    g_ptr_array_add (expected, bytes);
}

static void
push_list (GstPad *sink, GPtrArray *expected, gboolean is_rtp_pad, Fuzz *input)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint n = 1 + fuzz_up_to (input, MAX_LIST - 1); n > 0; n--) {
    GstBuffer *buffer = read_buffer (input);

    expect_buffer (expected, buffer, is_rtp_pad);
    gst_buffer_list_add (list, buffer);
  }
  gst_pad_chain_list (sink, list);
}

/* What somebody else sees of it does not change. */
static void
push_buffer (
    GstPad *sink, GPtrArray *expected, gboolean is_rtp_pad, Fuzz *input)
{
  GstBuffer *buffer = read_buffer (input);
  GByteArray *before = copy_bytes (buffer);

  expect_buffer (expected, buffer, is_rtp_pad);
  gst_pad_chain (sink, gst_buffer_ref (buffer));
  g_assert_true (has_bytes (buffer, before));
  gst_buffer_unref (buffer);
  g_byte_array_unref (before);
}

void
fuzz_one (Fuzz *input)
{
  GPtrArray *expected = g_ptr_array_new_with_free_func (
      (GDestroyNotify) g_byte_array_unref);
  guint8 what = fuzz_uint8 (input);
  gboolean is_rtp_pad = (what & 1) != 0;

  takes = (what & 2) != 0;
  if (what & 4)
    push_list (sinks[is_rtp_pad], expected, is_rtp_pad, input);
  else
    push_buffer (sinks[is_rtp_pad], expected, is_rtp_pad, input);
  check_passed (expected);
  g_ptr_array_set_size (passed, 0);
  g_ptr_array_unref (expected);
}
