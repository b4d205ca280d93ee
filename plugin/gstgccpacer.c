/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccpacer.h"

#include <gst/gcc/gcc-profile-private.h>

#include "gstgcctime.h"

/* Initial capacities of the queues, which grow. */
#define INITIAL_PACKETS 256
#define INITIAL_EVENTS 16

/* Events of a stream that may be queued; with more of them the streaming thread
 * waits. */
#define MAX_EVENTS_OF_A_STREAM 64

typedef struct {
  GstMiniObject *object;
  GstGccSenderPad *pad;
  GccSentPacket packet;
  GstGccStamp stamp;
  GccTime arrival;
  guint64 epoch;
} Item;

static void
item_clear (gpointer data)
{
  Item *self = data;

  gst_clear_mini_object (&self->object);
  gst_clear_object (&self->pad);
}

/* Whether only a flush or a restart clears @flow; after other results,
 * downstream is tried again. */
static gboolean
is_final (GstFlowReturn flow)
{
  return flow <= GST_FLOW_EOS;
}

/* --- the queues, with the lock held --- */

static gboolean
is_empty (const GstGccPacer *self)
{
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    if (!gst_queue_array_is_empty (self->packets[i]))
      return FALSE;

  return gst_queue_array_is_empty (self->events);
}

/* The queue whose head leaves next: packets queued before the next event, by
 * class, then that event. */
static GstQueueArray *
next_queue (GstGccPacer *self)
{
  const Item *event = gst_queue_array_peek_head_struct (self->events);

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    const Item *head = gst_queue_array_peek_head_struct (self->packets[i]);

    if (head != NULL && (event == NULL || head->epoch <= event->epoch))
      return self->packets[i];
  }

  return self->events;
}

/* How long the oldest packet has been held. */
static GccTime
longest_wait (GstGccPacer *self, GccTime now)
{
  GccTime longest = 0;

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    const Item *head = gst_queue_array_peek_head_struct (self->packets[i]);

    if (head != NULL)
      longest = MAX (longest, gcc_time_diff (now, head->arrival));
  }

  return longest;
}

static void
wait_for_change (GstGccPacer *self)
{
  self->n_waiting++;
  g_cond_wait (&self->changed, &self->lock);
  self->n_waiting--;
}

/* A broadcast that wakes no thread is a system call, too. */
static void
tell_change (GstGccPacer *self)
{
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->changed);
}

/* Makes the thread look again at what leaves next. */
static void
wake (GstGccPacer *self)
{
  if (self->alarm != NULL)
    gst_clock_id_unschedule (self->alarm);
  tell_change (self);
}

static void
push_item (GstGccPacer *self, GstQueueArray *queue, Item *item)
{
  item->epoch = self->epoch;
  gst_object_ref (item->pad);
  item->pad->n_queued++;
  if (queue == self->events) {
    item->pad->n_queued_events++;
    self->epoch++;
  }
  gst_queue_array_push_tail_struct (queue, item);
}

static Item
pop_item (GstGccPacer *self, GstQueueArray *queue)
{
  Item item = *(Item *) gst_queue_array_pop_head_struct (queue);

  item.pad->n_queued--;
  if (queue == self->events)
    item.pad->n_queued_events--;

  return item;
}

/* Moves what is queued for @pad to @removed, or everything if that is %NULL. */
static void
remove_from (GstGccPacer *self, GstQueueArray *queue, GstGccSenderPad *pad,
    GArray *removed)
{
  for (guint left = gst_queue_array_get_length (queue); left > 0; left--) {
    Item item = *(Item *) gst_queue_array_peek_head_struct (queue);

    if (pad == NULL || item.pad == pad) {
      item = pop_item (self, queue);
      if (queue != self->events)
        gcc_pacer_dropped (&self->pace, item.packet.bytes);
      g_array_append_val (removed, item);
    } else {
      gst_queue_array_pop_head_struct (queue);
      gst_queue_array_push_tail_struct (queue, &item);
    }
  }
}

/* Returns what was removed, to be freed without the lock. */
static GArray *
remove_items (GstGccPacer *self, GstGccSenderPad *pad)
{
  GArray *removed = g_array_new (FALSE, FALSE, sizeof (Item));

  g_array_set_clear_func (removed, item_clear);
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    remove_from (self, self->packets[i], pad, removed);
  remove_from (self, self->events, pad, removed);

  return removed;
}

