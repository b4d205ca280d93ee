/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-slower-link.h>

#include <math.h>

static void
begin_row (GccSlowerLink *self, GccTime since)
{
  self->n_gaps = 0;
  self->bytes = 0;
  self->duration = 0;
  self->since = since;
  self->slow_before = self->slow;
}

void
gcc_slower_link_init (GccSlowerLink *self, const GccSlowerLinkParams *params)
{
  *self = (GccSlowerLink){ .params = params, .slow = params->first_slow };
  begin_row (self, 0);
}

/* Packets that arrive at once, or by a clock that was set, are not slow. */
static gboolean
is_slow (const GccSlowerLink *self, guint64 bytes, GccTime gap, GccRate rate)
{
  return gap > 0 && gap <= self->params->max_age &&
      8. * (gdouble) bytes * GCC_SECOND <=
      self->params->share * (gdouble) rate * (gdouble) gap;
}

static void
note (GccSlowerLink *self, gboolean is_slow)
{
  self->slow += ((is_slow ? 1. : 0.) - self->slow) / self->params->mean_gaps;
}

/* A row goes on from one frame to the next: the time between them is the
 * encoder's. */
static void
add (GccSlowerLink *self, guint64 bytes, GccTime gap, GccTime begin)
{
  if (self->n_gaps == 0 ||
      gcc_time_has_passed (self->params->max_age, self->since, begin))
    begin_row (self, begin);
  self->n_gaps++;
  self->bytes += bytes;
  self->duration += gap;
  note (self, TRUE);
}

static gboolean
is_told (const GccSlowerLink *self, GccTime queueing)
{
  return self->n_gaps >= self->params->n_gaps &&
      queueing >= self->params->min_queueing &&
      pow (self->slow_before, self->n_gaps) <= self->params->chance;
}

/* A row that has shown a slower link was not due to chance, and does not count
 * in the share of long gaps. */
static GccRate
end_row (GccSlowerLink *self, GccTime now)
{
  gdouble passed = gcc_rate_of_bytes ((gdouble) self->bytes, self->duration);

  self->slow = self->slow_before;
  begin_row (self, now);
  return gcc_rate_from_double (passed);
}

GccRate
gcc_slower_link_update (GccSlowerLink *self, guint32 timestamp, gsize size,
    guint64 received, GccTime arrival, GccTime queueing, GccRate rate)
{
  gboolean is_gap = self->has_packet && timestamp == self->timestamp &&
      size >= self->params->min_size;
  GccTime begin = self->arrival;
  GccTime gap = gcc_time_diff (arrival, begin);
  guint64 bytes = received - self->received;

  self->has_packet = TRUE;
  self->timestamp = timestamp;
  self->arrival = arrival;
  self->received = received;
  if (!is_gap)
    return GCC_RATE_NONE;
  if (!is_slow (self, bytes, gap, rate)) {
    note (self, FALSE);
    begin_row (self, arrival);
    return GCC_RATE_NONE;
  }
  add (self, bytes, gap, begin);
  return is_told (self, queueing) ? end_row (self, arrival) : GCC_RATE_NONE;
}
