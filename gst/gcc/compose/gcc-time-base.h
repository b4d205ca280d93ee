/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/delay/gcc-delay-detector.h>
#include <gst/gcc/gcc-receiver.h>
#include <gst/gcc/profiles/gcc-receiver-params.h>

G_BEGIN_DECLS

/**
 * GccTimeBase:
 *
 * The departure times of packets: RTP timestamps, of each stream by itself, or
 * abs-send-time, of all on one clock and fine enough to detect probes. The second is
 * used once a packet has it, until several in a row have not. Fields are private.
 */
typedef struct {
  const GccReceiverParams *params;
  gboolean uses_abs_send_time;
  guint n_without;
} GccTimeBase;

/* RTP timestamps are used. */
void gcc_time_base_init (GccTimeBase *self, const GccReceiverParams *params);

/* Takes a packet. Returns whether the other one is used from now on. */
gboolean gcc_time_base_feed (GccTimeBase *self, const GccPacket *packet);

static inline gboolean
gcc_time_base_uses_abs_send_time (const GccTimeBase *self)
{
  return self->uses_abs_send_time;
}

/* @packet, which has the time that is used, with @size bytes of payload. */
GccDelaySample gcc_time_base_get_sample (
    const GccTimeBase *self, const GccPacket *packet, gsize size);

G_END_DECLS
