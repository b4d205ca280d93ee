/* The library and the elements in a program that brings its own.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-rate-split.h>
#include <gst/gst.h>

/* No plugin is searched for: it is linked. */
GST_PLUGIN_STATIC_DECLARE (gcc);

int
main (int argc, char **argv)
{
  GccShare shares[] = {
    { .min = 0, .max = G_MAXINT64, .weight = 1. },
    { .min = 0, .max = G_MAXINT64, .weight = 2. },
  };
  GstElement *sender;
  guint target;

  gst_init (&argc, &argv);
  GST_PLUGIN_STATIC_REGISTER (gcc);

  sender = gst_element_factory_make ("gccsender", NULL);
  if (sender == NULL)
    return 1;
  g_object_get (sender, "target-bitrate", &target, NULL);
  gcc_rate_split (target, shares, G_N_ELEMENTS (shares));
  g_print ("target-bitrate %u: %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT "\n",
      target, shares[0].rate, shares[1].rate);
  gst_object_unref (sender);

  return 0;
}
