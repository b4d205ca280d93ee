/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>

#include "element-test.h"
#include "stub-encoders.h"

#define MEGABIT 1000000u
#define FRAMES 60
#define FRAME_RATE 30

static const StubEncoder *stubs;

/* A gccsender with the encoder of @line upstream of it. */
typedef struct {
  GstHarness *h;
  GstElement *sender;
  GstElement *encoder;
} Sender;

static void
set_target (Sender *self, guint rate)
{
  g_object_set (self->sender, "min-bitrate", rate, "max-bitrate", rate, NULL);
}

/* @settings: of gccsender */
static void
sender_start (Sender *self, const gchar *settings, const gchar *line)
{
  gchar *sender = g_strconcat ("gccsender ", settings, NULL);

  self->h = gst_harness_new_parse (sender);
  self->sender = gst_harness_find_element (self->h, "gccsender");
  self->encoder = gst_object_ref_sink (test_parse (line));
  gst_element_set_state (self->h->element, GST_STATE_READY);
  g_object_set (self->sender, "encoder", self->encoder, "min-bitrate", 1, NULL);
  gst_element_set_state (self->h->element, GST_STATE_PLAYING);
  g_free (sender);
}

static void
sender_stop (Sender *self)
{
  gst_harness_teardown (self->h);
  gst_object_unref (self->sender);
  gst_object_unref (self->encoder);
}

static guint
get_in_effect (Sender *self)
{
  return test_get_uint (self->encoder, "in-effect");
}

/* The encoders that gccsender does not know need their unit. */
static void
sender_start_stub (Sender *self, const StubEncoder *stub)
{
  sender_start (self, "", stub->factory);
  test_set_unit (self->sender, stub->bits_per_unit);
  gst_child_proxy_set (
      GST_CHILD_PROXY (self->sender), "sink::encoder-change-cost", 0, NULL);
}

/* Guards against: 1000 bit/s for 1000 kbit/s, and none for a property of another
 * type. */
static void
test_each_encoder_has_its_rate_in_its_own_unit (void)
{
  for (const StubEncoder *stub = stubs; stub->factory != NULL; stub++) {
    Sender sender;

    if (stub->type == G_TYPE_STRING)
      continue;
    g_test_message ("%s", stub->factory);
    sender_start_stub (&sender, stub);
    set_target (&sender, MEGABIT);
    g_assert_cmpuint (get_in_effect (&sender), ==, MEGABIT);
    sender_stop (&sender);
  }
}

