/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccpacer.h"

#include "exit/gstgcckeptevents.h"
#include "support/gstgcctime.h"

/* RFC 3550, section 5.1: place of the sequence number in a packet, bytes. */
#define RTP_SEQUENCE_NUMBER 2

/* Events of a stream that may be queued; with more of them the streaming thread
 * waits. */
#define MAX_EVENTS_OF_A_STREAM 64

/* Event of rtpsession: the SSRC in it is also used by somebody else. */
#define COLLISION "GstRTPCollision"

/* The end of a stream waits for its last push for this long, in µs. */
#define MAX_CLOSING (2 * G_TIME_SPAN_SECOND)

/* Whether only a flush or a restart clears @flow; after other results,
 * downstream is tried again. */
static gboolean
is_final (GstFlowReturn flow)
{
  return flow <= GST_FLOW_EOS;
}

/* --- the thread --- */

/* With the lock held. Takes out the next item, which leaves at @time (out).
 * Returns %FALSE when nothing was due, after a wait. */
static gboolean
take_next (GstGccPacer *self, GstGccPacerItem *item, GccTime *time)
{
  GccTime now = gst_gcc_time_now ();
  gboolean is_probe;
  GccTime due = gst_gcc_schedule_get_due (&self->schedule, now, &is_probe);

  if (due == GCC_TIME_NONE) {
    gst_gcc_waits_for_work (&self->waits);
    return FALSE;
  }
  if (due > now) {
    gst_gcc_waits_until (&self->waits, due);
    return FALSE;
  }

  *item = gst_gcc_schedule_take (&self->schedule, is_probe, now);
  *time = now;

  return TRUE;
}

static GstBuffer *
renumber (GstBuffer *buffer, guint16 seq)
{
  const guint16 bytes = GUINT16_TO_BE (seq);

  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_fill (buffer, RTP_SEQUENCE_NUMBER, &bytes, sizeof bytes);

  return buffer;
}

/* With the lock held, which is released meanwhile. */
static GstFlowReturn
send_packet (GstGccPacer *self, GstGccPacerItem *item, GccTime now)
{
  gboolean is_renumbered = gst_gcc_padding_note_packet (
      &self->schedule.padding, item, self->schedule.probes.is_on);
  gboolean is_check_due = gst_gcc_sent_packets_leave (
      self->sent, &item->packet, &item->stamp, now, TRUE);
  GstBuffer *buffer = GST_BUFFER (g_steal_pointer (&item->object));
  GstFlowReturn flow;

  g_mutex_unlock (&self->controller->lock);
  if (is_check_due)
    gst_gcc_sent_packets_call_check (self->sent);
  if (is_renumbered)
    buffer = renumber (buffer, item->packet.seq);
  buffer = gst_gcc_stamp_write (&item->stamp, buffer);
  flow = gst_pad_push (item->pad->srcpad, buffer);
  g_mutex_lock (&self->controller->lock);

  return flow;
}

/* With the lock held, which is released meanwhile. */
static void
send_event (GstGccPacer *self, GstGccSenderPad *pad, GstMiniObject *event)
{
  gboolean taken;

  gst_gcc_padding_note_event (&self->schedule.padding, pad, GST_EVENT (event));
  g_mutex_unlock (&self->controller->lock);
  taken = gst_pad_push_event (
      pad->srcpad, GST_EVENT (gst_mini_object_ref (event)));
  g_mutex_lock (&self->controller->lock);

  /* A flushing pad accepts no event: this one is stored after the flush. */
  if (!taken && !pad->is_open)
    gst_gcc_kept_events_prepend (&pad->kept, GST_EVENT (event));
}

/* With the lock held, which is released meanwhile. The answer comes in like any
 * packet, maybe before this returns. */
static void
send_request (GstGccPacer *self, GstGccSenderPad *pad, GstMiniObject *event)
{
  g_mutex_unlock (&self->controller->lock);
  gst_pad_push_event (GST_PAD (pad), GST_EVENT (gst_mini_object_ref (event)));
  g_mutex_lock (&self->controller->lock);
}

/* With the lock held. The result of a push that began before the pad was linked
 * again, or the stream reopened, does not count. */
