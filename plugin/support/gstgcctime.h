/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/* The present time of GStreamer's system clock, as rtpsession has it: it runs
 * while the pipeline's clock stands still, is set or is replaced. */
GccTime gst_gcc_time_now (void);

G_END_DECLS
