/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-goog-2026.h>

const GccSentHistoryParams gcc_goog_2026_sent_history = {
  .max_age = 60 * GCC_SECOND, /* C26 */
};

const GccAcknowledgedRateParams gcc_goog_2026_acknowledged_rate = {
  .window_packets = 20,             /* packets, C26 */
  .min_window = 1 * GCC_SECOND,     /* C26 */
  .max_packets = 500,               /* packets, C26 */
  .max_window = 5 * GCC_SECOND,     /* C26 */
  .required_packets = 10,           /* packets, C26 */
  .max_reordering = 1 * GCC_SECOND, /* C26 */
  .unnumbered_weight = 1.,          /* C26 */
};

const GccInterArrivalParams gcc_goog_2026_inter_arrival = {
  .group_length = 5 * GCC_MSECOND,  /* C26 */
  .max_burst_gap = 5 * GCC_MSECOND, /* C26 */
  .max_burst = 100 * GCC_MSECOND,   /* C26 */
  .max_jump = 3 * GCC_SECOND,       /* C26 */
  .max_reordered = 3,               /* groups, C26 */
};

const GccTrendlineParams gcc_goog_2026_trendline = {
  .window = 20,       /* deltas, C26 */
  .smoothing = 0.9,   /* C26 */
  .gain = 4.,         /* C26 */
  .max_deltas = 1000, /* deltas, C26 */
};
