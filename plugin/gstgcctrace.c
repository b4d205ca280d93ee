/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgcctrace.h"

#include <glib/gstdio.h>

#include "gstgcccolumns.h"

/* A reader who follows the file, and one who looks at it after a crash, miss
 * this much at most. */
#define FLUSH_INTERVAL GCC_SECOND

static void
write_line (GstGccTrace *self)
{
  g_string_append_c (self->line, '\n');
  fwrite (self->line->str, 1, self->line->len, self->file);
  g_string_truncate (self->line, 0);
}

gboolean
gst_gcc_trace_open (GstGccTrace *self, GstElement *element,
    const gchar *location, const GccColumn *columns, guint n_columns)
{
  gst_gcc_trace_close (self);

  self->file = g_fopen (location, "we");
  if (self->file == NULL) {
    GST_ELEMENT_ERROR (element, RESOURCE, OPEN_WRITE,
        ("Could not open the trace file \"%s\" for writing.", location),
        GST_ERROR_SYSTEM);
    return FALSE;
  }

  self->columns = columns;
  self->n_columns = n_columns;
  self->last_flush = g_get_real_time ();
  self->line = g_string_sized_new (256);

  g_string_append (self->line, "time_s,event");
  for (guint i = 0; i < n_columns; i++)
    g_string_append_printf (self->line, ",%s", columns[i].name);
  write_line (self);

  return TRUE;
}

void
gst_gcc_trace_close (GstGccTrace *self)
{
  g_clear_pointer (&self->file, fclose);
  if (self->line != NULL)
    g_string_free (self->line, TRUE);
  self->line = NULL;
}

void
gst_gcc_trace_write (GstGccTrace *self, const gchar *event, gconstpointer stats)
{
  GccTime now;

  if (self->file == NULL)
    return;

  now = g_get_real_time ();
  g_string_append_printf (self->line,
      "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT ",%s", now / GCC_SECOND,
      now % GCC_SECOND, event);
  for (guint i = 0; i < self->n_columns; i++) {
    g_string_append_c (self->line, ',');
    gst_gcc_column_append_text (&self->columns[i], stats, self->line);
  }
  write_line (self);

  if (now - self->last_flush >= FLUSH_INTERVAL) {
    fflush (self->file);
    self->last_flush = now;
  }
}
