/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/wire/gcc-transport-feedback.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"
#include "udp-ports.h"

/* Both ends of a call in one process, each a pipeline as in a gst-launch line,
 * over the loopback interface. */
typedef struct {
  GstElement *a;
  GstElement *b;
  GstElement *origin;
  GstElement *sender;
  GstElement *receiver;
  gint n_rembs;
  gint n_references;
  gint n_echoes;
  GccRate remb;
  guint32 remb_ssrc;
  guint32 reference;
  guint32 earlier_reference;
  guint32 receiver_ssrc;
} Call;

static void
look_for_remb (Call *self, GstRTCPPacket *packet)
{
  GccRemb remb;

  if (gst_rtcp_packet_get_type (packet) != GST_RTCP_TYPE_PSFB)
    return;

  g_assert_cmpint (gst_rtcp_packet_fb_get_type (packet), ==, 15);
  g_assert_cmpuint (gst_rtcp_packet_fb_get_media_ssrc (packet), ==, 0);
  g_assert_true (gcc_remb_parse_fci (&remb, gst_rtcp_packet_fb_get_fci (packet),
      4 * (gsize) gst_rtcp_packet_fb_get_fci_length (packet)));
  g_assert_cmpuint (remb.n_ssrcs, ==, 1);

  self->remb = remb.rate;
  self->remb_ssrc = remb.ssrcs[0];
  g_atomic_int_inc (&self->n_rembs);
}

/* An extended report (RFC 3611) of one block, whole and well-formed. */
static void
look_for_block (Call *self, GstRTCPPacket *packet)
{
  guint32 ssrc, reference, delay;
  guint64 ntp;

  if (gst_rtcp_packet_get_type (packet) != GST_RTCP_TYPE_XR)
    return;

  g_assert_true (gst_rtcp_packet_xr_first_rb (packet));
  if (gst_rtcp_packet_xr_get_block_type (packet) == GST_RTCP_XR_TYPE_RRT) {
    g_assert_true (gst_rtcp_packet_xr_get_rrt (packet, &ntp));
    self->earlier_reference = self->reference;
    self->reference = (guint32) (ntp >> 16);
    self->receiver_ssrc = gst_rtcp_packet_xr_get_ssrc (packet);
    g_atomic_int_inc (&self->n_references);
  } else {
    g_assert_cmpint (
        gst_rtcp_packet_xr_get_block_type (packet), ==, GST_RTCP_XR_TYPE_DLRR);
    g_assert_true (gst_rtcp_packet_xr_get_dlrr_block (
        packet, 0, &ssrc, &reference, &delay));
    g_assert_cmpuint (ssrc, ==, self->receiver_ssrc);
    /* the last one that left, or, with that still on its way, the one before */
    g_assert_true (
        reference == self->reference || reference == self->earlier_reference);
    g_assert_false (
        gst_rtcp_packet_xr_get_dlrr_block (packet, 1, NULL, NULL, NULL));
    g_atomic_int_inc (&self->n_echoes);
  }
  g_assert_false (gst_rtcp_packet_xr_next_rb (packet));
}

static GstPadProbeReturn
watch_rtcp (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstRTCPPacket packet;

  (void) pad;
  g_assert_true (gst_rtcp_buffer_validate_reduced (buffer));
  g_assert_true (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
       more = gst_rtcp_packet_move_to_next (&packet)) {
    look_for_remb (user_data, &packet);
    look_for_block (user_data, &packet);
  }
  gst_rtcp_buffer_unmap (&rtcp);

  return GST_PAD_PROBE_OK;
}

/* What the sink @name of @pipeline sends comes from where @origin listens. */
static void
send_from (GstElement *pipeline, const gchar *name, GstElement *origin)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GObject *socket;

  g_object_get (origin, "used-socket", &socket, NULL);
  g_object_set (sink, "socket", socket, "close-socket", FALSE, NULL);
  g_object_unref (socket);
  gst_object_unref (sink);
}

/* A sender that is started again has its SSRC and its address still. From
 * another one its packets are a collision of SSRCs (RFC 3550, section 8.2) to
 * rtpsession, which drops them until the source has timed out: that may take a
 * minute. */
