/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgccadvice.h"

#include <gst/video/gstvideoencoder.h>

#include "session/gstgccwalk.h"
#include "stream/gstgccclaims.h"

/* bit/s. No encoder of the table makes a moving picture of less: x264enc takes no
 * lower rate, and the headers of thirty packets a second are as much. */
#define LEAST_VIDEO_RATE 10000

/* --- units --- */

static gboolean
is_too_low (guint rate)
{
  return rate > 0 && rate < LEAST_VIDEO_RATE;
}

static void
warn_of_unit (GstElement *sender, const gchar *property, guint rate)
{
  GST_ELEMENT_WARNING (sender, LIBRARY, SETTINGS,
      ("%s is %u bit/s, which is too little for video.", property, rate),
      ("Rates are in bit/s: for %u kbit/s set %s=%u000.", rate, property,
          rate));
}

static guint
get_max (GstGccSenderPad *pad)
{
  guint max;

  GST_OBJECT_LOCK (pad);
  max = pad->max_bitrate;
  GST_OBJECT_UNLOCK (pad);

  return max;
}

void
gst_gcc_advice_of_units (
    GstElement *sender, GPtrArray *pads, guint start, guint max)
{
  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);
    gchar *property;

    if (!is_too_low (get_max (pad)))
      continue;
    property = g_strconcat (GST_PAD_NAME (pad), "::max-bitrate", NULL);
    warn_of_unit (sender, property, get_max (pad));
    g_free (property);
    return;
  }
  if (is_too_low (max))
    warn_of_unit (sender, "max-bitrate", max);
  else if (is_too_low (start))
    warn_of_unit (sender, "start-bitrate", start);
}

/* --- encoders --- */

/* Faults of an encoder, as bits. */
#define FAULT_KEEPS_BITRATE (1u << 0)
#define FAULT_KEEPS_QUALITY (1u << 1)
#define FAULT_HOLDS_BACK (1u << 2)
#define FAULT_DISOBEYS (1u << 3)

/* The encoders of gst-libav: GStreamer's source ignores properties that are set once
 * the codec is open. */
#define LIBAV_PREFIX "avenc_"

static const gchar *
get_factory (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL ? GST_OBJECT_NAME (factory)
                         : G_OBJECT_TYPE_NAME (element);
}

static gboolean
add_name (GstElement *element, gpointer names)
{
  if (((GString *) names)->len > 0)
    g_string_append (names, ", ");
  g_string_append (names, GST_OBJECT_NAME (element));

  return FALSE;
}

/* The elements upstream of @pad, nearest first. */
static gchar *
list_names (GstPad *pad)
{
  GString *names = g_string_new (NULL);
  GstElement *none = gst_gcc_walk_find (pad, add_name, names);

  gst_clear_object (&none);
  if (names->len == 0)
    g_string_append (names, "nothing");

  return g_string_free (names, FALSE);
}

static void
warn_of_none (GstElement *sender, GstGccSenderPad *pad)
{
  gchar *names = list_names (GST_PAD (pad));

  GST_ELEMENT_WARNING (sender, RESOURCE, NOT_FOUND,
      ("No encoder found upstream of pad %s: its bitrate is not controlled.",
          GST_PAD_NAME (pad)),
      ("Found: %s. Put an encoder before the payloader, such as vp8enc or "
       "x264enc; video that was encoded before cannot follow a rate. Where the "
       "encoder is not linked to gccsender, an application (gst-launch-1.0 "
       "cannot) gives it by \"encoder\" of the pad, or sets manage=sink+session+fec and "
       "follows \"encoder-bitrate\".",
          names));
  g_free (names);
}

static void
warn_of_fixed (GstElement *sender, GstElement *encoder)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("%s (%s) keeps its bitrate while it runs: the target bitrate is not "
       "followed.",
          GST_OBJECT_NAME (encoder), get_factory (encoder)),
      ("It ignores another bitrate once it encodes. Use an encoder that "
       "follows "
       "one, such as vp8enc, x264enc or openh264enc."));
}

static void
warn_of_no_bitrate (GstElement *sender, GstElement *encoder)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("%s (%s) has no bitrate that can be set: the target bitrate is not "
       "followed.",
          GST_OBJECT_NAME (encoder), get_factory (encoder)),
      ("Use an encoder with a bitrate, such as vp8enc, x264enc or openh264enc. "
       "An application that sets the encoder by another property sets "
       "manage=sink+session+fec and follows \"encoder-bitrate\"."));
}

