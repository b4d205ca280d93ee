/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * GstGccTurns:
 * @element: whose name the threads have
 * @lock: the owner's, which protects what follows
 * @func: of the threads
 * @turn: signalled when a thread may take its turn
 * @is_running: from start to stop
 * @has_leader: whether a thread has its turn
 * @n_ready: threads that wait for a turn, or are about to
 * @threads: all (element-type GstTask)
 *
 * Threads that take turns: one at a time decides what is next. It gives its turn
 * away while it does something that may block, and another thread goes on in
 * its place, which is made where there is none. So there is one thread more
 * than has ever been blocked at a time.
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

/* With the lock held. From now on no thread gets a turn. Those that were are to
 * be joined by gst_gcc_turns_join() without the lock. (transfer full) */
GPtrArray *gst_gcc_turns_stop (GstGccTurns *self);
void gst_gcc_turns_join (GPtrArray *threads);

/* With the lock held, by a thread of these. Waits for a turn; %FALSE when there
 * is none any more. */
gboolean gst_gcc_turns_take (GstGccTurns *self);

/* With the lock held, by the thread that has the turn, which is not ready for
 * another one. */
void gst_gcc_turns_give (GstGccTurns *self);

/* With the lock held, by that thread: now it is. */
void gst_gcc_turns_return (GstGccTurns *self);

/* With the lock held. Something is to be done: makes sure that a thread takes
 * its turn, or has it. */
void gst_gcc_turns_ensure (GstGccTurns *self);

G_END_DECLS