static void
keep_address (Call *self)
{
  self->origin = gst_object_ref_sink (test_parse ("udpsrc port=0 reuse=false"));
  g_assert_cmpint (gst_element_set_state (self->origin, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  send_from (self->a, "media", self->origin);
  send_from (self->a, "rtcp", self->origin);
}

static void
watch (Call *self, GstElement *pipeline, const gchar *name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, watch_rtcp, self, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
}

/* Linux gives out a port that is in use, about once in ten thousand times, to
 * sockets that may share theirs, as udpsrc's do by default; then only one of
 * the two hears anything.
 *
 * @to_sender: from the payloader on, up to gccsender's properties;
 * @receiver_caps: fields of the packets that come; @receiver_feedback: property
 * of gccreceiver */
static void
call_start_with (Call *self, const gchar *to_sender, const gchar *receiver_caps,
    const gchar *receiver_feedback)
{
  gchar *a = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "videotestsrc is-live=true ! video/x-raw,width=320,height=240 ! "
      "  vp8enc deadline=1 ! rtpvp8pay ! %s name=sender ! "
      "  rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! udpsink name=media "
      "rtp.send_rtcp_src_0 ! udpsink name=rtcp sync=false async=false "
      "udpsrc name=feedback port=0 reuse=false ! rtp.recv_rtcp_sink_0",
      to_sender);
  gchar *b = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "udpsrc name=media port=0 reuse=false "
      "caps=\"application/x-rtp,media=video,"
      "  encoding-name=VP8,clock-rate=90000,payload=96%s\" ! "
      "  gccreceiver feedback=%s name=receiver ! rtp.recv_rtp_sink_0 "
      "rtp. ! rtpvp8depay ! fakesink async=false "
      "udpsrc name=rtcp port=0 reuse=false ! rtp.recv_rtcp_sink_0 "
      "rtp.send_rtcp_src_0 ! udpsink name=feedback sync=false async=false",
      receiver_caps, receiver_feedback);

  self->n_rembs = 0;
  self->n_references = 0;
  self->n_echoes = 0;
  self->reference = 0;
  self->a = test_parse (a);
  self->b = test_parse (b);
  g_free (a);
  g_free (b);
  self->sender = gst_bin_get_by_name (GST_BIN (self->a), "sender");
  self->receiver = gst_bin_get_by_name (GST_BIN (self->b), "receiver");

  udp_point (self->a, "media", udp_port_of (self->b, "media"));
  udp_point (self->a, "rtcp", udp_port_of (self->b, "rtcp"));
  udp_point (self->b, "feedback", udp_port_of (self->a, "feedback"));
  keep_address (self);

  watch (self, self->b, "feedback");
  watch (self, self->a, "rtcp");

  gst_element_set_state (self->b, GST_STATE_PLAYING);
  gst_element_set_state (self->a, GST_STATE_PLAYING);
}

static void
call_start (Call *self)
{
  call_start_with (self, "gccsender", "", "auto");
}

static void
call_stop (Call *self)
{
  gst_element_set_state (self->a, GST_STATE_NULL);
  gst_element_set_state (self->b, GST_STATE_NULL);
  test_stop (self->origin);
  gst_object_unref (self->receiver);
  gst_object_unref (self->sender);
  gst_object_unref (self->a);
  gst_object_unref (self->b);
}

static gboolean
remb_has_arrived (gpointer user_data)
{
  Call *self = user_data;

  return g_atomic_int_get (&self->n_rembs) > 0 &&
      test_stats_uint64 (self->sender, "rembs") > 0;
}

/* The first REMB may leave before. */
static gboolean
group_is_complete (gpointer user_data)
{
  Call *self = user_data;

  return test_stats_uint64 (self->receiver, "groups") > 0;
}

static gboolean
report_has_arrived (gpointer user_data)
{
  Call *self = user_data;

  return test_stats_uint64 (self->sender, "reports") > 0;
}

/* Not with the first report where that was made before a sender report came. */
static gboolean
rtt_is_known (gpointer user_data)
{
  Call *self = user_data;
  GstStructure *stats;
  gdouble rtt_ms;
  gboolean is_known;

  g_object_get (self->sender, "stats", &stats, NULL);
  is_known = gst_structure_get_double (stats, "rtt-ms", &rtt_ms);
  gst_structure_free (stats);

  return is_known;
}

static guint
n_warnings (GstElement *pipeline)
{
  GstBus *bus = gst_pipeline_get_bus (GST_PIPELINE (pipeline));
  guint n = test_count_warnings (bus);

  gst_object_unref (bus);

  return n;
}

static void
test_a_remb_leaves_in_rtcp_and_reaches_the_sender (void)
{
  GstStructure *stats;
  gdouble rtt_ms;
  guint ssrc;
  Call call;

  call_start (&call);
  test_wait_until (remb_has_arrived, &call);
  test_wait_until (group_is_complete, &call);

  g_object_get (call.receiver, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint (stats, "ssrc", &ssrc));
  gst_structure_free (stats);
  g_assert_cmpuint (call.remb_ssrc, ==, ssrc);
  g_assert_cmpuint (call.remb, >, 0);
  g_assert_cmpuint (test_get_uint (call.receiver, "estimated-bitrate"), >, 0);

  /* reports bring loss and round-trip time */
  test_wait_until (rtt_is_known, &call);
  g_object_get (call.sender, "stats", &stats, NULL);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "reports"), >, 0);
  g_assert_true (gst_structure_get_double (stats, "rtt-ms", &rtt_ms));
  g_assert_cmpfloat (rtt_ms, >=, 0.);
  gst_structure_free (stats);

  g_assert_cmpuint (n_warnings (call.a), ==, 0);
  g_assert_cmpuint (n_warnings (call.b), ==, 0);
  call_stop (&call);
}

static gboolean
round_trip_is_known (gpointer user_data)
{
  Call *self = user_data;

  return g_atomic_int_get (&self->n_references) > 0 &&
      g_atomic_int_get (&self->n_echoes) > 0;
}

