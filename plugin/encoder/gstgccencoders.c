/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgccencoders.h"

#include <gst/gcc/output/gcc-rate-split.h>

#include "support/gstgccpads.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* A stream below its encoder's least rate has recovered at this multiple of
 * that rate, so that one that oscillates about it is reported once. */
#define RECOVERED 2

/* What is to be set: collected with the lock held, set without it. */
typedef struct {
  GstGccSenderPad *pad;
  GccShare share;
  GccRate least;
  /* none: nothing to set */
  GstGccEncoder encoder;
  gboolean configure;
  gboolean set_rate;
  gboolean warn;
  /* (nullable): nothing to set */
  GstElement *fec;
} Setting;

void
gst_gcc_encoders_init (
    GstGccEncoders *self, GstGccController *controller, const gboolean *control)
{
  *self = (GstGccEncoders){ .controller = controller, .control = control };
}

void
gst_gcc_encoders_start (GstGccEncoders *self, guint unknown_unit,
    gboolean configure, const GccEncoderRateParams *rate_params,
    GccTime change_cost)
{
  self->unknown_unit = unknown_unit;
  self->configure = configure;
  self->rate_params = *rate_params;
  self->change_cost = change_cost;
}

static gboolean
is_controlling (const GstGccEncoders *self)
{
  gboolean control;

  GST_OBJECT_LOCK (self->controller->element);
  control = *self->control;
  GST_OBJECT_UNLOCK (self->controller->element);

  return control;
}

/* --- finding --- */

static GstElement *
find_encoder (GstGccSenderPad *pad)
{
  GstElement *encoder = NULL;

  GST_OBJECT_LOCK (pad);
  g_set_object (&encoder, pad->given_encoder);
  GST_OBJECT_UNLOCK (pad);

  return encoder != NULL ? encoder : gst_gcc_encoder_find (GST_PAD (pad));
}

/* Exchanges @encoder with that of @pad. */
static void
exchange (GstGccEncoders *self, GstGccSenderPad *pad, GstGccEncoder *encoder)
{
  GstGccEncoder old;

  g_mutex_lock (&self->controller->lock);
  /* What a late thread finds would be kept beyond READY. */
  if (self->controller->is_running) {
    old = pad->encoder;
    pad->encoder = *encoder;
    *encoder = old;
    if (old.element != pad->encoder.element) {
      gcc_encoder_rate_init (&pad->applied);
      pad->is_low = FALSE;
    }
  }
  g_mutex_unlock (&self->controller->lock);
}

gboolean
gst_gcc_encoders_look (
    GstGccEncoders *self, GstGccSenderPad *pad, guint *pixels)
{
  GstElement *element = find_encoder (pad);
  GstGccEncoder encoder = { 0 };
  gboolean found = FALSE;

  if (element != NULL) {
    found = gst_gcc_encoder_init (&encoder, element, self->unknown_unit);
    *pixels += gst_gcc_encoder_get_pixels (element);
  }
  exchange (self, pad, &encoder);
  if (found && encoder.element != element)
    GST_INFO_OBJECT (pad, "found %" GST_PTR_FORMAT, element);

  gst_gcc_encoder_clear (&encoder);
  gst_clear_object (&element);

  return found || !is_controlling (self);
}

static void
warn_of_others (GstGccEncoders *self, GstGccSenderPad *pad, GPtrArray *encoders)
{
  const gchar *driven = GST_OBJECT_NAME (g_ptr_array_index (encoders, 0));
  const gchar *other = GST_OBJECT_NAME (g_ptr_array_index (encoders, 1));

  GST_ELEMENT_WARNING (self->controller->element, STREAM, ENCODE,
      ("%s and %s share the pad %s: only the bitrate of %s is set.", driven,
          other, GST_PAD_NAME (pad), driven),
      ("Give each stream a sink_%%u pad of %s, and put rtpfunnel or funnel "
       "downstream of its src_%%u pads.",
          GST_OBJECT_NAME (self->controller->element)));
}

/* Returns whether that is news. */
static gboolean
set_shared (GstGccEncoders *self, GstGccSenderPad *pad, gboolean is_shared)
{
  gboolean is_new;

  g_mutex_lock (&self->controller->lock);
  is_new = is_shared && !pad->is_shared;
  pad->is_shared = is_shared;
  g_mutex_unlock (&self->controller->lock);

  return is_new;
}