/* --- events that outlive a flush, with the lock held --- */

/* Keeps sticky events, which outlive a flush on a pad, as GstQueue does. */
static void
keep_event (GstGccSenderPad *pad, GstMiniObject *object,
    void (*push) (GQueue *queue, gpointer event))
{
  GstEvent *event;

  if (!GST_IS_EVENT (object))
    return;

  event = GST_EVENT (object);
  if (GST_EVENT_IS_STICKY (event) && GST_EVENT_TYPE (event) != GST_EVENT_EOS &&
      GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    push (&pad->kept, gst_event_ref (event));
}

static void
keep_events (GstGccSenderPad *pad, GArray *removed)
{
  for (guint i = 0; i < removed->len; i++)
    keep_event (
        pad, g_array_index (removed, Item, i).object, g_queue_push_tail);
}

static GQueue
take_kept (GstGccSenderPad *pad)
{
  GQueue kept = pad->kept;

  g_queue_init (&pad->kept);

  return kept;
}

/* --- the thread --- */

static GstClock *
get_clock (GstElement *element)
{
  GstClock *clock = gst_element_get_clock (element);

  return clock != NULL ? clock : gst_system_clock_obtain ();
}

/* With the lock held, which is released meanwhile. */
static void
sleep_until (GstGccPacer *self, GccTime time)
{
  GstClock *clock = get_clock (self->element);
  GstClockID alarm = gst_clock_new_single_shot_id (
      clock, (GstClockTime) time * GST_USECOND);

  self->alarm = alarm;
  self->alarm_time = time;
  g_mutex_unlock (&self->lock);
  gst_clock_id_wait (alarm, NULL);
  g_mutex_lock (&self->lock);
  self->alarm = NULL;
  gst_clock_id_unref (alarm);
  gst_object_unref (clock);
}

/* With the lock held. Takes out what leaves next. Returns %FALSE when that was
 * not due, after waiting for it. */
static gboolean
take_next (GstGccPacer *self, Item *item)
{
  GstQueueArray *queue = next_queue (self);

  if (queue != self->events) {
    GccTime now = gst_gcc_time_now (self->element);
    GccTime due = gcc_pacer_next_send (&self->pace, now);

    if (due > now) {
      /* The bound also holds when another clock is selected meanwhile. */
      sleep_until (self, MIN (due, now + self->max_wait));
      return FALSE;
    }
    *item = pop_item (self, queue);
    gcc_pacer_sent (&self->pace, item->packet.bytes, now);
  } else {
    *item = pop_item (self, queue);
  }

  return TRUE;
}

/* With the lock held, which is released meanwhile. */
static GstFlowReturn
send_packet (GstGccPacer *self, Item *item)
{
  GstBuffer *buffer = GST_BUFFER (g_steal_pointer (&item->object));
  GstFlowReturn flow;

  g_mutex_unlock (&self->lock);
  gst_gcc_sent_packets_leave (
      self->sent, item->pad, &item->packet, &item->stamp, TRUE);
  buffer = gst_gcc_stamp_write (&item->stamp, buffer);
  flow = gst_pad_push (item->pad->srcpad, buffer);
  g_mutex_lock (&self->lock);

  return flow;
}

/* With the lock held, which is released meanwhile. */
static void
send_event (GstGccPacer *self, GstGccSenderPad *pad, GstMiniObject *event)
{
  gboolean taken;

  g_mutex_unlock (&self->lock);
  taken = gst_pad_push_event (
      pad->srcpad, GST_EVENT (gst_mini_object_ref (event)));
  g_mutex_lock (&self->lock);

  /* A flushing pad accepts no event: this one is stored after the flush. */
  if (!taken && !pad->is_open)
    keep_event (pad, event, g_queue_push_head);
}

/* With the lock held. The result of a push that began before the pad was linked
 * again does not count. */
static void
note_flow (GstGccPacer *self, GstGccSenderPad *pad, GstFlowReturn flow)
{
  pad->flow = self->is_relinked && !is_final (flow) ? GST_FLOW_OK : flow;
}

/* With the lock held, which is released meanwhile. */
static void
send_item (GstGccPacer *self, Item *item)
{
  GstGccSenderPad *pad = item->pad;

  self->pushing = pad;
  self->is_relinked = FALSE;
  if (GST_IS_EVENT (item->object))
    send_event (self, pad, item->object);
  else if (!is_final (pad->flow))
    note_flow (self, pad, send_packet (self, item));
  self->pushing = NULL;
  tell_change (self);
}

static void
run (gpointer user_data)
{
  GstGccPacer *self = user_data;
  Item item = { .object = NULL };

  g_mutex_lock (&self->lock);
  while (self->running && is_empty (self))
    wait_for_change (self);
  if (self->running && take_next (self, &item))
    send_item (self, &item);
  g_mutex_unlock (&self->lock);
  item_clear (&item);
}

/* --- from start to stop --- */

void
gst_gcc_pacer_init (
    GstGccPacer *self, GstElement *element, GstGccSentPackets *sent)
{
  self->element = element;
  self->sent = sent;
  g_rec_mutex_init (&self->task_lock);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    self->packets[i] = gst_queue_array_new_for_struct (
        sizeof (Item), INITIAL_PACKETS);
  self->events = gst_queue_array_new_for_struct (sizeof (Item), INITIAL_EVENTS);
}

void
gst_gcc_pacer_finalize (GstGccPacer *self)
{
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    gst_queue_array_free (self->packets[i]);
  gst_queue_array_free (self->events);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_rec_mutex_clear (&self->task_lock);
}

static void
start_task (GstGccPacer *self)
{
  gchar *name = g_strdup_printf ("%s:pacer", GST_OBJECT_NAME (self->element));

  self->task = gst_task_new (run, self, NULL);
  gst_object_set_name (GST_OBJECT (self->task), name);
  g_free (name);
  gst_task_set_lock (self->task, &self->task_lock);
  gst_task_start (self->task);
}

/* With the lock held. */
static void
set_target (GstGccPacer *self, GccRate target)
{
  gcc_pacer_set_rate (&self->pace, (GccRate) (self->factor * (gdouble) target));
}

void
gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, GccRate target, GccTime max_wait)
{
  g_mutex_lock (&self->lock);
  self->factor = factor;
  self->is_pacing = self->running = factor > 0.;
  if (self->is_pacing) {
    self->max_wait = max_wait;
    gcc_pacer_init (&self->pace, &profile->pacer, max_wait);
    set_target (self, target);
  }
  g_mutex_unlock (&self->lock);

  if (self->is_pacing)
    start_task (self);
}

