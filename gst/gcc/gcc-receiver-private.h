/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-delay-detector.h>
#include <gst/gcc/gcc-rate-control.h>
#include <gst/gcc/gcc-received-rate.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/gcc-remb-policy.h>
#include <gst/gcc/gcc-remb-probe-detector.h>

G_BEGIN_DECLS

/**
 * GccReceiverParams:
 * @abs_send_time: whether abs-send-time is used where packets carry it; RTP
 *   timestamps only tell when a frame was taken
 * @max_without: packets in a row without it after which RTP timestamps are used
 *   again
 * @first_interval: between updates of A_r before the first estimate
 * @min_interval: between updates of A_r, least
 * @max_interval: between updates of A_r, greatest
 * @feedback_size: of a message that tells A_r, with its headers, bytes
 * @feedback_share: of A_r that these messages may take, which makes the
 *   interval between updates; 0: @min_interval always
 * @stream_timeout: a stream silent for longer is forgotten
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

typedef struct _GccReceiverStream GccReceiverStream;

/* Its stages are part of it, so that nothing is allocated for them. Fields are
 * private to gcc-receiver.c. */
struct _GccReceiver {
  const GccProfile *profile;
  GccReceiverStream *streams;
  guint n_streams;
  guint n_allocated;
  gboolean has_packets;
  gboolean uses_abs_send_time;
  guint n_without;
  GccDelayDetector shared_delay;
  GccRembProbeDetector probes;
  GccTime last_arrival;
  gboolean rate_is_known;
  GccReceivedRate received_rate;
  GccRateControl rate_control;
  GccRembPolicy remb_policy;
  GccTime last_update;
  GccTime next_update;
  GccReceiverStats stats;
};

/* What gcc_receiver_new() and _free() do, for one that is part of something
 * else. */
void gcc_receiver_init (GccReceiver *self, const GccProfile *profile);
void gcc_receiver_clear (GccReceiver *self);

G_END_DECLS
