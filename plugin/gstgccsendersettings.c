/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccsendersettings.h"

#define DEFAULT_MIN_BITRATE 50000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 2000000
#define DEFAULT_ENCODER_BITRATE_UNIT 0
#define MAX_ENCODER_BITRATE_UNIT 1000000
/* by encoder and profile */
#define DEFAULT_ENCODER_CHANGE_COST (-1)
#define MAX_ENCODER_CHANGE_COST 60000
/* the profile's */
#define DEFAULT_PACING_FACTOR (-1.)
#define MAX_PACING_FACTOR 100.
#define DEFAULT_MAX_PACING_DELAY 250
#define MAX_PACING_DELAY 10000
#define DEFAULT_RESERVED_BITRATE 0
#define DEFAULT_PROBING TRUE

#define READABLE (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define WRITABLE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define IN_READY (WRITABLE | GST_PARAM_MUTABLE_READY)
#define IN_PLAYING (WRITABLE | GST_PARAM_MUTABLE_PLAYING)

/* A property that is a number. Those without a setting are read elsewhere. */
typedef struct {
  guint id;
  const gchar *name;
  const gchar *nick;
  const gchar *blurb;
  guint min;
  guint max;
  guint initial;
  GParamFlags flags;
  gssize setting;
} Number;

#define SETTING(field) G_STRUCT_OFFSET (GstGccSenderSettings, field)
#define NO_SETTING (-1)

static const Number numbers[] = {
  { GST_GCC_SENDER_PROP_MIN_BITRATE, "min-bitrate", "Minimum bitrate",
      "The target bitrate in bit/s never falls below this one.", 1, G_MAXUINT,
      DEFAULT_MIN_BITRATE, IN_PLAYING, SETTING (min_bitrate) },
  { GST_GCC_SENDER_PROP_START_BITRATE, "start-bitrate", "Start bitrate",
      "The target bitrate in bit/s begins here, within the limits, and stays until feedback comes. The action signal \"restart\" sets another one in mid-call.",
      1, G_MAXUINT, DEFAULT_START_BITRATE, IN_READY, SETTING (start_bitrate) },
  { GST_GCC_SENDER_PROP_MAX_BITRATE, "max-bitrate", "Maximum bitrate",
      "The target bitrate in bit/s never rises above this one.", 1, G_MAXUINT,
      DEFAULT_MAX_BITRATE, IN_PLAYING, SETTING (max_bitrate) },
  { GST_GCC_SENDER_PROP_TARGET_BITRATE, "target-bitrate", "Target bitrate",
      "All that is sent has this rate A_s in bit/s, without packet headers. Its notification may come in any thread.",
      0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE, NO_SETTING },
  { GST_GCC_SENDER_PROP_ENCODER_BITRATE, "encoder-bitrate", "Encoder bitrate",
      "All video encoders together have this rate v in bit/s: what audio, FEC and retransmissions leave of the target bitrate. Its notification may come in any thread.",
      0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE, NO_SETTING },
  { GST_GCC_SENDER_PROP_MEDIA_BITRATE, "media-bitrate", "Media bitrate",
      "This property is deprecated and goes after version 0.2: use \"encoder-bitrate\", or \"estimated-bitrate\" of rtpgccbwe.",
      0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE | G_PARAM_DEPRECATED,
      NO_SETTING },
  { GST_GCC_SENDER_PROP_ENCODER_BITRATE_UNIT, "encoder-bitrate-unit",
      "Encoder bitrate unit",
      "This name is deprecated and goes after version 0.2: set \"encoder-bitrate-unit\" of the pad.",
      0, MAX_ENCODER_BITRATE_UNIT, DEFAULT_ENCODER_BITRATE_UNIT,
      IN_READY | G_PARAM_DEPRECATED, SETTING (encoder_bitrate_unit) },
  { GST_GCC_SENDER_PROP_MAX_PACING_DELAY, "max-pacing-delay",
      "Maximum pacing delay",
      "A packet is held for this time in ms at most: the pacer speeds up rather than exceed it. It is the latency of the element where \"pacing-factor\" or the profile has a factor.",
      1, MAX_PACING_DELAY, DEFAULT_MAX_PACING_DELAY, IN_READY,
      SETTING (max_pacing_delay) },
  { GST_GCC_SENDER_PROP_RESERVED_BITRATE, "reserved-bitrate",
      "Reserved bitrate",
      "The application sends this rate in bit/s beside on the same path, such as a file in a data channel. \"encoder-bitrate\" leaves it free.",
      0, G_MAXUINT, DEFAULT_RESERVED_BITRATE, IN_PLAYING,
      SETTING (reserved_bitrate) },
};

void
gst_gcc_sender_settings_init (GstGccSenderSettings *self)
{
  *self = (GstGccSenderSettings){
    .encoder_change_cost = DEFAULT_ENCODER_CHANGE_COST,
    .pacing_factor = DEFAULT_PACING_FACTOR,
    .probing = DEFAULT_PROBING,
    .ecn = GST_GCC_ECN_OFF,
  };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].setting != NO_SETTING)
      G_STRUCT_MEMBER (guint, self, numbers[i].setting) = numbers[i].initial;
}