void
gst_gcc_encoders_check_alone (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GPtrArray *encoders;
  gboolean is_given;

  GST_OBJECT_LOCK (pad);
  is_given = pad->given_encoder != NULL;
  GST_OBJECT_UNLOCK (pad);
  if (is_given || !is_controlling (self))
    return;

  encoders = gst_gcc_encoder_find_all (GST_PAD (pad));
  if (set_shared (self, pad, encoders->len > 1))
    warn_of_others (self, pad, encoders);
  g_ptr_array_unref (encoders);
}

/* With the controller's lock held. Audio encoders are not controlled. A stream that
 * has ended or is not linked leaves its share to the others. */
static gboolean
has_share (GstGccSenderPad *pad)
{
  return !pad->is_audio && !pad->is_eos && gst_pad_is_linked (GST_PAD (pad));
}

/* Nothing is signalled when links further upstream change. To check that the
 * encoder is still there is cheap; the pipeline is walked only when it is not.
 */
static void
check_encoder (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GstGccEncoder encoder;
  gboolean is_given, is_wanted, is_due;
  guint pixels = 0;

  g_mutex_lock (&self->controller->lock);
  encoder = gst_gcc_encoder_copy (&pad->encoder);
  is_wanted = has_share (pad);
  g_mutex_unlock (&self->controller->lock);

  GST_OBJECT_LOCK (pad);
  is_given = pad->given_encoder != NULL;
  GST_OBJECT_UNLOCK (pad);

  if (encoder.element == NULL)
    is_due = is_wanted;
  else
    is_due = !is_given && gst_gcc_encoder_has_left (&encoder);
  if (is_due)
    gst_gcc_encoders_look (self, pad, &pixels);
  gst_gcc_encoder_clear (&encoder);
}

/* --- the share of each --- */

static GccShare
get_share (GstGccSenderPad *pad, GccRate least)
{
  GccShare share;

  GST_OBJECT_LOCK (pad);
  share.min = MAX (MIN (pad->min_bitrate, pad->max_bitrate), least);
  share.max = MAX (pad->max_bitrate, least);
  share.weight = pad->weight;
  GST_OBJECT_UNLOCK (pad);

  return share;
}

/* With the controller's lock held. (element-type Setting) */
static GArray *
list_streams (GPtrArray *pads)
{
  GArray *settings = g_array_new (FALSE, TRUE, sizeof (Setting));

  for (guint i = 0; i < pads->len; i++) {
    Setting setting = { .pad = g_ptr_array_index (pads, i) };

    if (!has_share (setting.pad))
      continue;
    if (setting.pad->encoder.element != NULL)
      setting.least = gst_gcc_encoder_get_least (&setting.pad->encoder);
    setting.share = get_share (setting.pad, setting.least);
    g_array_append_val (settings, setting);
  }

  return settings;
}

/* Divides @rate. Returns whether it covers all minimums. */
static gboolean
divide (GArray *settings, GccRate rate)
{
  GccShare *shares = g_new (GccShare, settings->len);

  for (guint i = 0; i < settings->len; i++)
    shares[i] = g_array_index (settings, Setting, i).share;
  gcc_rate_split (rate, shares, settings->len);
  for (guint i = 0; i < settings->len; i++) {
    g_array_index (settings, Setting, i).share = shares[i];
    rate -= shares[i].rate;
  }
  g_free (shares);

  return rate >= 0;
}

/* Of a change of the bitrate of @encoder. */
static GccTime
get_cost (const GstGccEncoders *self, const GstGccEncoder *encoder)
{
  if (self->change_cost != GCC_TIME_NONE)
    return self->change_cost;

  return encoder->starts_over ? self->rate_params.cost : 0;
}

/* With the controller's lock held. An encoder that starts over does so with a value
 * that it has already, too: what it makes of the rate is compared. */
static void
take_rate (GstGccEncoders *self, Setting *setting, GccTime now)
{
  GstGccSenderPad *pad = setting->pad;
  GccRate rate = gst_gcc_encoder_round (&pad->encoder, setting->share.rate);
  gboolean was_set = gcc_encoder_rate_is_set (&pad->applied);

  setting->set_rate = gcc_encoder_rate_update (&pad->applied,
      &self->rate_params, get_cost (self, &pad->encoder), rate, now);
  setting->configure = self->configure && !was_set;
}

