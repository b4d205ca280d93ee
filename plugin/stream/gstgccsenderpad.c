/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccsenderpad.h"

#include <math.h>

#define DEFAULT_MIN_BITRATE 0
#define DEFAULT_MAX_BITRATE G_MAXUINT
#define DEFAULT_WEIGHT 1.
#define MIN_WEIGHT 0.001
#define MAX_WEIGHT 1000.
#define DEFAULT_PRIORITY 0
#define DEFAULT_PAUSABLE FALSE
/* by encoder and profile */
#define DEFAULT_CHANGE_COST (-1)
#define MAX_CHANGE_COST 60000
#define DEFAULT_BITRATE_UNIT 0
#define MAX_BITRATE_UNIT 1000000

enum {
  PROP_0,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_WEIGHT,
  PROP_ENCODER,
  PROP_ENCODER_WEIGHTS,
  PROP_PRIORITY,
  PROP_PAUSABLE,
  PROP_ACTIVE,
  PROP_ENCODER_MIN_BITRATES,
  PROP_ENCODER_MAX_BITRATES,
  PROP_ENCODER_PRIORITIES,
  PROP_ENCODER_CHANGE_COST,
  PROP_ENCODER_BITRATE_UNIT,
};

G_DEFINE_TYPE (GstGccSenderPad, gst_gcc_sender_pad, GST_TYPE_PAD)

/* Dropping the last reference to an encoder runs code of the application, so no
 * lock is held. */
static void
gst_gcc_sender_pad_give_encoder (GstGccSenderPad *self, GstElement *encoder)
{
  GstElement *old;

  if (encoder != NULL)
    gst_object_ref (encoder);
  GST_OBJECT_LOCK (self);
  old = self->given_encoder;
  self->given_encoder = encoder;
  GST_OBJECT_UNLOCK (self);
  gst_clear_object (&old);
}

/* The first encoder in use, or the one that the application gave. (transfer
 * full) (nullable) */
static GstElement *
gst_gcc_sender_pad_get_encoder (GstGccSenderPad *self)
{
  GstElement *sender = gst_pad_get_parent_element (GST_PAD (self));
  GstElement *encoder = NULL;

  if (sender != NULL) {
    g_mutex_lock (&self->controller->lock);
    if (self->driven->len > 0)
      encoder = gst_object_ref (
          gst_gcc_driven_list_get (self->driven, 0)->encoder.element);
    g_mutex_unlock (&self->controller->lock);
    gst_object_unref (sender);
  }
  if (encoder == NULL) {
    GST_OBJECT_LOCK (self);
    g_set_object (&encoder, self->given_encoder);
    GST_OBJECT_UNLOCK (self);
  }

  return encoder;
}

/* The names of an encoder, the first one first. */
#define N_NAMES 3

/* With the object lock held. The number that @settings (nullable) have for one of
 * @names (nullable each), between @min and @max; else @other. */
static gdouble
look_up (const GstStructure *settings, const gchar *const *names, gdouble min,
    gdouble max, gdouble other)
{
  const GValue *set = NULL;
  GValue number = G_VALUE_INIT;
  gdouble found = NAN;

  for (guint i = 0; settings != NULL && i < N_NAMES && set == NULL; i++)
    if (names[i] != NULL)
      set = gst_structure_get_value (settings, names[i]);
  g_value_init (&number, G_TYPE_DOUBLE);
  if (set != NULL && g_value_transform (set, &number))
    found = g_value_get_double (&number);
  g_value_unset (&number);

  return isnan (found) ? other : CLAMP (found, min, max);
}

GstGccEncoderSettings
gst_gcc_sender_pad_get_encoder_settings (
    GstGccSenderPad *self, const GstGccDriven *driven)
{
  gchar *name = gst_object_get_name (GST_OBJECT (driven->encoder.element));
  const gchar *names[N_NAMES] = { name, driven->names.ssrc, driven->names.mid };
  GstGccEncoderSettings settings;

  GST_OBJECT_LOCK (self);
  settings.weight = look_up (
      self->encoder_weights, names, MIN_WEIGHT, MAX_WEIGHT, DEFAULT_WEIGHT);
  settings.min_bitrate = (guint) look_up (
      self->encoder_min_bitrates, names, 0, G_MAXUINT, DEFAULT_MIN_BITRATE);
  settings.max_bitrate = (guint) look_up (
      self->encoder_max_bitrates, names, 0, G_MAXUINT, DEFAULT_MAX_BITRATE);
  settings.priority = (guint) look_up (
      self->encoder_priorities, names, 0, G_MAXUINT, self->priority);
  GST_OBJECT_UNLOCK (self);
  g_free (name);

  return settings;
}

GccTime
gst_gcc_sender_pad_get_change_cost (GstGccSenderPad *self)
{
  gint cost;

  GST_OBJECT_LOCK (self);
  cost = self->change_cost;
  GST_OBJECT_UNLOCK (self);

  return cost < 0 ? GCC_TIME_NONE : cost * GCC_MSECOND;
}

