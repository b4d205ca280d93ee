/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccelement.h"

#include "session/gstgccwalk.h"
#include "support/gstgccpads.h"
#include "support/gstgccprofile.h"
#include "support/gstgccstream.h"
#include "support/gstgcctime.h"

#define DEFAULT_POST_MESSAGES TRUE

/* After this many packets or lists, and this time after the first, an
 * application that links RTCP after RTP has done so. */
#define MEDIA_BEFORE_RTCP 50
#define WAIT_FOR_RTCP (5 * GCC_SECOND)

enum {
  PROP_0,
  PROP_PROFILE,
  PROP_FEEDBACK,
  PROP_POST_MESSAGES,
  PROP_TRACE_LOCATION,
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE (
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_ABSTRACT_TYPE (GstGccElement, gst_gcc_element, GST_TYPE_ELEMENT)

const GccProfile *
gst_gcc_element_get_profile (GstGccElement *self)
{
  const GccProfile *profile;

  GST_OBJECT_LOCK (self);
  profile = self->profile;
  GST_OBJECT_UNLOCK (self);

  return profile;
}

/* --- the neighbours --- */

static gboolean
has_audio (GstPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean has = caps != NULL && gst_gcc_stream_is_of_media (caps, "audio");

  gst_clear_caps (&caps);

  return has;
}

static gint
compare_by_audio (gconstpointer a, gconstpointer b)
{
  return has_audio (*(GstPad *const *) a) - has_audio (*(GstPad *const *) b);
}

/* In any streaming thread, or that of the state change. Where streams lead to
 * several sessions, the session of video is joined, because audio neither
 * probes nor follows a rate. */
static gboolean
gst_gcc_element_join_session (GstGccElement *self)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);
  /* Downstream first: media leaves through a session there. */
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self), GST_PAD_UNKNOWN);
  GccTime interval;
  gboolean joined;

  g_ptr_array_sort (pads, compare_by_audio);
  joined = gst_gcc_session_join (
      &self->session, GST_ELEMENT (self), pads, &klass->session_funcs);
  g_ptr_array_unref (pads);
  if (!joined)
    return FALSE;

  interval = klass->get_report_interval (self);
  if (gst_gcc_manage_has (&self->manage, GST_GCC_MANAGE_SESSION))
    gst_gcc_session_configure (
        &self->session, (GstClockTime) interval * GST_USECOND);

  return TRUE;
}

/* Missing elements are worth a warning only once media flows: until then the
 * pipeline may still be under construction. Another thread may link during the
 * scan, as webrtcbin does when it has negotiated: so open ends are looked for
 * before the session is. Where none is open, no session comes between the two. */
static void
gst_gcc_element_scan_pipeline (GstGccElement *self, gboolean warn)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);
  gboolean may_come = gst_gcc_walk_has_open_end (self->srcpad);
  gboolean has_session = gst_gcc_element_join_session (self);

  if (klass->pipeline_scanned != NULL)
    klass->pipeline_scanned (self, has_session, may_come, warn);
}

void
gst_gcc_element_schedule_scan (GstGccElement *self)
{
  g_atomic_int_set (&self->scan_is_due, TRUE);
}

/* --- data flow --- */

/* Media flows. Returns once whether it has flowed for long enough. */
static gboolean
gst_gcc_element_end_wait (GstGccElement *self)
{
  GccTime now = gst_gcc_time_now ();
  GccTime passed;
  gboolean is_over;

  GST_OBJECT_LOCK (self);
  passed = gcc_time_diff (now, self->waiting_since);
  if (self->waiting_since == GCC_TIME_NONE) {
    self->waiting_since = now;
    passed = 0;
  }
  is_over = passed >= WAIT_FOR_RTCP &&
      g_atomic_int_compare_and_exchange (
          &self->n_media, MEDIA_BEFORE_RTCP, MEDIA_BEFORE_RTCP + 1);
  GST_OBJECT_UNLOCK (self);

  return is_over;
}

/* Returns whether it is time to look for the way of RTCP. */
static gboolean
gst_gcc_element_count_media (GstGccElement *self)
{
  gint n = g_atomic_int_get (&self->n_media);

  if (n < MEDIA_BEFORE_RTCP) {
    g_atomic_int_compare_and_exchange (&self->n_media, n, n + 1);
    return FALSE;
  }

  return n == MEDIA_BEFORE_RTCP && gst_gcc_element_end_wait (self);
}

