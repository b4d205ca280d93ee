/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The sinks that packets end in, with the defaults that they have in the lines
 * that people type. */

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "element-test.h"

#define VIDEO "videotestsrc %s ! video/x-raw,width=64,height=64 ! vp8enc ! "
#define TO_SESSION \
  "rtpvp8pay ! gccsender name=sender feedback=transport-cc %s ! " \
  "rtpsession.send_rtp_sink rtpsession name=rtpsession " \
  "rtpsession.send_rtp_src ! %s name=sink"

/* Port 9 of the loopback is that of discard. */
#define UDPSINK "udpsink host=127.0.0.1 port=9"

typedef struct {
  GstElement *pipeline;
  GstElement *sink;
  GstBus *bus;
} Line;

static void
line_start (
    Line *self, const gchar *source, const gchar *properties, const gchar *sink)
{
  gchar *description = g_strdup_printf (
      VIDEO TO_SESSION, source, properties, sink);
  GError *error = NULL;

  self->pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  self->sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  self->bus = gst_element_get_bus (self->pipeline);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  g_free (description);
}

static void
line_stop (Line *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->bus);
  gst_object_unref (self->sink);
  gst_object_unref (self->pipeline);
}

static gboolean
has_rendered (gpointer sink)
{
  return test_stats_uint64 (sink, "rendered") >= 10;
}

static gboolean
get_sync (GstElement *sink)
{
  gboolean sync;

  g_object_get (sink, "sync", &sync, NULL);

  return sync;
}

/* The warnings that name the sink; others are not of this test. */
static guint
count_warnings (Line *self)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_WARNING))) {
    GError *error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    n += g_str_has_prefix (error->message, "sink ");
    g_error_free (error);
    gst_message_unref (message);
  }

  return n;
}

/* Whether sync is on while packets leave, after the stop, and the warnings. */
static void
check (const gchar *source, const gchar *properties, const gchar *sink,
    gboolean sync, gboolean sync_after, guint n_warnings)
{
  Line line;

  line_start (&line, source, properties, sink);
  test_wait_until (has_rendered, line.sink);
  g_assert_cmpint (get_sync (line.sink), ==, sync);
  g_assert_cmpuint (count_warnings (&line), ==, n_warnings);
  gst_element_set_state (line.pipeline, GST_STATE_READY);
  g_assert_cmpint (get_sync (line.sink), ==, sync_after);

  line_stop (&line);
}

static void
test_a_network_sink_sends_at_once_while_the_source_is_live (void)
{
  check ("is-live=true", "", UDPSINK, FALSE, TRUE, 0);
  check ("is-live=true", "pacing-factor=0", UDPSINK, FALSE, TRUE, 0);
  check (
      "is-live=true", "", "multiudpsink clients=127.0.0.1:9", FALSE, TRUE, 0);
}

static void
test_clocksync_makes_a_source_live (void)
{
  check ("! clocksync", "", UDPSINK, FALSE, TRUE, 0);
  check ("! identity sync=true", "", UDPSINK, FALSE, TRUE, 0);
}

static void
test_what_the_application_has_set_stays (void)
{
  check ("is-live=true", "", UDPSINK " sync=false", FALSE, FALSE, 0);
  check (
      "is-live=true", "manage=session pacing-factor=0", UDPSINK, TRUE, TRUE, 0);
}

static void
test_a_sink_that_may_not_be_configured_is_a_warning (void)
{
  check ("is-live=true", "manage=session", UDPSINK, TRUE, TRUE, 1);
  check (
      "is-live=true", "manage=session", UDPSINK " sync=false", FALSE, FALSE, 0);
}

/* The sink alone keeps the time of a file. */
static void
test_a_source_that_is_not_live_is_a_warning (void)
{
  check ("", "", UDPSINK, TRUE, TRUE, 1);
  check ("", "pacing-factor=0", UDPSINK, TRUE, TRUE, 0);
}

static void
test_a_sink_of_another_kind_is_a_warning (void)
{
  check ("is-live=true", "", "fakesink sync=true", TRUE, TRUE, 1);
  check ("is-live=true", "", "fakesink", FALSE, FALSE, 0);
}

static GstPadProbeReturn
refuse_query (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  (void) pad;
  (void) info;
  (void) user_data;

  return GST_PAD_PROBE_DROP;
}

/* What upstream is cannot be told, so nothing is changed. */
static void
test_an_unknown_source_changes_nothing (void)
{
  GstElement *bin = gst_parse_bin_from_description (
      "gccsender feedback=transport-cc name=sender ! "
      "rtpsession.send_rtp_sink rtpsession name=rtpsession "
      "rtpsession.send_rtp_src ! " UDPSINK " name=sink async=false",
      TRUE, NULL);
  GstElement *sink = gst_bin_get_by_name (
      GST_BIN (gst_object_ref_sink (bin)), "sink");
  GstHarness *h = gst_harness_new_with_element (bin, "sink", NULL);

  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  gst_pad_add_probe (
      h->srcpad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, refuse_query, NULL, NULL);
  gst_harness_push (h, test_rtp_packet (1, 0, 100));
  g_assert_true (get_sync (sink));

  gst_harness_teardown (h);
  gst_object_unref (sink);
  gst_object_unref (bin);
}

/* --- preroll --- */

#define VIDEO_STREAM \
  "videotestsrc ! video/x-raw,width=64,height=64 ! vp8enc ! rtpvp8pay ! "
#define AUDIO_STREAM "audiotestsrc ! mulawenc ! rtppcmupay ! "

