/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-gccscale
 * @title: gccscale
 * @short_description: Fits size and frame rate of video to the encoder's bitrate
 * @see_also: gccsender, videoscale, videorate
 *
 * Place it upstream of a video encoder that #gccsender controls. At a low
 * bitrate an encoder of large pictures sends few of them, and these late. This
 * element makes the pictures smaller, or takes fewer of them, until the bitrate
 * is enough, and takes that back when the bitrate has been higher for ten
 * seconds. #GccScale:degradation says which of the two.
 *
 * gccsender finds the element as it finds the encoder, and tells it the bitrate
 * in #GccScale:target-bitrate. An application that sets its encoders by itself
 * sets that property, too. While it is not set nothing changes.
 *
 * Steps are rare, because an encoder begins anew at each, with a key frame. In
 * between, and at bitrates that are enough for the source, buffers pass as they
 * are. Frames that are taken keep their timestamps, and none waits for another.
 *
 * An encoder that is too slow for the pictures gets less of them, too, whatever
 * the bitrate is. gccsender says so with a QoS event, and frames that are late
 * are left out at once. A minute later more is tried again.
 *
 * While gccsender pauses the encoder, which the event `GstGccPaused` says, all pictures
 * but the first are left out, and none is scaled.
 *
 * Where the encoder takes certain sizes only, the size is one that has the shape
 * of the picture. When there is none, the pixel-aspect-ratio in the caps is
 * changed, so that the picture is shown as it was.
 *
 * Only video in system memory is scaled. Of other memory frames can be left out,
 * so `maintain-resolution` is what to set there.
 *
 * ## Send a camera whose size follows the rate
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   v4l2src ! videoconvert ! gccscale ! vp8enc ! rtpvp8pay mtu=1200 \
 *      ! gccsender feedback=transport-cc manage=all ! rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0  ! udpsink host=RECEIVER port=5000 \
 *   rtp.send_rtcp_src_0 ! udpsink host=RECEIVER port=5001 async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]|
 *
 * Since: 0.2
 */

#include "gstgccscale.h"

#include <gst/gcc/output/gcc-degradation.h>
#include <gst/gcc/output/gcc-frame-rate.h>

#include "stream/gstgcccodec.h"
#include "support/gstgccsizes.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_STATIC (gst_gcc_scale_debug);
#define GST_CAT_DEFAULT gst_gcc_scale_debug

/* A field of caps. */
#define PIXELS "pixel-aspect-ratio"

#define DEFAULT_DEGRADATION GCC_DEGRADATION_BALANCED

enum {
  PROP_0,
  PROP_DEGRADATION,
  PROP_TARGET_BITRATE,
  PROP_WIDTH,
  PROP_HEIGHT,
  PROP_FRAMERATE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

/*
 * GstGccScale:
 * @preference: object lock
 * @target_bitrate: bit/s; 0: not known; object lock
 * @is_slow: whether the encoder is, since the last frame; object lock
 * @is_paused: whether the encoder is; object lock
 * @has_left: whether a picture has; a sink waits for the first one
 * @shown: what leaves; object lock
 * @degradation: the streaming thread's, as are those that follow
 * @frame_rate: which frames are taken
 * @interval: between those; 0: all are
 * @jitter: a frame that is early by no more is on time
 * @source: what comes in, zeros before that is known
 * @told: what the caps tell the encoder
 * @codec: of the encoder
 * @counts_frames: whether the encoder goes by the frame rate in its caps
 * @converter: (nullable): %NULL while the size stays
 */
struct _GstGccScale {
  GstVideoFilter parent;

  GccDegradationPreference preference;
  guint target_bitrate;
  gboolean is_slow;
  gboolean is_paused;
  GccVideoFormat shown;

