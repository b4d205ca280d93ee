/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgccencoders.h"

#include <gst/gcc/output/gcc-rate-split.h>
#include <gst/gcc/profiles/gcc-profile-private.h>

#include "encoder/gstgccadvice.h"
#include "encoder/gstgccpauses.h"
#include "session/gstgccwalk.h"
#include "support/gstgccpads.h"
#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* A stream below its encoder's least rate has recovered at this multiple of
 * that rate, so that one that oscillates about it is reported once. */
#define RECOVERED 2

/* An encoder that joins or leaves a bundle without any event is noticed after this
 * time. */
#define LOOK_INTERVAL (GCC_SECOND / 2)

/* An application that replaces an encoder has the new one in place after this time. */
#define REPLACED_WITHIN (2 * GCC_SECOND)

/* A stream, and its part of the rate. */
typedef GstGccStreamShare Stream;

/* The settings to make: collected with the lock held, set without it. */
typedef struct {
  GstGccSenderPad *pad;
  GccRate least;
  /* none: nothing to set */
  GstGccEncoder encoder;
  gboolean configure;
  gboolean prepare;
  gboolean set_rate;
  gboolean warn;
  /* the rates of an encoder that does not obey: its ratio, and the factor */
  gboolean is_wrong;
  gdouble ratio;
  gdouble factor;
  gboolean tell_pause;
  gboolean is_paused;
  gboolean notify_active;
  /* (nullable) (element-type GstElement): nothing to set */
  GPtrArray *fecs;
} Setting;

void
gst_gcc_encoders_init (GstGccEncoders *self, GstGccController *controller,
    GstGccManage *manage, GstGccHandlers *handlers)
{
  *self = (GstGccEncoders){
    .controller = controller, .manage = manage, .handlers = handlers
  };
}

void
gst_gcc_encoders_start (GstGccEncoders *self, guint unknown_unit,
    gboolean configure, const GccProfile *profile, GccTime change_cost)
{
  self->unknown_unit = unknown_unit;
  self->configure = configure;
  self->rate_params = profile->encoder_rate;
  self->ratio_params = profile->encoder_ratio;
  self->key_params = profile->key_requests;
  self->change_cost = change_cost;
  g_atomic_int_set (&self->excess_is_explained, FALSE);
}

static gboolean
is_controlling (const GstGccEncoders *self)
{
  return gst_gcc_manage_has (self->manage, GST_GCC_MANAGE_ENCODER_BITRATE);
}

/* --- finding --- */

/* (transfer full) (nullable) */
static GstElement *
get_given (GstGccSenderPad *pad)
{
  GstElement *given = NULL;

  GST_OBJECT_LOCK (pad);
  g_set_object (&given, pad->given_encoder);
  GST_OBJECT_UNLOCK (pad);

  return given;
}

/* The unit of an encoder of @pad that is not known. */
static guint
get_unknown_unit (const GstGccEncoders *self, GstGccSenderPad *pad)
{
  guint unit = gst_gcc_sender_pad_get_bitrate_unit (pad);

  return unit > 0 ? unit : self->unknown_unit;
}

/* Adds the encoders to @driven. Returns whether there are any, and all can be set. */
static gboolean
find_encoders (
    GstGccEncoders *self, GstGccSenderPad *pad, GArray *driven, guint *pixels)
{
  GPtrArray *ways = gst_gcc_encoder_find_all (GST_PAD (pad));
  gboolean found = ways->len > 0;

  for (guint i = 0; i < ways->len; i++) {
    const GstGccWay *way = g_ptr_array_index (ways, i);

    found &= gst_gcc_driven_list_add (
        driven, way->element, way->pads, get_unknown_unit (self, pad));
    *pixels += gst_gcc_encoder_get_pixels (way->element);
  }
  g_ptr_array_unref (ways);

  return found;
}

