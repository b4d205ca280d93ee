/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccTurns:
 * @element: the threads have its name
 * @lock: the owner's lock, which protects the fields below
 * @func: function of the threads
 * @turn: signalled when a thread may take its turn
 * @is_running: from start to stop
 * @has_leader: whether a thread has its turn
 * @n_ready: threads that wait for a turn, or are about to
 * @threads: all (element-type GstTask)
 *
 * Threads that take turns: the thread that has the turn decides what is next.
 * It gives its turn away while it may block, and another thread, which is made
 * where there is none, goes on in its place. So there is one thread more than
 * were ever blocked at a time.
 */
typedef struct {
  GstElement *element;
  GMutex *lock;
  GstTaskFunction func;
  gpointer user_data;
  GCond turn;
  gboolean is_running;
  gboolean has_leader;
  guint n_ready;
  GPtrArray *threads;
} GstGccTurns;

/* @func is called in each thread, with @user_data, and returns when
 * gst_gcc_turns_take() says that it must. */
void gst_gcc_turns_init (GstGccTurns *self, GstElement *element, GMutex *lock,
    GstTaskFunction func, gpointer user_data);
void gst_gcc_turns_clear (GstGccTurns *self);

/* With the lock held. Starts the first thread. */
void gst_gcc_turns_start (GstGccTurns *self);

/* With the lock held. From now on no thread gets a turn. Returns the threads,
 * for gst_gcc_turns_join() without the lock. (transfer full) */
GPtrArray *gst_gcc_turns_stop (GstGccTurns *self);
void gst_gcc_turns_join (GPtrArray *threads);

/* With the lock held, in one of the threads. Waits for a turn; %FALSE after the
 * stop. */
gboolean gst_gcc_turns_take (GstGccTurns *self);

/* With the lock held, by the thread that has the turn. It gives the turn away,
 * and is not ready for another one. */
void gst_gcc_turns_give (GstGccTurns *self);

/* With the lock held, by the same thread, which is ready for a turn again. */
void gst_gcc_turns_return (GstGccTurns *self);

/* With the lock held. There is work: makes sure that a thread has the turn, or
 * takes it. */
void gst_gcc_turns_ensure (GstGccTurns *self);

G_END_DECLS