static void
append_stream (GString *line, guint i, gboolean is_in_rtpbin)
{
  g_string_append_printf (line, "%s gcc.sink_%u gcc.src_%u ! ",
      i == 0 ? VIDEO_STREAM : AUDIO_STREAM, i, i);
  if (is_in_rtpbin)
    g_string_append_printf (line,
        "rtp.send_rtp_sink_%u rtp.send_rtp_src_%u ! fakesink sync=true "
        "name=sink%u ",
        i, i, i);
  else
    g_string_append_printf (line,
        "session%u.send_rtp_sink rtpsession name=session%u "
        "session%u.send_rtp_src ! fakesink sync=true name=sink%u ",
        i, i, i, i);
}

static GstElement *
make_streams (guint n, gboolean is_in_rtpbin)
{
  GString *line = g_string_new ("gccsender name=gcc feedback=transport-cc ");
  GError *error = NULL;
  GstElement *pipeline;

  if (is_in_rtpbin)
    g_string_append (line, "rtpbin name=rtp rtp-profile=avpf ");
  for (guint i = 0; i < n; i++)
    append_stream (line, i, is_in_rtpbin);
  pipeline = gst_parse_launch (line->str, &error);
  g_assert_no_error (error);
  g_string_free (line, TRUE);

  return pipeline;
}

/* Each sink has to have a packet before any may go on. Before: the first one
 * kept the pacer's only thread, and no other got any. */
static void
check_preroll (guint n, gboolean is_in_rtpbin)
{
  GstElement *pipeline = make_streams (n, is_in_rtpbin);

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_assert_cmpint (
      gst_element_get_state (pipeline, NULL, NULL, GST_SECOND * 60), ==,
      GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < n; i++) {
    gchar *name = g_strdup_printf ("sink%u", i);
    GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);

    test_wait_until (has_rendered, sink);
    gst_object_unref (sink);
    g_free (name);
  }

  test_stop (pipeline);
}

static void
test_streams_preroll_in_rtpbin (void)
{
  test_tolerate_race_of_rtpsession ();
  check_preroll (2, TRUE);
  check_preroll (8, TRUE);
}

static void
test_streams_preroll_in_sessions (void)
{
  test_tolerate_race_of_rtpsession ();
  check_preroll (2, FALSE);
  check_preroll (8, FALSE);
}

/* --- two sessions --- */

/* Packets that have a header extension, of all that came. */
typedef struct {
  gint n;
  gint n_extended;
} Arrivals;

static GstPadProbeReturn
count_arrival (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  Arrivals *arrivals = user_data;

  (void) pad;
  g_assert_true (gst_rtp_buffer_map (
      GST_PAD_PROBE_INFO_BUFFER (info), GST_MAP_READ, &rtp));
  if (gst_rtp_buffer_get_extension (&rtp))
    g_atomic_int_inc (&arrivals->n_extended);
  gst_rtp_buffer_unmap (&rtp);
  g_atomic_int_inc (&arrivals->n);

  return GST_PAD_PROBE_OK;
}

static gboolean
has_extended (gpointer arrivals)
{
  return g_atomic_int_get (&((Arrivals *) arrivals)->n_extended) >= 20;
}

static gboolean
has_plain (gpointer user_data)
{
  Arrivals *arrivals = user_data;

  return g_atomic_int_get (&arrivals->n) -
      g_atomic_int_get (&arrivals->n_extended) >=
      20;
}

static void
count_arrivals (GstElement *pipeline, const gchar *name, Arrivals *arrivals)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER, count_arrival, arrivals, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
}

/* rtpbin has a session for each of video and audio. The feedback of the
 * session of video called all packets of audio lost, and the rate fell to 260
 * kbit/s on an empty loopback. */
static void
check_that_video_is_numbered (guint video, guint audio)
{
  gchar *line = g_strdup_printf (
      "rtpbin name=rtp rtp-profile=avpf "
      "gccsender name=gcc feedback=transport-cc "
      "videotestsrc is-live=true ! video/x-raw,width=64,height=64 ! vp8enc ! "
      "rtpvp8pay ! gcc.sink_%u gcc.src_%u ! rtp.send_rtp_sink_0 "
      "rtp.send_rtp_src_0 ! fakesink name=video "
      "audiotestsrc is-live=true samplesperbuffer=160 ! mulawenc ! rtppcmupay "
      "! "
      "gcc.sink_%u "
      "gcc.src_%u ! rtp.send_rtp_sink_1 rtp.send_rtp_src_1 ! fakesink "
      "name=audio",
      video, video, audio, audio);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  Arrivals video_arrivals = { 0 }, audio_arrivals = { 0 };

  count_arrivals (pipeline, "video", &video_arrivals);
  count_arrivals (pipeline, "audio", &audio_arrivals);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  test_wait_until (has_extended, &video_arrivals);
  test_wait_until (has_plain, &audio_arrivals);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  g_assert_cmpint (audio_arrivals.n_extended, ==, 0);
  gst_object_unref (pipeline);
  g_free (line);
}

static void
test_of_two_sessions_that_of_video_is_followed (void)
{
  test_tolerate_race_of_rtpsession ();
  check_that_video_is_numbered (0, 1);
  check_that_video_is_numbered (1, 0);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/sinks/" #name, test_##name)
  ADD (a_network_sink_sends_at_once_while_the_source_is_live);
  ADD (clocksync_makes_a_source_live);
  ADD (what_the_application_has_set_stays);
  ADD (a_sink_that_may_not_be_configured_is_a_warning);
  ADD (a_source_that_is_not_live_is_a_warning);
  ADD (a_sink_of_another_kind_is_a_warning);
  ADD (an_unknown_source_changes_nothing);
  ADD (streams_preroll_in_rtpbin);
  ADD (streams_preroll_in_sessions);
  ADD (of_two_sessions_that_of_video_is_followed);
#undef ADD

  return g_test_run ();
}
