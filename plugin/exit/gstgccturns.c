/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccturns.h"

/* Held by the thread of a task. */
static void
task_lock_free (gpointer lock)
{
  g_rec_mutex_clear (lock);
  g_free (lock);
}

static GstTask *
make_task (GstGccTurns *self)
{
  GstTask *task = gst_task_new (self->func, self->user_data, NULL);
  GRecMutex *lock = g_new (GRecMutex, 1);
  gchar *name = g_strdup_printf ("%s:pacer", GST_OBJECT_NAME (self->element));

  g_rec_mutex_init (lock);
  g_object_set_data_full (G_OBJECT (task), "lock", lock, task_lock_free);
  gst_task_set_lock (task, lock);
  gst_object_set_name (GST_OBJECT (task), name);
  g_free (name);

  return task;
}

static void
add_thread (GstGccTurns *self)
{
  GstTask *task = make_task (self);

  self->n_ready++;
  g_ptr_array_add (self->threads, task);
  gst_task_start (task);
}

void
gst_gcc_turns_init (GstGccTurns *self, GstElement *element, GMutex *lock,
    GstTaskFunction func, gpointer user_data)
{
  *self = (GstGccTurns){
    .element = element,
    .lock = lock,
    .func = func,
    .user_data = user_data,
    .threads = g_ptr_array_new_with_free_func (gst_object_unref),
  };
  g_cond_init (&self->turn);
}

void
gst_gcc_turns_clear (GstGccTurns *self)
{
  g_ptr_array_unref (self->threads);
  g_cond_clear (&self->turn);
}

void
gst_gcc_turns_start (GstGccTurns *self)
{
  self->is_running = TRUE;
  self->has_leader = FALSE;
  self->n_ready = 0;
  add_thread (self);
}

GPtrArray *
gst_gcc_turns_stop (GstGccTurns *self)
{
  GPtrArray *threads = self->threads;

  for (guint i = 0; i < threads->len; i++)
    gst_task_stop (g_ptr_array_index (threads, i));
  self->is_running = FALSE;
  g_cond_broadcast (&self->turn);
  self->threads = g_ptr_array_new_with_free_func (gst_object_unref);

  return threads;
}

void
gst_gcc_turns_join (GPtrArray *threads)
{
  for (guint i = 0; i < threads->len; i++)
    gst_task_join (g_ptr_array_index (threads, i));
  g_ptr_array_unref (threads);
}

gboolean
gst_gcc_turns_take (GstGccTurns *self)
{
  while (self->is_running && self->has_leader)
    g_cond_wait (&self->turn, self->lock);
  self->n_ready--;
  self->has_leader = self->is_running;

  return self->is_running;
}

void
gst_gcc_turns_give (GstGccTurns *self)
{
  self->has_leader = FALSE;
}

void
gst_gcc_turns_return (GstGccTurns *self)
{
  self->n_ready++;
}

void
gst_gcc_turns_ensure (GstGccTurns *self)
{
  if (!self->is_running || self->has_leader)
    return;

  if (self->n_ready > 0)
    g_cond_signal (&self->turn);
  else
    add_thread (self);
}
