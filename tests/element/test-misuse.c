/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Ways to hold the elements wrong, and what each says on the bus: once, with
 * the fix. Before 0.2 all of them were silent. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "typed-line.h"

/* --- right use says nothing --- */

static void
test_the_lines_of_the_readme_say_nothing (gconstpointer description)
{
  Line line;

  line_start (&line, description);
  wait_for_packets (&line, 120, FALSE);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

static void
test_a_line_with_rtcp_says_nothing_for_long (gconstpointer description)
{
  Line line;

  line_start_on_test_clock (&line, description);
  pass (&line, 120);
  pass_for (&line, LONG_ENOUGH);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

/* --- where gccreceiver stands --- */

static void
test_a_receiver_downstream_of_the_jitter_buffer_says_so (void)
{
  Line line;

  line_start (&line,
      "rtpbin name=rtp latency=10 " MEDIA (
          VP8_CAPS) "! rtp.recv_rtp_sink_0 rtp. ! " VP8_CAPS
                    " ! gccreceiver name=gcc ! "
                    "fakesink async=false sync=false rtp.send_rtcp_src_0 "
                    "! " SINK);
  send_packets (&line, 10);
  test_wait_until (has_warned, &line);
  assert_says (&line, "downstream of a jitter buffer");
  assert_says (&line, "between the network source and rtpbin's recv_rtp_sink");

  pass (&line, 100);
  g_assert_cmpuint (line.n_warnings, ==, 1);
  g_assert_cmpuint (test_stats_uint64 (line.element, "packets"), ==, 0);
  line_stop (&line);
}

/* Without a jitter buffer packets come as they arrived: the place of
 * `request-aux-receiver`. */
static void
test_a_receiver_downstream_of_the_session_alone_measures (void)
{
  Line line;

  line_start (&line,
      "rtpsession name=rtp " MEDIA (
          VP8_CAPS) "! rtp.recv_rtp_sink rtp.recv_rtp_src ! gccreceiver "
                    "name=gcc ! "
                    "fakesink async=false sync=false rtp.send_rtcp_src "
                    "! " SINK);
  pass (&line, 100);
  g_assert_cmpstr (line.warnings->str, ==, "");
  g_assert_cmpuint (test_stats_uint64 (line.element, "packets"), >=, 99);
  line_stop (&line);
}

/* --- several encoders on a pad --- */

#define ENCODER(name) \
  "videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! " \
  "vp8enc name=" name " deadline=1 ! rtpvp8pay "

#define SENDING \
  "gccsender name=gcc ! rtp.send_rtp_sink_0 rtp.send_rtp_src_0 ! " \
  "fakesink async=false sync=false rtp.send_rtcp_src_0 ! " SINK \
  "appsrc ! rtp.recv_rtcp_sink_0 "

/* Both are set; tests/element/test-bundle.c has the rest. */
static void
test_two_encoders_on_a_pad_are_no_mistake (gconstpointer funnel)
{
  g_autofree gchar *description = g_strdup_printf (
      "rtpbin name=rtp " ENCODER ("first") "! funnel. " ENCODER (
          "second") "! funnel. %s name=funnel ! " SENDING,
      (const gchar *) funnel);
  Line line;

  line_start (&line, description);
  wait_for_packets (&line, 20, FALSE);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

/* Guards against: silence about it where a known encoder is beside it. */
static void
test_an_encoder_of_a_bundle_that_cannot_be_set_is_told_of (void)
{
  Line line;

  line_start (&line,
      "rtpbin name=rtp " ENCODER (
          "first") "! funnel. "
                   "videotestsrc is-live=true ! video/x-raw,width=64,height=64 "
                   "! "
                   "jpegenc ! rtpjpegpay pt=97 ! funnel. rtpfunnel name=funnel "
                   "! " SENDING);
  test_wait_until (has_warned, &line);
  assert_says (&line, "(jpegenc) has no bitrate that can be set");
  line_stop (&line);
}

/* What was encoded before it was decoded is none of this pad's. */
static void
test_an_encoder_upstream_of_the_encoder_does_not_count (void)
{
  Line line;

  line_start (&line,
      "rtpbin name=rtp videotestsrc is-live=true ! "
      "video/x-raw,width=64,height=64 ! "
      "jpegenc ! jpegdec ! vp8enc deadline=1 ! rtpvp8pay ! " SENDING);
  wait_for_packets (&line, 20, FALSE);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

/* --- where gccsender stands --- */

#define SENT \
  "! fakesink async=false sync=false rtp.send_rtcp_src_0 ! " SINK \
  "appsrc ! rtp.recv_rtcp_sink_0 "

static void
rescan (Line *self)
{
  gst_pad_send_event (
      self->element->srcpads->data, gst_event_new_reconfigure ());
  wait_for_packets (self, 10, FALSE);
}

static void
check_downstream_of_the_session (const gchar *settings, const gchar *words)
{
  g_autofree gchar *description = g_strdup_printf (
      "rtpbin name=rtp " ENCODER (
          "encoder") "! rtp.send_rtp_sink_0 "
                     "rtp.send_rtp_src_0 ! gccsender name=gcc %s " SENT,
      settings);
  Line line;

  line_start (&line, description);
  test_wait_until (has_warned, &line);
  assert_says (&line, "downstream of the RTP session");
  assert_says (&line, words);
  assert_says (&line, "upstream of rtpbin's send_rtp_sink");
  rescan (&line);
  g_assert_cmpuint (line.n_warnings, ==, 1);
  g_assert_true (test_stats_say (line.element, "feedback-reason",
      "gccsender is downstream of the RTP session"));
  line_stop (&line);
}

static void
test_a_sender_downstream_of_the_session_says_so (void)
{
  check_downstream_of_the_session ("", "follows REMB and receiver reports.");
  check_downstream_of_the_session (
      "feedback=transport-cc", "in spite of feedback=transport-cc");
}

static void
check_two_in_a_row (const gchar *first, const gchar *second, guint n_warnings)
{
  g_autofree gchar *description = g_strdup_printf (
      "rtpbin name=rtp " ENCODER (
          "encoder") "! "
                     "gccsender name=%s feedback=transport-cc ! "
                     "gccsender name=%s feedback=transport-cc ! "
                     "rtp.send_rtp_sink_0 "
                     "rtp.send_rtp_src_0 " SENT,
      first, second);
  Line line;

  line_start (&line, description);
  wait_for_packets (&line, 20, FALSE);
  rescan (&line);
  g_assert_cmpuint (line.n_warnings, ==, n_warnings);
  if (n_warnings > 0)
    assert_says (&line, "Two gccsenders are in a row");
  line_stop (&line);
}

static void
test_the_first_of_two_senders_in_a_row_says_so (void)
{
  check_two_in_a_row ("gcc", "other", 1);
  check_two_in_a_row ("other", "gcc", 0);
}

/* Guards: numbers that the other one wrote anew were missed. */
static void
test_the_first_of_two_senders_numbers_nothing (void)
{
  Line line;

  line_start (&line,
      "rtpbin name=rtp " ENCODER (
          "encoder") "! gccsender name=gcc feedback=transport-cc ! "
                     "gccsender feedback=transport-cc ! rtp.send_rtp_sink_0 "
                     "rtp.send_rtp_src_0 " SENT);
  wait_for_packets (&line, 20, FALSE);
  g_assert_true (test_stats_say (
      line.element, "feedback-reason", "another gccsender is downstream"));
  line_stop (&line);
}

/* Guards: silence was told, too: the other one may change the sequence numbers, so
 * that reports are about packets that this one has not sent. */
static void
test_the_first_of_two_senders_blames_nobody_else (void)
{
  Line line;

  line_start_on_test_clock (&line,
      "rtpbin name=rtp " MEDIA (
          OPUS_CAPS) "! gccsender name=gcc ! gccsender ! "
                     "rtp.send_rtp_sink_0 rtp.send_rtp_src_0 " SENT);
  for (guint i = 0; i < 40; i++)
    pass_for (&line, GST_SECOND / 2);
  g_assert_cmpuint (line.n_warnings, ==, 1);
  assert_says (&line, "Two gccsenders are in a row");
  line_stop (&line);
}

/* What is not linked yet may lead to a session. The pad is there before the stream,
 * whose events it would miss otherwise. */
static void
test_a_sender_of_a_relay_that_is_not_linked_yet_is_right (void)
{
  GstElement *tee;
  GstPad *pad;
  Line line;

  line_make (&line,
      "rtpsession name=rtp " MEDIA (
          VP8_CAPS) "! rtp.recv_rtp_sink rtp.recv_rtp_src ! gccsender "
                    "name=gcc ! tee name=t allow-not-linked=true "
                    "rtp.send_rtcp_src ! " SINK);
  tee = gst_bin_get_by_name (GST_BIN (line.pipeline), "t");
  pad = gst_element_request_pad_simple (tee, "src_0");
  line_play (&line);
  pass (&line, 20);
  if (strstr (line.warnings->str, "downstream of the RTP session") != NULL)
    g_error ("%s", line.warnings->str);
  gst_object_unref (pad);
  gst_object_unref (tee);
  line_stop (&line);
}

/* --- a stream that starts later --- */

/* Of two streams that one has no caps yet: whether it is audio, which needs no
 * encoder, is not known. It was said to lack one. */
static void
test_a_stream_without_caps_lacks_no_encoder (void)
{
  Line line;

  line_start (&line,
      "rtpbin name=rtp " MEDIA (OPUS_CAPS) "! " SENDING
                                           "appsrc name=later is-live=true "
                                           "format=time ! gcc.sink_1 "
                                           "gcc.src_1 ! fakesink async=false");
  pass (&line, 20);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

static void
test_a_stream_that_starts_later_lacks_its_encoder (void)
{
  GstElement *later;
  GstCaps *caps;
  Line line;

  line_start (&line,
      "rtpbin name=rtp " MEDIA (OPUS_CAPS) "! " SENDING
                                           "appsrc name=later is-live=true "
                                           "format=time ! gcc.sink_1 "
                                           "gcc.src_1 ! fakesink async=false");
  pass (&line, 20);
  later = gst_bin_get_by_name (GST_BIN (line.pipeline), "later");
  caps = gst_caps_from_string (VP8_CAPS);
  g_object_set (later, "caps", caps, NULL);
  send_packet_from (later);
  test_wait_until (has_warned, &line);
  assert_says (&line, "No encoder found upstream");
  gst_caps_unref (caps);
  gst_object_unref (later);
  line_stop (&line);
}

/* --- caps --- */

#define RECEIVING(caps) \
  "rtpbin name=rtp " MEDIA (caps) "! gccreceiver name=gcc ! " \
                                  "rtp.recv_rtp_sink_0 " \
                                  "rtp.send_rtcp_src_0 ! " SINK

static void
test_a_payload_type_that_never_comes_is_named (void)
{
  Line line;

  line_start (&line,
      RECEIVING ("application/x-rtp,media=video,clock-rate=90000,payload=101"));
  pass (&line, 40);
  g_assert_cmpuint (line.n_warnings, ==, 0);
  pass (&line, 100);
  g_assert_cmpuint (line.n_warnings, ==, 1);
  assert_says (&line, "101");
  assert_says (&line, "96");
  assert_says (&line, "payload=96");
  line_stop (&line);
}

static gint n_said;

static void
count_assumed (GstDebugCategory *category, GstDebugLevel level,
    const gchar *file, const gchar *function, gint number, GObject *object,
    GstDebugMessage *message, gpointer user_data)
{
  (void) category;
  (void) file;
  (void) function;
  (void) number;
  (void) object;
  (void) user_data;
  if (level == GST_LEVEL_INFO &&
      strstr (gst_debug_message_get (message), "90000 where") != NULL)
    g_atomic_int_inc (&n_said);
}

static void
test_a_clock_rate_that_is_assumed_is_logged (void)
{
  Line line;

  gst_debug_set_active (TRUE);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (count_assumed, NULL, NULL);
  gst_debug_set_threshold_for_name ("gccreceiver", GST_LEVEL_INFO);
  line_start (&line,
      MEDIA (
          "application/x-rtp,media=video,payload=96") "! "
                                                      "gccreceiver name=gcc ! "
                                                      "fakesink async=false");
  pass (&line, 100);
  g_assert_cmpint (n_said, ==, 1);
  line_stop (&line);
  gst_debug_remove_log_function (count_assumed);
  gst_debug_set_active (FALSE);
}

/* --- no way back --- */

static void
test_a_receiver_whose_reports_go_nowhere_says_so (gconstpointer description)
{
  Line line;

  line_start_on_test_clock (&line, description);
  pass (&line, 200);
  pass_for (&line, LONG_ENOUGH);
  pass_for (&line, LONG_ENOUGH);
  line_stop_warned (
      &line, "No RTCP leaves the RTP session", "send_rtcp_src_%u");
}

#define SENDER_WITHOUT_RTCP \
  "rtpbin name=rtp " MEDIA ( \
      "application/x-rtp,media=audio,clock-rate=48000,payload=96," \
      "encoding-name=OPUS") "! gccsender name=gcc ! rtp.send_rtp_sink_0 " \
                            "rtp.send_rtp_src_0 ! " SINK \
                            "rtp.send_rtcp_src_0 ! " SINK

static void
test_a_sender_whose_session_gets_no_rtcp_says_so (void)
{
  Line line;

  line_start_on_test_clock (&line, SENDER_WITHOUT_RTCP);
  pass (&line, 200);
  pass_for (&line, LONG_ENOUGH);
  pass_for (&line, LONG_ENOUGH);
  line_stop_warned (
      &line, "No RTCP reaches the RTP session", "recv_rtcp_sink_%u");
}

static void
link_rtcp (Line *self)
{
  GstElement *rtp = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtp");
  GstElement *source = gst_element_factory_make ("appsrc", NULL);
  GstPad *pad = gst_element_request_pad_simple (rtp, "recv_rtcp_sink_0");
  GstPad *srcpad = gst_element_get_static_pad (source, "src");

  gst_bin_add (GST_BIN (self->pipeline), source);
  g_assert_cmpint (gst_pad_link (srcpad, pad), ==, GST_PAD_LINK_OK);
  g_assert_true (gst_element_sync_state_with_parent (source));
  gst_object_unref (srcpad);
  gst_object_unref (pad);
  gst_object_unref (rtp);
}

/* Guards: a warning that was wrong, with the 50th packet, of which there may be
 * as many in a frame. */
static void
test_a_sender_whose_rtcp_is_linked_later_says_nothing (void)
{
  Line line;

  line_start_on_test_clock (&line, SENDER_WITHOUT_RTCP);
  pass (&line, 200);
  pass_for (&line, LONG_ENOUGH - GST_MSECOND);
  link_rtcp (&line);
  pass_for (&line, LONG_ENOUGH);
  pass_for (&line, LONG_ENOUGH);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

/* --- one end alone --- */

/* Media leaves rtpbin, too: what is not linked ends the stream when the jitter
 * buffer first passes a packet on. */
#define RECEIVER(settings) \
  "rtpbin name=rtp " MEDIA (VP8_CAPS) "! gccreceiver name=gcc " settings \
                                      " ! rtp.recv_rtp_sink_0 " \
                                      "rtp.send_rtcp_src_0 ! " SINK \
                                      "appsrc name=rtcp is-live=true " \
                                      "format=time caps=application/x-rtcp " \
                                      "! rtp.recv_rtcp_sink_0 " \
                                      "rtp. ! " SINK

static GstBuffer *
make_sender_report (void)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  GstRTCPPacket packet;

  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp));
  g_assert_true (gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet));
  gst_rtcp_packet_sr_set_sender_info (
      &packet, TEST_SSRC, (guint64) 1 << 32, 0, 1, 1000);
  gst_rtcp_buffer_unmap (&rtcp);

  return buffer;
}

static gboolean
has_left_queue (gpointer source)
{
  guint64 level;

  g_object_get (source, "current-level-bytes", &level, NULL);

  return level == 0;
}

static void
report_to_receiver (Line *self)
{
  GstElement *source = gst_bin_get_by_name (GST_BIN (self->pipeline), "rtcp");
  GstBuffer *buffer = make_sender_report ();
  GstFlowReturn flow;

  g_signal_emit_by_name (source, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
  g_assert_cmpint (flow, ==, GST_FLOW_OK);
  test_wait_until (has_left_queue, source);
  gst_object_unref (source);
}

/* Thirty packets a second, as their timestamps say. */
static void
receive_for (Line *self, guint seconds)
{
  for (guint i = 0; i < 10 * seconds; i++) {
    gst_test_clock_advance_time (
        GST_TEST_CLOCK (self->clock), 100 * GST_MSECOND);
    pass (self, 3);
  }
}

/* The same, from an RTP session with no gccsender. */
static void
receive_with_reports_for (Line *self, guint seconds)
{
  for (guint i = 0; i < seconds; i += 5) {
    report_to_receiver (self);
    receive_for (self, 5);
  }
}

static void
test_a_receiver_alone_misses_the_numbers (void)
{
  Line line;

  line_start_on_test_clock (&line, RECEIVER ("feedback=transport-cc"));
  receive_for (&line, 4);
  g_assert_cmpstr (line.warnings->str, ==, "");
  receive_with_reports_for (&line, 30);
  line_stop_warned (&line, "No packet has a transport-wide number",
      "gccsender with feedback=transport-cc");
}

static void
test_a_receiver_alone_misses_the_answers_to_its_reports (void)
{
  Line line;

  line_start_on_test_clock (&line, RECEIVER (""));
  receive_with_reports_for (&line, 10);
  g_assert_cmpstr (line.warnings->str, ==, "");
  receive_with_reports_for (&line, 30);
  line_stop_warned (&line, "nothing shows that the sender follows it",
      "Put gccsender between its payloader");
}

/* --- limits --- */

static void
test_crossed_limits_while_playing_are_told_once (void)
{
  GstElement *sender = test_make ("gccsender");
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (sender, bus);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  test_count_warnings (bus);

  /* both at once: in order when all is set */
  g_object_set (sender, "min-bitrate", 3000000, "max-bitrate", 4000000, NULL);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  g_object_set (sender, "max-bitrate", 2500000, NULL);
  g_assert_cmpuint (test_get_uint (sender, "target-bitrate"), ==, 2500000);
  g_object_set (sender, "max-bitrate", 2400000, NULL);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  g_object_set (sender, "min-bitrate", 50000, NULL);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  g_object_set (sender, "min-bitrate", 5000000, NULL);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_bus (sender, NULL);
  gst_object_unref (bus);
  gst_object_unref (sender);
}

/* --- units --- */

static void
test_times_are_in_milliseconds (void)
{
  static const gchar *const names[][2] = {
    { "gccsender", "max-pacing-delay" },
    { "gccreceiver", "report-interval" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = test_make (names[i][0]);
    GParamSpec *pspec = g_object_class_find_property (
        G_OBJECT_GET_CLASS (element), names[i][1]);

    g_assert_true (G_IS_PARAM_SPEC_UINT (pspec));
    g_assert_nonnull (strstr (g_param_spec_get_blurb (pspec), "in ms"));
    gst_object_unref (element);
  }
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/misuse/" #name, test_##name)
#define ADD_WITH(name, what, data) \
  g_test_add_data_func ("/misuse/" #name "/" what, data, test_##name)
  ADD_WITH (
      a_line_with_rtcp_says_nothing_for_long, "receiver", RECEIVING (VP8_CAPS));
  ADD_WITH (a_line_with_rtcp_says_nothing_for_long, "audio-sender",
      "rtpbin name=rtp " MEDIA (
          "application/x-rtp,media=audio,clock-rate=48000,payload=96,"
          "encoding-name=OPUS") "! " SENDING);
  ADD_WITH (the_lines_of_the_readme_say_nothing, "two-pads",
      "rtpbin name=rtp " ENCODER ("a") "! " SENDING ENCODER (
          "b") "! gcc.sink_1 gcc.src_1 ! fakesink async=false");
  ADD (a_receiver_downstream_of_the_jitter_buffer_says_so);
  ADD (a_receiver_downstream_of_the_session_alone_measures);
  ADD_WITH (two_encoders_on_a_pad_are_no_mistake, "rtpfunnel", "rtpfunnel");
  ADD_WITH (two_encoders_on_a_pad_are_no_mistake, "funnel", "funnel");
  ADD (an_encoder_of_a_bundle_that_cannot_be_set_is_told_of);
  ADD (an_encoder_upstream_of_the_encoder_does_not_count);
  ADD (a_stream_without_caps_lacks_no_encoder);
  ADD (a_stream_that_starts_later_lacks_its_encoder);
  ADD (a_sender_downstream_of_the_session_says_so);
  ADD (the_first_of_two_senders_in_a_row_says_so);
  ADD (the_first_of_two_senders_numbers_nothing);
  ADD (the_first_of_two_senders_blames_nobody_else);
  ADD (a_sender_of_a_relay_that_is_not_linked_yet_is_right);
  ADD (a_payload_type_that_never_comes_is_named);
  ADD (a_clock_rate_that_is_assumed_is_logged);
  ADD_WITH (a_receiver_whose_reports_go_nowhere_says_so, "no-pad",
      "rtpbin name=rtp " MEDIA (
          VP8_CAPS) "! gccreceiver name=gcc ! rtp.recv_rtp_sink_0 "
                    "rtp. ! " VP8_CAPS " ! " SINK);
  ADD (a_sender_whose_session_gets_no_rtcp_says_so);
  ADD (a_sender_whose_rtcp_is_linked_later_says_nothing);
  ADD (a_receiver_alone_misses_the_numbers);
  ADD (a_receiver_alone_misses_the_answers_to_its_reports);
  ADD (crossed_limits_while_playing_are_told_once);
  ADD (times_are_in_milliseconds);

  return g_test_run ();
}
