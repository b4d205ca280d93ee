/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-rmcatvideomodel
 * @title: rmcatvideomodel
 * @short_description: The traffic of a video encoder, without video
 * @see_also: gccsender, vp8enc
 *
 * A live source in place of a camera and an encoder, for the many calls in
 * which only the traffic matters: frames of the sizes and at the times that the
 * statistical model of RFC 8593, section 5, gives for
 * #GstRmcatVideoModel:bitrate.
 *
 * Each buffer has the header of a VP8 frame, and zeros behind it: rtpvp8pay
 * makes of it the packets it makes of a real frame of that size, but nothing
 * can be decoded. The first frame of a burst is a key frame.
 *
 * Encoders differ from the model: they follow their bitrate late, make large key
 * frames at intervals, start over at each change, or miss their target.
 * #GstRmcatVideoModel:late and the properties after it make it one of these.
 *
 * The size of a frame is drawn when the one before it has left. An encoder
 * that takes a frame interval for its work does the same.
 *
 * ## A call without a camera
 *
 * |[
 * gst-launch-1.0 rtpbin name=rtp rtp-profile=avpf \
 *   rmcatvideomodel seed=7 ! rtpvp8pay ! gccsender sink::encoder-bitrate-unit=1 ! \
 *     rtp.send_rtp_sink_0 \
 *   rtp.send_rtp_src_0 ! udpsink host=192.0.2.2 port=5000 \
 *   rtp.send_rtcp_src_0 ! \
 *     udpsink host=192.0.2.2 port=5001 sync=false async=false \
 *   udpsrc port=5005 ! rtp.recv_rtcp_sink_0
 * ]|
 */

#include <gst/base/gstpushsrc.h>

#include "gstdeviceclock.h"
#include "video-traffic-model.h"

GST_DEBUG_CATEGORY_STATIC (model_debug);
#define GST_CAT_DEFAULT model_debug

#define WIDTH 640
#define HEIGHT 360

/* RFC 6386, section 9.1 */
#define KEY_HEADER_BYTES 10
#define HEADER_BYTES 3
#define MAX_PARTITION_BYTES ((1 << 19) - 1)
/* Bytes that the payloader reads behind a header, and a few more */
#define LEAST_FRAME_BYTES 32

#define DEFAULT_BITRATE 300000
#define DEFAULT_SEED 1
#define DEFAULT_FRAMERATE_N 30
#define DEFAULT_FRAMERATE_D 1
/* R_min and R_max of RFC 8593, table 1 */
#define DEFAULT_MIN_BITRATE 150000
#define DEFAULT_MAX_BITRATE 1500000
#define DEFAULT_RATE_FACTOR 1.
#define MIN_RATE_FACTOR 0.1
#define MAX_RATE_FACTOR 10.
/* ms */
#define DEFAULT_LATE 0
#define MAX_LATE 60000
#define DEFAULT_KEY_FRAME_INTERVAL 0
#define MAX_KEY_FRAME_INTERVAL 3600000
#define MAX_KEY_FRAME_BYTES 10000000
#define DEFAULT_KEY_FRAME_AT_CHANGE FALSE

enum {
  PROP_0,
  PROP_BITRATE,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_FRAMERATE,
  PROP_SEED,
  PROP_RATE_FACTOR,
  PROP_LATE,
  PROP_KEY_FRAME_BYTES,
  PROP_KEY_FRAME_INTERVAL,
  PROP_KEY_FRAME_AT_CHANGE,
};

#define GST_TYPE_RMCAT_VIDEO_MODEL (gst_rmcat_video_model_get_type ())
G_DECLARE_FINAL_TYPE (GstRmcatVideoModel, gst_rmcat_video_model, GST,
    RMCAT_VIDEO_MODEL, GstPushSrc)

struct _GstRmcatVideoModel {
  GstPushSrc parent;

  /* properties, under the object lock */
  guint bitrate;
  guint min_bitrate;
  guint max_bitrate;
  gint framerate_n, framerate_d;
  guint seed;
  gdouble rate_factor;
  guint late;
  guint key_frame_bytes;
  guint key_frame_interval;
  gboolean key_frame_at_change;

  /* for the streaming thread only, while it runs */
  VideoTrafficModel model;
  GstClockTime next;
};

G_DEFINE_TYPE (GstRmcatVideoModel, gst_rmcat_video_model, GST_TYPE_PUSH_SRC)
GST_ELEMENT_REGISTER_DECLARE (rmcatvideomodel);
GST_ELEMENT_REGISTER_DEFINE (rmcatvideomodel, "rmcatvideomodel", GST_RANK_NONE,
    GST_TYPE_RMCAT_VIDEO_MODEL);

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (
        "video/x-vp8, profile=(string)0, "
        "width=(int)" G_STRINGIFY (WIDTH) ", "
                                          "height=(int)" G_STRINGIFY (HEIGHT)));