guint
gst_gcc_sender_pad_get_bitrate_unit (GstGccSenderPad *self)
{
  guint unit;

  GST_OBJECT_LOCK (self);
  unit = self->bitrate_unit;
  GST_OBJECT_UNLOCK (self);

  return unit;
}

gboolean
gst_gcc_sender_pad_is_pausable (GstGccSenderPad *self)
{
  gboolean is_pausable;

  GST_OBJECT_LOCK (self);
  is_pausable = self->is_pausable;
  GST_OBJECT_UNLOCK (self);

  return is_pausable;
}

/* With the object lock held. (nullable) */
static GstStructure **
get_structure (GstGccSenderPad *self, guint id)
{
  switch (id) {
    case PROP_ENCODER_WEIGHTS:
      return &self->encoder_weights;
    case PROP_ENCODER_MIN_BITRATES:
      return &self->encoder_min_bitrates;
    case PROP_ENCODER_MAX_BITRATES:
      return &self->encoder_max_bitrates;
    case PROP_ENCODER_PRIORITIES:
      return &self->encoder_priorities;
    default:
      return NULL;
  }
}

static void
gst_gcc_sender_pad_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccSenderPad *self = GST_GCC_SENDER_PAD (object);

  if (id == PROP_ENCODER) {
    gst_gcc_sender_pad_give_encoder (self, g_value_get_object (value));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_WEIGHT:
      self->weight = g_value_get_double (value);
      break;
    case PROP_PRIORITY:
      self->priority = g_value_get_uint (value);
      break;
    case PROP_PAUSABLE:
      self->is_pausable = g_value_get_boolean (value);
      break;
    case PROP_ENCODER_CHANGE_COST:
      self->change_cost = g_value_get_int (value);
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      self->bitrate_unit = g_value_get_uint (value);
      break;
    case PROP_ENCODER_WEIGHTS:
    case PROP_ENCODER_MIN_BITRATES:
    case PROP_ENCODER_MAX_BITRATES:
    case PROP_ENCODER_PRIORITIES:
      g_clear_pointer (get_structure (self, id), gst_structure_free);
      *get_structure (self, id) = g_value_dup_boxed (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_sender_pad_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccSenderPad *self = GST_GCC_SENDER_PAD (object);

  if (id == PROP_ENCODER) {
    g_value_take_object (value, gst_gcc_sender_pad_get_encoder (self));
    return;
  }

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case PROP_WEIGHT:
      g_value_set_double (value, self->weight);
      break;
    case PROP_PRIORITY:
      g_value_set_uint (value, self->priority);
      break;
    case PROP_PAUSABLE:
      g_value_set_boolean (value, self->is_pausable);
      break;
    case PROP_ENCODER_CHANGE_COST:
      g_value_set_int (value, self->change_cost);
      break;
    case PROP_ENCODER_BITRATE_UNIT:
      g_value_set_uint (value, self->bitrate_unit);
      break;
    case PROP_ACTIVE:
      g_value_set_boolean (value, !g_atomic_int_get (&self->is_paused));
      break;
    case PROP_ENCODER_WEIGHTS:
    case PROP_ENCODER_MIN_BITRATES:
    case PROP_ENCODER_MAX_BITRATES:
    case PROP_ENCODER_PRIORITIES:
      g_value_set_boxed (value, *get_structure (self, id));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gcc_sender_pad_dispose (GObject *object)
{
  GstGccSenderPad *self = GST_GCC_SENDER_PAD (object);

  gst_clear_object (&self->given_encoder);
  g_array_set_size (self->driven, 0);
  gst_gcc_protection_clear (&self->protection);
  g_queue_clear_full (&self->kept, (GDestroyNotify) gst_event_unref);
  gst_clear_object (&self->srcpad);

  G_OBJECT_CLASS (gst_gcc_sender_pad_parent_class)->dispose (object);
}

static void
gst_gcc_sender_pad_finalize (GObject *object)
{
  GstGccSenderPad *self = GST_GCC_SENDER_PAD (object);

  g_clear_pointer (&self->encoder_weights, gst_structure_free);
  g_clear_pointer (&self->encoder_min_bitrates, gst_structure_free);
  g_clear_pointer (&self->encoder_max_bitrates, gst_structure_free);
  g_clear_pointer (&self->encoder_priorities, gst_structure_free);
  g_hash_table_unref (self->ssrcs);
  g_array_unref (self->driven);

  G_OBJECT_CLASS (gst_gcc_sender_pad_parent_class)->finalize (object);
}

static void
gst_gcc_sender_pad_class_init (GstGccSenderPadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags playing = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_PLAYING;

  object_class->set_property = gst_gcc_sender_pad_set_property;
  object_class->get_property = gst_gcc_sender_pad_get_property;
  object_class->dispose = gst_gcc_sender_pad_dispose;
  object_class->finalize = gst_gcc_sender_pad_finalize;

  g_object_class_install_property (object_class, PROP_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Where several streams share the target bitrate, the encoder of this one gets this rate in bit/s at least.",
          0, G_MAXUINT, DEFAULT_MIN_BITRATE, playing));

  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "The encoder of this stream gets this rate in bit/s at most; the remainder goes to the other streams.",
          0, G_MAXUINT, DEFAULT_MAX_BITRATE, playing));

  g_object_class_install_property (object_class, PROP_WEIGHT,
      g_param_spec_double ("weight", "Weight",
          "Streams share the target bitrate in proportion to their weights.",
          MIN_WEIGHT, MAX_WEIGHT, DEFAULT_WEIGHT, playing));

  g_object_class_install_property (object_class, PROP_ENCODER,
      g_param_spec_object ("encoder", "Encoder",
          "The stream comes from this encoder. With NULL it is the nearest one upstream, or those of a bundle. Reading the property returns the encoder in use, the first of several.",
          GST_TYPE_ELEMENT, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_WEIGHTS,
      g_param_spec_boxed ("encoder-weights", "Encoder weights",
          "Encoders that share this pad, as in a bundle, have these weights among each other. A field is named as the element, or as the SSRC (decimal) or the mid of its stream, such as weights,camera=3.0,3735928559=2.0,video1=1.0; of several names the element's counts first, then the SSRC. An encoder that is left out has 1.",
          GST_TYPE_STRUCTURE, playing));

  g_object_class_install_property (object_class, PROP_PRIORITY,
      g_param_spec_uint ("priority", "Priority",
          "Streams of a greater priority get their \"min-bitrate\" first, where some are pausable.",
          0, G_MAXUINT, DEFAULT_PRIORITY, playing));

  g_object_class_install_property (object_class, PROP_PAUSABLE,
      g_param_spec_boolean ("pausable", "Pausable",
          "This stream, or each encoder of a bundle, is paused while its minimum bitrate does not fit.",
          DEFAULT_PAUSABLE, playing));

  g_object_class_install_property (object_class, PROP_ACTIVE,
      g_param_spec_boolean ("active", "Active",
          "A stream is active until all of it is paused.", TRUE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  g_object_class_install_property (object_class, PROP_ENCODER_MIN_BITRATES,
      g_param_spec_boxed ("encoder-min-bitrates", "Encoder minimum bitrates",
          "Encoders that share this pad get these rates in bit/s at least, by the names of \"encoder-weights\". An encoder that is left out has 0.",
          GST_TYPE_STRUCTURE, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_MAX_BITRATES,
      g_param_spec_boxed ("encoder-max-bitrates", "Encoder maximum bitrates",
          "Encoders that share this pad get these rates in bit/s at most, by the names of \"encoder-weights\". An encoder that is left out has no limit.",
          GST_TYPE_STRUCTURE, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_PRIORITIES,
      g_param_spec_boxed ("encoder-priorities", "Encoder priorities",
          "Encoders that share this pad have these priorities, by the names of \"encoder-weights\". An encoder that is left out has that of the pad.",
          GST_TYPE_STRUCTURE, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_CHANGE_COST,
      g_param_spec_int ("encoder-change-cost", "Encoder change cost",
          "A change of an encoder's bitrate is made when waiting for it has cost as much as this time in ms, that of the key frame with which the encoder starts over; a fall by 30 % is made at once. With 0 each change is made at once. With -1 it is 0 for encoders that are known to go on, and that of the profile for others.",
          DEFAULT_CHANGE_COST, MAX_CHANGE_COST, DEFAULT_CHANGE_COST, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_BITRATE_UNIT,
      g_param_spec_uint ("encoder-bitrate-unit", "Encoder bitrate unit",
          "The property \"bitrate\" of an encoder that gccsender does not know has this unit in bit/s, usually 1 or 1000. With 0 such an encoder is left alone.",
          0, MAX_BITRATE_UNIT, DEFAULT_BITRATE_UNIT, playing));
}

static void
gst_gcc_sender_pad_init (GstGccSenderPad *self)
{
  self->min_bitrate = DEFAULT_MIN_BITRATE;
  self->max_bitrate = DEFAULT_MAX_BITRATE;
  self->weight = DEFAULT_WEIGHT;
  self->driven = gst_gcc_driven_list_new ();
  self->looked_at = GCC_TIME_NONE;
  self->left_at = GCC_TIME_NONE;
  gcc_encoder_ratio_init (&self->ratio, NULL);
  self->priority = DEFAULT_PRIORITY;
  self->is_pausable = DEFAULT_PAUSABLE;
  self->change_cost = DEFAULT_CHANGE_COST;
  gcc_pause_init (&self->pause);
  self->ssrcs = g_hash_table_new (NULL, NULL);
  gst_gcc_formats_init (&self->formats, NULL);
  gst_gcc_protection_clear (&self->protection);
}
