/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef gboolean (*GstGccElementPredicate) (
    GstElement *element, gpointer user_data);

/*
 * gst_gcc_walk_find:
 * @pad: a pad of the element to start from: a source pad looks downstream, a
 *   sink pad upstream
 *
 * Follows the links from @pad through elements, ghost pads and bins, nearest
 * elements first, to the first element for which @predicate holds.
 *
 * Returns: (transfer full) (nullable): that element
 */
GstElement *gst_gcc_walk_find (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data);

/* As gst_gcc_walk_find(), but finds the first such element on every way:
 * elements behind one that was found are not looked at. (transfer full)
 * (element-type GstElement) */
GPtrArray *gst_gcc_walk_find_all (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data);

/*
 * GstGccWay:
 * @element: the element that was found
 * @pads: (element-type GstPad): the pad that its data come to, and so on to the one
 *   where the walk began
 */
typedef struct {
  GstElement *element;
  GPtrArray *pads;
} GstGccWay;

/* As gst_gcc_walk_find_all(), with the first way to each element. (transfer full)
 * (element-type GstGccWay) */
GPtrArray *gst_gcc_walk_find_ways (
    GstPad *pad, GstGccElementPredicate predicate, gpointer user_data);

/* The pad of an element to which @pad leads, through ghost pads. (transfer full)
 * (nullable) */
GstPad *gst_gcc_walk_next (GstPad *pad);

/* Whether @pad leads to an element: a ghost pad that is linked on the inside
 * only does not. */
gboolean gst_gcc_walk_is_linked (GstPad *pad);

/* Whether a way from @pad ends at a pad that is not linked yet, such as that of
 * a webrtcbin before it has negotiated. */
gboolean gst_gcc_walk_has_open_end (GstPad *pad);

G_END_DECLS
