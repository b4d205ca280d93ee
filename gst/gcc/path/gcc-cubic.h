/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccCubicParams:
 * @packet: size of a TCP segment, bytes
 * @beta: β_cubic, the window after a loss as a share of the window before it
 *   (RFC 9438, section 4.6)
 * @C: C, segments per s³ (RFC 9438, section 5)
 * @timeout: t_RTO, round trips (RFC 5348, section 4.3); 0: all losses are found
 *   by acknowledgements
 */
typedef struct {
  gdouble packet;
  gdouble beta;
  gdouble C;
  gdouble timeout;
} GccCubicParams;

/**
 * gcc_cubic_rate:
 * @interval: interval between losses, s
 * @rtt: round-trip time, s; at least 1 ms is assumed
 *
 * The mean rate of a CUBIC flow that loses once in @interval.
 *
 * Returns: bit/s
 */
gdouble gcc_cubic_rate (
    const GccCubicParams *params, gdouble interval, gdouble rtt);

/* The interval between losses at which the mean rate is @rate, s; at most
 * 100. */
gdouble gcc_cubic_interval (
    const GccCubicParams *params, gdouble rate, gdouble rtt);

G_END_DECLS
