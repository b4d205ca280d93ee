/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* When a REMB leaves in the RTCP of a session. */

#include <gst/gcc/gcc-remb.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"
#include "fake-session.h"

/* --- an element before an RTP session, on a clock that the test sets --- */

/* Another packet of the last frame, at the same time. */
static void
deliver_again (SessionEnd *self)
{
  GstBuffer *buffer = test_rtp_packet (
      (guint16) self->frame, (self->frame - 1) * 33u * 90u, 1000);

  GST_BUFFER_DTS (buffer) = gst_clock_get_time (self->clock);
  g_assert_cmpint (gst_pad_push (self->source, buffer), ==, GST_FLOW_OK);
}

/* --- when a REMB leaves --- */

typedef enum {
  NOTHING,
  NACK,
  TRANSPORT_WIDE,
  REPORT
} Kind;

#define NACK_SENDER 0x4ac4u

/* An RTCP packet of a session of reduced size, before elements see it. */
static GstBuffer *
make_early (Kind kind)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  if (kind == REPORT) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
    gst_rtcp_packet_rr_set_ssrc (&packet, NACK_SENDER);
  } else if (kind != NOTHING) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RTPFB, &packet);
    gst_rtcp_packet_fb_set_type (&packet,
        kind == NACK ? GST_RTCP_RTPFB_TYPE_NACK : GST_RTCP_RTPFB_TYPE_TWCC);
    gst_rtcp_packet_fb_set_sender_ssrc (&packet, NACK_SENDER);
    gst_rtcp_packet_fb_set_media_ssrc (&packet, TEST_SSRC);
    gst_rtcp_packet_fb_set_fci_length (&packet, 1);
    memset (gst_rtcp_packet_fb_get_fci (&packet), 0, 4);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

/* Who sends the REMB in @buffer; 0 where there is none. */
static guint32
find_remb (GstBuffer *buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  guint32 ssrc = 0;

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet))
    if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_PSFB)
      ssrc = gst_rtcp_packet_fb_get_sender_ssrc (&packet);
  gst_rtcp_buffer_unmap (&rtcp);

  return ssrc;
}

/* Lets the session of @self send a packet, and returns who sends the REMB that
 * the element has added. */
static guint32
send_early (SessionEnd *self, Kind kind)
{
  GstBuffer *buffer = make_early (kind);
  gboolean added = FALSE;
  guint32 ssrc;

  g_signal_emit_by_name (
      self->holder->session, "on-sending-rtcp", buffer, TRUE, &added);
  ssrc = find_remb (buffer);
  /* a report may get report blocks instead */
  g_assert_true (added || ssrc == 0);
  g_assert_true (!added || ssrc != 0 || kind == REPORT);
  gst_buffer_unref (buffer);

  return ssrc;
}

/* Guards against gaps of four seconds: in a session of reduced size (RFC 5506)
 * no early packet took a REMB along. */
static void
test_a_remb_leaves_with_feedback_of_reduced_size (void)
{
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  g_assert_cmphex (send_early (&end, NACK), ==, 0);
  session_end_deliver_many (&end, 300);
  g_assert_cmphex (send_early (&end, NACK), ==, NACK_SENDER);
  /* once is enough */
  g_assert_cmphex (send_early (&end, NACK), ==, 0);
  g_assert_cmphex (send_early (&end, REPORT), ==, NACK_SENDER);

  session_end_deliver_many (&end, 300);
  g_assert_cmphex (send_early (&end, NOTHING), ==, FAKE_SSRC);
  g_assert_cmphex (send_early (&end, NOTHING), ==, 0);
  session_end_stop (&end);
}

static void
set_feedback (SessionEnd *self, const gchar *mode)
{
  gst_element_set_state (self->element, GST_STATE_NULL);
  gst_util_set_object_arg (G_OBJECT (self->element), "feedback", mode);
  gst_element_set_state (self->element, GST_STATE_PLAYING);
  test_begin_stream (self->source, TEST_RTP_CAPS);
}

/* Whoever asks for REMB gets both where the extension stays negotiated. */
static void
test_a_remb_never_joins_transport_wide_feedback (void)
{
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  set_feedback (&end, "remb");
  session_end_deliver_many (&end, 300);
  g_assert_cmphex (send_early (&end, TRANSPORT_WIDE), ==, 0);
  g_assert_cmphex (send_early (&end, NACK), ==, NACK_SENDER);
  g_assert_cmphex (send_early (&end, REPORT), ==, NACK_SENDER);
  session_end_stop (&end);
}

static gboolean
says_feedback (SessionEnd *self, const gchar *mode)
{
  return test_stats_say (self->element, "feedback", mode);
}