static void
gst_gcc_element_check_rtcp (GstGccElement *self)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);

  if (!gst_gcc_session_is_linked (&self->session, klass->rtcp_pad))
    klass->no_rtcp (self);
}

void
gst_gcc_element_before_media (GstGccElement *self)
{
  if (g_atomic_int_compare_and_exchange (&self->scan_is_due, TRUE, FALSE))
    gst_gcc_element_scan_pipeline (self, TRUE);
  if (gst_gcc_element_count_media (self))
    gst_gcc_element_check_rtcp (self);
}

static GstFlowReturn
gst_gcc_element_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGccElement *self = GST_GCC_ELEMENT (parent);
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);

  gst_gcc_element_before_media (self);
  klass->media (self, pad, buffer);
  if (klass->correct != NULL)
    buffer = klass->correct (self, buffer);

  return gst_pad_push (gst_pad_get_element_private (pad), buffer);
}

static GstFlowReturn
gst_gcc_element_chain_list (GstPad *pad, GstObject *parent, GstBufferList *list)
{
  GstGccElement *self = GST_GCC_ELEMENT (parent);
  guint n = gst_buffer_list_length (list);

  gst_gcc_element_before_media (self);
  for (guint i = 0; i < n; i++)
    GST_GCC_ELEMENT_GET_CLASS (self)->media (
        self, pad, gst_buffer_list_get (list, i));

  return gst_pad_push_list (gst_pad_get_element_private (pad), list);
}

/* Takes @event and returns the one to be passed on. */
static GstEvent *
gst_gcc_element_filter_caps (GstGccElement *self, GstPad *pad, GstEvent *event)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);
  guint32 seqnum = gst_event_get_seqnum (event);
  GstCaps *caps, *filtered;

  gst_event_parse_caps (event, &caps);
  filtered = klass->filter_caps (self, pad, caps);
  if (filtered != caps) {
    gst_event_unref (event);
    event = gst_event_new_caps (filtered);
    gst_event_set_seqnum (event, seqnum);
  }
  gst_caps_unref (filtered);

  return event;
}

static gboolean
gst_gcc_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGccElement *self = GST_GCC_ELEMENT (parent);
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS && klass->caps != NULL) {
    GstCaps *caps;

    gst_event_parse_caps (event, &caps);
    klass->caps (self, pad, caps);
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS && klass->filter_caps != NULL)
    event = gst_gcc_element_filter_caps (self, pad, event);

  return gst_pad_event_default (pad, parent, event);
}

gboolean
gst_gcc_element_src_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  /* Sent by a new downstream peer: the session may be another one. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    gst_gcc_element_schedule_scan (GST_GCC_ELEMENT (parent));

  return gst_pad_event_default (pad, parent, event);
}

/* --- pads --- */

static GstIterator *
gst_gcc_element_iterate_internal_links (GstPad *pad, GstObject *parent)
{
  GstPad *other_pad = gst_gcc_pads_get_other (pad);
  GValue other = G_VALUE_INIT;
  GstIterator *iterator;

  (void) parent;
  if (other_pad == NULL)
    return NULL;

  g_value_init (&other, GST_TYPE_PAD);
  g_value_take_object (&other, other_pad);
  iterator = gst_iterator_new_single (GST_TYPE_PAD, &other);
  g_value_unset (&other);

  return iterator;
}

void
gst_gcc_element_add_pads (GstGccElement *self, GstPad *sinkpad, GstPad *srcpad)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);

  gst_pad_set_element_private (sinkpad, srcpad);
  gst_pad_set_chain_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_element_chain));
  gst_pad_set_chain_list_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_element_chain_list));
  gst_pad_set_event_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_element_sink_event));
  gst_pad_set_iterate_internal_links_function (
      sinkpad, GST_DEBUG_FUNCPTR (gst_gcc_element_iterate_internal_links));
  GST_PAD_SET_PROXY_CAPS (sinkpad);
  GST_PAD_SET_PROXY_ALLOCATION (sinkpad);

  gst_pad_set_element_private (srcpad, sinkpad);
  gst_pad_set_event_function (
      srcpad, GST_DEBUG_FUNCPTR (gst_gcc_element_src_event));
  gst_pad_set_iterate_internal_links_function (
      srcpad, GST_DEBUG_FUNCPTR (gst_gcc_element_iterate_internal_links));
  GST_PAD_SET_PROXY_CAPS (srcpad);

  if (klass->set_up_pads != NULL)
    klass->set_up_pads (self, sinkpad, srcpad);

  /* In a running element a pad is active before "pad-added" is emitted. The
   * source pad is added first: media may arrive as soon as there is a sink pad.
   */
  gst_element_add_pad (GST_ELEMENT (self), srcpad);
  gst_element_add_pad (GST_ELEMENT (self), sinkpad);
}

