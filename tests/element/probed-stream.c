/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "probed-stream.h"

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

GstBuffer *
probed_make_packet (
    guint32 ssrc, guint16 seq, guint32 timestamp, gboolean marker)
{
  const guint8 number[2] = { 0 };
  GstBuffer *buffer = test_rtp_packet (seq, timestamp, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_marker (&rtp, marker);
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, EXTENSION_ID, number, sizeof number));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

GstBufferList *
probed_make_frame (guint32 ssrc, guint16 first, guint n_packets, gboolean ends)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint i = 0; i < n_packets; i++)
    gst_buffer_list_add (list,
        probed_make_packet (ssrc, (guint16) (first + i), 3000u * first,
            ends && i == n_packets - 1));

  return list;
}

void
probed_push_frame (GstHarness *h, guint16 first, guint n_packets)
{
  g_assert_cmpint (gst_pad_push_list (h->srcpad,
                       probed_make_frame (TEST_SSRC, first, n_packets, TRUE)),
      ==, GST_FLOW_OK);
}

static ProbedPacket
read_packet (GstBuffer *buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;
  ProbedPacket packet;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  packet = (ProbedPacket){
    .payload_type = gst_rtp_buffer_get_payload_type (&rtp),
    .ssrc = gst_rtp_buffer_get_ssrc (&rtp),
    .seq = gst_rtp_buffer_get_seq (&rtp),
    .timestamp = gst_rtp_buffer_get_timestamp (&rtp),
    .marker = gst_rtp_buffer_get_marker (&rtp),
    .has_extension = gst_rtp_buffer_get_extension_onebyte_header (
        &rtp, EXTENSION_ID, 0, &data, &size),
    .payload = gst_rtp_buffer_get_payload_len (&rtp),
    .size = (guint) gst_buffer_get_size (buffer),
  };
  gst_rtp_buffer_unmap (&rtp);

  return packet;
}

GstHarness *
probed_start_with_caps (const gchar *line, const gchar *caps)
{
  GstHarness *h = gst_harness_new_parse (line);

  test_use_testclock (h);
  gst_harness_set_src_caps_str (h, caps);

  return h;
}

GstHarness *
probed_start (const gchar *line)
{
  return probed_start_with_caps (line, CAPS);
}

gdouble
probed_get_time (GstHarness *h)
{
  GstTestClock *clock = gst_harness_get_testclock (h);
  GstClockTime time = gst_clock_get_time (GST_CLOCK (clock));

  gst_object_unref (clock);

  return (gdouble) time;
}

ProbedPacket
probed_next_packet (GstHarness *h)
{
  GstBuffer *buffer;
  ProbedPacket packet;

  while ((buffer = gst_harness_try_pull (h)) == NULL) {
    if (test_has_timer (h))
      gst_harness_crank_single_clock_wait (h);
    else
      g_usleep (100);
  }
  packet = read_packet (buffer);
  gst_buffer_unref (buffer);

  return packet;
}

void
probed_assert_padding (GstHarness *h, guint32 ssrc)
{
  ProbedPacket packet = probed_next_packet (h);

  g_assert_cmpuint (packet.payload, ==, 0);
  g_assert_cmpuint (packet.ssrc, ==, ssrc);
}

guint64
probed_get_count (GstHarness *h, const gchar *field)
{
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  guint64 n = test_stats_uint64 (sender, field);

  gst_object_unref (sender);

  return n;
}

void
probed_assert_no_padding (GstHarness *h)
{
  g_usleep (20000);
  g_assert_false (test_has_timer (h));
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
}
