/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccfile.h"

#include <glib/gstdio.h>

/* Binary: a line ends with the same byte on each system. */
FILE *
gst_gcc_file_open (const gchar *location)
{
  return g_fopen (location, "wbN");
}
