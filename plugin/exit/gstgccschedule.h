/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/output/gcc-pacer.h>
#include <gst/gst.h>

#include "exit/gstgccpacerqueue.h"
#include "exit/gstgccpadding.h"
#include "exit/gstgccprobes.h"
#include "exit/gstgccsentpackets.h"
#include "stream/gstgccsenderpad.h"

G_BEGIN_DECLS

/*
 * GstGccSchedule:
 * @sent: reads the padding that is made
 * @factor: pacing rate as a multiple of the target, where the controller sets
 *   no rate; 0: without limit
 * @may_pace: whether a pacing rate of the controller is kept to
 * @max_wait: maximum time a packet is held, µs
 * @target: the target bitrate, bit/s
 * @pacing_rate: the controller's pacing rate, bit/s; %GCC_RATE_NONE: the factor
 *   applies. Over REMB the factor always applies where there is one
 * @padding_rate: rate that padding reaches where media is less, bit/s
 * @holds_media: whether media waits while the congestion window is full; does
 *   not change while a pad is active
 * @is_held: whether the next item waits so
 * @is_limited: whether there is a rate at all; otherwise all items leave at
 *   once
 * @n_unpaced: packets that left at once because the queue was too long
 * @pace: when packets leave at the pacing rate
 * @queue: the items that are held
 * @probes: when packets leave for a probe
 * @padding: packets for probes that lack media
 *
 * The next item that leaves gccsender, and its time. The schedule has no
 * threads and pushes nothing; the pacer does. The controller's lock protects
 * all of it, and is held in each function.
 */
typedef struct {
  GstGccSentPackets *sent;
  gdouble factor;
  gboolean may_pace;
  GccTime max_wait;
  GccRate target;
  GccRate pacing_rate;
  GccRate padding_rate;
  gboolean holds_media;
  gboolean is_held;
  gboolean is_limited;
  guint64 n_unpaced;
  GccPacer pace;
  GstGccPacerQueue queue;
  GstGccProbes probes;
  GstGccPadding padding;
} GstGccSchedule;

void gst_gcc_schedule_init (GstGccSchedule *self, GstGccSentPackets *sent);
/* All items must have been removed. */
void gst_gcc_schedule_clear (GstGccSchedule *self);

/* The parameters are those of gst_gcc_pacer_start(). */
void gst_gcc_schedule_start (GstGccSchedule *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait);

/* From now on packets probe the path, and leave at the controller's rate. */
void gst_gcc_schedule_begin_probing (GstGccSchedule *self);

/* The parameters are those of gst_gcc_pacer_set_rates(). Returns whether one
 * has changed. */
gboolean gst_gcc_schedule_set_rates (GstGccSchedule *self, GccRate target,
    GccRate pacing_rate, GccRate padding_rate);

/* Takes @item, a packet that has arrived at @now: its object (transfer full),
 * and a reference to its pad. */
void gst_gcc_schedule_add (
    GstGccSchedule *self, GstGccPacerItem *item, GccTime now);

/*
 * gst_gcc_schedule_get_due:
 * @is_probe: (out): whether it leaves for a probe
 *
 * Packets of streams that are being pushed do not count.
 *
 * Returns: when the next item leaves, @now or later, or padding in its place;
 *   %GCC_TIME_NONE if there is neither
 */
GccTime gst_gcc_schedule_get_due (
    GstGccSchedule *self, GccTime now, gboolean *is_probe);

/* Whether the queue is longer than any pace makes it: packets leave at once then,
 * and none should be added while one is being pushed. */
gboolean gst_gcc_schedule_is_overfull (const GstGccSchedule *self);

/* Whether an item is to leave, now or later, of streams that are not being
 * pushed. */
gboolean gst_gcc_schedule_has_work (GstGccSchedule *self, GccTime now);

/* Takes out the item that is due at @now, or makes it: its object is a packet,
 * an event, or the request for a packet. (transfer full) */
GstGccPacerItem gst_gcc_schedule_take (
    GstGccSchedule *self, gboolean is_probe, GccTime now);

/* Takes out the items of @pad, or all items if @pad is %NULL. To be freed
 * without the lock. (transfer full) (element-type GstGccPacerItem) */
GArray *gst_gcc_schedule_remove (GstGccSchedule *self, GstGccSenderPad *pad);

G_END_DECLS
