/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccpads.h"

static gboolean
add_pad (GstElement *element, GstPad *pad, gpointer pads)
{
  (void) element;
  g_ptr_array_add (pads, gst_object_ref (pad));

  return TRUE;
}

GPtrArray *
gst_gcc_pads_list (GstElement *element, GstPadDirection direction)
{
  GPtrArray *pads = g_ptr_array_new_with_free_func (gst_object_unref);

  if (direction != GST_PAD_SINK)
    gst_element_foreach_src_pad (element, add_pad, pads);
  if (direction != GST_PAD_SRC)
    gst_element_foreach_sink_pad (element, add_pad, pads);

  return pads;
}

GstPad *
gst_gcc_pads_get_other (GstPad *pad)
{
  GstPad *other = NULL;

  GST_OBJECT_LOCK (pad);
  g_set_object (&other, gst_pad_get_element_private (pad));
  GST_OBJECT_UNLOCK (pad);

  return other;
}

void
gst_gcc_pads_set_other (GstPad *pad, GstPad *other)
{
  GST_OBJECT_LOCK (pad);
  gst_pad_set_element_private (pad, other);
  GST_OBJECT_UNLOCK (pad);
}
