/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The stubs for gst-launch-1.0: testbed/tools/encoder_steps.py makes calls with them. */

#include "stub-encoders.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  (void) plugin;

  return stub_encoders_register () != NULL;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, stubencoders,
    "Stubs of encoders", plugin_init, VERSION, "LGPL", PACKAGE, PACKAGE)