static void
test_a_receiver_learns_the_round_trip_time (void)
{
  Call call;

  call_start (&call);
  test_wait_until (round_trip_is_known, &call);
  call_stop (&call);
}

static void
test_a_call_can_be_stopped_and_started_again (void)
{
  Call call;

  call_start (&call);
  test_wait_until (report_has_arrived, &call);

  gst_element_set_state (call.a, GST_STATE_NULL);
  g_assert_cmpuint (n_warnings (call.a), ==, 0);
  gst_element_set_state (call.a, GST_STATE_PLAYING);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "reports"), ==, 0);
  test_wait_until (report_has_arrived, &call);

  call_stop (&call);
}

/* --- transport-wide feedback, which an rtpsession makes --- */

#define TRANSPORT_CC(id) "extmap-" #id "=(string)" GCC_TRANSPORT_FEEDBACK_URI
#define ABS_SEND_TIME "extmap-3=(string)" GCC_ABS_SEND_TIME_URI

static gboolean
transport_feedback_is_followed (gpointer user_data)
{
  Call *self = user_data;
  GstStructure *stats;
  gboolean is_followed;

  g_object_get (self->sender, "stats", &stats, NULL);
  is_followed = g_strcmp0 (gst_structure_get_string (stats, "feedback"),
                    "transport-cc") == 0 &&
      gst_structure_has_field (stats, "r-ack-bps");
  gst_structure_free (stats);

  return is_followed;
}

static void
check_transport_feedback (const gchar *to_sender, const gchar *receiver_caps)
{
  Call call;

  call_start_with (&call, to_sender, receiver_caps, "auto");
  test_wait_until (transport_feedback_is_followed, &call);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "feedbacks"), >, 0);
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "malformed-transport-cc"), ==, 0);
  g_assert_cmpuint (n_warnings (call.a), ==, 0);
  g_assert_cmpuint (n_warnings (call.b), ==, 0);
  call_stop (&call);
}

static void
test_numbers_that_gccsender_inserts_are_understood (void)
{
  check_transport_feedback (
      "gccsender feedback=transport-cc", "," TRANSPORT_CC (12));
}

/* The payloader makes room as soon as the caps downstream have the extension.
 */
static void
test_numbers_in_the_payloaders_extension_are_understood (void)
{
  check_transport_feedback (
      "application/x-rtp," TRANSPORT_CC (5) " ! gccsender",
      "," TRANSPORT_CC (5));
}

static void
test_numbers_stand_beside_abs_send_time (void)
{
  check_transport_feedback ("application/x-rtp," ABS_SEND_TIME " ! "
                            "gccsender feedback=transport-cc pacing-factor=2",
      "," ABS_SEND_TIME "," TRANSPORT_CC (12));
}

/* --- reports of RFC 8888, which gccreceiver writes --- */

static gboolean
reports_are_followed (gpointer user_data)
{
  Call *self = user_data;
  GstStructure *stats;
  gboolean is_followed;

  g_object_get (self->sender, "stats", &stats, NULL);
  is_followed = g_strcmp0 (gst_structure_get_string (stats, "feedback"),
                    "ccfb") == 0 &&
      gst_structure_has_field (stats, "r-ack-bps");
  gst_structure_free (stats);

  return is_followed;
}

static void
check_reports (const gchar *to_sender, const gchar *receiver_caps,
    const gchar *receiver_feedback)
{
  Call call;

  call_start_with (&call, to_sender, receiver_caps, receiver_feedback);
  test_wait_until (reports_are_followed, &call);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "feedbacks"), >, 0);
  g_assert_cmpuint (
      test_stats_uint64 (call.sender, "feedbacks-ignored"), ==, 0);
  g_assert_cmpuint (test_stats_uint64 (call.sender, "malformed-ccfb"), ==, 0);
  g_assert_cmpuint (
      test_stats_uint64 (call.receiver, "transport-feedbacks"), >, 0);
  g_assert_cmpint (g_atomic_int_get (&call.n_rembs), ==, 0);
  g_assert_cmpuint (n_warnings (call.a), ==, 0);
  g_assert_cmpuint (n_warnings (call.b), ==, 0);
  call_stop (&call);
}

static void
test_reports_about_packets_need_no_extension (void)
{
  check_reports ("gccsender feedback=ccfb", "", "ccfb");
}

static void
test_reports_about_packets_come_where_the_caps_have_them (void)
{
  check_reports ("application/x-rtp,rtcp-fb-ack-ccfb=(boolean)true ! gccsender",
      ",rtcp-fb-ack-ccfb=(boolean)true", "auto");
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/call/" #name, test_##name)
  ADD (a_remb_leaves_in_rtcp_and_reaches_the_sender);
  ADD (a_receiver_learns_the_round_trip_time);
  ADD (a_call_can_be_stopped_and_started_again);

  ADD (numbers_that_gccsender_inserts_are_understood);
  ADD (numbers_in_the_payloaders_extension_are_understood);
  ADD (numbers_stand_beside_abs_send_time);
  ADD (reports_about_packets_need_no_extension);
  ADD (reports_about_packets_come_where_the_caps_have_them);
#undef ADD

  return g_test_run ();
}
