/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-packet-group.h>

#define HALF_RANGE (G_GUINT64_CONSTANT (1) << 31)

static void
restart (GccPacketGroup *self)
{
  self->current.is_open = FALSE;
  self->previous.is_open = FALSE;
  self->n_reordered = 0;
}

static void
set_clock_rate (GccPacketGroup *self, guint32 clock_rate)
{
  restart (self);
  self->clock_rate = clock_rate;
  self->length = (guint32) ((guint64) self->params->burst_time * clock_rate /
      GCC_SECOND);
  self->ms_per_tick = 1000. / clock_rate;
}

void
gcc_packet_group_init (GccPacketGroup *self, const GccPacketGroupParams *params)
{
  *self = (GccPacketGroup){ .params = params };
}

/* Timestamps wrap: a timestamp less than half the range ahead is newer. */
static gboolean
is_older (guint32 timestamp, guint32 than)
{
  return (guint32) (timestamp - than) >= HALF_RANGE;
}

/* Packets that were queued leave the queue back to back and arrive closer
 * together than they were sent. They carry no new information on the path. */
static gboolean
belongs_to_burst (
    const GccPacketGroup *self, guint32 timestamp, GccTime arrival)
{
  const GccGroup *group = &self->current;
  GccTime gap = gcc_time_diff (arrival, group->last_arrival);
  guint32 ticks = timestamp - group->last_timestamp;
  gint64 departure_ms = (gint64) (ticks * self->ms_per_tick + 0.5);

  if (departure_ms == 0)
    return TRUE;
  /* Without a limit a burst would never end on a saturated link. */
  if (self->params->max_burst != 0 &&
      gcc_time_diff (arrival, group->first_arrival) >= self->params->max_burst)
    return FALSE;
  return gap < departure_ms * GCC_MSECOND && gap <= self->params->burst_time;
}

static gboolean
begins_group (const GccPacketGroup *self, guint32 timestamp, GccTime arrival)
{
  guint32 age = timestamp - self->current.first_timestamp;

  if (self->params->grouping == GCC_GROUPING_FRAME)
    return age != 0;
  /* Reordered within its group. */
  if (is_older (timestamp, self->current.last_timestamp))
    return FALSE;
  return age > self->length && !belongs_to_burst (self, timestamp, arrival);
}

static void
open_group (GccGroup *group, guint32 timestamp, GccTime arrival)
{
  *group = (GccGroup){
    .is_open = TRUE,
    .first_timestamp = timestamp,
    .last_timestamp = timestamp,
    .first_arrival = arrival,
  };
}

static void
add_packet (GccGroup *group, guint32 timestamp, GccTime arrival, gsize size,
    GccTime now)
{
  if (!is_older (timestamp, group->last_timestamp))
    group->last_timestamp = timestamp;
  group->last_arrival = arrival;
  group->now = now;
  group->size += (gint64) size;
}

static gboolean
has_jumped (const GccPacketGroup *self, GccTime arrival_delta)
{
  GccTime passed = gcc_time_diff (self->current.now, self->previous.now);

  return self->params->max_jump != 0 &&
      gcc_time_diff (arrival_delta, passed) >= self->params->max_jump;
}

gboolean
gcc_packet_group_update (GccPacketGroup *self, guint32 timestamp,
    guint32 clock_rate, GccTime arrival, gsize size, GccTime now,
    GccGroupDelta *delta)
{
  GccGroup *current = &self->current;
  GccGroup *previous = &self->previous;
  gboolean complete = FALSE;

  g_return_val_if_fail (clock_rate != 0, FALSE);

  if (clock_rate != self->clock_rate)
    set_clock_rate (self, clock_rate);

  if (!current->is_open) {
    open_group (current, timestamp, arrival);
  } else if (is_older (timestamp, current->first_timestamp)) {
    return FALSE;
  } else if (begins_group (self, timestamp, arrival)) {
    if (previous->is_open) {
      GccTime arrival_delta = gcc_time_diff (
          current->last_arrival, previous->last_arrival);
      guint32 ticks = current->last_timestamp - previous->last_timestamp;

      if (has_jumped (self, arrival_delta)) {
        restart (self);
        return FALSE;
      }
      if (arrival_delta < 0 && self->params->max_reordered != 0) {
        if (++self->n_reordered >= self->params->max_reordered)
          restart (self);
        return FALSE;
      }

      self->n_reordered = 0;
      delta->departure_ms = ticks * self->ms_per_tick;
      delta->arrival_ms = gcc_time_to_ms (arrival_delta);
      delta->size = current->size - previous->size;
      complete = TRUE;
    }
    *previous = *current;
    open_group (current, timestamp, arrival);
  }

  add_packet (current, timestamp, arrival, size, now);
  return complete;
}