  GccDegradation degradation;
  GccFrameRate frame_rate;
  GccTime interval;
  GccTime jitter;
  GccVideoFormat source;
  GccVideoFormat told;
  GccCodec codec;
  gboolean counts_frames;
  gboolean has_left;
  GstVideoConverter *converter;
};

#define CAPS \
  GST_VIDEO_CAPS_MAKE (GST_VIDEO_FORMATS_ALL) \
  ";" GST_VIDEO_CAPS_MAKE_WITH_FEATURES ("ANY", GST_VIDEO_FORMATS_ALL)

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE (
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (CAPS));

G_DEFINE_TYPE (GstGccScale, gst_gcc_scale, GST_TYPE_VIDEO_FILTER)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (gccscale, "gccscale", GST_RANK_NONE,
    GST_TYPE_GCC_SCALE,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_scale_debug, "gccscale", 0,
        "Size and frame rate that follow the bitrate"));

#define GST_TYPE_GCC_DEGRADATION (gst_gcc_degradation_get_type ())

static GType
gst_gcc_degradation_get_type (void)
{
  static const GEnumValue values[] = {
    { GCC_DEGRADATION_NONE, "Size and frame rate stay", "none" },
    { GCC_DEGRADATION_BALANCED,
        "The size falls first, then the frame rate, too", "balanced" },
    { GCC_DEGRADATION_MAINTAIN_FRAMERATE, "Only the size falls",
        "maintain-framerate" },
    { GCC_DEGRADATION_MAINTAIN_RESOLUTION, "Only the frame rate falls",
        "maintain-resolution" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_enum_register_static ("GstGccDegradation", values));

  return type;
}

/* --- caps --- */

static gboolean
is_in_system_memory (const GstCapsFeatures *features)
{
  return gst_caps_features_is_equal (
      features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
}

/* The least frame rate that @value holds, a fraction or a range of them. */
static gboolean
get_least_frame_rate (const GValue *value, gint *n, gint *d)
{
  const GValue *least = value;

  if (value != NULL &&
      g_type_check_value_holds (value, GST_TYPE_FRACTION_RANGE))
    least = gst_value_get_fraction_range_min (value);
  if (least == NULL || !g_type_check_value_holds (least, GST_TYPE_FRACTION))
    return FALSE;
  *n = gst_value_get_fraction_numerator (least);
  *d = gst_value_get_fraction_denominator (least);

  return TRUE;
}

static void
set_range (
    GstStructure *structure, gint min_n, gint min_d, gint max_n, gint max_d)
{
  /* a range of one fraction is none to GStreamer */
  if (gst_util_fraction_compare (min_n, min_d, max_n, max_d) < 0)
    gst_structure_set (structure, "framerate", GST_TYPE_FRACTION_RANGE, min_n,
        min_d, max_n, max_d, NULL);
}

/* Frames are left out, not made, and a frame rate that varies stays that. */
static void
widen_frame_rate (GstStructure *structure, GstPadDirection direction)
{
  const GValue *value = gst_structure_get_value (structure, "framerate");
  gint n, d;

  if (value == NULL || !get_least_frame_rate (value, &n, &d))
    return;
  if (direction == GST_PAD_SRC)
    set_range (structure, n, d, G_MAXINT, 1);
  else if (g_type_check_value_holds (value, GST_TYPE_FRACTION) && n > 0)
    set_range (structure, 1, G_MAXINT, n, d);
}

/* Pixels are what the source has where the encoder allows its shape of the
 * picture, so no more is asked of the source than of the encoder. */
static void
widen_pixels (GstStructure *structure, GstPadDirection direction)
{
  gst_structure_set (structure, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
  if (direction == GST_PAD_SINK)
    gst_structure_set (structure, PIXELS, GST_TYPE_FRACTION_RANGE, 1, G_MAXINT,
        G_MAXINT, 1, NULL);
}

static void
widen (GstStructure *structure, GstPadDirection direction, gboolean scales)
{
  widen_frame_rate (structure, direction);
  if (scales)
    widen_pixels (structure, direction);
}

static GstCaps *
gst_gcc_scale_transform_caps (GstBaseTransform *transform,
    GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  GstCaps *result = gst_caps_new_empty ();

  (void) transform;

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure = gst_structure_copy (
        gst_caps_get_structure (caps, i));
    GstCapsFeatures *features = gst_caps_get_features (caps, i);

    widen (structure, direction, is_in_system_memory (features));
    gst_caps_append_structure_full (
        result, structure, gst_caps_features_copy (features));
  }
  if (filter != NULL) {
    GstCaps *all = result;

    result = gst_caps_intersect_full (filter, all, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (all);
  }

  return result;
}

static gboolean
read_format (const GstCaps *caps, GccVideoFormat *format)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  gint width, height, n, d;

  if (!gst_structure_get_int (structure, "width", &width) ||
      !gst_structure_get_int (structure, "height", &height) || width <= 0 ||
      height <= 0)
    return FALSE;
  if (!gst_structure_get_fraction (structure, "framerate", &n, &d) || n < 0 ||
      d <= 0)
    n = 0, d = 1;
  *format = (GccVideoFormat){ (guint) width, (guint) height, (guint) n,
    (guint) d };

  return TRUE;
}

static GccVideoFormat
choose (GstGccScale *self)
{
  GccDegradationPreference preference;
  GccRate rate;
  gboolean is_slow;

  GST_OBJECT_LOCK (self);
  preference = self->preference;
  rate = self->target_bitrate > 0 ? (GccRate) self->target_bitrate
                                  : GCC_RATE_NONE;
  is_slow = self->is_slow;
  self->is_slow = FALSE;
  GST_OBJECT_UNLOCK (self);

  gcc_degradation_set_source (
      &self->degradation, preference, self->codec, &self->source);
  if (is_slow)
    gcc_degradation_lower (&self->degradation, gst_gcc_time_now ());
  gcc_degradation_update (&self->degradation, rate, gst_gcc_time_now ());

  return *gcc_degradation_get_format (&self->degradation);
}

static void
fixate_frame_rate (const GstGccScale *self, const GccVideoFormat *wanted,
    GstStructure *structure)
{
  const GccVideoFormat *rate = self->counts_frames && self->source.rate_n > 0
      ? wanted
      : &self->source;

  gst_structure_fixate_field_nearest_fraction (
      structure, "framerate", (gint) rate->rate_n, (gint) rate->rate_d);
}

/* Where the encoder has no size of the shape of @source, the pixels get another
 * shape, so that the picture is shown as it was. */
static void
fixate_pixels (const GccPictureSize *source, const GccPictureSize *size,
    const GstStructure *incoming, GstStructure *structure)
{
  gint n = 1, d = 1, wide_n, wide_d, high_n, high_d;

  if (!gst_structure_has_field (structure, PIXELS))
    return;
  gst_structure_get_fraction (incoming, PIXELS, &n, &d);
  if (!gcc_picture_size_has_shape (size, source) &&
      gst_util_fraction_multiply ((gint) source->width, (gint) size->width,
          (gint) size->height, (gint) source->height, &wide_n, &wide_d) &&
      gst_util_fraction_multiply (wide_n, wide_d, n, d, &high_n, &high_d)) {
    n = high_n;
    d = high_d;
  }
  gst_structure_fixate_field_nearest_fraction (structure, PIXELS, n, d);
}

/* To what @structure allows that is best, which is returned. */
static GccPictureSize
fixate_structure (const GstGccScale *self, const GccVideoFormat *wanted,
    const GstStructure *incoming, GstStructure *structure)
{
  const GccPictureSize source = { self->source.width, self->source.height };
  const GccPictureSize to = { wanted->width, wanted->height };
  GccPictureSize size = gst_gcc_sizes_choose (structure, &source, &to);

  gst_structure_set (structure, "width", G_TYPE_INT, (gint) size.width,
      "height", G_TYPE_INT, (gint) size.height, NULL);
  fixate_pixels (&source, &size, incoming, structure);
  fixate_frame_rate (self, wanted, structure);

  return size;
}

/* An encoder may list the sizes that it takes. */
static GstCaps *
fixate_to (const GstGccScale *self, const GccVideoFormat *wanted,
    const GstCaps *incoming, GstCaps *allowed)
{
  const GccPictureSize source = { self->source.width, self->source.height };
  const GccPictureSize to = { wanted->width, wanted->height };
  GccPictureSize best = { 0, 0 };
  guint chosen = 0;

  allowed = gst_caps_make_writable (allowed);
  for (guint i = 0; i < gst_caps_get_size (allowed); i++) {
    GccPictureSize size = fixate_structure (self, wanted,
        gst_caps_get_structure (incoming, 0),
        gst_caps_get_structure (allowed, i));

    if (i > 0 && !gcc_picture_size_is_better (&size, &best, &source, &to))
      continue;
    best = size;
    chosen = i;
  }
  while (chosen-- > 0)
    gst_caps_remove_structure (allowed, 0);

  return gst_caps_fixate (gst_caps_truncate (allowed));
}

/* In the streaming thread, when caps come in or a step is made. */
static GstCaps *
gst_gcc_scale_fixate_caps (GstBaseTransform *transform,
    GstPadDirection direction, GstCaps *caps, GstCaps *othercaps)
{
  GstGccScale *self = GST_GCC_SCALE (transform);
  GccVideoFormat source, wanted;

  if (direction != GST_PAD_SINK || !read_format (caps, &source))
    return gst_caps_fixate (othercaps);

  if (!gcc_video_format_is_equal (&source, &self->source))
    gcc_frame_rate_init (&self->frame_rate);
  self->source = source;
  gst_gcc_codec_find (
      GST_BASE_TRANSFORM_SRC_PAD (self), &self->codec, &self->counts_frames);
  wanted = choose (self);

  return fixate_to (self, &wanted, caps, othercaps);
}

/* --- what leaves --- */

static GccTime
get_interval (guint n, guint d)
{
  return n > 0 ? (GccTime) gst_util_uint64_scale_round (GCC_SECOND, d, n) : 0;
}

/* Notifies of what is another, with no lock held. */
static void
show (GstGccScale *self, const GccVideoFormat *format)
{
  GccVideoFormat before;

  GST_OBJECT_LOCK (self);
  before = self->shown;
  self->shown = *format;
  GST_OBJECT_UNLOCK (self);

  if (before.width != format->width)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WIDTH]);
  if (before.height != format->height)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HEIGHT]);
  if (before.rate_n != format->rate_n || before.rate_d != format->rate_d)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRAMERATE]);
}

