/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstqueuearray.h>
#include <gst/gcc/gcc-sent-packet.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

#include "exit/gstgccsentpackets.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * GstGccPacerClass:
 * @EVENT: leaves as soon as all earlier items of its stream have left
 * @RETRANSMISSION: leaves first among packets, because the receiver waits for
 *   it
 * @MEDIA: media, and FEC that shares its sequence numbers
 * @REPAIR: FEC in a stream of its own, which leaves last
 *
 * All packets of an RTP stream have one class, so that none is reordered.
 */
typedef enum {
  GST_GCC_PACER_EVENT,
  GST_GCC_PACER_RETRANSMISSION,
  GST_GCC_PACER_MEDIA,
  GST_GCC_PACER_REPAIR,
  GST_GCC_PACER_N_CLASSES,
} GstGccPacerClass;

/*
 * GstGccPacerItem:
 * @object: a buffer, or an event
 * @pad: its pad
 * @packet: the packet in a buffer
 * @is_video: whether it is known to be of a video stream
 * @stamp: the values to write into it
 * @arrival: the time at which a buffer came
 * @pacer_class: its class
 * @order: the number of items queued before it
 * @epoch: the number of events queued before it in its stream
 *
 * An item that leaves gccsender. Queued items hold references to @object and
 * @pad.
 */
typedef struct {
  GstMiniObject *object;
  GstGccSenderPad *pad;
  GccSentPacket packet;
  gboolean is_video;
  GstGccStamp stamp;
  GccTime arrival;
  GstGccPacerClass pacer_class;
  guint64 order;
  guint64 epoch;
} GstGccPacerItem;

/*
 * GstGccPacerQueue:
 * @pads: open streams (element-type GstGccSenderPad)
 * @n_pushed: items queued so far
 *
 * The contents of the pacer: a queue for each stream. Nothing overtakes an
 * event of its stream, and no stream waits for another that is being pushed. It
 * has no lock.
 */
typedef struct {
  GPtrArray *pads;
  guint64 n_pushed;
} GstGccPacerQueue;

/* Drops the references of @item, a #GstGccPacerItem. A #GDestroyNotify. */
void gst_gcc_pacer_item_clear (gpointer item);

void gst_gcc_pacer_queue_init (GstGccPacerQueue *self);
/* All items must have been removed. */
void gst_gcc_pacer_queue_clear (GstGccPacerQueue *self);

/* Items may be queued for @pad; further calls are harmless. */
void gst_gcc_pacer_queue_add_pad (GstGccPacerQueue *self, GstGccSenderPad *pad);
/* No item may be queued for @pad any more, and none is. The reference to @pad
 * is dropped, which must not be the last one. */
void gst_gcc_pacer_queue_remove_pad (
    GstGccPacerQueue *self, GstGccSenderPad *pad);

/* The number of packets and events, of all streams and of one. */
guint gst_gcc_pacer_queue_get_length (const GstGccPacerQueue *self);
guint gst_gcc_pacer_queue_count (const GstGccSenderPad *pad);
guint gst_gcc_pacer_queue_count_events (const GstGccSenderPad *pad);

/* How long the oldest packet of @pad has been held. */
GccTime gst_gcc_pacer_queue_get_longest_wait (
    const GstGccSenderPad *pad, GccTime now);

/* Take @item's object (transfer full), and a reference to its pad, which has
 * been added. */
void gst_gcc_pacer_queue_push_packet (GstGccPacerQueue *self,
    GstGccPacerClass pacer_class, const GstGccPacerItem *item);
void gst_gcc_pacer_queue_push_event (
    GstGccPacerQueue *self, const GstGccPacerItem *item);

/* The next item of the streams that are not being pushed: events first, then
 * packets by class, in the order in which they came. %NULL when there is
 * none. */
const GstGccPacerItem *gst_gcc_pacer_queue_peek (const GstGccPacerQueue *self);

/* Takes it out (transfer full); only when there is one. */
GstGccPacerItem gst_gcc_pacer_queue_pop (GstGccPacerQueue *self);

/* Takes out the items of @pad, or all items if @pad is %NULL. The array clears
 * the items when it is freed. (transfer full) (element-type GstGccPacerItem) */
GArray *gst_gcc_pacer_queue_remove (
    GstGccPacerQueue *self, GstGccSenderPad *pad);

G_END_DECLS
