/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstqueuearray.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

#include "gstgccsenderpad.h"
#include "gstgccsentpackets.h"

G_BEGIN_DECLS

/*
 * GstGccPacerClass:
 * @RETRANSMISSION: leaves first, since the receiver is waiting for it
 * @MEDIA: media, and FEC that shares its sequence numbers
 * @REPAIR: FEC in a stream of its own, which leaves last
 *
 * All packets of a stream have one class, so that none is reordered.
 */
typedef enum {
  GST_GCC_PACER_RETRANSMISSION,
  GST_GCC_PACER_MEDIA,
  GST_GCC_PACER_REPAIR,
  GST_GCC_PACER_N_CLASSES,
} GstGccPacerClass;

/*
 * GstGccPacerItem:
 * @object: a buffer, or an event
 * @pad: whose it is
 * @packet: what a buffer is
 * @stamp: what is written into it
 * @arrival: when a buffer came
 * @epoch: the number of events queued before it
 *
 * What leaves gccsender. The queue's hold references to @object and @pad.
 */
typedef struct {
  GstMiniObject *object;
  GstGccSenderPad *pad;
  GccSentPacket packet;
  GstGccStamp stamp;
  GccTime arrival;
  guint64 epoch;
} GstGccPacerItem;

/*
 * GstGccPacerQueue:
 * @packets: by class
 * @events: serialized events
 * @epoch: the number of events queued so far, which separate packets queued
 *   before and after them
 *
 * What the pacer holds. Nothing overtakes an event. It has no lock, and counts
 * what it holds of each pad in the pad.
 */
typedef struct {
  GstQueueArray *packets[GST_GCC_PACER_N_CLASSES];
  GstQueueArray *events;
  guint64 epoch;
} GstGccPacerQueue;

/* Drops the references of @item, a #GstGccPacerItem. A #GDestroyNotify. */
void gst_gcc_pacer_item_clear (gpointer item);

void gst_gcc_pacer_queue_init (GstGccPacerQueue *self);
/* What is queued must have been removed. */
void gst_gcc_pacer_queue_clear (GstGccPacerQueue *self);

/* Packets and events. */
guint gst_gcc_pacer_queue_get_length (const GstGccPacerQueue *self);
gboolean gst_gcc_pacer_queue_is_empty (const GstGccPacerQueue *self);

/* How long the oldest packet has been held. */
GccTime gst_gcc_pacer_queue_get_longest_wait (
    GstGccPacerQueue *self, GccTime now);

/* Take @item's object (transfer full), and a reference to its pad. */
void gst_gcc_pacer_queue_push_packet (GstGccPacerQueue *self,
    GstGccPacerClass pacer_class, const GstGccPacerItem *item);
void gst_gcc_pacer_queue_push_event (
    GstGccPacerQueue *self, const GstGccPacerItem *item);

/* What leaves next: packets queued before the next event, by class, then that
 * event. %NULL when the queue is empty. */
const GstGccPacerItem *gst_gcc_pacer_queue_peek (GstGccPacerQueue *self);

/* Takes it out of a queue that is not empty (transfer full). */
GstGccPacerItem gst_gcc_pacer_queue_pop (GstGccPacerQueue *self);

/* Takes out what is queued for @pad, or everything if that is %NULL. The array
 * clears the items when it is freed. (transfer full) (element-type
 * GstGccPacerItem) */
GArray *gst_gcc_pacer_queue_remove (
    GstGccPacerQueue *self, GstGccSenderPad *pad);

G_END_DECLS