void
gst_gcc_pacer_stop (GstGccPacer *self)
{
  GArray *removed;

  if (self->task == NULL)
    return;

  gst_task_stop (self->task);
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  wake (self);
  g_mutex_unlock (&self->lock);
  gst_task_join (self->task);
  gst_clear_object (&self->task);

  g_mutex_lock (&self->lock);
  removed = remove_items (self, NULL);
  gcc_pacer_reset (&self->pace);
  g_mutex_unlock (&self->lock);
  g_array_unref (removed);
}

guint64
gst_gcc_pacer_get_queued (GstGccPacer *self)
{
  guint64 bytes;

  g_mutex_lock (&self->lock);
  bytes = (guint64) gcc_pacer_get_queued (&self->pace);
  g_mutex_unlock (&self->lock);

  return bytes;
}

GccTime
gst_gcc_pacer_get_latency (GstGccPacer *self)
{
  GccTime latency;

  g_mutex_lock (&self->lock);
  latency = self->is_pacing ? self->max_wait : 0;
  g_mutex_unlock (&self->lock);

  return latency;
}

void
gst_gcc_pacer_set_target (GstGccPacer *self, GccRate target)
{
  g_mutex_lock (&self->lock);
  if (self->running) {
    set_target (self, target);
    wake (self);
  }
  g_mutex_unlock (&self->lock);
}

/* --- streams --- */

static void
close_stream (GstGccPacer *self, GstGccSenderPad *pad, gboolean keep)
{
  GArray *removed;

  g_mutex_lock (&self->lock);
  pad->is_open = FALSE;
  removed = remove_items (self, pad);
  if (keep)
    keep_events (pad, removed);
  wake (self);
  g_mutex_unlock (&self->lock);
  g_array_unref (removed);
}

static void
open_stream (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->lock);
  pad->is_open = TRUE;
  pad->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
}

/* Waits until what was being pushed when the stream was closed has left. */
static GQueue
finish_closing (GstGccPacer *self, GstGccSenderPad *pad)
{
  GQueue kept;

  g_mutex_lock (&self->lock);
  while (self->pushing == pad)
    wait_for_change (self);
  kept = take_kept (pad);
  g_mutex_unlock (&self->lock);

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
}

