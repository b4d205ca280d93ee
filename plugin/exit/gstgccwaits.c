/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccwaits.h"

#include "support/gstgcctime.h"

void
gst_gcc_waits_init (GstGccWaits *self, GMutex *lock)
{
  *self = (GstGccWaits){ .lock = lock };
  g_cond_init (&self->work);
  g_cond_init (&self->changed);
}

void
gst_gcc_waits_clear (GstGccWaits *self)
{
  g_cond_clear (&self->changed);
  g_cond_clear (&self->work);
}

void
gst_gcc_waits_for_work (GstGccWaits *self)
{
  self->is_idle = TRUE;
  g_cond_wait (&self->work, self->lock);
}

void
gst_gcc_waits_until (GstGccWaits *self, GccTime time)
{
  GstClock *clock = gst_gcc_time_get_clock ();
  GstClockID alarm = gst_clock_new_single_shot_id (
      clock, (GstClockTime) time * GST_USECOND);

  self->alarm = alarm;
  self->alarm_time = time;
  g_mutex_unlock (self->lock);
  gst_clock_id_wait (alarm, NULL);
  g_mutex_lock (self->lock);
  self->alarm = NULL;
  gst_clock_id_unref (alarm);
  gst_object_unref (clock);
}

void
gst_gcc_waits_wake (GstGccWaits *self)
{
  if (self->alarm != NULL)
    gst_clock_id_unschedule (self->alarm);
  if (self->is_idle)
    g_cond_signal (&self->work);
  self->is_idle = FALSE;
}

void
gst_gcc_waits_for_change (GstGccWaits *self)
{
  self->n_waiting++;
  g_cond_wait (&self->changed, self->lock);
}

gboolean
gst_gcc_waits_for_change_until (GstGccWaits *self, gint64 end)
{
  self->n_waiting++;
  return g_cond_wait_until (&self->changed, self->lock, end);
}

/* Even a broadcast that wakes no thread is a system call. So threads that were
 * woken, but do not run yet, do not count as waiting. */
void
gst_gcc_waits_tell_change (GstGccWaits *self)
{
  if (self->n_waiting > 0)
    g_cond_broadcast (&self->changed);
  self->n_waiting = 0;
}
