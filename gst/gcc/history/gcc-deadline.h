/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* The earlier of two deadlines, each of which may be %GCC_TIME_NONE: there is none. */
static inline GccTime
gcc_deadline_get_earlier (GccTime a, GccTime b)
{
  return a == GCC_TIME_NONE || b == GCC_TIME_NONE ? MAX (a, b) : MIN (a, b);
}

G_END_DECLS
