/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gst.h>

#include "gstgccreceiver.h"
#include "gstgccscale.h"
#include "gstgccsender.h"
#include "gstrtphdrextabssendtime.h"
#include "support/gstgccecn.h"

static gboolean
plugin_init (GstPlugin *plugin)
{
  gboolean registered = FALSE;

  gst_gcc_ecn_register ();
  registered |= GST_ELEMENT_REGISTER (gccsender, plugin);
  registered |= GST_ELEMENT_REGISTER (gccreceiver, plugin);
  registered |= GST_ELEMENT_REGISTER (gccscale, plugin);
  registered |= GST_ELEMENT_REGISTER (rtphdrextabssendtime, plugin);

  return registered;
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, gcc,
    "Google Congestion Control for RTP sessions", plugin_init, VERSION, "LGPL",
    PACKAGE, "https://datatracker.ietf.org/doc/draft-ietf-rmcat-gcc/")
