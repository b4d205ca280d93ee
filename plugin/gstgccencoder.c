/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccencoder.h"

#include <string.h>

#include "gstgccwalk.h"

typedef struct {
  const gchar *factory;
  const gchar *property;
  guint bits_per_unit;
  const gchar *settings;
} EncoderType;

/* What a conversation wants of an encoder: constant bitrate over a third of a
 * second (over a whole one it takes seconds to follow a target that halves),
 * no look-ahead, key frames only when asked for, and frames dropped rather than
 * sent late. docs/encoder.md measures them. */
#define VPX_SETTINGS \
  "deadline=1 end-usage=cbr lag-in-frames=0 keyframe-max-dist=3000 " \
  "buffer-size=300 buffer-initial-size=150 buffer-optimal-size=200 " \
  "undershoot=100 overshoot=15 max-quantizer=56 min-quantizer=2 " \
  "dropframe-threshold=30 resize-allowed=false"

#define X264_SETTINGS \
  "tune=zerolatency bframes=0 key-int-max=3000 vbv-buf-capacity=300"

#define OPENH264_SETTINGS \
  "rate-control=bitrate usage-type=camera enable-frame-skip=true " \
  "gop-size=3000"

#define AV1_SETTINGS \
  "usage-profile=realtime end-usage=cbr lag-in-frames=0 " \
  "keyframe-max-dist=3000 buf-sz=300 buf-initial-sz=150 buf-optimal-sz=200 " \
  "drop-frame=30"

/* Encoders whose bitrate takes effect while they run, with the unit of the
 * property, which GStreamer's encoders do not agree on: bit/s or kbit/s. */
static const EncoderType encoder_types[] = {
  { "vp8enc", "target-bitrate", 1, VPX_SETTINGS " max-intra-bitrate=900" },
  { "vp9enc", "target-bitrate", 1, VPX_SETTINGS },
  { "x264enc", "bitrate", 1000, X264_SETTINGS },
  { "x265enc", "bitrate", 1000, NULL },
  { "openh264enc", "bitrate", 1, OPENH264_SETTINGS },
  { "av1enc", "target-bitrate", 1000, AV1_SETTINGS },
  { "svtav1enc", "target-bitrate", 1000, NULL },
  { "vah264enc", "bitrate", 1000, NULL },
  { "vah264lpenc", "bitrate", 1000, NULL },
  { "vah265enc", "bitrate", 1000, NULL },
  { "vah265lpenc", "bitrate", 1000, NULL },
  { "vaapih264enc", "bitrate", 1000, NULL },
  { "vaapih265enc", "bitrate", 1000, NULL },
  { "vaapivp8enc", "bitrate", 1000, NULL },
  { "vaapivp9enc", "bitrate", 1000, NULL },
  { "nvh264enc", "bitrate", 1000, NULL },
  { "nvh265enc", "bitrate", 1000, NULL },
  { "nvcudah264enc", "bitrate", 1000, NULL },
  { "nvcudah265enc", "bitrate", 1000, NULL },
  { "nvautogpuh264enc", "bitrate", 1000, NULL },
  { "nvautogpuh265enc", "bitrate", 1000, NULL },
  { "nvv4l2h264enc", "bitrate", 1, NULL },
  { "nvv4l2h265enc", "bitrate", 1, NULL },
  { "nvv4l2vp8enc", "bitrate", 1, NULL },
  { "nvv4l2vp9enc", "bitrate", 1, NULL },
  { "qsvh264enc", "bitrate", 1000, NULL },
  { "qsvh265enc", "bitrate", 1000, NULL },
  { "qsvvp9enc", "bitrate", 1000, NULL },
  { "qsvav1enc", "bitrate", 1000, NULL },
  { "msdkh264enc", "bitrate", 1000, NULL },
  { "msdkh265enc", "bitrate", 1000, NULL },
  { "amfh264enc", "bitrate", 1000, NULL },
  { "amfh265enc", "bitrate", 1000, NULL },
  { "vtenc_h264", "bitrate", 1000, NULL },
  { "vtenc_h264_hw", "bitrate", 1000, NULL },
  { "vtenc_h265", "bitrate", 1000, NULL },
  { "vtenc_h265_hw", "bitrate", 1000, NULL },
  { "mfh264enc", "bitrate", 1000, NULL },
  { "mfh265enc", "bitrate", 1000, NULL },
};

static const EncoderType *
find_type (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory == NULL)
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (encoder_types); i++)
    if (g_str_equal (GST_OBJECT_NAME (factory), encoder_types[i].factory))
      return &encoder_types[i];

  return NULL;
}

static gboolean
has_property (GstElement *element, const gchar *name)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), name);

  return pspec != NULL && (pspec->flags & G_PARAM_WRITABLE) != 0;
}

static gboolean
is_encoder (GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  (void) user_data;

  return find_type (element) != NULL ||
      (factory != NULL &&
          gst_element_factory_list_is_type (
              factory, GST_ELEMENT_FACTORY_TYPE_VIDEO_ENCODER));
}

GstElement *
gst_gcc_encoder_find (GstPad *sinkpad)
{
  return gst_gcc_walk_find (sinkpad, is_encoder, NULL);
}

gboolean
gst_gcc_encoder_use (
    GstGccEncoder *self, GstElement *element, guint fallback_unit)
{
  const EncoderType *type = find_type (element);
  const gchar *property = type != NULL ? type->property : "bitrate";
  guint bits_per_unit = type != NULL ? type->bits_per_unit : fallback_unit;

  if (bits_per_unit == 0 || !has_property (element, property))
    return FALSE;

  gst_object_replace ((GstObject **) &self->element, GST_OBJECT (element));
  self->property = property;
  self->bits_per_unit = bits_per_unit;
  self->settings = type != NULL ? type->settings : NULL;

  return TRUE;
}

void
gst_gcc_encoder_release (GstGccEncoder *self)
{
  gst_clear_object (&self->element);
}

gboolean
gst_gcc_encoder_configure (GstGccEncoder *self)
{
  gchar **settings;

  if (self->settings == NULL)
    return FALSE;

  settings = g_strsplit (self->settings, " ", -1);
  for (gchar **setting = settings; *setting != NULL; setting++) {
    gchar *value = strchr (*setting, '=');

    /* What an older version of the encoder lacks is left out. */
    *value++ = '\0';
    if (has_property (self->element, *setting))
      gst_util_set_object_arg (G_OBJECT (self->element), *setting, value);
  }
  g_strfreev (settings);

  return TRUE;
}

guint
gst_gcc_encoder_get_pixels (GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstCaps *caps = pad != NULL ? gst_pad_get_current_caps (pad) : NULL;
  gint width = 0, height = 0;

  if (caps != NULL) {
    const GstStructure *structure = gst_caps_get_structure (caps, 0);

    gst_structure_get_int (structure, "width", &width);
    gst_structure_get_int (structure, "height", &height);
    gst_caps_unref (caps);
  }
  gst_clear_object (&pad);

  return width > 0 && height > 0 ? (guint) width * (guint) height : 0;
}

void
gst_gcc_encoder_set_bitrate (GstGccEncoder *self, GccRate bitrate)
{
  GValue value = G_VALUE_INIT;

  /* GObject converts to the property's own integer type and brings the value
   * into its range. */
  g_value_init (&value, G_TYPE_INT64);
  g_value_set_int64 (&value, bitrate / self->bits_per_unit);
  g_object_set_property (G_OBJECT (self->element), self->property, &value);
  g_value_unset (&value);
}
