/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Lines with one mistake, as they are typed: one sentence on the bus has its cause
 * and its cure, and no other sentence misleads. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <string.h>

#include "transport-path.h"
#include "typed-line.h"

/* Media for so many seconds, a frame of three packets each 100 ms. */
static void
pass_seconds (Line *self, guint seconds)
{
  for (guint i = 0; i < 10 * seconds; i++) {
    gst_test_clock_advance_time (
        GST_TEST_CLOCK (self->clock), 100 * GST_MSECOND);
    pass (self, 3);
  }
}

static void
assert_says_only (const Line *self, const gchar *sentence, const gchar *cure)
{
  assert_says (self, sentence);
  assert_says (self, cure);
  if (self->n_warnings != 1)
    g_error ("%u warnings: %s", self->n_warnings, self->warnings->str);
}

/* --- where the elements stand --- */

#define ARRIVING(element) \
  "rtpbin name=rtp " MEDIA (VP8_CAPS) "! " element \
                                      " ! rtp.recv_rtp_sink_0 rtp. ! " SINK

#define LEAVING(element) \
  "rtpbin name=rtp " MEDIA (VP8_CAPS) "! " element " ! rtp.send_rtp_sink_0 " \
                                      "rtp.send_rtp_src_0 ! " SINK

static void
test_gccsender_in_the_place_of_gccreceiver_says_so (void)
{
  Line line;

  line_start_on_test_clock (
      &line, ARRIVING ("gccsender name=gcc feedback=transport-cc"));
  pass_seconds (&line, 8);
  assert_says_only (&line, "gccsender is where packets arrive",
      "put gccreceiver here, upstream of rtpbin's recv_rtp_sink");
  line_stop (&line);
}

static void
test_gccreceiver_in_the_place_of_gccsender_says_so (void)
{
  Line line;

  line_start_on_test_clock (
      &line, LEAVING ("gccreceiver name=gcc feedback=transport-cc"));
  pass_seconds (&line, 8);
  assert_says_only (&line, "gccreceiver is where packets leave",
      "put gccsender here, between the payloader and rtpbin's send_rtp_sink");
  line_stop (&line);
}

/* --- profile and feedback --- */

static void
test_a_profile_that_follows_no_transport_feedback_says_so (void)
{
  Path path;

  path_start (&path, "profile=goog-2020 feedback=transport-cc", TEST_RTP_CAPS);
  path_send_packets (&path, 20);
  g_assert_cmpuint (path_count_messages (&path, GST_MESSAGE_WARNING,
                        "profile goog-2020 follows REMB and receiver reports"),
      ==, 1);
  path_stop (&path);
}

static void
test_transport_feedback_that_a_profile_cannot_use_is_reported_once (void)
{
  Path path;

  path_start (&path, "profile=draft-gcc-02", NEGOTIATED);
  path_call_for (&path, 20 * GST_SECOND);
  g_assert_cmpuint (path_count_messages (&path, GST_MESSAGE_WARNING,
                        "which profile draft-gcc-02 does not follow"),
      ==, 1);
  path_stop (&path);
}

/* ... which is true of no other message: the profile measures. */
static void
test_profiles_that_follow_the_feedback_say_nothing (void)
{
  Path path;

  path_start (&path, "profile=goog-2026 feedback=transport-cc", NEGOTIATED);
  path_call_for (&path, 5 * GST_SECOND);
  g_assert_cmpuint (
      path_count_messages (&path, GST_MESSAGE_WARNING, "profile"), ==, 0);
  path_stop (&path);
}

/* --- feedback that stops --- */

/* Below the least rate of x264enc, 10 kbit/s. */
static gboolean
has_fallen_far (gpointer path)
{
  return path_get_target (path) < 10000;
}