/* As find_encoders(), for @given by the application. */
static gboolean
take_given (GstGccEncoders *self, GstGccSenderPad *pad, GstElement *given,
    GArray *driven, guint *pixels)
{
  *pixels += gst_gcc_encoder_get_pixels (given);

  return gst_gcc_driven_list_add (
      driven, given, NULL, get_unknown_unit (self, pad));
}

/* With the controller's lock held. */
static void
note_left (GstGccSenderPad *pad, const GArray *old, GccTime now)
{
  if (pad->driven->len > 0)
    pad->left_at = GCC_TIME_NONE;
  else if (old->len > 0)
    pad->left_at = now;
}

/* Makes @driven, which was found at @now, the list of @pad, and returns the one
 * to be freed. (transfer full) */
static GArray *
exchange (
    GstGccEncoders *self, GstGccSenderPad *pad, GArray *driven, GccTime now)
{
  g_mutex_lock (&self->controller->lock);
  /* The elements that a late thread finds would be kept beyond READY. */
  if (self->controller->is_running) {
    GArray *old = pad->driven;

    gst_gcc_driven_list_inherit (driven, old);
    pad->driven = driven;
    pad->looked_at = now;
    driven = old;
    note_left (pad, old, now);
  }
  g_mutex_unlock (&self->controller->lock);

  return driven;
}

gboolean
gst_gcc_encoders_look (
    GstGccEncoders *self, GstGccSenderPad *pad, guint *pixels)
{
  GccTime now = gst_gcc_time_now ();
  GstElement *given = get_given (pad);
  GArray *driven = gst_gcc_driven_list_new ();
  gboolean found = given != NULL ? take_given (self, pad, given, driven, pixels)
                                 : find_encoders (self, pad, driven, pixels);

  g_array_unref (exchange (self, pad, driven, now));
  gst_clear_object (&given);
  if (found)
    g_atomic_int_set (&pad->lack_was_told, FALSE);

  return found || !is_controlling (self);
}

void
gst_gcc_encoders_report_missing (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GstElement *given;

  if (!g_atomic_int_compare_and_exchange (&pad->lack_was_told, FALSE, TRUE))
    return;

  given = get_given (pad);
  gst_gcc_advice_of_missing (
      self->controller->element, pad, given, get_unknown_unit (self, pad));
  gst_clear_object (&given);
}

void
gst_gcc_encoders_report_latency (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GArray *encoders;

  if (!is_controlling (self))
    return;

  g_mutex_lock (&self->controller->lock);
  encoders = gst_gcc_driven_list_copy (pad->driven);
  g_mutex_unlock (&self->controller->lock);
  for (guint i = 0; i < encoders->len; i++)
    gst_gcc_advice_of_latency (self->controller->element,
        &g_array_index (encoders, GstGccEncoder, i), self->configure);
  g_array_unref (encoders);
}

void
gst_gcc_encoders_report_speed (
    GstGccEncoders *self, GstGccSenderPad *pad, gdouble speed, GccTime late)
{
  gst_gcc_advice_of_speed (
      self->controller->element, pad, speed, late, self->configure);
  if (speed > 1.)
    g_atomic_int_set (&self->excess_is_explained, TRUE);
}

gboolean
gst_gcc_encoders_have_new (GstGccEncoders *self, GstGccSenderPad *pad)
{
  gboolean has_new;

  g_mutex_lock (&self->controller->lock);
  has_new = gst_gcc_driven_list_has_new (pad->driven);
  g_mutex_unlock (&self->controller->lock);

  return has_new;
}

/* With the controller's lock held. Audio encoders are not controlled. A stream that
 * has ended or is not linked leaves its share to the others. */
static gboolean
has_share (GstGccSenderPad *pad)
{
  return !pad->formats.stream.is_audio && !pad->is_eos &&
      gst_pad_is_linked (GST_PAD (pad));
}

static gboolean
has_one_left (GArray *encoders)
{
  for (guint i = 0; i < encoders->len; i++)
    if (gst_gcc_encoder_has_left (&g_array_index (encoders, GstGccEncoder, i)))
      return TRUE;

  return FALSE;
}

