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

enum {
  PROP_0,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_WEIGHT,
  PROP_ENCODER,
  PROP_ENCODER_WEIGHTS,
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
          g_array_index (self->driven, GstGccDriven, 0).encoder.element);
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

/* With the object lock held. (nullable) */
static const GValue *
look_up_weight (GstGccSenderPad *self, const gchar *key)
{
  return self->encoder_weights != NULL && key != NULL
      ? gst_structure_get_value (self->encoder_weights, key)
      : NULL;
}

static gdouble
read_weight (const GValue *set)
{
  GValue weight = G_VALUE_INIT;
  gdouble number = DEFAULT_WEIGHT;

  g_value_init (&weight, G_TYPE_DOUBLE);
  if (set != NULL && g_value_transform (set, &weight))
    number = g_value_get_double (&weight);
  g_value_unset (&weight);

  return isnan (number) ? DEFAULT_WEIGHT
                        : CLAMP (number, MIN_WEIGHT, MAX_WEIGHT);
}

gdouble
gst_gcc_sender_pad_get_encoder_weight (
    GstGccSenderPad *self, const GstGccDriven *driven)
{
  gchar *name = gst_object_get_name (GST_OBJECT (driven->encoder.element));
  const gchar *keys[] = { name, driven->names.ssrc, driven->names.mid };
  const GValue *set = NULL;
  gdouble weight;

  GST_OBJECT_LOCK (self);
  for (guint i = 0; i < G_N_ELEMENTS (keys) && set == NULL; i++)
    set = look_up_weight (self, keys[i]);
  weight = read_weight (set);
  GST_OBJECT_UNLOCK (self);
  g_free (name);

  return weight;
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
    case PROP_ENCODER_WEIGHTS:
      g_clear_pointer (&self->encoder_weights, gst_structure_free);
      self->encoder_weights = g_value_dup_boxed (value);
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
    case PROP_ENCODER_WEIGHTS:
      g_value_set_boxed (value, self->encoder_weights);
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
          "Minimum bitrate of this stream's encoder in bit/s when several "
          "streams share the target bitrate",
          0, G_MAXUINT, DEFAULT_MIN_BITRATE, playing));

  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Maximum bitrate of this stream's encoder in bit/s; the remainder "
          "goes to the other streams",
          0, G_MAXUINT, DEFAULT_MAX_BITRATE, playing));

  g_object_class_install_property (object_class, PROP_WEIGHT,
      g_param_spec_double ("weight", "Weight",
          "Weight of this stream when the target bitrate is shared, relative "
          "to the other streams",
          MIN_WEIGHT, MAX_WEIGHT, DEFAULT_WEIGHT, playing));

  g_object_class_install_property (object_class, PROP_ENCODER,
      g_param_spec_object ("encoder", "Encoder",
          "Encoder of this stream (NULL = the nearest one upstream, or those "
          "of "
          "a bundle). Reading it returns the encoder in use, the first of "
          "several",
          GST_TYPE_ELEMENT, playing));

  g_object_class_install_property (object_class, PROP_ENCODER_WEIGHTS,
      g_param_spec_boxed ("encoder-weights", "Encoder weights",
          "Weights of the encoders among each other when several share this "
          "pad, as in a bundle: a field for each encoder, named as the "
          "element, or as the SSRC (decimal) or the mid of its stream, such as "
          "weights,camera=3.0,3735928559=2.0,video1=1.0. Of several the name "
          "counts, then the SSRC (an encoder that is left out has 1, the "
          "default)",
          GST_TYPE_STRUCTURE, playing));
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
  self->ssrcs = g_hash_table_new (NULL, NULL);
  gst_gcc_formats_init (&self->formats, NULL);
  gst_gcc_protection_clear (&self->protection);
}
