/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "encoder/gstgcctarget.h"

#include <gst/gcc/compose/gcc-sender-private.h>

#include "support/gstgcctime.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

/* Fields for a person to follow; an application reads the rest in `stats`. */
static const gchar *const message_fields[] = { "reason", "a-s-bps", "v-bps",
  "rtt-ms", "fraction-lost", "feedback", NULL };

/* ... where v alone has changed: the reason is that of A_s, and was posted. */
static const gchar *const *const share_fields = message_fields + 1;

/* v follows what is sent, too: a smaller change is not announced, as a part of v. */
#define LEAST_SHARE_CHANGE 0.1

/* Encoders with a constant rate stay within 3 % of it, with peaks of half a second
 * of 40 % at most; after a fall to a half they need 1.7 s at most (docs/encoder.md). */
static const GccEncoderWatchParams watch_params = { .excess = 1.3,
  .patience = 5 * GCC_SECOND };

/* The names of the properties. */
static const gchar *const property_names[GST_GCC_TARGET_N_PROPERTIES] = {
  [GST_GCC_TARGET_PROPERTY_TARGET] = "target-bitrate",
  [GST_GCC_TARGET_PROPERTY_ENCODER] = "encoder-bitrate",
  [GST_GCC_TARGET_PROPERTY_MEDIA] = "media-bitrate",
};

static GccRate
get_property (const GccSender *sender, guint property)
{
  switch (property) {
    case GST_GCC_TARGET_PROPERTY_ENCODER:
      return gcc_sender_get_stats (sender)->encoder_target;
    case GST_GCC_TARGET_PROPERTY_MEDIA:
      return gcc_sender_get_media_target (sender);
    default:
      return gcc_sender_get_target (sender);
  }
}

void
gst_gcc_target_init (GstGccTarget *self, GstGccController *controller,
    GstGccMessages *messages, GstGccPacer *pacer, GstGccEncoders *encoders,
    GstGccManage *manage, GstGccHandlers *handlers)
{
  *self = (GstGccTarget){
    .controller = controller,
    .messages = messages,
    .pacer = pacer,
    .encoders = encoders,
    .manage = manage,
    .handlers = handlers,
  };
  for (guint i = 0; i < GST_GCC_TARGET_N_PROPERTIES; i++)
    self->notified[i] = get_property (controller->sender, i);
  gst_gcc_target_start (self);
}

void
gst_gcc_target_start (GstGccTarget *self)
{
  gst_gcc_messages_start (self->messages);
  self->told = GCC_RATE_NONE;
  self->told_v = GCC_RATE_NONE;
  self->posted = GCC_RATE_NONE;
  gcc_encoder_watch_init (&self->watch, &watch_params);
  gst_gcc_story_start (&self->story);
}

static gboolean
is_news (const GstGccTarget *self, const GccSenderStats *stats)
{
  gdouble change = (gdouble) ABS (stats->encoder_target - self->told_v);

  return stats->target != self->told ||
      change > LEAST_SHARE_CHANGE * (gdouble) self->told_v;
}

/* With the lock held. */
static void
note_target (GstGccTarget *self, const GccSenderStats *stats)
{
  if (!is_news (self, stats))
    return;

  GST_DEBUG_OBJECT (self->controller->element,
      "target bitrate %" G_GINT64_FORMAT " bit/s, for encoders "
      "%" G_GINT64_FORMAT " bit/s",
      stats->target, stats->encoder_target);
  self->told = stats->target;
  self->told_v = stats->encoder_target;
  gst_gcc_messages_note_change (self->messages);
}

/* With the lock held. Returns the fields of a message that is due; %NULL: none is. */
static const gchar *const *
take_message (GstGccTarget *self, const GccSenderStats *stats)
{
  gboolean has_reason = stats->target != self->posted;

  if (!gst_gcc_messages_take (self->messages))
    return NULL;
  self->posted = stats->target;

  return has_reason ? message_fields : share_fields;
}

/* With the lock held. Returns which properties have new values, a bit for
 * each. */
static guint
note_properties (GstGccTarget *self)
{
  guint changed = 0;

  for (guint i = 0; i < GST_GCC_TARGET_N_PROPERTIES; i++) {
    GccRate rate = get_property (self->controller->sender, i);

    if (rate != self->notified[i])
      changed |= 1u << i;
    self->notified[i] = rate;
  }

  return changed;
}

