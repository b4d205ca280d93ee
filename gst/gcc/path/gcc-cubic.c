/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-cubic.h>

#include <math.h>

/* Where the interval between losses that gives a rate is looked for, s, far beyond
 * any that is measured; and how often what is left of that is halved: to 0.1 µs.
 */
#define MAX_INTERVAL 100.
#define N_HALVINGS 30

/* CUBIC's round-trip time is no shorter, s. */
#define MIN_RTT 1e-3

/* What a packet takes, s, on average where windows are so small that some losses
 * are only found when no acknowledgement comes (RFC 5348, section 3.1). */
static gdouble
get_timeout (const GccCubicParams *params, gdouble p, gdouble R)
{
  gdouble share = MIN (3. * sqrt (3. * p / 8.), 1.);

  return params->timeout * R * share * p * (1. + 32. * p * p);
}

/* A loss leaves beta of W_max, and the window is back there with the next: in
 * CUBIC's own region after cbrt (W_max (1 - beta) / C), with a mean of
 * (3 + beta) / 4 of W_max; in the Reno-friendly one (RFC 9438, section 4.3) by
 * 3 (1 - beta) / (1 + beta) segments per round trip, evenly. */
gdouble
gcc_cubic_rate (const GccCubicParams *params, gdouble interval, gdouble rtt)
{
  gdouble R = MAX (rtt, MIN_RTT);
  gdouble beta = params->beta;
  gdouble max_cubic = params->C / (1. - beta) * pow (interval, 3.);
  gdouble max_reno = 3. / (1. + beta) * interval / R;
  gdouble mean_cubic = max_cubic * (3. + beta) / 4.;
  gdouble mean_reno = max_reno * (1. + beta) / 2.;
  gdouble packets = MAX (mean_cubic, mean_reno) / R;
  gdouble p = 1. / MAX (packets * interval, 1.);

  return packets / (1. + packets * get_timeout (params, p, R)) * 8. *
      params->packet;
}

/* By halving: the rate grows with the interval. */
gdouble
gcc_cubic_interval (const GccCubicParams *params, gdouble rate, gdouble rtt)
{
  gdouble low = 0., high = MAX_INTERVAL;

  for (guint i = 0; i < N_HALVINGS; i++) {
    gdouble middle = (low + high) / 2.;

    if (gcc_cubic_rate (params, middle, rtt) < rate)
      low = middle;
    else
      high = middle;
  }
  return high;
}
