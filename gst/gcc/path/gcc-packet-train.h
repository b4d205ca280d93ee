/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPacketTrainParams:
 * @overhead: headers of a packet below RTP's payload, bytes
 * @bucket: what a token bucket passes of a train at once, bytes
 *
 * See Dovrolis, Ramanathan and Moore, "Packet-Dispersion Techniques and a
 * Capacity-Estimation Methodology", section III.
 */
typedef struct {
  gsize overhead;
  gsize bucket;
} GccPacketTrainParams;

/**
 * GccTrainRates:
 * @least: the link passes at least this, bit/s: what there was in the queue before
 *   the train, and the bucket, make it less
 * @most: it passes no more, unless other packets came in between, bit/s: exact where
 *   the train met a queue
 *
 * What the dispersion of one train tells of the link.
 */
typedef struct {
  GccRate least;
  GccRate most;
} GccTrainRates;

/**
 * GccPacketTrain:
 *
 * The packets of a frame leave together, and arrive at the rate of the slowest link.
 * Where the sender paces them it is a lower one. Fields are private.
 */
typedef struct {
  guint32 timestamp;
  GccTime first_arrival;
  GccTime last_arrival;
  gsize first_size;
  gsize bytes;
  guint n_packets;
} GccPacketTrain;

void gcc_packet_train_init (GccPacketTrain *self);

/**
 * gcc_packet_train_feed:
 * @timestamp: of RTP: the same for all packets of a frame
 * @size: payload, bytes
 * @rates: (out): of the train that this packet has ended, if that tells them
 *
 * Takes one packet of a stream, in the order of arrival.
 *
 * Returns: whether it does: a train of one packet tells nothing, nor does one that
 * passes the bucket
 */
gboolean gcc_packet_train_feed (GccPacketTrain *self,
    const GccPacketTrainParams *params, guint32 timestamp, gsize size,
    GccTime arrival, GccTrainRates *rates);

G_END_DECLS
