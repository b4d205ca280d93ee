/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-cubic.h>

#include <math.h>

/* Upper end of the search for the interval between losses that gives a rate, s,
 * far beyond any measured interval; and the number of halvings of the search:
 * to 0.1 µs. */
#define MAX_INTERVAL 100.
#define N_HALVINGS 30

/* CUBIC's round-trip time is no shorter, s. */
#define MIN_RTT 1e-3

/* Mean time that a packet loses by timeouts, s. Where windows are small, some
 * losses are only found when no acknowledgement comes (RFC 5348, section
 * 3.1). */
static gdouble
get_timeout (const GccCubicParams *params, gdouble p, gdouble R)
{
  gdouble share = MIN (3. * sqrt (3. * p / 8.), 1.);

  return params->timeout * R * share * p * (1. + 32. * p * p);
}

/* A loss reduces the window to beta W_max, and the window is W_max again at the
 * next loss. In CUBIC's own region this takes cbrt (W_max (1 - beta) / C), and
 * the mean window is (3 + beta) / 4 of W_max. In the Reno-friendly region (RFC
 * 9438, section 4.3) the window grows evenly, by 3 (1 - beta) / (1 + beta)
 * segments per round trip. */
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

/* The interval is found by halving, because the rate grows with it. */
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
