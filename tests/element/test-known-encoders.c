/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Encoders of GStreamer's, each with the properties it has. */

#include <gst/gst.h>

#include "element-test.h"
#include "encoder-stream.h"

typedef struct {
  GstElement *sender;
  GstElement *encoder;
  GstPadChainFunction encode;
  guint before;
  guint amid;
} Av1;

static GstFlowReturn
encode_with_a_new_target (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  Av1 *self = g_object_get_data (G_OBJECT (pad), "av1");

  self->before = test_get_uint (self->encoder, "target-bitrate");
  encoder_stream_set_target (self->sender, 200000);
  self->amid = test_get_uint (self->encoder, "target-bitrate");

  return self->encode (pad, parent, buffer);
}

static void
encode_a_frame (Av1 *self, GstHarness *video)
{
  GstPad *pad = gst_element_get_static_pad (self->encoder, "sink");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 64 * 3 / 2, NULL);

  gst_buffer_memset (frame, 0, 128, 64 * 64 * 3 / 2);
  GST_BUFFER_PTS (frame) = 0;
  g_object_set_data (G_OBJECT (pad), "av1", self);
  self->encode = GST_PAD_CHAINFUNC (pad);
  gst_pad_set_chain_function (pad, encode_with_a_new_target);
  g_assert_cmpint (gst_harness_push (video, frame), ==, GST_FLOW_OK);
  gst_object_unref (pad);
}

/* Guards against: libaom's abort (cdef_alloc_data: Assertion
 * `((cm)->error)->setjmp' failed), since av1enc sets it in one thread while it
 * encodes in another. */
static void
test_av1enc_is_set_between_frames (void)
{
  GstHarness *h = gst_harness_new ("gccsender");
  Av1 self = { .sender = h->element,
    .encoder = gst_element_factory_make ("av1enc", NULL) };
  GstHarness *video;

  if (self.encoder == NULL) {
    g_test_skip ("av1enc is missing");
    gst_harness_teardown (h);
    return;
  }
  g_object_set (self.encoder, "usage-profile", 1, "cpu-used", 8, NULL);
  video = gst_harness_new_with_element (self.encoder, "sink", "src");
  gst_harness_set_src_caps_str (
      video, "video/x-raw,format=I420,width=64,height=64,framerate=25/1");
  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "encoder", self.encoder, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  encoder_stream_set_target (self.sender, 100000);
  g_assert_cmpuint (test_get_uint (self.encoder, "target-bitrate"), ==, 100);

  encode_a_frame (&self, video);
  g_assert_cmpuint (self.amid, ==, self.before);
  g_assert_cmpuint (test_get_uint (self.encoder, "target-bitrate"), ==, 200);

  gst_harness_teardown (h);
  gst_harness_teardown (video);
  gst_object_unref (self.encoder);
}

/* With @sender downstream of it, @encoder, a line of one element, has @expected in
 * @property; nothing is checked where the element is missing. */
static void
assert_property (const gchar *sender, const gchar *encoder,
    const gchar *property, guint target, gint64 expected)
{
  gint64 value = encoder_with_target (sender, encoder, property, target);

  if (value == -1)
    g_test_message ("%s is missing", encoder);
  else
    g_assert_cmpint (value, ==, expected);
}

/* Guards against: 0 kbit/s, which x264enc and x265enc refuse, and rates that
 * vp8enc reads as "automatic" and openh264enc ignores. */
static void
test_known_encoders_get_a_rate_that_they_obey (void)
{
  static const struct {
    const gchar *factory;
    const gchar *property;
    gint64 least;
  } encoders[] = {
    { "vp8enc", "target-bitrate", 1000 },
    { "vp9enc", "target-bitrate", 1000 },
    { "x264enc", "bitrate", 10 },
    { "x265enc", "bitrate", 1 },
    { "openh264enc", "bitrate", 1000 },
    { "av1enc", "target-bitrate", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender", encoders[i].factory, encoders[i].property, 1,
        encoders[i].least);
}

/* Guards against: vp9enc and av1enc with the effort of a film, of which a frame
 * takes longer than it is shown. tests/bench measures what this comes to. */
static void
test_known_encoders_are_told_to_keep_real_time (void)
{
  static const struct {
    const gchar *factory;
    const gchar *property;
    gint64 value;
  } encoders[] = {
    { "vp8enc", "cpu-used", 8 },
    { "vp9enc", "cpu-used", 7 },
    { "vp9enc", "row-mt", TRUE },
    /* veryfast, ultrafast */
    { "x264enc", "speed-preset", 3 },
    { "x265enc", "speed-preset", 1 },
    { "av1enc", "cpu-used", 9 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender manage=all", encoders[i].factory,
        encoders[i].property, START, encoders[i].value);
}

/* Guards against: vp8enc with the variable rate of its defaults, which sends 3.9 times
 * what it is asked for once that has fallen to a quarter. */
static void
test_encoders_that_are_not_configured_follow_a_bitrate_all_the_same (void)
{
  static const struct {
    const gchar *line;
    const gchar *property;
    gint64 value;
  } encoders[] = {
    { "vp8enc", "end-usage", 1 },
    { "vp8enc", "buffer-size", 300 },
    { "vp9enc", "end-usage", 1 },
    { "vp9enc", "buffer-initial-size", 150 },
    /* what the application has set stays, and so does all else */
    { "vp8enc end-usage=cq", "end-usage", 2 },
    { "vp8enc buffer-size=1000", "buffer-size", 1000 },
    { "vp8enc", "keyframe-max-dist", 128 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (encoders); i++)
    assert_property ("gccsender", encoders[i].line, encoders[i].property, START,
        encoders[i].value);
  g_assert_cmpint (encoder_with_target ("gccsender manage=sink+session+fec",
                       "vp8enc", "buffer-size", START),
      ==, 6000);
}

int
main (int argc, char **argv)
{
  test_init (&argc, &argv);

#define ADD(name) g_test_add_func ("/known-encoders/" #name, test_##name)
  ADD (av1enc_is_set_between_frames);
  ADD (known_encoders_get_a_rate_that_they_obey);
  ADD (known_encoders_are_told_to_keep_real_time);
  ADD (encoders_that_are_not_configured_follow_a_bitrate_all_the_same);
#undef ADD

  return g_test_run ();
}
