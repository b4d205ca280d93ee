/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sticky events that were queued when their stream was flushed: they outlive
 * the flush, as on a pad and in GstQueue. Others are not kept. The queue is
 * %G_QUEUE_INIT, or zero-initialised. (element-type GstEvent) */

/* Keeps a reference to @event, which leaves before the others. */
void gst_gcc_kept_events_prepend (GQueue *self, GstEvent *event);

/* Keeps references to such events in @items, in their order. (element-type
 * GstGccPacerItem) */
void gst_gcc_kept_events_append (GQueue *self, const GArray *items);

/* Returns all kept events, and keeps none any more. */
GQueue gst_gcc_kept_events_take (GQueue *self);

G_END_DECLS
