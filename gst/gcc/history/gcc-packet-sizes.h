/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccPacketSizes:
 * @size: the mean size, bytes; 0 before the first packet
 *
 * The mean size of the last packets, and of the payload in them: the larger the packets,
 * the smaller the share of headers. The other fields are private.
 */
typedef struct {
  gdouble payload;
  gdouble size;
  guint n;
} GccPacketSizes;

void gcc_packet_sizes_init (GccPacketSizes *self);

/* A packet of @size bytes with all its headers, @payload of them RTP payload. */
void gcc_packet_sizes_feed (GccPacketSizes *self, gsize payload, gsize size);

/* The share of payload, 0 to 1; 1 before the first packet. */
gdouble gcc_packet_sizes_get_payload_share (const GccPacketSizes *self);

G_END_DECLS
