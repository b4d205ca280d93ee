/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * gcc_tfrc_throughput:
 * @packet_size: s, bytes
 * @rtt: R; at least 1 µs is assumed
 * @p: loss event rate, or its substitute; above 0, at most 1
 *
 * The throughput of a TCP connection under the same conditions (RFC 5348,
 * section 3.1), with b = 1 and t_RTO = 4 R.
 *
 * Returns: X in bit/s, at most %G_MAXINT32 · 1000
 */
GccRate gcc_tfrc_throughput (guint packet_size, GccTime rtt, gdouble p);

G_END_DECLS
