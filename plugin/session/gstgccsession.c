/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccsession.h"

#include <gst/rtp/rtp.h>

#include "session/gstgccwalk.h"

#define BANDWIDTH "rtcp-fraction"
#define FEEDBACK_INTERVAL "twcc-feedback-interval"

/* Share of the RTP bandwidth, which is at least 64 kbit/s for rtpsession. It is
 * not used up: thirty feedbacks a second, each with the report that rtpsession
 * puts before it, are 32 kbit/s. With the usual twentieth, most feedbacks would
 * be held back below 300 kbit/s and in the first two seconds, and regular
 * reports would be put off for good. */
#define FEEDBACK_BANDWIDTH 0.5

gboolean
gst_gcc_session_is_in (GstElement *element)
{
  return g_object_class_find_property (
             G_OBJECT_GET_CLASS (element), "internal-session") != NULL;
}

void
gst_gcc_session_init (GstGccSession *self)
{
  *self = (GstGccSession){ .feedback_interval = GST_CLOCK_TIME_NONE };
  g_mutex_init (&self->lock);
}

void
gst_gcc_session_clear (GstGccSession *self)
{
  gst_gcc_session_close (self);
  g_mutex_clear (&self->lock);
}

/* --- settings that are reset --- */

/* Returns %FALSE where the application has set it, or there is no such
 * setting. */
static gboolean
set_if_default (GObject *internal, const gchar *name, const GValue *value)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (internal), name);
  GValue present = G_VALUE_INIT;
  gboolean is_default;

  if (pspec == NULL)
    return FALSE;
  g_value_init (&present, pspec->value_type);
  g_object_get_property (internal, name, &present);
  is_default = g_param_value_defaults (pspec, &present);
  g_value_unset (&present);
  if (is_default)
    g_object_set_property (internal, name, value);

  return is_default;
}

/* Resets the setting, unless it is no longer @value. */
static void
reset (GObject *internal, const gchar *name, const GValue *value)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (internal), name);
  GValue present = G_VALUE_INIT;

  g_value_init (&present, pspec->value_type);
  g_object_get_property (internal, name, &present);
  if (g_param_values_cmp (pspec, &present, value) == 0)
    g_object_set_property (
        internal, name, g_param_spec_get_default_value (pspec));
  g_value_unset (&present);
}

static gboolean
set_bandwidth (GObject *internal, gboolean is_set)
{
  GValue value = G_VALUE_INIT;
  gboolean was_set = TRUE;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, FEEDBACK_BANDWIDTH);
  if (is_set)
    was_set = set_if_default (internal, BANDWIDTH, &value);
  else
    reset (internal, BANDWIDTH, &value);
  g_value_unset (&value);

  return was_set;
}

static gboolean
set_interval (GObject *internal, guint64 interval, gboolean is_set)
{
  GValue value = G_VALUE_INIT;
  gboolean was_set = TRUE;

  g_value_init (&value, G_TYPE_UINT64);
  g_value_set_uint64 (&value, interval);
  if (is_set)
    was_set = set_if_default (internal, FEEDBACK_INTERVAL, &value);
  else
    reset (internal, FEEDBACK_INTERVAL, &value);
  g_value_unset (&value);

  return was_set;
}

/* The settings of ours in a session that was left, and our references to it.
 * The last reference to the session may be among them, so they are dropped
 * without the lock. */
typedef struct {
  GstElement *holder;
  GObject *internal;
  GstGccShared *shared;
  GstGccGuard *guard;
  gboolean has_bandwidth;
  guint64 feedback_interval;
} Rest;

/* With the lock held. */
static void
take_rest (GstGccSession *self, Rest *rest)
{
  *rest = (Rest){ .holder = g_steal_pointer (&self->holder),
    .internal = g_steal_pointer (&self->internal),
    .shared = g_steal_pointer (&self->shared),
    .guard = g_steal_pointer (&self->guard),
    .has_bandwidth = self->has_bandwidth,
    .feedback_interval = self->feedback_interval };
  self->has_bandwidth = FALSE;
  self->feedback_interval = GST_CLOCK_TIME_NONE;
}

