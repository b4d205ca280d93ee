/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-cubic.h>

#include <math.h>

/* Far beyond any that is measured. */
#define MAX_INTERVAL 100.

/* Of W_max = interval³ · C / (1 - beta) in CUBIC's own region, and in the
 * Reno-friendly one (RFC 9438, section 4.3), where the window grows by
 * 3 (1 - beta) / (1 + beta) segments per round trip. */
gdouble
gcc_cubic_rate (const GccCubicParams *params, gdouble interval, gdouble rtt)
{
  gdouble R = MAX (rtt, 1e-3);
  gdouble beta = params->beta;
  gdouble cubic = params->C / (1. - beta) * pow (interval, 3.) * (3. + beta) /
      4.;
  gdouble reno = 3. / (1. + beta) * interval / R * (1. + beta) / 2.;

  return MAX (cubic, reno) / R * 8. * params->packet;
}

/* By halving: the rate grows with the interval. */
gdouble
gcc_cubic_interval (const GccCubicParams *params, gdouble rate, gdouble rtt)
{
  gdouble low = 0., high = MAX_INTERVAL;

  for (guint i = 0; i < 30; i++) {
    gdouble middle = (low + high) / 2.;

    if (gcc_cubic_rate (params, middle, rtt) < rate)
      low = middle;
    else
      high = middle;
  }
  return high;
}