static void
note_flow (GstGccSenderPad *pad, GstFlowReturn flow)
{
  if (!pad->is_reopened)
    pad->flow = pad->is_relinked && !is_final (flow) ? GST_FLOW_OK : flow;
}

static gboolean
is_request (const GstGccPacerItem *item)
{
  return GST_IS_EVENT (item->object) &&
      GST_EVENT_IS_UPSTREAM (GST_EVENT (item->object));
}

/* With the lock held, which is released meanwhile. Other streams go on. */
static void
send_item (GstGccPacer *self, GstGccPacerItem *item, GccTime now)
{
  GstGccSenderPad *pad = item->pad;

  if (is_request (item)) {
    send_request (self, pad, item->object);
    return;
  }

  pad->pusher = g_thread_self ();
  pad->is_relinked = FALSE;
  pad->is_reopened = FALSE;
  if (self->schedule.queue.pads->len > 1 &&
      gst_gcc_schedule_has_work (&self->schedule, now))
    gst_gcc_turns_ensure (&self->turns);
  if (GST_IS_EVENT (item->object))
    send_event (self, pad, item->object);
  else if (!is_final (pad->flow))
    note_flow (pad, send_packet (self, item, now));
  pad->pusher = NULL;
  gst_gcc_waits_tell_change (&self->waits);
}

/* With the lock held. An item was queued that may be due before the one that a
 * thread waits for. */
static void
wake_in_time (GstGccPacer *self, GccTime now)
{
  gboolean is_probe;

  if (self->waits.alarm == NULL ||
      gst_gcc_schedule_get_due (&self->schedule, now, &is_probe) <
          self->waits.alarm_time)
    gst_gcc_waits_wake (&self->waits);
  if (!self->turns.has_leader &&
      gst_gcc_schedule_has_work (&self->schedule, now))
    gst_gcc_turns_ensure (&self->turns);
}

/* With the lock held. Items of a stream that was being pushed may be due before
 * the item that another thread waits for. */
static void
push_has_ended (GstGccPacer *self)
{
  GccTime now = gst_gcc_time_now ();

  if (self->turns.has_leader &&
      gst_gcc_schedule_has_work (&self->schedule, now))
    wake_in_time (self, now);
}

/* With the lock held, which is released meanwhile. */
static void
send_next (GstGccPacer *self)
{
  GstGccPacerItem item = { .object = NULL };
  GccTime now;
  gboolean is_due = take_next (self, &item, &now);

  gst_gcc_turns_give (&self->turns);
  if (is_due) {
    send_item (self, &item, now);
    push_has_ended (self);
    g_mutex_unlock (&self->controller->lock);
    gst_gcc_pacer_item_clear (&item);
    g_mutex_lock (&self->controller->lock);
  }
  gst_gcc_turns_return (&self->turns);
}

/* A thread of the pacer's. */
static void
run (gpointer user_data)
{
  GstGccPacer *self = user_data;

  g_mutex_lock (&self->controller->lock);
  while (gst_gcc_turns_take (&self->turns))
    send_next (self);
  g_mutex_unlock (&self->controller->lock);
}

/* --- from start to stop --- */

void
gst_gcc_pacer_init (GstGccPacer *self, GstGccSentPackets *sent)
{
  self->controller = sent->controller;
  self->sent = sent;
  gst_gcc_turns_init (&self->turns, self->controller->element,
      &self->controller->lock, run, self);
  gst_gcc_waits_init (&self->waits, &self->controller->lock);
  gst_gcc_schedule_init (&self->schedule, sent);
}

void
gst_gcc_pacer_finalize (GstGccPacer *self)
{
  gst_gcc_schedule_clear (&self->schedule);
  gst_gcc_waits_clear (&self->waits);
  gst_gcc_turns_clear (&self->turns);
}

/* With the lock held. */
static void
begin_pacing (GstGccPacer *self)
{
  gst_gcc_turns_start (&self->turns);
  g_atomic_int_set (&self->is_pacing, TRUE);
}

/* With the lock held. Returns whether it begins with this call. */
static gboolean
ensure_pacing (GstGccPacer *self)
{
  if (self->is_pacing || !self->schedule.may_pace)
    return FALSE;

  begin_pacing (self);

  return TRUE;
}

static void
post_latency (GstGccPacer *self)
{
  GstElement *element = self->controller->element;

  gst_element_post_message (
      element, gst_message_new_latency (GST_OBJECT (element)));
}

