/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgccplace.h"

#include "gstgccsession.h"
#include "gstgccwalk.h"

static gboolean
is_session (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return gst_gcc_session_is_in (element);
}

/* As webrtcbin does. */
static gboolean
makes_sdp (GstObject *object)
{
  return g_signal_lookup ("create-offer", G_OBJECT_TYPE (object)) != 0;
}

static GstGccPlace
get_place (GstElement *session, GstElement *element)
{
  GstObject *bin = gst_object_get_parent (GST_OBJECT (session));
  GstGccPlace place = GST_GCC_PLACE_PLAIN;

  while (bin != NULL) {
    GstObject *next = gst_object_get_parent (bin);

    if (makes_sdp (bin))
      place = gst_object_has_as_ancestor (GST_OBJECT (element), bin)
          ? GST_GCC_PLACE_NEGOTIATED
          : GST_GCC_PLACE_BEFORE_SDP;
    gst_object_unref (bin);
    bin = next;
  }

  return place;
}

GstGccPlace
gst_gcc_place_find (GstPad *srcpad, GstElement *element, GstElement *joined)
{
  GstElement *session = gst_gcc_walk_find (srcpad, is_session, NULL);
  GstGccPlace place;

  if (session == NULL)
    return GST_GCC_PLACE_UNKNOWN;
  place = joined != NULL && session != joined ? GST_GCC_PLACE_ELSEWHERE
                                              : get_place (session, element);
  gst_object_unref (session);

  return place;
}