/* Media for @time, and transport-wide feedback about each @n frames of it. */
static void
deliver_with_feedback (SessionEnd *self, GstClockTime time, guint n)
{
  GstClockTime end = session_end_time_of_frame (self) + time;

  while (session_end_time_of_frame (self) < end) {
    session_end_deliver_many (self, n);
    g_assert_cmphex (send_early (self, TRANSPORT_WIDE), ==, 0);
  }
}

/* Three reports tell that the last REMB is no bound any more. */
static void
check_only_releases_leave (SessionEnd *self)
{
  for (guint i = 0; i < 3; i++)
    g_assert_cmphex (send_early (self, REPORT), ==, NACK_SENDER);
  g_assert_cmphex (send_early (self, REPORT), ==, 0);
}

/* A sender that gets both has to choose, and REMB costs early reports. */
static void
test_no_remb_leaves_while_transport_wide_feedback_does (void)
{
  static const gchar *const modes[] = { "auto", "transport-cc" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    gint n_asked;
    SessionEnd end;

    session_end_start (&end, "gccreceiver");
    set_feedback (&end, modes[i]);
    session_end_deliver_many (&end, 300);
    g_assert_true (says_feedback (&end, "remb"));
    g_assert_cmphex (send_early (&end, REPORT), ==, NACK_SENDER);

    session_end_deliver_many (&end, 10);
    deliver_with_feedback (&end, 10 * GST_MSECOND, 1);
    n_asked = g_atomic_int_get (&end.holder->session->n_asked);
    deliver_with_feedback (&end, 10 * GST_SECOND, 40);
    g_assert_true (says_feedback (&end, "transport-cc"));
    g_assert_cmphex (send_early (&end, NACK), ==, 0);
    g_assert_cmphex (send_early (&end, NOTHING), ==, 0);
    check_only_releases_leave (&end);
    g_assert_cmpint (
        g_atomic_int_get (&end.holder->session->n_asked), ==, n_asked);
    session_end_stop (&end);
  }
}

static void
test_remb_comes_back_when_transport_wide_feedback_stops (void)
{
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  session_end_deliver_many (&end, 300);
  deliver_with_feedback (&end, GST_SECOND, 1);
  g_assert_cmpuint (
      test_stats_uint64 (end.element, "transport-feedbacks"), ==, 31);
  session_end_deliver_many (&end, 40);
  g_assert_cmphex (send_early (&end, REPORT), ==, 0);
  session_end_deliver_many (&end, 40);
  g_assert_true (says_feedback (&end, "remb"));
  g_assert_cmphex (send_early (&end, REPORT), ==, NACK_SENDER);

  deliver_with_feedback (&end, GST_SECOND, 1);
  g_assert_true (says_feedback (&end, "transport-cc"));
  check_only_releases_leave (&end);
  session_end_stop (&end);
}

/* Guards against a report with a REMB right after each pause. */
static void
test_a_pause_of_media_brings_no_remb_back (void)
{
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  session_end_deliver_many (&end, 300);
  deliver_with_feedback (&end, GST_SECOND, 1);
  session_end_deliver_many (&end, 2);
  end.frame += 3000;
  session_end_deliver_many (&end, 1);
  g_assert_cmphex (send_early (&end, REPORT), ==, 0);
  session_end_stop (&end);
}

/* Guards against a session that is asked with every packet for what it has just
 * refused. */
static void
test_a_session_that_refuses_is_not_asked_with_every_packet (void)
{
  gint before, after;
  SessionEnd end;

  session_end_start (&end, "gccreceiver");
  session_end_deliver_many (&end, 300);
  before = g_atomic_int_get (&end.holder->session->n_asked);
  g_assert_cmpint (before, >, 0);
  for (guint i = 0; i < 100; i++) {
    session_end_deliver (&end, session_end_time_of_frame (&end));
    /* frames of five packets */
    for (guint j = 0; j < 4; j++)
      deliver_again (&end);
  }
  after = g_atomic_int_get (&end.holder->session->n_asked);
  g_assert_cmpint (after - before, <=, 100);
  g_assert_cmpint (after - before, >=, 20);
  session_end_stop (&end);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/session-remb/" #name, test_##name)
#define ADD_FOR(name, factory) \
  g_test_add_data_func ( \
      "/session-remb/" #name "/" factory, factory, test_##name)
  ADD (a_remb_leaves_with_feedback_of_reduced_size);
  ADD (a_remb_never_joins_transport_wide_feedback);
  ADD (no_remb_leaves_while_transport_wide_feedback_does);
  ADD (remb_comes_back_when_transport_wide_feedback_stops);
  ADD (a_pause_of_media_brings_no_remb_back);
  ADD (a_session_that_refuses_is_not_asked_with_every_packet);

  return g_test_run ();
}
