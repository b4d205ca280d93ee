/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * GstGccHandlers:
 * @lock: held, with no other lock, while handlers run
 * @are_allowed: whether handlers may run; @lock
 *
 * The application's handlers, where a thread calls them that no state change of the
 * element ends. The application may free what they use once the element is stopped,
 * so a stop waits for them. A handler may itself stop the element.
 */
typedef struct {
  GRecMutex lock;
  gboolean are_allowed;
} GstGccHandlers;

void gst_gcc_handlers_init (GstGccHandlers *self);
void gst_gcc_handlers_clear (GstGccHandlers *self);

/* From now on handlers may run. */
void gst_gcc_handlers_allow (GstGccHandlers *self);

/* Waits for handlers that run in other threads; no further one runs. */
void gst_gcc_handlers_forbid (GstGccHandlers *self);

/* Returns whether handlers may run now. Each call is followed by one of
 * gst_gcc_handlers_leave(), whatever it returns. */
gboolean gst_gcc_handlers_enter (GstGccHandlers *self);
void gst_gcc_handlers_leave (GstGccHandlers *self);

G_END_DECLS
