/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "exit/gstgccsinks.h"

#include <gst/base/gstbasesink.h>
#include <string.h>

#include "session/gstgccwalk.h"

GST_DEBUG_CATEGORY_EXTERN (gst_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_gcc_sender_debug

typedef enum {
  LIVENESS_UNKNOWN,
  NOT_LIVE,
  LIVE,
} Liveness;

static GPtrArray *
elements_new (void)
{
  return g_ptr_array_new_with_free_func (gst_object_unref);
}

void
gst_gcc_sinks_init (GstGccSinks *self, GstElement *owner)
{
  *self = (GstGccSinks){
    .owner = owner,
    .configured = elements_new (),
    .warned = elements_new (),
  };
  g_mutex_init (&self->lock);
}

void
gst_gcc_sinks_clear (GstGccSinks *self)
{
  g_ptr_array_unref (self->configured);
  g_ptr_array_unref (self->warned);
  g_mutex_clear (&self->lock);
}

void
gst_gcc_sinks_start (GstGccSinks *self, gboolean configures)
{
  g_mutex_lock (&self->lock);
  self->configures = configures;
  self->is_open = TRUE;
  g_mutex_unlock (&self->lock);
}

/* --- looking --- */

static Liveness
get_liveness (GstPad *sinkpad)
{
  GstQuery *query = gst_query_new_latency ();
  Liveness liveness = LIVENESS_UNKNOWN;
  gboolean is_live;

  if (gst_pad_peer_query (sinkpad, query)) {
    gst_query_parse_latency (query, &is_live, NULL, NULL);
    liveness = is_live ? LIVE : NOT_LIVE;
  }
  gst_query_unref (query);

  return liveness;
}

static gboolean
is_sink (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return GST_OBJECT_FLAG_IS_SET (element, GST_ELEMENT_FLAG_SINK);
}

static gboolean
syncs (GstElement *sink)
{
  return GST_IS_BASE_SINK (sink) &&
      gst_base_sink_get_sync (GST_BASE_SINK (sink));
}

static gboolean
is_network_sink (GstElement *sink)
{
  const gchar *klass = gst_element_class_get_metadata (
      GST_ELEMENT_GET_CLASS (sink), GST_ELEMENT_METADATA_KLASS);

  return klass != NULL && strstr (klass, "Network") != NULL;
}

/* --- configuring --- */

/* Returns whether @sink was added to @elements, one of the two. */
static gboolean
add (GstGccSinks *self, GPtrArray *elements, GstElement *sink)
{
  gboolean is_new;

  g_mutex_lock (&self->lock);
  is_new = self->is_open && !g_ptr_array_find (elements, sink, NULL);
  if (is_new)
    g_ptr_array_add (elements, gst_object_ref (sink));
  g_mutex_unlock (&self->lock);

  return is_new;
}

/* Once only: an application may switch it on again. */
static void
configure (GstGccSinks *self, GstElement *sink)
{
  if (!add (self, self->configured, sink))
    return;

  GST_INFO_OBJECT (self->owner,
      "switching off sync of %" GST_PTR_FORMAT
      ", which would send all packets of a frame together",
      sink);
  g_object_set (sink, "sync", FALSE, NULL);
}

static void
warn_about (GstGccSinks *self, GstElement *sink, const gchar *fix)
{
  if (!add (self, self->warned, sink))
    return;

  GST_ELEMENT_WARNING (self->owner, STREAM, FAILED,
      ("%s sends all packets of a frame together: it waits for the clock "
       "(sync=true), and gccsender cannot space them.",
          GST_OBJECT_NAME (sink)),
      ("%s", fix));
}

static void
look_at (GstGccSinks *self, GstElement *sink, Liveness liveness, gboolean warn)
{
  if (!syncs (sink))
    return;

  if (liveness == LIVE && is_network_sink (sink) && self->configures)
    configure (self, sink);
  else if (liveness == LIVE && warn)
    warn_about (self, sink,
        "Set its property \"sync\" to false, as gccsender does in network "
        "sinks where its property \"manage\" has sink.");
  else if (liveness == NOT_LIVE && warn)
    warn_about (self, sink,
        "The source is not live, so that only the sink keeps the time. Put "
        "clocksync upstream of the encoder, and set \"sync\" of the sink to "
        "false, as gccsender does where its property \"manage\" has sink.");
  else
    GST_INFO_OBJECT (self->owner,
        "leaving sync of %" GST_PTR_FORMAT " on: the source is %s", sink,
        liveness == LIVENESS_UNKNOWN ? "not known to be live" : "not live");
}

void
gst_gcc_sinks_look (
    GstGccSinks *self, GstPad *sinkpad, GstPad *srcpad, gboolean warn)
{
  GPtrArray *sinks = gst_gcc_walk_find_all (srcpad, is_sink, NULL);
  Liveness liveness = sinks->len > 0 ? get_liveness (sinkpad)
                                     : LIVENESS_UNKNOWN;

  for (guint i = 0; i < sinks->len; i++)
    look_at (self, g_ptr_array_index (sinks, i), liveness, warn);
  g_ptr_array_unref (sinks);
}

/* --- letting go --- */

void
gst_gcc_sinks_stop (GstGccSinks *self)
{
  GPtrArray *configured, *warned;

  g_mutex_lock (&self->lock);
  self->is_open = FALSE;
  configured = self->configured;
  warned = self->warned;
  self->configured = elements_new ();
  self->warned = elements_new ();
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < configured->len; i++) {
    GstElement *sink = g_ptr_array_index (configured, i);

    if (!syncs (sink))
      g_object_set (sink, "sync", TRUE, NULL);
  }
  g_ptr_array_unref (configured);
  g_ptr_array_unref (warned);
}
