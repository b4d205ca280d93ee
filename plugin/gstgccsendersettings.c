/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccsendersettings.h"

#define DEFAULT_MIN_BITRATE 50000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 2000000
#define DEFAULT_ENCODER_BITRATE_UNIT 0
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

void
gst_gcc_sender_settings_init (GstGccSenderSettings *self)
{
  *self = (GstGccSenderSettings){
    .min_bitrate = DEFAULT_MIN_BITRATE,
    .start_bitrate = DEFAULT_START_BITRATE,
    .max_bitrate = DEFAULT_MAX_BITRATE,
    .encoder_bitrate_unit = DEFAULT_ENCODER_BITRATE_UNIT,
    .encoder_change_cost = DEFAULT_ENCODER_CHANGE_COST,
    .pacing_factor = DEFAULT_PACING_FACTOR,
    .max_pacing_delay = DEFAULT_MAX_PACING_DELAY,
    .reserved_bitrate = DEFAULT_RESERVED_BITRATE,
    .probing = DEFAULT_PROBING,
  };
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

gboolean
gst_gcc_sender_settings_set_property (GstGccSenderSettings *self,
    GstObject *sender, guint id, const GValue *value)
{
  gboolean is_setting = TRUE;

  GST_OBJECT_LOCK (sender);
  switch (id) {
    case GST_GCC_SENDER_PROP_MIN_BITRATE:
      self->min_bitrate = g_value_get_uint (value);
      break;
    case GST_GCC_SENDER_PROP_START_BITRATE:
      self->start_bitrate = g_value_get_uint (value);
      break;
    case GST_GCC_SENDER_PROP_MAX_BITRATE:
      self->max_bitrate = g_value_get_uint (value);
      break;
    case GST_GCC_SENDER_PROP_ENCODER_BITRATE_UNIT:
      self->encoder_bitrate_unit = g_value_get_uint (value);
      break;
    case GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST:
      self->encoder_change_cost = g_value_get_int (value);
      break;
    case GST_GCC_SENDER_PROP_PACING_FACTOR:
      self->pacing_factor = g_value_get_double (value);
      break;
    case GST_GCC_SENDER_PROP_MAX_PACING_DELAY:
      self->max_pacing_delay = g_value_get_uint (value);
      break;
    case GST_GCC_SENDER_PROP_PROBING:
      self->probing = g_value_get_boolean (value);
      break;
    case GST_GCC_SENDER_PROP_RESERVED_BITRATE:
      self->reserved_bitrate = g_value_get_uint (value);
      break;
    default:
      is_setting = FALSE;
      break;
  }
  GST_OBJECT_UNLOCK (sender);

  return is_setting;
}

gboolean
gst_gcc_sender_settings_get_property (const GstGccSenderSettings *self,
    GstObject *sender, guint id, GValue *value)
{
  gboolean is_setting = TRUE;

  GST_OBJECT_LOCK (sender);
  switch (id) {
    case GST_GCC_SENDER_PROP_MIN_BITRATE:
      g_value_set_uint (value, self->min_bitrate);
      break;
    case GST_GCC_SENDER_PROP_START_BITRATE:
      g_value_set_uint (value, self->start_bitrate);
      break;
    case GST_GCC_SENDER_PROP_MAX_BITRATE:
      g_value_set_uint (value, self->max_bitrate);
      break;
    case GST_GCC_SENDER_PROP_ENCODER_BITRATE_UNIT:
      g_value_set_uint (value, self->encoder_bitrate_unit);
      break;
    case GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST:
      g_value_set_int (value, self->encoder_change_cost);
      break;
    case GST_GCC_SENDER_PROP_PACING_FACTOR:
      g_value_set_double (value, self->pacing_factor);
      break;
    case GST_GCC_SENDER_PROP_MAX_PACING_DELAY:
      g_value_set_uint (value, self->max_pacing_delay);
      break;
    case GST_GCC_SENDER_PROP_PROBING:
      g_value_set_boolean (value, self->probing);
      break;
    case GST_GCC_SENDER_PROP_RESERVED_BITRATE:
      g_value_set_uint (value, self->reserved_bitrate);
      break;
    default:
      is_setting = FALSE;
      break;
  }
  GST_OBJECT_UNLOCK (sender);

  return is_setting;
}

gboolean
gst_gcc_sender_settings_is_limit (GParamSpec *pspec)
{
  const gchar *name = g_param_spec_get_name (pspec);

  return g_str_equal (name, "min-bitrate") || g_str_equal (name, "max-bitrate");
}

#define READABLE (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define WRITABLE (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define IN_READY (WRITABLE | GST_PARAM_MUTABLE_READY)
#define IN_PLAYING (WRITABLE | GST_PARAM_MUTABLE_PLAYING)

static void
install_rates (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Minimum target bitrate in bit/s, regardless of network conditions",
          1, G_MAXUINT, DEFAULT_MIN_BITRATE, IN_PLAYING));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_START_BITRATE,
      g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Target bitrate in bit/s until feedback arrives; clamped to "
          "min-bitrate and max-bitrate. When it is set while the element "
          "runs, the target goes on from there",
          1, G_MAXUINT, DEFAULT_START_BITRATE, IN_PLAYING));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Maximum target bitrate in bit/s, regardless of network conditions",
          1, G_MAXUINT, DEFAULT_MAX_BITRATE, IN_PLAYING));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_TARGET_BITRATE,
      g_param_spec_uint ("target-bitrate", "Target bitrate",
          "Present sending rate A_s in bit/s, without packet headers. "
          "notify::target-bitrate may be emitted in any thread",
          0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE));

  /**
   * GstGccSender:encoder-bitrate:
   *
   * The part of the target for encoders, for applications that set them.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_ENCODER_BITRATE,
      g_param_spec_uint ("encoder-bitrate", "Encoder bitrate",
          "Rate for all video encoders together (v), in bit/s: the target "
          "bitrate without audio, FEC and retransmissions. "
          "notify::encoder-bitrate may be emitted in any thread",
          0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE));

  /**
   * GstGccSender:media-bitrate:
   *
   * The part of the target for all media, for applications that divide it.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_MEDIA_BITRATE,
      g_param_spec_uint ("media-bitrate", "Media bitrate",
          "Rate for audio, video and FEC together, in bit/s, for an "
          "application that divides it by itself: the target bitrate without "
          "retransmissions. notify::media-bitrate may be emitted in any "
          "thread",
          0, G_MAXUINT, DEFAULT_START_BITRATE, READABLE));
}

static void
install_encoders (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_ENCODER,
      g_param_spec_object ("encoder", "Encoder",
          "Encoder whose bitrate is set (NULL = the nearest one upstream). "
          "Reading it returns the encoder in use",
          GST_TYPE_ELEMENT, IN_PLAYING));

  g_object_class_install_property (klass,
      GST_GCC_SENDER_PROP_ENCODER_BITRATE_UNIT,
      g_param_spec_uint ("encoder-bitrate-unit", "Encoder bitrate unit",
          "Unit in bit/s, usually 1 or 1000, of the property \"bitrate\" of "
          "an encoder that gccsender does not know (0 = do not control such "
          "an encoder)",
          0, 1000000, DEFAULT_ENCODER_BITRATE_UNIT, IN_READY));

  /**
   * GstGccSender:encoder-change-cost:
   *
   * The cost of a change of an encoder's bitrate, so that not every change is
   * made.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass,
      GST_GCC_SENDER_PROP_ENCODER_CHANGE_COST,
      g_param_spec_int ("encoder-change-cost", "Encoder change cost",
          "Cost of a change of an encoder's bitrate, in ms: the time that a "
          "key frame takes at that bitrate, where each change makes one. A "
          "change is made when waiting for it has cost as much; a fall by 30 "
          "% is made at once (0 = each change is made at once; -1 = in the "
          "default profile 150 for encoders that start over at each change, "
          "and for those that gccsender does not know, else 0)",
          DEFAULT_ENCODER_CHANGE_COST, MAX_ENCODER_CHANGE_COST,
          DEFAULT_ENCODER_CHANGE_COST, IN_READY));
}

static void
install_sending (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_PACING_FACTOR,
      g_param_spec_double ("pacing-factor", "Pacing factor",
          "Pacing rate as a multiple of the target bitrate, so that a key "
          "frame does not fill the queues of the network by itself: at least "
          "1 (0 = no pacing and no probes; -1 = as the profile says: also "
          "with transport-wide feedback, at a rate that follows it)",
          DEFAULT_PACING_FACTOR, MAX_PACING_FACTOR, DEFAULT_PACING_FACTOR,
          IN_READY));

  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_MAX_PACING_DELAY,
      g_param_spec_uint ("max-pacing-delay", "Maximum pacing delay",
          "Maximum time in ms that a packet is held; the pacer speeds up "
          "rather than exceed it. Reported as latency where a factor is set, "
          "by pacing-factor or by the profile",
          1, MAX_PACING_DELAY, DEFAULT_MAX_PACING_DELAY, IN_READY));

  /**
   * GstGccSender:reserved-bitrate:
   *
   * The rate that the application sends beside, as in a data channel, which the video leaves
   * free.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_RESERVED_BITRATE,
      g_param_spec_uint ("reserved-bitrate", "Reserved bitrate",
          "Bitrate in bit/s of what the application sends beside on the same "
          "path, such as a file in a data channel: encoder-bitrate leaves it "
          "free",
          0, G_MAXUINT, DEFAULT_RESERVED_BITRATE, IN_PLAYING));

  /**
   * GstGccSender:probing:
   *
   * Whether the path is probed for a higher rate.
   *
   * Since: 0.2
   */
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_PROBING,
      g_param_spec_boolean ("probing", "Probing",
          "Send probes with transport-wide feedback: short bursts above the "
          "target bitrate, from which the rate that the path has is measured",
          DEFAULT_PROBING, IN_PLAYING));
}

