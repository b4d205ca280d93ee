/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-arrival-time.h>

/* A timestamp that jumps ahead or back by no more than this from one packet to
 * the next is accepted. A backlog that is read at once makes such jumps, and so
 * do packets of two sockets that are out of order. Smaller corrections of a
 * clock are slewed. */
#define TOLERANCE (100 * GCC_MSECOND)

/* This many consecutive timestamps that agree are accepted. */
#define MIN_AGREEING 5

/* Clocks drift: an offset is forgotten after two of these periods. */
#define PERIOD (10 * GCC_SECOND)

void
gcc_arrival_time_init (GccArrivalTime *self)
{
  *self = (GccArrivalTime){ 0 };
}

static GccTime
get_lead (const GccArrivalTime *self)
{
  return MAX (self->lead, self->lead_before);
}

static void
note_lead (GccArrivalTime *self, GccTime lead, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->period_start);

  if (passed < 0 || passed >= PERIOD) {
    self->lead_before = self->lead;
    self->lead = lead;
    self->period_start = now;
  }
  self->lead = MAX (self->lead, lead);
}

GccTime
gcc_arrival_time_get_present (const GccArrivalTime *self, GccTime now)
{
  return gcc_time_shift (now, gcc_time_shift (get_lead (self), self->shift));
}

static void
start (GccArrivalTime *self, GccArrivalSource source, GccTime lead, GccTime now)
{
  self->source = source;
  self->lead = lead;
  self->lead_before = lead;
  self->period_start = now;
  self->n_others = 0;
}

static GccTime
distance (GccTime a, GccTime b)
{
  GccTime difference = gcc_time_diff (a, b);

  return difference >= 0 ? difference : gcc_time_diff (0, difference);
}

/* The timestamps of a clock that was set back a little soon pass the last
 * accepted one again: the rejected ones before tell whether they belong to the
 * new offset. */
static gboolean
fits (const GccArrivalTime *self, GccArrivalSource source, GccTime timestamp,
    GccTime lead)
{
  return source == self->source &&
      gcc_time_diff (lead, get_lead (self)) <= TOLERANCE &&
      gcc_time_diff (timestamp, self->last) >= -TOLERANCE &&
      (self->n_others == 0 || source != self->other_source ||
          distance (lead, get_lead (self)) <=
              distance (lead, self->other_lead));
}

/* Returns whether enough timestamps agree. */
static gboolean
agrees (GccArrivalTime *self, GccArrivalSource source, GccTime lead)
{
  if (self->n_others > 0 && source == self->other_source &&
      distance (lead, self->other_lead) <= TOLERANCE) {
    self->n_others++;
    self->other_lead = MAX (self->other_lead, lead);
  } else {
    self->n_others = 1;
    self->other_source = source;
    self->other_lead = lead;
  }

  return self->n_others >= MIN_AGREEING;
}

/* The present is the same under the old offset and the new one. */
static void
change_over (GccArrivalTime *self, GccTime timestamp, GccTime now)
{
  self->shift = gcc_time_shift (
      self->shift, gcc_time_diff (get_lead (self), self->other_lead));
  self->last = timestamp;
  start (self, self->other_source, self->other_lead, now);
}

GccTime
gcc_arrival_time_update (GccArrivalTime *self, GccArrivalSource source,
    GccTime timestamp, GccTime now)
{
  GccTime lead = gcc_time_diff (timestamp, now);

  if (!self->has_packets) {
    self->has_packets = TRUE;
    self->last = timestamp;
    start (self, source, lead, now);
    return timestamp;
  }

  if (!fits (self, source, timestamp, lead)) {
    GccTime present = gcc_arrival_time_get_present (self, now);

    if (agrees (self, source, lead))
      change_over (self, timestamp, now);
    return present;
  }

  self->n_others = 0;
  if (gcc_time_diff (timestamp, self->last) > 0)
    self->last = timestamp;
  note_lead (self, lead, now);
  return gcc_time_shift (timestamp, self->shift);
}
