/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-packet-time.h>

void
gcc_packet_time_init (GccPacketTime *self, const GccPacketTimeParams *params)
{
  *self = (GccPacketTime){ .params = params };
}

/* The link passes the greatest recent R(t), whatever other flows send. */
void
gcc_packet_time_feed (
    GccPacketTime *self, GccRate received_rate, GccTime passed)
{
  self->link_rate -= self->link_rate * (gdouble) passed /
      (gdouble) self->params->link_memory;
  self->link_rate = MAX (self->link_rate, (gdouble) received_rate);
}

GccTime
gcc_packet_time_get (const GccPacketTime *self, gsize bytes)
{
  gdouble bits = 8. * (gdouble) bytes;
  GccTime time;

  if (self->link_rate < 1.)
    return 0;
  time = (GccTime) (bits * GCC_SECOND / self->link_rate);

  return MAX (time - self->params->empty, 0);
}

GccTime
gcc_packet_time_get_wait (
    const GccPacketTime *self, GccTime queueing, gsize bytes)
{
  return MAX (gcc_time_diff (queueing, gcc_packet_time_get (self, bytes)), 0);
}
