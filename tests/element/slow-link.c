/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "slow-link.h"

#define DELAY (25 * G_TIME_SPAN_MILLISECOND)
#define MAX_QUEUE (300 * G_TIME_SPAN_MILLISECOND)

/* With the lock held. A packet waits for those before it. */
static void
take (SlowLink *self, gsize bytes, gint64 now, gint64 waits)
{
  gint64 *departure = g_new (gint64, 1);

  self->link_free = *departure = now + waits +
      (gint64) (bytes + SLOW_LINK_HEADERS) * 8 * G_USEC_PER_SEC /
          self->capacity;
  g_queue_push_tail (&self->departures, departure);
  g_array_append_val (self->waits, waits);
}

static GstPadProbeReturn
enter (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gsize bytes = gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info));
  gint64 now = g_get_monotonic_time ();
  GstPadProbeReturn result = GST_PAD_PROBE_OK;
  SlowLink *self = user_data;
  gint64 waits;

  (void) pad;
  g_mutex_lock (&self->lock);
  waits = MAX (self->link_free - now, 0);
  self->n_sent++;
  if (waits > MAX_QUEUE) {
    self->n_lost++;
    result = GST_PAD_PROBE_DROP;
  } else {
    take (self, bytes, now, waits);
  }
  g_mutex_unlock (&self->lock);

  return result;
}

static GstPadProbeReturn
leave (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (
      GST_PAD_PROBE_INFO_BUFFER (info));
  SlowLink *self = user_data;
  gint64 *departure;

  (void) pad;
  g_mutex_lock (&self->lock);
  departure = g_queue_pop_head (&self->departures);
  g_mutex_unlock (&self->lock);
  g_usleep ((gulong) MAX (*departure + DELAY - g_get_monotonic_time (), 0));
  g_free (departure);
  GST_BUFFER_DTS (buffer) = GST_BUFFER_PTS (
      buffer) = gst_element_get_current_running_time (self->pipeline);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;

  g_mutex_lock (&self->lock);
  self->bytes += gst_buffer_get_size (buffer) + SLOW_LINK_HEADERS;
  g_mutex_unlock (&self->lock);

  return GST_PAD_PROBE_OK;
}

static void
add_probe (SlowLink *self, GstElement *queue, const gchar *name,
    GstPadProbeCallback callback)
{
  GstPad *pad = gst_element_get_static_pad (queue, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, self, NULL);
  gst_object_unref (pad);
}

void
slow_link_init (
    SlowLink *self, GstElement *pipeline, GstElement *queue, gint64 capacity)
{
  *self = (SlowLink){ .pipeline = pipeline, .capacity = capacity };
  g_mutex_init (&self->lock);
  g_queue_init (&self->departures);
  self->waits = g_array_new (FALSE, FALSE, sizeof (gint64));
  add_probe (self, queue, "sink", enter);
  add_probe (self, queue, "src", leave);
}

void
slow_link_clear (SlowLink *self)
{
  g_queue_clear_full (&self->departures, g_free);
  g_array_unref (self->waits);
  g_mutex_clear (&self->lock);
}

void
slow_link_set_capacity (SlowLink *self, gint64 capacity)
{
  g_mutex_lock (&self->lock);
  self->capacity = capacity;
  g_mutex_unlock (&self->lock);
}

void
slow_link_measure_from_now (SlowLink *self)
{
  g_mutex_lock (&self->lock);
  self->n_sent = self->n_lost = 0;
  self->bytes = 0;
  g_array_set_size (self->waits, 0);
  g_mutex_unlock (&self->lock);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

SlowLinkUse
slow_link_measure (SlowLink *self, gdouble seconds)
{
  SlowLinkUse use;

  g_mutex_lock (&self->lock);
  g_assert_cmpuint (self->waits->len, >, 0);
  g_array_sort (self->waits, compare);
  use = (SlowLinkUse){
    .use = (gdouble) self->bytes * 8. / seconds / (gdouble) self->capacity,
    .lost_percent = 100. * self->n_lost / self->n_sent,
    .p95_ms = (gdouble) g_array_index (
                  self->waits, gint64, self->waits->len * 95 / 100) /
        1e3,
  };
  g_mutex_unlock (&self->lock);

  return use;
}