void
gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait)
{
  g_mutex_lock (&self->controller->lock);
  gst_gcc_schedule_start (
      &self->schedule, profile, factor, may_pace, target, max_wait);
  /* A stream that was padded may go on. */
  if (factor > 0. || gst_gcc_padding_is_translating (&self->schedule.padding))
    begin_pacing (self);
  if (factor > 0.)
    gcc_pacer_probe (&self->schedule.pace, target, gst_gcc_time_now ());
  g_mutex_unlock (&self->controller->lock);
}

void
gst_gcc_pacer_send_singly (GstGccPacer *self)
{
  g_mutex_lock (&self->controller->lock);
  gcc_pacer_send_singly (&self->schedule.pace);
  g_mutex_unlock (&self->controller->lock);
}

gboolean
gst_gcc_pacer_enable (GstGccPacer *self)
{
  gboolean has_begun;

  if (!self->schedule.may_pace)
    return FALSE;

  g_mutex_lock (&self->controller->lock);
  gst_gcc_schedule_begin_probing (&self->schedule);
  has_begun = ensure_pacing (self);
  g_mutex_unlock (&self->controller->lock);

  if (has_begun)
    post_latency (self);

  return TRUE;
}

gboolean
gst_gcc_pacer_is_pacing (GstGccPacer *self)
{
  return g_atomic_int_get (&self->is_pacing);
}

void
gst_gcc_pacer_stop (GstGccPacer *self)
{
  GPtrArray *threads;
  GArray *removed;

  /* A report that is still being handled begins no thread any more. */
  g_mutex_lock (&self->controller->lock);
  self->schedule.may_pace = FALSE;
  g_atomic_int_set (&self->is_pacing, FALSE);
  threads = gst_gcc_turns_stop (&self->turns);
  gst_gcc_waits_wake (&self->waits);
  gst_gcc_waits_tell_change (&self->waits);
  g_mutex_unlock (&self->controller->lock);
  gst_gcc_turns_join (threads);

  g_mutex_lock (&self->controller->lock);
  removed = gst_gcc_schedule_remove (&self->schedule, NULL);
  gcc_pacer_reset (&self->schedule.pace);
  g_mutex_unlock (&self->controller->lock);
  g_array_unref (removed);
}

void
gst_gcc_pacer_add_stats (const GstGccPacer *self, GstStructure *stats)
{
  gst_structure_set (stats, "queued-bytes", G_TYPE_UINT64,
      (guint64) gcc_pacer_get_queued (&self->schedule.pace), "unpaced-packets",
      G_TYPE_UINT64, self->schedule.n_unpaced, "padding-packets", G_TYPE_UINT64,
      self->schedule.padding.n_packets, "padding-bytes", G_TYPE_UINT64,
      self->schedule.padding.n_bytes, NULL);
}

void
gst_gcc_pacer_get_latency (GstGccPacer *self, GccTime *min, GccTime *max)
{
  g_mutex_lock (&self->controller->lock);
  *max = self->is_pacing ? self->schedule.max_wait : 0;
  *min = self->schedule.factor > 0. ? *max : 0;
  g_mutex_unlock (&self->controller->lock);
}

void
gst_gcc_pacer_set_rates (GstGccPacer *self, GccRate target, GccRate pacing_rate,
    GccRate padding_rate)
{
  gboolean has_changed, has_begun;

  g_mutex_lock (&self->controller->lock);
  has_changed = gst_gcc_schedule_set_rates (
      &self->schedule, target, pacing_rate, padding_rate);
  has_begun = pacing_rate != GCC_RATE_NONE && ensure_pacing (self);
  if (has_changed || self->schedule.is_held)
    gst_gcc_waits_wake (&self->waits);
  g_mutex_unlock (&self->controller->lock);

  if (has_begun)
    post_latency (self);
}

void
gst_gcc_pacer_set_padding (
    GstGccPacer *self, GstGccSenderPad *pad, GstGccPaddingKind padding)
{
  g_mutex_lock (&self->controller->lock);
  if (padding != pad->padding) {
    gst_gcc_padding_forget (&self->schedule.padding, pad);
    pad->padding = padding;
  }
  g_mutex_unlock (&self->controller->lock);
}

