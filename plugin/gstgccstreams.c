/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccstreams.h"

#include <stdio.h>

#include "stream/gstgcckeyrequests.h"
#include "support/gstgccpads.h"
#include "support/gstgcctime.h"

void
gst_gcc_streams_init (GstGccStreams *self, GstGccElement *owner,
    GstGccController *controller, GstGccSentPackets *sent,
    GstGccEncoders *encoders, GstGccPacer *pacer)
{
  *self = (GstGccStreams){
    .owner = owner,
    .controller = controller,
    .sent = sent,
    .encoders = encoders,
    .pacer = pacer,
  };
}

/* --- upstream --- */

static void
tell_padding (GstGccStreams *self, GstGccSenderPad *pad)
{
  gst_gcc_pacer_set_padding (
      self->pacer, pad, gst_gcc_sent_packets_get_padding (self->sent, pad));
}

static gboolean
has_caps (GstGccSenderPad *pad)
{
  return gst_pad_has_current_caps (GST_PAD (pad));
}

/* Until caps come a stream may be audio, which needs no encoder. The caps in
 * webrtcbin do not name the media: the stream may be audio until the session
 * has the format of video. */
static gboolean
may_be_audio (GstGccStreams *self, GstGccSenderPad *pad)
{
  gboolean may;

  g_mutex_lock (&self->controller->lock);
  may = !has_caps (pad) ||
      (pad->place == GST_GCC_PLACE_NEGOTIATED &&
          gst_gcc_formats_are_bare (&pad->formats) &&
          !gst_gcc_formats_have_video (&pad->formats));
  g_mutex_unlock (&self->controller->lock);

  return may;
}

static void
look_upstream (
    GstGccStreams *self, GstGccSenderPad *pad, gboolean warn, guint *pixels)
{
  if (!gst_gcc_sent_packets_is_video (self->sent, pad)) {
    tell_padding (self, pad);
    return;
  }

  gst_gcc_sent_packets_find_protection (self->sent, pad, warn);
  tell_padding (self, pad);

  if (!gst_gcc_encoders_look (self->encoders, pad, pixels) && warn &&
      !may_be_audio (self, pad))
    gst_gcc_encoders_report_missing (self->encoders, pad);
  if (warn)
    gst_gcc_encoders_report_latency (self->encoders, pad);
}

void
gst_gcc_streams_look_upstream (
    GstGccStreams *self, gboolean warn, guint *pixels)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self->owner), GST_PAD_SINK);

  *pixels = 0;
  for (guint i = 0; i < pads->len; i++)
    look_upstream (self, g_ptr_array_index (pads, i), warn, pixels);
  g_ptr_array_unref (pads);
}

gboolean
gst_gcc_streams_have_video (GstGccStreams *self)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self->owner), GST_PAD_SINK);
  gboolean have_video = FALSE;

  g_mutex_lock (&self->controller->lock);
  for (guint i = 0; i < pads->len && !have_video; i++)
    have_video = gst_gcc_formats_have_video (
        &((GstGccSenderPad *) g_ptr_array_index (pads, i))->formats);
  g_mutex_unlock (&self->controller->lock);
  g_ptr_array_unref (pads);

  return have_video;
}

/* A stream starts or has another format, so the elements upstream may be
 * others. The session's next report updates them. */
static void
stream_changed (GstGccStreams *self, GstGccSenderPad *pad)
{
  guint pixels = 0;

  look_upstream (self, pad, FALSE, &pixels);
}

/* --- downstream --- */

void
gst_gcc_streams_look_downstream (GstGccStreams *self)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self->owner), GST_PAD_SINK);

  for (guint i = 0; i < pads->len; i++)
    gst_gcc_sent_packets_find_place (self->sent, g_ptr_array_index (pads, i));
  g_ptr_array_unref (pads);
}

const gchar *
gst_gcc_streams_get_reason (GstGccStreams *self)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (self->owner), GST_PAD_SINK);
  const gchar *reason = NULL;

  for (guint i = pads->len; i > 0; i--) {
    GstGccSenderPad *pad = g_ptr_array_index (pads, i - 1);

    if (!gst_pad_is_linked (GST_PAD (pad)))
      continue;
    reason = gst_gcc_sent_packets_get_reason (self->sent, pad);
    if (reason == NULL)
      break;
  }
  g_ptr_array_unref (pads);

  return reason;
}

