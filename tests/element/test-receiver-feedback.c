/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Transport-wide feedback, as gccreceiver has GStreamer's rtpsession send
 * it. */

#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/report/gcc-remb-release.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define CAPS \
  "application/x-rtp,media=(string)video,encoding-name=(string)VP8," \
  "clock-rate=(int)90000,payload=(int)96"
#define URI GCC_TRANSPORT_FEEDBACK_URI
#define EXTMAP(id) ",extmap-" #id "=(string)" URI

#define INTERVAL "twcc-feedback-interval"
#define BANDWIDTH "rtcp-fraction"

/* --- the caps that leave --- */

typedef struct {
  GstHarness *harness;
  GstBus *bus;
} CapsTest;

static void
caps_test_start (CapsTest *self, const gchar *mode)
{
  self->harness = gst_harness_new ("gccreceiver");
  self->bus = gst_bus_new ();
  gst_element_set_state (self->harness->element, GST_STATE_NULL);
  gst_element_set_bus (self->harness->element, self->bus);
  gst_util_set_object_arg (G_OBJECT (self->harness->element), "feedback", mode);
  gst_element_set_state (self->harness->element, GST_STATE_PLAYING);
}

static void
caps_test_stop (CapsTest *self)
{
  gst_element_set_bus (self->harness->element, NULL);
  gst_object_unref (self->bus);
  gst_harness_teardown (self->harness);
}

/* What leaves of @in is @out. */
static void
check_caps (CapsTest *self, const gchar *in, const gchar *out)
{
  GstCaps *expected = gst_caps_from_string (out);
  GstCaps *caps;

  gst_harness_set_src_caps_str (self->harness, in);
  caps = gst_pad_get_current_caps (self->harness->sinkpad);
  g_test_message ("%s", in);
  g_assert_true (gst_caps_is_equal (caps, expected));
  gst_caps_unref (caps);
  gst_caps_unref (expected);
}

static void
test_the_extension_is_put_into_caps_without_it (void)
{
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, CAPS, CAPS EXTMAP (12));
  check_caps (&test, CAPS EXTMAP (3), CAPS EXTMAP (3));
  check_caps (&test, CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">",
      CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">");
  /* others, in mid-call */
  check_caps (&test, CAPS ",extmap-1=(string)urn:other",
      CAPS ",extmap-1=(string)urn:other" EXTMAP (12));
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 0);
  caps_test_stop (&test);
}

static void
test_an_identifier_that_is_taken_is_told_once (void)
{
  static const gchar taken[] = CAPS ",extmap-12=(string)urn:other";
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, taken, taken);
  check_caps (&test, CAPS, CAPS EXTMAP (12));
  check_caps (&test, taken, taken);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 1);
  caps_test_stop (&test);
}

/* rtpsession would not read it there, and nobody would know why. In webrtcbin
 * it is SDP that has to. */
static void
test_caps_without_payload_type_are_told_unless_they_tell_nothing (void)
{
  static const gchar no_payload[] =
      "application/x-rtp,media=(string)video,clock-rate=(int)90000";
  static const gchar nothing[] = "application/x-rtp";
  CapsTest test;

  caps_test_start (&test, "transport-cc");
  check_caps (&test, nothing, nothing);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 0);
  check_caps (&test, no_payload, no_payload);
  g_assert_cmpuint (test_count_warnings (test.bus), ==, 1);
  caps_test_stop (&test);
}

static void
check_that_the_extension_is_taken_out (const gchar *mode)
{
  CapsTest test;

  caps_test_start (&test, mode);
  check_caps (&test, CAPS, CAPS);
  check_caps (&test, CAPS EXTMAP (3), CAPS);
  check_caps (&test, CAPS EXTMAP (3) ",extmap-4=(string)urn:other" EXTMAP (5),
      CAPS ",extmap-4=(string)urn:other");
  check_caps (
      &test, CAPS ",extmap-3=(string)<sendonly,\"" URI "\",\"\">", CAPS);
  caps_test_stop (&test);
}

