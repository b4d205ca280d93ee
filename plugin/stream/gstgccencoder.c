/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccencoder.h"

#include <string.h>

#include "session/gstgccwalk.h"
#include "stream/gstgccencodertypes.h"

/* The factory. */
#define SCALE "gccscale"

/* av1enc (GStreamer 1.22 to 1.28) encodes without the lock with which it sets
 * its properties: settings that change in mid-frame make libaom abort. */
static gboolean
changes_between_frames (const GstGccEncoderType *type)
{
  return type != NULL && g_str_equal (type->factory, "av1enc");
}

static gboolean
has_property (GstElement *element, const gchar *name)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), name);

  return pspec != NULL && (pspec->flags & G_PARAM_WRITABLE) != 0;
}

gboolean
gst_gcc_encoder_is_encoder (GstElement *element, gpointer user_data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  (void) user_data;

  return gst_gcc_encoder_types_find (element) != NULL ||
      (factory != NULL &&
          gst_element_factory_list_is_type (
              factory, GST_ELEMENT_FACTORY_TYPE_VIDEO_ENCODER));
}

static gboolean
has_ended (GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "src");
  GstEvent *eos = pad != NULL ? gst_pad_get_sticky_event (pad, GST_EVENT_EOS, 0)
                              : NULL;
  gboolean ended = eos != NULL;

  gst_clear_event (&eos);
  gst_clear_object (&pad);

  return ended;
}

/* The end of a single encoder arrives at the pad. */
GPtrArray *
gst_gcc_encoder_find_all (GstPad *sinkpad)
{
  GPtrArray *ways = gst_gcc_walk_find_ways (
      sinkpad, gst_gcc_encoder_is_encoder, NULL);

  for (guint i = ways->len; i > 0 && ways->len > 1; i--)
    if (has_ended (((GstGccWay *) g_ptr_array_index (ways, i - 1))->element))
      g_ptr_array_remove_index (ways, i - 1);

  return ways;
}

/* The toplevel bin. It is only compared, so no reference is kept. */
static gconstpointer
get_root (GstElement *element)
{
  GstObject *root = gst_object_ref (GST_OBJECT (element));
  GstObject *parent;

  while ((parent = gst_object_get_parent (root)) != NULL) {
    gst_object_unref (root);
    root = parent;
  }
  gst_object_unref (root);

  return root;
}

/* --- the element that scales what it gets --- */

static gboolean
is_scale (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), SCALE);
}

/* An element upstream of another encoder scales for that one. */
static gboolean
is_scale_or_encoder (GstElement *element, gpointer user_data)
{
  return is_scale (element) || gst_gcc_encoder_is_encoder (element, user_data);
}

/* (transfer full) (nullable) */
static GstElement *
find_scale (GstElement *encoder)
{
  GstPad *pad = gst_element_get_static_pad (encoder, "sink");
  GstElement *found = NULL;

  if (pad != NULL)
    found = gst_gcc_walk_find (pad, is_scale_or_encoder, NULL);
  if (found != NULL && !is_scale (found))
    gst_clear_object (&found);
  gst_clear_object (&pad);

  return found;
}

static void
tell_scale (const GstGccEncoder *self, GccRate bitrate)
{
  if (self->scale != NULL)
    g_object_set (self->scale, "target-bitrate",
        (guint) CLAMP (bitrate, 0, G_MAXUINT), NULL);
}

/* --- */

/* Whether @self, whose element has no bitrate, is driven by its frames alone. */
static gboolean
is_driven_by_scale (const GstGccEncoder *self)
{
  return self->property.pspec == NULL;
}

static gboolean
init_driven_by_scale (GstGccEncoder *self, GstElement *element)
{
  *self = (GstGccEncoder){ .bits_per_unit = 1 };
  self->scale = find_scale (element);
  if (self->scale == NULL)
    return FALSE;
  self->element = gst_object_ref (element);
  self->root = get_root (element);

  return TRUE;
}

