/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session/gstgccwalk.h"

/* Takes @pad and returns the pad of a real element that data leaving @pad
 * arrives at, however many ghost pads lie between the two. */
static GstPad *
next_element_pad (GstPad *pad)
{
  GstPad *peer = gst_pad_get_peer (pad);

  gst_object_unref (pad);

  while (peer != NULL && GST_IS_PROXY_PAD (peer)) {
    GstPad *across;

    if (GST_IS_GHOST_PAD (peer)) {
      /* into a bin */
      across = gst_ghost_pad_get_target (GST_GHOST_PAD (peer));
      gst_object_unref (peer);
      peer = across;
    } else {
      /* out of a bin: this is the inner half of one of its ghost pads */
      across = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (peer)));
      gst_object_unref (peer);
      peer = across != NULL ? gst_pad_get_peer (across) : NULL;
      gst_clear_object (&across);
    }
  }

  return peer;
}

/* @seen: (element-type GstPad GstPad): from which of them each was reached */
static void
push_if_new (GQueue *queue, GHashTable *seen, GstPad *pad, GstPad *from)
{
  if (g_hash_table_contains (seen, pad))
    return;

  g_hash_table_insert (seen, gst_object_ref (pad), from);
  g_queue_push_tail (queue, gst_object_ref (pad));
}

/* Where an element's pads change during the walk, its links are listed anew;
 * links that were followed are not followed twice. */
static void
push_internal_links (GQueue *queue, GHashTable *seen, GstPad *pad, GstPad *from)
{
  GstIterator *links = gst_pad_iterate_internal_links (pad);
  GstIteratorResult result = GST_ITERATOR_OK;
  GValue item = G_VALUE_INIT;

  if (links == NULL)
    return;

  while (result == GST_ITERATOR_OK || result == GST_ITERATOR_RESYNC) {
    result = gst_iterator_next (links, &item);
    if (result == GST_ITERATOR_OK) {
      push_if_new (queue, seen, g_value_get_object (&item), from);
      g_value_reset (&item);
    } else if (result == GST_ITERATOR_RESYNC) {
      gst_iterator_resync (links);
    }
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  gst_iterator_free (links);
}

static gboolean
leads_to (gconstpointer way, gconstpointer element)
{
  return ((const GstGccWay *) way)->element == element;
}

static void
free_way (gpointer data)
{
  GstGccWay *way = data;

  gst_object_unref (way->element);
  g_ptr_array_unref (way->pads);
  g_free (way);
}

/* An element may be reached by several of its pads: the way to the first counts. */
static void
add_if_new (GPtrArray *ways, GstElement *element, GHashTable *seen, GstPad *pad)
{
  GstGccWay *way;

  if (g_ptr_array_find_with_equal_func (ways, element, leads_to, NULL))
    return;

  way = g_new (GstGccWay, 1);
  way->element = gst_object_ref (element);
  way->pads = g_ptr_array_new_with_free_func (gst_object_unref);
  for (; pad != NULL; pad = g_hash_table_lookup (seen, pad))
    g_ptr_array_add (way->pads, gst_object_ref (pad));
  g_ptr_array_add (ways, way);
}

/* Finds up to @max and looks no further than where one is. (transfer full)
 * (element-type GstGccWay) */
static GPtrArray *
walk (GstPad *pad, GstGccElementPredicate predicate, gpointer user_data,
    guint max, gboolean *open_end)
{
  GPtrArray *ways = g_ptr_array_new_with_free_func (free_way);
  /* References, so that a pad that is made during the walk cannot get the
   * address of a pad that was seen. */
  GHashTable *seen = g_hash_table_new_full (NULL, NULL, gst_object_unref, NULL);
  GQueue queue = G_QUEUE_INIT;

  *open_end = FALSE;
  push_if_new (&queue, seen, pad, NULL);

  while (ways->len < max && !g_queue_is_empty (&queue)) {
    GstPad *from = g_queue_pop_head (&queue);
    GstPad *arrival = next_element_pad (from);
    GstElement *element;

    if (arrival == NULL) {
      *open_end = TRUE;
      continue;
    }

    element = gst_pad_get_parent_element (arrival);
    if (element != NULL && predicate (element, user_data))
      add_if_new (ways, element, seen, from);
    else
      push_internal_links (&queue, seen, arrival, from);

    gst_clear_object (&element);
    gst_object_unref (arrival);
  }

  g_queue_clear_full (&queue, gst_object_unref);
  g_hash_table_unref (seen);

  return ways;
}

GstElement *
gst_gcc_walk_find (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data)
{
  gboolean open_end;
  GPtrArray *ways = walk (pad, predicate, user_data, 1, &open_end);
  GstElement *first = NULL;

  if (ways->len > 0)
    first = gst_object_ref (
        ((GstGccWay *) g_ptr_array_index (ways, 0))->element);
  g_ptr_array_unref (ways);

  return first;
}

GPtrArray *
gst_gcc_walk_find_ways (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data)
{
  gboolean open_end;

  return walk (pad, predicate, user_data, G_MAXUINT, &open_end);
}

GPtrArray *
gst_gcc_walk_find_all (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data)
{
  GPtrArray *ways = gst_gcc_walk_find_ways (pad, predicate, user_data);
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);

  for (guint i = 0; i < ways->len; i++)
    g_ptr_array_add (found,
        gst_object_ref (((GstGccWay *) g_ptr_array_index (ways, i))->element));
  g_ptr_array_unref (ways);

  return found;
}

static gboolean
is_no_element (GstElement *element, gpointer user_data)
{
  (void) element;
  (void) user_data;

  return FALSE;
}

gboolean
gst_gcc_walk_has_open_end (GstPad *pad)
{
  gboolean open_end;

  g_ptr_array_unref (walk (pad, is_no_element, NULL, 1, &open_end));

  return open_end;
}

GstPad *
gst_gcc_walk_next (GstPad *pad)
{
  return next_element_pad (gst_object_ref (pad));
}

gboolean
gst_gcc_walk_is_linked (GstPad *pad)
{
  GstPad *next = gst_gcc_walk_next (pad);
  gboolean is_linked = next != NULL;

  gst_clear_object (&next);

  return is_linked;
}
