/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "path.h"

#include <math.h>

/* A shaper needs as much. */
#define LEAST_QUEUE_BYTES 1540.
/* A link that never carries anything again is not waited for. */
#define NEVER (1000 * GCC_SECOND)

static const JudgeRow *
get_rows (const JudgePath *self)
{
  return (const JudgeRow *) (gconstpointer) self->call->rows->data;
}

static gdouble
to_seconds (GccTime time)
{
  return (gdouble) time / (gdouble) GCC_SECOND;
}

void
judge_path_init (JudgePath *self, const JudgeCall *call, GccTime begin)
{
  const JudgeRow *rows;

  self->call = call;
  self->begin = begin;
  self->rand = g_rand_new_with_seed (call->seed);
  self->n_busy = 1;
  self->bits = g_new0 (gdouble, call->rows->len);
  rows = get_rows (self);
  for (guint i = 1; i < call->rows->len; i++)
    self->bits[i] = self->bits[i - 1] +
        rows[i - 1].rate * to_seconds (rows[i].time - rows[i - 1].time);
}

void
judge_path_clear (JudgePath *self)
{
  g_rand_free (self->rand);
  g_free (self->bits);
}

/* The row of a time of the call: the last one that is not later. */
static guint
find_row (const JudgePath *self, GccTime time)
{
  const JudgeRow *rows = get_rows (self);
  guint low = 0;
  guint high = self->call->rows->len;

  while (high - low > 1) {
    guint middle = (low + high) / 2;

    if (rows[middle].time <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

const JudgeRow *
judge_path_get_row (const JudgePath *self, GccTime now)
{
  return &get_rows (self)[find_row (self, now - self->begin)];
}

/* What the link can carry until then. */
static gdouble
get_bits (const JudgePath *self, GccTime now)
{
  guint i = find_row (self, now - self->begin);
  const JudgeRow *row = &get_rows (self)[i];

  return self->bits[i] +
      row->rate * to_seconds (MAX (now - self->begin - row->time, 0));
}

/* When the link can have carried so much; not before @since. */
static GccTime
find_time (const JudgePath *self, gdouble bits, GccTime since)
{
  const JudgeRow *rows = get_rows (self);
  guint last = self->call->rows->len - 1;
  guint i = find_row (self, since - self->begin);
  gdouble seconds;

  while (i < last && self->bits[i + 1] < bits)
    i++;
  if (rows[i].rate <= 0.)
    return self->begin + rows[i].time + NEVER;
  seconds = (bits - self->bits[i]) / rows[i].rate;
  return MAX (since,
      self->begin + rows[i].time + (GccTime) (seconds * (gdouble) GCC_SECOND));
}

/* Of all flows, as they have something to send. */
static gdouble
get_share (const JudgePath *self)
{
  return self->call->queue == JUDGE_FQ_CODEL ? 1. / self->n_busy : 1.;
}

/* The time in which the link carries what its bucket holds. */
static GccTime
get_saved (const JudgePath *self, GccTime now)
{
  gdouble rate = judge_path_get_row (self, now)->rate;

  if (self->call->bucket_bytes <= 0. || rate <= 0.)
    return 0;
  return (
      GccTime) (self->call->bucket_bytes * 8. / rate * (gdouble) GCC_SECOND);
}

static gdouble
get_limit (const JudgePath *self, GccTime now)
{
  const JudgeCall *call = self->call;
  gdouble rate = judge_path_get_row (self, now)->rate;
  gdouble bytes = call->queue_bytes > 0.
      ? call->queue_bytes
      : rate / 8. * to_seconds (call->queue_time);

  return MAX (bytes, LEAST_QUEUE_BYTES);
}

static gboolean
is_full (const JudgePath *self, GccTime link_free, gsize bytes, GccTime now)
{
  gdouble queued = 0.;

  if (link_free > now)
    queued = (get_bits (self, link_free) - get_bits (self, now)) *
        get_share (self) / 8.;
  return queued + (gdouble) bytes > get_limit (self, now);
}

static gboolean
is_drawn (JudgePath *self, gdouble percent)
{
  return percent > 0. && g_rand_double (self->rand) * 100. < percent;
}

/* As wide as a normal distribution of that deviation. */
static GccTime
draw_jitter (JudgePath *self)
{
  if (self->call->jitter == 0)
    return 0;
  return (GccTime) (g_rand_double (self->rand) * sqrt (12.) *
      (gdouble) self->call->jitter);
}

GccTime
judge_path_carry (JudgePath *self, GccTime now)
{
  const JudgeRow *row = judge_path_get_row (self, now);

  if (is_drawn (self, row->loss_percent))
    return GCC_TIME_NONE;
  return row->late + draw_jitter (self);
}

static gboolean
lane_drops (JudgeLane *self, GccTime link_free, gsize bytes, GccTime now)
{
  JudgePath *path = self->path;
  GccTime wait = MAX (link_free - now, 0);

  if (is_drawn (path, path->call->loss_percent) ||
      is_full (path, link_free, bytes, now))
    return TRUE;
  return path->call->queue != JUDGE_DROP_TAIL &&
      judge_codel_drops (&self->codel, path->call->target, wait, now + wait);
}

static GccTime
lane_pass (gpointer data, GccTime *link_free, gsize bytes, GccTime now)
{
  JudgeLane *self = data;
  JudgePath *path = self->path;
  GccTime start = MAX (*link_free, now - get_saved (path, now));
  gdouble bits = (gdouble) bytes * 8. / get_share (path);
  GccTime leaves;
  GccTime late;

  if (lane_drops (self, *link_free, bytes, now))
    return GCC_TIME_NONE;
  *link_free = find_time (path, get_bits (path, start) + bits, start);
  leaves = MAX (*link_free, now);
  late = judge_path_carry (path, leaves);
  return late == GCC_TIME_NONE ? late : leaves + late;
}

void
judge_lane_init (JudgeLane *self, JudgePath *path)
{
  *self = (JudgeLane){
    .path = path,
    .codel = { .first_above = GCC_TIME_NONE },
    .hook = { .data = self, .pass = lane_pass },
  };
}
