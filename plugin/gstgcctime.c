/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "gstgcctime.h"

GccTime
gst_gcc_time_now (GstElement *element)
{
  GstClock *clock = gst_element_get_clock (element);
  GstClockTime now;

  if (clock == NULL)
    return g_get_monotonic_time ();

  now = gst_clock_get_time (clock);
  gst_object_unref (clock);

  return (GccTime) GST_TIME_AS_USECONDS (now);
}
