/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The element deviceclock, of the testbed's own plugin. */
#define GST_TYPE_DEVICE_CLOCK (gst_device_clock_get_type ())
G_DECLARE_FINAL_TYPE (
    GstDeviceClock, gst_device_clock, GST, DEVICE_CLOCK, GstElement)
GST_ELEMENT_REGISTER_DECLARE (deviceclock)

G_END_DECLS
