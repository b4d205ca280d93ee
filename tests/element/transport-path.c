/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "transport-path.h"

#include <string.h>

void
path_start (Path *self, const gchar *properties, const gchar *caps)
{
  gchar *line = g_strdup_printf (
      "gccsender name=sender start-bitrate=1000000 min-bitrate=100000 "
      "pacing-factor=0 %s ! session.send_rtp_sink "
      "rtpsession name=session session.send_rtp_src ! identity",
      properties);

  path_start_line (self, line, caps);
  g_free (line);
}

void
path_start_line (Path *self, const gchar *line, const gchar *caps)
{
  GError *error = NULL;
  GstElement *session;

  *self = (Path){ .id = ID };
  self->bin = gst_parse_bin_from_description (line, TRUE, &error);
  g_assert_no_error (error);
  gst_object_ref_sink (self->bin);
  self->sender = gst_bin_get_by_name (GST_BIN (self->bin), "sender");
  self->bus = gst_bus_new ();
  self->origin = 1000 * GCC_SECOND;
  self->departures = g_array_new (FALSE, FALSE, sizeof (PathDeparture));
  gst_element_set_bus (self->bin, self->bus);
  self->harness = gst_harness_new_with_element (self->bin, "sink", "src");
  test_use_testclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, caps);
  session = gst_bin_get_by_name (GST_BIN (self->bin), "session");
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  gst_object_unref (session);
}

void
path_stop (Path *self)
{
  gst_element_set_state (self->bin, GST_STATE_NULL);
  gst_element_set_bus (self->bin, NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->harness);
  gst_object_unref (self->bin);
  gst_object_unref (self->bus);
  g_array_unref (self->departures);
}

void
path_pass_time (Path *self, GstClockTime duration)
{
  self->now += duration;
  gst_harness_set_time (self->harness, self->now);
}

gboolean
path_read_number (GstBuffer *buffer, guint id, guint16 *number)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  gboolean found;
  guint size;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  found = gst_rtp_buffer_get_extension_onebyte_header (
      &rtp, (guint8) id, 0, &data, &size);
  if (found) {
    const guint8 *bytes = data; /* not aligned */

    g_assert_cmpuint (size, ==, 2);
    *number = (guint16) (bytes[0] << 8 | bytes[1]);
  }
  gst_rtp_buffer_unmap (&rtp);

  return found;
}

/* The same packets in each run; 37 scatters them. */
static gboolean
is_lost (const Path *self, GstBuffer *buffer)
{
  if (self->max_size > 0 && gst_buffer_get_size (buffer) > self->max_size)
    return TRUE;

  return self->departures->len * 37 % 100 < self->loss_percent;
}

/* Puts what has left on the path. Returns how many packets had no number. */
guint
path_take_departures (Path *self)
{
  GstBuffer *buffer;
  guint n_unnumbered = 0;

  while ((buffer = gst_harness_try_pull (self->harness)) != NULL) {
    PathDeparture departure = {
      .is_lost = is_lost (self, buffer),
      .arrival = self->now + PATH_DELAY,
    };

    if (path_read_number (buffer, self->id, &departure.number))
      g_array_append_val (self->departures, departure);
    else
      n_unnumbered++;
    gst_buffer_unref (buffer);
  }

  return n_unnumbered;
}

GstBuffer *
path_make_room (GstBuffer *buffer, guint id)
{
  const guint8 room[2] = { 0xff, 0xff };
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  g_assert_true (gst_rtp_buffer_add_extension_onebyte_header (
      &rtp, (guint8) id, room, sizeof room));
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

GstBuffer *
path_make_packet (Path *self)
{
  return test_rtp_packet (
      self->seq, (guint32) (self->now / GST_MSECOND * 90), PAYLOAD_SIZE);
}

void
path_push (Path *self, GstBuffer *buffer)
{
  self->seq++;
  g_assert_cmpint (gst_harness_push (self->harness, buffer), ==, GST_FLOW_OK);
}

void
path_send_packet (Path *self)
{
  path_push (self, path_make_room (path_make_packet (self), self->id));
  path_take_departures (self);
}

void
path_send_packets (Path *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    path_pass_time (self, 20 * GST_MSECOND);
    path_send_packet (self);
  }
}

/* --- RTCP --- */

void
path_begin_rtcp (GstBuffer **buffer, GstRTCPBuffer *rtcp)
{
  GstRTCPPacket packet;

  *rtcp = (GstRTCPBuffer) GST_RTCP_BUFFER_INIT;
  *buffer = gst_rtcp_buffer_new (1400);
  g_assert_true (gst_rtcp_buffer_map (*buffer, GST_MAP_READWRITE, rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet));
  gst_rtcp_packet_rr_set_ssrc (&packet, PEER_SSRC);
}

void
path_add_feedback (
    GstRTCPBuffer *rtcp, const GccTransportFeedbackWriter *writer)
{
  guint8 fci[GCC_TRANSPORT_FEEDBACK_MAX_FCI];
  gsize length = gcc_transport_feedback_writer_finish (writer, fci);
  GstRTCPPacket packet;

  g_assert_true (
      gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet));
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_RTPFB_TYPE_TWCC);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, PEER_SSRC);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, TEST_SSRC);
  g_assert_true (
      gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (length / 4)));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), fci, length);
}

