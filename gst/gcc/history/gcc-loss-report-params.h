/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccLossReportParams:
 * @min_packets: least number of packets that a fraction lost has to cover;
 *   reports are accumulated until then
 * @first_block_counts: whether the first report block on a stream, for which
 *   the number of packets is not known, is acted on
 * @interval: time between regular RTCP reports of the sending side
 * @remb_lifetime: a REMB ends after this time without another from its sender;
 *   0: it ends with its sender's reports only
 *
 * How reports of loss are expected and put together.
 */
typedef struct {
  guint min_packets;
  gboolean first_block_counts;
  GccTime interval;
  GccTime remb_lifetime;
} GccLossReportParams;

G_END_DECLS
