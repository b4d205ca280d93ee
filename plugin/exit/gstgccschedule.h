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
 * @factor: pacing rate as a multiple of the target, where nothing else tells
 *   the rate; 0: without limit
 * @may_pace: whether a rate that is told is kept to
 * @max_wait: maximum time a packet is held, µs
 * @target: bit/s
 * @pacing_rate: told by the controller, bit/s; %GCC_RATE_NONE: the factor
 *   applies, and so it does over REMB where there is one
 * @padding_rate: that padding makes up where media lacks, bit/s
 * @holds_media: whether media waits while the congestion window is full; does
 *   not change while a pad is active
 * @is_held: whether what leaves next does
 * @is_limited: whether there is a rate at all; otherwise all leaves at once
 * @pace: when packets leave by that rate
 * @queue: what is held
 * @probes: when packets leave instead
 * @padding: what leaves where probes lack media
 *
 * What leaves gccsender next, and when. It knows of no thread, and pushes
 * nothing: the pacer does. All of it is protected by the controller's lock,
 * which is held in each function.
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
  GccPacer pace;
  GstGccPacerQueue queue;
  GstGccProbes probes;
  GstGccPadding padding;
} GstGccSchedule;

void gst_gcc_schedule_init (GstGccSchedule *self, GstGccSentPackets *sent);
/* What is queued must have been removed. */
void gst_gcc_schedule_clear (GstGccSchedule *self);

/* The parameters are those of gst_gcc_pacer_start(). */
void gst_gcc_schedule_start (GstGccSchedule *self, const GccProfile *profile,
    gdouble factor, gboolean may_pace, GccRate target, GccTime max_wait);

/* From now on packets probe the path, and leave at the rate that the controller
 * tells. */
void gst_gcc_schedule_begin_probing (GstGccSchedule *self);

/* The parameters are those of gst_gcc_pacer_set_rates(). Returns whether one
 * has changed. */
gboolean gst_gcc_schedule_set_rates (GstGccSchedule *self, GccRate target,
    GccRate pacing_rate, GccRate padding_rate);

/* Takes @item, a packet that has come @now: its object (transfer full), and a
 * reference to its pad. */
void gst_gcc_schedule_add (
    GstGccSchedule *self, GstGccPacerItem *item, GccTime now);

/*
 * gst_gcc_schedule_get_due:
 * @is_probe: (out): whether it leaves for a probe
 *
 * Packets of streams that are being pushed are not to be sent now.
 *
 * Returns: when the next item leaves, @now or later, or padding in its place;
 *   %GCC_TIME_NONE if there is neither
 */
GccTime gst_gcc_schedule_get_due (
    GstGccSchedule *self, GccTime now, gboolean *is_probe);

/* Whether something is to leave, now or later, of streams that are not being
 * pushed. */
gboolean gst_gcc_schedule_has_work (GstGccSchedule *self, GccTime now);

/* Takes out what is due @now, or makes it: an item whose object is a packet, an
 * event, or the request for a packet. (transfer full) */
GstGccPacerItem gst_gcc_schedule_take (
    GstGccSchedule *self, gboolean is_probe, GccTime now);

/* Takes out what is queued for @pad, or everything if that is %NULL. To be freed
 * without the lock. (transfer full) (element-type GstGccPacerItem) */
GArray *gst_gcc_schedule_remove (GstGccSchedule *self, GstGccSenderPad *pad);

G_END_DECLS
