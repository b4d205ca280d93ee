/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/**
 * SECTION:element-rtpgccbwe
 * @title: rtpgccbwe
 * @short_description: gccsender for applications of gst-plugins-rs' rtpgccbwe
 * @see_also: gccsender
 *
 * Has the pads, the properties and the notification of the element of that name
 * in gst-plugins-rs, and #gccsender inside. An application that was written for
 * the one works with the other.
 *
 * The element sets no encoder. The application follows
 * `notify::estimated-bitrate`, which may come in any thread, and
 * divides #GstGccRtpGccBwe:estimated-bitrate among its encoders and FEC.
 *
 * Writing #GstGccRtpGccBwe:estimated-bitrate sets the rate to start with, within
 * the limits. While the element runs, a written value is the estimate at once,
 * within the limits, and the estimate goes on from there with the next feedback.
 *
 * The element inside is named `gccsender`. Its statistics are
 * `gst_bin_get_by_name (GST_BIN (rtpgccbwe), "gccsender")`'s `stats`.
 *
 * Since: 0.2
 */

#include "gstrtpgccbwe.h"

GST_DEBUG_CATEGORY_STATIC (gst_gcc_rtp_gcc_bwe_debug);
#define GST_CAT_DEFAULT gst_gcc_rtp_gcc_bwe_debug

/* Those of gst-plugins-rs, bit/s. */
#define DEFAULT_MIN_BITRATE 1000
#define DEFAULT_ESTIMATED_BITRATE 2048000
#define DEFAULT_MAX_BITRATE 8192000
#define DEFAULT_ESTIMATOR GST_GCC_RTP_GCC_BWE_KALMAN

/* Least change of the estimate that is notified, as a part of it. The estimate
 * follows the sizes of packets with each feedback, and applications set an
 * encoder at each notification. */
#define MIN_CHANGE .01

typedef enum {
  GST_GCC_RTP_GCC_BWE_KALMAN,
  GST_GCC_RTP_GCC_BWE_LINEAR_REGRESSION,
} GstGccRtpGccBweEstimator;

/* The settings of the user. */
typedef struct {
  guint min;
  guint max;
} Limits;

struct _GstGccRtpGccBwe {
  GstBin parent;

  /* (nullable): missing when the plugin gcc is missing */
  GstElement *sender;

  /* protected by the object lock */
  Limits limits;
  gint estimator;
  gboolean limits_are_crossed;
  /* the estimate of the last notification */
  guint told;
};

