/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccclaims.h"

#include <gst/gcc/history/gcc-deadline.h>

#define CLAIMS_KEY "gst-gcc-claims"

/* @rate: %GCC_RATE_NONE: the owner wants the encoder to stop */
typedef struct {
  gconstpointer owner;
  GccRate rate;
} Claim;

struct _GstGccClaims {
  GMutex lock;
  GArray *claims;
  /* whether pictures go by drop_picture() */
  gboolean is_watched;
  gboolean has_picture;
  /* what those upstream know; a thread may be about to tell them */
  gboolean is_told_paused;
  gboolean is_telling;
  /* the rate that was decided; a thread may still be about to set it */
  GccEncoderRate decided;
  GccRate due;
  gboolean is_setting;
  gboolean is_refused;
  guint reported;
  /* when a key frame was requested last */
  GccTime key_requested_at;
};

static GstGccClaims *
claims_new (void)
{
  GstGccClaims *self = g_new0 (GstGccClaims, 1);

  g_mutex_init (&self->lock);
  self->claims = g_array_new (FALSE, FALSE, sizeof (Claim));
  gcc_encoder_rate_init (&self->decided);
  self->due = GCC_RATE_NONE;
  self->key_requested_at = GCC_TIME_NONE;

  return self;
}

static void
claims_free (gpointer data)
{
  GstGccClaims *self = data;

  g_array_unref (self->claims);
  g_mutex_clear (&self->lock);
  g_free (self);
}

GstGccClaims *
gst_gcc_claims_of (GstElement *element)
{
  GQuark key = g_quark_from_static_string (CLAIMS_KEY);
  GstGccClaims *self;

  GST_OBJECT_LOCK (element);
  self = g_object_get_qdata (G_OBJECT (element), key);
  if (self == NULL) {
    self = claims_new ();
    g_object_set_qdata_full (G_OBJECT (element), key, self, claims_free);
  }
  GST_OBJECT_UNLOCK (element);

  return self;
}

/* --- with the lock held --- */

static Claim *
find (const GstGccClaims *self, gconstpointer owner, guint *index)
{
  for (*index = 0; *index < self->claims->len; (*index)++) {
    Claim *claim = &g_array_index (self->claims, Claim, *index);

    if (claim->owner == owner)
      return claim;
  }

  return NULL;
}

static void
put (GstGccClaims *self, gconstpointer owner, GccRate rate)
{
  guint index;
  Claim *claim = find (self, owner, &index);

  if (claim != NULL) {
    claim->rate = rate;
  } else {
    Claim added = { owner, rate };

    g_array_append_val (self->claims, added);
  }
}

/* %GCC_RATE_NONE: no owner wants a rate. */
static GccRate
get_least (const GstGccClaims *self)
{
  GccRate least = GCC_RATE_NONE;

  for (guint i = 0; i < self->claims->len; i++) {
    GccRate rate = g_array_index (self->claims, Claim, i).rate;

    if (rate != GCC_RATE_NONE)
      least = least == GCC_RATE_NONE ? rate : MIN (least, rate);
  }

  return least;
}

static void
forget_unclaimed (GstGccClaims *self)
{
  if (get_least (self) != GCC_RATE_NONE)
    return;
  gcc_encoder_rate_init (&self->decided);
  self->due = GCC_RATE_NONE;
  self->is_refused = FALSE;
  self->reported = 0;
}

/* --- */

gboolean
gst_gcc_claims_update (GstGccClaims *self, gconstpointer owner, GccRate rate,
    const GccEncoderRateParams *params, GccTime cost, GccTime now, GccTime *due)
{
  GccRate least;
  gboolean is_due;

  g_mutex_lock (&self->lock);
  put (self, owner, rate);
  least = get_least (self);
  if (gcc_encoder_rate_update (&self->decided, params, cost, least, now))
    self->due = least;
  *due = gcc_deadline_get_earlier (
      *due, gcc_encoder_rate_get_due (&self->decided, params, cost));
  is_due = self->due != GCC_RATE_NONE;
  g_mutex_unlock (&self->lock);

  return is_due;
}

void
gst_gcc_claims_drop (GstGccClaims *self, gconstpointer owner)
{
  guint index;

  g_mutex_lock (&self->lock);
  if (find (self, owner, &index) != NULL)
    g_array_remove_index_fast (self->claims, index);
  forget_unclaimed (self);
  g_mutex_unlock (&self->lock);
}

/* --- pausing --- */

/* With the lock held. */
static gboolean
is_paused (const GstGccClaims *self)
{
  return self->claims->len > 0 && get_least (self) == GCC_RATE_NONE;
}