/* An encoder that has left in mid-call, and is not replaced. */
static gboolean
has_lost_encoders (GstGccEncoders *self, GstGccSenderPad *pad, GccTime now)
{
  gboolean has_lost;

  g_mutex_lock (&self->controller->lock);
  has_lost = has_share (pad) && pad->left_at != GCC_TIME_NONE &&
      gcc_time_has_passed (REPLACED_WITHIN, pad->left_at, now);
  if (has_lost)
    pad->left_at = GCC_TIME_NONE;
  g_mutex_unlock (&self->controller->lock);

  return has_lost && is_controlling (self);
}

/* No signal is emitted when links further upstream change. */
static void
check_encoders (GstGccEncoders *self, GstGccSenderPad *pad, GccTime now)
{
  GstElement *given = get_given (pad);
  gboolean is_wanted, is_old, is_due;
  GArray *encoders;
  guint pixels = 0;

  g_mutex_lock (&self->controller->lock);
  encoders = gst_gcc_driven_list_copy (pad->driven);
  is_wanted = has_share (pad);
  is_old = gcc_time_has_passed (LOOK_INTERVAL, pad->looked_at, now);
  g_mutex_unlock (&self->controller->lock);

  if (encoders->len == 0)
    is_due = is_wanted;
  else
    is_due = given == NULL &&
        ((is_wanted && is_old) || has_one_left (encoders));
  if (is_due)
    gst_gcc_encoders_look (self, pad, &pixels);
  if (has_lost_encoders (self, pad, now))
    gst_gcc_encoders_report_missing (self, pad);
  g_array_unref (encoders);
  gst_clear_object (&given);
}

/* --- the share of each --- */

/* @least and @most are the limits of all encoders of @pad together. */
static GccShare
get_share (GstGccSenderPad *pad, GccRate least, GccRate most)
{
  GccShare share;

  GST_OBJECT_LOCK (pad);
  share.max = MAX (MIN (pad->max_bitrate, most), least);
  share.min = MAX (MIN (pad->min_bitrate, share.max), least);
  share.weight = pad->weight;
  GST_OBJECT_UNLOCK (pad);

  return share;
}

static GccShare
get_encoder_share (GstGccSenderPad *pad, const GstGccDriven *driven)
{
  GstGccEncoderSettings settings = gst_gcc_sender_pad_get_encoder_settings (
      pad, driven);
  GccRate least = gst_gcc_encoder_get_least (&driven->encoder);
  GccRate max = MAX (settings.max_bitrate, least);

  return (GccShare){
    .min = MAX (MIN (settings.min_bitrate, max), least),
    .max = max,
    .weight = settings.weight,
  };
}

/* With the controller's lock held. Returns the share of @pad. */
static GccShare
take_shares (GstGccSenderPad *pad)
{
  GccRate least = 0;
  GccRate most = pad->driven->len > 0 ? 0 : G_MAXUINT;

  for (guint i = 0; i < pad->driven->len; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (pad->driven, i);

    driven->share = get_encoder_share (pad, driven);
    least += driven->share.min;
    most += driven->share.max;
  }

  return get_share (pad, least, most);
}

static void
leave_encoders (GstGccSenderPad *pad)
{
  for (guint i = 0; i < pad->driven->len; i++)
    gst_gcc_driven_leave (gst_gcc_driven_list_get (pad->driven, i));
}

/* With the controller's lock held. (element-type Stream) */
static GArray *
list_streams (GPtrArray *pads)
{
  GArray *streams = g_array_new (FALSE, TRUE, sizeof (Stream));

  for (guint i = 0; i < pads->len; i++) {
    Stream stream = { .pad = g_ptr_array_index (pads, i) };

    if (has_share (stream.pad)) {
      stream.share = take_shares (stream.pad);
      g_array_append_val (streams, stream);
    } else {
      leave_encoders (stream.pad);
      gst_gcc_pauses_end (stream.pad);
    }
  }

  return streams;
}

