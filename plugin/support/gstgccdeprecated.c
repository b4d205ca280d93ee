/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccdeprecated.h"

void
gst_gcc_deprecated_tell (GstElement *element, GstDebugCategory *category,
    const gchar *name, const gchar *instead)
{
  gchar *key = g_strconcat ("gst-gcc-told-of-", name, NULL);

  if (g_object_get_data (G_OBJECT (element), key) == NULL) {
    g_object_set_data (G_OBJECT (element), key, element);
    GST_CAT_WARNING_OBJECT (
        category, element, "%s is deprecated: %s", name, instead);
  }
  g_free (key);
}
