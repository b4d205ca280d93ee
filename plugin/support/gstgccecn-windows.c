/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgccecn.h"

/* GIO has no control messages here. */
void
gst_gcc_ecn_register (void)
{
}

void
gst_gcc_ecn_request (GSocket *socket)
{
  (void) socket;
}

GccEcn
gst_gcc_ecn_read (GstBuffer *buffer)
{
  (void) buffer;

  return GCC_ECN_NOT_ECT;
}

void
gst_gcc_ecn_write (GSocket *socket, GccEcn ecn)
{
  (void) socket;
  (void) ecn;
}