/* Divides @rate among @shares (element-type GccShare*). Returns whether it covers all
 * minimums. */
static gboolean
divide (GPtrArray *shares, GccRate rate)
{
  GccShare *split = g_new (GccShare, shares->len);

  for (guint i = 0; i < shares->len; i++)
    split[i] = *(const GccShare *) g_ptr_array_index (shares, i);
  gcc_rate_split (rate, split, shares->len);
  for (guint i = 0; i < shares->len; i++) {
    *(GccShare *) g_ptr_array_index (shares, i) = split[i];
    rate -= split[i].rate;
  }
  g_free (split);

  return rate >= 0;
}

/* Divides @rate among the streams that flow, and returns as divide(). */
static gboolean
divide_streams (GArray *streams, GccRate rate)
{
  GPtrArray *shares = g_ptr_array_new ();
  gboolean covers;

  for (guint i = 0; i < streams->len; i++) {
    Stream *stream = &g_array_index (streams, Stream, i);

    if (!stream->is_paused)
      g_ptr_array_add (shares, &stream->share);
  }
  covers = divide (shares, rate);
  g_ptr_array_unref (shares);

  return covers;
}

/* With the controller's lock held. Divides the rate of a stream among its
 * encoders that flow. */
static void
divide_stream (const Stream *stream)
{
  GPtrArray *shares = g_ptr_array_new ();

  for (guint i = 0; i < stream->pad->driven->len; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (stream->pad->driven, i);

    if (!driven->pause.is_paused)
      g_ptr_array_add (shares, &driven->share);
  }
  divide (shares, stream->share.rate);
  g_ptr_array_unref (shares);
}

/* The cost of a change of the bitrate of @encoder of @pad. */
static GccTime
get_cost (const GstGccEncoders *self, GstGccSenderPad *pad,
    const GstGccEncoder *encoder)
{
  GccTime cost = gst_gcc_sender_pad_get_change_cost (pad);

  if (cost != GCC_TIME_NONE)
    return cost;
  if (self->change_cost != GCC_TIME_NONE)
    return self->change_cost;

  return encoder->starts_over ? self->rate_params.cost : 0;
}

/* With the controller's lock held, after the rate was divided. The rates that the
 * encoders can have at all are compared with what comes of them, unless the target
 * is low because nobody reports. */
static void
learn_ratio (GstGccEncoders *self, GstGccSenderPad *pad, GccTime now)
{
  GccRate wanted = 0;

  if (gst_gcc_driven_list_has_new (pad->driven))
    gcc_encoder_ratio_init (&pad->ratio, self->ratio_params);
  for (guint i = 0; i < pad->driven->len; i++)
    wanted += gst_gcc_encoder_round (
        &gst_gcc_driven_list_get (pad->driven, i)->encoder,
        gst_gcc_driven_list_get (pad->driven, i)->share.rate);
  if (gst_gcc_controller_lacks_feedback (self->controller))
    gcc_encoder_ratio_pause (&pad->ratio);
  else if (wanted > 0)
    gcc_encoder_ratio_update (&pad->ratio, pad->video_bytes, wanted, now);
}

/* With the controller's lock held. */
static void
note_ratio (Setting *setting)
{
  const GccEncoderRatio *ratio = &setting->pad->ratio;
  GccRate told, sent;

  if (!gcc_encoder_ratio_is_wrong (ratio) ||
      !gcc_encoder_ratio_get_rates (ratio, &told, &sent))
    return;
  setting->is_wrong = TRUE;
  setting->ratio = (gdouble) sent / (gdouble) told;
  setting->factor = gcc_encoder_ratio_get_factor (ratio);
}