static void
notify (GstGccTarget *self, guint changed)
{
  for (guint i = 0; i < GST_GCC_TARGET_N_PROPERTIES; i++)
    if (changed & 1u << i)
      g_object_notify (G_OBJECT (self->controller->element), property_names[i]);
}

/* Advises nothing that is set already. */
static const gchar *
get_cure (const GstGccTarget *self)
{
  if (self->encoders->configure)
    return "The encoders are configured to follow their bitrate, and send no "
           "less than the coarsest quantizer makes of the picture: make the "
           "picture or the frame rate smaller, or let the encoder drop frames.";

  return "An encoder follows its bitrate where it has a constant rate over a "
         "short buffer (manage=all), and sends no less than the "
         "coarsest quantizer makes of the picture: then make the picture "
         "smaller, or let the encoder drop frames. Where the application sets "
         "the encoders, it is to follow \"encoder-bitrate\".";
}

static void
warn_of_excess (GstGccTarget *self, const GccSenderStats *stats)
{
  GST_ELEMENT_WARNING (self->controller->element, STREAM, ENCODE,
      ("The encoders send %" G_GINT64_FORMAT " bit/s and may send "
       "%" G_GINT64_FORMAT " bit/s: the target bitrate is exceeded.",
          stats->video_rate, stats->encoder_target),
      ("%s", get_cure (self)));
}

/* The element may have been stopped since the target was read. */
static void
announce (GstGccTarget *self, guint changed, const GccSenderStats *excess,
    const gchar *const *fields)
{
  if (gst_gcc_handlers_enter (self->handlers)) {
    notify (self, changed);
    if (excess != NULL && gst_gcc_encoders_are_set (self->encoders) &&
        !g_atomic_int_get (&self->encoders->excess_is_explained))
      warn_of_excess (self, excess);
    if (fields != NULL)
      gst_gcc_messages_post (self->controller->element, fields);
  }
  gst_gcc_handlers_leave (self->handlers);
}

static void
apply (GstGccTarget *self)
{
  GccTime now = gst_gcc_time_now ();
  gboolean running, is_over = FALSE;
  gboolean sets_fec = gst_gcc_manage_has (self->manage, GST_GCC_MANAGE_FEC);
  const gchar *const *fields = NULL;
  guint changed = 0;
  GccSenderStats stats;

  g_mutex_lock (&self->controller->lock);
  running = self->controller->is_running;
  if (running) {
    gcc_sender_update (self->controller->sender, now);
    stats = *gcc_sender_get_stats (self->controller->sender);
    gst_gcc_story_tell (
        &self->story, GST_OBJECT (self->controller->element), &stats);
    note_target (self, &stats);
    changed = note_properties (self);
    is_over = !gst_gcc_controller_lacks_feedback (self->controller) &&
        gcc_encoder_watch_update (
            &self->watch, stats.video_rate, stats.encoder_target, now);
    fields = take_message (self, &stats);
  }
  g_mutex_unlock (&self->controller->lock);
  if (!running)
    return;

  gst_gcc_pacer_set_rates (
      self->pacer, stats.target, stats.pacing_rate, stats.padding_rate);
  gst_gcc_encoders_apply (self->encoders, stats.encoder_target,
      sets_fec ? (gint) stats.fec_percentage : -1, now);
  announce (self, changed, is_over ? &stats : NULL, fields);
}

GccRate
gst_gcc_target_get (GstGccTarget *self, GstGccTargetProperty property)
{
  GccRate rate;

  g_mutex_lock (&self->controller->lock);
  rate = get_property (self->controller->sender, property);
  g_mutex_unlock (&self->controller->lock);

  return rate;
}

void
gst_gcc_target_apply (GstGccTarget *self)
{
  gint n_seen;

  if (g_atomic_int_add (&self->n_pending, 1) > 0)
    return;

  do {
    n_seen = g_atomic_int_get (&self->n_pending);
    apply (self);
  } while (!g_atomic_int_compare_and_exchange (&self->n_pending, n_seen, 0));
}
