/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccshared.h"

struct _GstGccShared {
  /* Protects the guard. While it is held the guard enters and leaves pads; no
   * reference is dropped. */
  GMutex lock;
  guint n_members;
  GstGccGuard *guard;

  /* No other lock is taken while this one is held. */
  GMutex number_lock;
  guint64 next_number;
};

static G_DEFINE_QUARK (gst - gcc - shared, shared)

    /* --- one for each session --- */

    static GstGccShared *make (void)
{
  GstGccShared *self = g_atomic_rc_box_new0 (GstGccShared);

  g_mutex_init (&self->lock);
  g_mutex_init (&self->number_lock);

  return self;
}

static void
free_content (gpointer data)
{
  GstGccShared *self = data;

  g_mutex_clear (&self->number_lock);
  g_mutex_clear (&self->lock);
}

GstGccShared *
gst_gcc_shared_ref (GstGccShared *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gst_gcc_shared_unref (GstGccShared *self)
{
  g_atomic_rc_box_release_full (self, free_content);
}

static gpointer
duplicate (gpointer self, gpointer user_data)
{
  (void) user_data;

  return self != NULL ? gst_gcc_shared_ref (self) : NULL;
}

static GstGccShared *
look_up (GObject *session)
{
  return g_object_dup_qdata (session, shared_quark (), duplicate, NULL);
}

/* Of two threads that make one each, the first attaches it. */
GstGccShared *
gst_gcc_shared_get (GObject *session)
{
  GstGccShared *self = look_up (session);

  if (self != NULL)
    return self;

  self = make ();
  if (g_object_replace_qdata (session, shared_quark (), NULL,
          gst_gcc_shared_ref (self), (GDestroyNotify) gst_gcc_shared_unref,
          NULL))
    return self;
  gst_gcc_shared_unref (self);
  gst_gcc_shared_unref (self);

  return look_up (session);
}

/* --- the guard --- */

GstGccGuard *
gst_gcc_shared_join (GstGccShared *self, GstElement *holder,
    GstGccGuardFunc take, GstElement *element)
{
  GstGccGuard *guard;

  g_mutex_lock (&self->lock);
  if (self->n_members++ == 0)
    self->guard = gst_gcc_guard_new (holder);
  guard = gst_gcc_guard_ref (self->guard);
  gst_gcc_guard_follow (guard, take, element);
  g_mutex_unlock (&self->lock);

  return guard;
}

/* The member that leaves has a reference to the guard of its own, so that none
 * dropped here is the last one. */
void
gst_gcc_shared_leave (GstGccShared *self, GstElement *element)
{
  g_mutex_lock (&self->lock);
  gst_gcc_guard_unfollow (self->guard, element);
  if (--self->n_members == 0) {
    gst_gcc_guard_close (self->guard);
    g_clear_pointer (&self->guard, gst_gcc_guard_unref);
  }
  g_mutex_unlock (&self->lock);
}

/* --- the numbers --- */

guint64
gst_gcc_shared_take_number (GstGccShared *self, guint64 least)
{
  guint64 number;

  g_mutex_lock (&self->number_lock);
  number = MAX (self->next_number, least);
  self->next_number = number + 1;
  g_mutex_unlock (&self->number_lock);

  return number;
}

guint64
gst_gcc_shared_get_next_number (GstGccShared *self)
{
  guint64 number;

  g_mutex_lock (&self->number_lock);
  number = self->next_number;
  g_mutex_unlock (&self->number_lock);

  return number;
}