static void
warn_of_unknown (GstElement *sender, GstElement *encoder, GParamSpec *bitrate)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("gccsender does not know the unit of the bitrate of %s (%s): the target "
       "bitrate is not followed.",
          GST_OBJECT_NAME (encoder), get_factory (encoder)),
      ("Set sink::encoder-bitrate-unit=1 of gccsender where the unit is bit/s, and "
       "sink::encoder-bitrate-unit=1000 where it is kbit/s. The property says: "
       "\"%s\".",
          g_param_spec_get_blurb (bitrate)));
}

/* Of an encoder that gst_gcc_encoder_init() has refused. */
static void
warn_of_refused (GstElement *sender, GstElement *encoder)
{
  GstGccRateProperty bitrate;

  if (g_str_has_prefix (get_factory (encoder), LIBAV_PREFIX))
    warn_of_fixed (sender, encoder);
  else if (!gst_gcc_rate_property_find (&bitrate, encoder, "bitrate", NULL))
    warn_of_no_bitrate (sender, encoder);
  else
    warn_of_unknown (sender, encoder, bitrate.pspec);
}

static void
check (GstElement *sender, GstElement *encoder, guint unit)
{
  GstGccEncoder known;

  if (gst_gcc_encoder_init (&known, encoder, unit))
    gst_gcc_encoder_clear (&known);
  else
    warn_of_refused (sender, encoder);
}

void
gst_gcc_advice_of_missing (
    GstElement *sender, GstGccSenderPad *pad, GstElement *given, guint unit)
{
  GPtrArray *ways;

  if (given != NULL) {
    check (sender, given, unit);
    return;
  }
  ways = gst_gcc_encoder_find_all (GST_PAD (pad));
  if (ways->len == 0)
    warn_of_none (sender, pad);
  for (guint i = 0; i < ways->len; i++)
    check (sender, ((GstGccWay *) g_ptr_array_index (ways, i))->element, unit);
  g_ptr_array_unref (ways);
}

static void
warn_of_quality (GstElement *sender, GstElement *encoder, const gchar *property,
    const gchar *value, const gchar *cure)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("%s has %s=%s, which keeps the quality: the target bitrate is not "
       "followed.",
          GST_OBJECT_NAME (encoder), property, value),
      ("Set %s=%s of %s.", property, cure, GST_OBJECT_NAME (encoder)));
}

gboolean
gst_gcc_advice_of_encoder (GstElement *sender, const GstGccEncoder *encoder)
{
  GstGccClaims *claims = gst_gcc_claims_of (encoder->element);
  const gchar *property, *value, *cure;
  gboolean is_fixed = gst_gcc_claims_were_refused (claims);
  gboolean keeps_quality = gst_gcc_encoder_keeps_quality (
      encoder, &property, &value, &cure);

  if (is_fixed && gst_gcc_claims_report (claims, FAULT_KEEPS_BITRATE))
    warn_of_fixed (sender, encoder->element);
  if (keeps_quality && gst_gcc_claims_report (claims, FAULT_KEEPS_QUALITY))
    warn_of_quality (sender, encoder->element, property, value, cure);

  return is_fixed || keeps_quality;
}

gboolean
gst_gcc_advice_of_ratio (GstElement *sender, const GstGccEncoder *encoder,
    gdouble ratio, gdouble factor, gboolean is_configured)
{
  GstElement *element = encoder->element;

  if (gst_gcc_claims_report (gst_gcc_claims_of (element), FAULT_DISOBEYS))
    GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
        ("%s (%s) sends %.2f times its bitrate, which is now %.2f times what "
         "it "
         "is to send.",
            GST_OBJECT_NAME (element), get_factory (element), ratio, factor),
        ("Where that does not help, the encoder ignores its bitrate, or has "
         "its coarsest or finest quantizer. %sMake the picture or the frame "
         "rate smaller (gccscale does both), or use another encoder.",
            is_configured ? "" : "Set manage=all at gccsender. "));

  return factor < 1.;
}

/* --- time --- */

