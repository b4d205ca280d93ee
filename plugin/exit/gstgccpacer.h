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
 * @controller: whose lock protects what follows @is_pacing, and the fields of
 *   #GstGccSenderPad that say so. No reference is dropped with it held that may
 *   be the last
 * @sent: reads each packet when it comes and counts it when it leaves
 * @is_pacing: whether packets are queued at all; atomic. While a pad is active
 *   it only becomes %TRUE
 * @schedule: what leaves next, and when
 * @turns: the threads that empty it
 * @waits: those threads, and who waits for what leaves
 *
 * The only exit of gccsender. While pacing it is a queue of packets and events
 * that threads empty at the pacing rate, or that of a probe, to which they add
 * padding: one at a time decides what leaves next, and gives its turn to another
 * while it pushes that. A packet that is due when it comes, with nothing before
 * it, is spared the way through those threads. Otherwise everything passes at
 * once, in the thread that brings it. Nothing overtakes a serialized event of its
 * stream.
 *
 * Queued items hold a reference to their pad, and through it to the source pad,
 * so that any thread can remove a stream at any time. A stream that blocks
 * downstream keeps what is queued for itself waiting, and no other.
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
 * without pacing, until gst_gcc_pacer_enable() or a rate that is told begin it,
 * which @may_pace allows.
 * @max_wait: maximum time a packet is held. */
void gst_gcc_pacer_start (GstGccPacer *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait);

/*
 * gst_gcc_pacer_enable:
 *
 * From now on packets have transport-wide sequence numbers: they are paced at
 * the rate that the controller tells, and probe the path. To be called when a
 * stream gets the caps that say so, in its streaming thread and before those
 * are passed on; or again. Posts a latency message where the latency changes.
 *
 * Returns: %FALSE if the user has disabled pacing; then there are no probes
 */
gboolean gst_gcc_pacer_enable (GstGccPacer *self);

/* Whether packets are queued and leave when they are due. */
gboolean gst_gcc_pacer_is_pacing (GstGccPacer *self);

/* Drops what is queued and waits for the threads; after the pads are
 * deactivated, which is what ends a push that blocks. */
void gst_gcc_pacer_stop (GstGccPacer *self);

/* Appends the RTP payload that is held, and the padding that was sent. With the
 * lock held. */
void gst_gcc_pacer_add_stats (const GstGccPacer *self, GstStructure *stats);

/*
 * gst_gcc_pacer_get_latency:
 * @min: (out): what every packet is to be expected to be held for
 * @max: (out): maximum time a packet is held
 *
 * Pacing by factor is a delay that sinks are told to wait for. Pacing by what the
 * controller tells is a queue, which as GstQueue holds packets only as
 * long as the network asks for it: sinks that waited for the longest time
 * possible would delay all packets by it, send all of a frame at once, and make
 * the send times wrong that feedback is measured against.
 */
void gst_gcc_pacer_get_latency (GstGccPacer *self, GccTime *min, GccTime *max);

/* Feedback has come: the target bitrate may have changed, or the @pacing_rate,
 * which begins the pacing; %GCC_RATE_NONE: the factor applies; or the
 * @padding_rate that padding makes up where media lacks, 0: none. All in bit/s. */
void gst_gcc_pacer_set_rates (GstGccPacer *self, GccRate target,
    GccRate pacing_rate, GccRate padding_rate);

/* What may pad the stream of @pad. */
void gst_gcc_pacer_set_padding (
    GstGccPacer *self, GstGccSenderPad *pad, GstGccPaddingKind padding);

/* To be called when @pad is activated or deactivated. Closing it wakes threads
 * that wait to queue something for it, drops what is queued, and waits until what
 * is being pushed has left, for two seconds at most. */
void gst_gcc_pacer_open (GstGccPacer *self, GstGccSenderPad *pad);
void gst_gcc_pacer_close (GstGccPacer *self, GstGccSenderPad *pad);

/* @pad was linked again: a past %GST_FLOW_NOT_LINKED counts no longer. */
void gst_gcc_pacer_relinked (GstGccPacer *self, GstGccSenderPad *pad);

/* Take a packet or a list of them (transfer full). While pacing they block only
 * while downstream does: until no packet has been held for longer than max_wait
 * any more, or while they push a packet themselves. They return the result of
 * pushing the stream's last packet. An error or EOS stays until a flush; after
 * %GST_FLOW_NOT_LINKED or %GST_FLOW_FLUSHING every packet is tried, as it is
 * without pacing. */
GstFlowReturn gst_gcc_pacer_push (
    GstGccPacer *self, GstGccSenderPad *pad, GstBuffer *buffer);
GstFlowReturn gst_gcc_pacer_push_list (
    GstGccPacer *self, GstGccSenderPad *pad, GstBufferList *list);

/* Takes any event of a sink pad (transfer full). While pacing it blocks when
 * many events of the stream are queued. A flush drops what is queued, except
 * for the sticky events that outlive a flush. */
gboolean gst_gcc_pacer_push_event (
    GstGccPacer *self, GstGccSenderPad *pad, GstEvent *event);

/* Takes an event on its way upstream (transfer full), and returns what goes on
 * from here (transfer full) (nullable): requests for packets have the numbers
 * that those had before padding was put between them; nothing is asked for
 * padding. */
GstEvent *gst_gcc_pacer_filter_request (GstGccPacer *self, GstEvent *event);

/* Waits until nothing is queued for @pad; %FALSE when it was flushed. */
gboolean gst_gcc_pacer_drain (GstGccPacer *self, GstGccSenderPad *pad);

G_END_DECLS
