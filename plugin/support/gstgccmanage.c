/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccmanage.h"

#include "support/gstgccdeprecated.h"

#define SENDER_FLAGS \
  (GST_GCC_MANAGE_ENCODER_BITRATE | GST_GCC_MANAGE_ENCODER_SETTINGS | \
      GST_GCC_MANAGE_SINK | GST_GCC_MANAGE_SESSION | GST_GCC_MANAGE_FEC)
#define RECEIVER_FLAGS GST_GCC_MANAGE_SESSION

/* An application's own settings of an encoder stay. */
#define DEFAULT_FLAGS \
  (GST_GCC_MANAGE_ENCODER_BITRATE | GST_GCC_MANAGE_SINK | \
      GST_GCC_MANAGE_SESSION | GST_GCC_MANAGE_FEC)

/* Identifiers beyond those of any class's own properties. */
enum {
  PROP_MANAGE = 1000,
  PROP_OLD_NAMES,
};

/* The property of each flag before version 0.2. */
static const struct {
  const gchar *name;
  const gchar *nick;
  const gchar *blurb;
  GstGccManageFlags flag;
  GParamFlags mutability;
} old_names[] = {
  { "control-encoder", "Control encoder",
      "This name is deprecated and goes after version 0.2: set the flag "
      "\"encoder-bitrate\" of \"manage\".",
      GST_GCC_MANAGE_ENCODER_BITRATE, GST_PARAM_MUTABLE_PLAYING },
  { "configure-encoder", "Configure encoder",
      "This name is deprecated and goes after version 0.2: set the flag "
      "\"encoder-settings\" of \"manage\".",
      GST_GCC_MANAGE_ENCODER_SETTINGS, GST_PARAM_MUTABLE_READY },
  { "configure-sink", "Configure sink",
      "This name is deprecated and goes after version 0.2: set the flag "
      "\"sink\" of \"manage\".",
      GST_GCC_MANAGE_SINK, GST_PARAM_MUTABLE_READY },
  { "configure-session", "Configure session",
      "This name is deprecated and goes after version 0.2: set the flag "
      "\"session\" of \"manage\".",
      GST_GCC_MANAGE_SESSION, GST_PARAM_MUTABLE_READY },
  { "control-fec", "Control FEC",
      "This name is deprecated and goes after version 0.2: set the flag "
      "\"fec\" of \"manage\".",
      GST_GCC_MANAGE_FEC, GST_PARAM_MUTABLE_PLAYING },
};

/* --- the flags --- */

#define SESSION_VALUE \
  { GST_GCC_MANAGE_SESSION, \
    "AVPF or SAVPF in the RTP session, and its report interval; for " \
    "feedback about each packet also its bandwidth for RTCP", \
    "session" }
#define NO_VALUE { 0, "Nothing", "none" }

GType
gst_gcc_sender_manage_get_type (void)
{
  static const GFlagsValue values[] = {
    { GST_GCC_MANAGE_ENCODER_BITRATE,
        "The bitrate of the encoders upstream, and a constant rate where "
        "vp8enc and vp9enc would follow none",
        "encoder-bitrate" },
    { GST_GCC_MANAGE_ENCODER_SETTINGS,
        "Conversational video in vp8enc, vp9enc, av1enc, x264enc, x265enc and "
        "openh264enc: a constant rate over a short buffer, no look-ahead, no "
        "regular key frames, an effort that keeps real time",
        "encoder-settings" },
    { GST_GCC_MANAGE_SINK,
        "\"sync\" of the network sinks downstream, off while the source is "
        "live: a sink that waits for the clock sends a frame's packets "
        "together",
        "sink" },
    SESSION_VALUE,
    { GST_GCC_MANAGE_FEC,
        "The percentage of an rtpulpfecenc upstream, by loss, round-trip time "
        "and frame size",
        "fec" },
    { SENDER_FLAGS, "All of them", "all" },
    NO_VALUE,
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_flags_register_static ("GstGccSenderManage", values));

  return type;
}

