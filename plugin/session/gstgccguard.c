/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccguard.h"

#include "session/gstgccrtcpfilter.h"
#include "session/gstgccstatusbudget.h"
#include "session/gstgcctransportcaps.h"

/* A pad of the session, and its probe. */
typedef struct {
  GstPad *pad;
  gulong probe_id;
} Gate;

/* The pads by which RTCP enters, that for RTCP and that for RTP, and the pad by
 * which packets leave. */
#define N_GATES 3

/* An element that gets transport-wide feedback. Reference counted. */
typedef struct {
  GstElement *element; /* to be compared only */
  GWeakRef weak;
  GstGccGuardFunc take;
} Follower;

/* Reference counted: the handler and the probes may still run, each in its
 * thread, when the guard is closed. */
struct _GstGccGuard {
  GstElement *holder;
  gulong pad_added_id;

  /* Protects the fields below. Only pads' own functions are called with it held,
   * and no reference to an element or pad is dropped. */
  GMutex lock;
  GPtrArray *followers; /* (element-type Follower): replaced, never changed */
  gboolean is_closed;
  Gate gates[N_GATES];
  gboolean has_numbers; /* of the session's own */
  GstGccStatusBudget budget;

  /* atomic */
  gint n_malformed;
  gint n_requests;
  gint n_malformed_feedbacks;
  gint n_excessive_feedbacks;
};

/* --- packets --- */

/* Takes the packets of @kind out of @buffer. Returns whether they are the first
 * that @count counts. */
static gboolean
drop (GstBuffer **buffer, GstGccRtcpKind kind, gint *count)
{
  gint n = (gint) gst_gcc_rtcp_filter_remove (buffer, kind);

  return n > 0 && g_atomic_int_add (count, n) == 0;
}

static void
drop_malformed (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  if (drop (buffer, GST_GCC_RTCP_MALFORMED, &self->n_malformed))
    GST_WARNING_OBJECT (
        pad, "dropping RTCP that claims more than its packet holds");
}

/* The session itself refuses it. */
static void
count_invalid (GstGccGuard *self, GstPad *pad)
{
  if (g_atomic_int_add (&self->n_malformed, 1) == 0)
    GST_WARNING_OBJECT (pad, "RTCP that cannot be taken apart");
}

static void
drop_requests (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  if (drop (buffer, GST_GCC_RTCP_SR_REQUEST, &self->n_requests))
    GST_INFO_OBJECT (pad,
        "dropping a request for a sender report, which would freeze the "
        "session");
}

static gboolean
may_pass (GstGccGuard *self, GstBuffer *buffer)
{
  gboolean may;

  g_mutex_lock (&self->lock);
  may = self->has_numbers &&
      gst_gcc_rtcp_filter_may_pass (buffer, &self->budget);
  g_mutex_unlock (&self->lock);

  return may;
}

/* Of feedback that no element has taken: it can only be about numbers of the
 * session's own. */
static void
drop_feedback (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  if (drop (buffer, GST_GCC_RTCP_MALFORMED_TRANSPORT_FEEDBACK,
          &self->n_malformed_feedbacks))
    GST_WARNING_OBJECT (pad, "dropping malformed transport-wide feedback");
  if (!may_pass (self, *buffer) &&
      drop (buffer, GST_GCC_RTCP_TRANSPORT_FEEDBACK,
          &self->n_excessive_feedbacks))
    GST_WARNING_OBJECT (pad,
        "dropping transport-wide feedback about more packets than have left "
        "with a number");
}

static gboolean
offer_to (Follower *self, GstBuffer *buffer)
{
  GstElement *element = g_weak_ref_get (&self->weak);
  gboolean is_taken;

  if (element == NULL)
    return FALSE;
  is_taken = self->take (buffer, element);
  gst_object_unref (element);

  return is_taken;
}

/* Each of several elements that number gets each message. Returns whether any has
 * taken the transport-wide feedback in @buffer. */
