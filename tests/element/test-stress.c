/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Calls as people treat them: started and stopped without end, changed while
 * they run, many at once. GCC_STRESS=N does all of it N times as often: ten
 * times are a thousand starts. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

/* What arrives has a session of its own: rtpbin keeps a jitter buffer, with a
 * thread, for each stream of each start (seen with 1.22). */
#define LINE \
  "rtpbin name=rtp rtp-profile=avpf " \
  "gccsender name=sender pacing-factor=%s max-pacing-delay=20 ! " \
  "  rtp.send_rtp_sink_0 " \
  "rtp.send_rtp_src_0 ! fakesink async=false " \
  "rtp.send_rtcp_src_0 ! fakesink async=false sync=false " \
  "appsrc name=rtcp is-live=true caps=application/x-rtcp max-buffers=10 " \
  "  leaky-type=downstream ! rtp.recv_rtcp_sink_0 " \
  "rtpsession name=session rtp-profile=avpf " \
  "gccreceiver name=receiver ! session.recv_rtp_sink " \
  "session.recv_rtp_src ! fakesink async=false " \
  "session.send_rtcp_src ! fakesink async=false sync=false"

static guint
times (guint n)
{
  const gchar *factor = g_getenv ("GCC_STRESS");

  return factor == NULL ? n : n * (guint) g_ascii_strtoull (factor, NULL, 10);
}

/* --- both elements in a pipeline, fed by the test --- */

typedef struct {
  GstElement *pipeline;
  GstElement *rtp;
  GstElement *sender;
  GstElement *receiver;
  GstPad *media;
  GstPad *network;
  GstElement *rtcp;
  guint16 seqnum;
  gint stop;
} Call;

static GstPad *
make_source (GstElement *element, const gchar *name)
{
  GstPad *pad = gst_pad_new (NULL, GST_PAD_SRC);
  GstPad *peer = gst_element_get_static_pad (element, name);

  if (peer == NULL)
    peer = gst_element_request_pad_simple (element, name);
  g_assert_cmpint (gst_pad_link (pad, peer), ==, GST_PAD_LINK_OK);
  gst_pad_set_active (pad, TRUE);
  gst_object_unref (peer);

  return pad;
}

static void
call_init (Call *self, const gchar *pacing_factor)
{
  gchar *line = g_strdup_printf (LINE, pacing_factor);

  *self = (Call){ 0 };
  self->pipeline = gst_parse_launch (line, NULL);
  g_assert_nonnull (self->pipeline);
  self->rtp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtp");
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  self->receiver = gst_bin_get_by_name (GST_BIN (self->pipeline), "receiver");
  self->media = make_source (self->sender, "sink");
  self->network = make_source (self->receiver, "sink");
  self->rtcp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  g_free (line);
}

static void
call_clear (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->media);
  gst_object_unref (self->network);
  gst_object_unref (self->rtcp);
  gst_object_unref (self->receiver);
  gst_object_unref (self->sender);
  gst_object_unref (self->rtp);
  gst_object_unref (self->pipeline);
}

static void
begin_streams (Call *self)
{
  test_begin_stream (self->media, TEST_RTP_CAPS);
  test_begin_stream (self->network, TEST_RTP_CAPS);
}

static void
push_rtcp (Call *self, GstBuffer *buffer)
{
  GstFlowReturn flow;

  g_signal_emit_by_name (self->rtcp, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
}

static void
push_reports (Call *self)
{
  push_rtcp (self, test_receiver_report (TEST_SSRC, 10, self->seqnum - 1u));
  push_rtcp (self, test_remb (300000 + self->seqnum, 1));
}

static void
push_some (Call *self)
{
  for (guint i = 0; i < 3; i++, self->seqnum++) {
    gst_pad_push (
        self->media, test_rtp_packet (self->seqnum, self->seqnum * 3000u, 500));
    gst_pad_push (self->network,
        test_rtp_packet (self->seqnum, self->seqnum * 3000u, 500));
  }
  push_reports (self);
}

/* --- started and stopped --- */

static void
start_and_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  begin_streams (self);
  push_some (self);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
}

/* Guards against what a stop leaves: threads, files, sessions that are joined
 * twice. */