/* With the controller's lock held. The rate for @driven to send its share. */
static GccRate
get_told (const GstGccSenderPad *pad, const GstGccDriven *driven)
{
  return (GccRate) (gcc_encoder_ratio_get_factor (&pad->ratio) *
      (gdouble) driven->share.rate);
}

/* With the controller's lock held. An encoder that starts over does so even for
 * the value that it already has, so the rate is compared after the encoder's
 * rounding. */
static void
claim (
    GstGccEncoders *self, Setting *setting, GstGccDriven *driven, GccTime now)
{
  GstGccEncoder *encoder = &driven->encoder;

  if (driven->owner == NULL)
    GST_INFO_OBJECT (
        setting->pad, "controlling %" GST_PTR_FORMAT, encoder->element);
  setting->set_rate = gst_gcc_claims_update (
      gst_gcc_claims_of (encoder->element), setting->pad,
      gst_gcc_encoder_round (encoder, get_told (setting->pad, driven)),
      &self->rate_params, get_cost (self, setting->pad, encoder), now,
      &self->controller->encoders_due);
  driven->owner = setting->pad;
  setting->configure = self->configure && !driven->is_configured;
  setting->prepare = !self->configure && !driven->is_configured;
  driven->is_configured = TRUE;
}

/* With the controller's lock held. No rate of the encoder is set. */
static void
pause_encoder (GstGccSenderPad *pad, GstGccDriven *driven)
{
  driven->is_configured = FALSE;
  driven->is_low = FALSE;
  gst_gcc_claims_pause (gst_gcc_claims_of (driven->encoder.element), pad,
      driven->encoder.element);
  driven->owner = pad;
}

/* With the controller's lock held. */
static void
take_encoder (GstGccEncoders *self, Setting *setting, GstGccDriven *driven,
    gboolean is_enough, GccTime now)
{
  GccRate rate = driven->share.rate;
  GccRate least = driven->share.min;
  gboolean is_low = !is_enough && rate == least &&
      driven->pause.tried_since == GCC_TIME_NONE;

  setting->least = least;
  setting->warn = is_low && !driven->is_low;
  driven->is_low = is_low || (driven->is_low && rate < RECOVERED * least);
  claim (self, setting, driven, now);
  note_ratio (setting);
  if (setting->set_rate || setting->is_wrong || setting->configure ||
      setting->prepare || setting->warn)
    setting->encoder = gst_gcc_encoder_copy (&driven->encoder);
}

/* With the controller's lock held. */
static void
take_encoders (GstGccEncoders *self, GArray *settings, const Stream *stream,
    gboolean is_enough, GccTime now)
{
  divide_stream (stream);
  learn_ratio (self, stream->pad, now);
  for (guint i = 0; i < stream->pad->driven->len; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (stream->pad->driven, i);
    Setting setting = { .pad = stream->pad };

    if (driven->pause.is_paused) {
      pause_encoder (stream->pad, driven);
      continue;
    }
    take_encoder (self, &setting, driven, is_enough, now);
    g_array_append_val (settings, setting);
  }
}

/* With the controller's lock held. After the rates: a key frame is for the new one. */
static void
take_encoder_pauses (GArray *settings, GstGccSenderPad *pad)
{
  for (guint i = 0; i < pad->driven->len; i++) {
    GstGccDriven *driven = gst_gcc_driven_list_get (pad->driven, i);
    Setting setting = {
      .pad = pad, .tell_pause = TRUE, .is_paused = driven->pause.is_paused
    };

    if (driven->was_paused == driven->pause.is_paused)
      continue;
    driven->was_paused = driven->pause.is_paused;
    setting.encoder = gst_gcc_encoder_copy (&driven->encoder);
    g_array_append_val (settings, setting);
  }
}