/* --- streams --- */

static void
close_stream (GstGccPacer *self, GstGccSenderPad *pad, gboolean keep)
{
  GArray *removed;

  g_mutex_lock (&self->controller->lock);
  pad->is_open = FALSE;
  gst_gcc_padding_forget (&self->schedule.padding, pad);
  removed = gst_gcc_schedule_remove (&self->schedule, pad);
  if (keep)
    gst_gcc_kept_events_append (&pad->kept, removed);
  gst_gcc_pacer_queue_remove_pad (&self->schedule.queue, pad);
  gst_gcc_waits_wake (&self->waits);
  gst_gcc_waits_tell_change (&self->waits);
  g_mutex_unlock (&self->controller->lock);
  g_array_unref (removed);
}

static void
open_stream (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->controller->lock);
  gst_gcc_pacer_queue_add_pad (&self->schedule.queue, pad);
  pad->is_open = TRUE;
  pad->is_reopened = pad->pusher != NULL;
  pad->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->controller->lock);
}

/* With the lock held. Waits until the current push of @pad has ended, as
 * elements downstream expect at the end of a stream. The wait is bounded,
 * because the push may be blocked by the thread that ends the stream. */
static void
wait_for_push (GstGccPacer *self, GstGccSenderPad *pad)
{
  gint64 end = g_get_monotonic_time () + MAX_CLOSING;

  while (pad->pusher != NULL && pad->pusher != g_thread_self () &&
      gst_gcc_waits_for_change_until (&self->waits, end)) {
  }
}

static GQueue
finish_closing (GstGccPacer *self, GstGccSenderPad *pad)
{
  GQueue kept;

  g_mutex_lock (&self->controller->lock);
  wait_for_push (self, pad);
  kept = gst_gcc_kept_events_take (&pad->kept);
  g_mutex_unlock (&self->controller->lock);

  return kept;
}

void
gst_gcc_pacer_open (GstGccPacer *self, GstGccSenderPad *pad)
{
  GQueue kept = finish_closing (self, pad);

  g_queue_clear_full (&kept, (GDestroyNotify) gst_event_unref);
  open_stream (self, pad);
}

void
gst_gcc_pacer_close (GstGccPacer *self, GstGccSenderPad *pad)
{
  close_stream (self, pad, FALSE);
  /* An application that releases a pad releases the pad downstream next. Some
   * elements do not survive that while a packet comes: rtpsession waits for the
   * stream while it holds the lock that the packet waits for. */
  g_mutex_lock (&self->controller->lock);
  wait_for_push (self, pad);
  g_mutex_unlock (&self->controller->lock);
}

void
gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->controller->lock);
  if (!is_final (pad->flow))
    pad->flow = GST_FLOW_OK;
  pad->is_relinked = TRUE;
  g_mutex_unlock (&self->controller->lock);
}

static gboolean
flush_start (GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event)
{
  close_stream (self, pad, TRUE);

  return gst_pad_push_event (pad->srcpad, event);
}

/* The source pad accepts events again only after it has pushed FLUSH_STOP. */
static gboolean
flush_stop (GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event)
{
  GQueue kept = finish_closing (self, pad);
  gboolean taken = gst_pad_push_event (pad->srcpad, event);

  for (GList *l = kept.head; l != NULL; l = l->next)
    gst_pad_store_sticky_event (pad->srcpad, l->data);
  g_queue_clear_full (&kept, (GDestroyNotify) gst_event_unref);
  open_stream (self, pad);

  return taken;
}

/* With the lock held. */
static gboolean
is_open (const GstGccPacer *self, const GstGccSenderPad *pad)
{
  return self->turns.is_running && pad->is_open;
}

gboolean
gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad)
{
  gboolean drained;

  if (!g_atomic_int_get (&self->is_pacing))
    return TRUE;

  g_mutex_lock (&self->controller->lock);
  while (is_open (self, pad) &&
      (gst_gcc_pacer_queue_count (pad) > 0 || pad->pusher != NULL))
    gst_gcc_waits_for_change (&self->waits);
  drained = is_open (self, pad);
  g_mutex_unlock (&self->controller->lock);

  return drained;
}

/* --- packets --- */

