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

gboolean
gst_gcc_session_join (GstGccSession *self, GstElement *element, GPtrArray *pads,
    const GstGccSessionFuncs *funcs)
{
  GstElement *holder = find_holder (pads);
  GObject *internal;

  if (holder == NULL)
    return FALSE;

  g_object_get (holder, "internal-session", &internal, NULL);
  if (internal == self->internal) {
    g_object_unref (internal);
    gst_object_unref (holder);
    return TRUE;
  }

  gst_gcc_session_leave (self);
  self->holder = holder;
  self->internal = internal;

  if (funcs->receiving != NULL)
    self->receiving_id = g_signal_connect_object (internal, "on-receiving-rtcp",
        G_CALLBACK (funcs->receiving), element, 0);
  if (funcs->sending != NULL)
    self->sending_id = g_signal_connect_object (
        internal, "on-sending-rtcp", G_CALLBACK (funcs->sending), element, 0);

  return TRUE;
}

void
gst_gcc_session_leave (GstGccSession *self)
{
  if (self->internal == NULL)
    return;

  g_clear_signal_handler (&self->receiving_id, self->internal);
  g_clear_signal_handler (&self->sending_id, self->internal);
  g_clear_object (&self->internal);
  gst_clear_object (&self->holder);
}

GstCaps *
gst_gcc_session_get_caps (GstGccSession *self, guint payload_type)
{
  GstCaps *caps = NULL;

  /* Not every element that holds a session has it: rtpsession does. */
  if (self->holder != NULL &&
      g_signal_lookup ("request-pt-map", G_OBJECT_TYPE (self->holder)) != 0)
    g_signal_emit_by_name (self->holder, "request-pt-map", payload_type, &caps);

  return caps;
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
  GstRTPProfile profile;
  guint64 present;

  g_object_get (self->internal, "rtp-profile", &profile, "rtcp-min-interval",
      &present, NULL);
  g_object_set (
      self->internal, "rtp-profile", profile_with_feedback (profile), NULL);
  /* Both elements can sit on one session: the shorter interval serves both. */
  if (present > interval)
    g_object_set (
        self->internal, "rtcp-min-interval", (guint64) interval, NULL);
}

gboolean
gst_gcc_session_request_report (GstGccSession *self, GstClockTime max_delay)
{
  gboolean granted = FALSE;

  g_signal_emit_by_name (
      self->internal, "send-rtcp-full", (guint64) max_delay, &granted);

  return granted;
}
