/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccencoder.h"

#include "gstgccwalk.h"

typedef struct {
  const gchar *factory;
  const gchar *property;
  guint bits_per_unit;
} EncoderType;

/* Encoders whose bitrate takes effect while they run, with the unit of the
 * property, which GStreamer's encoders do not agree on: bit/s or kbit/s. */
static const EncoderType encoder_types[] = {
  { "vp8enc", "target-bitrate", 1 },
  { "vp9enc", "target-bitrate", 1 },
  { "x264enc", "bitrate", 1000 },
  { "x265enc", "bitrate", 1000 },
  { "openh264enc", "bitrate", 1 },
  { "av1enc", "target-bitrate", 1000 },
  { "svtav1enc", "target-bitrate", 1000 },
  { "vah264enc", "bitrate", 1000 },
  { "vah264lpenc", "bitrate", 1000 },
  { "vah265enc", "bitrate", 1000 },
  { "vah265lpenc", "bitrate", 1000 },
  { "vaapih264enc", "bitrate", 1000 },
  { "vaapih265enc", "bitrate", 1000 },
  { "vaapivp8enc", "bitrate", 1000 },
  { "vaapivp9enc", "bitrate", 1000 },
  { "nvh264enc", "bitrate", 1000 },
  { "nvh265enc", "bitrate", 1000 },
  { "nvcudah264enc", "bitrate", 1000 },
  { "nvcudah265enc", "bitrate", 1000 },
  { "nvautogpuh264enc", "bitrate", 1000 },
  { "nvautogpuh265enc", "bitrate", 1000 },
  { "nvv4l2h264enc", "bitrate", 1 },
  { "nvv4l2h265enc", "bitrate", 1 },
  { "nvv4l2vp8enc", "bitrate", 1 },
  { "nvv4l2vp9enc", "bitrate", 1 },
  { "qsvh264enc", "bitrate", 1000 },
  { "qsvh265enc", "bitrate", 1000 },
  { "qsvvp9enc", "bitrate", 1000 },
  { "qsvav1enc", "bitrate", 1000 },
  { "msdkh264enc", "bitrate", 1000 },
  { "msdkh265enc", "bitrate", 1000 },
  { "amfh264enc", "bitrate", 1000 },
  { "amfh265enc", "bitrate", 1000 },
  { "vtenc_h264", "bitrate", 1000 },
  { "vtenc_h264_hw", "bitrate", 1000 },
  { "vtenc_h265", "bitrate", 1000 },
  { "vtenc_h265_hw", "bitrate", 1000 },
  { "mfh264enc", "bitrate", 1000 },
  { "mfh265enc", "bitrate", 1000 },
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

  return TRUE;
}

void
gst_gcc_encoder_release (GstGccEncoder *self)
{
  gst_clear_object (&self->element);
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