/* The caps have a size and a frame rate; of frames, fewer may leave. */
static void
set_output (GstGccScale *self)
{
  const GccVideoFormat *wanted = gcc_degradation_get_format (
      &self->degradation);
  GccTime came = get_interval (self->source.rate_n, self->source.rate_d);
  GccTime told = get_interval (self->told.rate_n, self->told.rate_d);
  GccTime left = get_interval (wanted->rate_n, wanted->rate_d);
  GccVideoFormat format = self->told;

  if (told <= left) {
    format.rate_n = wanted->rate_n;
    format.rate_d = wanted->rate_d;
  }
  self->interval = MAX (left, told);
  if (self->interval <= came)
    self->interval = 0;
  self->jitter = came > 0 ? came / 2 : self->interval / 4;
  show (self, &format);
}

/* From the pictures of @in to those of another size, as @out has it. */
static GstVideoConverter *
new_converter (const GstVideoInfo *in, const GstVideoInfo *out)
{
  GstVideoInfo from = *in, to = *out;

  /* by default colors depend on the size, and a converter knows no times */
  to.colorimetry = in->colorimetry;
  to.chroma_site = in->chroma_site;
  to.fps_n = in->fps_n;
  to.fps_d = in->fps_d;
  to.par_n = in->par_n;
  to.par_d = in->par_d;

  return gst_video_converter_new (&from, &to,
      gst_structure_new ("gccscale", GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
          GST_TYPE_VIDEO_RESAMPLER_METHOD, GST_VIDEO_RESAMPLER_METHOD_CUBIC,
          NULL));
}

