/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "pad-call.h"

#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <string.h>

static void
push_segment_into (GstPad *pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

static void
flush (PadStream *self)
{
  gst_pad_push_event (self->in, gst_event_new_flush_start ());
  gst_pad_push_event (self->in, gst_event_new_flush_stop (TRUE));
  push_segment_into (self->in);
}

static GstFlowReturn
chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  PadStream *self = gst_pad_get_element_private (pad);
  gboolean flushes;
  GstFlowReturn flow;

  (void) parent;
  g_mutex_lock (&self->call->lock);
  flushes = self->flushes_in_chain;
  self->flushes_in_chain = FALSE;
  g_mutex_unlock (&self->call->lock);
  if (flushes)
    flush (self);
  g_mutex_lock (&self->call->lock);
  self->is_in_chain = TRUE;
  while (self->is_blocked)
    g_cond_wait (&self->call->changed, &self->call->lock);
  self->is_in_chain = FALSE;
  self->thread = g_thread_self ();
  g_string_append_printf (
      self->call->seen, "%u:%u ", self->number, test_read_seqnum (buffer));
  flow = self->flow;
  g_mutex_unlock (&self->call->lock);
  gst_buffer_unref (buffer);

  return flow;
}

static gboolean
take_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  PadStream *self = gst_pad_get_element_private (pad);

  (void) parent;
  g_mutex_lock (&self->call->lock);
  self->is_in_event = GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_DOWNSTREAM;
  while (self->is_in_event && self->holds_events)
    g_cond_wait (&self->call->changed, &self->call->lock);
  self->is_in_event = FALSE;
  g_string_append_printf (
      self->call->seen, "%u:%s ", self->number, GST_EVENT_TYPE_NAME (event));
  g_mutex_unlock (&self->call->lock);
  gst_event_unref (event);

  return TRUE;
}

static gboolean
take_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  (void) pad;
  (void) parent;

  return GST_QUERY_TYPE (query) == GST_QUERY_DRAIN;
}

