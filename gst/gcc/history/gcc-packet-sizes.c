/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/history/gcc-packet-sizes.h>

/* Number of packets in the means. */
#define MEAN_PACKETS 128

void
gcc_packet_sizes_init (GccPacketSizes *self)
{
  *self = (GccPacketSizes){ 0 };
}

void
gcc_packet_sizes_feed (GccPacketSizes *self, gsize payload, gsize size)
{
  self->n = MIN (self->n + 1, MEAN_PACKETS);
  self->payload += ((gdouble) MIN (payload, size) - self->payload) /
      (gdouble) self->n;
  self->size += ((gdouble) size - self->size) / (gdouble) self->n;
}

gdouble
gcc_packet_sizes_get_payload_share (const GccPacketSizes *self)
{
  return self->n > 0 ? self->payload / self->size : 1.;
}
