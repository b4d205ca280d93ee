/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-abs-send-time.h>

#define FRACTION_BITS 18
#define MASK 0xffffffu
#define PERIOD (64 * GCC_SECOND)

guint32
gcc_abs_send_time_from_time (GccTime time)
{
  GccTime within = time % PERIOD;

  if (within < 0)
    within += PERIOD;
  return ((within << FRACTION_BITS) + GCC_SECOND / 2) / GCC_SECOND & MASK;
}

GccTime
gcc_abs_send_time_to_time (guint32 value)
{
  return (GccTime) (value & MASK) * GCC_SECOND >> FRACTION_BITS;
}
