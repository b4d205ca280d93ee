/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* The present time of @element's clock, or of the monotonic system clock before
 * the pipeline has chosen one. */
GccTime gst_gcc_time_now (GstElement *element);

G_END_DECLS
