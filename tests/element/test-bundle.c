/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Streams that a funnel has merged, as webrtcbin does with those of a bundle, and
 * an encoder whose packets go to several calls. Time stands still unless a test
 * moves it. */

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

#include "element-test.h"

#define SENDER "gccsender name=sender start-bitrate=900000 "
#define BRANCH(name) "vp8enc name=" name " ! rtpvp8pay name=pay-" name " ! f. "
#define SESSION "! s.send_rtp_sink rtpsession name=s s.send_rtp_src ! "
#define SINK "fakesink async=false sync=false "

/* In which an encoder that has left a bundle is noticed. */
#define A_SECOND GST_SECOND

typedef struct {
  GstElement *pipeline;
  GstClock *clock;
  GstElement *sender;
  GstPad *pad;
} Bundle;

static void
bundle_start (Bundle *self, const gchar *line)
{
  GError *error = NULL;

  test_tolerate_race_of_rtpsession ();
  self->pipeline = gst_parse_launch (line, &error);
  g_assert_no_error (error);
  self->clock = gst_test_clock_new_with_start_time (GST_SECOND);
  gst_pipeline_use_clock (GST_PIPELINE (self->pipeline), self->clock);
  test_use_clock (self->pipeline, self->clock);
  self->sender = gst_bin_get_by_name (GST_BIN (self->pipeline), "sender");
  self->pad = gst_element_get_static_pad (self->sender, "sink");
}

static void
bundle_stop (Bundle *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->pad);
  gst_object_unref (self->sender);
  gst_object_unref (self->pipeline);
  gst_object_unref (self->clock);
}