static void
test_a_call_starts_and_stops_without_end (gconstpointer pacing_factor)
{
  guint n_threads, n_files;
  Call call;

  test_tolerate_race_of_rtpsession ();
  call_init (&call, pacing_factor);
  /* GStreamer keeps some threads for the next time. */
  for (guint i = 0; i < 5; i++)
    start_and_stop (&call);
  n_threads = test_count_files ("/proc/self/task");
  n_files = test_count_files ("/proc/self/fd");
  for (guint i = 0; i < times (100); i++)
    start_and_stop (&call);
  g_assert_cmpuint (test_count_files ("/proc/self/task"), <=, n_threads + 2);
  g_assert_cmpuint (test_count_files ("/proc/self/fd"), <=, n_files);
  call_clear (&call);
}

static gpointer
push_rtcp_until_told (gpointer data)
{
  Call *self = data;

  while (!g_atomic_int_get (&self->stop)) {
    push_reports (self);
    g_thread_yield ();
  }

  return NULL;
}

/* As from a network that does not know that this end has stopped. */
static void
test_a_call_stops_while_rtcp_arrives (gconstpointer pacing_factor)
{
  GThread *thread;
  Call call;

  test_tolerate_race_of_rtpsession ();
  call_init (&call, pacing_factor);
  thread = g_thread_new ("rtcp", push_rtcp_until_told, &call);
  for (guint i = 0; i < times (25); i++) {
    gst_element_set_state (call.pipeline, GST_STATE_PLAYING);
    test_begin_stream (call.media, TEST_RTP_CAPS);
    for (guint16 j = 0; j < 5; j++)
      gst_pad_push (call.media, test_rtp_packet (j, 0, 500));
    gst_element_set_state (call.pipeline, GST_STATE_NULL);
  }
  g_atomic_int_set (&call.stop, TRUE);
  g_thread_join (thread);
  call_clear (&call);
}

/* --- changed while they run --- */

static gpointer
push_all_until_told (gpointer data)
{
  Call *self = data;

  begin_streams (self);
  while (!g_atomic_int_get (&self->stop)) {
    push_some (self);
    g_thread_yield ();
  }

  return NULL;
}

static GThread *
start_pushing (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);

  return g_thread_new ("pushes", push_all_until_told, self);
}

static gboolean
has_rembs (gpointer call)
{
  return test_stats_uint64 (((Call *) call)->sender, "rembs") > 0;
}

static void
stop_pushing (Call *self, GThread *thread)
{
  g_atomic_int_set (&self->stop, TRUE);
  g_thread_join (thread);
}

/* A stream of a session of its own, in the pipeline of @self. */
static void
add_change_and_remove_stream (Call *self, guint number)
{
  gchar *sink_name = g_strdup_printf ("sink_%u", number);
  gchar *src_name = g_strdup_printf ("src_%u", number);
  gchar *rtp_name = g_strdup_printf ("send_rtp_sink_%u", number);
  GstPad *sink = gst_element_request_pad_simple (self->sender, sink_name);
  GstPad *src = gst_element_get_static_pad (self->sender, src_name);
  GstPad *rtp = gst_element_request_pad_simple (self->rtp, rtp_name);
  GstPad *in = gst_pad_new (NULL, GST_PAD_SRC);

  g_assert_cmpint (gst_pad_link (src, rtp), ==, GST_PAD_LINK_OK);
  g_assert_cmpint (gst_pad_link (in, sink), ==, GST_PAD_LINK_OK);
  gst_pad_set_active (in, TRUE);
  for (guint i = 0; i < 3; i++) {
    /* another codec, and another clock rate */
    test_begin_stream (in,
        i % 2 == 0 ? TEST_RTP_CAPS
                   : "application/x-rtp,media=audio,encoding-name=OPUS,"
                     "clock-rate=48000,payload=97");
    for (guint16 j = 0; j < 3; j++)
      gst_pad_push (in, test_rtp_packet (j, j * 3000u, 500));
  }
  gst_element_release_request_pad (self->sender, sink);
  gst_element_release_request_pad (self->rtp, rtp);

  gst_object_unref (in);
  gst_object_unref (rtp);
  gst_object_unref (src);
  gst_object_unref (sink);
  g_free (rtp_name);
  g_free (src_name);
  g_free (sink_name);
}

