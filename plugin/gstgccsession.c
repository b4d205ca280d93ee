/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccsession.h"

#include <gst/rtp/rtp.h>

#include "gstgccwalk.h"

gboolean
gst_gcc_session_is_in (GstElement *element)
{
  return g_object_class_find_property (
             G_OBJECT_GET_CLASS (element), "internal-session") != NULL;
}

void
gst_gcc_session_init (GstGccSession *self)
{
  *self = (GstGccSession){ 0 };
  g_mutex_init (&self->lock);
}

void
gst_gcc_session_clear (GstGccSession *self)
{
  gst_gcc_session_close (self);
  g_mutex_clear (&self->lock);
}

/* --- joining and leaving --- */

static gboolean
has_internal_session (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return gst_gcc_session_is_in (element);
}

static GstElement *
find_holder (GPtrArray *pads)
{
  GstElement *holder = NULL;

  for (guint i = 0; i < pads->len && holder == NULL; i++)
    holder = gst_gcc_walk_find (
        g_ptr_array_index (pads, i), has_internal_session, NULL);

  return holder;
}

/* With the lock held. */
static void
leave (GstGccSession *self)
{
  if (self->internal == NULL)
    return;

  g_clear_signal_handler (&self->receiving_id, self->internal);
  g_clear_signal_handler (&self->sending_id, self->internal);
  self->n_dropped_before += gst_gcc_guard_get_n_dropped (self->guard);
  g_clear_pointer (&self->guard, gst_gcc_guard_remove);
  g_clear_object (&self->internal);
  gst_clear_object (&self->holder);
}

/* With the lock held. */
static void
enter (GstGccSession *self, GstElement *holder, GObject *internal,
    GstElement *element, const GstGccSessionFuncs *funcs)
{
  self->holder = gst_object_ref (holder);
  self->internal = g_object_ref (internal);
  self->guard = gst_gcc_guard_new (
      holder, funcs->taking_transport_feedback, element);

  if (funcs->receiving != NULL)
    self->receiving_id = g_signal_connect_object (internal, "on-receiving-rtcp",
        G_CALLBACK (funcs->receiving), element, 0);
  if (funcs->sending != NULL)
    self->sending_id = g_signal_connect_object (
        internal, "on-sending-rtcp", G_CALLBACK (funcs->sending), element, 0);
}

/* With the lock held. */
static gboolean
join (GstGccSession *self, GstElement *element, GPtrArray *pads,
    const GstGccSessionFuncs *funcs)
{
  GstElement *holder = find_holder (pads);
  GObject *internal;

  if (holder == NULL)
    return FALSE;

  g_object_get (holder, "internal-session", &internal, NULL);
  if (internal != self->internal) {
    leave (self);
    enter (self, holder, internal, element, funcs);
  }
  g_object_unref (internal);
  gst_object_unref (holder);

  return TRUE;
}

void
gst_gcc_session_open (GstGccSession *self)
{
  g_mutex_lock (&self->lock);
  self->is_open = TRUE;
  self->n_dropped_before = 0;
  g_mutex_unlock (&self->lock);
}

gboolean
gst_gcc_session_join (GstGccSession *self, GstElement *element, GPtrArray *pads,
    const GstGccSessionFuncs *funcs)
{
  gboolean joined;

  /* The walk is within the lock: of two at a time, the one that saw the older
   * pipeline could otherwise win. */
  g_mutex_lock (&self->lock);
  joined = self->is_open && join (self, element, pads, funcs);
  g_mutex_unlock (&self->lock);

  return joined;
}

void
gst_gcc_session_close (GstGccSession *self)
{
  g_mutex_lock (&self->lock);
  self->is_open = FALSE;
  leave (self);
  g_mutex_unlock (&self->lock);
}

/* --- asking --- */

/* (transfer full) (nullable): to be used without the lock, since the
 * application may answer */
static GObject *
get_internal (GstGccSession *self)
{
  GObject *internal = NULL;

  g_mutex_lock (&self->lock);
  g_set_object (&internal, self->internal);
  g_mutex_unlock (&self->lock);

  return internal;
}

/* likewise */
static GstElement *
get_holder (GstGccSession *self)
{
  GstElement *holder = NULL;

  g_mutex_lock (&self->lock);
  g_set_object (&holder, self->holder);
  g_mutex_unlock (&self->lock);

  return holder;
}

guint
gst_gcc_session_get_n_dropped_requests (GstGccSession *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_dropped_before;
  if (self->guard != NULL)
    n += gst_gcc_guard_get_n_dropped (self->guard);
  g_mutex_unlock (&self->lock);

  return n;
}

GstCaps *
gst_gcc_session_get_caps (GstGccSession *self, guint payload_type)
{
  GstElement *holder = get_holder (self);
  GstCaps *caps = NULL;

  if (holder == NULL)
    return NULL;

  /* rtpsession has it, but not every element that holds a session. */
  if (g_signal_lookup ("request-pt-map", G_OBJECT_TYPE (holder)) != 0)
    g_signal_emit_by_name (holder, "request-pt-map", payload_type, &caps);
  gst_object_unref (holder);

  return caps;
}

static gboolean
is_linked (GstElement *holder, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (holder, name);
  gboolean linked = pad != NULL && gst_gcc_walk_is_linked (pad);

  gst_clear_object (&pad);

  return linked;
}

gboolean
gst_gcc_session_is_linked (GstGccSession *self, const gchar *pad)
{
  GstElement *holder = get_holder (self);
  gboolean linked;

  if (holder == NULL)
    return TRUE;
  linked = gst_element_class_get_pad_template (
               GST_ELEMENT_GET_CLASS (holder), pad) == NULL ||
      is_linked (holder, pad);
  gst_object_unref (holder);

  return linked;
}

static GstRTPProfile
profile_with_feedback (GstRTPProfile profile)
{
  switch (profile) {
    case GST_RTP_PROFILE_UNKNOWN:
    case GST_RTP_PROFILE_AVP:
      return GST_RTP_PROFILE_AVPF;
    case GST_RTP_PROFILE_SAVP:
      return GST_RTP_PROFILE_SAVPF;
    default:
      return profile;
  }
}

void
gst_gcc_session_configure (GstGccSession *self, GstClockTime interval)
{
  GObject *internal = get_internal (self);
  GstRTPProfile profile;
  guint64 present;

  if (internal == NULL)
    return;

  g_object_get (
      internal, "rtp-profile", &profile, "rtcp-min-interval", &present, NULL);
  g_object_set (internal, "rtp-profile", profile_with_feedback (profile), NULL);
  /* Both elements can join one session: the shorter interval serves both. */
  if (present > interval)
    g_object_set (internal, "rtcp-min-interval", (guint64) interval, NULL);
  g_object_unref (internal);
}

gboolean
gst_gcc_session_request_report (GstGccSession *self, GstClockTime max_delay)
{
  GObject *internal = get_internal (self);
  gboolean granted = FALSE;

  if (internal == NULL)
    return FALSE;

  g_signal_emit_by_name (
      internal, "send-rtcp-full", (guint64) max_delay, &granted);
  g_object_unref (internal);

  return granted;
}