static void
test_the_extension_is_taken_out_for_remb (void)
{
  check_that_the_extension_is_taken_out ("remb");
}

static void
test_the_extension_is_taken_out_for_ccfb (void)
{
  check_that_the_extension_is_taken_out ("ccfb");
}

static void
test_caps_stay_as_they_are_by_default (void)
{
  CapsTest test;

  caps_test_start (&test, "auto");
  check_caps (&test, CAPS, CAPS);
  check_caps (&test, CAPS EXTMAP (3), CAPS EXTMAP (3));
  caps_test_stop (&test);
}

/* Queries are for what comes in: a source must not have to know. */
static void
test_queries_are_for_the_caps_that_come (void)
{
  static const gchar *const modes[] = { "auto", "remb", "transport-cc" };
  GstCaps *without = gst_caps_from_string (CAPS);
  GstCaps *with = gst_caps_from_string (CAPS EXTMAP (12));

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    CapsTest test;
    GstPad *sinkpad;
    GstCaps *caps;

    caps_test_start (&test, modes[i]);
    sinkpad = gst_element_get_static_pad (test.harness->element, "sink");
    gst_harness_set_sink_caps_str (test.harness, "application/x-rtp");
    g_assert_true (gst_pad_query_accept_caps (sinkpad, without));
    g_assert_true (gst_pad_query_accept_caps (sinkpad, with));
    caps = gst_pad_query_caps (sinkpad, NULL);
    g_assert_true (gst_caps_is_always_compatible (without, caps));
    g_assert_true (gst_caps_is_always_compatible (with, caps));
    gst_caps_unref (caps);
    gst_object_unref (sinkpad);
    caps_test_stop (&test);
  }
  gst_caps_unref (with);
  gst_caps_unref (without);
}

/* --- a call --- */

/* Packets with transport-wide numbers go in; what the session sends about them
 * is read. A packet is pushed whenever a condition is looked at. */
typedef struct {
  GstElement *pipeline;
  GstElement *gcc;
  GstElement *media;
  GObject *session;
  guint8 id; /* of the extension in packets; 0: none */
  gboolean has_markers;
  guint payload_size; /* bytes */
  guint16 seqnum;
  gint number; /* atomic: of the next packet */
  guint goal;

  /* atomic: counted in a thread of the session */
  gint n_feedbacks;
  gint n_covered;
  gint n_rembs;
  gint n_releases;
  gint n_wrong;
  gint n_regular;
} Call;

static void
read_feedback (Call *self, GstRTCPPacket *packet)
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
read_remb (Call *self, GstRTCPPacket *packet)
{
  guint64 rate;

  g_assert_true (gcc_remb_parse_fci (gst_rtcp_packet_fb_get_fci (packet),
      4 * (gsize) gst_rtcp_packet_fb_get_fci_length (packet), &rate, NULL,
      NULL));
  g_atomic_int_inc (&self->n_rembs);
  if (rate > GCC_REMB_NO_BOUND / 2)
    g_atomic_int_inc (&self->n_releases);
}

