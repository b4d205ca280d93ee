/* The library and the elements in a program that brings its own.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-sender.h>
#include <gst/gst.h>

/* No plugin is searched for: it is linked. */
GST_PLUGIN_STATIC_DECLARE (gcc);

int
main (int argc, char **argv)
{
  const GccProfile *profile = gcc_profile_get_nth (0);
  g_autoptr (GccSender) controller = NULL;
  GstElement *sender;
  guint min, start, max, target;

  gst_init (&argc, &argv);
  GST_PLUGIN_STATIC_REGISTER (gcc);

  sender = gst_element_factory_make ("gccsender", NULL);
  if (sender == NULL)
    return 1;
  g_object_get (sender, "min-bitrate", &min, "start-bitrate", &start,
      "max-bitrate", &max, "target-bitrate", &target, NULL);
  controller = gcc_sender_new (profile, min, start, max);
  g_print ("%s: gccsender %u bit/s, the library %" G_GINT64_FORMAT " bit/s\n",
      gcc_profile_get_name (profile), target,
      gcc_sender_get_target (controller));
  gst_object_unref (sender);

  return 0;
}
