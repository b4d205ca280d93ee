/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>
#include <stdio.h>

G_BEGIN_DECLS

/*
 * GstGccTrace:
 *
 * A file with one line of comma-separated values for every control event: its
 * time (`time_s`, seconds since 1970 on the wall clock, as in packet captures),
 * its name (`event`) and the columns of a stats struct. A thread of its own
 * writes the file, so that a slow disk holds up neither media nor RTCP. Fields
 * are private. Lines may be written in any thread.
 */
typedef struct {
  GstElement *element;
  const GccColumn *columns;
  guint n_columns;
  GThread *thread;

  /* Protects the fields below. No file is accessed and no other function called
   * with it held, so it may be taken with any other lock held. */
  GMutex lock;
  GCond changed;
  gboolean is_open;
  gboolean is_late; /* the disk has not kept up */
  GString *lines;   /* not written yet */

  /* only in the thread */
  FILE *file;
} GstGccTrace;

/* Closed: then writing does nothing. */
void gst_gcc_trace_init (GstGccTrace *self);
void gst_gcc_trace_clear (GstGccTrace *self);

/* Creates @location and writes the header. Posts an error on @element and
 * returns %FALSE on failure. A later failure ends the trace with a warning on
 * @element. */
gboolean gst_gcc_trace_open (GstGccTrace *self, GstElement *element,
    const gchar *location, const GccColumn *columns, guint n_columns);

/* Returns when all lines are written. */
void gst_gcc_trace_close (GstGccTrace *self);

/* Never waits. @stats is read before it returns. */
void gst_gcc_trace_write (
    GstGccTrace *self, const gchar *event, gconstpointer stats);

G_END_DECLS
