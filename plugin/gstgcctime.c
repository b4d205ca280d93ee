/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgcctime.h"

GccTime
gst_gcc_time_now (GstElement *element)
{
  GstClock *clock = gst_system_clock_obtain ();
  GstClockTime now = gst_clock_get_time (clock);

  (void) element;
  gst_object_unref (clock);

  return (GccTime) GST_TIME_AS_USECONDS (now);
}
