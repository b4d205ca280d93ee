/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccguard.h"

#include "session/gstgccrtcpfilter.h"

/* A pad by which RTCP enters, and its probe. */
typedef struct {
  GstPad *pad;
  gulong probe_id;
} Entrance;

/* The pad for RTCP, and the pad for RTP. */
#define N_ENTRANCES 2

/* Reference counted: the handler and the probes may still run, each in its
 * thread, when the guard is closed. */
struct _GstGccGuard {
  GstElement *holder;
  gulong pad_added_id;
  GstGccGuardFunc take;
  GWeakRef element;

  /* Protects the entrances. Only pads' own functions are called with it held,
   * and no reference is dropped. */
  GMutex lock;
  gboolean is_closed;
  Entrance entrances[N_ENTRANCES];

  gint n_requests;            /* atomic */
  gint n_malformed_feedbacks; /* atomic */
};

/* --- packets --- */

static void
drop_requests (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  gint n = (gint) gst_gcc_rtcp_filter_remove (buffer, GST_GCC_RTCP_SR_REQUEST);

  if (n > 0 && g_atomic_int_add (&self->n_requests, n) == 0)
    GST_INFO_OBJECT (pad,
        "dropping a request for a sender report, which would freeze the "
        "session");
}

static void
drop_malformed_feedback (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  gint n = (gint) gst_gcc_rtcp_filter_remove (
      buffer, GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK);

  if (n > 0 && g_atomic_int_add (&self->n_malformed_feedbacks, n) == 0)
    GST_WARNING_OBJECT (pad, "dropping malformed transport-wide feedback");
}

/* Whether the element has taken the transport-wide feedback in @buffer. */
static gboolean
offer (GstGccGuard *self, GstBuffer *buffer)
{
  GstElement *element;
  gboolean is_taken;

  if (self->take == NULL ||
      !gst_gcc_rtcp_filter_has (buffer, GST_GCC_RTCP_TRANSPORT_FEEDBACK))
    return FALSE;
  element = g_weak_ref_get (&self->element);
  if (element == NULL)
    return FALSE;
  is_taken = self->take (buffer, element);
  gst_object_unref (element);

  return is_taken;
}

/* Returns whether @buffer, which is RTCP, has packets left for the session. The
 * session itself refuses invalid RTCP. */
static gboolean
inspect_rtcp (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  if (!gst_gcc_rtcp_filter_is_valid (*buffer))
    return TRUE;

  if (offer (self, *buffer))
    gst_gcc_rtcp_filter_remove (buffer, GST_GCC_RTCP_TRANSPORT_FEEDBACK);
  else
    drop_malformed_feedback (self, pad, buffer);
  drop_requests (self, pad, buffer);

  return gst_buffer_get_size (*buffer) > 0;
}

/* --- what passes a pad --- */

/* Whether a buffer that passes @pad is RTCP. */
typedef gboolean (*IsRtcpFunc) (GstBuffer *buffer);

typedef struct {
  GstGccGuard *guard;
  GstPad *pad;
  IsRtcpFunc is_rtcp;
} Passage;

static gboolean
inspect_in_list (GstBuffer **buffer, guint i, gpointer user_data)
{
  Passage *self = user_data;

  (void) i;
  if (self->is_rtcp (*buffer) && !inspect_rtcp (self->guard, self->pad, buffer))
    gst_clear_buffer (buffer);

  return TRUE;
}

static gboolean
list_has_rtcp (GstBufferList *list, IsRtcpFunc is_rtcp)
{
  guint n = gst_buffer_list_length (list);

  for (guint i = 0; i < n; i++)
    if (is_rtcp (gst_buffer_list_get (list, i)))
      return TRUE;

  return FALSE;
}

