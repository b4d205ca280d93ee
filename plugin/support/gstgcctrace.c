/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgcctrace.h"

#include <errno.h>

#include "support/gstgcccolumns.h"
#include "support/gstgccfile.h"

/* The greatest time that is missing in a file that is read while it is written,
 * or after a crash. */
#define WRITE_INTERVAL G_TIME_SPAN_SECOND

/* Bytes that may wait for the disk: the lines of some minutes. */
#define MAX_WAITING ((gsize) 4 * 1024 * 1024)

void
gst_gcc_trace_init (GstGccTrace *self)
{
  *self = (GstGccTrace){ 0 };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
}

void
gst_gcc_trace_clear (GstGccTrace *self)
{
  gst_gcc_trace_close (self);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
}

/* --- the thread that writes the file --- */

/* Waits until there are lines, and then for more lines to join them. Returns
 * %FALSE when the trace is closed and all lines are written. */
static gboolean
take_lines (GstGccTrace *self, GString **lines)
{
  GString *empty = *lines;
  gint64 end;
  gboolean more;

  g_mutex_lock (&self->lock);
  while (self->is_open && self->lines->len == 0)
    g_cond_wait (&self->changed, &self->lock);
  end = g_get_monotonic_time () + WRITE_INTERVAL;
  while (self->is_open && g_cond_wait_until (&self->changed, &self->lock, end))
    ;
  *lines = self->lines;
  self->lines = empty;
  more = (*lines)->len > 0;
  g_mutex_unlock (&self->lock);

  return more;
}

static gboolean
write_lines (GstGccTrace *self, GString *lines)
{
  gboolean written = fwrite (lines->str, 1, lines->len, self->file) ==
          lines->len &&
      fflush (self->file) == 0;

  g_string_truncate (lines, 0);

  return written;
}

/* A trace with a gap would mislead; a trace that ends early does not. */
static void
give_up (GstGccTrace *self, const gchar *reason)
{
  g_mutex_lock (&self->lock);
  self->is_open = FALSE;
  g_mutex_unlock (&self->lock);

  GST_ELEMENT_WARNING (self->element, RESOURCE, WRITE,
      ("The trace has ended: its file cannot be written."), ("%s", reason));
}

static gpointer
run (gpointer data)
{
  GstGccTrace *self = data;
  GString *lines = g_string_new (NULL);

  gboolean written = TRUE;

  while (written && take_lines (self, &lines))
    written = write_lines (self, lines);
  if (!written)
    give_up (self, g_strerror (errno));
  else if (self->is_late)
    give_up (self, "the disk is too slow");
  g_string_free (lines, TRUE);
  fclose (self->file);

  return NULL;
}

/* --- public --- */

static void
append_header (GstGccTrace *self)
{
  g_string_append (self->lines, "time_s,event");
  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (self->lines, ",%s", self->columns[i].name);
  g_string_append_c (self->lines, '\n');
}

gboolean
gst_gcc_trace_open (GstGccTrace *self, GstElement *element,
    const gchar *location, const GccColumn *columns, guint n_columns)
{
  gst_gcc_trace_close (self);

  self->file = gst_gcc_file_open (location);
  if (self->file == NULL) {
    GST_ELEMENT_ERROR (element, RESOURCE, OPEN_WRITE,
        ("Could not open the trace file \"%s\" for writing.", location),
        GST_ERROR_SYSTEM);
    return FALSE;
  }

  self->element = element;
  self->columns = columns;
  self->n_columns = n_columns;
  self->lines = g_string_sized_new (4096);
  append_header (self);
  g_mutex_lock (&self->lock);
  self->is_open = TRUE;
  self->is_late = FALSE;
  g_mutex_unlock (&self->lock);
  self->thread = g_thread_new ("gcc-trace", run, self);

  return TRUE;
}

void
gst_gcc_trace_close (GstGccTrace *self)
{
  if (self->thread == NULL)
    return;

  g_mutex_lock (&self->lock);
  self->is_open = FALSE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);

  g_thread_join (self->thread);
  self->thread = NULL;
  g_string_free (self->lines, TRUE);
  self->lines = NULL;
}

/* With the lock held. */
static void
append_line (GstGccTrace *self, const gchar *event, gconstpointer stats)
{
  GccTime now = g_get_real_time ();

  g_string_append_printf (self->lines,
      "%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT ",%s", now / GCC_SECOND,
      now % GCC_SECOND, event);
  for (guint i = 0; i < self->n_columns; i++) {
    g_string_append_c (self->lines, ',');
    gst_gcc_column_append_text (&self->columns[i], stats, self->lines);
  }
  g_string_append_c (self->lines, '\n');
}

void
gst_gcc_trace_write (GstGccTrace *self, const gchar *event, gconstpointer stats)
{
  g_mutex_lock (&self->lock);
  if (self->is_open) {
    gboolean was_empty = self->lines->len == 0;

    append_line (self, event, stats);
    self->is_late = self->lines->len > MAX_WAITING;
    self->is_open = !self->is_late;
    if (was_empty)
      g_cond_signal (&self->changed);
  }
  g_mutex_unlock (&self->lock);
}