/* With the lock held. */
static gboolean
takes_more (const GstGccPacer *self, const GstGccSenderPad *pad)
{
  return is_open (self, pad) && !is_final (pad->flow);
}

/* With the lock held. Whether a stream that blocks downstream has enough to
 * send. */
static gboolean
has_enough (const GstGccPacer *self, const GstGccSenderPad *pad, GccTime now)
{
  return gst_gcc_pacer_queue_get_longest_wait (pad, now) >
      self->schedule.max_wait ||
      gst_gcc_schedule_is_overfull (&self->schedule);
}

/* With the lock held. A packet is held for longer than max_wait only while its
 * stream blocks downstream. Returns the time when the stream no longer
 * blocks. */
static GccTime
wait_for_downstream (GstGccPacer *self, GstGccSenderPad *pad)
{
  GccTime now = gst_gcc_time_now ();

  while (takes_more (self, pad) && pad->pusher != NULL &&
      has_enough (self, pad, now)) {
    gst_gcc_waits_for_change (&self->waits);
    now = gst_gcc_time_now ();
  }

  return now;
}

/* With the lock held. Whether a packet of @pad that has come leaves in the
 * thread that brought it: its time has come, no item is before it, and no item
 * of its stream is being pushed. */
static gboolean
may_pass (GstGccPacer *self, const GstGccSenderPad *pad, GccTime now)
{
  gboolean is_probe;

  return pad->pusher == NULL && self->waits.alarm == NULL &&
      self->schedule.padding_rate == 0 &&
      gst_gcc_pacer_queue_get_length (&self->schedule.queue) == 1 &&
      gst_gcc_schedule_get_due (&self->schedule, now, &is_probe) <= now &&
      !is_probe;
}

/* With the lock held, which is released meanwhile. To be cleared without it. */
static GstGccPacerItem
pass_packet (GstGccPacer *self, GccTime now)
{
  GstGccPacerItem item = gst_gcc_schedule_take (&self->schedule, FALSE, now);

  send_item (self, &item, now);
  if (gst_gcc_schedule_has_work (&self->schedule, now))
    wake_in_time (self, now);

  return item;
}

/* With the lock held. Returns the packet if it has left at once. */
static GstGccPacerItem
admit (GstGccPacer *self, GstGccPacerItem *item, GccTime now)
{
  gst_gcc_schedule_add (&self->schedule, item, now);
  if (may_pass (self, item->pad, now))
    return pass_packet (self, now);

  wake_in_time (self, now);

  return (GstGccPacerItem){ .object = NULL };
}

static GstFlowReturn
queue_buffer (GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer)
{
  GstGccPacerItem item = { .object = GST_MINI_OBJECT (buffer), .pad = pad };
  GstGccPacerItem passed = { .object = NULL };
  GstBuffer *refused = NULL;
  GstGccPacketMap map;
  GstFlowReturn flow;
  GccTime now;

  gst_gcc_sent_packets_map (buffer, &map);
  g_mutex_lock (&self->controller->lock);
  gst_gcc_sent_packets_read (self->sent, pad, &map, &item.packet, &item.stamp);
  item.is_video = map.is_video;
  now = wait_for_downstream (self, pad);
  if (takes_more (self, pad))
    passed = admit (self, &item, now);
  else
    refused = buffer;
  flow = is_open (self, pad) ? pad->flow : GST_FLOW_FLUSHING;
  g_mutex_unlock (&self->controller->lock);
  gst_gcc_pacer_item_clear (&passed);
  gst_clear_buffer (&refused);

  return flow;
}

static GstFlowReturn
queue_list (GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list)
{
  guint n = gst_buffer_list_length (list);
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < n && flow == GST_FLOW_OK; i++)
    flow = queue_buffer (
        self, pad, gst_buffer_ref (gst_buffer_list_get (list, i)));
  gst_buffer_list_unref (list);

  return flow;
}

/* Counts a packet that leaves at once. */
static void
pass (GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer,
    GstGccStamp *stamp)
{
  GstGccPacketMap map;
  GccSentPacket packet;
  gboolean is_check_due;

  gst_gcc_sent_packets_map (buffer, &map);
  g_mutex_lock (&self->controller->lock);
  gst_gcc_sent_packets_read (self->sent, pad, &map, &packet, stamp);
  is_check_due = gst_gcc_sent_packets_leave (
      self->sent, &packet, stamp, gst_gcc_time_now (), FALSE);
  g_mutex_unlock (&self->controller->lock);

  if (is_check_due)
    gst_gcc_sent_packets_call_check (self->sent);
}

