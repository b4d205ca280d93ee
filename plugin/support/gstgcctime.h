/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gst.h>

G_BEGIN_DECLS

/*
 * gst_gcc_time_get_clock:
 *
 * The clock of the elements is monotonic: it runs while the pipeline's clock
 * stands still, is set or is replaced, and while the wall clock is set that an
 * application may have made the system clock. A system clock that is no
 * #GstSystemClock, as a test's, takes its place.
 *
 * Returns: (transfer full): the clock of times and of waits
 */
GstClock *gst_gcc_time_get_clock (void);

/* Its present time. */
GccTime gst_gcc_time_now (void);

G_END_DECLS