static void
read_rtcp (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer user_data)
{
  Call *self = user_data;
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

/* @settings: of gccreceiver; @session: of rtpbin */
static void
call_start_with (
    Call *self, const gchar *settings, const gchar *session, const gchar *caps)
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

  *self = (Call){ .id = 12, .has_markers = TRUE, .payload_size = 500 };
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

static void
call_play (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
call_start (Call *self, const gchar *settings, const gchar *caps)
{
  call_start_with (self, settings, "rtp-profile=avpf", caps);
  call_play (self);
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_assert_cmpint (self->n_wrong, ==, 0);
  g_object_unref (self->session);
  gst_object_unref (self->media);
  gst_object_unref (self->gcc);
  gst_object_unref (self->pipeline);
}

static GstBuffer *
make_packet (Call *self, gboolean marker)
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

static void
push (Call *self)
{
  GstBuffer *buffer = make_packet (
      self, self->has_markers && self->seqnum % 2 == 1);
  GstFlowReturn flow;

  g_signal_emit_by_name (self->media, "push-buffer", buffer, &flow);
  gst_buffer_unref (buffer);
}

static gboolean
has_come (Call *self, gint *counter)
{
  push (self);

  return (guint) g_atomic_int_get (counter) >= self->goal;
}

static gboolean
feedback_has_come (gpointer self)
{
  return has_come (self, &((Call *) self)->n_feedbacks);
}

static gboolean
remb_has_come (gpointer self)
{
  return has_come (self, &((Call *) self)->n_rembs);
}

static gboolean
release_has_come (gpointer self)
{
  return has_come (self, &((Call *) self)->n_releases);
}

static gboolean
regular_has_come (gpointer self)
{
  return has_come (self, &((Call *) self)->n_regular);
}

/* Pushes media until @n more have come. */
static void
wait_for_more (Call *self, gint *counter, guint n)
{
  self->goal = (guint) g_atomic_int_get (counter) + n;
  test_wait_until (counter == &self->n_feedbacks ? feedback_has_come
          : counter == &self->n_rembs            ? remb_has_come
          : counter == &self->n_releases         ? release_has_come
                                                 : regular_has_come,
      self);
}

static guint64
get_interval (Call *self)
{
  guint64 interval;

  g_object_get (self->session, INTERVAL, &interval, NULL);

  return interval;
}

/* rtpsession's own, as a variable: a constant has more bits on an x87 */
static const gdouble own_bandwidth = 0.05;

static gdouble
get_bandwidth (Call *self)
{
  gdouble bandwidth;

  g_object_get (self->session, BANDWIDTH, &bandwidth, NULL);

  return bandwidth;
}

static gboolean
interval_is_set (gpointer self)
{
  push (self);

  return get_interval (self) == 50 * GST_MSECOND;
}

static gboolean
says_feedback (Call *self, const gchar *mode)
{
  return test_stats_say (self->gcc, "feedback", mode);
}

/* In caps without the extension, one property is enough. */
static void
test_the_session_sends_feedback_about_numbered_packets (void)
{
  Call call;

  call_start (&call, "feedback=transport-cc", CAPS);
  wait_for_more (&call, &call.n_feedbacks, 100);
  g_assert_true (says_feedback (&call, "transport-cc"));
  g_assert_cmpuint (
      test_stats_uint64 (call.gcc, "transport-feedbacks"), >=, 100);
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&call.n_covered), >=, 200);
  call_stop (&call);
}

static gboolean
has_said (Call *self, const gchar *mode)
{
  push (self);

  return says_feedback (self, mode);
}

static gboolean
has_said_feedback (gpointer self)
{
  return has_said (self, "transport-cc");
}

static gboolean
has_said_remb (gpointer self)
{
  return has_said (self, "remb");
}

/* Guards against a REMB of the first second, which libwebrtc keeps to for all of the
 * call; and against a session that reads no numbers, whatever the caps say. */
static void
test_feedback_is_awaited_from_the_first_number (void)
{
  Call call;

  call_start (&call, "manage=none", CAPS EXTMAP (12));
  call.has_markers = FALSE;
  test_wait_until (has_said_feedback, &call);
  g_assert_cmpuint (test_stats_uint64 (call.gcc, "transport-feedbacks"), ==, 0);
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);
  test_wait_until (has_said_remb, &call);
  wait_for_more (&call, &call.n_rembs, 1);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  call_stop (&call);
}

static void
test_packets_without_number_await_none (void)
{
  Call call;

  call_start (&call, "", CAPS EXTMAP (12));
  call.id = 0;
  for (guint i = 0; i < 10; i++)
    g_assert_false (has_said_feedback (&call));
  call_stop (&call);
}

