/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-sender-private.h>
#include <gst/gcc/gcc-sender.h>
#include <gst/gcc/history/gcc-media-time.h>
#include <gst/gst.h>

#include "session/gstgccshared.h"
#include "support/gstgcctrace.h"

G_BEGIN_DECLS

/*
 * GstGccController:
 * @element: gccsender; does not change
 * @trace: the file of control events; has a lock of its own
 * @lock: protects the fields below, and all of gccsender and its pads that says
 *   so. With it held, the clock may be read, @trace written and a bus message
 *   built, and nothing else: no media is pushed, no file written, and neither
 *   another element nor the application called
 * @is_running: whether the element is PAUSED or PLAYING; @sender is fed only
 *   then
 * @sender: computes the target bitrate
 * @has_session: whether there is a session for feedback to come from
 * @is_silence_due: whether the last packet was to notice that feedback is
 *   missing
 * @is_check_due: whether a check was called for that has not begun
 * @encoders_due: when an encoder is to be set though nothing else changes;
 *   %GCC_TIME_NONE: none is
 * @shared: (nullable): of the session: the source of transport-wide numbers
 * @next_number: the number after the last one that this element or @shared has
 *   given, before it wraps
 * @n_numbered: packets that left with a transport-wide number
 * @media: time with packets
 * @numbered: time with numbered packets
 * @sent_time: time for which packets have left, without pauses, µs
 * @untold_time: the same of numbered packets, since feedback last covered one,
 *   µs
 *
 * The one owner of gccsender's #GccSender, and of the lock that it needs: the
 * pacer feeds it packets, the RTP session feedback, and encoders follow it.
 */
typedef struct {
  GstElement *element;
  GstGccTrace *trace;

  GMutex lock;
  gboolean is_running;
  /* not in the instance: GObject takes at most 64 kB */
  GccSender *sender;
  gboolean has_session;
  gboolean is_silence_due;
  gboolean is_check_due;
  GccTime encoders_due;
  GstGccShared *shared;
  guint64 next_number;
  guint64 n_numbered;
  GccMediaTime media;
  GccMediaTime numbered;
  GccTime sent_time;
  GccTime untold_time;
} GstGccController;

/* @element embeds both @self and @trace. The parameters are those of
 * gst_gcc_controller_start(). */
void gst_gcc_controller_init (GstGccController *self, GstElement *element,
    GstGccTrace *trace, const GccProfile *profile, GccRate min, GccRate start,
    GccRate max);
void gst_gcc_controller_clear (GstGccController *self);

/* With the lock held. Nothing has been sent. @profile is constant; the rates are bit/s, 0 < @min <= @max, and @start is clamped to
 * them. */
void gst_gcc_controller_start (GstGccController *self,
    const GccProfile *profile, GccRate min, GccRate start, GccRate max,
    gboolean probing);

/* From now on numbers are those of @shared, which belongs to a session. Takes the
 * lock. */
void gst_gcc_controller_set_shared (
    GstGccController *self, GstGccShared *shared);

/* With the lock held. Before feedback is fed: others may have numbered packets
 * since ours. */
void gst_gcc_controller_skip_numbers (GstGccController *self);

/* Sets whether the controller is fed. */
void gst_gcc_controller_set_running (
    GstGccController *self, gboolean is_running);

/* Takes the lock. */
gboolean gst_gcc_controller_is_running (GstGccController *self);

/* With the lock held. Whether the target is low because no feedback comes, so that no
 * other reason is worth a warning. */
gboolean gst_gcc_controller_lacks_feedback (const GstGccController *self);

/* With the lock held. Writes @event into the trace, unless it is none. */
void gst_gcc_controller_trace (GstGccController *self, GccSenderEvent event);

/* With the lock held. Runs the actions that are due at @now by time alone. */
void gst_gcc_controller_handle_timeout (GstGccController *self, GccTime now);

/*
 * gst_gcc_controller_count:
 * @packet: leaves at @now; gets its number if @is_numbered is set
 *
 * With the lock held. Packets are also the clock where the session makes no
 * reports.
 *
 * Returns: whether a check is to be called for, without the lock: feedback is
 *   missing, time has changed the target, or a change of an encoder has waited
 *   for long enough
 */
gboolean gst_gcc_controller_count (
    GstGccController *self, GccSentPacket *packet, GccTime now);

G_END_DECLS
