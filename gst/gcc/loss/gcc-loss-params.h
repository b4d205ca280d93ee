/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-loss-report-params.h>

G_BEGIN_DECLS

/**
 * GccLossParams:
 * @p_low: fraction lost up to which A_s is increased
 * @p_high: fraction lost above which A_s is decreased
 * @increase: factor of eq. (1) for low loss
 * @increase_offset: added to the product, bit/s
 * @increase_interval: time between increases
 * @increase_from_min: whether an increase starts from the least A_s of the last
 *   @increase_interval, and may occur between reports; else it starts from A_s,
 *   and needs a report
 * @decrease: weight of p: a decrease multiplies A_s by 1 - @decrease · p
 * @decrease_interval: time between decreases, in addition to the RTT; negative
 *   is with every report
 * @reports: which reports are acted on
 * @tfrc_packet: packet size s of the TFRC equation, whose rate is the floor of
 *   a decrease, bytes; 0 is no floor
 * @tfrc_raises: whether that floor may lie above A_s, as eq. (1) of the 2013
 *   papers prints it: at short round-trip times a report of much loss then
 *   raises A_s
 * @report_timeout: age at which a report is no longer acted on; 0 is never
 * @max_rtt: RTT above which A_s is decreased whatever the loss; 0 is no bound
 * @max_rtt_decrease: factor of such a decrease
 * @max_rtt_interval: time between such decreases
 * @tick: least time from one update of A_s to one that no report causes
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
  GccLossReportParams reports;
  guint tfrc_packet;
  gboolean tfrc_raises;
  GccTime report_timeout;
  GccTime max_rtt;
  gdouble max_rtt_decrease;
  GccTime max_rtt_interval;
  GccTime tick;
} GccLossParams;

G_END_DECLS
