/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Which rates an encoder is set to, and when. */

#include <gst/gst.h>

#include "element-test.h"
#include "encoder-stream.h"

/* --- the least rate --- */

static void
test_an_encoder_stays_at_its_least_rate_and_that_is_said_once (void)
{
  EncoderStream stream;
  GstBus *bus = gst_bus_new ();

  encoder_stream_start (&stream);
  encoder_stream_push (&stream);
  gst_element_set_bus (stream.sender, bus);

  for (guint rate = 1000; rate > 1; rate /= 10) {
    encoder_stream_set_target (stream.sender, rate);
    g_assert_cmpuint (stream.encoder->bitrate, ==, LEAST);
  }
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  /* swinging about it is no news */
  encoder_stream_set_target (stream.sender, LEAST + 1);
  encoder_stream_set_target (stream.sender, LEAST - 1);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  encoder_stream_set_target (stream.sender, 2 * LEAST);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 2 * LEAST);
  encoder_stream_set_target (stream.sender, LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  encoder_stream_set_target (stream.sender, LEAST - 1);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  encoder_stream_stop (&stream);
}

static void
test_an_encoder_that_keeps_its_bitrate_is_named_once (void)
{
  EncoderStream stream;
  GstBus *bus = gst_bus_new ();

  encoder_stream_start (&stream);
  encoder_stream_push (&stream);
  gst_element_set_bus (stream.sender, bus);
  encoder_stream_set_target (stream.sender, 2 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  stream.encoder->keeps_bitrate = TRUE;
  /* an encoder may round */
  encoder_stream_set_target (stream.sender, 2 * LEAST + 1000);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);
  encoder_stream_set_target (stream.sender, 3 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);
  encoder_stream_set_target (stream.sender, 4 * LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 0);

  gst_element_set_bus (stream.sender, NULL);
  gst_object_unref (bus);
  encoder_stream_stop (&stream);
}

/* Guards against: v = 1 bit/s as a rate for an encoder. */
static void
test_audio_may_take_all_of_the_target (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  GstPad *video = gst_pad_new ("video", GST_PAD_SRC);
  GstPad *pad = gst_element_request_pad_simple (h->element, "sink_%u");
  TestEncoder *encoder = (TestEncoder *) test_make ("testencoder");
  GstBus *bus = gst_bus_new ();

  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (pad, "encoder", encoder, "encoder-bitrate-unit", 1, NULL);
  g_assert_cmpint (gst_pad_link (video, pad), ==, GST_PAD_LINK_OK);
  gst_element_set_bus (h->element, bus);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (h,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96");
  for (guint16 i = 0; i < 100; i++)
    gst_harness_push (h, test_rtp_packet (i, i * 960u, 1000));
  test_count_warnings (bus);

  encoder_stream_set_target (h->element, START);
  g_assert_cmpuint (encoder->bitrate, ==, LEAST);
  g_assert_cmpuint (test_count_warnings (bus), ==, 1);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_object_unref (encoder);
  gst_pad_unlink (video, pad);
  gst_element_release_request_pad (h->element, pad);
  gst_object_unref (pad);
  gst_object_unref (video);
  gst_harness_teardown (h);
}

/* --- an encoder that pays for a change --- */

/* The encoder has had @rate since now, which is 0 from here on. */
static void
begin_at (EncoderStream *self, guint rate)
{
  test_use_testclock (self->h);
  encoder_stream_set_target (self->sender, rate);
  g_assert_cmpuint (self->encoder->bitrate, ==, rate);
  g_atomic_int_set (&self->encoder->n_begun, 0);
}

static gint
get_n_set (EncoderStream *self)
{
  return g_atomic_int_get (&self->encoder->n_begun);
}

/* Guards against: a key frame for each 30 bit/s. */
static void
test_an_encoder_that_is_not_known_is_not_set_for_each_change (void)
{
  EncoderStream stream;

  encoder_stream_start_with (&stream, "");
  begin_at (&stream, 200000);
  for (guint i = 1; i < 100; i++) {
    gst_harness_set_time (stream.h, i * 50 * GST_MSECOND);
    encoder_stream_set_target (stream.sender, 200000 + 30 * i);
  }
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  encoder_stream_stop (&stream);
}

static void
test_a_large_fall_is_set_at_once (void)
{
  EncoderStream stream;

  encoder_stream_start_with (&stream, "");
  begin_at (&stream, 200000);
  encoder_stream_set_target (stream.sender, 130000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 130000);
  encoder_stream_stop (&stream);
}

static void
check_cost_of_100_ms (const gchar *settings, gint cost)
{
  EncoderStream stream;

  encoder_stream_start_with (&stream, settings);
  encoder_stream_set_change_cost (&stream, cost);
  begin_at (&stream, 200000);
  encoder_stream_set_target (stream.sender, 220000);
  gst_harness_set_time (stream.h, 999 * GST_MSECOND);
  encoder_stream_set_target (stream.sender, 220000);
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  gst_harness_set_time (stream.h, 1000 * GST_MSECOND);
  encoder_stream_set_target (stream.sender, 220000);
  g_assert_cmpint (get_n_set (&stream), ==, 1);
  encoder_stream_stop (&stream);
}

static void
test_a_change_costs_what_the_user_says (void)
{
  check_cost_of_100_ms ("profile=goog-2026", 100);
}

/* Guards against: an old name that sets nothing, or more than the pad's. */
static void
test_the_old_name_of_a_cost_is_for_pads_without_one (void)
{
  check_cost_of_100_ms ("profile=goog-2026 "
                        "encoder-change-cost=100",
      -1);
  check_cost_of_100_ms ("profile=goog-2026 "
                        "encoder-change-cost=0",
      100);
}

/* Guards against: an old name that sets nothing, or more than the pad's. */
static void
test_the_old_name_of_a_unit_is_for_pads_without_one (void)
{
  for (guint unit = 0; unit <= 1; unit++) {
    EncoderStream stream;

    encoder_stream_start_in_unit (&stream, unit, "encoder-bitrate-unit=1000");
    encoder_stream_set_change_cost (&stream, 0);
    encoder_stream_set_target (stream.sender, 70000000);
    g_assert_cmpuint (
        stream.encoder->bitrate, ==, unit == 0 ? 70000 : 70000000);
    encoder_stream_stop (&stream);
  }
}

/* As they were published. */
static void
test_other_profiles_set_each_change (void)
{
  static const gchar *const profiles[] = { "rtcweb-2013", "rmcat-2016",
    "rmcat-2016-eq-2", "draft-gcc-02", "goog-2020", "goog-2026" };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++) {
    gchar *settings = g_strconcat ("profile=", profiles[i], NULL);
    EncoderStream stream;

    encoder_stream_start_with (&stream, settings);
    begin_at (&stream, 200000);
    encoder_stream_set_target (stream.sender, 200001);
    g_assert_cmpuint (stream.encoder->bitrate, ==, 200001);
    encoder_stream_stop (&stream);
    g_free (settings);
  }
}