static gboolean
offer (GstGccGuard *self, GstBuffer *buffer)
{
  GPtrArray *followers;
  gboolean is_taken = FALSE;

  if (!gst_gcc_rtcp_filter_has (buffer, GST_GCC_RTCP_TRANSPORT_FEEDBACK))
    return FALSE;
  g_mutex_lock (&self->lock);
  followers = g_ptr_array_ref (self->followers);
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < followers->len; i++)
    is_taken |= offer_to (g_ptr_array_index (followers, i), buffer);
  g_ptr_array_unref (followers);

  return is_taken;
}

/* Returns whether @buffer, which is RTCP, has packets left for the session. */
static gboolean
inspect_rtcp (GstGccGuard *self, GstPad *pad, GstBuffer **buffer)
{
  if (!gst_gcc_rtcp_filter_is_valid (*buffer)) {
    count_invalid (self, pad);
    return TRUE;
  }

  drop_malformed (self, pad, buffer);
  drop_requests (self, pad, buffer);
  if (gst_buffer_get_size (*buffer) == 0)
    return FALSE;
  if (offer (self, *buffer))
    gst_gcc_rtcp_filter_remove (buffer, GST_GCC_RTCP_TRANSPORT_FEEDBACK);
  else
    drop_feedback (self, pad, buffer);

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

/* --- what leaves --- */

static void
note_packets (GstGccGuard *self, guint n)
{
  g_mutex_lock (&self->lock);
  if (self->has_numbers)
    gst_gcc_status_budget_add (&self->budget, n);
  g_mutex_unlock (&self->lock);
}

/* With the lock held. @caps: (nullable). A session that has once numbered
 * continues. */
static void
note_caps (GstGccGuard *self, const GstCaps *caps)
{
  if (caps != NULL && gst_gcc_transport_caps_get_id (caps) != 0)
    self->has_numbers = TRUE;
}

static void
note_event (GstGccGuard *self, GstEvent *event)
{
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return;
  gst_event_parse_caps (event, &caps);
  g_mutex_lock (&self->lock);
  note_caps (self, caps);
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
media_leaves (GstPad *pad, GstPadProbeInfo *info, gpointer guard)
{
  (void) pad;
  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    note_event (guard, GST_PAD_PROBE_INFO_EVENT (info));
  else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)
    note_packets (
        guard, gst_buffer_list_length (GST_PAD_PROBE_INFO_BUFFER_LIST (info)));
  else
    note_packets (guard, 1);

  return GST_PAD_PROBE_OK;
}

/* --- pads --- */

/* Request pads of an element that holds a session. */
static const struct {
  const gchar *pad;
  GstPadProbeType type;
  GstPadProbeCallback passes;
} ways[N_GATES] = {
  { "recv_rtcp_sink",
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, rtcp_passes },
  { "recv_rtp_sink", GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      rtp_passes },
  { "send_rtp_sink",
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST |
          GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      media_leaves },
};

GstGccGuard *
gst_gcc_guard_ref (GstGccGuard *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
free_content (gpointer data)
{
  GstGccGuard *self = data;

  for (guint i = 0; i < N_GATES; i++)
    gst_clear_object (&self->gates[i].pad);
  g_ptr_array_unref (self->followers);
  gst_clear_object (&self->holder);
  g_mutex_clear (&self->lock);
}

void
gst_gcc_guard_unref (GstGccGuard *self)
{
  g_atomic_rc_box_release_full (self, free_content);
}

static void
unref_data (gpointer self)
{
  gst_gcc_guard_unref (self);
}

/* With the lock held. The reference to the pad stays. */
static void
leave_pad (Gate *self)
{
  if (self->probe_id != 0)
    gst_pad_remove_probe (self->pad, self->probe_id);
  self->probe_id = 0;
}

/* With the lock held. Returns the reference to the pad before. */
static GstPad *
enter_pad (GstGccGuard *self, guint i, GstPad *pad)
{
  Gate *gate = &self->gates[i];
  GstPad *before = gate->pad;

  leave_pad (gate);
  gate->pad = gst_object_ref (pad);
  gate->probe_id = gst_pad_add_probe (
      pad, ways[i].type, ways[i].passes, gst_gcc_guard_ref (self), unref_data);

  return before;
}

/* rtpsession takes lists on its RTP pad. A pad without a function for lists
 * takes them apart, and the remaining packets pass once more. */
static void
guard_pad (GstGccGuard *self, guint i, GstPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstPad *before = NULL;

  g_mutex_lock (&self->lock);
  if (!self->is_closed && pad != self->gates[i].pad)
    before = enter_pad (self, i, pad);
  if (ways[i].passes == media_leaves)
    note_caps (self, caps);
  g_mutex_unlock (&self->lock);
  gst_clear_object (&before);
  gst_clear_caps (&caps);
}

static void
pad_added (GstElement *holder, GstPad *pad, gpointer user_data)
{
  (void) holder;

  for (guint i = 0; i < N_GATES; i++)
    if (g_str_equal (GST_OBJECT_NAME (pad), ways[i].pad))
      guard_pad (user_data, i, pad);
}

static void
unref_closure_data (gpointer data, GClosure *closure)
{
  (void) closure;
  gst_gcc_guard_unref (data);
}

static void
guard_pad_that_is_there (GstGccGuard *self, guint i)
{
  GstPad *pad = gst_element_get_static_pad (self->holder, ways[i].pad);

  if (pad != NULL)
    guard_pad (self, i, pad);
  gst_clear_object (&pad);
}

/* --- who gets transport-wide feedback --- */

static Follower *
follower_new (GstElement *element, GstGccGuardFunc take)
{
  Follower *self = g_atomic_rc_box_new0 (Follower);

  self->element = element;
  self->take = take;
  g_weak_ref_init (&self->weak, element);

  return self;
}

static void
clear_follower (gpointer data)
{
  g_weak_ref_clear (&((Follower *) data)->weak);
}

static void
follower_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear_follower);
}

