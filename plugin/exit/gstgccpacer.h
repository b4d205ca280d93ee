/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-profile.h>
#include <gst/gst.h>

#include "control/gstgcccontroller.h"
#include "exit/gstgccschedule.h"
#include "exit/gstgccsentpackets.h"
#include "exit/gstgccturns.h"
#include "exit/gstgccwaits.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * GstGccPacer:
 * @controller: its lock protects the fields after @is_pacing, and the fields of
 *   #GstGccSenderPad that say so. No reference that may be the last is dropped
 *   with it held
 * @sent: reads each packet when it comes and counts it when it leaves
 * @is_pacing: whether packets are queued at all; atomic. While a pad is active
 *   it only becomes %TRUE
 * @schedule: the next item, and its time
 * @turns: the threads that empty the queue
 * @waits: the waits of those threads, and of others for items to leave
 *
 * The only exit of gccsender. While pacing it is a queue of packets and events
 * that threads empty at the pacing rate, or at the rate of a probe, to which
 * they add padding. One thread at a time chooses the next item, and gives its
 * turn to another thread while it pushes the item. A packet that is due when it
 * comes, with nothing before it, leaves in the thread that brought it.
 * Otherwise everything passes at once, in the thread that brings it. Nothing
 * overtakes a serialized event of its stream.
 *
 * Queued items hold a reference to their pad, and through it to the source pad,
 * so that any thread can remove a stream at any time. A stream that blocks
 * downstream delays its own items, and those of no other stream.
 */
typedef struct {
  GstGccController *controller;
  GstGccSentPackets *sent;
  gint is_pacing;

  GstGccSchedule schedule;
  GstGccTurns turns;
  GstGccWaits waits;
} GstGccPacer;

void gst_gcc_pacer_init (GstGccPacer *self, GstGccSentPackets *sent);
void gst_gcc_pacer_finalize (GstGccPacer *self);

/* Before pads are activated. @factor: pacing rate as a multiple of @target; 0:
 * no pacing until gst_gcc_pacer_enable(), or a pacing rate of the controller,
 * begins it. @may_pace: whether they may. @max_wait: maximum time a packet is
 * held. */
void gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait);

/* Until the next start packets leave one by one, and not in groups. */
void gst_gcc_pacer_send_singly (GstGccPacer *self);

/*
 * gst_gcc_pacer_enable:
 *
 * From now on packets have transport-wide sequence numbers: they are paced at
 * the controller's rate, and probe the path. To be called when a stream gets
 * caps with the extension, in its streaming thread and before the caps are
 * passed on; further calls are harmless. Posts a latency message where the
 * latency changes.
 *
 * Returns: %FALSE if the user has disabled pacing; then there are no probes
 */
gboolean gst_gcc_pacer_enable (GstGccPacer *self);

/* Whether packets are queued, and leave when they are due. */
gboolean gst_gcc_pacer_is_pacing (GstGccPacer *self);

/* Drops all queued items and waits for the threads. To be called after the pads
 * are deactivated, which ends a push that blocks. */
void gst_gcc_pacer_stop (GstGccPacer *self);

/* Appends the size of the RTP payload that is held, the packets that were too
 * many to be held, and the padding that was sent. With the lock held. */
void gst_gcc_pacer_add_stats (const GstGccPacer *self, GstStructure *stats);

/*
 * gst_gcc_pacer_get_latency:
 * @min: (out): time that every packet may be held
 * @max: (out): maximum time a packet is held
 *
 * Pacing by factor is a latency that sinks wait for. Pacing at the controller's
 * rate is a queue, which holds packets only as long as the network requires, as
 * GstQueue does. Sinks that waited for the longest possible time would delay
 * all packets by it, send a whole frame at once, and spoil the send times that
 * feedback is compared with.
 */
void gst_gcc_pacer_get_latency (GstGccPacer *self, GccTime *min, GccTime *max);

/* Feedback has come. The target bitrate may have changed; or the @pacing_rate,
 * which begins the pacing; %GCC_RATE_NONE: the factor applies; or the
 * @padding_rate that padding makes up where media lacks, 0: none. All in
 * bit/s. */
void gst_gcc_pacer_set_rates (GstGccPacer *self, GccRate target,
    GccRate pacing_rate, GccRate padding_rate);

/* Sets the kind of padding that the stream of @pad allows. */
void gst_gcc_pacer_set_padding (
    GstGccPacer *self, GstGccSenderPad *pad, GstGccPaddingKind padding);

/* To be called when @pad is activated or deactivated. Closing it wakes threads
 * that wait to queue an item for it, drops its queued items, and waits up to
 * two seconds for the current push. */
void gst_gcc_pacer_open (GstGccPacer *self, GstGccSenderPad *pad);
void gst_gcc_pacer_close (GstGccPacer *self, GstGccSenderPad *pad);

/* @pad was linked again: a past %GST_FLOW_NOT_LINKED no longer counts. */
void gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad);

/* Take a packet or a list of them (transfer full). While pacing they block only
 * while downstream blocks: until no packet has been held for longer than
 * max_wait, or while they push a packet themselves. They return the result of
 * pushing the stream's last packet. An error or EOS stays until a flush; after
 * %GST_FLOW_NOT_LINKED or %GST_FLOW_FLUSHING every packet is tried, as it is
 * without pacing. */
GstFlowReturn gst_gcc_pacer_push (
    GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer);
GstFlowReturn gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list);

/* Takes any event of a sink pad (transfer full). While pacing it blocks when
 * many events of the stream are queued. A flush drops all queued items, except
 * for the sticky events that outlive a flush. */
gboolean gst_gcc_pacer_push_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event);

/* To be called for each event on its way upstream: an SSRC that has collided is no
 * longer padded. */
void gst_gcc_pacer_note_collision (GstGccPacer *self, GstEvent *event);

/* Takes an event on its way upstream (transfer full), and returns what goes on
 * from here (transfer full) (nullable): requests for packets get the numbers
 * from before padding was inserted; requests for padding are dropped. */
GstEvent *gst_gcc_pacer_filter_request (GstGccPacer *self, GstEvent *event);

/* Waits until nothing is queued for @pad; %FALSE when it was flushed. */
gboolean gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad);

G_END_DECLS
