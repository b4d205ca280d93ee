/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccmessages.h"

#define MESSAGE_INTERVAL (100 * GCC_MSECOND)

void
gst_gcc_messages_start (GstGccMessages *self)
{
  self->is_unposted = FALSE;
  self->posted_at = GCC_TIME_NONE;
}

void
gst_gcc_messages_note_change (GstGccMessages *self)
{
  self->is_unposted = TRUE;
}

/* The bus is in real time, whatever the clock is. */
gboolean
gst_gcc_messages_take (GstGccMessages *self)
{
  GccTime now;

  if (!self->is_unposted || !g_atomic_int_get (&self->is_enabled))
    return FALSE;
  now = g_get_monotonic_time ();
  if (self->posted_at != GCC_TIME_NONE &&
      now - self->posted_at < MESSAGE_INTERVAL)
    return FALSE;

  self->is_unposted = FALSE;
  self->posted_at = now;

  return TRUE;
}

static void
set_time (GstStructure *message, GstElement *element)
{
  GstClockTime time = gst_element_get_current_running_time (element);

  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_structure_set (
        message, "time-ms", G_TYPE_INT64, (gint64) (time / GST_MSECOND), NULL);
}

void
gst_gcc_messages_post (GstElement *element, const gchar *const *fields)
{
  GstStructure *stats, *message;

  g_object_get (element, "stats", &stats, NULL);
  message = gst_structure_new_empty (gst_structure_get_name (stats));
  set_time (message, element);
  for (; *fields != NULL; fields++)
    if (gst_structure_has_field (stats, *fields))
      gst_structure_set_value (
          message, *fields, gst_structure_get_value (stats, *fields));
  gst_structure_free (stats);
  gst_element_post_message (
      element, gst_message_new_element (GST_OBJECT (element), message));
}