gboolean
gst_gcc_encoder_init (
    GstGccEncoder *self, GstElement *element, guint fallback_unit)
{
  const GstGccEncoderType *type = gst_gcc_encoder_types_find (element);
  const gchar *property = type != NULL ? type->property : "bitrate";
  const gchar *control = type != NULL ? type->control : NULL;
  guint bits_per_unit = type != NULL ? type->bits_per_unit : fallback_unit;

  *self = (GstGccEncoder){ 0 };
  if (!gst_gcc_rate_property_find (&self->property, element, property, control))
    return init_driven_by_scale (self, element);
  if (bits_per_unit == 0)
    return FALSE;

  self->element = gst_object_ref (element);
  self->scale = find_scale (element);
  self->settings = type != NULL ? type->settings : NULL;
  self->rate_control = type != NULL ? type->rate_control : NULL;
  self->bits_per_unit = bits_per_unit;
  self->least_units = type != NULL ? type->least_units : 0;
  self->starts_over = type == NULL || !type->keeps_on;
  self->changes_between_frames = changes_between_frames (type);
  self->root = get_root (element);

  return TRUE;
}

void
gst_gcc_encoder_clear (GstGccEncoder *self)
{
  gst_clear_object (&self->element);
  gst_clear_object (&self->scale);
}

GstGccEncoder
gst_gcc_encoder_copy (const GstGccEncoder *self)
{
  GstGccEncoder copy = *self;

  if (copy.element != NULL)
    gst_object_ref (copy.element);
  if (copy.scale != NULL)
    gst_object_ref (copy.scale);

  return copy;
}

gboolean
gst_gcc_encoder_has_left (const GstGccEncoder *self)
{
  GstPad *pad = gst_element_get_static_pad (self->element, "src");
  gboolean is_linked = pad == NULL || gst_pad_is_linked (pad);

  gst_clear_object (&pad);

  return !is_linked || get_root (self->element) != self->root;
}

/* --- between frames --- */

typedef void (*ChangeFunc) (const GstGccEncoder *self, GccRate bitrate);

typedef struct {
  GstGccEncoder encoder;
  ChangeFunc change;
  GccRate bitrate;
} Change;

static void
change_free (gpointer data)
{
  Change *self = data;

  gst_gcc_encoder_clear (&self->encoder);
  g_free (self);
}

static GstPadProbeReturn
make_change (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  Change *self = user_data;

  (void) pad;
  (void) info;
  self->change (&self->encoder, self->bitrate);

  return GST_PAD_PROBE_REMOVE;
}

/* The pad that hands frames to @element, or %NULL. (transfer full) */
static GstPad *
get_feeding_pad (GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstPad *peer = pad != NULL ? gst_pad_get_peer (pad) : NULL;

  gst_clear_object (&pad);

  return peer;
}

/* At once, or, where it matters, as soon as no frame is being encoded. */
static void
change (const GstGccEncoder *self, ChangeFunc func, GccRate bitrate)
{
  GstPad *pad = self->changes_between_frames ? get_feeding_pad (self->element)
                                             : NULL;
  Change *delayed;

  if (pad == NULL) {
    func (self, bitrate);
    return;
  }

  delayed = g_new (Change, 1);
  *delayed = (Change){ gst_gcc_encoder_copy (self), func, bitrate };
  /* key-frame requests, which go upstream, still pass */
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_IDLE | GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM, make_change,
      delayed, change_free);
  gst_object_unref (pad);
}

/* --- settings --- */

typedef gboolean (*MayChangeFunc) (GstElement *element, const gchar *name);

/* Older versions of an encoder lack some of these properties. */
static void
set_all (GstElement *element, const gchar *settings, MayChangeFunc may_change)
{
  gchar **words = g_strsplit (settings, " ", -1);

  for (gchar **word = words; *word != NULL; word++) {
    gchar *value = strchr (*word, '=');

    *value++ = '\0';
    if (may_change (element, *word))
      gst_util_set_object_arg (G_OBJECT (element), *word, value);
  }
  g_strfreev (words);
}

static void
configure (const GstGccEncoder *self, GccRate bitrate)
{
  (void) bitrate;
  set_all (self->element, self->settings, has_property);
}

gboolean
gst_gcc_encoder_configure (const GstGccEncoder *self)
{
  if (self->settings == NULL)
    return FALSE;

  change (self, configure, GCC_RATE_NONE);

  return TRUE;
}

