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
#include "gstgccsentpackets.h"

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

/*
 * GstGccPacer:
 * @sent: told of every packet when it comes and when it leaves, without @lock
 * @factor: pacing rate as a multiple of the target; does not change while a pad
 *   is active
 * @is_pacing: whether packets are queued at all; does not change while a pad is
 *   active
 * @task_lock: of @task, held in its thread
 * @lock: protects what follows, and the fields of #GstGccSenderPad that say so.
 *   With it held the clock is read, and no other element called, nothing pushed
 *   and no reference dropped that may be the last
 * @changed: something has left, or a stream was closed, or the thread is to
 *   look again
 * @n_waiting: threads that wait for @changed
 * @epoch: how many events were queued: they part the packets
 * @pushing: (nullable): whose packet or event is on its way out
 * @is_relinked: whether @pushing was linked again since that began
 *
 * The only way out of gccsender. While it paces it is a queue of packets and
 * events and the one thread that empties it at the pacing rate; else all passes
 * at once, in the thread that brings it. Serialised events keep their place:
 * nothing overtakes them.
 *
 * What is queued holds its pad, and with that the pad it leaves through, so a
 * stream may be removed at any time and by any thread. One blocked stream
 * blocks all that are paced, as they have one thread.
 */
typedef struct {
  GstElement *element;
  GstGccSentPackets *sent;
  gdouble factor;
  gboolean is_pacing;
  GstTask *task;
  GRecMutex task_lock;

  GMutex lock;
  GCond changed;
  guint n_waiting;
  gboolean running;
  GccTime max_wait;
  GccPacer pace;
  GstQueueArray *packets[GST_GCC_PACER_N_CLASSES];
  GstQueueArray *events;
  guint64 epoch;
  GstClockID alarm;
  GccTime alarm_time;
  GstGccSenderPad *pushing;
  gboolean is_relinked;
} GstGccPacer;

void gst_gcc_pacer_init (
    GstGccPacer *self, GstElement *element, GstGccSentPackets *sent);
void gst_gcc_pacer_finalize (GstGccPacer *self);

/* Before pads are activated. @factor: pacing rate as a multiple of @target; 0:
 * without pacing. @max_wait: no packet is held for longer. */
void gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, GccRate target, GccTime max_wait);
/* Drops what is queued and waits for the thread; after the pads are
 * deactivated, which is what ends a push that blocks. */
void gst_gcc_pacer_stop (GstGccPacer *self);

/* RTP payload that is held back, in bytes. */
guint64 gst_gcc_pacer_get_queued (GstGccPacer *self);

/* The longest that a packet is held back. */
GccTime gst_gcc_pacer_get_latency (GstGccPacer *self);

/* The target bitrate has changed. */
void gst_gcc_pacer_set_target (GstGccPacer *self, GccRate target);

/* @pad is activated, or deactivated: then threads that wait with something for
 * it are let go, and what is queued for it is dropped. */
void gst_gcc_pacer_open (GstGccPacer *self, GstGccSenderPad *pad);
void gst_gcc_pacer_close (GstGccPacer *self, GstGccSenderPad *pad);

/* Downstream of @pad has changed: what was said of a missing link holds no
 * longer. */
void gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad);

/* A packet or a list of them (transfer full). While pacing it blocks only while
 * downstream does, and no longer than until the queue spans max_wait again, and
 * returns what pushing the stream's last packet said. An error or the end of
 * the stream stays until a flush; after %GST_FLOW_NOT_LINKED or
 * %GST_FLOW_FLUSHING every packet is tried, as it is without pacing. */
GstFlowReturn gst_gcc_pacer_push (
    GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer);
GstFlowReturn gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list);

/* Any event of a sink pad (transfer full). While pacing it blocks when many of
 * the stream are queued. A flush drops what is queued; of events those that
 * stay on a pad through a flush still arrive. */
gboolean gst_gcc_pacer_push_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event);

/* Waits until nothing is queued for @pad; %FALSE when it was flushed. */
gboolean gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad);

G_END_DECLS
