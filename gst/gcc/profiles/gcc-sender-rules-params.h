/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-arrival-watch.h>
#include <gst/gcc/path/gcc-tcp-share.h>

G_BEGIN_DECLS

/**
 * GccSenderRulesParams:
 * @tcp_share: bound of A_s beside loss-based traffic
 * @arrival_watch: by how much A_s falls while reports show no packet that
 *   arrives, over either feedback
 *
 * The default's own rules of a sender that follows reports and REMBs, which no
 * published generation has.
 */
typedef struct {
  GccTcpShareParams tcp_share;
  GccArrivalWatchParams arrival_watch;
} GccSenderRulesParams;

G_END_DECLS