GstGccSenderSettings
gst_gcc_sender_settings_get (
    const GstGccSenderSettings *self, GstObject *sender)
{
  GstGccSenderSettings settings;

  GST_OBJECT_LOCK (sender);
  settings = *self;
  GST_OBJECT_UNLOCK (sender);

  return settings;
}

/* (nullable): the number that is set as property @id. */
static const Number *
find_number (guint id)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].id == id && numbers[i].setting != NO_SETTING)
      return &numbers[i];

  return NULL;
}

/* With the object lock held. */
static gboolean
set_other (GstGccSenderSettings *self, guint id, const GValue *value)
{
  switch (id) {
    case GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST:
      self->encoder_change_cost = g_value_get_int (value);
      return TRUE;
    case GST_GCC_SENDER_PROP_PACING_FACTOR:
      self->pacing_factor = g_value_get_double (value);
      return TRUE;
    case GST_GCC_SENDER_PROP_PROBING:
      self->probing = g_value_get_boolean (value);
      return TRUE;
    case GST_GCC_SENDER_PROP_ECN:
      self->ecn = (GstGccEcnMode) g_value_get_enum (value);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_gcc_sender_settings_set_property (GstGccSenderSettings *self,
    GstObject *sender, guint id, const GValue *value)
{
  const Number *number = find_number (id);
  gboolean is_setting = TRUE;

  GST_OBJECT_LOCK (sender);
  if (number != NULL)
    G_STRUCT_MEMBER (guint, self, number->setting) = g_value_get_uint (value);
  else
    is_setting = set_other (self, id, value);
  GST_OBJECT_UNLOCK (sender);

  return is_setting;
}

/* With the object lock held. */
static gboolean
get_other (const GstGccSenderSettings *self, guint id, GValue *value)
{
  switch (id) {
    case GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST:
      g_value_set_int (value, self->encoder_change_cost);
      return TRUE;
    case GST_GCC_SENDER_PROP_PACING_FACTOR:
      g_value_set_double (value, self->pacing_factor);
      return TRUE;
    case GST_GCC_SENDER_PROP_PROBING:
      g_value_set_boolean (value, self->probing);
      return TRUE;
    case GST_GCC_SENDER_PROP_ECN:
      g_value_set_enum (value, (gint) self->ecn);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_gcc_sender_settings_get_property (const GstGccSenderSettings *self,
    GstObject *sender, guint id, GValue *value)
{
  const Number *number = find_number (id);
  gboolean is_setting = TRUE;

  GST_OBJECT_LOCK (sender);
  if (number != NULL)
    g_value_set_uint (
        value, *(const guint *) ((const guint8 *) self + number->setting));
  else
    is_setting = get_other (self, id, value);
  GST_OBJECT_UNLOCK (sender);

  return is_setting;
}

gboolean
gst_gcc_sender_settings_is_limit (GParamSpec *pspec)
{
  const gchar *name = g_param_spec_get_name (pspec);

  return g_str_equal (name, "min-bitrate") || g_str_equal (name, "max-bitrate");
}

static void
install_others (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_PACING_FACTOR,
      g_param_spec_double ("pacing-factor", "Pacing factor",
          "Packets leave at this multiple of the target bitrate, so that a key frame does not fill the queues of the network by itself. With 0 there are no pacing and no probes; another number below 1 counts as 1. With -1 the profile decides, and transport-wide feedback is paced at a rate that follows it.",
          DEFAULT_PACING_FACTOR, MAX_PACING_FACTOR, DEFAULT_PACING_FACTOR,
          IN_READY));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_PROBING,
      g_param_spec_boolean ("probing", "Probing",
          "Short bursts above the target bitrate measure the rate that the path has, where each packet is reported.",
          DEFAULT_PROBING, IN_PLAYING));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_ECN,
      g_param_spec_enum ("ecn", "ECN",
          "Packets leave with ECT(1), and the marks of an L4S queue lower the rate, with feedback=ccfb and the default profile. Where the path or the receiver takes no ECT(1), packets leave without it.",
          GST_TYPE_GCC_ECN_MODE, GST_GCC_ECN_OFF, IN_READY));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "The state of the controller has a field for each column of the trace, and counts of what was sent, reported and ignored. A field whose value is not yet known is absent.",
          GST_TYPE_STRUCTURE, READABLE));
}

static void
install_old_names (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_ENCODER,
      g_param_spec_object ("encoder", "Encoder",
          "This name is deprecated and goes after version 0.2: set \"encoder\" of the pad \"sink\".",
          GST_TYPE_ELEMENT, IN_PLAYING | G_PARAM_DEPRECATED));

  g_object_class_install_property (klass,
      GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST,
      g_param_spec_int ("encoder-change-cost", "Encoder change cost",
          "This name is deprecated and goes after version 0.2: set \"encoder-change-cost\" of the pad.",
          DEFAULT_ENCODER_CHANGE_COST, MAX_ENCODER_CHANGE_COST,
          DEFAULT_ENCODER_CHANGE_COST, IN_READY | G_PARAM_DEPRECATED));
}

void
gst_gcc_sender_settings_install (GObjectClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_object_class_install_property (klass, numbers[i].id,
        g_param_spec_uint (numbers[i].name, numbers[i].nick, numbers[i].blurb,
            numbers[i].min, numbers[i].max, numbers[i].initial,
            numbers[i].flags));
  install_others (klass);
  install_old_names (klass);
}