static void
test_remb_mode_keeps_the_session_from_it (void)
{
  Call call;

  call_start (&call, "feedback=remb", CAPS EXTMAP (12));
  wait_for_more (&call, &call.n_rembs, 3);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  g_assert_cmpuint (get_interval (&call), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (get_bandwidth (&call), ==, own_bandwidth);
  call_stop (&call);
}

static void
test_an_identifier_that_is_taken_leaves_remb (void)
{
  Call call;

  call_start (
      &call, "feedback=transport-cc", CAPS ",extmap-12=(string)urn:other");
  wait_for_more (&call, &call.n_rembs, 3);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  call_stop (&call);
}

static void
test_remb_returns_while_packets_have_no_numbers (void)
{
  Call call;

  call_start (&call, "", CAPS EXTMAP (12));
  wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (says_feedback (&call, "transport-cc"));

  call.id = 0;
  wait_for_more (&call, &call.n_rembs, 2);
  g_assert_true (says_feedback (&call, "remb"));

  call.id = 12;
  wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (says_feedback (&call, "transport-cc"));
  call_stop (&call);
}

/* Guards against a browser that keeps to the last REMB, as of audio that came before
 * the video, for all of the call. */
static void
test_the_last_remb_is_no_bound_once_feedback_leaves (void)
{
  Call call;

  call_start (&call, "report-interval=100", CAPS EXTMAP (12));
  call.id = 0;
  wait_for_more (&call, &call.n_rembs, 2);
  g_assert_cmpint (g_atomic_int_get (&call.n_releases), ==, 0);

  call.id = 12;
  wait_for_more (&call, &call.n_releases, 3);
  wait_for_more (&call, &call.n_regular, 2);
  g_assert_cmpint (g_atomic_int_get (&call.n_releases), ==, 3);
  call_stop (&call);
}

static void
change_caps (Call *self, const gchar *description)
{
  GstCaps *caps = gst_caps_from_string (description);

  g_object_set (self->media, "caps", caps, NULL);
  gst_caps_unref (caps);
}

/* rtpsession read caps once for each payload type: an extension that came later
 * it never saw. */
static void
test_the_extension_may_come_in_mid_call (void)
{
  Call call;

  call_start (&call, "", CAPS);
  wait_for_more (&call, &call.n_rembs, 1);
  g_assert_cmpint (g_atomic_int_get (&call.n_feedbacks), ==, 0);
  change_caps (&call, CAPS EXTMAP (12));
  wait_for_more (&call, &call.n_feedbacks, 5);
  change_caps (&call, CAPS ",width=(int)640" EXTMAP (12));
  wait_for_more (&call, &call.n_feedbacks, 5);
  call_stop (&call);
}

/* rtpsession goes on to read the identifier that it knows, unless it is told. */
static void
test_the_identifier_may_change_in_mid_call (void)
{
  static const guint8 ids[] = { 7, 3, 12 };
  Call call;

  call_start (&call, "", CAPS EXTMAP (12));
  wait_for_more (&call, &call.n_feedbacks, 5);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_autofree gchar *caps = g_strdup_printf (
        CAPS ",extmap-%u=(string)" GCC_TRANSPORT_FEEDBACK_URI, ids[i]);

    change_caps (&call, caps);
    call.id = ids[i];
    wait_for_more (&call, &call.n_feedbacks, 5);
    g_assert_true (says_feedback (&call, "transport-cc"));
  }
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);

  /* gone, and back with another identifier */
  change_caps (&call, CAPS);
  call.id = 0;
  wait_for_more (&call, &call.n_rembs, 2);
  change_caps (&call, CAPS EXTMAP (7));
  call.id = 7;
  wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (says_feedback (&call, "transport-cc"));
  call_stop (&call);
}

/* --- when, and how much --- */