static gboolean
gst_gcc_scale_set_info (GstVideoFilter *filter, GstCaps *incaps,
    GstVideoInfo *in, GstCaps *outcaps, GstVideoInfo *out)
{
  GstGccScale *self = GST_GCC_SCALE (filter);
  gboolean stays = in->width == out->width && in->height == out->height;

  (void) incaps;

  g_clear_pointer (&self->converter, gst_video_converter_free);
  if (!stays) {
    self->converter = new_converter (in, out);
    if (self->converter == NULL)
      return FALSE;
  }
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), stays);
  self->told = (GccVideoFormat){ (guint) out->width, (guint) out->height,
    (guint) MAX (out->fps_n, 0), (guint) MAX (out->fps_d, 1) };
  set_output (self);
  GST_INFO_OBJECT (
      self, "%dx%d becomes %" GST_PTR_FORMAT, in->width, in->height, outcaps);

  return TRUE;
}

static GstFlowReturn
gst_gcc_scale_transform_frame (
    GstVideoFilter *filter, GstVideoFrame *in, GstVideoFrame *out)
{
  gst_video_converter_frame (GST_GCC_SCALE (filter)->converter, in, out);

  return GST_FLOW_OK;
}

/* --- frames --- */

/* At a step the caps are chosen anew with the next frame, which is taken. */
static void
look_at_rate (GstGccScale *self)
{
  GccVideoFormat before = *gcc_degradation_get_format (&self->degradation);
  GccVideoFormat after = choose (self);

  if (gcc_video_format_is_equal (&before, &after))
    return;
  GST_INFO_OBJECT (self, "from %ux%u at %u/%u to %ux%u at %u/%u", before.width,
      before.height, before.rate_n, before.rate_d, after.width, after.height,
      after.rate_n, after.rate_d);
  gcc_frame_rate_init (&self->frame_rate);
  /* another frame rate may leave the caps what they are */
  set_output (self);
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
}

