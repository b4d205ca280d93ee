/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/video/gstvideofilter.h>

G_BEGIN_DECLS

#define GST_TYPE_GCC_SCALE (gst_gcc_scale_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGccScale, gst_gcc_scale, GST, GCC_SCALE, GstVideoFilter)

GST_ELEMENT_REGISTER_DECLARE (gccscale);

G_END_DECLS
