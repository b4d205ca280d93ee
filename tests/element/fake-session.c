/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "fake-session.h"

#include <gst/check/gsttestclock.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>

static GType fake_session_get_type (void);
G_DEFINE_TYPE (FakeSession, fake_session, G_TYPE_OBJECT)

enum {
  FAKE_PROFILE = 1,
  FAKE_MIN_INTERVAL,
  FAKE_INTERNAL_SSRC
};

/* As in rtpsession, several threads set and read the properties. */
G_LOCK_DEFINE_STATIC (fake_session);

static void
fake_session_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FakeSession *self = (FakeSession *) object;

  (void) pspec;
  G_LOCK (fake_session);
  if (id == FAKE_PROFILE)
    self->rtp_profile = g_value_get_enum (value);
  else
    self->min_interval = g_value_get_uint64 (value);
  G_UNLOCK (fake_session);
}

static void
fake_session_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FakeSession *self = (FakeSession *) object;

  (void) pspec;
  G_LOCK (fake_session);
  if (id == FAKE_PROFILE)
    g_value_set_enum (value, self->rtp_profile);
  else if (id == FAKE_MIN_INTERVAL)
    g_value_set_uint64 (value, self->min_interval);
  else
    g_value_set_uint (value, FAKE_SSRC);
  G_UNLOCK (fake_session);
}

/* Refuses, as a session does between an early report and a regular one. */
static gboolean
fake_session_send_rtcp_full (FakeSession *self, guint64 max_delay)
{
  (void) max_delay;
  g_atomic_int_inc (&self->n_asked);

  return FALSE;
}

static void
fake_session_class_init (FakeSessionClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  klass->set_property = fake_session_set_property;
  klass->get_property = fake_session_get_property;
  g_object_class_install_property (klass, FAKE_PROFILE,
      g_param_spec_enum ("rtp-profile", "", "", GST_TYPE_RTP_PROFILE,
          GST_RTP_PROFILE_AVP, G_PARAM_READWRITE));
  g_object_class_install_property (klass, FAKE_MIN_INTERVAL,
      g_param_spec_uint64 ("rtcp-min-interval", "", "", 0, G_MAXUINT64,
          5 * GST_SECOND, G_PARAM_READWRITE));
  g_object_class_install_property (klass, FAKE_INTERNAL_SSRC,
      g_param_spec_uint (
          "internal-ssrc", "", "", 0, G_MAXUINT, 0, G_PARAM_READABLE));
  g_signal_new ("on-receiving-rtcp", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
      NULL, G_TYPE_NONE, 1, GST_TYPE_BUFFER | G_SIGNAL_TYPE_STATIC_SCOPE);
  g_signal_new ("on-sending-rtcp", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 2, GST_TYPE_BUFFER | G_SIGNAL_TYPE_STATIC_SCOPE,
      G_TYPE_BOOLEAN);
  g_signal_new_class_handler ("send-rtcp-full", type,
      G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (fake_session_send_rtcp_full), NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 1, G_TYPE_UINT64);
}

static void
fake_session_init (FakeSession *self)
{
  self->min_interval = 5 * GST_SECOND;
}

static GType fake_holder_get_type (void);
G_DEFINE_TYPE (FakeHolder, fake_holder, GST_TYPE_ELEMENT)

static void
fake_holder_get_property (
    GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FakeHolder *self = (FakeHolder *) object;

  (void) id;
  (void) pspec;
  g_mutex_lock (&self->lock);
  if (self->is_restless) {
    self->session = g_object_new (fake_session_get_type (), NULL);
    g_ptr_array_add (self->sessions, self->session);
  }
  g_value_set_object (value, self->session);
  g_mutex_unlock (&self->lock);
}

static void
fake_holder_finalize (GObject *object)
{
  FakeHolder *self = (FakeHolder *) object;

  g_ptr_array_unref (self->sessions);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (fake_holder_parent_class)->finalize (object);
}

static void
fake_holder_class_init (FakeHolderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = fake_holder_get_property;
  object_class->finalize = fake_holder_finalize;
  g_object_class_install_property (object_class, 1,
      g_param_spec_object (
          "internal-session", "", "", G_TYPE_OBJECT, G_PARAM_READABLE));
}

static GstFlowReturn
drop (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);

  return GST_FLOW_OK;
}

static void
fake_holder_init (FakeHolder *self)
{
  g_mutex_init (&self->lock);
  self->sessions = g_ptr_array_new_with_free_func (g_object_unref);
  self->session = g_object_new (fake_session_get_type (), NULL);
  g_ptr_array_add (self->sessions, self->session);
  self->sinkpad = gst_pad_new ("sink", GST_PAD_SINK);
  gst_pad_set_chain_function (self->sinkpad, drop);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
}

FakeHolder *
fake_holder_new (void)
{
  return gst_object_ref_sink (g_object_new (fake_holder_get_type (), NULL));
}

void
fake_holder_free (FakeHolder *self)
{
  gst_element_set_state (GST_ELEMENT (self), GST_STATE_NULL);
  gst_object_unref (self);
}

gboolean
fake_holder_has_handlers (FakeHolder *self)
{
  GType type = fake_session_get_type ();
  guint receiving = g_signal_lookup ("on-receiving-rtcp", type);
  guint sending = g_signal_lookup ("on-sending-rtcp", type);
  gboolean found = FALSE;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->sessions->len; i++) {
    gpointer session = g_ptr_array_index (self->sessions, i);

    found |= g_signal_has_handler_pending (session, receiving, 0, TRUE) ||
        g_signal_has_handler_pending (session, sending, 0, TRUE);
  }
  g_mutex_unlock (&self->lock);

  return found;
}

void
session_end_start (SessionEnd *self, const gchar *factory)
{
  GstPad *sinkpad;

  self->element = test_make (factory);
  self->holder = fake_holder_new ();
  self->clock = gst_test_clock_new ();
  self->frame = 0;
  test_use_clock (self->element, self->clock);
  g_assert_true (gst_element_link (self->element, GST_ELEMENT (self->holder)));
  gst_element_set_state (GST_ELEMENT (self->holder), GST_STATE_PLAYING);
  gst_element_set_state (self->element, GST_STATE_PLAYING);
  sinkpad = gst_element_get_static_pad (self->element, "sink");
  self->source = test_open_source (sinkpad, TEST_RTP_CAPS);
  gst_object_unref (sinkpad);
}

void
session_end_stop (SessionEnd *self)
{
  gst_element_set_state (self->element, GST_STATE_NULL);
  g_assert_false (fake_holder_has_handlers (self->holder));
  gst_object_unref (self->element);
  fake_holder_free (self->holder);
  gst_object_unref (self->source);
  gst_object_unref (self->clock);
}

GstClockTime
session_end_time_of_frame (const SessionEnd *self)
{
  return GST_SECOND + self->frame * 33 * GST_MSECOND;
}

void
session_end_deliver (SessionEnd *self, GstClockTime arrival)
{
  GstBuffer *buffer = test_rtp_packet (
      (guint16) self->frame, self->frame * 33u * 90u, 1000);

  GST_BUFFER_DTS (buffer) = arrival;
  gst_test_clock_set_time (GST_TEST_CLOCK (self->clock),
      MAX (session_end_time_of_frame (self), gst_clock_get_time (self->clock)));
  g_assert_cmpint (gst_pad_push (self->source, buffer), ==, GST_FLOW_OK);
  self->frame++;
}

void
session_end_deliver_many (SessionEnd *self, guint n)
{
  while (n-- > 0)
    session_end_deliver (self, session_end_time_of_frame (self));
}