void
pad_call_start (PadCall *self, PadStream *first, PadStream *second)
{
  self->sender = test_make ("gccsender");
  self->seen = g_string_new (NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  g_object_set (self->sender, "start-bitrate", 2000000, "pacing-factor", 100.,
      "max-pacing-delay", 50, NULL);
  g_assert_cmpint (gst_element_set_state (self->sender, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_SUCCESS);
  if (first != NULL)
    pad_stream_start (first, self, 0);
  if (second != NULL)
    pad_stream_start (second, self, 1);
}

void
pad_call_stop (PadCall *self)
{
  test_stop (self->sender);
  g_string_free (self->seen, TRUE);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

void
pad_stream_push_caps (PadStream *self, const gchar *text)
{
  GstCaps *caps = gst_caps_from_string (text);

  gst_pad_push_event (self->in, gst_event_new_caps (caps));
  gst_caps_unref (caps);
}

void
pad_stream_push_segment (PadStream *self)
{
  push_segment_into (self->in);
}

void
pad_stream_push_custom (PadStream *self)
{
  gst_pad_push_event (self->in,
      gst_event_new_custom (
          GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty ("anything")));
}

GstFlowReturn
pad_stream_push (PadStream *self, guint16 seqnum)
{
  return gst_pad_push (self->in, test_rtp_packet (seqnum, 0, PAYLOAD));
}

void
pad_stream_start (PadStream *self, PadCall *call, guint number)
{
  gchar *src_name = number == 0 ? g_strdup ("src")
                                : g_strdup_printf ("src_%u", number);
  gchar *sink_name = g_strdup_printf ("sink_%u", number);
  GstPad *srcpad;

  *self = (PadStream){ .call = call, .number = number };
  self->sinkpad = number == 0
      ? gst_element_get_static_pad (call->sender, "sink")
      : gst_element_request_pad_simple (call->sender, sink_name);
  srcpad = gst_element_get_static_pad (call->sender, src_name);
  self->out = gst_pad_new ("out", GST_PAD_SINK);
  gst_pad_set_element_private (self->out, self);
  gst_pad_set_chain_function (self->out, chain);
  gst_pad_set_event_function (self->out, take_event);
  gst_pad_set_query_function (self->out, take_query);
  gst_pad_set_active (self->out, TRUE);
  g_assert_cmpint (gst_pad_link (srcpad, self->out), ==, GST_PAD_LINK_OK);
  self->in = test_open_source (self->sinkpad, TEST_RTP_CAPS);
  gst_object_unref (srcpad);
  g_free (sink_name);
  g_free (src_name);
}

void
pad_stream_release (gpointer stream)
{
  PadStream *self = stream;

  gst_element_release_request_pad (self->call->sender, self->sinkpad);
  gst_clear_object (&self->sinkpad);
}

void
pad_stream_stop (PadStream *self)
{
  gst_clear_object (&self->sinkpad);
  gst_pad_set_active (self->in, FALSE);
  gst_pad_set_active (self->out, FALSE);
  gst_object_unref (self->in);
  gst_object_unref (self->out);
}

void
pad_stream_set_flag (PadStream *self, gboolean *flag, gboolean value)
{
  g_mutex_lock (&self->call->lock);
  *flag = value;
  g_cond_broadcast (&self->call->changed);
  g_mutex_unlock (&self->call->lock);
}

void
pad_stream_set_blocked (PadStream *self, gboolean is_blocked)
{
  pad_stream_set_flag (self, &self->is_blocked, is_blocked);
}

void
pad_stream_set_flow (PadStream *self, GstFlowReturn flow)
{
  g_mutex_lock (&self->call->lock);
  self->flow = flow;
  g_mutex_unlock (&self->call->lock);
}

static gboolean
pad_stream_get_flag (PadStream *self, const gboolean *flag)
{
  gboolean value;

  g_mutex_lock (&self->call->lock);
  value = *flag;
  g_mutex_unlock (&self->call->lock);

  return value;
}

gboolean
pad_stream_is_in_chain (gpointer stream)
{
  return pad_stream_get_flag (stream, &((PadStream *) stream)->is_in_chain);
}

gboolean
pad_stream_is_in_event (gpointer stream)
{
  return pad_stream_get_flag (stream, &((PadStream *) stream)->is_in_event);
}

void
pad_stream_push_by_thread (PadStream *self, guint16 seqnum)
{
  pad_stream_set_flag (self, &self->holds_events, TRUE);
  pad_stream_push_custom (self);
  test_wait_until (pad_stream_is_in_event, self);
  g_assert_cmpint (pad_stream_push (self, seqnum), ==, GST_FLOW_OK);
  pad_stream_set_flag (self, &self->holds_events, FALSE);
}

void
pad_stream_block_with_packet (PadStream *self, guint16 seqnum)
{
  pad_stream_set_blocked (self, TRUE);
  pad_stream_push_by_thread (self, seqnum);
  test_wait_until (pad_stream_is_in_chain, self);
}

gboolean
pad_call_has_seen (PadCall *self, const gchar *what)
{
  gboolean has;

  g_mutex_lock (&self->lock);
  has = strstr (self->seen->str, what) != NULL;
  g_mutex_unlock (&self->lock);

  return has;
}

typedef struct {
  PadCall *call;
  const gchar *what;
} Expected;

static gboolean
has_come (gpointer expected)
{
  return pad_call_has_seen (
      ((Expected *) expected)->call, ((Expected *) expected)->what);
}

void
pad_call_wait_for (PadCall *self, const gchar *what)
{
  Expected expected = { self, what };

  test_wait_until (has_come, &expected);
}

void
pad_call_forget_seen (PadCall *self)
{
  g_mutex_lock (&self->lock);
  g_string_truncate (self->seen, 0);
  g_mutex_unlock (&self->lock);
}

void
pad_stream_query_drain (gpointer data)
{
  PadStream *self = data;
  GstQuery *query = gst_query_new_drain ();

  g_assert_true (gst_pad_peer_query (self->in, query));
  gst_query_unref (query);
}