enum {
  PROP_0,
  PROP_ESTIMATED_BITRATE,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_ESTIMATOR,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_FINAL_TYPE (GstGccRtpGccBwe, gst_gcc_rtp_gcc_bwe, GST_TYPE_BIN)

GST_ELEMENT_REGISTER_DEFINE_WITH_CODE (rtpgccbwe, "rtpgccbwe", GST_RANK_NONE,
    GST_TYPE_GCC_RTP_GCC_BWE,
    GST_DEBUG_CATEGORY_INIT (gst_gcc_rtp_gcc_bwe_debug, "gccrtpgccbwe", 0,
        "gccsender in place of rtpgccbwe"));

static GType
gst_gcc_rtp_gcc_bwe_estimator_get_type (void)
{
  static const GEnumValue values[] = {
    { GST_GCC_RTP_GCC_BWE_KALMAN, "Accepted without effect", "kalman" },
    { GST_GCC_RTP_GCC_BWE_LINEAR_REGRESSION, "Accepted without effect",
        "linear-regression" },
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_enum_register_static ("GstGccRtpGccBweEstimator", values));

  return type;
}

static Limits
get_limits (GstGccRtpGccBwe *self)
{
  Limits limits;

  GST_OBJECT_LOCK (self);
  limits = self->limits;
  GST_OBJECT_UNLOCK (self);

  return limits;
}

/* --- the estimate --- */

static gboolean
is_running (GstGccRtpGccBwe *self)
{
  gboolean result;

  GST_OBJECT_LOCK (self->sender);
  result = GST_STATE (self->sender) > GST_STATE_READY;
  GST_OBJECT_UNLOCK (self->sender);

  return result;
}

/* The limits are those of A_s. Applications rely on them for the estimate, too:
 * the part of retransmissions does not lower it below the minimum. */
static guint
get_estimate (GstGccRtpGccBwe *self)
{
  Limits limits = get_limits (self);
  guint bitrate;

  if (self->sender == NULL)
    return DEFAULT_ESTIMATED_BITRATE;

  g_object_get (self->sender,
      is_running (self) ? "media-bitrate" : "start-bitrate", &bitrate, NULL);
  return MIN (MAX (bitrate, limits.min), limits.max);
}

/* Notifies of an estimate that has changed by more than @part of itself. A handler may
 * write the same value again: no notification follows. */
static void
tell_estimate (GstGccRtpGccBwe *self, gdouble part)
{
  guint estimate = get_estimate (self);
  gboolean is_news;

  GST_OBJECT_LOCK (self);
  is_news = ABS ((gdouble) estimate - self->told) > part * self->told;
  if (is_news)
    self->told = estimate;
  GST_OBJECT_UNLOCK (self);

  if (is_news)
    g_object_notify_by_pspec (
        G_OBJECT (self), properties[PROP_ESTIMATED_BITRATE]);
}

static void
follow_sender (GstGccRtpGccBwe *self)
{
  tell_estimate (self, MIN_CHANGE);
}

static void
set_estimate (GstGccRtpGccBwe *self, guint bitrate)
{
  if (self->sender == NULL)
    return;

  if (is_running (self))
    g_signal_emit_by_name (self->sender, "restart", MAX (bitrate, 1));
  else
    g_object_set (self->sender, "start-bitrate", MAX (bitrate, 1), NULL);
  tell_estimate (self, 0.);
}

/* --- the limits --- */

/* Notes whether they are crossed; that is logged once until they are in order
 * again. */
static Limits
take_limits (GstGccRtpGccBwe *self)
{
  gboolean were_crossed;
  Limits limits;

  GST_OBJECT_LOCK (self);
  limits = self->limits;
  were_crossed = self->limits_are_crossed;
  self->limits_are_crossed = limits.min > limits.max;
  GST_OBJECT_UNLOCK (self);

  if (limits.min > limits.max && !were_crossed)
    GST_WARNING_OBJECT (self,
        "min-bitrate (%u) is above max-bitrate (%u): %u is used as both",
        limits.min, limits.max, limits.max);

  return limits;
}

static gboolean
have_changed (GstGccRtpGccBwe *self, const Limits *before)
{
  Limits limits = get_limits (self);

  return limits.min != before->min || limits.max != before->max;
}

/* With no lock held, since gccsender notifies. When two threads set limits, the
 * later one also sets those of the other. */
static void
apply_limits (GstGccRtpGccBwe *self)
{
  Limits limits;

  if (self->sender == NULL)
    return;

  do {
    limits = take_limits (self);
    g_object_set (self->sender, "min-bitrate", MIN (limits.min, limits.max),
        "max-bitrate", limits.max, NULL);
  } while (have_changed (self, &limits));
  tell_estimate (self, 0.);
}

/* After all of one g_object_set() are set, so that both limits may be moved
 * past each other with it. */
static void
gst_gcc_rtp_gcc_bwe_notify (GObject *object, GParamSpec *pspec)
{
  if (pspec == properties[PROP_MIN_BITRATE] ||
      pspec == properties[PROP_MAX_BITRATE])
    apply_limits (GST_GCC_RTP_GCC_BWE (object));
}

/* --- properties --- */

static void
gst_gcc_rtp_gcc_bwe_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccRtpGccBwe *self = GST_GCC_RTP_GCC_BWE (object);

  if (id == PROP_ESTIMATED_BITRATE) {
    set_estimate (self, g_value_get_uint (value));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      self->limits.min = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->limits.max = g_value_get_uint (value);
      break;
    case PROP_ESTIMATOR:
      self->estimator = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_rtp_gcc_bwe_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccRtpGccBwe *self = GST_GCC_RTP_GCC_BWE (object);

  if (id == PROP_ESTIMATED_BITRATE) {
    g_value_set_uint (value, get_estimate (self));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->limits.min);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->limits.max);
      break;
    case PROP_ESTIMATOR:
      g_value_set_enum (value, self->estimator);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_PLAYING;