/* Without the lock. */
static void
clear_rest (Rest *rest)
{
  if (rest->internal == NULL)
    return;

  if (rest->has_bandwidth)
    set_bandwidth (rest->internal, FALSE);
  if (GST_CLOCK_TIME_IS_VALID (rest->feedback_interval))
    set_interval (rest->internal, rest->feedback_interval, FALSE);
  gst_gcc_guard_unref (rest->guard);
  gst_gcc_shared_unref (rest->shared);
  g_object_unref (rest->internal);
  gst_object_unref (rest->holder);
}

/* --- joining and leaving --- */

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

GstElement *
gst_gcc_session_get_holder (GstGccSession *self)
{
  GstElement *holder = NULL;

  g_mutex_lock (&self->lock);
  g_set_object (&holder, self->holder);
  g_mutex_unlock (&self->lock);

  return holder;
}

GstGccShared *
gst_gcc_session_get_shared (GstGccSession *self)
{
  GstGccShared *shared = NULL;

  g_mutex_lock (&self->lock);
  if (self->shared != NULL)
    shared = gst_gcc_shared_ref (self->shared);
  g_mutex_unlock (&self->lock);

  return shared;
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

/* Adds those since the guard was joined. With the lock held. */
static void
add_counts (const GstGccSession *self, GstGccGuardCounts *sum)
{
  GstGccGuardCounts counts = gst_gcc_guard_get_counts (self->guard);

  sum->malformed += counts.malformed - self->at_first.malformed;
  sum->requests += counts.requests - self->at_first.requests;
  sum->feedbacks += counts.feedbacks - self->at_first.feedbacks;
}

/* With the lock held. */
static void
leave (GstGccSession *self, Rest *rest)
{
  if (self->internal == NULL)
    return;

  g_clear_signal_handler (&self->receiving_id, self->internal);
  g_clear_signal_handler (&self->sending_id, self->internal);
  gst_gcc_shared_leave (self->shared, self->member);
  add_counts (self, &self->before);
  take_rest (self, rest);
}

/* With the lock held. */
static void
enter (GstGccSession *self, GstElement *holder, GObject *internal,
    GstElement *element, const GstGccSessionFuncs *funcs)
{
  self->holder = gst_object_ref (holder);
  self->internal = g_object_ref (internal);
  self->member = element;
  self->shared = gst_gcc_shared_get (internal);
  self->guard = gst_gcc_shared_join (
      self->shared, holder, funcs->taking_transport_feedback, element);
  self->at_first = gst_gcc_guard_get_counts (self->guard);

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
    const GstGccSessionFuncs *funcs, Rest *rest, gboolean *is_new)
{
  GstElement *holder = find_holder (pads);
  GObject *internal;

  if (holder == NULL)
    return FALSE;

  g_object_get (holder, "internal-session", &internal, NULL);
  *is_new = internal != self->internal;
  if (*is_new) {
    leave (self, rest);
    enter (self, holder, internal, element, funcs);
  }
  g_object_unref (internal);
  gst_object_unref (holder);

  return TRUE;
}

/* Without the lock, because a log function of the application may ask the
 * element. */
static void
tell_joined (
    GstGccSession *self, GstElement *element, GstDebugCategory *category)
{
  GstElement *holder = gst_gcc_session_get_holder (self);

  GST_CAT_INFO_OBJECT (
      category, element, "joined the RTP session of %" GST_PTR_FORMAT, holder);
  gst_clear_object (&holder);
}

void
gst_gcc_session_open (GstGccSession *self)
{
  g_mutex_lock (&self->lock);
  self->is_open = TRUE;
  self->before = (GstGccGuardCounts){ 0 };
  g_mutex_unlock (&self->lock);
}

gboolean
gst_gcc_session_join (GstGccSession *self, GstElement *element, GPtrArray *pads,
    const GstGccSessionFuncs *funcs)
{
  Rest rest = { 0 };
  gboolean joined, is_new = FALSE;

  /* The walk is within the lock: of two at a time, the one that saw the older
   * pipeline could otherwise win. */
  g_mutex_lock (&self->lock);
  joined = self->is_open && join (self, element, pads, funcs, &rest, &is_new);
  g_mutex_unlock (&self->lock);
  clear_rest (&rest);
  if (is_new)
    tell_joined (self, element, funcs->category);

  return joined;
}

void
gst_gcc_session_close (GstGccSession *self)
{
  Rest rest = { 0 };

  g_mutex_lock (&self->lock);
  self->is_open = FALSE;
  leave (self, &rest);
  g_mutex_unlock (&self->lock);
  clear_rest (&rest);
}

/* --- asking --- */

GstGccGuardCounts
gst_gcc_session_get_dropped (GstGccSession *self)
{
  GstGccGuardCounts counts;

  g_mutex_lock (&self->lock);
  counts = self->before;
  if (self->guard != NULL)
    add_counts (self, &counts);
  g_mutex_unlock (&self->lock);

  return counts;
}

GstCaps *
gst_gcc_session_get_caps (GstGccSession *self, guint payload_type)
{
  GstElement *holder = gst_gcc_session_get_holder (self);
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
  GstElement *holder = gst_gcc_session_get_holder (self);
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

void
gst_gcc_session_allow_feedback (GstGccSession *self)
{
  GObject *internal = get_internal (self);
  gboolean is_left = FALSE;

  if (internal == NULL)
    return;

  if (set_bandwidth (internal, TRUE)) {
    g_mutex_lock (&self->lock);
    is_left = self->internal != internal;
    self->has_bandwidth |= !is_left;
    g_mutex_unlock (&self->lock);
  }
  if (is_left)
    set_bandwidth (internal, FALSE);
  g_object_unref (internal);
}

static void
reset_feedback_interval (GstGccSession *self, GObject *internal)
{
  guint64 interval = GST_CLOCK_TIME_NONE;

  g_mutex_lock (&self->lock);
  if (self->internal == internal) {
    interval = self->feedback_interval;
    self->feedback_interval = GST_CLOCK_TIME_NONE;
  }
  g_mutex_unlock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (interval))
    set_interval (internal, interval, FALSE);
}

/* rtpsession counts up to the running time of a packet in steps of the
 * interval: without a clock, or before its base time, that is next to the
 * greatest number there is, and takes for ever. */
static gboolean
has_running_time (GstGccSession *self)
{
  GstElement *holder = gst_gcc_session_get_holder (self);
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (holder != NULL)
    time = gst_element_get_current_running_time (holder);
  gst_clear_object (&holder);

  return time <= G_MAXINT64;
}

static void
set_feedback_interval (GstGccSession *self, GObject *internal, guint64 interval)
{
  gboolean is_left = FALSE;

  if (!has_running_time (self) || !set_interval (internal, interval, TRUE))
    return;

  g_mutex_lock (&self->lock);
  is_left = self->internal != internal;
  if (!is_left)
    self->feedback_interval = interval;
  g_mutex_unlock (&self->lock);
  if (is_left)
    set_interval (internal, interval, FALSE);
}

void
gst_gcc_session_set_feedback_interval (
    GstGccSession *self, GstClockTime interval)
{
  GObject *internal = get_internal (self);

  if (internal == NULL)
    return;

  if (GST_CLOCK_TIME_IS_VALID (interval))
    set_feedback_interval (self, internal, interval);
  else
    reset_feedback_interval (self, internal);
  g_object_unref (internal);
}

void
gst_gcc_session_forget_caps (GstGccSession *self)
{
  GstElement *holder = gst_gcc_session_get_holder (self);

  if (holder == NULL)
    return;

  if (g_signal_lookup ("clear-pt-map", G_OBJECT_TYPE (holder)) != 0)
    g_signal_emit_by_name (holder, "clear-pt-map");
  gst_object_unref (holder);
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
