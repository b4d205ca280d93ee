/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* A sender whose reports tell of a queue that loss-based traffic holds: with the
 * default profile, over REMB, it begins to pace in mid-call. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

#define PATH 50u
#define QUEUE 200u
/* 12 packets of 500 bytes: 30 ms at twice the 800 kbit/s that the sender starts
 * at */
#define FRAME 12u

typedef struct {
  GstHarness *harness;
  GstElement *sender;
  GObject *session;
  GstPad *rtcp;
  guint16 seq;
  guint64 ntp; /* of the last sender report */
  gint stop;
} Sending;

/* As if the session sent one now. Each has an NTP time of its own, by which a receiver
 * report names the sender report that it answers. */
static void
send_sender_report (Sending *self)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean keep;

  self->ntp += G_GUINT64_CONSTANT (1) << 32;
  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet));
  gst_rtcp_packet_sr_set_sender_info (&packet, TEST_SSRC, self->ntp, 0, 0, 0);
  gst_rtcp_buffer_unmap (&rtcp);
  g_signal_emit_by_name (
      self->session, "on-sending-rtcp", buffer, FALSE, &keep);
  gst_buffer_unref (buffer);
}

/* Of the sender report of a second ago. */
static void
report (Sending *self, guint8 fraction_lost, guint rtt_ms)
{
  gst_pad_push (self->rtcp,
      test_timed_report (TEST_SSRC, fraction_lost, (guint16) (self->seq - 1),
          (guint32) (self->ntp >> 16), (1000 - rtt_ms) * 65536 / 1000));
}

static void
push_frame (Sending *self)
{
  for (guint i = 0; i < FRAME; i++, self->seq++)
    g_assert_cmpint (gst_harness_push (self->harness,
                         test_rtp_packet (self->seq, self->seq * 1800u, 500)),
        ==, GST_FLOW_OK);
}

static gboolean
is_all_sent (Sending *self)
{
  return gst_harness_buffers_received (self->harness) == self->seq;
}

/* With all that is to leave meanwhile. */
static void
pass_time (Sending *self, GstClockTime duration)
{
  GstTestClock *clock = gst_harness_get_testclock (self->harness);
  GstClockTime end = gst_clock_get_time (GST_CLOCK (clock)) + duration;

  while (!is_all_sent (self)) {
    if (gst_test_clock_peek_id_count (clock) > 0)
      gst_test_clock_crank (clock);
    else
      g_usleep (100);
  }
  if (gst_clock_get_time (GST_CLOCK (clock)) < end)
    gst_test_clock_set_time (clock, end);
  gst_object_unref (clock);
}

/* A second with one frame, a sender report and what the other end tells of it. */
static void
pass_second (Sending *self, guint8 fraction_lost, guint rtt_ms)
{
  send_sender_report (self);
  push_frame (self);
  pass_time (self, GST_SECOND);
  report (self, fraction_lost, rtt_ms);
}

static void
sending_start (Sending *self, const gchar *properties)
{
  gchar *line = g_strdup_printf (
      "gccsender name=sender start-bitrate=800000 %s ! "
      "session.send_rtp_sink rtpsession name=session "
      "session.send_rtp_src ! identity",
      properties);
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description (line, TRUE, &error);
  GstElement *session;

  g_assert_no_error (error);
  gst_object_ref_sink (bin);
  *self = (Sending){ .ntp = G_GUINT64_CONSTANT (0x1234567890abcdef) };
  self->sender = gst_bin_get_by_name (GST_BIN (bin), "sender");
  self->harness = gst_harness_new_with_element (bin, "sink", "src");
  test_use_testclock (self->harness);
  gst_harness_set_src_caps_str (self->harness, TEST_RTP_CAPS);
  session = gst_bin_get_by_name (GST_BIN (bin), "session");
  self->rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  g_object_get (session, "internal-session", &self->session, NULL);
  gst_object_unref (session);
  gst_object_unref (bin);
  g_free (line);
}

static void
sending_stop (Sending *self)
{
  gst_element_set_state (self->harness->element, GST_STATE_NULL);
  gst_pad_set_active (self->rtcp, FALSE);
  gst_object_unref (self->rtcp);
  g_object_unref (self->session);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->harness);
}

/* The queue varies, as TCP's does. */
static void
hold_queue (Sending *self, guint seconds)
{
  for (guint i = 0; i < seconds; i++)
    pass_second (self, 8, PATH + QUEUE + 10 * (i % 5));
}