static gboolean
is_paused (GstGccScale *self)
{
  gboolean is_paused;

  GST_OBJECT_LOCK (self);
  is_paused = self->is_paused;
  GST_OBJECT_UNLOCK (self);

  return is_paused;
}

static gboolean
takes (GstGccScale *self, GstBuffer *buffer)
{
  GstClockTime time = GST_BUFFER_PTS (buffer);

  if (self->has_left && is_paused (self))
    return FALSE;

  return gcc_frame_rate_takes (&self->frame_rate,
      GST_CLOCK_TIME_IS_VALID (time) ? (GccTime) GST_TIME_AS_USECONDS (time)
                                     : GCC_TIME_NONE,
      self->interval, self->jitter);
}

/* A buffer that is not handed on to the base class is left out. */
static GstFlowReturn
gst_gcc_scale_submit_input_buffer (
    GstBaseTransform *transform, gboolean is_discont, GstBuffer *buffer)
{
  GstGccScale *self = GST_GCC_SCALE (transform);

  if (self->source.width > 0)
    look_at_rate (self);
  if (!takes (self, buffer)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }
  self->has_left = TRUE;

  return GST_BASE_TRANSFORM_CLASS (gst_gcc_scale_parent_class)
      ->submit_input_buffer (transform, is_discont, buffer);
}

static void
follow_pause (GstGccScale *self, const GstStructure *structure)
{
  gboolean is_paused;

  if (!gst_structure_get_boolean (structure, "paused", &is_paused))
    return;
  GST_OBJECT_LOCK (self);
  self->is_paused = is_paused;
  GST_OBJECT_UNLOCK (self);
}

/* Of an encoder that is too slow; the base class leaves out frames that are late. */
static gboolean
gst_gcc_scale_src_event (GstBaseTransform *transform, GstEvent *event)
{
  GstGccScale *self = GST_GCC_SCALE (transform);
  gdouble proportion = 0.;

  if (gst_event_has_name (event, "GstGccPaused"))
    follow_pause (self, gst_event_get_structure (event));
  if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
    gst_event_parse_qos (event, NULL, &proportion, NULL, NULL);
  if (proportion > 1.) {
    GST_OBJECT_LOCK (self);
    self->is_slow = TRUE;
    GST_OBJECT_UNLOCK (self);
  }

  return GST_BASE_TRANSFORM_CLASS (gst_gcc_scale_parent_class)
      ->src_event (transform, event);
}

/* --- states --- */

static void
reset (GstGccScale *self)
{
  gcc_degradation_init (&self->degradation);
  gcc_frame_rate_init (&self->frame_rate);
  self->interval = 0;
  self->jitter = 0;
  self->source = (GccVideoFormat){ 0 };
  self->told = (GccVideoFormat){ 0 };
  self->is_slow = FALSE;
  self->is_paused = FALSE;
  self->has_left = FALSE;
  g_clear_pointer (&self->converter, gst_video_converter_free);
}

