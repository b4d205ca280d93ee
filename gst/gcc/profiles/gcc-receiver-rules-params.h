/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/path/gcc-link-trains.h>
#include <gst/gcc/path/gcc-recent-loss.h>
#include <gst/gcc/path/gcc-packet-time.h>
#include <gst/gcc/path/gcc-holder.h>

G_BEGIN_DECLS

/**
 * GccReceiverRulesParams:
 * @packet_time: the time of a packet, which is no queue
 * @least_window: time over which the least delay is taken, above which there is
 *   a queue
 * @holder: how a standing queue is drained, and whose it is
 * @trains: how packets show the rate of the link
 * @losses: losses that are over-use where there is a queue
 * @headroom: without a queue, over-use does not count where the rate of the link
 *   is at least this times A_r
 *
 * The default's own rules of the receiving side, which no published generation
 * has.
 */
typedef struct {
  GccPacketTimeParams packet_time;
  GccTime least_window;
  GccHolderParams holder;
  GccLinkTrainsParams trains;
  GccRecentLossParams losses;
  gdouble headroom;
} GccReceiverRulesParams;

G_END_DECLS