/* An encoder without a look-ahead holds no frame back, and three B-frames at 15
 * frames a second are as much. */
#define MAX_LATENCY (200 * GST_MSECOND)

/* Settings with which each of the software encoders holds no frame back, and is
 * fastest. */
static const struct {
  const gchar *factory;
  const gchar *prompt;
  const gchar *quick;
} settings[] = {
  { "vp8enc", "lag-in-frames=0", "deadline=1 cpu-used=8" },
  { "vp9enc", "lag-in-frames=0", "deadline=1 cpu-used=8 row-mt=true" },
  { "av1enc", "lag-in-frames=0", "usage-profile=realtime cpu-used=9" },
  { "x264enc", "tune=zerolatency", "speed-preset=ultrafast" },
  { "x265enc", "tune=zerolatency", "speed-preset=ultrafast" },
  { "openh264enc", NULL, "complexity=low" },
};

typedef enum {
  PROMPT,
  QUICK,
} Wish;

/* Settings of @encoder (nullable) for @wish. (transfer full) */
static gchar *
advise (GstElement *encoder, Wish wish, gboolean is_configured)
{
  const gchar *own = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (encoder != NULL &&
        g_str_equal (settings[i].factory, get_factory (encoder)))
      own = wish == PROMPT ? settings[i].prompt : settings[i].quick;
  if (own == NULL)
    return g_strdup (wish == PROMPT ? "its look-ahead and B-frames to 0"
                                    : "faster settings of it");

  return g_strconcat (own, " at ", GST_OBJECT_NAME (encoder),
      is_configured ? "" : ", or manage=all at gccsender", NULL);
}

static GstClockTime
get_latency (GstElement *encoder)
{
  GstClockTime min = 0, max;

  if (GST_IS_VIDEO_ENCODER (encoder))
    gst_video_encoder_get_latency (GST_VIDEO_ENCODER (encoder), &min, &max);

  return min;
}

void
gst_gcc_advice_of_latency (
    GstElement *sender, const GstGccEncoder *encoder, gboolean is_configured)
{
  GstElement *element = encoder->element;
  GstClockTime latency = get_latency (element);
  gchar *advice;

  if (latency <= MAX_LATENCY ||
      !gst_gcc_claims_report (gst_gcc_claims_of (element), FAULT_HOLDS_BACK))
    return;

  advice = advise (element, PROMPT, is_configured);
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("%s holds each frame back for %u ms.", GST_OBJECT_NAME (element),
          (guint) (latency / GST_MSECOND)),
      ("It looks ahead at later frames, so that the picture is late, and a new "
       "bitrate has its effect as late. For a call set %s.",
          advice));
  g_free (advice);
}

static void
warn_of_fast (GstElement *sender, gdouble speed)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("Frames come %.1f times as fast as they play: the source is not live, "
       "and nothing waits for the clock.",
          speed),
      ("Put clocksync upstream of the encoder; is-live=true does the same for "
       "videotestsrc. Until then as many times the bitrate of the encoder is "
       "sent."));
}

static void
warn_of_slow (GstElement *sender, GstElement *encoder, gdouble speed,
    GccTime late, const gchar *advice)
{
  GST_ELEMENT_WARNING (sender, STREAM, ENCODE,
      ("Frames leave %.1f s late: %.0f %% of them are made in their time.",
          (gdouble) late / (gdouble) GCC_SECOND, 100. * speed),
      ("%s, or an element before it, takes longer for a frame than the frame "
       "is shown. Set %s, or make the picture or the frame rate smaller, as "
       "gccscale does upstream of it.",
          encoder != NULL ? GST_OBJECT_NAME (encoder) : "The encoder", advice));
}

void
gst_gcc_advice_of_speed (GstElement *sender, GstGccSenderPad *pad,
    gdouble speed, GccTime late, gboolean is_configured)
{
  GstElement *encoder;
  gchar *advice;

  if (speed > 1.) {
    warn_of_fast (sender, speed);
    return;
  }

  encoder = gst_gcc_walk_find (GST_PAD (pad), gst_gcc_encoder_is_encoder, NULL);
  advice = advise (encoder, QUICK, is_configured);
  warn_of_slow (sender, encoder, speed, late, advice);
  g_free (advice);
  gst_clear_object (&encoder);
}