/* --- what comes in --- */

/* Numbered packets are paced, and probe the path. */
static void
pace_if_numbered (GstGccStreams *self, GstGccSenderPad *pad)
{
  if (gst_gcc_sent_packets_get_reason (self->sent, pad) == NULL)
    gst_gcc_pacer_enable (self->pacer);
}

/* Before the next packet, since @pad leads elsewhere now. */
static void
push_caps (GstGccStreams *self, GstGccSenderPad *pad)
{
  GstCaps *caps = gst_gcc_sent_packets_get_caps (self->sent, pad);

  if (caps == NULL)
    return;
  pace_if_numbered (self, pad);
  gst_gcc_pacer_push_event (self->pacer, pad, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

/* More SSRCs than the streams of a call and their retransmissions have. */
#define MAX_SSRCS 1000

/* A stream has joined a bundle: its encoder is set before the session's next
 * report. In a thread of its own, since this one may hold the encoder's lock. */
static void
stream_joined (GstGccStreams *self, GstGccSenderPad *pad)
{
  stream_changed (self, pad);
  if (gst_gcc_encoders_have_new (self->encoders, pad))
    gst_gcc_sent_packets_call_check (self->sent);
}

/* The first SSRC of a pad is covered by the search when its caps came. Returns
 * whether @ssrc joins others. */
static gboolean
is_further (GstGccSenderPad *pad, guint32 ssrc)
{
  guint n = g_hash_table_size (pad->ssrcs);

  if (!g_hash_table_add (pad->ssrcs, GUINT_TO_POINTER (ssrc)))
    return FALSE;
  if (n == MAX_SSRCS) {
    g_hash_table_remove_all (pad->ssrcs);
    g_hash_table_add (pad->ssrcs, GUINT_TO_POINTER (ssrc));
  }

  return n > 0;
}

/* RFC 3550, section 5.1 */
#define FIXED_HEADER 12
#define PAYLOAD_TYPE 0x7f

/* Missing elements can be reported where there is video. */
static void
learn_format (GstGccSenderPad *pad, guint payload_type)
{
  GstCaps *caps = gst_gcc_formats_ask (&pad->formats, payload_type);
  gboolean had_video, has_video;

  if (caps == NULL)
    return;

  g_mutex_lock (&pad->controller->lock);
  had_video = gst_gcc_formats_have_video (&pad->formats);
  gst_gcc_formats_learn (&pad->formats, payload_type, caps);
  has_video = gst_gcc_formats_have_video (&pad->formats);
  g_mutex_unlock (&pad->controller->lock);
  gst_caps_unref (caps);
  if (has_video && !had_video)
    gst_gcc_element_schedule_scan (pad->streams->owner);
}

/* An encoder that is a little too slow for a moment catches up within a second; a
 * sink that keeps the time lets a second of media or so come early. */
static const GccMediaSpeedParams speed_params = { .window = 1 * GCC_SECOND,
  .n_windows = 3,
  .fast = 1.5,
  .slow = 0.85,
  .jump = 10 * GCC_SECOND };

/* Upstream of the encoder frames that are late by now are left out, and gccscale makes
 * the others smaller or fewer. */
static void
ask_for_less (GstGccSenderPad *pad, GstClockTime time, gdouble speed)
{
  GstEvent *event = gst_pad_get_sticky_event (
      GST_PAD (pad), GST_EVENT_SEGMENT, 0);
  GstClockTime late = (GstClockTime) gcc_media_speed_get_late (&pad->speed) *
      GST_USECOND;
  const GstSegment *segment;

  if (event == NULL)
    return;
  gst_event_parse_segment (event, &segment);
  time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, time);
  gst_event_unref (event);
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_pad_push_event (GST_PAD (pad),
        gst_event_new_qos (
            GST_QOS_TYPE_UNDERFLOW, 1. / speed, (GstClockTimeDiff) late, time));
}

static void
report_speed (GstGccSenderPad *pad, gdouble speed)
{
  if (pad->speed_is_told)
    return;
  pad->speed_is_told = TRUE;
  gst_gcc_encoders_report_speed (pad->streams->encoders, pad, speed,
      gcc_media_speed_get_late (&pad->speed));
}

/* A packet of video, in the streaming thread, which alone writes the formats. */
static void
look_at_time (GstGccSenderPad *pad, GstBuffer *buffer, guint payload_type)
{
  gdouble speed;

  if (!GST_BUFFER_PTS_IS_VALID (buffer) ||
      !gst_gcc_formats_look_up (&pad->formats, payload_type)->is_video)
    return;

  speed = gcc_media_speed_feed (&pad->speed,
      (GccTime) GST_TIME_AS_USECONDS (GST_BUFFER_PTS (buffer)),
      gst_gcc_time_now ());
  if (speed != 0.)
    report_speed (pad, speed);
  if (speed > 0. && speed < 1.)
    ask_for_less (pad, GST_BUFFER_PTS (buffer), speed);
}

static void
look_at_packet (GstGccSenderPad *pad, GstBuffer *buffer)
{
  guint8 header[FIXED_HEADER];

  if (gst_buffer_extract (buffer, 0, header, sizeof header) < sizeof header)
    return;

  learn_format (pad, header[1] & PAYLOAD_TYPE);
  look_at_time (pad, buffer, header[1] & PAYLOAD_TYPE);
  if (is_further (pad, GST_READ_UINT32_BE (header + 8)))
    stream_joined (pad->streams, pad);
}

static void
before_media (GstGccSenderPad *pad, GstObject *owner)
{
  gst_gcc_element_before_media (GST_GCC_ELEMENT (owner));
  if (g_atomic_int_compare_and_exchange (&pad->caps_are_due, TRUE, FALSE))
    push_caps (pad->streams, pad);
  gst_gcc_key_requests_push_due (pad, pad->streams->encoders->key_params);
}

/* The first packet passes: a sink waits for it before it plays. */
static gboolean
drops (GstGccSenderPad *pad)
{
  gboolean had_packet = pad->has_packet;

  pad->has_packet = TRUE;

  return had_packet && g_atomic_int_get (&pad->is_dropping);
}

static GstFlowReturn
sink_chain (GstPad *sinkpad, GstObject *parent, GstBuffer *buffer)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  look_at_packet (pad, buffer);
  before_media (pad, parent);
  if (drops (pad)) {
    gst_buffer_unref (buffer);
    return GST_FLOW_OK;
  }

  return gst_gcc_pacer_push (pad->streams->pacer, pad, buffer);
}

