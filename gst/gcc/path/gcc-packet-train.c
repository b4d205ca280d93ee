/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-packet-train.h>

void
gcc_packet_train_init (GccPacketTrain *self)
{
  *self = (GccPacketTrain){ .n_packets = 0 };
}

static void
begin (GccPacketTrain *self, guint32 timestamp, gsize size, GccTime arrival)
{
  *self = (GccPacketTrain){
    .timestamp = timestamp,
    .first_arrival = arrival,
    .last_arrival = arrival,
    .first_size = size,
    .bytes = size,
    .n_packets = 1,
  };
}

static void
add (GccPacketTrain *self, gsize size, GccTime arrival)
{
  self->last_arrival = arrival;
  self->bytes += size;
  self->n_packets++;
}

static GccRate
get_rate (gsize bytes, GccTime duration)
{
  return gcc_rate_from_double (gcc_rate_of_bytes ((gdouble) bytes, duration));
}

/* Packets that arrive at the same time count as 1 µs apart. */
static gboolean
measure (const GccPacketTrain *self, const GccPacketTrainParams *params,
    GccTrainRates *rates)
{
  GccTime dispersion = gcc_time_diff (self->last_arrival, self->first_arrival);

  if (self->n_packets < 2 || self->bytes <= params->bucket || dispersion < 0)
    return FALSE;
  dispersion = MAX (dispersion, 1);
  *rates = (GccTrainRates){
    .least = get_rate (self->bytes - params->bucket, dispersion),
    .most = get_rate (self->bytes - self->first_size, dispersion),
  };
  return TRUE;
}

gboolean
gcc_packet_train_feed (GccPacketTrain *self, const GccPacketTrainParams *params,
    guint32 timestamp, gsize size, GccTime arrival, GccTrainRates *rates)
{
  gsize bytes = size + params->overhead;
  gboolean is_told;

  if (self->n_packets > 0 && timestamp == self->timestamp) {
    add (self, bytes, arrival);
    return FALSE;
  }
  is_told = measure (self, params, rates);
  begin (self, timestamp, bytes, arrival);
  return is_told;
}
