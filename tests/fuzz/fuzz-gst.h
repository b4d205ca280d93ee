/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

/* Without the installed plugins: what they register takes longer than a run,
 * and loses GLib's first table of quarks. */
static inline void
fuzz_gst_init (void)
{
  g_setenv ("GST_REGISTRY_DISABLE", "yes", TRUE);
  gst_init (NULL, NULL);
}

/* As it comes from the network: aligned, and nothing after its end. */
static inline GstBuffer *
fuzz_buffer_new (const guint8 *data, gsize size)
{
  return size == 0 ? gst_buffer_new ()
                   : gst_buffer_new_wrapped (g_memdup2 (data, size), size);
}
