/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-pacer.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

#include "gstgccpacerqueue.h"
#include "gstgccsenderpad.h"
#include "gstgccsentpackets.h"

G_BEGIN_DECLS

/*
 * GstGccPacer:
 * @sent: reads each packet when it comes and counts it when it leaves; called
 *   without @lock
 * @factor: pacing rate as a multiple of the target; does not change while a pad
 *   is active
 * @is_pacing: whether packets are queued at all; does not change while a pad is
 *   active
 * @task_lock: of @task, held in its thread
 * @lock: protects what follows, and the fields of #GstGccSenderPad that say so.
 *   With it held the clock is read, but no other element is called, nothing is
 *   pushed and no reference is dropped that may be the last
 * @changed: signalled when something has left, a stream was closed, or what
 *   leaves next has changed
 * @n_waiting: threads that wait for @changed
 * @pushing: (nullable): the stream whose packet or event is being pushed
 * @is_relinked: whether @pushing was linked again since that push began
 *
 * The only exit of gccsender. While pacing it is a queue of packets and events
 * and one thread that empties it at the pacing rate; otherwise everything
 * passes at once, in the thread that brings it. Nothing overtakes a serialized
 * event.
 *
 * Queued items hold a reference to their pad, and through it to the source pad,
 * so that any thread can remove a stream at any time. All streams share the
 * thread: one that blocks downstream blocks all.
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
  GstGccPacerQueue queue;
  GstClockID alarm;
  GccTime alarm_time;
  GstGccSenderPad *pushing;
  gboolean is_relinked;
} GstGccPacer;

void gst_gcc_pacer_init (
    GstGccPacer *self, GstElement *element, GstGccSentPackets *sent);
void gst_gcc_pacer_finalize (GstGccPacer *self);

/* Before pads are activated. @factor: pacing rate as a multiple of @target; 0:
 * without pacing. @max_wait: maximum time a packet is held. */
void gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, GccRate target, GccTime max_wait);
/* Drops what is queued and waits for the thread; after the pads are
 * deactivated, which is what ends a push that blocks. */
void gst_gcc_pacer_stop (GstGccPacer *self);

/* RTP payload that is held, in bytes. */
guint64 gst_gcc_pacer_get_queued (GstGccPacer *self);

/* Maximum time a packet is held; 0 without pacing. */
GccTime gst_gcc_pacer_get_latency (GstGccPacer *self);

/* The target bitrate has changed. */
void gst_gcc_pacer_set_target (GstGccPacer *self, GccRate target);

/* To be called when @pad is activated or deactivated. Closing it wakes threads
 * that wait to queue something for it, and drops what is queued. */
void gst_gcc_pacer_open (GstGccPacer *self, GstGccSenderPad *pad);
void gst_gcc_pacer_close (GstGccPacer *self, GstGccSenderPad *pad);

/* @pad was linked again: a past %GST_FLOW_NOT_LINKED counts no longer. */
void gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad);

/* Take a packet or a list of them (transfer full). While pacing they block only
 * while downstream does, until no packet has been held for longer than max_wait
 * any more, and return the result of pushing the stream's previous packet. An
 * error or EOS stays until a flush; after %GST_FLOW_NOT_LINKED or
 * %GST_FLOW_FLUSHING every packet is tried, as it is without pacing. */
GstFlowReturn gst_gcc_pacer_push (
    GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer);
GstFlowReturn gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list);

/* Takes any event of a sink pad (transfer full). While pacing it blocks when
 * many events of the stream are queued. A flush drops what is queued, except
 * for the sticky events that outlive a flush. */
gboolean gst_gcc_pacer_push_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event);

/* Waits until nothing is queued for @pad; %FALSE when it was flushed. */
gboolean gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad);

G_END_DECLS
