/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccReceiverParams:
 * @abs_send_time: whether abs-send-time is used if packets carry it; RTP
 *   timestamps only tell the sampling instant of a frame
 * @max_without: consecutive packets without it after which RTP timestamps are
 *   used again
 * @first_interval: time between updates of A_r before the first estimate
 * @min_interval: least interval between updates of A_r
 * @max_interval: greatest interval between updates of A_r
 * @feedback_size: size of a message with A_r, including headers, bytes
 * @feedback_share: fraction of A_r that these messages may take, which
 *   determines the interval between updates; 0: always @min_interval
 * @stream_timeout: time of silence after which a stream is forgotten
 * @silence_resets: whether A_r is forgotten with the last stream
 */
typedef struct {
  gboolean abs_send_time;
  guint max_without;
  GccTime first_interval;
  GccTime min_interval;
  GccTime max_interval;
  gdouble feedback_size;
  gdouble feedback_share;
  GccTime stream_timeout;
  gboolean silence_resets;
} GccReceiverParams;

G_END_DECLS
