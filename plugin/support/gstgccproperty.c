/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccproperty.h"

gboolean
gst_gcc_property_is (gpointer object, const gchar *name, GType type)
{
  GParamSpec *pspec = g_object_class_find_property (
      G_OBJECT_GET_CLASS (object), name);

  return pspec != NULL && g_type_is_a (pspec->value_type, type);
}

gpointer
gst_gcc_property_read (gpointer object, const gchar *name, GType type)
{
  gpointer value = NULL;

  if (gst_gcc_property_is (object, name, type))
    g_object_get (object, name, &value, NULL);

  return value;
}
