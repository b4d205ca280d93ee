/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "support/gstgcctime.h"

/* It lives as long as the process, as the system clock does. */
static GstClock *
get_monotonic_clock (void)
{
  static gsize is_made = FALSE;
  static GstClock *clock;

  if (g_once_init_enter (&is_made)) {
    clock = g_object_new (GST_TYPE_SYSTEM_CLOCK, "name", "GstGccClock",
        "clock-type", GST_CLOCK_TYPE_MONOTONIC, NULL);
    gst_object_ref_sink (clock);
    GST_OBJECT_FLAG_SET (clock, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    g_once_init_leave (&is_made, TRUE);
  }

  return clock;
}

GstClock *
gst_gcc_time_get_clock (void)
{
  GstClock *clock = gst_system_clock_obtain ();

  if (GST_IS_SYSTEM_CLOCK (clock))
    gst_object_replace (
        (GstObject **) &clock, GST_OBJECT_CAST (get_monotonic_clock ()));

  return clock;
}

GccTime
gst_gcc_time_now (void)
{
  GstClock *clock = gst_gcc_time_get_clock ();
  GstClockTime now = gst_clock_get_time (clock);

  gst_object_unref (clock);

  return (GccTime) GST_TIME_AS_USECONDS (now);
}
