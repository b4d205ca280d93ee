/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Opens a file for writing, which no child process inherits. There is one
 * implementation for each system. */
FILE *gst_gcc_file_open (const gchar *location);

G_END_DECLS
