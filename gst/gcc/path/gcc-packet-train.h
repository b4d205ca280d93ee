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
 * @bucket: bytes of a train that a token bucket passes at once
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
 * @least: the link passes at least this, bit/s; a queue before the train lowers
 *   it, and so does the bucket
 * @most: the link passes at most this, bit/s, unless other packets came in
 *   between; exact where the train met a queue
 *
 * Bounds of the rate of the link, by the dispersion of one train.
 */
typedef struct {
  GccRate least;
  GccRate most;
} GccTrainRates;

/**
 * GccPacketTrain:
 *
 * The packets of a frame. They leave together, and arrive at the rate of the
 * slowest link, or at that of the sender's pacer, where it is lower. Fields are
 * private.
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
 * @timestamp: RTP timestamp: the same for all packets of a frame
 * @size: payload of the packet, bytes
 * @rates: (out): rates of the train that this packet has ended
 *
 * Takes one packet of a stream, in the order of arrival.
 *
 * Returns: whether @rates is set: a train of one packet has no rates, and
 * neither has a train that passes the bucket
 */
gboolean gcc_packet_train_feed (GccPacketTrain *self,
    const GccPacketTrainParams *params, guint32 timestamp, gsize size,
    GccTime arrival, GccTrainRates *rates);

G_END_DECLS