/* With the controller's lock held. */
static void
take_encoder (
    GstGccEncoders *self, Setting *setting, gboolean is_enough, GccTime now)
{
  GstGccSenderPad *pad = setting->pad;
  GccRate rate = setting->share.rate;
  gboolean is_low = !is_enough && rate == setting->least;

  if (pad->encoder.element == NULL)
    return;

  setting->warn = is_low && !pad->is_low;
  pad->is_low = is_low || (pad->is_low && rate < RECOVERED * setting->least);
  take_rate (self, setting, now);
  if (setting->set_rate || setting->warn)
    setting->encoder = gst_gcc_encoder_copy (&pad->encoder);
}

/* With the controller's lock held. Others may set its encoder from now on. */
static void
leave_encoder (GstGccSenderPad *pad)
{
  gcc_encoder_rate_init (&pad->applied);
  pad->is_low = FALSE;
}

/* With the controller's lock held. */
static void
take_fec (Setting *setting, gint percentage)
{
  GstGccProtection *protection = &setting->pad->protection;

  if (percentage < 0 || protection->percentage == percentage)
    return;

  protection->percentage = percentage;
  g_set_object (&setting->fec, protection->fec);
}

static GArray *
take_settings (GstGccEncoders *self, GPtrArray *pads, GccRate rate,
    gint fec_percentage, GccTime now)
{
  gboolean control = is_controlling (self);
  GArray *settings;
  gboolean is_enough;

  g_mutex_lock (&self->controller->lock);
  settings = list_streams (pads);
  is_enough = divide (settings, rate);
  for (guint i = 0; i < settings->len; i++) {
    Setting *setting = &g_array_index (settings, Setting, i);

    if (control)
      take_encoder (self, setting, is_enough, now);
    else
      leave_encoder (setting->pad);
    take_fec (setting, fec_percentage);
  }
  g_mutex_unlock (&self->controller->lock);

  return settings;
}

/* --- setting --- */

static void
warn (GstGccEncoders *self, const Setting *setting, GccRate rate)
{
  GST_ELEMENT_WARNING (self->controller->element, STREAM, ENCODE,
      ("%s (%s) cannot go below %" G_GINT64_FORMAT
       " bit/s: the target bitrate is exceeded.",
          GST_OBJECT_NAME (setting->encoder.element),
          GST_PAD_NAME (setting->pad), setting->least),
      ("Audio, FEC and retransmissions leave v = %" G_GINT64_FORMAT
       " bit/s for all encoders together. Send fewer streams, lower the "
       "bitrate of audio, or raise \"min-bitrate\".",
          rate));
}

static void
set (GstGccEncoders *self, Setting *setting, GccRate rate, gint fec_percentage)
{
  if (setting->set_rate) {
    if (setting->configure && !gst_gcc_encoder_configure (&setting->encoder))
      GST_WARNING_OBJECT (setting->pad,
          "no settings known for %" GST_PTR_FORMAT, setting->encoder.element);
    gst_gcc_encoder_set_bitrate (&setting->encoder, setting->share.rate);
  }
  if (setting->fec != NULL)
    gst_gcc_protection_set_percentage (setting->fec, (guint) fec_percentage);
  if (setting->warn)
    warn (self, setting, rate);

  gst_gcc_encoder_clear (&setting->encoder);
  gst_clear_object (&setting->fec);
}

void
gst_gcc_encoders_apply (
    GstGccEncoders *self, GccRate rate, gint fec_percentage, GccTime now)
{
  GPtrArray *pads = gst_gcc_pads_list (self->controller->element, GST_PAD_SINK);
  GArray *settings;

  for (guint i = 0; i < pads->len; i++)
    check_encoder (self, g_ptr_array_index (pads, i));

  settings = take_settings (self, pads, rate, fec_percentage, now);
  for (guint i = 0; i < settings->len; i++)
    set (self, &g_array_index (settings, Setting, i), rate, fec_percentage);

  g_array_unref (settings);
  g_ptr_array_unref (pads);
}

/* --- letting go --- */

static void
release (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GstGccProtection protection = { 0 };
  GstGccEncoder encoder;

  gst_gcc_protection_clear (&protection);
  g_mutex_lock (&self->controller->lock);
  encoder = pad->encoder;
  pad->encoder = (GstGccEncoder){ 0 };
  pad->is_shared = FALSE;
  gst_gcc_protection_exchange (&pad->protection, &protection);
  g_mutex_unlock (&self->controller->lock);

  gst_gcc_encoder_clear (&encoder);
  gst_gcc_protection_clear (&protection);
}

void
gst_gcc_encoders_release (GstGccEncoders *self)
{
  GPtrArray *pads = gst_gcc_pads_list (self->controller->element, GST_PAD_SINK);

  for (guint i = 0; i < pads->len; i++)
    release (self, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
}
