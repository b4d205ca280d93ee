/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-outage.h>

void
gcc_outage_init (GccOutage *self, const GccOutageParams *params)
{
  *self = (GccOutage){ .params = params };
}

static GccOutageState
flush (GccOutage *self, gdouble growth_ms, GccTime arrival)
{
  GccTime passed = gcc_time_diff (arrival, self->end);

  self->backlog_ms += growth_ms;
  if (self->backlog_ms > self->params->flushed && passed >= 0 &&
      passed < self->params->max_time)
    return passed < self->params->max_flush ? GCC_OUTAGE_FLUSH
                                            : GCC_OUTAGE_QUEUE;
  self->is_flushing = FALSE;
  return GCC_OUTAGE_FLUSHED;
}

static gboolean
is_outage (const GccOutage *self, gdouble gap_ms, gdouble departure_ms)
{
  gdouble sent_ms = MAX (departure_ms, 0.);

  return gap_ms - sent_ms >= gcc_time_to_ms (self->params->min_gap) &&
      gap_ms >= self->params->min_ratio * sent_ms;
}

/* Begins anew, after a silence of unknown cause or after a clock that was
 * set. */
static GccOutageState
begin (GccOutage *self)
{
  self->has_packets = TRUE;
  self->is_flushing = FALSE;
  return GCC_OUTAGE_NONE;
}

static GccOutageState
compare (GccOutage *self, gdouble gap_ms, gdouble departure_ms, GccTime arrival)
{
  if (is_outage (self, gap_ms, departure_ms)) {
    self->is_flushing = TRUE;
    self->end = arrival;
    self->backlog_ms = gap_ms - departure_ms;
    return GCC_OUTAGE_ENDS;
  }
  return self->is_flushing ? flush (self, gap_ms - departure_ms, arrival)
                           : GCC_OUTAGE_NONE;
}

GccOutageState
gcc_outage_update (
    GccOutage *self, guint32 departure, guint32 clock_rate, GccTime arrival)
{
  GccTime gap = gcc_time_diff (arrival, self->last_arrival);
  gint32 departed = (gint32) (departure - self->last_departure);
  gboolean is_new = !self->has_packets || gap > self->params->max_gap ||
      gap < -self->params->max_gap;

  if (self->params->min_gap == 0)
    return GCC_OUTAGE_NONE;
  /* the packet has arrived before the last one: on another path */
  if (gap < 0 && !is_new)
    return self->is_flushing ? GCC_OUTAGE_FLUSH : GCC_OUTAGE_NONE;

  self->last_departure = departure;
  self->last_arrival = arrival;
  if (is_new)
    return begin (self);
  /* most packets: a gap this short is no outage, whatever was sent in it */
  if (!self->is_flushing && gap < self->params->min_gap)
    return GCC_OUTAGE_NONE;
  return compare (
      self, gcc_time_to_ms (gap), departed * 1000. / clock_rate, arrival);
}