/* The first picture passes: a sink waits for it before it plays. */
static GstPadProbeReturn
drop_picture (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstGccClaims *self = user_data;
  gboolean drops;

  (void) pad;
  (void) info;
  g_mutex_lock (&self->lock);
  drops = self->has_picture && is_paused (self);
  self->has_picture = TRUE;
  g_mutex_unlock (&self->lock);

  return drops ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* Returns whether the encoder has pictures that can be dropped. The claims live as
 * long as @element, and so as what comes to its pad. */
static gboolean
watch (GstGccClaims *self, GstElement *element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  if (pad == NULL)
    return FALSE;
  gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, drop_picture,
      self, NULL);
  gst_object_unref (pad);

  return TRUE;
}

/* Whether @owner is the first to need watch(). */
static gboolean
wish_to_pause (GstGccClaims *self, gconstpointer owner)
{
  gboolean was_watched;

  g_mutex_lock (&self->lock);
  put (self, owner, GCC_RATE_NONE);
  forget_unclaimed (self);
  was_watched = self->is_watched;
  self->is_watched = TRUE;
  g_mutex_unlock (&self->lock);

  return !was_watched;
}

void
gst_gcc_claims_pause (
    GstGccClaims *self, gconstpointer owner, GstElement *element)
{
  if (!wish_to_pause (self, owner) || watch (self, element))
    return;

  g_mutex_lock (&self->lock);
  self->is_watched = FALSE;
  g_mutex_unlock (&self->lock);
}

GstEvent *
gst_gcc_claims_new_event (gboolean is_paused)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new (
          "GstGccPaused", "paused", G_TYPE_BOOLEAN, is_paused, NULL));
}

static void
send_event (GstElement *element, GstEvent *event)
{
  GstPad *pad = gst_element_get_static_pad (element, "src");

  if (pad != NULL)
    gst_pad_send_event (pad, event);
  else
    gst_event_unref (event);
  gst_clear_object (&pad);
}

/* With the lock held, which is released meanwhile. */
static void
tell (GstGccClaims *self, GstElement *element)
{
  gboolean pauses = is_paused (self);

  self->is_told_paused = pauses;
  g_mutex_unlock (&self->lock);
  send_event (element, gst_gcc_claims_new_event (pauses));
  g_mutex_lock (&self->lock);
}

void
gst_gcc_claims_tell (GstGccClaims *self, GstElement *element)
{
  g_mutex_lock (&self->lock);
  if (!self->is_telling) {
    self->is_telling = TRUE;
    while (self->is_told_paused != is_paused (self))
      tell (self, element);
    self->is_telling = FALSE;
  }
  g_mutex_unlock (&self->lock);
}

gboolean
gst_gcc_claims_are_paused (GstGccClaims *self)
{
  gboolean are_paused;

  g_mutex_lock (&self->lock);
  are_paused = is_paused (self) && self->is_watched;
  g_mutex_unlock (&self->lock);

  return are_paused;
}

gboolean
gst_gcc_claims_were_refused (GstGccClaims *self)
{
  gboolean is_refused;

  g_mutex_lock (&self->lock);
  is_refused = self->is_refused;
  g_mutex_unlock (&self->lock);

  return is_refused;
}

gboolean
gst_gcc_claims_report (GstGccClaims *self, guint fault)
{
  gboolean is_news;

  g_mutex_lock (&self->lock);
  is_news = (self->reported & fault) == 0;
  self->reported |= fault;
  g_mutex_unlock (&self->lock);

  return is_news;
}

GccKeyVerdict
gst_gcc_claims_judge_key_request (GstGccClaims *self, GccTime asked_at,
    GccTime frame_at, GccTime interval, GccTime now)
{
  GccKeyVerdict verdict;

  g_mutex_lock (&self->lock);
  verdict = gcc_key_requests_judge (
      asked_at, self->key_requested_at, frame_at, interval, now);
  if (verdict == GCC_KEY_PASSES)
    self->key_requested_at = now;
  g_mutex_unlock (&self->lock);

  return verdict;
}

/* With the lock held, which is released meanwhile. */
static void
set_what_is_due (GstGccClaims *self, const GstGccEncoder *encoder)
{
  GccRate rate = self->due;
  gboolean has_rate;

  self->due = GCC_RATE_NONE;
  g_mutex_unlock (&self->lock);
  gst_gcc_encoder_set_bitrate (encoder, rate);
  has_rate = gst_gcc_encoder_has_bitrate (encoder, rate);
  g_mutex_lock (&self->lock);
  self->is_refused = !has_rate;
}

void
gst_gcc_claims_apply (GstGccClaims *self, const GstGccEncoder *encoder)
{
  g_mutex_lock (&self->lock);
  if (!self->is_setting) {
    self->is_setting = TRUE;
    while (self->due != GCC_RATE_NONE)
      set_what_is_due (self, encoder);
    self->is_setting = FALSE;
  }
  g_mutex_unlock (&self->lock);
}