/* The present followers without @element. */
static GPtrArray *
copy_without (const GPtrArray *followers, GstElement *element)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (follower_unref);

  for (guint i = 0; i < followers->len; i++) {
    Follower *follower = g_ptr_array_index (followers, i);

    if (follower->element != element)
      g_ptr_array_add (copy, g_atomic_rc_box_acquire (follower));
  }

  return copy;
}

static void
replace_follower (GstGccGuard *self, GstElement *element, GstGccGuardFunc take)
{
  GPtrArray *before;

  g_mutex_lock (&self->lock);
  before = self->followers;
  self->followers = copy_without (before, element);
  if (take != NULL)
    g_ptr_array_add (self->followers, follower_new (element, take));
  g_mutex_unlock (&self->lock);
  g_ptr_array_unref (before);
}

void
gst_gcc_guard_follow (
    GstGccGuard *self, GstGccGuardFunc take, GstElement *element)
{
  replace_follower (self, element, take);
}

void
gst_gcc_guard_unfollow (GstGccGuard *self, GstElement *element)
{
  replace_follower (self, element, NULL);
}

/* --- from start to stop --- */

GstGccGuard *
gst_gcc_guard_new (GstElement *holder)
{
  GstGccGuard *self = g_atomic_rc_box_new0 (GstGccGuard);

  self->holder = gst_object_ref (holder);
  self->followers = g_ptr_array_new_with_free_func (follower_unref);
  g_mutex_init (&self->lock);
  self->pad_added_id = g_signal_connect_data (holder, "pad-added",
      G_CALLBACK (pad_added), gst_gcc_guard_ref (self), unref_closure_data, 0);
  for (guint i = 0; i < N_GATES; i++)
    guard_pad_that_is_there (self, i);

  return self;
}

void
gst_gcc_guard_close (GstGccGuard *self)
{
  g_signal_handler_disconnect (self->holder, self->pad_added_id);
  g_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  for (guint i = 0; i < N_GATES; i++)
    leave_pad (&self->gates[i]);
  g_mutex_unlock (&self->lock);
}

GstGccGuardCounts
gst_gcc_guard_get_counts (GstGccGuard *self)
{
  return (GstGccGuardCounts){
    .malformed = (guint) g_atomic_int_get (&self->n_malformed),
    .requests = (guint) g_atomic_int_get (&self->n_requests),
    .feedbacks = (guint) g_atomic_int_get (&self->n_malformed_feedbacks) +
        (guint) g_atomic_int_get (&self->n_excessive_feedbacks),
  };
}
