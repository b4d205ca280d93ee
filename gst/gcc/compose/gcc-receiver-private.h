/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/path/gcc-faster-link.h>
#include <gst/gcc/path/gcc-queueing-delay.h>
#include <gst/gcc/rate/gcc-rate-control.h>
#include <gst/gcc/rate/gcc-received-rate.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/report/gcc-remb-policy.h>
#include <gst/gcc/probe/gcc-remb-probe-detector.h>
#include <gst/gcc/path/gcc-short-queue.h>
#include <gst/gcc/path/gcc-slower-link.h>
#include <gst/gcc/path/gcc-standing-queue.h>

G_BEGIN_DECLS

/**
 * GccReceiverParams:
 * @abs_send_time: whether abs-send-time is used if packets carry it; RTP
 *   timestamps only tell the sampling instant of a frame
 * @max_without: consecutive packets without it after which RTP timestamps are
 *   used again
 * @first_interval: between updates of A_r before the first estimate
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

/**
 * GccReceiverSlowerLink:
 * @rate: what the link passes, bit/s
 * @since: when gaps have told so
 * @is_news: whether A_r has still to be lowered for it
 * @has_queue: whether its queue has still to be empty again
 *
 * The last time that the link became slower.
 */
typedef struct {
  GccRate rate;
  GccTime since;
  gboolean is_news;
  gboolean has_queue;
} GccReceiverSlowerLink;

typedef struct _GccReceiverStream GccReceiverStream;

/* The stages are embedded, so that nothing is allocated for them. Fields are
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
  GccQueueingDelay shared_queueing;
  GccStandingQueue standing_queue;
  GccShortQueue short_queue;
  GccFasterLink faster_link;
  GccReceiverSlowerLink slower_link;
  GccRembProbeDetector probes;
  GccTime last_arrival;
  guint64 received;
  gboolean rate_is_known;
  GccReceivedRate received_rate;
  GccRateControl rate_control;
  GccRembPolicy remb_policy;
  GccTime last_update;
  GccTime next_update;
  GccReceiverStats stats;
};

/* As gcc_receiver_new() and _free(), for a receiver embedded in another
 * struct. */
void gcc_receiver_init (GccReceiver *self, const GccProfile *profile);
void gcc_receiver_clear (GccReceiver *self);

G_END_DECLS
