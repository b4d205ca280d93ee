/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccpacer.h"

#include <gst/gcc/gcc-profile-private.h>

#include "gstgcctime.h"

/* Room for this many at first; it grows where more are queued at once. */
#define INITIAL_PACKETS 256
#define INITIAL_EVENTS 16

/* Without an object it is the place of an event that was flushed. */
typedef struct {
  GstMiniObject *object;
  GstGccSenderPad *pad;
  GccSentPacket packet;
  GccTime arrival;
  guint64 epoch;
} Item;

static GstPad *
source_of (GstGccSenderPad *pad)
{
  return gst_pad_get_element_private (GST_PAD (pad));
}

static void
drop_item (gpointer data)
{
  gst_clear_mini_object (&((Item *) data)->object);
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

/* The queue whose head leaves next: packets from before the next event by
 * class, then the event. */
static GstQueueArray *
next_queue (GstGccPacer *self)
{
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    const Item *head = gst_queue_array_peek_head_struct (self->packets[i]);

    if (head != NULL && head->epoch == self->epoch_out)
      return self->packets[i];
  }

  return self->events;
}

/* How long the packet that came first has been here. */
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

/* Has the thread look again. */
static void
wake (GstGccPacer *self)
{
  if (self->alarm != NULL)
    gst_clock_id_unschedule (self->alarm);
  g_cond_broadcast (&self->changed);
}

/* --- the thread --- */

static GstClock *
get_clock (GstElement *element)
{
  GstClock *clock = gst_element_get_clock (element);

  return clock != NULL ? clock : gst_system_clock_obtain ();
}

/* With the lock held, which is let go meanwhile. */
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

/* With the lock held, which is let go meanwhile. */
static void
send_item (GstGccPacer *self, const Item *item)
{
  GstFlowReturn flow = GST_FLOW_OK;

  self->pushing = item->pad;
  g_mutex_unlock (&self->lock);
  if (item->object != NULL && GST_IS_EVENT (item->object))
    gst_pad_push_event (source_of (item->pad), GST_EVENT (item->object));
  else if (item->object != NULL)
    flow = self->push (
        self->element, item->pad, GST_BUFFER (item->object), &item->packet);
  g_mutex_lock (&self->lock);
  self->pushing = NULL;
  if (item->pad->flow == GST_FLOW_OK)
    item->pad->flow = flow;
  g_cond_broadcast (&self->changed);
}

/* With the lock held. Takes out what leaves next; %FALSE when it has to wait,
 * and then it has waited. */
static gboolean
take_next (GstGccPacer *self, Item *item)
{
  GstQueueArray *queue = next_queue (self);

  if (queue != self->events) {
    GccTime now = gst_gcc_time_now (self->element);
    GccTime due = gcc_pacer_next_send (&self->pace, now);

    if (due > now) {
      /* The bound holds, too, when another clock was chosen meanwhile. */
      sleep_until (self, MIN (due, now + self->max_wait));
      return FALSE;
    }
    *item = *(Item *) gst_queue_array_pop_head_struct (queue);
    gcc_pacer_sent (&self->pace, item->packet.bytes, now);
  } else {
    *item = *(Item *) gst_queue_array_pop_head_struct (queue);
    self->epoch_out++;
  }

  return TRUE;
}

static void
run (gpointer user_data)
{
  GstGccPacer *self = user_data;
  Item item;

  g_mutex_lock (&self->lock);
  while (self->running && is_empty (self))
    g_cond_wait (&self->changed, &self->lock);
  if (self->running && take_next (self, &item))
    send_item (self, &item);
  g_mutex_unlock (&self->lock);
}

/* --- from outside --- */

void
gst_gcc_pacer_init (
    GstGccPacer *self, GstElement *element, GstGccPacerPush push)
{
  self->element = element;
  self->push = push;
  g_rec_mutex_init (&self->task_lock);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    self->packets[i] = gst_queue_array_new_for_struct (
        sizeof (Item), INITIAL_PACKETS);
    gst_queue_array_set_clear_func (self->packets[i], drop_item);
  }
  self->events = gst_queue_array_new_for_struct (sizeof (Item), INITIAL_EVENTS);
  gst_queue_array_set_clear_func (self->events, drop_item);
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

void
gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile, GccRate rate,
    GccTime max_wait)
{
  gchar *name;

  self->max_wait = max_wait;
  gcc_pacer_init (&self->pace, &profile->pacer, max_wait);
  gcc_pacer_set_rate (&self->pace, rate);
  self->epoch_in = self->epoch_out = 0;
  self->running = TRUE;

  name = g_strdup_printf ("%s:pacer", GST_OBJECT_NAME (self->element));
  self->task = gst_task_new (run, self, NULL);
  gst_object_set_name (GST_OBJECT (self->task), name);
  g_free (name);
  gst_task_set_lock (self->task, &self->task_lock);
  gst_task_start (self->task);
}