/* Whether the application has left it as it was. */
static gboolean
has_default (GstElement *element, const gchar *name)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), name);
  GValue value = G_VALUE_INIT;
  gboolean is_default;

  if (!has_property (element, name))
    return FALSE;
  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (element), name, &value);
  is_default = g_param_value_defaults (pspec, &value);
  g_value_unset (&value);

  return is_default;
}

static void
prepare (const GstGccEncoder *self, GccRate bitrate)
{
  (void) bitrate;
  set_all (self->element, self->rate_control, has_default);
}

void
gst_gcc_encoder_prepare (const GstGccEncoder *self)
{
  if (self->rate_control != NULL)
    change (self, prepare, GCC_RATE_NONE);
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

static void
get_range (const GstGccEncoder *self, gint64 *min, gint64 *max)
{
  *min = 0;
  *max = G_MAXUINT;
  if (!is_driven_by_scale (self))
    gst_gcc_rate_property_get_range (&self->property, min, max);
  /* 0 is "automatic" to some encoders, and no output to others. */
  *min = MAX (*min, MAX (self->least_units, 1));
}

GccRate
gst_gcc_encoder_get_least (const GstGccEncoder *self)
{
  gint64 min, max;

  get_range (self, &min, &max);

  return min * self->bits_per_unit;
}

static gint64
get_units (const GstGccEncoder *self, GccRate bitrate)
{
  gint64 units = (bitrate + self->bits_per_unit / 2) / self->bits_per_unit;
  gint64 min, max;

  get_range (self, &min, &max);

  return MAX (MIN (units, max), min);
}

GccRate
gst_gcc_encoder_round (const GstGccEncoder *self, GccRate bitrate)
{
  return get_units (self, bitrate) * self->bits_per_unit;
}

static void
set_bitrate (const GstGccEncoder *self, GccRate bitrate)
{
  if (!is_driven_by_scale (self))
    gst_gcc_rate_property_write (
        &self->property, self->element, get_units (self, bitrate));
  tell_scale (self, gst_gcc_encoder_round (self, bitrate));
}

void
gst_gcc_encoder_set_bitrate (const GstGccEncoder *self, GccRate bitrate)
{
  change (self, set_bitrate, bitrate);
}

/* The difference that rounding in the encoder may make. */
#define MAX_ROUNDING 4

gboolean
gst_gcc_encoder_has_bitrate (const GstGccEncoder *self, GccRate bitrate)
{
  gint64 wanted = get_units (self, bitrate);
  gint64 units;

  if (self->changes_between_frames || is_driven_by_scale (self))
    return TRUE;
  units = gst_gcc_rate_property_read (&self->property, self->element);

  return ABS (units - wanted) <= wanted / MAX_ROUNDING;
}

/* --- quality --- */

/* Values with which a bitrate has no effect: those of x264enc and openh264enc were
 * measured (the same size at 100 and 600 kbit/s), the others are said to by the
 * documentation of av1enc and of the hardware encoders. */
static const struct {
  const gchar *property;
  const gchar *value;
  const gchar *cure;
} fixed_quality[] = {
  { "pass", "quant", "cbr" },
  { "end-usage", "q", "cbr" },
  { "rate-control", "off", "bitrate" },
  { "rate-control", "buffer", "bitrate" },
  { "rate-control", "cqp", "cbr" },
  { "rate-control", "icq", "cbr" },
  { "rc-mode", "constqp", "cbr" },
};

static gboolean
has_value (GstElement *element, const gchar *property, const gchar *nick)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (element), property);
  const GEnumValue *value;
  gint present;

  if (pspec == NULL || !G_IS_PARAM_SPEC_ENUM (pspec))
    return FALSE;
  g_object_get (element, property, &present, NULL);
  value = g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, present);

  return value != NULL && g_str_equal (value->value_nick, nick);
}

gboolean
gst_gcc_encoder_keeps_quality (const GstGccEncoder *self,
    const gchar **property, const gchar **value, const gchar **cure)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixed_quality); i++) {
    *property = fixed_quality[i].property;
    *value = fixed_quality[i].value;
    *cure = fixed_quality[i].cure;
    if (has_value (self->element, *property, *value))
      return TRUE;
  }

  return FALSE;
}