static void
begin_alone (Sending *self, const gchar *properties)
{
  sending_start (self, properties);
  for (guint i = 0; i < 5; i++)
    pass_second (self, 0, PATH);
}

static gboolean
is_beside_tcp (Sending *self)
{
  return test_stats_say (self->sender, "competition", "tcp");
}

static void
drop_received (Sending *self)
{
  for (GstBuffer *buffer; (buffer = gst_harness_try_pull (self->harness));)
    gst_buffer_unref (buffer);
}

static gboolean
has_sent_all (gpointer sending)
{
  return is_all_sent (sending);
}

static void
send_frame (Sending *self)
{
  pass_time (self, GST_SECOND);
  drop_received (self);
  push_frame (self);
}

/* The clock does not move. */
static void
check_a_frame_leaves_at_once (Sending *self)
{
  send_frame (self);
  test_wait_until (has_sent_all, self);
}

/* What may leave at once has had its time to. */
static gboolean
is_a_frame_spread (gpointer sending)
{
  Sending *self = sending;

  send_frame (self);
  g_usleep (20000);

  return gst_harness_buffers_in_queue (self->harness) < FRAME / 2;
}

/* Another thread may still be applying the pacing rate to the first frames. */
static void
check_frames_are_spread (Sending *self)
{
  test_wait_until (is_a_frame_spread, self);
  g_assert_true (is_a_frame_spread (self));
}

static void
test_frames_are_spread_once_tcp_holds_the_queue (void)
{
  Sending sending;

  begin_alone (&sending, "");
  check_a_frame_leaves_at_once (&sending);
  hold_queue (&sending, 10);
  g_assert_true (is_beside_tcp (&sending));
  check_frames_are_spread (&sending);
  sending_stop (&sending);
}

/* Nothing is spread any more, and no packet is kept or overtaken. */
static void
test_frames_leave_at_once_when_tcp_has_gone (void)
{
  Sending sending;

  begin_alone (&sending, "");
  hold_queue (&sending, 10);
  for (guint i = 0; i < 5; i++)
    pass_second (&sending, 0, PATH);
  g_assert_false (is_beside_tcp (&sending));
  check_a_frame_leaves_at_once (&sending);
  sending_stop (&sending);
}

/* At a hundred times the rate a frame is less than one group. */
static void
test_a_factor_of_the_user_stays (gconstpointer properties)
{
  Sending sending;

  begin_alone (&sending, properties);
  hold_queue (&sending, 10);
  g_assert_true (is_beside_tcp (&sending));
  check_a_frame_leaves_at_once (&sending);
  sending_stop (&sending);
}

static gpointer
report_until_told (gpointer data)
{
  Sending *self = data;

  for (guint i = 0; !g_atomic_int_get (&self->stop); i++) {
    send_sender_report (self);
    report (self, 8, PATH + (i < 20 ? 0 : QUEUE + i % 50));
    g_thread_yield ();
  }

  return NULL;
}

/* As from a network that does not know that this end has stopped: the pacer may
 * begin in that moment. */
static void
test_it_stops_while_such_reports_arrive (void)
{
  for (guint i = 0; i < 20; i++) {
    Sending sending;
    GThread *thread;

    begin_alone (&sending, "");
    hold_queue (&sending, i % 10);
    thread = g_thread_new ("rtcp", report_until_told, &sending);
    g_usleep (1000);
    gst_element_set_state (sending.harness->element, GST_STATE_NULL);
    g_atomic_int_set (&sending.stop, TRUE);
    g_thread_join (thread);
    sending_stop (&sending);
  }
}

#define ADD(name) g_test_add_func ("/beside-tcp/" #name, test_##name)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD (frames_are_spread_once_tcp_holds_the_queue);
  ADD (frames_leave_at_once_when_tcp_has_gone);
  g_test_add_data_func ("/beside-tcp/nothing_is_spread_where_pacing_is_off",
      "pacing-factor=0", test_a_factor_of_the_user_stays);
  g_test_add_data_func ("/beside-tcp/a_factor_of_the_user_stays",
      "pacing-factor=100 min-bitrate=500000", test_a_factor_of_the_user_stays);
  ADD (it_stops_while_such_reports_arrive);

  return g_test_run ();
}