  properties[PROP_ESTIMATED_BITRATE] = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate",
      "The network has this rate in bit/s for all encoders and FEC together: the target of gccsender less retransmissions, within the limits. Before the start it is the rate to start with. When it is set while the element runs, the estimate goes on from there, within the limits; 0 counts as 1.",
      0, G_MAXUINT, DEFAULT_ESTIMATED_BITRATE, flags | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate",
      "Minimum bitrate",
      "All that is sent has this rate in bit/s at least; where it is above \"max-bitrate\", that counts.",
      1, G_MAXUINT, DEFAULT_MIN_BITRATE, flags);
  properties[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate",
      "Maximum bitrate", "All that is sent has this rate in bit/s at most.", 1,
      G_MAXUINT, DEFAULT_MAX_BITRATE, flags);
  properties[PROP_ESTIMATOR] = g_param_spec_enum ("estimator", "Estimator",
      "The value is accepted without effect: the profile of gccsender has its own.",
      gst_gcc_rtp_gcc_bwe_estimator_get_type (), DEFAULT_ESTIMATOR, flags);
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
}

/* --- the element --- */

static GstStateChangeReturn
gst_gcc_rtp_gcc_bwe_change_state (
    GstElement *element, GstStateChange transition)
{
  GstGccRtpGccBwe *self = GST_GCC_RTP_GCC_BWE (element);

  if (self->sender == NULL && transition == GST_STATE_CHANGE_NULL_TO_READY) {
    GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN,
        ("There is no element gccsender."),
        ("Install the plugin gcc beside this one."));
    return GST_STATE_CHANGE_FAILURE;
  }

  return GST_ELEMENT_CLASS (gst_gcc_rtp_gcc_bwe_parent_class)
      ->change_state (element, transition);
}

static void
gst_gcc_rtp_gcc_bwe_class_init (GstGccRtpGccBweClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_gcc_rtp_gcc_bwe_set_property;
  object_class->get_property = gst_gcc_rtp_gcc_bwe_get_property;
  object_class->notify = gst_gcc_rtp_gcc_bwe_notify;
  element_class->change_state = GST_DEBUG_FUNCPTR (
      gst_gcc_rtp_gcc_bwe_change_state);
  install_properties (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_type_mark_as_plugin_api (gst_gcc_rtp_gcc_bwe_estimator_get_type (), 0);
  gst_element_class_set_static_metadata (element_class,
      "GCC bandwidth estimator", "Network/WebRTC/RTP/Filter",
      "gccsender in place of rtpgccbwe of gst-plugins-rs: estimates what the "
      "network has, and leaves the encoders to the application",
      "The gst-gcc authors");
}

/* Without gccsender it has no target. */
static void
add_pad (GstGccRtpGccBwe *self, const gchar *name)
{
  GstPadTemplate *template = gst_element_get_pad_template (
      GST_ELEMENT (self), name);
  GstPad *target = self->sender != NULL
      ? gst_element_get_static_pad (self->sender, name)
      : NULL;
  GstPad *pad = target != NULL
      ? gst_ghost_pad_new_from_template (name, target, template)
      : gst_ghost_pad_new_no_target_from_template (name, template);

  gst_element_add_pad (GST_ELEMENT (self), pad);
  gst_clear_object (&target);
}

/* Feedback, session and pacing are those of gccsender. Functions that the
 * original lacks are switched off. */
static void
set_up_sender (GstGccRtpGccBwe *self)
{
  gst_util_set_object_arg (G_OBJECT (self->sender), "feedback", "transport-cc");
  gst_util_set_object_arg (G_OBJECT (self->sender), "manage", "sink+session");
  g_object_set (self->sender, "post-messages", FALSE, "start-bitrate",
      DEFAULT_ESTIMATED_BITRATE, NULL);
  g_signal_connect_object (self->sender, "notify::media-bitrate",
      G_CALLBACK (follow_sender), self, G_CONNECT_SWAPPED);
  gst_bin_add (GST_BIN (self), self->sender);
}

static void
gst_gcc_rtp_gcc_bwe_init (GstGccRtpGccBwe *self)
{
  self->told = DEFAULT_ESTIMATED_BITRATE;
  self->limits = (Limits){ DEFAULT_MIN_BITRATE, DEFAULT_MAX_BITRATE };
  self->estimator = DEFAULT_ESTIMATOR;
  self->sender = gst_element_factory_make ("gccsender", "gccsender");
  if (self->sender != NULL)
    set_up_sender (self);
  apply_limits (self);
  add_pad (self, "sink");
  add_pad (self, "src");
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (rtpgccbwe, plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, gccrtpgccbwe,
    "gccsender for applications of rtpgccbwe", plugin_init, VERSION, "LGPL",
    PACKAGE, "https://datatracker.ietf.org/doc/draft-ietf-rmcat-gcc/")