static GstPadProbeReturn
inspect_list (Passage *self, GstPadProbeInfo *info)
{
  GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

  if (!list_has_rtcp (list, self->is_rtcp))
    return GST_PAD_PROBE_OK;

  list = gst_buffer_list_make_writable (list);
  gst_buffer_list_foreach (list, inspect_in_list, self);
  GST_PAD_PROBE_INFO_DATA (info) = list;

  return gst_buffer_list_length (list) > 0 ? GST_PAD_PROBE_OK
                                           : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
inspect_buffer (Passage *self, GstPadProbeInfo *info)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  gboolean is_left;

  if (!self->is_rtcp (buffer))
    return GST_PAD_PROBE_OK;

  is_left = inspect_rtcp (self->guard, self->pad, &buffer);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;

  return is_left ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
inspect (Passage passage, GstPadProbeInfo *info)
{
  return info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST
      ? inspect_list (&passage, info)
      : inspect_buffer (&passage, info);
}

static gboolean
is_rtcp_anyway (GstBuffer *buffer)
{
  (void) buffer;

  return TRUE;
}

static GstPadProbeReturn
rtcp_passes (GstPad *pad, GstPadProbeInfo *info, gpointer guard)
{
  return inspect ((Passage){ guard, pad, is_rtcp_anyway }, info);
}

static GstPadProbeReturn
rtp_passes (GstPad *pad, GstPadProbeInfo *info, gpointer guard)
{
  return inspect (
      (Passage){ guard, pad, gst_gcc_rtcp_filter_is_rtcp_among_rtp }, info);
}

/* --- pads --- */

/* Request pads of an element that holds a session. */
static const struct {
  const gchar *pad;
  GstPadProbeCallback passes;
} ways_in[N_ENTRANCES] = {
  { "recv_rtcp_sink", rtcp_passes },
  { "recv_rtp_sink", rtp_passes },
};

static GstGccGuard *
guard_ref (GstGccGuard *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
free_content (gpointer data)
{
  GstGccGuard *self = data;

  g_weak_ref_clear (&self->element);
  g_mutex_clear (&self->lock);
}

static void
guard_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, free_content);
}

/* With the lock held. The reference to the pad stays. */
static void
leave_pad (Entrance *self)
{
  if (self->probe_id != 0)
    gst_pad_remove_probe (self->pad, self->probe_id);
  self->probe_id = 0;
}

/* rtpsession takes lists on its RTP pad. A pad without a function for lists
 * takes them apart, and the remaining packets pass once more. */
static void
guard_pad (GstGccGuard *self, guint i, GstPad *pad)
{
  Entrance *entrance = &self->entrances[i];
  GstPad *before = NULL;

  g_mutex_lock (&self->lock);
  if (!self->is_closed && pad != entrance->pad) {
    leave_pad (entrance);
    before = entrance->pad;
    entrance->pad = gst_object_ref (pad);
    entrance->probe_id = gst_pad_add_probe (pad,
        GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
        ways_in[i].passes, guard_ref (self), guard_unref);
  }
  g_mutex_unlock (&self->lock);
  gst_clear_object (&before);
}

static void
pad_added (GstElement *holder, GstPad *pad, gpointer user_data)
{
  (void) holder;

  for (guint i = 0; i < N_ENTRANCES; i++)
    if (g_str_equal (GST_OBJECT_NAME (pad), ways_in[i].pad))
      guard_pad (user_data, i, pad);
}

static void
unref_closure_data (gpointer data, GClosure *closure)
{
  (void) closure;
  guard_unref (data);
}

static void
guard_pad_that_is_there (GstGccGuard *self, guint i)
{
  GstPad *pad = gst_element_get_static_pad (self->holder, ways_in[i].pad);

  if (pad != NULL)
    guard_pad (self, i, pad);
  gst_clear_object (&pad);
}

GstGccGuard *
gst_gcc_guard_new (
    GstElement *holder, GstGccGuardFunc take, GstElement *element)
{
  GstGccGuard *self = g_atomic_rc_box_new0 (GstGccGuard);

  self->holder = gst_object_ref (holder);
  self->take = take;
  g_weak_ref_init (&self->element, element);
  g_mutex_init (&self->lock);
  self->pad_added_id = g_signal_connect_data (holder, "pad-added",
      G_CALLBACK (pad_added), guard_ref (self), unref_closure_data, 0);
  for (guint i = 0; i < N_ENTRANCES; i++)
    guard_pad_that_is_there (self, i);

  return self;
}

void
gst_gcc_guard_close (GstGccGuard *self)
{
  g_signal_handler_disconnect (self->holder, self->pad_added_id);
  g_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  for (guint i = 0; i < N_ENTRANCES; i++)
    leave_pad (&self->entrances[i]);
  g_mutex_unlock (&self->lock);
}

void
gst_gcc_guard_free (GstGccGuard *self)
{
  for (guint i = 0; i < N_ENTRANCES; i++)
    gst_clear_object (&self->entrances[i].pad);
  gst_clear_object (&self->holder);
  guard_unref (self);
}

GstGccGuardCounts
gst_gcc_guard_get_counts (GstGccGuard *self)
{
  return (GstGccGuardCounts){
    .requests = (guint) g_atomic_int_get (&self->n_requests),
    .malformed_feedbacks = (guint) g_atomic_int_get (
        &self->n_malformed_feedbacks),
  };
}