static void
play (Bundle *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
wait_for (Bundle *self, GstClockTime time)
{
  gst_test_clock_advance_time (GST_TEST_CLOCK (self->clock), time);
}

static GstElement *
get (Bundle *self, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

  g_assert_nonnull (element);
  gst_object_unref (element);

  return element;
}

static gint
bitrate_of (Bundle *self, const gchar *encoder)
{
  return (gint) test_get_uint (get (self, encoder), "target-bitrate");
}

static void
assert_bitrates (Bundle *self, gint first, gint second)
{
  g_assert_cmpint (bitrate_of (self, "first"), ==, first);
  g_assert_cmpint (bitrate_of (self, "second"), ==, second);
}

/* The target is applied, as with each report. It falls with the limit, and does not
 * rise with that. */
static void
set_target (Bundle *self, guint bitrate)
{
  g_object_set (self->sender, "max-bitrate", bitrate, NULL);
}

/* --- who shares --- */

#define TWO(funnel) \
  BRANCH ("first") BRANCH ("second") funnel " name=f ! " SENDER

static void
test_encoders_of_a_bundle_share_alike (gconstpointer line)
{
  Bundle bundle;

  bundle_start (&bundle, line);
  play (&bundle);
  assert_bitrates (&bundle, 450000, 450000);
  set_target (&bundle, 300000);
  assert_bitrates (&bundle, 150000, 150000);
  bundle_stop (&bundle);
}

#define LINE TWO ("rtpfunnel") SESSION SINK

static void
test_weights_divide_what_a_bundle_has (void)
{
  Bundle bundle;

  bundle_start (&bundle, LINE);
  gst_util_set_object_arg (G_OBJECT (bundle.pad), "encoder-weights",
      "weights,first=2.0,second=(int)1");
  play (&bundle);
  assert_bitrates (&bundle, 600000, 300000);

  gst_util_set_object_arg (
      G_OBJECT (bundle.pad), "encoder-weights", "weights,second=8.0");
  set_target (&bundle, 899000);
  assert_bitrates (&bundle, 99000, 799000);
  g_object_set (bundle.pad, "encoder-weights", NULL, NULL);
  set_target (&bundle, 600000);
  assert_bitrates (&bundle, 300000, 300000);
  bundle_stop (&bundle);
}

/* Guards against: a division by what an application sets, or an abort. */
static void
test_weights_that_make_no_sense_are_bounded (void)
{
  guint target = 880000;
  Bundle bundle;

  bundle_start (&bundle, LINE);
  play (&bundle);
  for (const gchar *const *weights = (const gchar *const[]){ "w,first=-1.0",
           "w,first=0", "w,first=1e300", "w,first=(string)much",
           "w,first=[1,2]", "w,somebody=3.0", "w", NULL };
       *weights != NULL; weights++) {
    gint sum;

    gst_util_set_object_arg (
        G_OBJECT (bundle.pad), "encoder-weights", *weights);
    set_target (&bundle, target -= 20000);
    sum = bitrate_of (&bundle, "first") + bitrate_of (&bundle, "second");
    g_assert_cmpint (ABS (sum - (gint) target), <=, 1000);
  }
  assert_bitrates (&bundle, (gint) target / 2, (gint) target / 2);
  bundle_stop (&bundle);
}

/* Pictures come, although time stands still. */
#define FILMED(name, stream) \
  "videotestsrc ! video/x-raw,width=32,height=32 ! identity sleep-time=20000 " \
  "! " \
  "vp8enc name=" name " ! rtpvp8pay name=pay-" name " " stream " ! f. "

static gboolean
has_named_its_stream (Bundle *self, const gchar *pay)
{
  GstPad *src = gst_element_get_static_pad (get (self, pay), "src");
  GstPad *peer = gst_pad_get_peer (src);
  gboolean has = gst_pad_has_current_caps (peer);

  gst_object_unref (peer);
  gst_object_unref (src);

  return has;
}

static gboolean
first_is_known (gpointer bundle)
{
  return has_named_its_stream (bundle, "pay-first");
}

static gboolean
second_is_known (gpointer bundle)
{
  return has_named_its_stream (bundle, "pay-second");
}

static gboolean
first_has_passed_the_funnel (gpointer user_data)
{
  Bundle *bundle = user_data;

  return gst_pad_has_current_caps (bundle->pad);
}

/* When the streams have names, the next report divides by them. */
static void
divide_again (Bundle *self, guint bitrate)
{
  wait_for (self, A_SECOND);
  set_target (self, bitrate);
}

static void
test_weights_may_go_by_ssrc (gconstpointer line)
{
  Bundle bundle;

  bundle_start (&bundle, line);
  gst_util_set_object_arg (G_OBJECT (bundle.pad), "encoder-weights",
      "weights,1000=1.0,4294967294=2.0");
  play (&bundle);
  test_wait_until (first_is_known, &bundle);
  test_wait_until (second_is_known, &bundle);
  divide_again (&bundle, 600000);
  assert_bitrates (&bundle, 200000, 400000);
  bundle_stop (&bundle);
}

#define BY_SSRC \
  FILMED ("first", "ssrc=1000") FILMED ("second", "ssrc=4294967294")
#define BY_MID \
  FILMED ("first", "! application/x-rtp,a-mid=(string)0") \
  FILMED ("second", "ssrc=1000 ! application/x-rtp,a-mid=(string)screen-1")

static void
test_weights_may_go_by_mid (void)
{
  Bundle bundle;

  bundle_start (&bundle, BY_MID "rtpfunnel name=f ! " SENDER SESSION SINK);
  gst_util_set_object_arg (
      G_OBJECT (bundle.pad), "encoder-weights", "weights,0=1.0,screen-1=2.0");
  play (&bundle);
  test_wait_until (first_is_known, &bundle);
  test_wait_until (second_is_known, &bundle);
  divide_again (&bundle, 600000);
  assert_bitrates (&bundle, 200000, 400000);

  gst_util_set_object_arg (G_OBJECT (bundle.pad), "encoder-weights",
      "weights,screen-1=2.0,1000=3.0");
  set_target (&bundle, 599000);
  g_assert_cmpint (bitrate_of (&bundle, "second"), ==, 449000);
  gst_util_set_object_arg (G_OBJECT (bundle.pad), "encoder-weights",
      "weights,screen-1=2.0,1000=3.0,second=4.0");
  set_target (&bundle, 500000);
  g_assert_cmpint (bitrate_of (&bundle, "second"), ==, 400000);
  bundle_stop (&bundle);
}

/* Guards against: the SSRC of whatever came last behind the funnel, for all. */
static void
test_a_stream_without_packets_has_no_other_streams_weight (void)
{
  Bundle bundle;

  bundle_start (&bundle,
      FILMED ("first", "ssrc=1000")
          BRANCH ("second") "funnel name=f ! " SENDER SESSION SINK);
  gst_util_set_object_arg (
      G_OBJECT (bundle.pad), "encoder-weights", "weights,1000=2.0");
  play (&bundle);
  test_wait_until (first_has_passed_the_funnel, &bundle);
  divide_again (&bundle, 600000);
  assert_bitrates (&bundle, 400000, 200000);
  bundle_stop (&bundle);
}

/* --- who comes and goes --- */

static void
test_an_encoder_that_is_unlinked_leaves_its_share (void)
{
  Bundle bundle;

  bundle_start (&bundle, LINE);
  play (&bundle);
  gst_element_unlink (get (&bundle, "pay-second"), get (&bundle, "f"));
  wait_for (&bundle, A_SECOND);
  set_target (&bundle, 800000);
  assert_bitrates (&bundle, 800000, 450000);
  bundle_stop (&bundle);
}

/* rtpfunnel passes the end of any of them on (1.22), and all ends. */
static void
test_an_encoder_that_has_ended_leaves_its_share (void)
{
  Bundle bundle;
  GstPad *src;

  bundle_start (&bundle, TWO ("funnel") SESSION SINK);
  play (&bundle);
  src = gst_element_get_static_pad (get (&bundle, "second"), "src");
  gst_pad_push_event (src, gst_event_new_stream_start ("second"));
  gst_pad_push_event (src, gst_event_new_eos ());
  gst_object_unref (src);
  wait_for (&bundle, A_SECOND);
  set_target (&bundle, 800000);
  assert_bitrates (&bundle, 800000, 450000);
  bundle_stop (&bundle);
}

static void
add_third (Bundle *self)
{
  GError *error = NULL;
  GstElement *third = gst_parse_bin_from_description (
      "vp8enc name=third ! rtpvp8pay", TRUE, &error);

  g_assert_no_error (error);
  gst_bin_add (GST_BIN (self->pipeline), third);
  g_assert_true (gst_element_link (third, get (self, "f")));
  gst_element_sync_state_with_parent (third);
}

static void
test_an_encoder_that_is_added_gets_a_share_with_the_next_report (void)
{
  Bundle bundle;

  bundle_start (&bundle, LINE);
  play (&bundle);
  add_third (&bundle);
  wait_for (&bundle, A_SECOND);
  set_target (&bundle, 600000);
  assert_bitrates (&bundle, 200000, 200000);
  g_assert_cmpint (bitrate_of (&bundle, "third"), ==, 200000);
  bundle_stop (&bundle);
}

static void
push_packet (GstPad *pad, guint32 ssrc, guint8 payload_type)
{
  GstBuffer *buffer = test_rtp_packet (1, 0, 100);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp));
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_payload_type (&rtp, payload_type);
  gst_rtp_buffer_unmap (&rtp);
  gst_pad_push (pad, buffer);
}