/* At the start and at the stop. */
static gboolean
gst_gcc_scale_reset (GstBaseTransform *transform)
{
  reset (GST_GCC_SCALE (transform));

  return TRUE;
}

/* --- properties --- */

static void
gst_gcc_scale_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccScale *self = GST_GCC_SCALE (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_DEGRADATION:
      self->preference = (GccDegradationPreference) g_value_get_enum (value);
      break;
    case PROP_TARGET_BITRATE:
      self->target_bitrate = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_scale_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccScale *self = GST_GCC_SCALE (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_DEGRADATION:
      g_value_set_enum (value, (gint) self->preference);
      break;
    case PROP_TARGET_BITRATE:
      g_value_set_uint (value, self->target_bitrate);
      break;
    case PROP_WIDTH:
      g_value_set_uint (value, self->shown.width);
      break;
    case PROP_HEIGHT:
      g_value_set_uint (value, self->shown.height);
      break;
    case PROP_FRAMERATE:
      gst_value_set_fraction (
          value, (gint) self->shown.rate_n, (gint) self->shown.rate_d);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_scale_finalize (GObject *object)
{
  reset (GST_GCC_SCALE (object));
  G_OBJECT_CLASS (gst_gcc_scale_parent_class)->finalize (object);
}

static void
make_properties (void)
{
  GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GParamFlags writable = readable | G_PARAM_WRITABLE |
      GST_PARAM_MUTABLE_PLAYING;

  properties[PROP_DEGRADATION] = g_param_spec_enum ("degradation",
      "Degradation", "This quality is given up when the bitrate is too low.",
      GST_TYPE_GCC_DEGRADATION, DEFAULT_DEGRADATION, writable);
  properties[PROP_TARGET_BITRATE] = g_param_spec_uint ("target-bitrate",
      "Target bitrate",
      "The encoder downstream has this rate in bit/s, as gccsender sets it. With 0 it is not known, and nothing changes.",
      0, G_MAXUINT, 0, writable);
  properties[PROP_WIDTH] = g_param_spec_uint ("width", "Width",
      "The pictures that leave have this width in pixels; 0 is not known yet.",
      0, G_MAXUINT, 0, readable);
  properties[PROP_HEIGHT] = g_param_spec_uint ("height", "Height",
      "The pictures that leave have this height in pixels; 0 is not known yet.",
      0, G_MAXUINT, 0, readable);
  properties[PROP_FRAMERATE] = gst_param_spec_fraction ("framerate",
      "Frame rate",
      "Pictures leave at this rate in frames per second at most; 0/1 is that of a source whose frame rate varies, or not known yet.",
      0, 1, G_MAXINT, 1, 0, 1, readable);
}

static void
install_properties (GObjectClass *klass)
{
  klass->set_property = gst_gcc_scale_set_property;
  klass->get_property = gst_gcc_scale_get_property;
  make_properties ();
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_DEGRADATION, 0);
}

static void
gst_gcc_scale_class_init (GstGccScaleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstVideoFilterClass *filter_class = GST_VIDEO_FILTER_CLASS (klass);

  object_class->finalize = gst_gcc_scale_finalize;
  install_properties (object_class);

  transform_class->transform_caps = gst_gcc_scale_transform_caps;
  transform_class->fixate_caps = gst_gcc_scale_fixate_caps;
  transform_class->submit_input_buffer = gst_gcc_scale_submit_input_buffer;
  transform_class->src_event = gst_gcc_scale_src_event;
  transform_class->start = gst_gcc_scale_reset;
  transform_class->stop = gst_gcc_scale_reset;
  filter_class->set_info = gst_gcc_scale_set_info;
  filter_class->transform_frame = gst_gcc_scale_transform_frame;

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "GCC scaler",
      "Filter/Effect/Video/Scaler",
      "Fits size and frame rate of video to the bitrate of the encoder "
      "downstream, which gccsender sets",
      "The gst-gcc authors");
}

static void
gst_gcc_scale_init (GstGccScale *self)
{
  self->preference = DEFAULT_DEGRADATION;
  self->shown = (GccVideoFormat){ 0, 0, 0, 1 };
  reset (self);
}
