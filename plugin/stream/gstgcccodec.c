/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgcccodec.h"

#include "session/gstgccwalk.h"
#include "stream/gstgccencoder.h"

static const struct {
  const gchar *media_type;
  GccCodec codec;
} codecs[] = {
  { "video/x-vp8", GCC_CODEC_VP8 },
  { "video/x-vp9", GCC_CODEC_VP9 },
  { "video/x-h264", GCC_CODEC_H264 },
  { "video/x-h265", GCC_CODEC_H265 },
  { "video/x-av1", GCC_CODEC_AV1 },
};

/* These go by the timestamps of frames. Of 200 kbit/s, with half of the frame
 * rate of their caps, they make 195 to 200; x264enc makes 96 and x265enc
 * 107. */
static const gchar *const timestamp_encoders[] = { "vp8enc", "vp9enc", "av1enc",
  "openh264enc", NULL };

static GccCodec
get_codec (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);

    for (guint j = 0; j < G_N_ELEMENTS (codecs); j++)
      if (gst_structure_has_name (structure, codecs[j].media_type))
        return codecs[j].codec;
  }

  return GCC_CODEC_VP8;
}

static GccCodec
get_codec_of (GstElement *encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "src");
  GstCaps *caps = pad != NULL ? gst_pad_get_pad_template_caps (pad) : NULL;
  GccCodec codec = caps != NULL ? get_codec (caps) : GCC_CODEC_VP8;

  gst_clear_caps (&caps);
  gst_clear_object (&pad);

  return codec;
}

static gboolean
goes_by_timestamps (GstElement *encoder)
{
  GstElementFactory *factory = gst_element_get_factory (encoder);

  return factory != NULL &&
      g_strv_contains (timestamp_encoders, GST_OBJECT_NAME (factory));
}

void
gst_gcc_codec_find (GstPad *srcpad, GccCodec *codec, gboolean *counts_frames)
{
  GstElement *encoder = gst_gcc_walk_find (
      srcpad, gst_gcc_encoder_is_encoder, NULL);

  *codec = GCC_CODEC_VP8;
  *counts_frames = TRUE;
  if (encoder == NULL)
    return;

  *codec = get_codec_of (encoder);
  *counts_frames = !goes_by_timestamps (encoder);
  gst_object_unref (encoder);
}
