/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-inter-arrival.h>

void
gcc_inter_arrival_init (
    GccInterArrival *self, const GccInterArrivalParams *params)
{
  *self = (GccInterArrival){ .params = params };
}

static void
restart (GccInterArrival *self)
{
  gcc_inter_arrival_init (self, self->params);
}

/* Packets that a queue has held back leave it back to back. They arrive closer
 * together than they were sent, and carry no new information on the path. On a
 * saturated link such a burst would never end. */
static gboolean
belongs_to_burst (const GccInterArrival *self, GccTime sent, GccTime arrival)
{
  const GccInterArrivalGroup *group = &self->current;
  GccTime gap = gcc_time_diff (arrival, group->last_arrival);
  GccTime departure = gcc_time_diff (sent, group->last_sent);

  if (sent / self->params->tick == group->last_sent / self->params->tick)
    return TRUE;
  return gcc_time_diff (gap, departure) < 0 &&
      gap <= self->params->max_burst_gap &&
      gcc_time_diff (arrival, group->first_arrival) < self->params->max_burst;
}

static gboolean
begins_group (const GccInterArrival *self, GccTime sent, GccTime arrival)
{
  return gcc_time_diff (sent, self->current.first_sent) >
      self->params->group_length &&
      !belongs_to_burst (self, sent, arrival);
}

/* FALSE if the two groups cannot be compared; the groups may have started
 * afresh. */
static gboolean
compare (GccInterArrival *self, GccInterArrivalDelta *delta)
{
  const GccInterArrivalGroup *current = &self->current;
  const GccInterArrivalGroup *previous = &self->previous;
  GccTime arrival = gcc_time_diff (
      current->last_arrival, previous->last_arrival);
  GccTime passed = gcc_time_diff (current->now, previous->now);

  if (gcc_time_diff (arrival, passed) >= self->params->max_jump) {
    restart (self);
    return FALSE;
  }
  if (arrival < 0) {
    if (++self->n_reordered >= self->params->max_reordered)
      restart (self);
    return FALSE;
  }

  self->n_reordered = 0;
  delta->departure = gcc_time_diff (current->last_sent, previous->last_sent);
  delta->arrival = arrival;
  delta->size = current->size - previous->size;
  return TRUE;
}

static void
open_group (GccInterArrivalGroup *group, GccTime sent, GccTime arrival)
{
  *group = (GccInterArrivalGroup){
    .is_open = TRUE,
    .first_sent = sent,
    .last_sent = sent,
    .first_arrival = arrival,
  };
}

static void
add_packet (GccInterArrivalGroup *group, GccTime sent, GccTime arrival,
    gsize size, GccTime now)
{
  group->last_sent = MAX (group->last_sent, sent);
  group->last_arrival = arrival;
  group->now = now;
  group->size += (gint64) size;
}

gboolean
gcc_inter_arrival_update (GccInterArrival *self, GccTime sent, GccTime arrival,
    gsize size, GccTime now, GccInterArrivalDelta *delta)
{
  gboolean is_complete = FALSE;

  if (!self->current.is_open) {
    open_group (&self->current, sent, arrival);
  } else if (sent < self->current.first_sent) {
    return FALSE;
  } else if (begins_group (self, sent, arrival)) {
    is_complete = self->previous.is_open;
    if (is_complete && !compare (self, delta))
      return FALSE;
    self->previous = self->current;
    open_group (&self->current, sent, arrival);
  }

  add_packet (&self->current, sent, arrival, size, now);
  return is_complete;
}