void
gst_gcc_pacer_stop (GstGccPacer *self)
{
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
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    gst_queue_array_clear (self->packets[i]);
  gst_queue_array_clear (self->events);
  gcc_pacer_reset (&self->pace);
  g_mutex_unlock (&self->lock);
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

void
gst_gcc_pacer_set_rate (GstGccPacer *self, GccRate rate)
{
  g_mutex_lock (&self->lock);
  if (self->running) {
    gcc_pacer_set_rate (&self->pace, rate);
    wake (self);
  }
  g_mutex_unlock (&self->lock);
}

/* With the lock held. */
static gboolean
takes_more (const GstGccPacer *self, const GstGccSenderPad *pad)
{
  return self->running && pad->flow == GST_FLOW_OK;
}

GstFlowReturn
gst_gcc_pacer_queue_packet (GstGccPacer *self, GstGccSenderPad *pad,
    GstGccPacerClass pacer_class, GstBuffer *buffer,
    const GccSentPacket *packet)
{
  Item item = { .object = GST_MINI_OBJECT (buffer), .pad = pad };
  GstFlowReturn flow;

  g_mutex_lock (&self->lock);
  item.arrival = gst_gcc_time_now (self->element);
  /* No packet waits for its turn as long as this: downstream blocks. */
  while (takes_more (self, pad) && self->pushing != NULL &&
      longest_wait (self, item.arrival) > self->max_wait) {
    g_cond_wait (&self->changed, &self->lock);
    item.arrival = gst_gcc_time_now (self->element);
  }
  flow = self->running ? pad->flow : GST_FLOW_FLUSHING;
  if (takes_more (self, pad)) {
    item.packet = *packet;
    item.epoch = self->epoch_in;
    gcc_pacer_queued (&self->pace, packet->bytes, item.arrival);
    gst_queue_array_push_tail_struct (self->packets[pacer_class], &item);
    if (self->alarm == NULL ||
        gcc_pacer_next_send (&self->pace, item.arrival) < self->alarm_time)
      wake (self);
  } else {
    gst_buffer_unref (buffer);
  }
  g_mutex_unlock (&self->lock);

  return flow;
}

gboolean
gst_gcc_pacer_queue_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event)
{
  Item item = { .object = GST_MINI_OBJECT (event), .pad = pad };
  gboolean taken;

  g_mutex_lock (&self->lock);
  /* After an error events still arrive: end of stream must. */
  taken = self->running && pad->flow != GST_FLOW_FLUSHING;
  if (taken) {
    item.epoch = self->epoch_in++;
    gst_queue_array_push_tail_struct (self->events, &item);
    wake (self);
  } else {
    gst_event_unref (event);
  }
  g_mutex_unlock (&self->lock);

  return taken;
}

gboolean
gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad)
{
  gboolean drained;

  g_mutex_lock (&self->lock);
  while (takes_more (self, pad) && (!is_empty (self) || self->pushing != NULL))
    g_cond_wait (&self->changed, &self->lock);
  drained = takes_more (self, pad);
  g_mutex_unlock (&self->lock);

  return drained;
}

/* With the lock held. Events keep their places: they part what is queued. */
static void
drop_queued (GstGccPacer *self, GstQueueArray *queue, GstGccSenderPad *pad)
{
  for (guint left = gst_queue_array_get_length (queue); left > 0; left--) {
    Item item = *(Item *) gst_queue_array_pop_head_struct (queue);

    if (item.pad != pad) {
      gst_queue_array_push_tail_struct (queue, &item);
      continue;
    }
    drop_item (&item);
    if (queue == self->events)
      gst_queue_array_push_tail_struct (queue, &item);
    else
      gcc_pacer_dropped (&self->pace, item.packet.bytes);
  }
}

void
gst_gcc_pacer_flush_start (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->lock);
  pad->flow = GST_FLOW_FLUSHING;
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    drop_queued (self, self->packets[i], pad);
  drop_queued (self, self->events, pad);
  wake (self);
  g_mutex_unlock (&self->lock);
}

void
gst_gcc_pacer_flush_stop (GstGccPacer *self, GstGccSenderPad *pad)
{
  g_mutex_lock (&self->lock);
  /* The last old packet may still be on its way out. */
  while (self->pushing == pad)
    g_cond_wait (&self->changed, &self->lock);
  pad->flow = GST_FLOW_OK;
  g_mutex_unlock (&self->lock);
}
