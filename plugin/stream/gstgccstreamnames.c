/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "stream/gstgccstreamnames.h"

#include "support/gstgccproperty.h"

static void
read_caps (GstGccStreamNames *self, GstPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  const GstStructure *structure;
  guint ssrc;

  if (caps == NULL)
    return;

  structure = gst_caps_get_structure (caps, 0);
  if (gst_structure_has_name (structure, "application/x-rtp")) {
    if (self->ssrc == NULL &&
        gst_structure_get_uint (structure, "ssrc", &ssrc)) {
      self->ssrc = g_strdup_printf ("%u", ssrc);
      self->ssrc_number = ssrc;
    }
    if (self->mid == NULL)
      self->mid = g_strdup (gst_structure_get_string (structure, "a-mid"));
  }
  gst_caps_unref (caps);
}

static gpointer
copy (gpointer text, gpointer user_data)
{
  (void) user_data;

  return g_strdup (text);
}

/* Where two threads do, the first one's. */
static void
keep (GObject *object, GQuark quark, const gchar *text)
{
  gchar *own = g_strdup (text);

  if (!g_object_replace_qdata (object, quark, NULL, own, g_free, NULL))
    g_free (own);
}

/* webrtcbin writes the mid again with each answer, and has no lock for those who read
 * it. It stays the same, so it is read until it is there, and kept with @ghost. */
static void
read_transceiver (GstGccStreamNames *self, GstPad *ghost)
{
  GQuark quark = g_quark_from_static_string ("gst-gcc-mid");
  GObject *transceiver;

  self->mid = g_object_dup_qdata (G_OBJECT (ghost), quark, copy, NULL);
  if (self->mid != NULL)
    return;
  transceiver = gst_gcc_property_read (ghost, "transceiver", G_TYPE_OBJECT);
  if (transceiver == NULL)
    return;
  self->mid = gst_gcc_property_read (transceiver, "mid", G_TYPE_STRING);
  if (self->mid != NULL)
    keep (G_OBJECT (ghost), quark, self->mid);
  g_object_unref (transceiver);
}

/* The sink pads of bins, such as webrtcbin, by which the stream comes to @pad. */
static void
read_bins (GstGccStreamNames *self, GstPad *pad)
{
  GstPad *peer = gst_pad_get_peer (pad);

  while (self->mid == NULL && peer != NULL && GST_IS_PROXY_PAD (peer) &&
      !GST_IS_GHOST_PAD (peer)) {
    GstPad *ghost = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (peer)));

    gst_object_unref (peer);
    if (ghost == NULL)
      return;
    read_transceiver (self, ghost);
    peer = gst_pad_get_peer (ghost);
    gst_object_unref (ghost);
  }
  gst_clear_object (&peer);
}

/* Behind an element with several sink pads, such as a funnel, caps and bins are
 * those of any of its streams. */
static gboolean
is_merged_after (GstPad *pad)
{
  GstElement *element = gst_pad_get_parent_element (pad);
  gboolean has_several;

  if (element == NULL)
    return FALSE;
  GST_OBJECT_LOCK (element);
  has_several = element->numsinkpads > 1;
  GST_OBJECT_UNLOCK (element);
  gst_object_unref (element);

  return has_several;
}

static guint
count_own (const GPtrArray *pads)
{
  guint n = 0;

  while (n < pads->len && !is_merged_after (g_ptr_array_index (pads, n)))
    n++;

  return MIN (n + 1, pads->len);
}

void
gst_gcc_stream_names_read (GstGccStreamNames *self, const GPtrArray *pads)
{
  guint n = count_own (pads);

  for (guint i = 0; i < n; i++)
    read_caps (self, g_ptr_array_index (pads, i));
  for (guint i = 0; i < n; i++)
    read_bins (self, g_ptr_array_index (pads, i));
}

void
gst_gcc_stream_names_clear (GstGccStreamNames *self)
{
  g_clear_pointer (&self->ssrc, g_free);
  g_clear_pointer (&self->mid, g_free);
}
