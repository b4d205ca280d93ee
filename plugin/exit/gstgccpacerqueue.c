/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccpacerqueue.h"

/* Initial capacity of each queue, which grows. */
#define INITIAL_ITEMS 16

/* The queued items of a stream, by class. @epoch: the number of events queued
 * so far, which separate packets queued before and after them. */
struct _GstGccPadQueue {
  GstQueueArray *items[GST_GCC_PACER_N_CLASSES];
  guint64 epoch;
};

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
  *self = (GstGccPacerQueue){ .pads = g_ptr_array_new () };
}

void
gst_gcc_pacer_queue_clear (GstGccPacerQueue *self)
{
  g_ptr_array_unref (self->pads);
}

/* --- streams --- */

static GstGccPadQueue *
pad_queue_new (void)
{
  GstGccPadQueue *self = g_new0 (GstGccPadQueue, 1);

  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    self->items[i] = gst_queue_array_new_for_struct (
        sizeof (GstGccPacerItem), INITIAL_ITEMS);

  return self;
}

static void
pad_queue_free (GstGccPadQueue *self)
{
  for (guint i = 0; i < GST_GCC_PACER_N_CLASSES; i++)
    gst_queue_array_free (self->items[i]);
  g_free (self);
}

void
gst_gcc_pacer_queue_add_pad (GstGccPacerQueue *self, GstGccSenderPad *pad)
{
  if (pad->queue != NULL)
    return;

  pad->queue = pad_queue_new ();
  g_ptr_array_add (self->pads, gst_object_ref (pad));
}

void
gst_gcc_pacer_queue_remove_pad (GstGccPacerQueue *self, GstGccSenderPad *pad)
{
  if (pad->queue == NULL)
    return;

  g_clear_pointer (&pad->queue, pad_queue_free);
  g_ptr_array_remove (self->pads, pad);
  gst_object_unref (pad);
}

/* --- what there is --- */

guint
gst_gcc_pacer_queue_count (const GstGccSenderPad *pad)
{
  guint n = 0;

  for (guint i = 0; pad->queue != NULL && i < GST_GCC_PACER_N_CLASSES; i++)
    n += gst_queue_array_get_length (pad->queue->items[i]);

  return n;
}

guint
gst_gcc_pacer_queue_count_events (const GstGccSenderPad *pad)
{
  return pad->queue != NULL
      ? gst_queue_array_get_length (pad->queue->items[GST_GCC_PACER_EVENT])
      : 0;
}

guint
gst_gcc_pacer_queue_get_length (const GstGccPacerQueue *self)
{
  guint length = 0;

  for (guint i = 0; i < self->pads->len; i++)
    length += gst_gcc_pacer_queue_count (g_ptr_array_index (self->pads, i));

  return length;
}

static const GstGccPacerItem *
peek_class (const GstGccPadQueue *self, guint pacer_class)
{
  return gst_queue_array_peek_head_struct (self->items[pacer_class]);
}

GccTime
gst_gcc_pacer_queue_get_longest_wait (const GstGccSenderPad *pad, GccTime now)
{
  GccTime longest = 0;

  for (guint i = GST_GCC_PACER_RETRANSMISSION;
       pad->queue != NULL && i < GST_GCC_PACER_N_CLASSES; i++) {
    const GstGccPacerItem *head = peek_class (pad->queue, i);

    if (head != NULL)
      longest = MAX (longest, gcc_time_diff (now, head->arrival));
  }

  return longest;
}

/* --- in --- */

static void
push (
    GstGccPacerQueue *self, GstGccPacerClass pacer_class, GstGccPacerItem item)
{
  GstGccPadQueue *queue = item.pad->queue;

  item.pacer_class = pacer_class;
  item.order = self->n_pushed++;
  item.epoch = queue->epoch;
  gst_object_ref (item.pad);
  gst_queue_array_push_tail_struct (queue->items[pacer_class], &item);
}

void
gst_gcc_pacer_queue_push_packet (GstGccPacerQueue *self,
    GstGccPacerClass pacer_class, const GstGccPacerItem *item)
{
  push (self, pacer_class, *item);
}

void
gst_gcc_pacer_queue_push_event (
    GstGccPacerQueue *self, const GstGccPacerItem *item)
{
  push (self, GST_GCC_PACER_EVENT, *item);
  item->pad->queue->epoch++;
}

/* --- out --- */

/* The next item of a stream: packets queued before the next event, by class,
 * then that event. */
static const GstGccPacerItem *
peek_pad (const GstGccPadQueue *self)
{
  const GstGccPacerItem *event = peek_class (self, GST_GCC_PACER_EVENT);

  for (guint i = GST_GCC_PACER_RETRANSMISSION; i < GST_GCC_PACER_N_CLASSES;
       i++) {
    const GstGccPacerItem *head = peek_class (self, i);

    if (head != NULL && (event == NULL || head->epoch <= event->epoch))
      return head;
  }

  return event;
}

static gboolean
precedes (const GstGccPacerItem *item, const GstGccPacerItem *other)
{
  if (item->pacer_class != other->pacer_class)
    return item->pacer_class < other->pacer_class;

  return item->order < other->order;
}

const GstGccPacerItem *
gst_gcc_pacer_queue_peek (const GstGccPacerQueue *self)
{
  const GstGccPacerItem *next = NULL;

  for (guint i = 0; i < self->pads->len; i++) {
    const GstGccSenderPad *pad = g_ptr_array_index (self->pads, i);
    const GstGccPacerItem *item = pad->pusher == NULL ? peek_pad (pad->queue)
                                                      : NULL;

    if (item != NULL && (next == NULL || precedes (item, next)))
      next = item;
  }

  return next;
}

GstGccPacerItem
gst_gcc_pacer_queue_pop (GstGccPacerQueue *self)
{
  const GstGccPacerItem *next = gst_gcc_pacer_queue_peek (self);

  return *(GstGccPacerItem *) gst_queue_array_pop_head_struct (
      next->pad->queue->items[next->pacer_class]);
}

static void
remove_from (const GstGccSenderPad *pad, GArray *removed)
{
  for (guint i = 0; pad->queue != NULL && i < GST_GCC_PACER_N_CLASSES; i++) {
    GstQueueArray *items = pad->queue->items[i];

    while (gst_queue_array_get_length (items) > 0)
      g_array_append_vals (removed, gst_queue_array_pop_head_struct (items), 1);
  }
}

/* As they were queued: events between packets. */
static gint
compare (gconstpointer a, gconstpointer b)
{
  const GstGccPacerItem *item = a, *other = b;

  return item->order < other->order ? -1 : 1;
}

GArray *
gst_gcc_pacer_queue_remove (GstGccPacerQueue *self, GstGccSenderPad *pad)
{
  GArray *removed = g_array_new (FALSE, FALSE, sizeof (GstGccPacerItem));

  g_array_set_clear_func (removed, gst_gcc_pacer_item_clear);
  if (pad != NULL)
    remove_from (pad, removed);
  for (guint i = 0; pad == NULL && i < self->pads->len; i++)
    remove_from (g_ptr_array_index (self->pads, i), removed);
  g_array_sort (removed, compare);

  return removed;
}