static GstFlowReturn
sink_chain_list (GstPad *sinkpad, GstObject *parent, GstBufferList *list)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  for (guint i = 0; i < gst_buffer_list_length (list); i++)
    look_at_packet (pad, gst_buffer_list_get (list, i));
  before_media (pad, parent);
  if (drops (pad)) {
    gst_buffer_list_unref (list);
    return GST_FLOW_OK;
  }

  return gst_gcc_pacer_push_list (pad->streams->pacer, pad, list);
}

/* Takes @event and returns what leaves in its place. */
static GstEvent *
set_caps (GstGccStreams *self, GstGccSenderPad *pad, GstEvent *event)
{
  GstCaps *caps, *leaving;
  GstEvent *changed;

  /* missing elements can be reported now */
  if (!has_caps (pad))
    gst_gcc_element_schedule_scan (self->owner);
  gst_event_parse_caps (event, &caps);
  leaving = gst_gcc_sent_packets_set_caps (self->sent, pad, caps);
  pace_if_numbered (self, pad);
  stream_changed (self, pad);
  if (leaving == caps) {
    gst_caps_unref (leaving);
    return event;
  }

  changed = gst_event_new_caps (leaving);
  gst_event_set_seqnum (changed, gst_event_get_seqnum (event));
  gst_caps_unref (leaving);
  gst_event_unref (event);

  return changed;
}

static void
set_eos (GstGccStreams *self, GstGccSenderPad *pad, gboolean is_eos)
{
  g_mutex_lock (&self->controller->lock);
  pad->is_eos = is_eos;
  g_mutex_unlock (&self->controller->lock);
}

