/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/path/gcc-recent-loss.h>
#include <gst/gcc/path/gcc-packet-time.h>
#include <gst/gcc/path/gcc-packet-train.h>
#include <gst/gcc/path/gcc-queueing-delay.h>
#include <gst/gcc/path/gcc-windowed-min.h>
#include <gst/gcc/profiles/gcc-receiver-rules-params.h>
#include <gst/gcc/rate/gcc-rate-control.h>

G_BEGIN_DECLS

/**
 * GccReceiverRules:
 *
 * The default's own rules of the receiving side, for a queue that stands, for
 * over-use and under-use without a queue, and for a link that has become faster. A
 * receiver of a published generation has none of them.
 *
 * |[
 * packets ─┬► queueing delay ─► standing queue ─► A_r, or whose the queue is
 *          └► trains ─────────► faster link ────► A_r
 * ]|
 *
 * Fields are private.
 */
typedef struct {
  const GccReceiverRulesParams *params;
  GccQueueingDelay shared_queueing;
  GccPacketTime packet_time;
  GccTime last_arrival;
  GccTime queueing;
  GccWindowedMin least_queueing;
  GccHolder holder;
  GccLinkTrains trains;
  GccRecentLoss losses;
  guint path;
} GccReceiverRules;

/**
 * GccReceiverStreamRules:
 *
 * The state of the rules for one stream. Fields are private.
 */
typedef struct {
  guint path;
  GccQueueingDelay queueing;
  GccPacketTrain train;
} GccReceiverStreamRules;

/**
 * GccReceiverRulesPacket:
 * @packet: the packet
 * @size: payload, bytes
 * @received_rate: R(t), bit/s
 * @sample: (nullable): the packet as the delay detector has taken it; %NULL if it
 *   has not
 */
typedef struct {
  const GccPacket *packet;
  gsize size;
  GccRate received_rate;
  const GccDelaySample *sample;
} GccReceiverRulesPacket;

/* Nothing is known. @params must outlive the rules. */
void gcc_receiver_rules_init (
    GccReceiverRules *self, const GccReceiverRulesParams *params);

/* Begins a stream. */
void gcc_receiver_rules_init_stream (
    const GccReceiverRules *self, GccReceiverStreamRules *stream);

/**
 * gcc_receiver_rules_feed:
 * @stream: the packet's stream
 * @rate_control: A_r, which the rules read and set
 *
 * Takes one packet, in the order of arrival, after R(t) and the detector have
 * taken it.
 *
 * Returns: whether A_r has changed
 */
gboolean gcc_receiver_rules_feed (GccReceiverRules *self,
    GccReceiverStreamRules *stream, GccRateControl *rate_control,
    const GccReceiverRulesPacket *packet, GccTime now);

/* To be called before an update of A_r: adjusts @input, the input of a
 * published generation, to the state of the path. */
void gcc_receiver_rules_adjust (GccReceiverRules *self,
    const GccRateControl *rate_control, GccRateControlInput *input,
    GccTime now);

/* Whether A_r is kept at the rules' value, whatever the signal. */
gboolean gcc_receiver_rules_sets_rate (const GccReceiverRules *self);

/* Returns the first A_r, which may exceed R(t), bit/s. */
GccRate gcc_receiver_rules_begin (
    GccReceiverRules *self, GccRateControl *rate_control, GccTime now);

/* The holder of the queue. */
GccCompetitionState gcc_receiver_rules_get_state (const GccReceiverRules *self);

/* How the holder was found last. */
GccVerdict gcc_receiver_rules_get_verdict (const GccReceiverRules *self);

/* How long the last packet waited. */
GccTime gcc_receiver_rules_get_queueing (const GccReceiverRules *self);

G_END_DECLS
