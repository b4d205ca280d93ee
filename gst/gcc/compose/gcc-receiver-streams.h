/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/compose/gcc-receiver-rules.h>
#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/gcc-receiver.h>

G_BEGIN_DECLS

/**
 * GccReceiverStream:
 * @ssrc: RTP synchronisation source
 * @last_packet: when its last packet came
 * @delay: its delay detector, fed with RTP timestamps
 * @rules: the state of the default's rules for it
 *
 * A stream that is received.
 */
typedef struct {
  guint32 ssrc;
  GccTime last_packet;
  GccDelayDetector delay;
  GccReceiverStreamRules rules;
} GccReceiverStream;

/**
 * GccReceiverStreams:
 * @streams: (array length=n): in the order of their first packets
 * @n: how many
 *
 * The streams that are received, and what their delay detectors say together. All of
 * them share one queue. The other fields are private.
 */
typedef struct {
  const GccDelayDetectorParams *params;
  GccTime timeout;
  GccReceiverStream *streams;
  guint n;
  guint n_allocated;
} GccReceiverStreams;

/* @params: of their delay detectors. A stream is dropped @timeout after its last
 * packet. */
void gcc_receiver_streams_init (GccReceiverStreams *self,
    const GccDelayDetectorParams *params, GccTime timeout);
void gcc_receiver_streams_clear (GccReceiverStreams *self);

/**
 * gcc_receiver_streams_take:
 * @rules: (nullable): those of a new stream
 *
 * Returns: (nullable): the stream @ssrc, whose packet has come at @now; %NULL if it is
 *   new and %GCC_RECEIVER_MAX_STREAMS are in use
 */
GccReceiverStream *gcc_receiver_streams_take (GccReceiverStreams *self,
    guint32 ssrc, const GccReceiverRules *rules, GccTime now);

/* Removes those that have been silent for long, or all. */
void gcc_receiver_streams_drop_silent (GccReceiverStreams *self, GccTime now);
void gcc_receiver_streams_drop_all (GccReceiverStreams *self);

/* The worst signal of all. */
GccSignal gcc_receiver_streams_get_signal (const GccReceiverStreams *self);

/* The mean variance of the noise; 0 without streams. */
gdouble gcc_receiver_streams_get_noise (const GccReceiverStreams *self);

void gcc_receiver_streams_set_gamma_halved (
    GccReceiverStreams *self, gboolean halved);

G_END_DECLS
