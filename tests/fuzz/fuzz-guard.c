/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What passes the guard of an RTP session, by either pad, in a buffer or in
 * lists: RTP, RTCP or neither. */

#include <gst/rtp/rtp.h>

#include "fuzz-gst.h"
#include "fuzz.h"
#include "session/gstgccguard.h"
#include "session/gstgccrtcpspan.h"

#define N_PADS 2
#define MAX_LIST 4
#define MAX_PACKET 511

static GstElement *element;
static GstPad *sinks[N_PADS];
static GstGccGuard *guard;
static GPtrArray *passed;
static gboolean takes;
static volatile guint seen;

/* --- a session that keeps what it gets --- */

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

/* Reads all of it. */
static guint
add_up (const guint8 *data, guint length)
{
  guint sum = 0;

  for (guint i = 0; i < length; i++)
    sum += data[i];
  return sum;
}

static guint
read_item (const guint8 *data, guint8 length, GstRTCPSDESType type)
{
  guint sum = 0;

  if (type == GST_RTCP_SDES_PRIV) {
    sum = add_up (data + 1, data[0]);
    length = (guint8) (length - data[0] - 1);
    data += data[0] + 1;
  }
  return sum + add_up (data, length);
}

static guint
read_description (GstRTCPPacket *packet)
{
  guint sum = 0;

  for (gboolean more = gst_rtcp_packet_sdes_first_item (packet); more;
       more = gst_rtcp_packet_sdes_next_item (packet)) {
    sum += gst_rtcp_packet_sdes_get_ssrc (packet);
    for (gboolean is_item = gst_rtcp_packet_sdes_first_entry (packet); is_item;
         is_item = gst_rtcp_packet_sdes_next_entry (packet)) {
      GstRTCPSDESType type;
      guint8 length, *data;

      if (gst_rtcp_packet_sdes_get_entry (packet, &type, &length, &data))
        sum += read_item (data, length, type);
    }
  }
  return sum;
}

/* As rtpsession does, so that AddressSanitizer sees what it would read past the
 * end of. */
static guint
read_as_session (GstBuffer *buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint sum = 0;

  if (gst_buffer_get_size (buffer) == 0 ||
      !gst_rtcp_buffer_validate_reduced (buffer))
    return 0;
  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet))
    if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_SDES)
      sum += read_description (&packet);
    else if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_BYE)
      g_free (gst_rtcp_packet_bye_get_reason (&packet));
  gst_rtcp_buffer_unmap (&rtcp);
  return sum;
}

static GstFlowReturn
keep (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) parent;
  if (pad == sinks[0] || !is_rtp (buffer))
    seen += read_as_session (buffer);
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
  guard = gst_gcc_guard_new (element);
  gst_gcc_guard_follow (guard, take, element);
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
is_to_pass (const GstGccRtcpSpan *span)
{
  return !gst_gcc_rtcp_span_is_feedback (
             span, GST_RTCP_RTPFB_TYPE_RTCP_SR_REQ) &&
      !gst_gcc_rtcp_span_is_feedback (span, GST_RTCP_RTPFB_TYPE_TWCC) &&
      gst_gcc_rtcp_span_is_sound (span);
}

/* Packet by packet. Nothing is numbered. */
static GByteArray *
filter (GstBuffer *buffer)
{
  GByteArray *rest = g_byte_array_new ();
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstGccRtcpSpan span;
  gsize offset = 0;

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  while (gst_gcc_rtcp_span_next (&span, &rtcp, &offset))
    if (is_to_pass (&span))
      g_byte_array_append (rest, span.data, (guint) span.whole);
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
