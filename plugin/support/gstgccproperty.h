/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Whether @object has a property @name of @type, or of one derived from it. */
gboolean gst_gcc_property_is (gpointer object, const gchar *name, GType type);

/* The object, or the text, of such a property; %NULL without one.
 * (transfer full) (nullable) */
gpointer gst_gcc_property_read (gpointer object, const gchar *name, GType type);

G_END_DECLS
