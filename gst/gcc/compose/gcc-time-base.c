/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-time-base.h>

/* The clock rate of every video format of RFC 3551. */
#define DEFAULT_CLOCK_RATE 90000

/* abs-send-time has 24 bits, 18 of them fractional. Shifted by 8 it wraps at 32
 * bits, as RTP timestamps do. */
#define ABS_SEND_TIME_SHIFT 8
#define ABS_SEND_TIME_RATE (1u << 26)

void
gcc_time_base_init (GccTimeBase *self, const GccReceiverParams *params)
{
  *self = (GccTimeBase){ .params = params };
}

gboolean
gcc_time_base_feed (GccTimeBase *self, const GccPacket *packet)
{
  gboolean before = self->uses_abs_send_time;

  self->n_without = packet->has_abs_send_time ? 0 : self->n_without + 1;
  if (!self->params->abs_send_time)
    return FALSE;
  self->uses_abs_send_time = packet->has_abs_send_time ||
      (before && self->n_without < self->params->max_without);
  return self->uses_abs_send_time != before;
}

static GccDelaySample
sample_rtp_timestamp (const GccPacket *packet, gsize size)
{
  return (GccDelaySample){
    .departure = packet->rtp_timestamp,
    .clock_rate = packet->clock_rate != 0 ? packet->clock_rate
                                          : DEFAULT_CLOCK_RATE,
    .arrival = packet->arrival,
    .size = size,
  };
}

static GccDelaySample
sample_abs_send_time (const GccPacket *packet, gsize size)
{
  return (GccDelaySample){
    .departure = packet->abs_send_time << ABS_SEND_TIME_SHIFT,
    .clock_rate = ABS_SEND_TIME_RATE,
    .is_send_time = TRUE,
    .arrival = packet->arrival,
    .size = size,
  };
}

GccDelaySample
gcc_time_base_get_sample (
    const GccTimeBase *self, const GccPacket *packet, gsize size)
{
  return self->uses_abs_send_time ? sample_abs_send_time (packet, size)
                                  : sample_rtp_timestamp (packet, size);
}
