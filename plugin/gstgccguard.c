/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccguard.h"

#include <gst/rtp/rtp.h>

/* Where RTCP enters an element that holds a session: a request pad. */
#define RTCP_PAD "recv_rtcp_sink"

/* Reference counted: the handler and the probe may still run, each in its
 * thread, when the guard is removed. */
struct _GstGccGuard {
  GstElement *holder;
  gulong pad_added_id;
  GstGccGuardFunc take;
  GWeakRef element;

  /* Protects the pad and its probe. Only pads' own functions are called with it
   * held. */
  GMutex lock;
  gboolean is_removed;
  GstPad *pad;
  gulong probe_id;

  gint n_dropped; /* atomic */
};

/* --- packets --- */

typedef gboolean (*Predicate) (GstRTCPPacket *packet);

static gboolean
is_feedback (GstRTCPPacket *packet, GstRTCPFBType format)
{
  return gst_rtcp_packet_get_type (packet) == GST_RTCP_TYPE_RTPFB &&
      gst_rtcp_packet_get_count (packet) == format;
}

static gboolean
is_request (GstRTCPPacket *packet)
{
  return is_feedback (packet, GST_RTCP_RTPFB_TYPE_RTCP_SR_REQ);
}

static gboolean
is_transport_feedback (GstRTCPPacket *packet)
{
  return is_feedback (packet, GST_RTCP_RTPFB_TYPE_TWCC);
}

static gboolean
has_packet (GstBuffer *buffer, Predicate predicate)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean found = FALSE;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
       more && !found; more = gst_rtcp_packet_move_to_next (&packet))
    found = predicate (&packet);
  gst_rtcp_buffer_unmap (&rtcp);

  return found;
}

/* Returns how many were taken out of @buffer, which is writable. */
static gint
remove_from (GstBuffer *buffer, Predicate predicate)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gint n = 0;

  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp))
    return 0;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;)
    if (predicate (&packet)) {
      more = gst_rtcp_packet_remove (&packet);
      n++;
    } else {
      more = gst_rtcp_packet_move_to_next (&packet);
    }
  gst_rtcp_buffer_unmap (&rtcp);

  return n;
}

static gint
remove_packets (GstPadProbeInfo *info, Predicate predicate)
{
  GstBuffer *buffer = gst_buffer_make_writable (
      GST_PAD_PROBE_INFO_BUFFER (info));

  GST_PAD_PROBE_INFO_DATA (info) = buffer;

  return remove_from (buffer, predicate);
}

static void
drop_requests (GstGccGuard *self, GstPad *pad, GstPadProbeInfo *info)
{
  gint n = remove_packets (info, is_request);

  if (g_atomic_int_add (&self->n_dropped, n) == 0)
    GST_INFO_OBJECT (pad,
        "dropping a request for a sender report, which would freeze the "
        "session");
}

/* Whether the element has taken the transport-wide feedback in @buffer. */
static gboolean
offer (GstGccGuard *self, GstBuffer *buffer)
{
  GstElement *element = g_weak_ref_get (&self->element);
  gboolean is_taken;

  if (element == NULL)
    return FALSE;
  is_taken = self->take (buffer, element);
  gst_object_unref (element);

  return is_taken;
}

static GstPadProbeReturn
inspect (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstGccGuard *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  /* The session itself refuses what is not valid. */
  if (!gst_rtcp_buffer_validate_reduced (buffer))
    return GST_PAD_PROBE_OK;

  if (self->take != NULL && has_packet (buffer, is_transport_feedback) &&
      offer (self, buffer))
    remove_packets (info, is_transport_feedback);
  if (has_packet (GST_PAD_PROBE_INFO_BUFFER (info), is_request))
    drop_requests (self, pad, info);

  return gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info)) > 0
      ? GST_PAD_PROBE_OK
      : GST_PAD_PROBE_DROP;
}

/* --- pads --- */

static GstGccGuard *
guard_ref (GstGccGuard *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
free_content (gpointer data)
{
  GstGccGuard *self = data;

  /* it has left its pad: only gst_gcc_guard_remove() gives up the first ref */
  g_weak_ref_clear (&self->element);
  gst_object_unref (self->holder);
  g_mutex_clear (&self->lock);
}

static void
guard_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, free_content);
}

/* With the lock held. */
static void
leave_pad (GstGccGuard *self)
{
  if (self->pad == NULL)
    return;
  gst_pad_remove_probe (self->pad, self->probe_id);
  gst_clear_object (&self->pad);
}

static void
guard_pad (GstGccGuard *self, GstPad *pad)
{
  g_mutex_lock (&self->lock);
  if (!self->is_removed && pad != self->pad) {
    leave_pad (self);
    self->pad = gst_object_ref (pad);
    /* This covers lists, too: a pad without a chain list function takes them
     * apart, and each buffer passes the probe. */
    self->probe_id = gst_pad_add_probe (
        pad, GST_PAD_PROBE_TYPE_BUFFER, inspect, guard_ref (self), guard_unref);
  }
  g_mutex_unlock (&self->lock);
}

static void
pad_added (GstElement *holder, GstPad *pad, gpointer user_data)
{
  (void) holder;

  if (g_str_equal (GST_OBJECT_NAME (pad), RTCP_PAD))
    guard_pad (user_data, pad);
}

static void
unref_closure_data (gpointer data, GClosure *closure)
{
  (void) closure;
  guard_unref (data);
}

GstGccGuard *
gst_gcc_guard_new (
    GstElement *holder, GstGccGuardFunc take, GstElement *element)
{
  GstGccGuard *self = g_atomic_rc_box_new0 (GstGccGuard);
  GstPad *pad;

  self->holder = gst_object_ref (holder);
  self->take = take;
  g_weak_ref_init (&self->element, element);
  g_mutex_init (&self->lock);
  self->pad_added_id = g_signal_connect_data (holder, "pad-added",
      G_CALLBACK (pad_added), guard_ref (self), unref_closure_data, 0);

  pad = gst_element_get_static_pad (holder, RTCP_PAD);
  if (pad != NULL) {
    guard_pad (self, pad);
    gst_object_unref (pad);
  }

  return self;
}

void
gst_gcc_guard_remove (GstGccGuard *self)
{
  g_signal_handler_disconnect (self->holder, self->pad_added_id);
  g_mutex_lock (&self->lock);
  self->is_removed = TRUE;
  leave_pad (self);
  g_mutex_unlock (&self->lock);
  guard_unref (self);
}

guint
gst_gcc_guard_get_n_dropped (GstGccGuard *self)
{
  return (guint) g_atomic_int_get (&self->n_dropped);
}
