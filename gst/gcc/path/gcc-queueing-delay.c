/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-queueing-delay.h>

#include <math.h>

/* A delay that changes by more from one packet to the next is measured by
 * another clock. A smaller change may be a queue: the start of a TCP flow fills
 * one between two packets, and the packets sent in between are lost. */
#define MAX_JUMP_MS 10000.

void
gcc_queueing_delay_init (GccQueueingDelay *self)
{
  *self = (GccQueueingDelay){ .has_packets = FALSE };
  gcc_windowed_min_init (&self->least);
}

static GccTime
get_delay (const GccQueueingDelay *self)
{
  return (GccTime) floor (self->delay_ms * (gdouble) GCC_MSECOND);
}

GccTime
gcc_queueing_delay_feed (GccQueueingDelay *self, guint32 departure,
    guint32 clock_rate, GccTime arrival, GccTime window)
{
  gdouble departure_ms = (gint32) (departure - self->last_departure) * 1000. /
      clock_rate;
  gdouble arrival_ms = gcc_time_to_ms (
      gcc_time_diff (arrival, self->last_arrival));
  gdouble growth_ms = arrival_ms - departure_ms;
  GccTime delay;

  if (!self->has_packets || growth_ms > MAX_JUMP_MS ||
      growth_ms < -MAX_JUMP_MS) {
    gcc_queueing_delay_init (self);
    self->has_packets = TRUE;
    growth_ms = 0.;
  }
  self->last_departure = departure;
  self->last_arrival = arrival;
  self->delay_ms += growth_ms;
  delay = get_delay (self);
  gcc_windowed_min_feed (&self->least, delay, window, arrival);
  return gcc_windowed_min_get_excess (&self->least, delay);
}
