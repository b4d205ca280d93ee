/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stub-encoders.h"

#define CONTROLS "extra-controls"
#define VIDEO_BITRATE "video_bitrate"

enum {
  PROP_0,
  PROP_BITRATE,
  PROP_CONTROLS,
  PROP_IN_EFFECT,
  PROP_WRITES
};

typedef struct {
  GValue bitrate;
  GstStructure *controls;
  guint in_effect;
  guint writes;
} State;

#define NUMBER(factory, property, type, max, unit) \
  { factory, property, G_TYPE_##type, 0, max, unit, 0, FALSE }

static StubEncoder stubs[] = {
  { "v4l2h264enc", NULL, G_TYPE_NONE, 0, 0, 1, 25000, TRUE },
  { "v4l2vp8enc", NULL, G_TYPE_NONE, 0, 0, 1, 25000, TRUE },
  { "v4l2h265enc", "bitrate", G_TYPE_INT, 0, G_MAXINT, 1, 25000, TRUE },
  NUMBER ("nvav1enc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("nvv4l2av1enc", "bitrate", UINT, G_MAXUINT, 1),
  NUMBER ("vaav1enc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vaav1lpenc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vavp8enc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vavp8lpenc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vavp9enc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vavp9lpenc", "bitrate", UINT, 2000 * 1024, 1000),
  NUMBER ("vpuenc_h264", "bitrate", UINT, G_MAXINT, 1000),
  NUMBER ("vpuenc_hevc", "bitrate", UINT, G_MAXINT, 1000),
  NUMBER ("imxvpuenc_h264", "bitrate", UINT, G_MAXUINT, 1000),
  NUMBER ("rav1enc", "bitrate", INT, G_MAXINT, 1),
  NUMBER ("qtic2venc", "target-bitrate", UINT, G_MAXUINT, 1),
  NUMBER ("omxh264enc", "target-bitrate", UINT, G_MAXUINT, 1),
  NUMBER ("mpph264enc", "bps", UINT, G_MAXINT, 1),
  { "stubenc_kilobits", "bitrate", G_TYPE_UINT, 1, 8191, 1000, 0, FALSE },
  { "stubenc_int64", "bitrate", G_TYPE_INT64, 1, 1e15, 1, 0, FALSE },
  { "stubenc_uint64", "bitrate", G_TYPE_UINT64, 1, 1e15, 1, 0, FALSE },
  { "stubenc_double", "bitrate", G_TYPE_DOUBLE, .5, 8191.5, 1000, 0, FALSE },
  { "stubenc_steps", "bitrate", G_TYPE_INT, 300000, 2000000, 1, 100000, FALSE },
  { "stubenc_string", "bitrate", G_TYPE_STRING, 0, 0, 1, 0, FALSE },
  { 0 },
};

/* The name of the property must not be one of the encoder below. */
static const gchar *
get_base (const StubEncoder *stub)
{
  return g_strcmp0 (stub->property, "target-bitrate") == 0 ? "x264enc"
                                                           : "vp8enc";
}

static GQuark
get_key (void)
{
  return g_quark_from_static_string ("stub-encoder");
}

static const StubEncoder *
get_stub (GObject *object)
{
  return g_type_get_qdata (G_OBJECT_TYPE (object), get_key ());
}

static void
state_free (gpointer data)
{
  State *self = data;

  if (G_IS_VALUE (&self->bitrate))
    g_value_unset (&self->bitrate);
  g_clear_pointer (&self->controls, gst_structure_free);
  g_free (self);
}

static State *
get_state (GObject *object)
{
  State *self = g_object_get_qdata (object, get_key ());

  if (self == NULL) {
    self = g_new0 (State, 1);
    g_object_set_qdata_full (object, get_key (), self, state_free);
  }

  return self;
}

static void
take_effect (GObject *object, State *self, gint64 units)
{
  const StubEncoder *stub = get_stub (object);

  self->writes++;
  if (stub->step > 0)
    units -= units % stub->step;
  self->in_effect = (guint) (units * stub->bits_per_unit);
  if (g_str_equal (get_base (stub), "vp8enc"))
    g_object_set (object, "target-bitrate", self->in_effect, NULL);
  else
    g_object_set (object, "bitrate", self->in_effect / 1000, NULL);
}

static void
take_controls (GObject *object, State *self, const GValue *value)
{
  gint rate;

  g_clear_pointer (&self->controls, gst_structure_free);
  self->controls = g_value_dup_boxed (value);
  if (self->controls != NULL &&
      gst_structure_get_int (self->controls, VIDEO_BITRATE, &rate))
    take_effect (object, self, rate);
}

static void
take_bitrate (GObject *object, State *self, const GValue *value)
{
  GValue units = G_VALUE_INIT;

  if (G_IS_VALUE (&self->bitrate))
    g_value_unset (&self->bitrate);
  g_value_init (&self->bitrate, G_VALUE_TYPE (value));
  g_value_copy (value, &self->bitrate);

  g_value_init (&units, G_TYPE_INT64);
  if (g_value_transform (value, &units))
    take_effect (object, self, g_value_get_int64 (&units));
  g_value_unset (&units);
}

static void
stub_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  State *self = get_state (object);

  (void) pspec;
  if (id == PROP_BITRATE)
    take_bitrate (object, self, value);
  else
    take_controls (object, self, value);
}

static void
stub_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  State *self = get_state (object);

  (void) pspec;
  if (id == PROP_CONTROLS)
    g_value_set_boxed (value, self->controls);
  else if (id == PROP_IN_EFFECT)
    g_value_set_uint (value, self->in_effect);
  else if (id == PROP_WRITES)
    g_value_set_uint (value, self->writes);
  else if (G_IS_VALUE (&self->bitrate))
    g_value_copy (&self->bitrate, value);
}