static VideoTrafficParams
get_params (const GstRmcatVideoModel *self)
{
  return (VideoTrafficParams){
    .frame_rate = (gdouble) self->framerate_n / self->framerate_d,
    .min_rate = self->min_bitrate,
    .max_rate = self->max_bitrate,
    .rate_factor = self->rate_factor,
    .late_us = self->late * G_GINT64_CONSTANT (1000),
    .key_bytes = self->key_frame_bytes,
    .key_interval_us = self->key_frame_interval * G_GINT64_CONSTANT (1000),
    .starts_over = self->key_frame_at_change,
  };
}

static gboolean
start (GstBaseSrc *src)
{
  GstRmcatVideoModel *self = GST_RMCAT_VIDEO_MODEL (src);
  VideoTrafficParams params = get_params (self);

  if (self->min_bitrate > self->max_bitrate) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
        ("min-bitrate %u is above max-bitrate %u", self->min_bitrate,
            self->max_bitrate));
    return FALSE;
  }
  video_traffic_model_init (&self->model, self->seed, &params);
  self->next = 0;

  return TRUE;
}

static gboolean
stop (GstBaseSrc *src)
{
  video_traffic_model_clear (&GST_RMCAT_VIDEO_MODEL (src)->model);

  return TRUE;
}

/* The base class waits for the time of a live source's buffers. */
static void
get_times (
    GstBaseSrc *src, GstBuffer *buffer, GstClockTime *begin, GstClockTime *end)
{
  (void) src;

  *begin = GST_BUFFER_PTS (buffer);
  *end = *begin + GST_BUFFER_DURATION (buffer);
}

/* A shown frame with one partition of coefficients: zeros in the header mean
 * that, and everything else that is plain. */
static void
write_vp8_header (guint8 *data, gsize bytes, gboolean key)
{
  gsize header = key ? KEY_HEADER_BYTES : HEADER_BYTES;
  gsize first_partition = MIN ((bytes - header) / 4, MAX_PARTITION_BYTES);
  guint tag = (key ? 0 : 1) | 1 << 4 | (guint) first_partition << 5;

  GST_WRITE_UINT24_LE (data, tag);
  if (key) {
    GST_WRITE_UINT24_BE (data + 3, 0x9d012a);
    GST_WRITE_UINT16_LE (data + 6, WIDTH);
    GST_WRITE_UINT16_LE (data + 8, HEIGHT);
  }
}

static GstBuffer *
new_vp8_frame (gsize bytes, gboolean key)
{
  guint8 *data;

  bytes = MAX (bytes, LEAST_FRAME_BYTES);
  data = g_malloc0 (bytes);
  write_vp8_header (data, bytes, key);

  return gst_buffer_new_wrapped (data, bytes);
}