/* The source pad is deactivated first, which ends a blocking push that the sink
 * pad would wait for. A query or an event may still be passing. */
void
gst_gcc_element_remove_pads (
    GstGccElement *self, GstPad *sinkpad, GstPad *srcpad)
{
  gst_pad_set_active (srcpad, FALSE);
  gst_pad_set_active (sinkpad, FALSE);
  gst_gcc_pads_set_other (srcpad, NULL);
  gst_element_remove_pad (GST_ELEMENT (self), srcpad);
  gst_element_remove_pad (GST_ELEMENT (self), sinkpad);
}

/* Not in the instance's init: the templates are those of the subclass. */
static void
gst_gcc_element_constructed (GObject *object)
{
  GstGccElement *self = GST_GCC_ELEMENT (object);
  GstElementClass *klass = GST_ELEMENT_GET_CLASS (self);

  G_OBJECT_CLASS (gst_gcc_element_parent_class)->constructed (object);

  self->sinkpad = gst_pad_new_from_template (
      gst_element_class_get_pad_template (klass, "sink"), "sink");
  self->srcpad = gst_pad_new_from_template (
      gst_element_class_get_pad_template (klass, "src"), "src");
  gst_gcc_element_add_pads (self, self->sinkpad, self->srcpad);
}

/* --- states --- */

static gboolean
gst_gcc_element_open_trace (GstGccElement *self)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);
  gchar *location;
  gboolean opened;

  GST_OBJECT_LOCK (self);
  location = g_strdup (self->trace_location);
  GST_OBJECT_UNLOCK (self);

  opened = location == NULL ||
      gst_gcc_trace_open (&self->trace, GST_ELEMENT (self), location,
          klass->columns, klass->n_columns);
  g_free (location);

  return opened;
}

static gboolean
gst_gcc_element_start (GstGccElement *self)
{
  if (!gst_gcc_element_open_trace (self))
    return FALSE;

  GST_OBJECT_LOCK (self);
  self->profile = gcc_profiles[self->profile_index];
  self->waiting_since = GCC_TIME_NONE;
  GST_OBJECT_UNLOCK (self);
  gst_gcc_handlers_allow (&self->handlers);
  if (!GST_GCC_ELEMENT_GET_CLASS (self)->start (self))
    return FALSE;

  gst_gcc_session_open (&self->session);
  g_atomic_int_set (&self->n_media, 0);
  gst_gcc_element_schedule_scan (self);
  gst_gcc_element_scan_pipeline (self, FALSE);

  return TRUE;
}

static void
gst_gcc_element_stop (GstGccElement *self)
{
  GstGccElementClass *klass = GST_GCC_ELEMENT_GET_CLASS (self);

  gst_gcc_session_close (&self->session);
  klass->stop (self);
  gst_gcc_handlers_forbid (&self->handlers);
  gst_gcc_trace_close (&self->trace);
}