static void
test_a_rate_beyond_the_range_is_the_end_of_the_range (void)
{
  static const struct {
    const gchar *factory;
    guint target;
    guint in_effect;
  } cases[] = {
    { "stubenc_kilobits", 100 * MEGABIT, 8191000 },
    { "stubenc_kilobits", 1, 1000 },
    { "stubenc_double", 100 * MEGABIT, 8191000 },
    { "stubenc_double", 1, 1000 },
    { "stubenc_int64", 4 * MEGABIT, 4 * MEGABIT },
    { "stubenc_uint64", 1, 1 },
    { "stubenc_steps", 100000, 300000 },
    { "stubenc_steps", 937000, 900000 },
    { "stubenc_steps", 8 * MEGABIT, 2 * MEGABIT },
    { "nvav1enc", 4000 * MEGABIT, 2000 * 1024 * 1000 },
    { "v4l2h264enc", 1000, 25000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const StubEncoder *stub = stubs;
    Sender sender;

    while (!g_str_equal (stub->factory, cases[i].factory))
      stub++;
    sender_start_stub (&sender, stub);
    set_target (&sender, cases[i].target);
    g_assert_cmpuint (get_in_effect (&sender), ==, cases[i].in_effect);
    sender_stop (&sender);
  }
}

/* Guards against: an encoder of Video4Linux that loses its profile. */
static void
test_other_controls_of_the_structure_stay (void)
{
  static const gchar *const before[] = { "",
    " extra-controls=\"c,h264_profile=(int)4,video_bitrate=(int)5000000,"
    "repeat_sequence_header=(int)1\"" };

  for (guint i = 0; i < G_N_ELEMENTS (before); i++) {
    gchar *line = g_strconcat ("v4l2h264enc", before[i], NULL);
    GstStructure *controls;
    Sender sender;
    gint rate, profile, header;

    sender_start (&sender, "", line);
    set_target (&sender, MEGABIT);
    g_object_get (sender.encoder, "extra-controls", &controls, NULL);
    g_assert_true (gst_structure_get_int (controls, "video_bitrate", &rate));
    g_assert_cmpint (rate, ==, MEGABIT);
    if (i > 0) {
      g_assert_true (
          gst_structure_get_int (controls, "h264_profile", &profile));
      g_assert_true (
          gst_structure_get_int (controls, "repeat_sequence_header", &header));
      g_assert_cmpint (profile, ==, 4);
      g_assert_cmpint (header, ==, 1);
    }
    g_assert_cmpint (gst_structure_n_fields (controls), ==, i > 0 ? 3 : 1);
    gst_structure_free (controls);
    sender_stop (&sender);
    g_free (line);
  }
}

/* Guards against: a structure that is read where the application has taken it away. */
static void
test_controls_that_vanish_in_mid_call_come_back (void)
{
  Sender sender;

  sender_start (&sender, "", "v4l2h264enc");
  set_target (&sender, MEGABIT);
  g_object_set (sender.encoder, "extra-controls", NULL, NULL);
  set_target (&sender, MEGABIT / 2);
  g_assert_cmpuint (get_in_effect (&sender), ==, MEGABIT / 2);
  sender_stop (&sender);
}

/* GStreamer 1.29.2 and later have both. */
static void
test_of_two_properties_the_number_is_set (void)
{
  GstStructure *controls;
  Sender sender;

  sender_start (&sender, "", "v4l2h265enc");
  set_target (&sender, MEGABIT);
  g_assert_cmpuint (get_in_effect (&sender), ==, MEGABIT);
  g_object_get (sender.encoder, "extra-controls", &controls, NULL);
  g_assert_null (controls);
  sender_stop (&sender);
}

/* Guards against: a driver that is asked for the same again with each report. */
static void
test_a_rate_that_stays_is_written_once (void)
{
  for (const StubEncoder *stub = stubs; stub->factory != NULL; stub++) {
    Sender sender;
    guint writes;

    if (stub->type == G_TYPE_STRING)
      continue;
    sender_start_stub (&sender, stub);
    set_target (&sender, MEGABIT);
    writes = test_get_uint (sender.encoder, "writes");
    for (guint i = 0; i < 10; i++)
      set_target (&sender, MEGABIT);
    g_assert_cmpuint (test_get_uint (sender.encoder, "writes"), ==, writes);
    set_target (&sender, MEGABIT / 2);
    g_assert_cmpuint (test_get_uint (sender.encoder, "writes"), ==, writes + 1);
    sender_stop (&sender);
  }
}

static void
test_a_bitrate_that_is_no_number_is_said_and_left_alone (void)
{
  GstBus *bus = gst_bus_new ();
  GstHarness *h = gst_harness_new_parse ("gccsender name=sender");
  GstElement *sender = gst_harness_find_element (h, "gccsender");
  GstElement *encoder = test_make ("stubenc_string");

  gst_element_set_bus (sender, bus);
  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (sender, "encoder", encoder, NULL);
  test_set_unit (sender, 1);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (h, TEST_RTP_CAPS);
  gst_harness_push (h, test_rtp_packet (0, 0, 100));
  g_assert_cmpuint (test_count_warnings (bus), >=, 1);
  g_assert_cmpuint (test_get_uint (encoder, "writes"), ==, 0);

  gst_element_set_bus (sender, NULL);
  gst_harness_teardown (h);
  gst_object_unref (sender);
  gst_object_unref (encoder);
  gst_object_unref (bus);
}

/* Of the next frames, bit/s. */
static gdouble
encode (GstHarness *video)
{
  gsize bytes = 0;

  for (guint i = 0; i < FRAMES; i++) {
    GstBuffer *frame;

    g_assert_cmpint (gst_harness_push_from_src (video), ==, GST_FLOW_OK);
    while ((frame = gst_harness_try_pull (video)) != NULL) {
      bytes += gst_buffer_get_size (frame);
      gst_buffer_unref (frame);
    }
  }

  return 8. * (gdouble) bytes * FRAME_RATE / FRAMES;
}

/* What it sends, not what its property says. */
static void
test_what_is_encoded_follows_the_target (void)
{
  static const gchar *const factories[] = { "v4l2h264enc", "omxh264enc" };
  static const guint targets[] = { 2 * MEGABIT, MEGABIT / 2, 2 * MEGABIT };

  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    Sender sender;
    GstHarness *video;

    sender_start (&sender, "", factories[i]);
    video = gst_harness_new_with_element (sender.encoder, "sink", "src");
    gst_harness_add_src_parse (video,
        "videotestsrc pattern=zone-plate kx2=20 ky2=20 kt=5 ! "
        "capsfilter caps=video/x-raw,format=I420,width=640,height=480,"
        "framerate=30/1",
        FALSE);
    for (guint j = 0; j < G_N_ELEMENTS (targets); j++) {
      gdouble ratio;

      set_target (&sender, targets[j]);
      /* what it needs to get there */
      encode (video);
      ratio = encode (video) / targets[j];
      g_test_message ("%s at %u: %.2f", factories[i], targets[j], ratio);
      g_assert_cmpfloat (ratio, >, 0.8);
      g_assert_cmpfloat (ratio, <, 1.15);
    }
    gst_harness_teardown (video);
    sender_stop (&sender);
  }
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);
  stubs = stub_encoders_register ();
  if (stubs == NULL) {
    g_print ("1..0 # SKIP vp8enc or x264enc is missing\n");
    return 0;
  }

#define ADD(name) g_test_add_func ("/encoder-kinds/" #name, test_##name)
  ADD (each_encoder_has_its_rate_in_its_own_unit);
  ADD (a_rate_beyond_the_range_is_the_end_of_the_range);
  ADD (other_controls_of_the_structure_stay);
  ADD (controls_that_vanish_in_mid_call_come_back);
  ADD (of_two_properties_the_number_is_set);
  ADD (a_rate_that_stays_is_written_once);
  ADD (a_bitrate_that_is_no_number_is_said_and_left_alone);
  ADD (what_is_encoded_follows_the_target);
#undef ADD

  return g_test_run ();
}