static void
install_stats (GObjectClass *klass)
{
  g_object_class_install_property (klass, GST_GCC_SENDER_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "State of the controller: feedback (transport-cc or remb, which is "
          "followed), feedback-reason; reason (why A_s has changed last); "
          "fraction-lost (0 to 1), rtt-ms, and in bit/s remb-bps (A_r), "
          "loss-based-bps, a-s-bps (A_s), r-video-bps, r-audio-bps, "
          "r-fec-bps, r-rtx-bps, r-padding-bps (all as sent) and v-bps (for "
          "the encoders); fec-percentage; competition (the holder of the "
          "queue), verdict (what sending less has shown last) and path-loss; "
          "has-feedback (FALSE until reports or REMBs that count arrive, and "
          "when they have stopped); queued-bytes (held by the pacer), "
          "unpaced-packets (too many to be held); padding-packets and "
          "padding-bytes (sent to probe the path); and the counts rtx and "
          "rtx-dropped (retransmissions), n-dd, reports, rembs, "
          "reports-ignored, rembs-ignored, malformed-rtp, malformed-rtcp, "
          "malformed-remb, dropped-sr-requests (requests for sender reports "
          "kept from the session) and dropped-transport-cc (transport-wide "
          "feedback kept from it where gccsender numbers nothing). With "
          "transport-wide feedback also r-ack-bps, delay-based-bps, signal, "
          "m-ms, gamma-ms, loss-state, alr, path-rtt-ms, path-queue-ms, "
          "path-noise-ms, path-capacity-bps, probe-bps, pacing-bps, "
          "padding-bps, window-full, probe-asked-bps, probe-abandoned (why), "
          "and the counts probes, probe-results, probes-abandoned, feedbacks, "
          "feedbacks-lost, feedbacks-ignored and malformed-transport-cc. "
          "Fields whose value is not yet known are absent",
          GST_TYPE_STRUCTURE, READABLE));
}

void
gst_gcc_sender_settings_install (GObjectClass *klass)
{
  install_rates (klass);
  install_encoders (klass);
  install_sending (klass);
  install_stats (klass);
}
