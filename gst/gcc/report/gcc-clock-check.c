/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/report/gcc-clock-check.h>

#include <math.h>

#define WINDOW (1 * GCC_SECOND)
#define N_WINDOWS 10
/* A longer gap between two packets is a pause. */
#define MAX_GAP (500 * GCC_MSECOND)
#define MIN_FACTOR 1.5
/* Tolerance between the factors of two windows. */
#define TOLERANCE 0.25

static void
begin_window (GccClockCheck *self, guint32 timestamp, GccTime arrival)
{
  self->timestamp = timestamp;
  self->since = arrival;
}

static void
begin (GccClockCheck *self, guint32 ssrc, guint32 timestamp, guint clock_rate,
    GccTime arrival)
{
  *self = (GccClockCheck){
    .has_window = TRUE,
    .ssrc = ssrc,
    .clock_rate = clock_rate,
    .last = arrival,
  };
  begin_window (self, timestamp, arrival);
}

static gboolean
goes_on (
    const GccClockCheck *self, guint32 ssrc, guint clock_rate, GccTime arrival)
{
  GccTime gap = gcc_time_diff (arrival, self->last);

  return self->has_window && ssrc == self->ssrc &&
      clock_rate == self->clock_rate && gap >= 0 && gap <= MAX_GAP;
}

static gboolean
is_wrong (gdouble factor)
{
  return factor > MIN_FACTOR || (factor > 0. && factor < 1. / MIN_FACTOR);
}

static gboolean
is_alike (const GccClockCheck *self, gdouble factor)
{
  return self->n_alike == 0 ||
      fabs (factor - self->factor) <= TOLERANCE * self->factor;
}

static void
count_window (GccClockCheck *self, gdouble factor)
{
  if (!is_wrong (factor) || !is_alike (self, factor))
    self->n_alike = 0;
  if (!is_wrong (factor))
    return;
  if (self->n_alike++ == 0)
    self->factor = factor;
}

gdouble
gcc_clock_check_feed (GccClockCheck *self, guint32 ssrc, guint32 timestamp,
    guint clock_rate, GccTime arrival)
{
  GccTime passed;
  gdouble advanced;

  if (!goes_on (self, ssrc, clock_rate, arrival)) {
    begin (self, ssrc, timestamp, clock_rate, arrival);
    return 0.;
  }

  self->last = arrival;
  passed = gcc_time_diff (arrival, self->since);
  if (passed < WINDOW)
    return 0.;

  advanced = (gdouble) (gint32) (timestamp - self->timestamp) / clock_rate;
  count_window (self, advanced * (gdouble) GCC_SECOND / (gdouble) passed);
  begin_window (self, timestamp, arrival);
  if (self->n_alike < N_WINDOWS)
    return 0.;

  self->n_alike = 0;
  return self->factor;
}

guint
gcc_clock_check_guess (gdouble factor, guint clock_rate)
{
  /* RFC 3551, and 48000 of Opus (RFC 7587) */
  static const guint usual[] = { 8000, 16000, 22050, 32000, 44100, 48000,
    90000 };
  gdouble wanted = factor * clock_rate;
  guint nearest = usual[0];

  for (guint i = 1; i < G_N_ELEMENTS (usual); i++)
    if (fabs (usual[i] - wanted) < fabs (nearest - wanted))
      nearest = usual[i];

  return nearest;
}