GType
gst_gcc_receiver_manage_get_type (void)
{
  static const GFlagsValue values[] = {
    SESSION_VALUE,
    NO_VALUE,
    { 0, NULL, NULL },
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (
        &type, g_flags_register_static ("GstGccReceiverManage", values));

  return type;
}

static GstGccManageFlags
get_flags (GType type)
{
  return type == GST_TYPE_GCC_SENDER_MANAGE ? SENDER_FLAGS : RECEIVER_FLAGS;
}

void
gst_gcc_manage_init (GstGccManage *self, GstElement *element, GType type,
    GstDebugCategory *category)
{
  *self = (GstGccManage){
    .element = element,
    .category = category,
    .flags = DEFAULT_FLAGS & get_flags (type),
  };
}

gboolean
gst_gcc_manage_has (GstGccManage *self, GstGccManageFlags flag)
{
  gboolean has;

  GST_OBJECT_LOCK (self->element);
  has = (self->flags & flag) != 0;
  GST_OBJECT_UNLOCK (self->element);

  return has;
}

/* --- properties --- */

static void
install_old_name (GObjectClass *klass, guint i)
{
  g_object_class_install_property (klass, PROP_OLD_NAMES + i,
      g_param_spec_boolean (old_names[i].name, old_names[i].nick,
          old_names[i].blurb, (DEFAULT_FLAGS & old_names[i].flag) != 0,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_DEPRECATED |
              old_names[i].mutability));
}

#define WHAT_FLAGS_SAY \
  "The flags say what the element sets in its neighbours; what is left out " \
  "is the application's."

static GParamSpec *
create_spec (GType type)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  if (type == GST_TYPE_GCC_RECEIVER_MANAGE)
    return g_param_spec_flags ("manage", "Manage", WHAT_FLAGS_SAY, type,
        DEFAULT_FLAGS & RECEIVER_FLAGS, flags | GST_PARAM_MUTABLE_READY);

  return g_param_spec_flags ("manage", "Manage",
      WHAT_FLAGS_SAY " \"encoder-bitrate\" and \"fec\" may be changed while "
                     "it runs.",
      type, DEFAULT_FLAGS, flags | GST_PARAM_MUTABLE_PLAYING);
}

void
gst_gcc_manage_install (GObjectClass *klass, GType type)
{
  g_object_class_install_property (klass, PROP_MANAGE, create_spec (type));
  for (guint i = 0; i < G_N_ELEMENTS (old_names); i++)
    if (get_flags (type) & old_names[i].flag)
      install_old_name (klass, i);
}

static gboolean
is_old_name (guint id)
{
  return id >= PROP_OLD_NAMES && id - PROP_OLD_NAMES < G_N_ELEMENTS (old_names);
}

static void
set_by_old_name (GstGccManage *self, guint i, gboolean on)
{
  GstGccManageFlags flag = old_names[i].flag;

  GST_OBJECT_LOCK (self->element);
  self->flags = on ? self->flags | flag : self->flags & ~flag;
  GST_OBJECT_UNLOCK (self->element);

  gst_gcc_deprecated_tell (self->element, self->category, old_names[i].name,
      "set its flag of \"manage\"");
  g_object_notify (G_OBJECT (self->element), "manage");
}

gboolean
gst_gcc_manage_set_property (GstGccManage *self, guint id, const GValue *value)
{
  if (is_old_name (id)) {
    set_by_old_name (self, id - PROP_OLD_NAMES, g_value_get_boolean (value));
    return TRUE;
  }
  if (id != PROP_MANAGE)
    return FALSE;

  GST_OBJECT_LOCK (self->element);
  self->flags = g_value_get_flags (value);
  GST_OBJECT_UNLOCK (self->element);

  return TRUE;
}

gboolean
gst_gcc_manage_get_property (GstGccManage *self, guint id, GValue *value)
{
  if (is_old_name (id)) {
    g_value_set_boolean (
        value, gst_gcc_manage_has (self, old_names[id - PROP_OLD_NAMES].flag));
    return TRUE;
  }
  if (id != PROP_MANAGE)
    return FALSE;

  GST_OBJECT_LOCK (self->element);
  g_value_set_flags (value, self->flags);
  GST_OBJECT_UNLOCK (self->element);

  return TRUE;
}
