/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-column.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes the `stats` structure @name: the fields are the columns, with '-' for
 * '_'. Unknown values are left out. (transfer full) */
GstStructure *gst_gcc_columns_to_structure (const gchar *name,
    const GccColumn *columns, guint n_columns, gconstpointer stats);

/* Appends @column of @stats to @text as it is written in a trace: the same in
 * every locale, nothing at all for an unknown value. */
void gst_gcc_column_append_text (
    const GccColumn *column, gconstpointer stats, GString *text);

G_END_DECLS