static GstStateChangeReturn
gst_gcc_element_change_state (GstElement *element, GstStateChange transition)
{
  GstGccElement *self = GST_GCC_ELEMENT (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
      !gst_gcc_element_start (self)) {
    gst_gcc_element_stop (self);
    return GST_STATE_CHANGE_FAILURE;
  }

  result = GST_ELEMENT_CLASS (gst_gcc_element_parent_class)
               ->change_state (element, transition);

  /* After the pads were deactivated, which ends pushes that block. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY ||
      (transition == GST_STATE_CHANGE_READY_TO_PAUSED &&
          result == GST_STATE_CHANGE_FAILURE))
    gst_gcc_element_stop (self);

  return result;
}

/* --- properties --- */

GstGccFeedbackMode
gst_gcc_element_get_feedback_mode (GstGccElement *self)
{
  GstGccFeedbackMode mode;

  GST_OBJECT_LOCK (self);
  mode = self->feedback_mode;
  GST_OBJECT_UNLOCK (self);

  return mode;
}

void
gst_gcc_element_add_stats (GstGccElement *self, GstStructure *stats)
{
  GstGccGuardCounts dropped = gst_gcc_session_get_dropped (&self->session);

  gst_structure_set (stats, "malformed-rtcp", G_TYPE_UINT64,
      (guint64) dropped.malformed, "dropped-sr-requests", G_TYPE_UINT,
      dropped.requests, "dropped-transport-cc", G_TYPE_UINT, dropped.feedbacks,
      NULL);
}

static void
gst_gcc_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGccElement *self = GST_GCC_ELEMENT (object);

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_PROFILE:
      self->profile_index = gst_gcc_profile_to_index (g_value_get_enum (value));
      break;
    case PROP_FEEDBACK:
      self->feedback_mode = (GstGccFeedbackMode) g_value_get_enum (value);
      break;
    case PROP_POST_MESSAGES:
      g_atomic_int_set (
          &self->messages.is_enabled, g_value_get_boolean (value));
      break;
    case PROP_TRACE_LOCATION:
      g_free (self->trace_location);
      self->trace_location = g_value_dup_string (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gcc_element_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGccElement *self = GST_GCC_ELEMENT (object);

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_PROFILE:
      g_value_set_enum (value, (gint) self->profile_index);
      break;
    case PROP_FEEDBACK:
      g_value_set_enum (value, (gint) self->feedback_mode);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (
          value, g_atomic_int_get (&self->messages.is_enabled));
      break;
    case PROP_TRACE_LOCATION:
      g_value_set_string (value, self->trace_location);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gcc_element_finalize (GObject *object)
{
  GstGccElement *self = GST_GCC_ELEMENT (object);

  gst_gcc_session_clear (&self->session);
  gst_gcc_handlers_clear (&self->handlers);
  gst_gcc_trace_clear (&self->trace);
  g_free (self->trace_location);

  G_OBJECT_CLASS (gst_gcc_element_parent_class)->finalize (object);
}

static void
gst_gcc_element_class_init (GstGccElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  const GParamFlags ready = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
      GST_PARAM_MUTABLE_READY;

  object_class->set_property = gst_gcc_element_set_property;
  object_class->get_property = gst_gcc_element_get_property;
  object_class->constructed = gst_gcc_element_constructed;
  object_class->finalize = gst_gcc_element_finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (
      gst_gcc_element_change_state);

  g_object_class_install_property (
      object_class, PROP_PROFILE, gst_gcc_profile_param_spec ());

  /**
   * GstGccElement:feedback:
   *
   * The feedback from which the rate is computed: transport-wide feedback, by
   * which the sender estimates the path itself, or REMB and receiver reports.
   *
   * Since: 0.2
   */
  g_object_class_install_property (
      object_class, PROP_FEEDBACK, gst_gcc_feedback_mode_param_spec ());

  /**
   * GstGccElement:post-messages:
   *
   * Whether changes of the rate are posted as element messages.
   *
   * Since: 0.2
   */
  g_object_class_install_property (object_class, PROP_POST_MESSAGES,
      g_param_spec_boolean ("post-messages", "Post messages",
          "Changes of the rate are posted on the bus as element messages called \"gccsender\" or \"gccreceiver\", ten times a second at most, with the fields of \"stats\" that a person follows. notify::target-bitrate and notify::estimated-bitrate come for every change.",
          DEFAULT_POST_MESSAGES,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
              GST_PARAM_MUTABLE_PLAYING));

  g_object_class_install_property (object_class, PROP_TRACE_LOCATION,
      g_param_spec_string ("trace-location", "Trace location",
          "Every control event is written to this file as a line of comma-separated values: time_s, event and the fields of \"stats\". With NULL there is no trace.",
          NULL, ready));

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  gst_type_mark_as_plugin_api (GST_TYPE_GCC_ELEMENT, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_PROFILE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GCC_FEEDBACK_MODE, 0);
}

static void
gst_gcc_element_init (GstGccElement *self)
{
  gst_gcc_session_init (&self->session);
  gst_gcc_trace_init (&self->trace);
  gst_gcc_handlers_init (&self->handlers);
  self->profile = gcc_profiles[0];
  self->messages.is_enabled = DEFAULT_POST_MESSAGES;
  gst_gcc_messages_start (&self->messages);
}
