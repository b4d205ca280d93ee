/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-tfrc.h>

#include <math.h>

/* Far above any link, far below the maximum of the type. */
#define MAX_THROUGHPUT (G_MAXINT32 * G_GINT64_CONSTANT (1000))

GccRate
gcc_tfrc_throughput (guint packet_size, GccTime rtt, gdouble p)
{
  gdouble R = gcc_time_to_seconds (MAX (rtt, 1));
  gdouble t_RTO = 4. * R;
  gdouble b = 1.;
  gdouble X;

  g_return_val_if_fail (p > 0. && p <= 1., MAX_THROUGHPUT);

  X = packet_size * 8. /
      (R * sqrt (2. * b * p / 3.) +
          t_RTO * (3. * sqrt (3. * b * p / 8.) * p * (1. + 32. * p * p)));
  return (GccRate) MIN (X, (gdouble) MAX_THROUGHPUT);
}
