/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* What ThreadSanitizer cannot see. GLib's locks are futexes of its own and its
 * reference counts are atomics in code that is not instrumented, so that every
 * hand-over between threads looks like a race. This library comes before GLib
 * and GStreamer in a test, calls theirs, and tells the sanitizer what each
 * orders: all before a release in one thread happens before all after an
 * acquire of the same address in another. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib-object.h>
#include <gst/gst.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* The definition that this one hides. */
#define NEXT(name) \
  static __typeof__ (name) *next; \
  if (next == NULL) \
  next = (__typeof__ (name) *) (guintptr) dlsym (RTLD_NEXT, #name)

/* Takes effect before the lock is let go ... */
#define RELEASES(name, type) \
  void name (type *lock) \
  { \
    NEXT (name); \
    __tsan_release (lock); \
    next (lock); \
  }

/* ... and after it is held. */
#define ACQUIRES(name, type) \
  void name (type *lock) \
  { \
    NEXT (name); \
    next (lock); \
    __tsan_acquire (lock); \
  }

#define TRIES(name, type) \
  gboolean name (type *lock) \
  { \
    gboolean got; \
    NEXT (name); \
    got = next (lock); \
    if (got) \
      __tsan_acquire (lock); \
    return got; \
  }

#undef g_mutex_lock
#undef g_mutex_unlock
#undef g_mutex_trylock

ACQUIRES (g_mutex_lock, GMutex)
TRIES (g_mutex_trylock, GMutex)
RELEASES (g_mutex_unlock, GMutex)
ACQUIRES (g_rec_mutex_lock, GRecMutex)
TRIES (g_rec_mutex_trylock, GRecMutex)
RELEASES (g_rec_mutex_unlock, GRecMutex)
ACQUIRES (g_rw_lock_writer_lock, GRWLock)
RELEASES (g_rw_lock_writer_unlock, GRWLock)
ACQUIRES (g_rw_lock_reader_lock, GRWLock)
RELEASES (g_rw_lock_reader_unlock, GRWLock)

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  NEXT (g_cond_wait);
  __tsan_release (mutex);
  next (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;
  NEXT (g_cond_wait_until);

  __tsan_release (mutex);
  signalled = next (cond, mutex, end_time);
  __tsan_acquire (mutex);

  return signalled;
}

/* Whoever lets the last reference go does so after all that the others did. */
#undef g_object_unref

void
g_object_unref (gpointer object)
{
  NEXT (g_object_unref);
  __tsan_release (object);
  __tsan_acquire (object);
  next (object);
}

void
gst_object_unref (gpointer object)
{
  NEXT (gst_object_unref);
  __tsan_release (object);
  __tsan_acquire (object);
  next (object);
}

void
gst_mini_object_unref (GstMiniObject *object)
{
  NEXT (gst_mini_object_unref);
  __tsan_release (object);
  __tsan_acquire (object);
  next (object);
}

#undef gst_mini_object_ref

GstMiniObject *
gst_mini_object_ref (GstMiniObject *object)
{
  NEXT (gst_mini_object_ref);
  __tsan_acquire (object);

  return next (object);
}

/* Queues lock inside GLib, where this library does not reach. */
void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  NEXT (g_async_queue_push);
  __tsan_release (queue);
  next (queue, data);
}

#define POPS(name) \
  gpointer name (GAsyncQueue *queue) \
  { \
    gpointer data; \
    NEXT (name); \
    data = next (queue); \
    __tsan_acquire (queue); \
    return data; \
  }

POPS (g_async_queue_pop)
POPS (g_async_queue_try_pop)

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
{
  gpointer data;
  NEXT (g_async_queue_timeout_pop);

  data = next (queue, timeout);
  __tsan_acquire (queue);

  return data;
}

/* The pool's threads outlive the elements that ask for them: one may be older
 * than the element. */
typedef struct {
  GstElementCallAsyncFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} AsyncCall;

static void
run_async_call (GstElement *element, gpointer user_data)
{
  AsyncCall *call = user_data;

  __tsan_acquire (element);
  call->func (element, call->user_data);
}

static void
free_async_call (gpointer user_data)
{
  AsyncCall *call = user_data;

  if (call->destroy != NULL)
    call->destroy (call->user_data);
  g_free (call);
}

void
gst_element_call_async (GstElement *element, GstElementCallAsyncFunc func,
    gpointer user_data, GDestroyNotify destroy)
{
  AsyncCall *call = g_new (AsyncCall, 1);
  NEXT (gst_element_call_async);

  *call = (AsyncCall){ func, user_data, destroy };
  __tsan_release (element);
  next (element, run_async_call, call, free_async_call);
}