static gboolean
has_900_kilobits (gpointer encoder)
{
  return ((TestEncoder *) encoder)->bitrate == 900000;
}

/* Guards against: a change that is forgotten when neither the target moves again nor a
 * report comes, and the rate of before that goes on. */
static void
test_the_last_of_several_changes_is_made (void)
{
  EncoderStream stream;

  encoder_stream_start_with (
      &stream, "start-bitrate=4000000 max-bitrate=4000000");
  begin_at (&stream, 4000000);
  gst_harness_set_time (stream.h, 100 * GST_MSECOND);
  encoder_stream_set_target (stream.sender, 1000000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 1000000);
  gst_harness_set_time (stream.h, 300 * GST_MSECOND);
  encoder_stream_set_target (stream.sender, 900000);

  /* a tenth less for 1.5 s costs what the change does */
  gst_harness_set_time (stream.h, 1790 * GST_MSECOND);
  encoder_stream_push (&stream);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 1000000);
  gst_harness_set_time (stream.h, 1810 * GST_MSECOND);
  encoder_stream_push (&stream);
  test_wait_until (has_900_kilobits, stream.encoder);
  g_assert_cmpint (get_n_set (&stream), ==, 2);
  encoder_stream_stop (&stream);
}

/* Guards against: a change that is forgotten when the target stays. */
static void
test_what_waits_is_set_with_a_later_report (void)
{
  EncoderStream stream;
  GstElement *session;
  GstPad *rtcp;

  encoder_stream_start_with (&stream,
      "! session.send_rtp_sink rtpsession name=session "
      "session.send_rtp_src ! identity");
  session = gst_harness_find_element (stream.h, "rtpsession");
  rtcp = test_open_rtcp (session, "recv_rtcp_sink");
  begin_at (&stream, 200000);
  encoder_stream_set_target (stream.sender, 220000);
  encoder_stream_push (&stream);
  /* a tenth more, after a fall: five times 1.5 s */
  gst_harness_set_time (stream.h, 8 * GST_SECOND);
  g_assert_cmpint (get_n_set (&stream), ==, 0);

  gst_pad_push (rtcp, test_receiver_report (TEST_SSRC, 0, 0));
  g_assert_cmpuint (stream.encoder->bitrate, ==, 220000);

  gst_element_set_state (stream.h->element, GST_STATE_NULL);
  gst_pad_set_active (rtcp, FALSE);
  gst_object_unref (rtcp);
  gst_object_unref (session);
  encoder_stream_stop (&stream);
}

/* An encoder that starts over does so with the value that it has, too. */
static void
test_less_than_a_unit_is_not_set (void)
{
  EncoderStream stream;

  encoder_stream_start_in_unit (&stream, 1000, "");
  encoder_stream_set_change_cost (&stream, 0);
  encoder_stream_set_target (stream.sender, 70000000);
  g_assert_cmpuint (stream.encoder->bitrate, ==, 70000);
  g_atomic_int_set (&stream.encoder->n_begun, 0);
  encoder_stream_set_target (stream.sender, 70000030);
  g_assert_cmpint (get_n_set (&stream), ==, 0);
  encoder_stream_set_target (stream.sender, 70001000);
  g_assert_cmpint (get_n_set (&stream), ==, 1);
  encoder_stream_stop (&stream);
}