/* With the controller's lock held. */
static void
take_pauses (GArray *settings, GstGccSenderPad *pad)
{
  gboolean is_paused = gst_gcc_pauses_cover (pad);
  Setting setting = { .pad = pad,
    .notify_active = TRUE,
    .tell_pause = pad->driven->len == 0,
    .is_paused = is_paused };

  take_encoder_pauses (settings, pad);
  g_atomic_int_set (
      &pad->is_dropping, is_paused && gst_gcc_pauses_need_drops (pad));
  if (g_atomic_int_get (&pad->is_paused) == is_paused)
    return;
  g_atomic_int_set (&pad->is_paused, is_paused);
  g_array_append_val (settings, setting);
}

/* With the controller's lock held. */
static void
take_fec (GArray *settings, GstGccSenderPad *pad, gint percentage)
{
  GstGccProtection *protection = &pad->protection;
  Setting setting = { .pad = pad };

  if (percentage < 0 || protection->percentage == percentage)
    return;

  protection->percentage = percentage;
  if (protection->fecs == NULL)
    return;
  setting.fecs = g_ptr_array_ref (protection->fecs);
  g_array_append_val (settings, setting);
}

/* With the controller's lock held. */
static void
choose_streams (GstGccEncoders *self, gboolean control, GArray *streams,
    GccRate rate, GccTime now)
{
  GstGccChoice choice = { 0 };

  if (control)
    choice = gst_gcc_pauses_choose (streams, rate, now);
  else
    for (guint i = 0; i < streams->len; i++)
      gst_gcc_pauses_end (g_array_index (streams, Stream, i).pad);
  gcc_sender_set_wanted (
      self->controller->sender, choice.wanted, choice.resumes, now);
}

static GArray *
take_settings (GstGccEncoders *self, GPtrArray *pads, GccRate rate,
    gint fec_percentage, GccTime now)
{
  GArray *settings = g_array_new (FALSE, TRUE, sizeof (Setting));
  gboolean control = is_controlling (self);
  gboolean is_enough;
  GccRate lasting;
  GArray *streams;

  g_mutex_lock (&self->controller->lock);
  lasting = gcc_sender_get_lasting_target (self->controller->sender);
  self->controller->encoders_due = GCC_TIME_NONE;
  streams = list_streams (pads);
  choose_streams (self, control, streams, lasting, now);
  is_enough = divide_streams (streams, rate) || lasting > rate ||
      gst_gcc_controller_lacks_feedback (self->controller);
  for (guint i = 0; i < streams->len; i++) {
    const Stream *stream = &g_array_index (streams, Stream, i);

    if (control)
      take_encoders (self, settings, stream, is_enough, now);
    else
      leave_encoders (stream->pad);
    take_fec (settings, stream->pad, fec_percentage);
  }
  for (guint i = 0; i < pads->len; i++)
    take_pauses (settings, g_ptr_array_index (pads, i));
  g_mutex_unlock (&self->controller->lock);
  g_array_unref (streams);

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
set_rate (const Setting *setting)
{
  gst_gcc_claims_apply (
      gst_gcc_claims_of (setting->encoder.element), &setting->encoder);
}

/* The element may have been stopped meanwhile. */
static void
notify_active (GstGccEncoders *self, GstGccSenderPad *pad)
{
  if (gst_gcc_handlers_enter (self->handlers))
    g_object_notify (G_OBJECT (pad), "active");
  gst_gcc_handlers_leave (self->handlers);
}

static void
set (GstGccEncoders *self, Setting *setting, GccRate rate, gint fec_percentage)
{
  if (setting->configure && !gst_gcc_encoder_configure (&setting->encoder))
    GST_WARNING_OBJECT (setting->pad, "no settings known for %" GST_PTR_FORMAT,
        setting->encoder.element);
  if (setting->prepare)
    gst_gcc_encoder_prepare (&setting->encoder);
  if (setting->set_rate)
    set_rate (setting);
  if (setting->encoder.element != NULL && !setting->tell_pause &&
      gst_gcc_advice_of_encoder (self->controller->element, &setting->encoder))
    g_atomic_int_set (&self->excess_is_explained, TRUE);
  if (setting->is_wrong &&
      gst_gcc_advice_of_ratio (self->controller->element, &setting->encoder,
          setting->ratio, setting->factor, self->configure))
    g_atomic_int_set (&self->excess_is_explained, TRUE);
  if (setting->fecs != NULL)
    gst_gcc_protection_set_percentage (setting->fecs, (guint) fec_percentage);
  if (setting->warn)
    warn (self, setting, rate);
  if (setting->tell_pause)
    gst_gcc_pauses_tell (
        setting->pad, setting->encoder.element, setting->is_paused);
  if (setting->notify_active)
    notify_active (self, setting->pad);

  gst_gcc_encoder_clear (&setting->encoder);
  g_clear_pointer (&setting->fecs, g_ptr_array_unref);
}

void
gst_gcc_encoders_apply (
    GstGccEncoders *self, GccRate rate, gint fec_percentage, GccTime now)
{
  GPtrArray *pads = gst_gcc_pads_list (self->controller->element, GST_PAD_SINK);
  GArray *settings;

  for (guint i = 0; i < pads->len; i++)
    check_encoders (self, g_ptr_array_index (pads, i), now);

  settings = take_settings (self, pads, rate, fec_percentage, now);
  for (guint i = 0; i < settings->len; i++)
    set (self, &g_array_index (settings, Setting, i), rate, fec_percentage);

  g_array_unref (settings);
  g_ptr_array_unref (pads);
}

gboolean
gst_gcc_encoders_are_set (GstGccEncoders *self)
{
  GPtrArray *pads;
  gboolean are_set = FALSE;

  if (!is_controlling (self))
    return TRUE;
  pads = gst_gcc_pads_list (self->controller->element, GST_PAD_SINK);
  g_mutex_lock (&self->controller->lock);
  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);

    are_set = are_set || pad->driven->len > 0;
  }
  g_mutex_unlock (&self->controller->lock);
  g_ptr_array_unref (pads);

  return are_set;
}