static GstFlowReturn
create (GstPushSrc *src, GstBuffer **buffer)
{
  GstRmcatVideoModel *self = GST_RMCAT_VIDEO_MODEL (src);
  VideoTrafficFrame frame;
  guint bitrate;

  GST_OBJECT_LOCK (self);
  bitrate = self->bitrate;
  GST_OBJECT_UNLOCK (self);

  frame = video_traffic_model_next (
      &self->model, bitrate, (gint64) (self->next / GST_USECOND));

  *buffer = new_vp8_frame (frame.bytes, frame.is_key);
  GST_BUFFER_PTS (*buffer) = self->next;
  GST_BUFFER_DURATION (*buffer) = (guint64) frame.interval_us * GST_USECOND;
  if (!frame.is_key)
    GST_BUFFER_FLAG_SET (*buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  self->next += GST_BUFFER_DURATION (*buffer);

  return GST_FLOW_OK;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstRmcatVideoModel *self = GST_RMCAT_VIDEO_MODEL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_BITRATE:
      self->bitrate = g_value_get_uint (value);
      break;
    case PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_FRAMERATE:
      self->framerate_n = gst_value_get_fraction_numerator (value);
      self->framerate_d = gst_value_get_fraction_denominator (value);
      break;
    case PROP_SEED:
      self->seed = g_value_get_uint (value);
      break;
    case PROP_RATE_FACTOR:
      self->rate_factor = g_value_get_double (value);
      break;
    case PROP_LATE:
      self->late = g_value_get_uint (value);
      break;
    case PROP_KEY_FRAME_BYTES:
      self->key_frame_bytes = g_value_get_uint (value);
      break;
    case PROP_KEY_FRAME_INTERVAL:
      self->key_frame_interval = g_value_get_uint (value);
      break;
    case PROP_KEY_FRAME_AT_CHANGE:
      self->key_frame_at_change = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstRmcatVideoModel *self = GST_RMCAT_VIDEO_MODEL (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_BITRATE:
      g_value_set_uint (value, self->bitrate);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case PROP_FRAMERATE:
      gst_value_set_fraction (value, self->framerate_n, self->framerate_d);
      break;
    case PROP_SEED:
      g_value_set_uint (value, self->seed);
      break;
    case PROP_RATE_FACTOR:
      g_value_set_double (value, self->rate_factor);
      break;
    case PROP_LATE:
      g_value_set_uint (value, self->late);
      break;
    case PROP_KEY_FRAME_BYTES:
      g_value_set_uint (value, self->key_frame_bytes);
      break;
    case PROP_KEY_FRAME_INTERVAL:
      g_value_set_uint (value, self->key_frame_interval);
      break;
    case PROP_KEY_FRAME_AT_CHANGE:
      g_value_set_boolean (value, self->key_frame_at_change);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_rmcat_video_model_class_init (GstRmcatVideoModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSrcClass *base_class = GST_BASE_SRC_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  const GParamFlags ready = flags | GST_PARAM_MUTABLE_READY;

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  base_class->start = start;
  base_class->stop = stop;
  base_class->get_times = get_times;
  GST_PUSH_SRC_CLASS (klass)->create = create;

  g_object_class_install_property (object_class, PROP_BITRATE,
      g_param_spec_uint ("bitrate", "Bitrate",
          "R_v, the rate asked for in bit/s, without packet headers", 1,
          G_MAXUINT, DEFAULT_BITRATE, flags | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (object_class, PROP_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Lowest bitrate",
          "R_min, the lowest rate in bit/s the video can be had at", 1,
          G_MAXUINT, DEFAULT_MIN_BITRATE, ready));
  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Highest bitrate",
          "R_max, the highest rate in bit/s the video has a use for", 1,
          G_MAXUINT, DEFAULT_MAX_BITRATE, ready));
  g_object_class_install_property (object_class, PROP_FRAMERATE,
      gst_param_spec_fraction ("framerate", "Frame rate",
          "1 / t_0, the mean rate of frames per second", 1, 1, 240, 1,
          DEFAULT_FRAMERATE_N, DEFAULT_FRAMERATE_D, ready));
  g_object_class_install_property (object_class, PROP_SEED,
      g_param_spec_uint ("seed", "Seed",
          "Of the random numbers: the same seed gives the same frames", 0,
          G_MAXUINT, DEFAULT_SEED, ready));
  g_object_class_install_property (object_class, PROP_RATE_FACTOR,
      g_param_spec_double ("rate-factor", "Rate factor",
          "The rate between key frames, as a multiple of the rate asked "
          "for",
          MIN_RATE_FACTOR, MAX_RATE_FACTOR, DEFAULT_RATE_FACTOR, ready));
  g_object_class_install_property (object_class, PROP_LATE,
      g_param_spec_uint ("late", "Late",
          "Time in ms after which the rate asked for is followed", 0, MAX_LATE,
          DEFAULT_LATE, ready));
  g_object_class_install_property (object_class, PROP_KEY_FRAME_BYTES,
      g_param_spec_uint ("key-frame-bytes", "Key frame bytes",
          "K_B, the size in bytes of the first frame of a burst", 1,
          MAX_KEY_FRAME_BYTES, VIDEO_TRAFFIC_KEY_BYTES, ready));
  g_object_class_install_property (object_class, PROP_KEY_FRAME_INTERVAL,
      g_param_spec_uint ("key-frame-interval", "Key frame interval",
          "Time in ms after a burst at which another begins (0 = none)", 0,
          MAX_KEY_FRAME_INTERVAL, DEFAULT_KEY_FRAME_INTERVAL, ready));
  g_object_class_install_property (object_class, PROP_KEY_FRAME_AT_CHANGE,
      g_param_spec_boolean ("key-frame-at-change", "Key frame at change",
          "Follow each change of bitrate at once, with a frame of "
          "key-frame-bytes that the next ones do not make up for",
          DEFAULT_KEY_FRAME_AT_CHANGE, ready));

  gst_element_class_add_static_pad_template (element_class, &src_template);
  /* An encoder, so that gccsender finds it */
  gst_element_class_set_static_metadata (element_class,
      "RMCAT video traffic model", "Source/Codec/Encoder/Video",
      "The traffic of a live video encoder after RFC 8593, without video",
      "The GStreamer Google Congestion Control authors");

  GST_DEBUG_CATEGORY_INIT (
      model_debug, "rmcatvideomodel", 0, "RFC 8593 video traffic model");
}

static void
gst_rmcat_video_model_init (GstRmcatVideoModel *self)
{
  self->bitrate = DEFAULT_BITRATE;
  self->min_bitrate = DEFAULT_MIN_BITRATE;
  self->max_bitrate = DEFAULT_MAX_BITRATE;
  self->framerate_n = DEFAULT_FRAMERATE_N;
  self->framerate_d = DEFAULT_FRAMERATE_D;
  self->seed = DEFAULT_SEED;
  self->rate_factor = DEFAULT_RATE_FACTOR;
  self->late = DEFAULT_LATE;
  self->key_frame_bytes = VIDEO_TRAFFIC_KEY_BYTES;
  self->key_frame_interval = DEFAULT_KEY_FRAME_INTERVAL;
  self->key_frame_at_change = DEFAULT_KEY_FRAME_AT_CHANGE;

  gst_base_src_set_live (GST_BASE_SRC (self), TRUE);
  gst_base_src_set_format (GST_BASE_SRC (self), GST_FORMAT_TIME);
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (rmcatvideomodel, plugin) &&
      GST_ELEMENT_REGISTER (deviceclock, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, rmcatvideomodel,
    "The testbed's video traffic model and device clock", plugin_init, VERSION,
    "LGPL", PACKAGE, "https://www.rfc-editor.org/rfc/rfc8593")