static gboolean
sink_event (GstPad *sinkpad, GstObject *parent, GstEvent *event)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);
  GstGccStreams *self = pad->streams;

  (void) parent;
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      event = set_caps (self, pad, event);
      break;
    case GST_EVENT_EOS:
      set_eos (self, pad, TRUE);
      break;
    case GST_EVENT_STREAM_START:
      stream_changed (self, pad);
      set_eos (self, pad, FALSE);
      break;
    case GST_EVENT_FLUSH_STOP:
      set_eos (self, pad, FALSE);
      break;
    default:
      break;
  }

  return gst_gcc_pacer_push_event (self->pacer, pad, event);
}

static gboolean
sink_query (GstPad *sinkpad, GstObject *parent, GstQuery *query)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  if (GST_QUERY_IS_SERIALIZED (query) &&
      !gst_gcc_pacer_drain (pad->streams->pacer, pad))
    return FALSE;

  return gst_pad_query_default (sinkpad, parent, query);
}

static gboolean
sink_activate_mode (
    GstPad *sinkpad, GstObject *parent, GstPadMode mode, gboolean active)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);
  GstGccStreams *self = pad->streams;

  (void) parent;
  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;

  if (active) {
    gcc_media_speed_init (&pad->speed, &speed_params);
    pad->has_packet = FALSE;
    pad->speed_is_told = FALSE;
    set_eos (self, pad, FALSE);
    gst_gcc_pacer_open (self->pacer, pad);
  } else {
    gst_gcc_pacer_close (self->pacer, pad);
  }

  return TRUE;
}

/* --- what comes back --- */

/* Takes @event (transfer full), and returns what goes further upstream
 * (transfer full) (nullable). The packets in it have their numbers on the
 * wire. */
static GstEvent *
take_src_event (GstGccStreams *self, GstGccSenderPad *pad, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    gst_gcc_pacer_relinked (self->pacer, pad);
  gst_gcc_pacer_note_collision (self->pacer, event);

  if (gst_gcc_sent_packets_refuse (self->sent, pad, event)) {
    gst_event_unref (event);
    return NULL;
  }

  event = gst_gcc_pacer_filter_request (self->pacer, event);

  return event != NULL
      ? gst_gcc_key_requests_take (pad, self->encoders->key_params, event)
      : NULL;
}

static gboolean
src_event (GstPad *srcpad, GstObject *parent, GstEvent *event)
{
  GstPad *sinkpad = gst_gcc_pads_get_other (srcpad);
  gboolean is_taken = TRUE;

  if (sinkpad != NULL) {
    GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

    event = take_src_event (pad->streams, pad, event);
    if (event != NULL && gst_gcc_key_requests_is_one (event)) {
      is_taken = gst_gcc_key_requests_push (pad, event);
      event = NULL;
    }
    gst_object_unref (sinkpad);
  }
  if (event == NULL)
    return is_taken;

  return gst_gcc_element_src_event (srcpad, parent, event);
}

static void
add_latency (GstQuery *query, GccTime held_min, GccTime held_max)
{
  GstClockTime min, max;
  gboolean live;

  gst_query_parse_latency (query, &live, &min, &max);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += (GstClockTime) held_max * GST_USECOND;
  min += (GstClockTime) held_min * GST_USECOND;
  gst_query_set_latency (query, live, min, max);
}

