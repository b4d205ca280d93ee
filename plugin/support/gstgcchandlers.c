/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgcchandlers.h"

void
gst_gcc_handlers_init (GstGccHandlers *self)
{
  g_rec_mutex_init (&self->lock);
  self->are_allowed = FALSE;
}

void
gst_gcc_handlers_clear (GstGccHandlers *self)
{
  g_rec_mutex_clear (&self->lock);
}

static void
set_allowed (GstGccHandlers *self, gboolean are_allowed)
{
  g_rec_mutex_lock (&self->lock);
  self->are_allowed = are_allowed;
  g_rec_mutex_unlock (&self->lock);
}

void
gst_gcc_handlers_allow (GstGccHandlers *self)
{
  set_allowed (self, TRUE);
}

void
gst_gcc_handlers_forbid (GstGccHandlers *self)
{
  set_allowed (self, FALSE);
}

gboolean
gst_gcc_handlers_enter (GstGccHandlers *self)
{
  g_rec_mutex_lock (&self->lock);

  return self->are_allowed;
}

void
gst_gcc_handlers_leave (GstGccHandlers *self)
{
  g_rec_mutex_unlock (&self->lock);
}
