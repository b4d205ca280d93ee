/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Has the log of @category say, once for @element, that its property @name is
 * deprecated. @instead: what takes its place, an imperative */
void gst_gcc_deprecated_tell (GstElement *element, GstDebugCategory *category,
    const gchar *name, const gchar *instead);

G_END_DECLS