static gboolean
src_query (GstPad *srcpad, GstObject *parent, GstQuery *query)
{
  GstPad *sinkpad;
  GccTime min, max;

  if (!gst_pad_query_default (srcpad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;

  sinkpad = gst_gcc_pads_get_other (srcpad);
  if (sinkpad == NULL)
    return TRUE;
  gst_gcc_pacer_get_latency (
      GST_GCC_SENDER_PAD (sinkpad)->streams->pacer, &min, &max);
  gst_object_unref (sinkpad);
  add_latency (query, min, max);

  return TRUE;
}

/* --- pads --- */

static void
encoder_was_given (GObject *pad, GParamSpec *pspec, gpointer user_data)
{
  GstElement *owner = gst_pad_get_parent_element (GST_PAD (pad));

  (void) pspec;
  (void) user_data;
  if (owner != NULL)
    gst_gcc_element_schedule_scan (GST_GCC_ELEMENT (owner));
  gst_clear_object (&owner);
}

void
gst_gcc_streams_set_up_pads (
    GstGccStreams *self, GstPad *sinkpad, GstPad *srcpad)
{
  GstGccSenderPad *pad = GST_GCC_SENDER_PAD (sinkpad);

  pad->controller = self->controller;
  pad->streams = self;
  gst_gcc_formats_init (&pad->formats, self->sent->session);
  pad->srcpad = gst_object_ref (srcpad);
  g_signal_connect (
      sinkpad, "notify::encoder", G_CALLBACK (encoder_was_given), NULL);
  gst_pad_set_activatemode_function (
      sinkpad, GST_DEBUG_FUNCPTR (sink_activate_mode));
  gst_pad_set_chain_function (sinkpad, GST_DEBUG_FUNCPTR (sink_chain));
  gst_pad_set_chain_list_function (
      sinkpad, GST_DEBUG_FUNCPTR (sink_chain_list));
  gst_pad_set_event_function (sinkpad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_query_function (sinkpad, GST_DEBUG_FUNCPTR (sink_query));
  gst_pad_set_event_function (srcpad, GST_DEBUG_FUNCPTR (src_event));
  gst_pad_set_query_function (srcpad, GST_DEBUG_FUNCPTR (src_query));
}

/* `sink_%u` and `src_%u`; every number once. */
static guint
choose_number (GstGccStreams *self, const gchar *name)
{
  guint number;

  GST_OBJECT_LOCK (self->owner);
  if (name == NULL || sscanf (name, "sink_%u", &number) != 1)
    number = self->n_requested;
  self->n_requested = MAX (self->n_requested, number + 1);
  GST_OBJECT_UNLOCK (self->owner);

  return number;
}

static GstPad *
make_pad (GstPadTemplate *template, const gchar *direction, guint number)
{
  gchar *name = g_strdup_printf ("%s_%u", direction, number);
  GstPad *pad = gst_pad_new_from_template (template, name);

  g_free (name);

  return pad;
}

GstPad *
gst_gcc_streams_request_pad (
    GstGccStreams *self, GstPadTemplate *template, const gchar *name)
{
  GstElementClass *klass = GST_ELEMENT_GET_CLASS (self->owner);
  guint number = choose_number (self, name);
  GstPad *sinkpad = make_pad (template, "sink", number);
  GstPad *srcpad = make_pad (
      gst_element_class_get_pad_template (klass, "src_%u"), "src", number);

  gst_gcc_element_add_pads (self->owner, sinkpad, srcpad);
  gst_gcc_element_schedule_scan (self->owner);
  gst_child_proxy_child_added (GST_CHILD_PROXY (self->owner),
      G_OBJECT (sinkpad), GST_OBJECT_NAME (sinkpad));

  return sinkpad;
}

void
gst_gcc_streams_release_pad (GstElement *owner, GstPad *sinkpad)
{
  GstGccSenderPad *pad = gst_object_ref (GST_GCC_SENDER_PAD (sinkpad));

  gst_child_proxy_child_removed (
      GST_CHILD_PROXY (owner), G_OBJECT (sinkpad), GST_OBJECT_NAME (sinkpad));
  gst_gcc_element_remove_pads (GST_GCC_ELEMENT (owner), sinkpad, pad->srcpad);
  /* The application may keep it. */
  gst_gcc_encoders_forget (pad->streams->encoders, pad);
  gst_object_unref (pad);
}

/* --- pads as children --- */

static GObject *
get_child (GstChildProxy *owner, guint index)
{
  GPtrArray *pads = gst_gcc_pads_list (GST_ELEMENT (owner), GST_PAD_SINK);
  GObject *child = index < pads->len
      ? g_object_ref (g_ptr_array_index (pads, index))
      : NULL;

  g_ptr_array_unref (pads);

  return child;
}

static guint
count_children (GstChildProxy *owner)
{
  return GST_ELEMENT (owner)->numsinkpads;
}

void
gst_gcc_streams_child_proxy_init (gpointer iface, gpointer data)
{
  GstChildProxyInterface *interface = iface;

  (void) data;
  interface->get_child_by_index = get_child;
  interface->get_children_count = count_children;
}