/* They left together, seconds after the packets. */
static void
test_packets_without_markers_are_reported_by_an_interval (void)
{
  guint16 before;
  Call call;

  call_start (&call, "feedback=transport-cc", CAPS);
  call.has_markers = FALSE;
  test_wait_until (interval_is_set, &call);
  wait_for_more (&call, &call.n_feedbacks, 5);
  before = call.number;
  wait_for_more (&call, &call.n_feedbacks, 5);
  /* 10 ms apart or more, on a machine that may be busy */
  g_assert_cmpuint ((guint16) (call.number - before), <, 100);

  gst_element_set_state (call.pipeline, GST_STATE_READY);
  g_assert_cmpuint (get_interval (&call), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (get_bandwidth (&call), ==, own_bandwidth);
  call_stop (&call);
}

/* Guards against sessions that send no regular report any more: with media of
 * less than 64 kbit/s, feedback put off each of them. */
static void
test_feedback_does_not_keep_regular_reports_from_leaving (void)
{
  Call call;

  call_start (&call, "feedback=transport-cc", CAPS);
  call.has_markers = FALSE;
  call.payload_size = 40;
  wait_for_more (&call, &call.n_feedbacks, 40);
  wait_for_more (&call, &call.n_regular, 4);
  call_stop (&call);
}

static void
test_what_the_application_has_set_stays (void)
{
  Call call;

  call_start_with (&call, "feedback=transport-cc", "rtp-profile=avpf", CAPS);
  g_object_set (call.session, INTERVAL, (guint64) 20 * GST_MSECOND, BANDWIDTH,
      40000., NULL);
  call_play (&call);
  call.has_markers = FALSE;
  wait_for_more (&call, &call.n_feedbacks, 30);
  g_assert_cmpuint (get_interval (&call), ==, 20 * GST_MSECOND);
  g_assert_cmpfloat (get_bandwidth (&call), ==, 40000.);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (get_interval (&call), ==, 20 * GST_MSECOND);
  g_assert_cmpfloat (get_bandwidth (&call), ==, 40000.);
  call_stop (&call);
}

static void
test_what_the_application_sets_in_mid_call_stays (void)
{
  Call call;

  call_start (&call, "feedback=transport-cc", CAPS);
  call.has_markers = FALSE;
  test_wait_until (interval_is_set, &call);
  g_object_set (call.session, INTERVAL, (guint64) 30 * GST_MSECOND, NULL);
  wait_for_more (&call, &call.n_feedbacks, 50);
  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (get_interval (&call), ==, 30 * GST_MSECOND);
  call_stop (&call);
}

/* Without AVPF, and left alone, rtpsession sends feedback all the same. */
static void
test_a_session_that_is_not_to_be_configured_is_left_alone (void)
{
  Call call;

  call_start_with (
      &call, "feedback=transport-cc manage=none", "rtp-profile=avp", CAPS);
  call_play (&call);
  wait_for_more (&call, &call.n_feedbacks, 5);
  g_assert_true (says_feedback (&call, "transport-cc"));
  g_assert_cmpuint (get_interval (&call), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (get_bandwidth (&call), ==, own_bandwidth);
  call_stop (&call);
}

static gboolean
is_stopped (gpointer thread_is_done)
{
  return g_atomic_int_get ((gint *) thread_is_done);
}

typedef struct {
  GstElement *pipeline;
  gint is_done;
} Preroll;

static gpointer
push_without_clock (gpointer data)
{
  Preroll *self = data;
  GstElement *gcc = gst_bin_get_by_name (GST_BIN (self->pipeline), "gcc");
  GstPad *pad = gst_element_get_static_pad (gcc, "sink");
  GstCaps *caps = gst_caps_from_string (CAPS);
  Call call = { .id = 12, .payload_size = 500 };
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("test"));
  gst_pad_send_event (pad, gst_event_new_caps (caps));
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  for (guint i = 0; i < 100; i++) {
    gst_pad_chain (pad, make_packet (&call, FALSE));
    /* the element goes by its clock: audio that is late */
    g_usleep (2000);
  }
  gst_caps_unref (caps);
  gst_object_unref (pad);
  gst_object_unref (gcc);
  g_atomic_int_set (&self->is_done, TRUE);

  return NULL;
}

/* Guards against a thread that never returns: with an interval, rtpsession
 * counts up to the running time of a packet, which is G_MAXUINT64 without a
 * clock. */
static void
test_packets_before_there_is_a_clock_do_no_harm (void)
{
  Preroll preroll = { 0 };
  GThread *thread;

  preroll.pipeline = gst_parse_launch (
      "rtpsession name=rtp gccreceiver name=gcc feedback=transport-cc ! "
      "rtp.recv_rtp_sink",
      NULL);
  gst_element_set_state (preroll.pipeline, GST_STATE_PAUSED);
  thread = g_thread_new ("preroll", push_without_clock, &preroll);
  test_wait_until (is_stopped, &preroll.is_done);
  g_thread_join (thread);
  gst_element_set_state (preroll.pipeline, GST_STATE_NULL);
  gst_object_unref (preroll.pipeline);
}

/* --- several elements, and elements that go --- */

/* A second source and gccreceiver before the session of @self; which source
 * push() feeds is up to the test. */
static GstElement *
add_second (Call *self, GstElement **source)
{
  GstElement *second = gst_element_factory_make ("gccreceiver", NULL);
  GstElement *funnel = gst_element_factory_make ("funnel", NULL);
  GstPad *srcpad = gst_element_get_static_pad (self->gcc, "src");
  GstPad *session_pad = gst_pad_get_peer (srcpad);
  GstPad *funnel_pad = gst_element_get_static_pad (funnel, "src");
  GstCaps *caps = gst_caps_from_string (CAPS);

  *source = gst_element_factory_make ("appsrc", NULL);
  g_object_set (*source, "is-live", TRUE, "do-timestamp", TRUE, "format",
      GST_FORMAT_TIME, "caps", caps, NULL);
  gst_util_set_object_arg (G_OBJECT (second), "feedback", "transport-cc");
  gst_bin_add_many (GST_BIN (self->pipeline), funnel, second, *source, NULL);
  gst_pad_unlink (srcpad, session_pad);
  g_assert_true (gst_element_link (self->gcc, funnel));
  g_assert_true (gst_element_link_many (*source, second, funnel, NULL));
  g_assert_cmpint (gst_pad_link (funnel_pad, session_pad), ==, GST_PAD_LINK_OK);

  gst_caps_unref (caps);
  gst_object_unref (funnel_pad);
  gst_object_unref (session_pad);
  gst_object_unref (srcpad);

  return second;
}

/* Audio and video, each with an element of its own, bundled into one session:
 * what one resets when it leaves, the other still needs. */
static void
test_two_elements_share_a_session (void)
{
  GstElement *first_source, *second_source, *second;
  Call call;

  test_tolerate_race_of_rtpsession ();
  call_start_with (&call, "feedback=transport-cc", "rtp-profile=avpf", CAPS);
  second = add_second (&call, &second_source);
  call_play (&call);

  /* the second sets it */
  first_source = call.media;
  call.media = second_source;
  call.has_markers = FALSE;
  test_wait_until (interval_is_set, &call);
  wait_for_more (&call, &call.n_feedbacks, 10);

  /* the first needs it, too */
  call.media = first_source;
  wait_for_more (&call, &call.n_feedbacks, 10);
  gst_element_set_locked_state (second, TRUE);
  gst_element_set_locked_state (second_source, TRUE);
  gst_element_set_state (second_source, GST_STATE_NULL);
  gst_element_set_state (second, GST_STATE_NULL);
  test_wait_until (interval_is_set, &call);
  wait_for_more (&call, &call.n_feedbacks, 10);

  gst_element_set_state (call.pipeline, GST_STATE_NULL);
  g_assert_cmpuint (get_interval (&call), ==, GST_CLOCK_TIME_NONE);
  call_stop (&call);
}

typedef struct {
  Call *call;
  gint is_done;
} Media;

static gpointer
push_until_done (gpointer data)
{
  Media *self = data;

  while (!g_atomic_int_get (&self->is_done)) {
    push (self->call);
    g_usleep (1000);
  }

  return NULL;
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer is_blocked)
{
  (void) pad;
  (void) info;
  g_atomic_int_set ((gint *) is_blocked, TRUE);

  return GST_PAD_PROBE_OK;
}

/* Takes the element out of the running call, and leaves a new one there. */
static void
replace_element (Call *self)
{
  GstPad *source = gst_element_get_static_pad (self->media, "src");
  GstPad *srcpad = gst_element_get_static_pad (self->gcc, "src");
  GstPad *session_pad = gst_pad_get_peer (srcpad);
  gint is_blocked = FALSE;
  gulong id = gst_pad_add_probe (
      source, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, block, &is_blocked, NULL);

  test_wait_until (is_stopped, &is_blocked);
  gst_element_unlink (self->media, self->gcc);
  gst_pad_unlink (srcpad, session_pad);
  gst_element_set_state (self->gcc, GST_STATE_NULL);
  g_assert_cmpuint (get_interval (self), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpfloat (get_bandwidth (self), ==, own_bandwidth);
  gst_bin_remove (GST_BIN (self->pipeline), self->gcc);
  gst_object_unref (self->gcc);
  gst_object_unref (srcpad);

  self->gcc = gst_object_ref_sink (
      gst_element_factory_make ("gccreceiver", NULL));
  gst_util_set_object_arg (G_OBJECT (self->gcc), "feedback", "transport-cc");
  gst_bin_add (GST_BIN (self->pipeline), self->gcc);
  srcpad = gst_element_get_static_pad (self->gcc, "src");
  g_assert_cmpint (gst_pad_link (srcpad, session_pad), ==, GST_PAD_LINK_OK);
  g_assert_true (gst_element_link (self->media, self->gcc));
  gst_element_sync_state_with_parent (self->gcc);
  gst_pad_remove_probe (source, id);
  gst_object_unref (srcpad);
  gst_object_unref (session_pad);
  gst_object_unref (source);
}

static gboolean
new_element_is_told (gpointer self)
{
  return says_feedback (self, "transport-cc");
}

static void
test_the_element_may_be_replaced_while_feedback_leaves (void)
{
  GThread *thread;
  Media media;
  Call call;

  call_start (&call, "feedback=transport-cc", CAPS);
  wait_for_more (&call, &call.n_feedbacks, 5);
  media = (Media){ .call = &call };
  thread = g_thread_new ("media", push_until_done, &media);
  for (guint i = 0; i < 20; i++) {
    replace_element (&call);
    test_wait_until (new_element_is_told, &call);
  }
  g_atomic_int_set (&media.is_done, TRUE);
  g_thread_join (thread);
  call_stop (&call);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

#define TEST(name) g_test_add_func ("/receiver-feedback/" #name, test_##name)
  TEST (the_extension_is_put_into_caps_without_it);
  TEST (an_identifier_that_is_taken_is_told_once);
  TEST (caps_without_payload_type_are_told_unless_they_tell_nothing);
  TEST (the_extension_is_taken_out_for_remb);
  TEST (the_extension_is_taken_out_for_ccfb);
  TEST (caps_stay_as_they_are_by_default);
  TEST (queries_are_for_the_caps_that_come);
  TEST (the_session_sends_feedback_about_numbered_packets);
  TEST (feedback_is_awaited_from_the_first_number);
  TEST (packets_without_number_await_none);
  TEST (remb_mode_keeps_the_session_from_it);
  TEST (an_identifier_that_is_taken_leaves_remb);
  TEST (remb_returns_while_packets_have_no_numbers);
  TEST (the_last_remb_is_no_bound_once_feedback_leaves);
  TEST (the_extension_may_come_in_mid_call);
  TEST (the_identifier_may_change_in_mid_call);
  TEST (packets_without_markers_are_reported_by_an_interval);
  TEST (feedback_does_not_keep_regular_reports_from_leaving);
  TEST (what_the_application_has_set_stays);
  TEST (what_the_application_sets_in_mid_call_stays);
  TEST (a_session_that_is_not_to_be_configured_is_left_alone);
  TEST (packets_before_there_is_a_clock_do_no_harm);
  TEST (two_elements_share_a_session);
  TEST (the_element_may_be_replaced_while_feedback_leaves);

  return g_test_run ();
}