void
gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->lock);
  if (!is_final (pad->flow))
    pad->flow = GST_FLOW_OK;
  if (self->pushing == pad)
    self->is_relinked = TRUE;
  g_mutex_unlock (&self->lock);
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
  return self->running && pad->is_open;
}

gboolean
gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad)
{
  gboolean drained;

  if (!self->is_pacing)
    return TRUE;

  g_mutex_lock (&self->lock);
  while (is_open (self, pad) && (pad->n_queued > 0 || self->pushing == pad))
    wait_for_change (self);
  drained = is_open (self, pad);
  g_mutex_unlock (&self->lock);

  return drained;
}

/* --- packets --- */

/* With the lock held. */
static gboolean
takes_more (const GstGccPacer *self, const GstGccSenderPad *pad)
{
  return is_open (self, pad) && !is_final (pad->flow);
}

/* With the lock held. A packet is held for longer than max_wait only when
 * downstream blocks. */
static void
wait_for_downstream (GstGccPacer *self, GstGccSenderPad *pad)
{
  while (takes_more (self, pad) && self->pushing != NULL &&
      longest_wait (self, gst_gcc_time_now (self->element)) > self->max_wait)
    wait_for_change (self);
}

/* With the lock held. */
static void
queue_packet (GstGccPacer *self, GstGccPacerClass pacer_class, Item *item)
{
  item->arrival = gst_gcc_time_now (self->element);
  gcc_pacer_queued (&self->pace, item->packet.bytes, item->arrival);
  push_item (self, self->packets[pacer_class], item);
  if (self->alarm == NULL ||
      gcc_pacer_next_send (&self->pace, item->arrival) < self->alarm_time)
    wake (self);
}

/* @first: the kind of the stream's first packet */
static GstGccPacerClass
get_class (GccSentKind first)
{
  switch (first) {
    case GCC_SENT_RTX:
      return GST_GCC_PACER_RETRANSMISSION;
    case GCC_SENT_FEC:
      return GST_GCC_PACER_REPAIR;
    default:
      return GST_GCC_PACER_MEDIA;
  }
}

static GstFlowReturn
queue_buffer (GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer)
{
  Item item = { .object = GST_MINI_OBJECT (buffer), .pad = pad };
  GstGccPacerClass pacer_class = get_class (gst_gcc_sent_packets_read (
      self->sent, pad, buffer, &item.packet, &item.stamp));
  GstFlowReturn flow;
  gboolean taken;

  g_mutex_lock (&self->lock);
  wait_for_downstream (self, pad);
  flow = is_open (self, pad) ? pad->flow : GST_FLOW_FLUSHING;
  taken = takes_more (self, pad);
  if (taken)
    queue_packet (self, pacer_class, &item);
  g_mutex_unlock (&self->lock);
  if (!taken)
    gst_buffer_unref (buffer);

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
  GccSentPacket packet;

  gst_gcc_sent_packets_read (self->sent, pad, buffer, &packet, stamp);
  gst_gcc_sent_packets_leave (self->sent, pad, &packet, stamp, FALSE);
}

GstFlowReturn
gst_gcc_pacer_push (GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer)
{
  GstGccStamp stamp;

  if (self->is_pacing)
    return queue_buffer (self, pad, buffer);

  pass (self, pad, buffer, &stamp);

  return gst_pad_push (pad->srcpad, gst_gcc_stamp_write (&stamp, buffer));
}

GstFlowReturn
gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list)
{
  GstGccStamp stamp;

  if (self->is_pacing)
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
  Item item = { .object = GST_MINI_OBJECT (event), .pad = pad };
  gboolean taken;

  g_mutex_lock (&self->lock);
  while (is_open (self, pad) && pad->n_queued_events >= MAX_EVENTS_OF_A_STREAM)
    wait_for_change (self);
  /* Events still pass after an error: EOS has to. */
  taken = is_open (self, pad);
  if (taken) {
    push_item (self, self->events, &item);
    wake (self);
  }
  g_mutex_unlock (&self->lock);
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
      if (self->is_pacing && GST_EVENT_IS_SERIALIZED (event))
        return queue_event (self, pad, event);
      return gst_pad_push_event (pad->srcpad, event);
  }
}
