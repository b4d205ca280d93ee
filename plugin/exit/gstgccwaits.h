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
 * @lock: the owner's, which is held in each function
 * @work: signalled when the thread whose turn it is has something to do
 * @is_idle: whether it waits for @work and was not told
 * @changed: signalled when something has left or a stream was closed
 * @n_waiting: threads that wait for @changed and were not told
 * @alarm: (nullable): what the thread whose turn it is sleeps for
 * @alarm_time: when it wakes, on the system clock
 *
 * Who waits in the pacer: the thread that sends what is next, until that is due
 * or there is something; and others, until something has left. The lock is
 * released while they do.
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

/* The thread whose turn it is: until there is something for it to do, and until
 * @time. */
void gst_gcc_waits_for_work (GstGccWaits *self);
void gst_gcc_waits_until (GstGccWaits *self, GccTime time);

/* Makes that thread look again at what leaves next. */
void gst_gcc_waits_wake (GstGccWaits *self);

/* Any other thread: until something has left or a stream was closed. The latter
 * returns %FALSE when @end, of the monotonic clock, comes first. */
void gst_gcc_waits_for_change (GstGccWaits *self);
gboolean gst_gcc_waits_for_change_until (GstGccWaits *self, gint64 end);

/* That has happened. */
void gst_gcc_waits_tell_change (GstGccWaits *self);

G_END_DECLS
