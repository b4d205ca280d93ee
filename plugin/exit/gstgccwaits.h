/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccWaits:
 * @lock: the owner's lock, which is held in each function
 * @work: signalled when there is work for the thread that has the turn
 * @is_idle: whether this thread waits for @work and was not woken
 * @changed: signalled when something has left or a stream was closed
 * @n_waiting: threads that wait for @changed and were not woken
 * @alarm: (nullable): alarm for which the thread that has the turn sleeps
 * @alarm_time: its time, on the clock of the elements
 *
 * The waits in the pacer: of the thread that sends the next item, until the
 * item is due or there is one; and of other threads, until an item has left.
 * The lock is released while they wait.
 */
typedef struct {
  GMutex *lock;
  GCond work;
  gboolean is_idle;
  GCond changed;
  guint n_waiting;
  GstClockID alarm;
  GccTime alarm_time;
} GstGccWaits;

void gst_gcc_waits_init (GstGccWaits *self, GMutex *lock);
void gst_gcc_waits_clear (GstGccWaits *self);

/* The thread that has the turn waits: until there is work, and until @time. */
void gst_gcc_waits_for_work (GstGccWaits *self);
void gst_gcc_waits_until (GstGccWaits *self, GccTime time);

/* Makes that thread look for the next item again. */
void gst_gcc_waits_wake (GstGccWaits *self);

/* Any other thread waits: until an item has left or a stream was closed. The
 * second function returns %FALSE when @end, of the monotonic clock, comes
 * first. */
void gst_gcc_waits_for_change (GstGccWaits *self);
gboolean gst_gcc_waits_for_change_until (GstGccWaits *self, gint64 end);

/* An item has left, or a stream was closed. */
void gst_gcc_waits_tell_change (GstGccWaits *self);

G_END_DECLS
