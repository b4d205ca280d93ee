/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-media-time.h>

GccTime
gcc_media_time_pass (GccMediaTime *self, GccTime max_gap, GccTime now)
{
  GccTime gap = self->has_begun ? gcc_time_diff (now, self->last) : 0;

  self->has_begun = TRUE;
  self->last = now;
  return CLAMP (gap, 0, max_gap);
}
