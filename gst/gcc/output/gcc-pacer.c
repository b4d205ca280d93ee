/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* The packets of a group are sent at its start, as soon as they arrive, until
 * they amount to burst_time at the pacing rate; the next group starts when the
 * rate has paid for this one. Why no packet waits longer than the bound: when
 * one joins the queue, the boost is such that all packets before it, the rest
 * of the group that is being paid for, and the packet itself take no longer
 * than the bound; and the rate is never below the boost while there is a
 * queue. */

#include <gst/gcc/output/gcc-pacer.h>

/* More than any transport delivers. */
#define MAX_SIZE G_MAXUINT16

/* Load of a byte, bit/s · µs. In this unit only the times at which groups start
 * are rounded, and the error does not accumulate. */
#define LOAD_OF_A_BYTE (8 * GCC_SECOND)

/* The longest queue: a time at the caller's rate, µs, and a size at any rate,
 * bytes. */
#define MAX_QUEUE_TIME (20 * GCC_SECOND)
#define MIN_MAX_QUEUED 1000000

/* The sum of two such values does not overflow. */
#define MAX_LOAD (G_MAXINT64 / 4)

void
gcc_pacer_init (GccPacer *self, const GccPacerParams *params, GccTime max_wait)
{
  g_return_if_fail (max_wait > 0);

  *self = (GccPacer){
    .burst_time = params->burst_time,
    .max_late = params->max_late,
    .repays_probes = params->repays_probes,
    .max_wait = max_wait,
    .rate = 1,
    .start_probe = &params->start_probe,
  };
}

void
gcc_pacer_send_singly (GccPacer *self)
{
  self->burst_time = 1;
}

void
gcc_pacer_probe (GccPacer *self, GccRate start, GccTime now)
{
  const GccStartProbeParams *params = self->start_probe;

  g_return_if_fail (start > 0);

  if (params->factors[0] <= 0.)
    return;
  gcc_prober_init (&self->prober, &params->prober);
  self->probe_rate = gcc_rate_from_double (
      params->factors[0] * (gdouble) start);
  for (gint i = 0; i < GCC_PACER_START_PROBES; i++) {
    GccProbeRequest request = {
      .id = i,
      .rate = gcc_rate_from_double (params->factors[i] * (gdouble) start),
      .min_packets = params->n_packets[i],
      .min_spacing = params->min_spacing,
    };

    gcc_prober_add (&self->prober, &request, now);
  }
}

void
gcc_pacer_reset (GccPacer *self)
{
  self->queued = 0;
  self->boost = 0;
  self->has_group = FALSE;
}

void
gcc_pacer_set_rate (GccPacer *self, GccRate rate)
{
  g_return_if_fail (rate > 0);

  self->rate = rate;
}

/* --- padding --- */

void
gcc_pacer_set_padding_rate (GccPacer *self, GccRate rate)
{
  if (self->padding_rate == 0)
    self->padding_due = G_MININT64;
  self->padding_rate = rate;
}

GccTime
gcc_pacer_next_padding (const GccPacer *self, GccTime now)
{
  return self->padding_rate > 0 && self->queued == 0
      ? MAX (self->padding_due, now)
      : GCC_TIME_NONE;
}

gsize
gcc_pacer_get_padding_size (const GccPacer *self)
{
  gdouble bytes = (gdouble) self->padding_rate * (gdouble) self->burst_time /
      (gdouble) LOAD_OF_A_BYTE;

  return (gsize) CLAMP (bytes, 1., MAX_SIZE);
}

static void
pay_padding (GccPacer *self, gint64 load, GccTime now)
{
  if (self->padding_rate > 0)
    self->padding_due = gcc_time_add (
        MAX (self->padding_due, now), load / self->padding_rate);
}

/* --- the group --- */

static gint64
divide_up (gint64 dividend, gint64 divisor)
{
  return dividend / divisor + (dividend % divisor > 0);
}

static GccRate
get_rate (const GccPacer *self)
{
  return MAX (self->rate, self->boost);
}

static gboolean
is_group_full (const GccPacer *self)
{
  return self->group_load / get_rate (self) >= self->burst_time;
}

/* Time until the group's bytes are paid for; negative: time since then. */
static GccTime
get_remaining (const GccPacer *self, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->group_start);

  return divide_up (self->group_load, get_rate (self)) - passed;
}

/* A group in the future dates from before the clock was set back. */
static gboolean
is_in_group (const GccPacer *self, GccTime now)
{
  return self->has_group && gcc_time_diff (now, self->group_start) >= 0;
}

static void
open_group (GccPacer *self, GccTime now)
{
  self->has_group = TRUE;
  self->group_start = now;
  self->group_load = 0;
}

