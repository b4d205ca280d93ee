/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccLossParams:
 * @p_low: A_s grows up to this fraction lost
 * @p_high: A_s falls above this fraction lost
 * @increase: factor of eq. (1) for low loss
 * @increase_offset: added to it, bit/s
 * @increase_interval: between increases
 * @increase_from_min: whether an increase starts from the least A_s of the last
 *   @increase_interval, and may happen between reports; else from A_s, with a
 *   report only
 * @decrease: A_s falls by the factor 1 - this · p
 * @decrease_interval: between decreases, in addition to the RTT; negative is
 *   at every report
 * @min_packets: packets that a loss fraction has to stand on; reports are
 *   summed up until then
 * @first_block_counts: whether the first report block of a stream, which does
 *   not tell how many packets it stands on, is acted on
 * @tfrc_packet: s of the TFRC equation that a decrease does not go below,
 *   bytes; 0 is no such floor
 * @report_timeout: a report is no reason for anything after that; 0 is never
 * @max_rtt: a longer RTT lowers A_s; 0 is never
 * @max_rtt_decrease: factor of A_s for that
 * @max_rtt_interval: between decreases for that
 * @tick: how soon at the earliest time alone changes A_s again
 * @report_interval: between regular RTCP reports of the sending side
 */
typedef struct {
  gdouble p_low;
  gdouble p_high;
  gdouble increase;
  GccRate increase_offset;
  GccTime increase_interval;
  gboolean increase_from_min;
  gdouble decrease;
  GccTime decrease_interval;
  guint min_packets;
  gboolean first_block_counts;
  guint tfrc_packet;
  GccTime report_timeout;
  GccTime max_rtt;
  gdouble max_rtt_decrease;
  GccTime max_rtt_interval;
  GccTime tick;
  GccTime report_interval;
} GccLossParams;

G_END_DECLS
