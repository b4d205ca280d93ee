/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder-stream.h"

#include <gst/gst.h>

typedef GstElementClass TestEncoderClass;

static GType test_encoder_get_type (void);

G_DEFINE_TYPE (TestEncoder, test_encoder, GST_TYPE_ELEMENT)

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
test_encoder_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  TestEncoder *self = (TestEncoder *) parent;
  GstFlowReturn flow;

  (void) pad;
  g_mutex_lock (&self->stream_lock);
  flow = gst_pad_push (self->srcpad, buffer);
  g_mutex_unlock (&self->stream_lock);

  return flow;
}

static void
test_encoder_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  TestEncoder *self = (TestEncoder *) object;

  (void) id;
  (void) pspec;
  g_atomic_int_inc (&self->n_begun);
  g_mutex_lock (&self->stream_lock);
  if (!self->keeps_bitrate)
    self->bitrate = g_value_get_uint (value);
  g_mutex_unlock (&self->stream_lock);
}

static void
test_encoder_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  (void) id;
  (void) pspec;
  g_value_set_uint (value, ((TestEncoder *) object)->bitrate);
}

static void
test_encoder_finalize (GObject *object)
{
  g_mutex_clear (&((TestEncoder *) object)->stream_lock);
  G_OBJECT_CLASS (test_encoder_parent_class)->finalize (object);
}

static void
test_encoder_class_init (TestEncoderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = test_encoder_set_property;
  object_class->get_property = test_encoder_get_property;
  object_class->finalize = test_encoder_finalize;
  g_object_class_install_property (object_class, 1,
      g_param_spec_uint ("bitrate", "Bitrate", "In bit/s", LEAST, G_MAXUINT,
          LEAST, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (
      element_class, "Encoder", "Codec/Encoder/Video", "For tests", "gst-gcc");
}

static void
test_encoder_init (TestEncoder *self)
{
  g_mutex_init (&self->stream_lock);
  self->bitrate = LEAST;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, test_encoder_chain);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

void
test_encoder_register (void)
{
  gst_element_register (
      NULL, "testencoder", GST_RANK_NONE, test_encoder_get_type ());
}

void
encoder_stream_start_in_unit (
    EncoderStream *self, guint unit, const gchar *settings)
{
  gchar *line = g_strconcat (
      "testencoder ! gccsender min-bitrate=1 ", settings, NULL);

  *self = (EncoderStream){ 0 };
  self->h = gst_harness_new_parse (line);
  g_free (line);
  self->sender = gst_harness_find_element (self->h, "gccsender");
  self->encoder = (TestEncoder *) gst_harness_find_element (
      self->h, "testencoder");
  gst_element_set_state (self->h->element, GST_STATE_READY);
  test_set_unit (self->sender, unit);
  gst_element_set_state (self->h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps_str (self->h, TEST_RTP_CAPS);
}

void
encoder_stream_start_with (EncoderStream *self, const gchar *settings)
{
  encoder_stream_start_in_unit (self, 1, settings);
}

/* As test_set_unit(). */
void
encoder_stream_set_change_cost (EncoderStream *self, gint cost)
{
  gst_child_proxy_set (
      GST_CHILD_PROXY (self->sender), "sink::encoder-change-cost", cost, NULL);
}

void
encoder_stream_start (EncoderStream *self)
{
  encoder_stream_start_with (self, "");
  encoder_stream_set_change_cost (self, 0);
}

void
encoder_stream_stop (EncoderStream *self)
{
  gst_object_unref (self->encoder);
  gst_object_unref (self->sender);
  gst_harness_teardown (self->h);
}

void
encoder_stream_push (EncoderStream *self)
{
  guint16 seqnum = self->seqnum++;

  g_assert_cmpint (
      gst_harness_push (self->h, test_rtp_packet (seqnum, seqnum * 3000u, 10)),
      ==, GST_FLOW_OK);
}

void
encoder_stream_set_target (GstElement *sender, guint rate)
{
  g_object_set (sender, "min-bitrate", rate, "max-bitrate", rate, NULL);
}

GstElement *
encoder_stream_get_encoder (gpointer object)
{
  GstElement *encoder;

  g_object_get (object, "encoder", &encoder, NULL);
  /* The caller has it anyway. */
  if (encoder != NULL)
    gst_object_unref (encoder);

  return encoder;
}

gint64
encoder_with_target (
    const gchar *sender, const gchar *line, const gchar *property, guint target)
{
  GstHarness *h = gst_harness_new_parse (sender);
  GstElement *gccsender = gst_harness_find_element (h, "gccsender");
  GstElement *encoder = gst_parse_launch_full (
      line, NULL, GST_PARSE_FLAG_FATAL_ERRORS, NULL);
  GValue rate = G_VALUE_INIT;
  gint64 result = -1;

  if (encoder != NULL) {
    gst_object_ref_sink (encoder);
    gst_element_set_state (h->element, GST_STATE_READY);
    g_object_set (gccsender, "encoder", encoder, "min-bitrate", 1, NULL);
    gst_element_set_state (h->element, GST_STATE_PLAYING);
    encoder_stream_set_target (gccsender, target);
    g_value_init (&rate, G_TYPE_INT64);
    g_object_get_property (G_OBJECT (encoder), property, &rate);
    result = g_value_get_int64 (&rate);
    gst_object_unref (encoder);
  }
  gst_object_unref (gccsender);
  gst_harness_teardown (h);

  return result;
}