/* The session of a stream, too, comes and goes. */
static void
test_streams_come_change_and_go_in_a_call (gconstpointer pacing_factor)
{
  GThread *thread;
  Call call;

  test_tolerate_race_of_rtpsession ();
  call_init (&call, pacing_factor);
  thread = start_pushing (&call);
  for (guint i = 0; i < times (20); i++)
    add_change_and_remove_stream (&call, 2 + i);
  test_wait_until (has_rembs, &call);
  stop_pushing (&call, thread);
  call_clear (&call);
}

static gboolean
is_at_100_kbps (gpointer encoder)
{
  return test_get_uint (encoder, "target-bitrate") == 100000;
}

/* While reports set the rate of what was there before. */
static void
test_encoders_are_swapped_in_a_call (gconstpointer pacing_factor)
{
  GstElement *last = NULL;
  GThread *thread;
  Call call;

  test_tolerate_race_of_rtpsession ();
  call_init (&call, pacing_factor);
  thread = start_pushing (&call);
  for (guint i = 0; i < times (50); i++) {
    GstElement *encoder = test_make ("vp8enc");

    g_object_set (call.sender, "encoder", encoder, NULL);
    g_object_set (call.sender, "max-bitrate", 2000000 - 1000 * (i % 100), NULL);
    gst_clear_object (&last);
    last = encoder;
  }
  test_wait_until (has_rembs, &call);
  stop_pushing (&call, thread);
  /* with the first packet it is found */
  push_some (&call);
  g_object_set (call.sender, "max-bitrate", 100000, NULL);
  /* another thread may be the one that sets it */
  test_wait_until (is_at_100_kbps, last);
  call_clear (&call);
  g_assert_cmpint (G_OBJECT (last)->ref_count, ==, 1);
  gst_object_unref (last);
}

/* --- many --- */

#define N_STREAMS 1000u

static GstBuffer *
make_packet_of (guint32 ssrc, guint16 seqnum)
{
  GstBuffer *buffer = test_rtp_packet (seqnum, seqnum * 3000u, 100);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_DTS (buffer) = seqnum * 33 * GST_MSECOND;

  return buffer;
}

static GstBuffer *
make_reports_about (guint32 ssrc, guint n, guint16 seqnum)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet));
  gst_rtcp_packet_rr_set_ssrc (&packet, 0xaabbccdd);
  for (guint i = 0; i < n; i++)
    g_assert_true (
        gst_rtcp_packet_add_rb (&packet, ssrc + i, 0, 0, seqnum, 0, 0, 0));
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

/* Guards against tables that overflow, and work for each packet that grows with
 * the streams: this is a conference behind one mixer, or an attack. */
static void
test_a_session_has_a_thousand_streams (void)
{
  GstElement *pipeline = gst_parse_launch (
      "rtpsession name=session rtp-profile=avpf "
      "gccsender name=sender ! session.send_rtp_sink "
      "session.send_rtp_src ! fakesink async=false "
      "session.send_rtcp_src ! fakesink async=false sync=false "
      "gccreceiver name=receiver ! session.recv_rtp_sink "
      "session.recv_rtp_src ! fakesink async=false",
      NULL);
  GstElement *session = gst_bin_get_by_name (GST_BIN (pipeline), "session");
  GstElement *sender = gst_bin_get_by_name (GST_BIN (pipeline), "sender");
  GstElement *receiver = gst_bin_get_by_name (GST_BIN (pipeline), "receiver");
  GstPad *media = make_source (sender, "sink");
  GstPad *network = make_source (receiver, "sink");
  GstPad *rtcp = make_source (session, "recv_rtcp_sink");
  const guint rounds = times (3);

  test_tolerate_race_of_rtpsession ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  test_begin_stream (media, TEST_RTP_CAPS);
  test_begin_stream (network, TEST_RTP_CAPS);
  test_begin_stream (rtcp, "application/x-rtcp");
  for (guint16 i = 0; i < rounds; i++) {
    for (guint32 j = 0; j < N_STREAMS; j++) {
      g_assert_cmpint (
          gst_pad_push (media, make_packet_of (1 + j, i)), ==, GST_FLOW_OK);
      g_assert_cmpint (gst_pad_push (network, make_packet_of (100000 + j, i)),
          ==, GST_FLOW_OK);
    }
    for (guint32 j = 0; j < N_STREAMS; j += 25)
      gst_pad_push (rtcp, make_reports_about (1 + j, 25, i));
  }
  g_assert_cmpuint (
      test_stats_uint64 (receiver, "packets"), ==, rounds * N_STREAMS);
  /* those of the streams that are followed */
  g_assert_cmpuint (test_stats_uint64 (sender, "reports"), >, 0);
  g_assert_cmpuint (
      test_stats_uint64 (sender, "reports"), <, rounds * N_STREAMS);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (rtcp);
  gst_object_unref (network);
  gst_object_unref (media);
  gst_object_unref (receiver);
  gst_object_unref (sender);
  gst_object_unref (session);
  gst_object_unref (pipeline);
}

