/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/base/gstqueuearray.h>
#include <gst/gcc/gcc-pacer.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

#include "gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * GstGccPacerClass:
 * @RETRANSMISSION: leaves first: somebody waits for it
 * @MEDIA: and what shares its sequence numbers
 * @REPAIR: FEC in a stream of its own leaves last
 *
 * Packets of one stream have one class: their order stays.
 */
typedef enum {
  GST_GCC_PACER_RETRANSMISSION,
  GST_GCC_PACER_MEDIA,
  GST_GCC_PACER_REPAIR,
  GST_GCC_PACER_N_CLASSES,
} GstGccPacerClass;

/* Pushes @buffer, a packet of a stream, in the pacer's thread. */
typedef GstFlowReturn (*GstGccPacerPush) (GstElement *element,
    GstGccSenderPad *pad, GstBuffer *buffer, const GccSentPacket *packet);

/*
 * GstGccPacer:
 *
 * A queue of packets and events, and the one thread that empties it at the
 * pacing rate. Serialised events keep their place: nothing overtakes them.
 */
typedef struct {
  GstElement *element;
  GstGccPacerPush push;
  GstTask *task;
  GRecMutex task_lock;

  GMutex lock;
  GCond changed;
  gboolean running;
  GccTime max_wait;
  GccPacer pace;
  GstQueueArray *packets[GST_GCC_PACER_N_CLASSES];
  GstQueueArray *events;
  /* Of what is queued now, and of what leaves now: events part them. */
  guint64 epoch_in;
  guint64 epoch_out;
  GstClockID alarm;
  GccTime alarm_time;
  GstGccSenderPad *pushing;
} GstGccPacer;

void gst_gcc_pacer_init (
    GstGccPacer *self, GstElement *element, GstGccPacerPush push);
void gst_gcc_pacer_finalize (GstGccPacer *self);

/* Without media flowing. @max_wait: no packet is held for longer. */
void gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    GccRate rate, GccTime max_wait);
/* Drops what is queued and lets go of threads that wait. */
void gst_gcc_pacer_stop (GstGccPacer *self);

/* RTP payload that is held back, in bytes. */
guint64 gst_gcc_pacer_get_queued (GstGccPacer *self);

/* The pacing rate, bit/s. */
void gst_gcc_pacer_set_rate (GstGccPacer *self, GccRate rate);

/* Queues a packet (transfer full). Blocks only while downstream does, and no
 * longer than until the queue spans @max_wait again. Returns what pushing the
 * stream's last packet said. */
GstFlowReturn gst_gcc_pacer_queue_packet (GstGccPacer *self,
    GstGccSenderPad *pad, GstGccPacerClass pacer_class, GstBuffer *buffer,
    const GccSentPacket *packet);

/* Queues a serialised event (transfer full). */
gboolean gst_gcc_pacer_queue_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event);

/* Waits until nothing is queued; %FALSE when the stream was flushed. */
gboolean gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad);

/* Drops what is queued for @pad, and refuses more until it is told to stop. */
void gst_gcc_pacer_flush_start (GstGccPacer *self, GstGccSenderPad *pad);
void gst_gcc_pacer_flush_stop (GstGccPacer *self, GstGccSenderPad *pad);

G_END_DECLS