/* Starts the group that has been due for @late. Because times are whole µs, the
 * last one was overpaid by less than 1 µs of the rate. */
static void
open_late_group (GccPacer *self, GccTime late, GccTime now)
{
  gint64 rest = self->group_load % get_rate (self);

  open_group (self, gcc_time_diff (now, MIN (late, self->max_late)));
  if (rest > 0 && late <= self->max_late)
    self->group_load = rest - get_rate (self);
}

/* --- the queue --- */

static void
leave_queue (GccPacer *self, gsize bytes)
{
  self->queued -= MIN ((gint64) MIN (bytes, MAX_SIZE), self->queued);
  if (self->queued == 0)
    self->boost = 0;
}

gint64
gcc_pacer_get_queued (const GccPacer *self)
{
  return self->queued;
}

gboolean
gcc_pacer_is_overfull (const GccPacer *self, GccRate max_rate)
{
  return self->queued > MIN_MAX_QUEUED &&
      self->queued / (MAX_QUEUE_TIME / GCC_SECOND) > max_rate / 8;
}

void
gcc_pacer_queued (GccPacer *self, gsize bytes, GccTime now)
{
  gint64 load;

  /* The queue was empty when the last group was paid for: no credit is kept. */
  if (!is_in_group (self, now) ||
      (self->queued == 0 && get_remaining (self, now) <= 0))
    self->has_group = FALSE;

  self->queued = MIN (
      self->queued + (gint64) MIN (bytes, MAX_SIZE), MAX_LOAD / LOAD_OF_A_BYTE);
  if (self->probe_rate > 0)
    gcc_prober_feed_queued (&self->prober, bytes);
  load = self->queued * LOAD_OF_A_BYTE;
  if (self->has_group)
    load += MAX (self->group_load, 0);
  self->boost = MAX (self->boost, divide_up (load, self->max_wait));
}

static GccTime
get_next_of_group (const GccPacer *self, GccTime now)
{
  GccTime remaining;

  if (!is_in_group (self, now) || !is_group_full (self))
    return now;

  remaining = get_remaining (self, now);
  return (GccTime) ((guint64) now + (guint64) MAX (remaining, 0));
}

/* A packet that is too late for its cluster ends all clusters. */
static gboolean
is_in_time (GccPacer *self, GccTime now)
{
  guint64 n_abandoned = self->prober.n_abandoned;
  GccProbeInfo probe;
  gboolean is_probe = gcc_prober_get_probe (&self->prober, now, &probe);

  if (self->prober.n_abandoned == n_abandoned)
    return is_probe;
  gcc_prober_abandon (&self->prober);
  return FALSE;
}

/* Whether the next packet belongs to a probe. The bound is kept during probes,
 * and after the clock was set back. */
static gboolean
is_probing (GccPacer *self, GccTime now)
{
  return gcc_prober_is_probing (&self->prober) &&
      self->boost <= self->probe_rate &&
      gcc_time_diff (gcc_prober_next_send (&self->prober, now), now) <=
      self->max_wait &&
      is_in_time (self, now);
}

GccTime
gcc_pacer_next_send (GccPacer *self, GccTime now)
{
  if (is_probing (self, now))
    return gcc_prober_next_send (&self->prober, now);
  return get_next_of_group (self, now);
}

void
gcc_pacer_sent (GccPacer *self, gsize bytes, GccTime now)
{
  gint64 load = (gint64) MIN (bytes, MAX_SIZE) * LOAD_OF_A_BYTE;

  if (is_probing (self, now)) {
    gcc_prober_feed_sent (&self->prober, bytes, now);
    /* The bytes of a probe beyond the pacing rate are not paid for. */
    open_group (self, now);
  } else if (!is_in_group (self, now)) {
    open_group (self, now);
  } else if (get_remaining (self, now) <= 0) {
    open_late_group (self, -get_remaining (self, now), now);
  }
  self->group_load = MIN (self->group_load + load, MAX_LOAD);
  pay_padding (self, load, now);
  leave_queue (self, bytes);
}

/* On a path that takes the probe, no queue delays the packets after it; on
 * another path they wait in that queue. */
void
gcc_pacer_probed (GccPacer *self, gsize bytes, GccTime now)
{
  if (self->repays_probes) {
    gcc_pacer_sent (self, bytes, now);
    return;
  }
  pay_padding (self, (gint64) MIN (bytes, MAX_SIZE) * LOAD_OF_A_BYTE, now);
  leave_queue (self, bytes);
  self->has_group = FALSE;
}

void
gcc_pacer_dropped (GccPacer *self, gsize bytes)
{
  leave_queue (self, bytes);
}