void
gst_gcc_encoders_add_stats (GPtrArray *pads, GstStructure *stats)
{
  GccRate told = 0, sent = 0;

  for (guint i = 0; i < pads->len; i++) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i);
    GccRate pad_told, pad_sent;

    if (gcc_encoder_ratio_get_rates (&pad->ratio, &pad_told, &pad_sent)) {
      told += pad_told;
      sent += pad_sent;
    }
  }
  if (told > 0)
    gst_structure_set (stats, "encoder-told-bps", G_TYPE_INT64, told,
        "encoder-sent-bps", G_TYPE_INT64, sent, "encoder-ratio", G_TYPE_DOUBLE,
        (gdouble) sent / (gdouble) told, NULL);
}

/* --- letting go --- */

void
gst_gcc_encoders_forget (GstGccEncoders *self, GstGccSenderPad *pad)
{
  GstGccProtection protection = { 0 };
  GArray *driven = gst_gcc_driven_list_new ();
  GArray *old;

  gst_gcc_protection_clear (&protection);
  g_mutex_lock (&self->controller->lock);
  old = pad->driven;
  pad->driven = driven;
  pad->looked_at = GCC_TIME_NONE;
  pad->left_at = GCC_TIME_NONE;
  gcc_pause_init (&pad->pause);
  g_atomic_int_set (&pad->is_paused, FALSE);
  g_atomic_int_set (&pad->is_dropping, FALSE);
  gst_gcc_protection_exchange (&pad->protection, &protection);
  g_mutex_unlock (&self->controller->lock);
  g_atomic_int_set (&pad->lack_was_told, FALSE);

  g_array_unref (old);
  gst_gcc_protection_clear (&protection);
}

void
gst_gcc_encoders_release (GstGccEncoders *self)
{
  GPtrArray *pads = gst_gcc_pads_list (self->controller->element, GST_PAD_SINK);

  for (guint i = 0; i < pads->len; i++)
    gst_gcc_encoders_forget (self, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
}