/* A source that pushes into the bundle what the test says. */
static GstPad *
open_stream (Bundle *self, const gchar *caps)
{
  GstPad *sinkpad = gst_element_request_pad_simple (get (self, "f"), "sink_%u");
  GstPad *pad = test_open_source (sinkpad, caps);

  gst_object_unref (sinkpad);

  return pad;
}

static gboolean
third_is_set (gpointer bundle)
{
  return bitrate_of (bundle, "third") == 300000;
}

/* Guards against: a whole interval of reports at the encoder's own bitrate. */
static void
test_the_first_packet_of_a_stream_has_its_encoder_set (void)
{
  Bundle bundle;
  GstPad *in;

  bundle_start (&bundle, LINE);
  play (&bundle);
  in = open_stream (&bundle, TEST_RTP_CAPS);
  push_packet (in, 1, 96);
  add_third (&bundle);
  push_packet (in, 2, 96);
  test_wait_until (third_is_set, &bundle);
  assert_bitrates (&bundle, 300000, 300000);
  gst_pad_set_active (in, FALSE);
  gst_object_unref (in);
  bundle_stop (&bundle);
}

static gpointer
change_the_bundle (gpointer user_data)
{
  Bundle *self = user_data;

  for (guint i = 0; i < 200; i++) {
    GstElement *pay = get (self, "pay-second");

    gst_element_unlink (pay, get (self, "f"));
    wait_for (self, A_SECOND);
    g_assert_true (gst_element_link (pay, get (self, "f")));
    wait_for (self, A_SECOND);
  }

  return NULL;
}

