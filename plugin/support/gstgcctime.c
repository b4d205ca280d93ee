/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgcctime.h"

GccTime
gst_gcc_time_now (void)
{
  GstClock *clock = gst_system_clock_obtain ();
  GstClockTime now = gst_clock_get_time (clock);

  gst_object_unref (clock);

  return (GccTime) GST_TIME_AS_USECONDS (now);
}