GstBuffer *
path_end_rtcp (GstBuffer *buffer, GstRTCPBuffer *rtcp)
{
  gst_rtcp_buffer_unmap (rtcp);

  return buffer;
}

void
path_deliver (Path *self, GstBuffer *rtcp)
{
  g_assert_cmpint (gst_pad_push (self->rtcp, rtcp), ==, GST_FLOW_OK);
}

const PathDeparture *
path_get_departure (const Path *self, guint index)
{
  return &g_array_index (self->departures, PathDeparture, index);
}

GccTime
path_get_arrival (const Path *self, guint index)
{
  return self->origin +
      (GccTime) (path_get_departure (self, index)->arrival / GST_USECOND);
}

/* A message about the packets from @first on to before @end; %NULL where none
 * of them has arrived. */
GstBuffer *
path_make_feedback (Path *self, guint first, guint end)
{
  GccTransportFeedbackWriter writer;
  GstRTCPBuffer rtcp;
  GstBuffer *buffer;
  guint n = 0;

  for (guint i = first; i < end; i++) {
    if (path_get_departure (self, i)->is_lost)
      continue;
    if (n++ == 0)
      gcc_transport_feedback_writer_init (&writer,
          path_get_departure (self, first)->number, path_get_arrival (self, i),
          self->count++);
    g_assert_true (gcc_transport_feedback_writer_add (&writer,
        path_get_departure (self, i)->number, path_get_arrival (self, i)));
  }
  if (n == 0)
    return NULL;

  path_begin_rtcp (&buffer, &rtcp);
  path_add_feedback (&rtcp, &writer);

  return path_end_rtcp (buffer, &rtcp);
}

void
path_tell (Path *self)
{
  GstBuffer *buffer = path_make_feedback (
      self, self->n_told, self->departures->len);

  self->n_told = self->departures->len;
  if (buffer != NULL)
    path_deliver (self, buffer);
}

void
path_report (Path *self)
{
  path_deliver (
      self, test_receiver_report (TEST_SSRC, 0, (guint16) (self->seq - 1)));
}

/* About 400 kbit/s, told of ten times a second. */
void
path_call_for (Path *self, GstClockTime duration)
{
  GstClockTime end = self->now + duration;

  for (guint i = 0; self->now < end; i++) {
    path_pass_time (self, 20 * GST_MSECOND);
    path_send_packet (self);
    if (i % 5 == 4)
      path_tell (self);
  }
}

/* The same, and only reports come back. */
void
path_call_without_feedback (Path *self, GstClockTime duration)
{
  GstClockTime end = self->now + duration;

  for (guint i = 0; self->now < end; i++) {
    path_pass_time (self, 20 * GST_MSECOND);
    path_send_packet (self);
    if (i % 25 == 24)
      path_report (self);
  }
  self->n_told = self->departures->len;
}

/* --- what is seen of it --- */

gchar *
path_get_string (Path *self, const gchar *field)
{
  GstStructure *stats;
  gchar *string;

  g_object_get (self->sender, "stats", &stats, NULL);
  string = g_strdup (gst_structure_get_string (stats, field));
  gst_structure_free (stats);

  return string;
}

void
path_assert_string (Path *self, const gchar *field, const gchar *expected)
{
  gchar *string = path_get_string (self, field);

  g_assert_cmpstr (string, ==, expected);
  g_free (string);
}

gboolean
path_get_boolean (Path *self, const gchar *field)
{
  GstStructure *stats;
  gboolean value;

  g_object_get (self->sender, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, field, &value));
  gst_structure_free (stats);

  return value;
}

guint64
path_count (Path *self, const gchar *field)
{
  return test_stats_uint64 (self->sender, field);
}

guint
path_get_target (Path *self)
{
  return test_get_uint (self->sender, "target-bitrate");
}

gboolean
path_session_has_extmap (Path *self, guint id)
{
  GstPad *pad = gst_element_get_static_pad (self->sender, "src");
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gchar *name = g_strdup_printf ("extmap-%u", id);
  gboolean has = gst_structure_has_field (
      gst_caps_get_structure (caps, 0), name);

  g_free (name);
  gst_caps_unref (caps);
  gst_object_unref (pad);

  return has;
}

guint
path_count_messages (Path *self, GstMessageType type, const gchar *text)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (self->bus, type))) {
    GError *error = NULL;

    if (type == GST_MESSAGE_WARNING)
      gst_message_parse_warning (message, &error, NULL);
    else
      gst_message_parse_info (message, &error, NULL);
    n += strstr (error->message, text) != NULL;
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

gboolean
path_has_fallen (gpointer user_data)
{
  return path_get_target (user_data) < START_RATE / 2;
}

GstBuffer *
path_make_audio (Path *self)
{
  GstBuffer *buffer = test_rtp_packet (
      self->seq, (guint32) (self->now / GST_MSECOND * 48), 80);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, AUDIO_SSRC);
  gst_rtp_buffer_set_payload_type (&rtp, 97);
  gst_rtp_buffer_unmap (&rtp);

  return buffer;
}

void
path_start_steered (Path *self)
{
  path_start (self, "", NEGOTIATED);
  path_call_for (self, 5 * GST_SECOND);
}

void
path_stop_steered (Path *self)
{
  path_assert_string (self, "feedback", "transport-cc");
  path_stop (self);
}
