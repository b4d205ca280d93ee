/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-burst-rate.h>

void
gcc_burst_rate_init (GccBurstRate *self, const GccBurstRateParams *params)
{
  *self = (GccBurstRate){ .params = params, .limited = GCC_TIME_NONE };
}

static void
begin (GccBurstRate *self, const GccPacketResult *packet)
{
  const GccSentRecord *sent = &packet->sent;

  self->n_packets = 1;
  self->bytes = self->first_bytes = sent->size;
  self->first_sent = self->last_sent = sent->time;
  self->first_arrival = self->last_arrival = packet->arrival;
}

static void
add (GccBurstRate *self, const GccPacketResult *packet)
{
  self->n_packets++;
  self->bytes += packet->sent.size;
  self->last_sent = packet->sent.time;
  self->last_arrival = packet->arrival;
}

/* A packet of S bytes each T is a rate of S / T: the first one does not count. */
static GccRate
get_rate (const GccBurstRate *self, GccTime span)
{
  gint64 bytes = self->bytes - self->first_bytes;

  return gcc_rate_from_double (
      gcc_rate_of_bytes ((gdouble) bytes, MAX (span, 1)));
}

/* Whether the rate is that of the link. */
static gboolean
is_limited (const GccBurstRate *self)
{
  return !gcc_time_has_passed (
      self->params->memory, self->limited, self->last_arrival);
}

static void
end (GccBurstRate *self)
{
  GccTime sent = gcc_time_diff (self->last_sent, self->first_sent);
  GccTime arrived = gcc_time_diff (self->last_arrival, self->first_arrival);

  if ((gdouble) sent < self->params->takes * (gdouble) arrived) {
    self->rate = get_rate (self, arrived);
    self->limited = self->last_arrival;
  } else if (!is_limited (self)) {
    self->rate = MAX (self->rate, get_rate (self, sent));
  }
}

/* A packet that others have overtaken ends the burst. */
static gboolean
continues (const GccBurstRate *self, const GccPacketResult *packet)
{
  GccTime gap = gcc_time_diff (packet->sent.time, self->last_sent);

  return self->n_packets > 0 && gap >= 0 && gap <= self->params->max_gap;
}

void
gcc_burst_rate_feed (GccBurstRate *self, const GccPacketResult *packet)
{
  if (continues (self, packet)) {
    add (self, packet);
    return;
  }
  if (self->bytes >= self->params->min_bytes && self->n_packets > 1)
    end (self);
  begin (self, packet);
}

GccRate
gcc_burst_rate_get (const GccBurstRate *self)
{
  if (is_limited (self))
    return self->rate;
  return gcc_rate_from_double (self->params->raise * (gdouble) self->rate);
}
