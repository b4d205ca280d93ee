/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "numbered-call.h"

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/report/gcc-remb-release.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

const gdouble numbered_call_own_bandwidth = 0.05;

static void
read_feedback (NumberedCall *self, GstRTCPPacket *packet)
{
  const guint8 *fci = gst_rtcp_packet_fb_get_fci (packet);
  guint16 base = GST_READ_UINT16_BE (fci);
  guint16 count = GST_READ_UINT16_BE (fci + 2);

  g_atomic_int_inc (&self->n_feedbacks);
  g_atomic_int_add (&self->n_covered, count);
  /* of what has been sent */
  if ((gint16) (base + count - 1 - (guint) g_atomic_int_get (&self->number)) >=
      0)
    g_atomic_int_inc (&self->n_wrong);
}

static void
read_remb (NumberedCall *self, GstRTCPPacket *packet)
{
  GccRemb remb;

  g_assert_true (gcc_remb_parse_fci (&remb, gst_rtcp_packet_fb_get_fci (packet),
      4 * (gsize) gst_rtcp_packet_fb_get_fci_length (packet)));
  g_atomic_int_inc (&self->n_rembs);
  if (remb.rate > GCC_REMB_NO_BOUND / 2)
    g_atomic_int_inc (&self->n_releases);
}

static void
read_rtcp (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user_data)
{
  NumberedCall *self = user_data;
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  (void) sink;
  (void) pad;
  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    GstRTCPType type = gst_rtcp_packet_get_type (&packet);

    if (type == GST_RTCP_TYPE_PSFB)
      read_remb (self, &packet);
    else if (type == GST_RTCP_TYPE_RTPFB &&
        gst_rtcp_packet_get_count (&packet) == GST_RTCP_RTPFB_TYPE_TWCC)
      read_feedback (self, &packet);
    else if (type == GST_RTCP_TYPE_XR)
      /* gccreceiver adds it to regular reports only */
      g_atomic_int_inc (&self->n_regular);
  }
  gst_rtcp_buffer_unmap (&rtcp);
}

void
numbered_call_start_with (NumberedCall *self, const gchar *settings,
    const gchar *session, const gchar *caps)
{
  g_autofree gchar *line = g_strdup_printf (
      "rtpbin name=rtp %s "
      "appsrc name=media is-live=true format=time do-timestamp=true "
      "  caps=\"%s\" ! gccreceiver name=gcc %s ! rtp.recv_rtp_sink_0 "
      "rtp. ! application/x-rtp ! fakesink sync=false async=false "
      "rtp.send_rtcp_src_0 ! fakesink name=rtcp signal-handoffs=true "
      "  sync=false async=false",
      session, caps, settings);
  GError *error = NULL;
  GstElement *rtpbin, *rtcp;

  *self = (NumberedCall){ .id = 12, .has_markers = TRUE, .payload_size = 500 };
  self->pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  self->gcc = gst_bin_get_by_name (GST_BIN (self->pipeline), "gcc");
  self->media = gst_bin_get_by_name (GST_BIN (self->pipeline), "media");
  rtcp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  rtpbin = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtp");
  g_signal_connect (rtcp, "handoff", G_CALLBACK (read_rtcp), self);
  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &self->session);
  gst_object_unref (rtpbin);
  gst_object_unref (rtcp);
}

void
numbered_call_play (NumberedCall *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

void
numbered_call_start (
    NumberedCall *self, const gchar *settings, const gchar *caps)
{
  numbered_call_start_with (self, settings, "rtp-profile=avpf", caps);
  numbered_call_play (self);
}

void
numbered_call_stop (NumberedCall *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_assert_cmpint (self->n_wrong, ==, 0);
  g_object_unref (self->session);
  gst_object_unref (self->media);
  gst_object_unref (self->gcc);
  gst_object_unref (self->pipeline);
}

GstBuffer *
numbered_call_make_packet (NumberedCall *self, gboolean marker)
{
  GstBuffer *buffer = test_rtp_packet (
      self->seqnum, self->seqnum * 900u, self->payload_size);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 number[2];

  self->seqnum++;
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_marker (&rtp, marker);
  if (self->id != 0) {
    GST_WRITE_UINT16_BE (number, (guint16) self->number);
    g_atomic_int_inc (&self->number);
    gst_rtp_buffer_add_extension_onebyte_header (
        &rtp, self->id, number, sizeof number);
  }
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

void
numbered_call_push (NumberedCall *self)
{
  GstBuffer *buffer = numbered_call_make_packet (
      self, self->has_markers && self->seqnum % 2 == 1);
  GstFlowReturn flow;

  g_signal_emit_by_name (self->media, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
}

static gboolean
numbered_call_has_come (NumberedCall *self, gint *counter)
{
  numbered_call_push (self);

  return (guint) g_atomic_int_get (counter) >= self->goal;
}

static gboolean
feedback_has_come (gpointer self)
{
  return numbered_call_has_come (self, &((NumberedCall *) self)->n_feedbacks);
}

static gboolean
remb_has_come (gpointer self)
{
  return numbered_call_has_come (self, &((NumberedCall *) self)->n_rembs);
}

static gboolean
release_has_come (gpointer self)
{
  return numbered_call_has_come (self, &((NumberedCall *) self)->n_releases);
}

static gboolean
regular_has_come (gpointer self)
{
  return numbered_call_has_come (self, &((NumberedCall *) self)->n_regular);
}

void
numbered_call_wait_for_more (NumberedCall *self, gint *counter, guint n)
{
  self->goal = (guint) g_atomic_int_get (counter) + n;
  test_wait_until (counter == &self->n_feedbacks ? feedback_has_come
          : counter == &self->n_rembs            ? remb_has_come
          : counter == &self->n_releases         ? release_has_come
                                                 : regular_has_come,
      self);
}

guint64
numbered_call_get_interval (NumberedCall *self)
{
  guint64 interval;

  g_object_get (self->session, INTERVAL, &interval, NULL);

  return interval;
}

gdouble
numbered_call_get_bandwidth (NumberedCall *self)
{
  gdouble bandwidth;

  g_object_get (self->session, BANDWIDTH, &bandwidth, NULL);

  return bandwidth;
}

void
numbered_call_assert_untouched (NumberedCall *self)
{
  g_assert_cmpuint (numbered_call_get_interval (self), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (
      numbered_call_get_bandwidth (self), ==, numbered_call_own_bandwidth);
}

gboolean
numbered_call_interval_is_set (gpointer self)
{
  numbered_call_push (self);

  return numbered_call_get_interval (self) == 50 * GST_MSECOND;
}

gboolean
numbered_call_says_feedback (NumberedCall *self, const gchar *mode)
{
  return test_stats_say (self->gcc, "feedback", mode);
}