/* --- an encoder that does not obey --- */

#define WANTED 400000u

/* Sends @multiple of its bitrate, with a packet each 20 ms, and the target of WANTED
 * is applied with each fifth, as with a report. */
static void
encode (EncoderStream *self, gdouble multiple, GstClockTime duration)
{
  GstClockTime now = gst_clock_get_time (GST_ELEMENT_CLOCK (self->h->element));
  GstClockTime end = now + duration;

  for (guint i = 0; now < end; i++) {
    gdouble bits = multiple * self->encoder->bitrate / 50;

    now += 20 * GST_MSECOND;
    gst_harness_set_time (self->h, now);
    gst_harness_push (self->h,
        test_rtp_packet (
            self->seqnum, self->seqnum * 1800u, (guint) (bits / 8)));
    self->seqnum++;
    if (i % 5 == 0)
      encoder_stream_set_target (self->sender, WANTED);
  }
}

/* Warnings that name the encoder and its ratio. */
static guint
count_of_ratio (GstBus *bus)
{
  return test_count_warnings_with (bus, "times its bitrate");
}

static gdouble
get_ratio (GstElement *sender)
{
  GstStructure *stats;
  gdouble ratio = 0;

  g_object_get (sender, "stats", &stats, NULL);
  gst_structure_get_double (stats, "encoder-ratio", &ratio);
  gst_structure_free (stats);

  return ratio;
}

/* Guards against: a target that is passed on and never looked at again. */
static void
test_an_encoder_that_sends_too_much_or_too_little_is_corrected (void)
{
  static const struct {
    gdouble multiple;
    GstClockTime time;
    gdouble least;
    gdouble most;
    guint n_warnings;
  } cases[] = {
    { 1., 20 * GST_SECOND, 1., 1., 0 },
    { 2., 7 * GST_SECOND, 0.95, 1.05, 1 },
    { 0.5, 25 * GST_SECOND, 0.7, 1.05, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBus *bus = gst_bus_new ();
    gdouble part;
    EncoderStream stream;

    encoder_stream_start (&stream);
    begin_at (&stream, WANTED);
    gst_element_set_bus (stream.sender, bus);
    encode (&stream, cases[i].multiple, cases[i].time);
    part = cases[i].multiple * stream.encoder->bitrate / WANTED;
    g_assert_cmpfloat (part, >=, cases[i].least);
    g_assert_cmpfloat (part, <=, cases[i].most);
    encode (&stream, cases[i].multiple, 3 * GST_SECOND);
    g_assert_cmpfloat_with_epsilon (
        get_ratio (stream.sender), cases[i].multiple, 0.1);
    g_assert_cmpuint (count_of_ratio (bus), ==, cases[i].n_warnings);
    gst_element_set_bus (stream.sender, NULL);
    gst_object_unref (bus);
    encoder_stream_stop (&stream);
  }
}

/* As it was published. */
static void
test_a_published_profile_corrects_no_encoder (void)
{
  EncoderStream stream;

  encoder_stream_start_with (&stream, "profile=goog-2026");
  begin_at (&stream, WANTED);
  encode (&stream, 2., 20 * GST_SECOND);
  g_assert_cmpuint (stream.encoder->bitrate, ==, WANTED);
  g_assert_cmpfloat (get_ratio (stream.sender), ==, 0.);
  encoder_stream_stop (&stream);
}

/* --- an encoder that must not be set in mid-frame --- */

static gint64
rate_with_target (const gchar *factory, const gchar *property, guint target)
{
  return encoder_with_target ("gccsender", factory, property, target);
}

static void
test_rates_are_rounded_to_the_encoders_unit (void)
{
  if (rate_with_target ("x264enc", "bitrate", START) == -1) {
    g_test_skip ("x264enc is missing");
    return;
  }
  g_assert_cmpint (rate_with_target ("x264enc", "bitrate", 299600), ==, 300);
  g_assert_cmpint (rate_with_target ("x264enc", "bitrate", 299400), ==, 299);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  test_encoder_register ();

#define ADD(name) g_test_add_func ("/encoder-rates/" #name, test_##name)
  ADD (an_encoder_stays_at_its_least_rate_and_that_is_said_once);
  ADD (an_encoder_that_keeps_its_bitrate_is_named_once);
  ADD (audio_may_take_all_of_the_target);
  ADD (an_encoder_that_is_not_known_is_not_set_for_each_change);
  ADD (a_large_fall_is_set_at_once);
  ADD (a_change_costs_what_the_user_says);
  ADD (the_old_name_of_a_cost_is_for_pads_without_one);
  ADD (the_old_name_of_a_unit_is_for_pads_without_one);
  ADD (other_profiles_set_each_change);
  ADD (the_last_of_several_changes_is_made);
  ADD (what_waits_is_set_with_a_later_report);
  ADD (less_than_a_unit_is_not_set);
  ADD (an_encoder_that_sends_too_much_or_too_little_is_corrected);
  ADD (a_published_profile_corrects_no_encoder);
  ADD (rates_are_rounded_to_the_encoders_unit);
#undef ADD

  return g_test_run ();
}