/* Two rtpbins, whose RTP and RTCP go from one to the other. */
#define WHOLE_CALL \
  "rtpbin name=a rtp-profile=avpf rtpbin name=b rtp-profile=avpf " \
  "videotestsrc is-live=true ! " \
  "  video/x-raw,width=64,height=48,framerate=30/1 ! " \
  "  vp8enc deadline=1 ! rtpvp8pay ! " \
  "  gccsender name=sender pacing-factor=2.5 ! a.send_rtp_sink_0 " \
  "a.send_rtp_src_0 ! queue ! gccreceiver name=receiver ! b.recv_rtp_sink_0 " \
  "b. ! rtpvp8depay ! fakesink async=false " \
  "a.send_rtcp_src_0 ! queue ! b.recv_rtcp_sink_0 "

#define N_CALLS 10

typedef struct {
  GstElement *calls[N_CALLS];
  guint64 n_rembs;
} Calls;

static GstElement *
start_whole_call (void)
{
  GstElement *pipeline = gst_parse_launch (WHOLE_CALL
      "b.send_rtcp_src_0 ! "
      "fakesink name=back async=false sync=false",
      NULL);
  GstElement *a, *back;
  GstPad *pad, *to;

  g_assert_nonnull (pipeline);
  a = gst_bin_get_by_name (GST_BIN (pipeline), "a");
  back = gst_bin_get_by_name (GST_BIN (pipeline), "back");
  to = make_source (a, "recv_rtcp_sink_0");
  pad = gst_element_get_static_pad (back, "sink");
  gst_element_set_state (a, GST_STATE_PAUSED);
  test_begin_stream (to, "application/x-rtcp");
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, test_send_back, to, gst_object_unref);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  gst_object_unref (pad);
  gst_object_unref (back);
  gst_object_unref (a);

  return pipeline;
}

static gboolean
all_have_rembs (gpointer user_data)
{
  Calls *self = user_data;
  gboolean all = TRUE;

  for (guint i = 0; i < N_CALLS; i++) {
    GstElement *sender = gst_bin_get_by_name (
        GST_BIN (self->calls[i]), "sender");

    all &= test_stats_uint64 (sender, "rembs") >= self->n_rembs &&
        test_stats_uint64 (sender, "reports") > 0;
    gst_object_unref (sender);
  }

  return all;
}

/* Guards against anything that is of the process and not of the call. */
static void
test_ten_calls_at_once_do_not_disturb_each_other (void)
{
  Calls calls = { 0 };

  test_tolerate_race_of_rtpsession ();
  for (guint i = 0; i < N_CALLS; i++)
    calls.calls[i] = start_whole_call ();
  for (guint i = 0; i < times (1); i++) {
    calls.n_rembs++;
    test_wait_until (all_have_rembs, &calls);
  }
  for (guint i = 0; i < N_CALLS; i++) {
    GstBus *bus = gst_element_get_bus (calls.calls[i]);

    g_assert_cmpuint (test_count_warnings (bus), ==, 0);
    gst_object_unref (bus);
    test_stop (calls.calls[i]);
  }
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/stress/" #name, test_##name)
#define ADD_FOR(name) \
  g_test_add_data_func ("/stress/" #name "/unpaced", "0", test_##name); \
  g_test_add_data_func ("/stress/" #name "/paced", "2.5", test_##name)
  ADD_FOR (a_call_starts_and_stops_without_end);
  ADD_FOR (a_call_stops_while_rtcp_arrives);
  ADD_FOR (streams_come_change_and_go_in_a_call);
  ADD_FOR (encoders_are_swapped_in_a_call);
  ADD (a_session_has_a_thousand_streams);
  ADD (ten_calls_at_once_do_not_disturb_each_other);

  return g_test_run ();
}