GstFlowReturn
gst_gcc_pacer_push (GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer)
{
  GstGccStamp stamp;

  if (g_atomic_int_get (&self->is_pacing))
    return queue_buffer (self, pad, buffer);

  pass (self, pad, buffer, &stamp);

  return gst_pad_push (pad->srcpad, gst_gcc_stamp_write (&stamp, buffer));
}

GstFlowReturn
gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list)
{
  GstGccStamp stamp;

  if (g_atomic_int_get (&self->is_pacing))
    return queue_list (self, pad, list);

  for (guint i = 0; i < gst_buffer_list_length (list); i++) {
    pass (self, pad, gst_buffer_list_get (list, i), &stamp);
    if (!gst_gcc_stamp_is_needed (&stamp))
      continue;
    list = gst_buffer_list_make_writable (list);
    /* It is writable, so the same buffer is returned. */
    gst_gcc_stamp_write (&stamp, gst_buffer_list_get_writable (list, i));
  }

  return gst_pad_push_list (pad->srcpad, list);
}

/* --- events --- */

static gboolean
queue_event (GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event)
{
  GstGccPacerItem item = { .object = GST_MINI_OBJECT (event), .pad = pad };
  gboolean taken;

  g_mutex_lock (&self->controller->lock);
  while (is_open (self, pad) &&
      gst_gcc_pacer_queue_count_events (pad) >= MAX_EVENTS_OF_A_STREAM)
    gst_gcc_waits_for_change (&self->waits);
  /* Events still pass after an error: EOS has to. */
  taken = is_open (self, pad);
  if (taken) {
    gst_gcc_pacer_queue_push_event (&self->schedule.queue, &item);
    wake_in_time (self, gst_gcc_time_now ());
  }
  g_mutex_unlock (&self->controller->lock);
  if (!taken)
    gst_event_unref (event);

  return taken;
}

gboolean
gst_gcc_pacer_push_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return flush_start (self, pad, event);
    case GST_EVENT_FLUSH_STOP:
      return flush_stop (self, pad, event);
    default:
      if (g_atomic_int_get (&self->is_pacing) &&
          GST_EVENT_IS_SERIALIZED (event))
        return queue_event (self, pad, event);
      return gst_pad_push_event (pad->srcpad, event);
  }
}

/* --- requests --- */

static gboolean
translate_request (GstGccPacer *self, guint32 ssrc, guint *seq)
{
  guint16 number = (guint16) *seq;
  gboolean is_known;

  g_mutex_lock (&self->controller->lock);
  is_known = gst_gcc_padding_translate_request (
      &self->schedule.padding, ssrc, &number);
  g_mutex_unlock (&self->controller->lock);
  *seq = number;

  return is_known;
}

GstEvent *
gst_gcc_pacer_filter_request (GstGccPacer *self, GstEvent *event)
{
  const GstStructure *request = gst_event_get_structure (event);
  guint ssrc, wire, seq;

  if (!gst_event_has_name (event, GST_GCC_RETRANSMISSION_REQUEST) ||
      !gst_structure_get_uint (request, "ssrc", &ssrc) ||
      !gst_structure_get_uint (request, "seqnum", &wire))
    return event;

  seq = wire;
  if (!translate_request (self, ssrc, &seq)) {
    gst_event_unref (event);
    return NULL;
  }
  if (seq != wire) {
    event = gst_event_make_writable (event);
    gst_structure_set (
        gst_event_writable_structure (event), "seqnum", G_TYPE_UINT, seq, NULL);
  }

  return event;
}

/* --- collisions --- */

void
gst_gcc_pacer_note_collision (GstGccPacer *self, GstEvent *event)
{
  guint ssrc;

  if (!gst_event_has_name (event, COLLISION) ||
      !gst_structure_get_uint (gst_event_get_structure (event), "ssrc", &ssrc))
    return;

  g_mutex_lock (&self->controller->lock);
  gst_gcc_padding_leave (&self->schedule.padding, ssrc);
  g_mutex_unlock (&self->controller->lock);
}