/* Of all warnings on @bus, those that have @text. */
static guint
count_all (GstBus *bus, const gchar *text, guint *n_all)
{
  GstMessage *message;
  guint n = 0;

  *n_all = 0;
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING))) {
    GError *error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    n += strstr (error->message, text) != NULL;
    (*n_all)++;
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

static void
test_after_feedback_has_stopped_nothing_else_is_blamed (void)
{
  GstElement *encoder = gst_element_factory_make ("x264enc", NULL);
  guint n_all;
  Path path;

  if (encoder == NULL) {
    g_test_skip ("x264enc");
    return;
  }
  gst_object_ref_sink (encoder);
  path_start (&path, "min-bitrate=1000", NEGOTIATED);
  g_object_set (path.sender, "min-bitrate", 1000, "encoder", encoder, NULL);
  path_call_for (&path, 3 * GST_SECOND);
  path_send_packets (&path, 3000);
  test_wait_until (has_fallen_far, &path);
  path_send_packets (&path, 500);
  g_assert_cmpuint (
      count_all (path.bus, "RTCP feedback has stopped", &n_all), ==, 1);
  g_assert_cmpuint (n_all, ==, 1);
  path_stop (&path);
  gst_object_unref (encoder);
}

/* --- units --- */

/* @max: of the pad */
static void
check_units_of (
    const gchar *settings, guint max, const gchar *caps, const gchar *sentence)
{
  gchar *description = g_strdup_printf (
      "rtpbin name=rtp appsrc name=media is-live=true format=time "
      "do-timestamp=true caps=\"%s\" ! gccsender name=gcc "
      "manage=sink+session+fec %s ! rtp.send_rtp_sink_0 rtp.send_rtp_src_0 "
      "! " SINK "appsrc ! rtp.recv_rtcp_sink_0",
      caps, settings);
  Line line;

  line_start_on_test_clock (&line, description);
  g_object_set (line.element->sinkpads->data, "max-bitrate", max, NULL);
  pass (&line, 20);
  if (sentence == NULL)
    g_assert_cmpstr (line.warnings->str, ==, "");
  else
    assert_says_only (&line, sentence, "Rates are in bit/s");
  line_stop (&line);
  g_free (description);
}

static void
check_units (const gchar *settings, const gchar *caps, const gchar *sentence)
{
  check_units_of (settings, G_MAXUINT, caps, sentence);
}

static void
test_rates_that_were_meant_in_kbits_are_named (void)
{
  check_units ("min-bitrate=500 start-bitrate=1000 max-bitrate=2500", VP8_CAPS,
      "max-bitrate is 2500 bit/s");
  check_units ("start-bitrate=1000", VP8_CAPS, "start-bitrate is 1000 bit/s");
  check_units_of ("", 800, VP8_CAPS, "sink::max-bitrate is 800 bit/s");
}

static void
test_rates_that_video_or_audio_can_have_are_right (void)
{
  check_units (
      "min-bitrate=500 start-bitrate=10000 max-bitrate=10000", VP8_CAPS, NULL);
  check_units ("min-bitrate=500 max-bitrate=8000", OPUS_CAPS, NULL);
}

/* --- caps --- */

/* @caps: of a network source; %NULL: none, as udpsrc has by default */
static void
start_receiving (Line *line, const gchar *caps)
{
  gchar *description = g_strdup_printf (
      "rtpbin name=rtp latency=10 appsrc name=media is-live=true format=time "
      "do-timestamp=true %s%s ! gccreceiver name=gcc ! rtp.recv_rtp_sink_0 "
      "rtp.send_rtcp_src_0 ! " SINK "rtp. ! " SINK,
      caps != NULL ? "caps=" : "", caps != NULL ? caps : "");

  line_start_on_test_clock (line, description);
  g_free (description);
}

static void
test_a_source_without_caps_is_named (void)
{
  Line line;

  start_receiving (&line, NULL);
  pass_seconds (&line, 5);
  assert_says_only (&line, "Packets of payload type 96 come without caps",
      "encoding-name=VP8,clock-rate=90000,payload=96");
  line_stop (&line);
}

static void
test_caps_without_a_clock_rate_are_named (void)
{
  Line line;

  start_receiving (&line, "application/x-rtp,media=video");
  pass_seconds (&line, 5);
  assert_says_only (&line, "come without a clock-rate in their caps",
      "encoding-name=VP8,clock-rate=90000,payload=96");
  line_stop (&line);
}

static GstCaps *
answer_with_caps (
    GstElement *rtpbin, guint session, guint payload_type, gpointer user_data)
{
  (void) rtpbin;
  (void) session;
  (void) payload_type;
  (void) user_data;

  return gst_caps_from_string (VP8_CAPS);
}

static void
test_an_application_that_answers_for_the_caps_is_right (void)
{
  GstElement *rtpbin;
  Line line;

  start_receiving (&line, NULL);
  rtpbin = gst_bin_get_by_name (GST_BIN (line.pipeline), "rtp");
  g_signal_connect (
      rtpbin, "request-pt-map", G_CALLBACK (answer_with_caps), NULL);
  gst_object_unref (rtpbin);
  pass_seconds (&line, 5);
  g_assert_cmpstr (line.warnings->str, ==, "");
  line_stop (&line);
}

/* --- encoders --- */

#define SENDING \
  "gccsender name=gcc feedback=transport-cc manage=all ! " \
  "rtp.send_rtp_sink_0 rtp.send_rtp_src_0 ! " SINK "appsrc ! " \
  "rtp.recv_rtcp_sink_0"

#define ENCODED_BY(encoder) \
  "rtpbin name=rtp videotestsrc is-live=true ! " \
  "video/x-raw,format=I420,width=64,height=64,framerate=30/1 ! " encoder \
  " ! " SENDING

typedef struct {
  /* the element has to be there */
  const gchar *factory;
  const gchar *line;
  const gchar *sentence;
  const gchar *cure;
} Encoding;

static const Encoding encodings[] = {
  { "jpegenc", ENCODED_BY ("jpegenc name=encoder ! rtpjpegpay"),
      "encoder (jpegenc) has no bitrate that can be set", "Use an encoder" },
  { "x264enc",
      ENCODED_BY ("x264enc name=encoder pass=quant tune=zerolatency ! "
                  "rtph264pay"),
      "encoder has pass=quant, which keeps the quality",
      "Set pass=cbr of encoder" },
  { "theoraenc", ENCODED_BY ("theoraenc name=encoder ! rtptheorapay"),
      "does not know the unit of the bitrate of encoder (theoraenc)",
      "encoder-bitrate-unit=1000 where it is kbit/s" },
  { "avenc_mpeg4", ENCODED_BY ("avenc_mpeg4 name=encoder ! rtpmp4vpay"),
      "encoder (avenc_mpeg4) keeps its bitrate while it runs",
      "Use an encoder that follows one" },
  { "identity",
      "rtpbin name=rtp " MEDIA (VP8_CAPS) "! identity name=stored ! " SENDING,
      "No encoder found upstream of pad sink", "Found: stored, media." },
};

static void
test_an_encoder_that_cannot_follow_is_named (gconstpointer data)
{
  const Encoding *encoding = data;
  Line line;

  if (test_is_missing (encoding->factory)) {
    g_test_skip (encoding->factory);
    return;
  }
  line_start (&line, encoding->line);
  if (g_str_equal (encoding->factory, "identity"))
    send_packets (&line, 20);
  wait_for_packets (&line, 10, FALSE);
  test_wait_until (has_warned, &line);
  assert_says_only (&line, encoding->sentence, encoding->cure);
  line_stop (&line);
}

/* --- time --- */

#define VIDEO \
  "rtpbin name=rtp appsrc name=media is-live=true format=time caps=" \
  "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000," \
  "payload=96 ! gccsender name=gcc manage=sink+session+fec ! " \
  "rtp.send_rtp_sink_0 rtp.send_rtp_src_0 ! " SINK "appsrc ! " \
  "rtp.recv_rtcp_sink_0"

/* Frames of 100 ms for @duration, each of which takes @interval. */
static void
play (Line *self, GstClockTime interval, GstClockTime duration)
{
  self->frame_duration = 100 * GST_MSECOND;
  for (GstClockTime at = 0; at < duration; at += interval) {
    gst_test_clock_advance_time (
        GST_TEST_CLOCK (self->clock), (GstClockTimeDiff) interval);
    pass (self, 1);
  }
}

static void
test_frames_that_come_too_fast_are_reported (void)
{
  Line line;

  line_start_on_test_clock (&line, VIDEO);
  play (&line, 100 * GST_MSECOND, 2 * GST_SECOND);
  g_assert_cmpstr (line.warnings->str, ==, "");
  play (&line, 20 * GST_MSECOND, 4 * GST_SECOND);
  assert_says_only (
      &line, "Frames come 5.0 times as fast as they play", "Put clocksync");
  line_stop (&line);
}

static void
test_frames_that_fall_behind_are_reported (void)
{
  Line line;

  line_start_on_test_clock (&line, VIDEO);
  play (&line, 200 * GST_MSECOND, 5 * GST_SECOND);
  assert_says_only (&line,
      "Frames leave 1.5 s late: 50 % of them are made in their time",
      "or make the picture or the frame rate smaller");
  play (&line, 200 * GST_MSECOND, 10 * GST_SECOND);
  g_assert_true (g_strrstr (line.warnings->str, "Frames leave") ==
      g_strstr_len (line.warnings->str, -1, "Frames leave"));
  line_stop (&line);
}

static void
check_look_ahead (const gchar *settings, const gchar *cure)
{
  gchar *description = g_strdup_printf (
      "rtpbin name=rtp videotestsrc is-live=true ! "
      "video/x-raw,format=I420,width=64,height=64,framerate=30/1 ! vp8enc "
      "name=encoder %s ! rtpvp8pay ! gccsender name=gcc ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! " SINK "appsrc ! rtp.recv_rtcp_sink_0",
      settings);
  Line line;

  line_start (&line, description);
  wait_for_packets (&line, 10, FALSE);
  if (cure == NULL)
    g_assert_cmpstr (line.warnings->str, ==, "");
  else
    assert_says_only (&line, "encoder holds each frame back for 333 ms", cure);
  line_stop (&line);
  g_free (description);
}

static void
test_an_encoder_that_looks_ahead_is_named (void)
{
  check_look_ahead ("lag-in-frames=10",
      "set lag-in-frames=0 at encoder, or manage=all at gccsender");
  check_look_ahead ("lag-in-frames=0", NULL);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/mistakes/" #name, test_##name)
  ADD (gccsender_in_the_place_of_gccreceiver_says_so);
  ADD (gccreceiver_in_the_place_of_gccsender_says_so);
  ADD (a_profile_that_follows_no_transport_feedback_says_so);
  ADD (transport_feedback_that_a_profile_cannot_use_is_reported_once);
  ADD (profiles_that_follow_the_feedback_say_nothing);
  ADD (after_feedback_has_stopped_nothing_else_is_blamed);
  ADD (rates_that_were_meant_in_kbits_are_named);
  ADD (rates_that_video_or_audio_can_have_are_right);
  ADD (a_source_without_caps_is_named);
  ADD (caps_without_a_clock_rate_are_named);
  ADD (an_application_that_answers_for_the_caps_is_right);
  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++) {
    gchar *path = g_strconcat (
        "/mistakes/an_encoder_that_cannot_follow_is_named/",
        encodings[i].factory, NULL);

    g_test_add_data_func (
        path, &encodings[i], test_an_encoder_that_cannot_follow_is_named);
    g_free (path);
  }
  ADD (frames_that_come_too_fast_are_reported);
  ADD (frames_that_fall_behind_are_reported);
  ADD (an_encoder_that_looks_ahead_is_named);

  return g_test_run ();
}