/* Guards against: encoders that are freed while their rates are divided. */
static void
test_a_bundle_may_change_while_the_target_does (void)
{
  Bundle bundle;
  GThread *changer;

  bundle_start (&bundle, LINE);
  play (&bundle);
  changer = g_thread_new ("changer", change_the_bundle, &bundle);
  for (guint i = 0; i < 2000; i++)
    set_target (&bundle, 900000 - i * 100);
  g_thread_join (changer);
  set_target (&bundle, 600000);
  assert_bitrates (&bundle, 300000, 300000);
  bundle_stop (&bundle);
}

/* --- what the streams are --- */

static GstCaps *
tell_format (GstElement *session, guint payload_type, gpointer user_data)
{
  (void) session;
  (void) user_data;
  switch (payload_type) {
    case 96:
      return gst_caps_from_string (
          "application/x-rtp,media=video,clock-rate=90000,payload=96");
    case 111:
      return gst_caps_from_string (
          "application/x-rtp,media=audio,clock-rate=48000,payload=111");
    default:
      return NULL;
  }
}

static gint64
rate_of (Bundle *self, const gchar *field)
{
  GstStructure *stats;
  gint64 rate = -1;

  g_object_get (self->sender, "stats", &stats, NULL);
  gst_structure_get_int64 (stats, field, &rate);
  gst_structure_free (stats);

  return rate;
}

/* The caps of a bundle say nothing, not even in webrtcbin. */
static void
test_the_session_tells_audio_from_video (void)
{
  Bundle bundle;
  GstPad *in;

  bundle_start (&bundle, LINE);
  g_signal_connect (
      get (&bundle, "s"), "request-pt-map", G_CALLBACK (tell_format), NULL);
  play (&bundle);
  in = open_stream (&bundle, "application/x-rtp");
  for (guint i = 0; i < 20; i++)
    push_packet (in, 1, 111);
  for (guint i = 0; i < 10; i++)
    push_packet (in, 2, 96);
  set_target (&bundle, 800000);
  g_assert_cmpint (rate_of (&bundle, "r-audio-bps"), ==, 20 * 100 * 8);
  g_assert_cmpint (rate_of (&bundle, "r-video-bps"), ==, 10 * 100 * 8);
  gst_pad_set_active (in, FALSE);
  gst_object_unref (in);
  bundle_stop (&bundle);
}

#define PROTECTED(name) \
  "vp8enc ! rtpvp8pay ! rtpulpfecenc name=" name " pt=122 percentage=50 ! f. "

/* Guards against: the FEC of all streams but one at its own percentage. */
static void
test_the_fec_of_each_stream_is_set (void)
{
  Bundle bundle;

  bundle_start (&bundle,
      PROTECTED ("fec0")
          PROTECTED ("fec1") "rtpfunnel name=f ! " SENDER SESSION SINK);
  play (&bundle);
  g_assert_cmpuint (test_get_uint (get (&bundle, "fec0"), "percentage"), ==, 0);
  g_assert_cmpuint (test_get_uint (get (&bundle, "fec1"), "percentage"), ==, 0);
  bundle_stop (&bundle);
}

/* --- one encoder, two calls --- */

#define CALL(name) "t. ! gccsender name=" name " start-bitrate=900000 ! " SINK

#define TWO_CALLS \
  "vp8enc name=first ! rtpvp8pay ! tee name=t " CALL ("sender") CALL ("other")

static void
set_other (Bundle *self, guint bitrate)
{
  g_object_set (get (self, "other"), "max-bitrate", bitrate, NULL);
}

static void
test_an_encoder_of_two_calls_has_the_least_of_their_rates (void)
{
  Bundle bundle;

  bundle_start (&bundle, TWO_CALLS);
  play (&bundle);
  set_other (&bundle, 300000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 300000);
  set_target (&bundle, 800000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 300000);
  set_target (&bundle, 200000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 200000);
  set_other (&bundle, 700000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 200000);
  bundle_stop (&bundle);
}

