/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccplace.h"

#include "session/gstgccsession.h"
#include "session/gstgccwalk.h"
#include "support/gstgccpads.h"

static gboolean
is_session (GstElement *element, gpointer user_data)
{
  (void) user_data;

  return gst_gcc_session_is_in (element);
}

static gboolean
is_of_type_of (GstElement *element, GstElement *other)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (element, G_OBJECT_TYPE (other));
}

static gboolean
is_session_or_sender (GstElement *element, gpointer sender)
{
  return is_session (element, NULL) || is_of_type_of (element, sender);
}

/* As webrtcbin does. */
static gboolean
makes_sdp (GstObject *object)
{
  return g_signal_lookup ("create-offer", G_OBJECT_TYPE (object)) != 0;
}

/* The outermost bin around @object that makes SDP. (transfer full) (nullable) */
static GstObject *
find_sdp_bin (GstObject *object)
{
  GstObject *bin = gst_object_get_parent (object);
  GstObject *found = NULL;

  while (bin != NULL) {
    GstObject *next = gst_object_get_parent (bin);

    if (makes_sdp (bin))
      gst_object_replace (&found, bin);
    gst_object_unref (bin);
    bin = next;
  }

  return found;
}

gboolean
gst_gcc_place_is_in_sdp (GstObject *object)
{
  GstObject *bin = find_sdp_bin (object);
  gboolean is_in_sdp = bin != NULL;

  gst_clear_object (&bin);

  return is_in_sdp;
}

static GstGccPlace
get_place (GstElement *session, GstElement *element)
{
  GstObject *bin = find_sdp_bin (GST_OBJECT (session));
  GstGccPlace place = GST_GCC_PLACE_PLAIN;

  if (bin != NULL)
    place = gst_object_has_as_ancestor (GST_OBJECT (element), bin)
        ? GST_GCC_PLACE_NEGOTIATED
        : GST_GCC_PLACE_BEFORE_SDP;
  gst_clear_object (&bin);

  return place;
}

gboolean
gst_gcc_place_enters (GstPad *srcpad, const gchar *name)
{
  GPtrArray *ways = gst_gcc_walk_find_ways (srcpad, is_session, NULL);
  gboolean enters = FALSE;

  if (ways->len > 0) {
    const GstGccWay *way = g_ptr_array_index (ways, 0);
    GstPad *pad = gst_gcc_walk_next (g_ptr_array_index (way->pads, 0));

    enters = pad != NULL && g_str_equal (GST_PAD_NAME (pad), name);
    gst_clear_object (&pad);
  }
  g_ptr_array_unref (ways);

  return enters;
}

static gboolean
is_after_session (GstPad *srcpad)
{
  GstPad *sinkpad = gst_gcc_pads_get_other (srcpad);
  GstElement *session = NULL;

  if (sinkpad != NULL)
    session = gst_gcc_walk_find (sinkpad, is_session, NULL);
  gst_clear_object (&sinkpad);
  if (session == NULL)
    return FALSE;
  gst_object_unref (session);

  return TRUE;
}

GstGccPlace
gst_gcc_place_find (GstPad *srcpad, GstElement *sender, GstElement *joined)
{
  /* where a way is open a session may come, and before this function returns */
  gboolean may_come = gst_gcc_walk_has_open_end (srcpad);
  GstElement *next = gst_gcc_walk_find (srcpad, is_session_or_sender, sender);
  GstGccPlace place;

  if (next == NULL)
    return !may_come && is_after_session (srcpad) ? GST_GCC_PLACE_AFTER_SESSION
                                                  : GST_GCC_PLACE_UNKNOWN;
  if (is_of_type_of (next, sender))
    place = GST_GCC_PLACE_BEFORE_SENDER;
  else if (gst_gcc_place_enters (srcpad, GST_GCC_PLACE_ARRIVING))
    place = GST_GCC_PLACE_OF_RECEIVER;
  else if (joined != NULL && next != joined)
    place = GST_GCC_PLACE_ELSEWHERE;
  else
    place = get_place (next, sender);
  gst_object_unref (next);

  return place;
}
