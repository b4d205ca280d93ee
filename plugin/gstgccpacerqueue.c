/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccpacerqueue.h"

/* Initial capacities of the queues, which grow. */
#define INITIAL_PACKETS 256
#define INITIAL_EVENTS 16

void
gst_gcc_pacer_item_clear (gpointer item)
{
  GstGccPacerItem *self = item;

  gst_clear_mini_object (&self->object);
  gst_clear_object (&self->pad);
}

void
gst_gcc_pacer_queue_init (GstGccPacerQueue *self)
{
  *self = (GstGccPacerQueue){ .epoch = 0 };
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    self->packets[i] = gst_queue_array_new_for_struct (
        sizeof (GstGccPacerItem), INITIAL_PACKETS);
  self->events = gst_queue_array_new_for_struct (
      sizeof (GstGccPacerItem), INITIAL_EVENTS);
}

void
gst_gcc_pacer_queue_clear (GstGccPacerQueue *self)
{
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    gst_queue_array_free (self->packets[i]);
  gst_queue_array_free (self->events);
}

guint
gst_gcc_pacer_queue_get_length (const GstGccPacerQueue *self)
{
  guint length = gst_queue_array_get_length (self->events);

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    length += gst_queue_array_get_length (self->packets[i]);

  return length;
}

gboolean
gst_gcc_pacer_queue_is_empty (const GstGccPacerQueue *self)
{
  return gst_gcc_pacer_queue_get_length (self) == 0;
}

GccTime
gst_gcc_pacer_queue_get_longest_wait (GstGccPacerQueue *self, GccTime now)
{
  GccTime longest = 0;

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    const GstGccPacerItem *head = gst_queue_array_peek_head_struct (
        self->packets[i]);

    if (head != NULL)
      longest = MAX (longest, gcc_time_diff (now, head->arrival));
  }

  return longest;
}

/* --- in --- */

static void
push (GstGccPacerQueue *self, GstQueueArray *queue, GstGccPacerItem item)
{
  item.epoch = self->epoch;
  gst_object_ref (item.pad);
  item.pad->n_queued++;
  gst_queue_array_push_tail_struct (queue, &item);
}

void
gst_gcc_pacer_queue_push_packet (GstGccPacerQueue *self,
    GstGccPacerClass pacer_class, const GstGccPacerItem *item)
{
  push (self, self->packets[pacer_class], *item);
}

void
gst_gcc_pacer_queue_push_event (
    GstGccPacerQueue *self, const GstGccPacerItem *item)
{
  push (self, self->events, *item);
  item->pad->n_queued_events++;
  self->epoch++;
}

/* --- out --- */

/* The queue whose head leaves next. */
static GstQueueArray *
get_next (GstGccPacerQueue *self)
{
  const GstGccPacerItem *event = gst_queue_array_peek_head_struct (
      self->events);

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++) {
    const GstGccPacerItem *head = gst_queue_array_peek_head_struct (
        self->packets[i]);

    if (head != NULL && (event == NULL || head->epoch <= event->epoch))
      return self->packets[i];
  }

  return self->events;
}

static GstGccPacerItem
pop (GstGccPacerQueue *self, GstQueueArray *queue)
{
  GstGccPacerItem item = *(GstGccPacerItem *) gst_queue_array_pop_head_struct (
      queue);

  item.pad->n_queued--;
  if (queue == self->events)
    item.pad->n_queued_events--;

  return item;
}

const GstGccPacerItem *
gst_gcc_pacer_queue_peek (GstGccPacerQueue *self)
{
  return gst_queue_array_peek_head_struct (get_next (self));
}

GstGccPacerItem
gst_gcc_pacer_queue_pop (GstGccPacerQueue *self)
{
  return pop (self, get_next (self));
}

static void
remove_from (GstGccPacerQueue *self, GstQueueArray *queue, GstGccSenderPad *pad,
    GArray *removed)
{
  for (guint left = gst_queue_array_get_length (queue); left > 0; left--) {
    GstGccPacerItem item = *(
        GstGccPacerItem *) gst_queue_array_peek_head_struct (queue);

    if (pad == NULL || item.pad == pad) {
      item = pop (self, queue);
      g_array_append_val (removed, item);
    } else {
      gst_queue_array_pop_head_struct (queue);
      gst_queue_array_push_tail_struct (queue, &item);
    }
  }
}

GArray *
gst_gcc_pacer_queue_remove (GstGccPacerQueue *self, GstGccSenderPad *pad)
{
  GArray *removed = g_array_new (FALSE, FALSE, sizeof (GstGccPacerItem));

  g_array_set_clear_func (removed, gst_gcc_pacer_item_clear);
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    remove_from (self, self->packets[i], pad, removed);
  remove_from (self, self->events, pad, removed);

  return removed;
}