static GParamSpec *
make_pspec (const StubEncoder *stub)
{
  const GParamFlags flags = G_PARAM_READWRITE;
  const gchar *name = stub->property;

  switch (stub->type) {
    case G_TYPE_INT:
      return g_param_spec_int (name, NULL, NULL, (gint) stub->min,
          (gint) stub->max, (gint) stub->min, flags);
    case G_TYPE_UINT:
      return g_param_spec_uint (name, NULL, NULL, (guint) stub->min,
          (guint) stub->max, (guint) stub->min, flags);
    case G_TYPE_INT64:
      return g_param_spec_int64 (name, NULL, NULL, (gint64) stub->min,
          (gint64) stub->max, (gint64) stub->min, flags);
    case G_TYPE_UINT64:
      return g_param_spec_uint64 (name, NULL, NULL, (guint64) stub->min,
          (guint64) stub->max, (guint64) stub->min, flags);
    case G_TYPE_DOUBLE:
      return g_param_spec_double (
          name, NULL, NULL, stub->min, stub->max, stub->min, flags);
    default:
      return g_param_spec_string (name, NULL, NULL, NULL, flags);
  }
}

static void
stub_class_init (gpointer klass, gpointer data)
{
  const StubEncoder *stub = data;
  GObjectClass *object_class = klass;

  object_class->set_property = stub_set_property;
  object_class->get_property = stub_get_property;
  if (stub->property != NULL)
    g_object_class_install_property (
        object_class, PROP_BITRATE, make_pspec (stub));
  if (stub->has_controls)
    g_object_class_install_property (object_class, PROP_CONTROLS,
        g_param_spec_boxed (
            CONTROLS, NULL, NULL, GST_TYPE_STRUCTURE, G_PARAM_READWRITE));
  g_object_class_install_property (object_class, PROP_IN_EFFECT,
      g_param_spec_uint (
          "in-effect", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE));
  g_object_class_install_property (object_class, PROP_WRITES,
      g_param_spec_uint (
          "writes", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE));
}

static void
stub_instance_init (GTypeInstance *instance, gpointer klass)
{
  (void) klass;
  gst_util_set_object_arg (G_OBJECT (instance), "end-usage", "cbr");
  /* Above 0 the speed follows the load of the machine, up to one that sends
   * twice the rate. */
  g_object_set (instance, "deadline", G_GINT64_CONSTANT (1), "cpu-used", -8,
      "buffer-size", 300, "buffer-initial-size", 150, "buffer-optimal-size",
      200, "keyframe-max-dist", 3000, NULL);
}

static void
stub_instance_init_x264 (GTypeInstance *instance, gpointer klass)
{
  (void) klass;
  gst_util_set_object_arg (G_OBJECT (instance), "tune", "zerolatency");
  gst_util_set_object_arg (G_OBJECT (instance), "speed-preset", "ultrafast");
  g_object_set (instance, "vbv-buf-capacity", 300, "key-int-max", 3000, NULL);
}

/* @base: the type of an encoder */
static GType
derive (GType base, StubEncoder *stub)
{
  gchar *name = g_strconcat ("Stub-", stub->factory, NULL);
  gboolean is_vp8 = g_str_equal (get_base (stub), "vp8enc");
  GTypeQuery query;
  GTypeInfo info;
  GType type;

  g_type_query (base, &query);
  info = (GTypeInfo){
    .class_size = (guint16) query.class_size,
    .class_init = stub_class_init,
    .class_data = stub,
    .instance_size = (guint16) query.instance_size,
    .instance_init = is_vp8 ? stub_instance_init : stub_instance_init_x264,
  };
  type = g_type_register_static (base, name, &info, 0);
  g_type_set_qdata (type, get_key (), stub);
  g_free (name);

  return type;
}

static gboolean
register_one (StubEncoder *stub)
{
  GstElementFactory *factory = gst_element_factory_find (get_base (stub));
  GstPluginFeature *loaded = factory != NULL
      ? gst_plugin_feature_load (GST_PLUGIN_FEATURE (factory))
      : NULL;
  gboolean is_there = loaded != NULL;

  if (is_there)
    gst_element_register (NULL, stub->factory, GST_RANK_NONE,
        derive (
            gst_element_factory_get_element_type (GST_ELEMENT_FACTORY (loaded)),
            stub));
  gst_clear_object (&factory);
  gst_clear_object (&loaded);

  return is_there;
}

const StubEncoder *
stub_encoders_register (void)
{
  for (StubEncoder *stub = stubs; stub->factory != NULL; stub++)
    if (!register_one (stub))
      return NULL;

  return stubs;
}
