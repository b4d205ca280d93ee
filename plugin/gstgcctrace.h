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
 * its name (`event`) and the columns of a stats struct. Zero-initialised:
 * closed; then writing does nothing. Not thread-safe.
 */
typedef struct {
  FILE *file;
  const GccColumn *columns;
  guint n_columns;
  GccTime last_flush;
  GString *line;
} GstGccTrace;

/* Creates @location and writes the header. Posts an error on @element and
 * returns %FALSE on failure. */
gboolean gst_gcc_trace_open (GstGccTrace *self, GstElement *element,
    const gchar *location, const GccColumn *columns, guint n_columns);
void gst_gcc_trace_close (GstGccTrace *self);

void gst_gcc_trace_write (
    GstGccTrace *self, const gchar *event, gconstpointer stats);

G_END_DECLS