static void
test_a_call_that_has_ended_counts_no_longer (void)
{
  Bundle bundle;
  GstElement *other;

  bundle_start (&bundle, TWO_CALLS);
  play (&bundle);
  set_other (&bundle, 300000);
  other = get (&bundle, "other");
  gst_element_set_state (other, GST_STATE_NULL);
  gst_element_set_locked_state (other, TRUE);
  set_target (&bundle, 800000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 800000);
  bundle_stop (&bundle);
}

/* The pad of a call is released, and kept by the application. */
static void
test_a_pad_that_is_released_counts_no_longer (void)
{
  Bundle bundle;
  GstElement *tee;
  GstPad *pad, *peer;

  bundle_start (&bundle,
      "vp8enc name=first ! rtpvp8pay ! tee name=t ! " SENDER " ! " SINK
      " gccsender name=other start-bitrate=300000");
  tee = get (&bundle, "t");
  pad = gst_element_request_pad_simple (get (&bundle, "other"), "sink_%u");
  peer = gst_element_request_pad_simple (tee, "src_%u");
  gst_pad_link (peer, pad);
  play (&bundle);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 300000);

  gst_element_release_request_pad (get (&bundle, "other"), pad);
  set_target (&bundle, 800000);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 800000);
  gst_element_release_request_pad (tee, peer);
  gst_object_unref (peer);
  gst_object_unref (pad);
  bundle_stop (&bundle);
}

static gpointer
change_other (gpointer bundle)
{
  for (guint i = 0; i < 2000; i++)
    set_other (bundle, 880000 - i * 100);
  set_other (bundle, 400000);

  return NULL;
}

/* Guards against: the rate of a thread that was overtaken, set last. */
static void
test_of_two_threads_that_set_an_encoder_the_least_rate_stays (void)
{
  Bundle bundle;
  GThread *changer;

  bundle_start (&bundle, TWO_CALLS);
  play (&bundle);
  changer = g_thread_new ("changer", change_other, &bundle);
  for (guint i = 0; i < 2000; i++)
    set_target (&bundle, 900000 - i * 100);
  set_target (&bundle, 500000);
  g_thread_join (changer);
  g_assert_cmpint (bitrate_of (&bundle, "first"), ==, 400000);
  bundle_stop (&bundle);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/bundle/" #name, test_##name)
#define ADD_WITH(name, label, data) \
  g_test_add_data_func ("/bundle/" #name "/" label, data, test_##name)
  ADD_WITH (
      encoders_of_a_bundle_share_alike, "funnel", TWO ("funnel") SESSION SINK);
  ADD_WITH (encoders_of_a_bundle_share_alike, "rtpfunnel",
      TWO ("rtpfunnel") SESSION SINK);
  ADD_WITH (encoders_of_a_bundle_share_alike, "rtpbin",
      "rtpbin name=rtp " TWO ("rtpfunnel") "! rtp.send_rtp_sink_0 "
                                           "rtp.send_rtp_src_0 ! " SINK);
  ADD (weights_divide_what_a_bundle_has);
  ADD (weights_that_make_no_sense_are_bounded);
  ADD_WITH (weights_may_go_by_ssrc, "funnel",
      BY_SSRC "funnel name=f ! " SENDER SESSION SINK);
  ADD_WITH (weights_may_go_by_ssrc, "rtpfunnel",
      BY_SSRC "rtpfunnel name=f ! " SENDER SESSION SINK);
  ADD (weights_may_go_by_mid);
  ADD (a_stream_without_packets_has_no_other_streams_weight);
  ADD (an_encoder_that_is_unlinked_leaves_its_share);
  ADD (an_encoder_that_has_ended_leaves_its_share);
  ADD (an_encoder_that_is_added_gets_a_share_with_the_next_report);
  ADD (the_first_packet_of_a_stream_has_its_encoder_set);
  ADD (a_bundle_may_change_while_the_target_does);
  ADD (the_session_tells_audio_from_video);
  ADD (the_fec_of_each_stream_is_set);
  ADD (an_encoder_of_two_calls_has_the_least_of_their_rates);
  ADD (a_call_that_has_ended_counts_no_longer);
  ADD (a_pad_that_is_released_counts_no_longer);
  ADD (of_two_threads_that_set_an_encoder_the_least_rate_stays);
#undef ADD_WITH
#undef ADD

  return g_test_run ();
}
