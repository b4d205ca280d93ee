/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgcckeptevents.h"

#include "exit/gstgccpacerqueue.h"

static gboolean
outlives_flush (GstEvent *event)
{
  return GST_EVENT_IS_STICKY (event) &&
      GST_EVENT_TYPE (event) != GST_EVENT_EOS &&
      GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT;
}

void
gst_gcc_kept_events_prepend (GQueue *self, GstEvent *event)
{
  if (outlives_flush (event))
    g_queue_push_head (self, gst_event_ref (event));
}

void
gst_gcc_kept_events_append (GQueue *self, const GArray *items)
{
  for (guint i = 0; i < items->len; i++) {
    GstMiniObject *object = g_array_index (items, GstGccPacerItem, i).object;

    if (GST_IS_EVENT (object) && outlives_flush (GST_EVENT (object)))
      g_queue_push_tail (self, gst_event_ref (GST_EVENT (object)));
  }
}

GQueue
gst_gcc_kept_events_take (GQueue *self)
{
  GQueue kept = *self;

  g_queue_init (self);

  return kept;
}
