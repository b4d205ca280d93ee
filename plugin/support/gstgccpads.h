/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The pads of @element in one direction, or with %GST_PAD_UNKNOWN all, sources
 * first. (transfer container) (element-type GstPad) */
GPtrArray *gst_gcc_pads_list (GstElement *element, GstPadDirection direction);

/* Makes @other, or none if that is %NULL, the pad across the element. */
void gst_gcc_pads_set_other (GstPad *pad, GstPad *other);

/* The pad across the element; %NULL once it was removed. (transfer full) */
GstPad *gst_gcc_pads_get_other (GstPad *pad);

G_END_DECLS
