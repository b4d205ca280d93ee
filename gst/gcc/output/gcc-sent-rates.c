/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-sent-rates.h>

#include <string.h>

#define N_PARTS (GCC_SENT_RATES_PARTS + 1)

/* Counters that follow the bytes of each kind. */
#define VIDEO_PACKETS GCC_SENT_N_KINDS
#define VIDEO_FRAMES (GCC_SENT_N_KINDS + 1)
#define PADDING (GCC_SENT_N_KINDS + 2)

/* More than any transport delivers. */
#define MAX_SIZE G_MAXUINT16

void
gcc_sent_rates_init (GccSentRates *self, const GccSentRatesParams *params)
{
  g_return_if_fail (params->window >= GCC_SENT_RATES_PARTS);

  memset (self, 0, sizeof *self);
  self->part = params->window / GCC_SENT_RATES_PARTS;
}

static void
restart (GccSentRates *self, GccTime now)
{
  memset (self->counters, 0, sizeof self->counters);
  memset (self->sums, 0, sizeof self->sums);
  self->has_parts = TRUE;
  self->newest_start = now;
}

static void
begin_part (GccSentRates *self)
{
  guint64 *counters;

  self->newest = (self->newest + 1) % N_PARTS;
  counters = self->counters[self->newest];
  for (guint i = 0; i < GCC_SENT_RATES_N_COUNTERS; i++) {
    self->sums[i] -= counters[i];
    counters[i] = 0;
  }
}

static void
count (GccSentRates *self, guint counter, guint64 n)
{
  self->counters[self->newest][counter] += n;
  self->sums[counter] += n;
}

/* Advances the window so that its newest part contains @now, and returns how
 * much of that part has passed. After the clock was set back time stands still
 * until it has caught up; if that would take longer than the window, it starts
 * over. */
static GccTime
advance (GccSentRates *self, GccTime now)
{
  GccTime window = self->part * GCC_SENT_RATES_PARTS;
  GccTime passed = gcc_time_diff (now, self->newest_start);

  if (!self->has_parts || passed < -window || passed > window + self->part) {
    restart (self, now);
    return 0;
  }
  if (passed < 0)
    return 0;

  for (; passed >= self->part; passed -= self->part)
    begin_part (self);
  self->newest_start = gcc_time_diff (now, passed);
  return passed;
}

static gdouble
sum_up (GccSentRates *self, guint counter, GccTime now)
{
  GccTime passed = advance (self, now);
  guint64 oldest = self->counters[(self->newest + 1) % N_PARTS][counter];

  return (gdouble) (self->sums[counter] - oldest) +
      (gdouble) oldest * (gdouble) (self->part - passed) / (gdouble) self->part;
}

static gdouble
get_per_second (const GccSentRates *self, gdouble sum)
{
  GccTime window = self->part * GCC_SENT_RATES_PARTS;

  return sum * (gdouble) GCC_SECOND / (gdouble) window;
}

void
gcc_sent_rates_feed (GccSentRates *self, GccSentKind kind, gsize bytes,
    gboolean ends_frame, GccTime now)
{
  advance (self, now);
  count (self, kind, MIN (bytes, MAX_SIZE));
  if (kind != GCC_SENT_VIDEO)
    return;

  count (self, VIDEO_PACKETS, 1);
  if (ends_frame)
    count (self, VIDEO_FRAMES, 1);
}

void
gcc_sent_rates_feed_padding (GccSentRates *self, gsize bytes, GccTime now)
{
  gcc_sent_rates_feed (self, GCC_SENT_RTX, bytes, FALSE, now);
  count (self, PADDING, MIN (bytes, MAX_SIZE));
}

static GccRate
get_rate (GccSentRates *self, guint counter, GccTime now)
{
  gdouble bytes = sum_up (self, counter, now);

  return (GccRate) (get_per_second (self, bytes) * 8. + 0.5);
}

GccRate
gcc_sent_rates_get (GccSentRates *self, GccSentKind kind, GccTime now)
{
  return get_rate (self, kind, now);
}

GccRate
gcc_sent_rates_get_padding (GccSentRates *self, GccTime now)
{
  return get_rate (self, PADDING, now);
}

GccSentFrames
gcc_sent_rates_get_frames (GccSentRates *self, GccTime now)
{
  gdouble frames = sum_up (self, VIDEO_FRAMES, now);

  if (frames <= 0.)
    return (GccSentFrames){ .per_second = 0. };
  return (GccSentFrames){
    .per_second = get_per_second (self, frames),
    .bytes = sum_up (self, GCC_SENT_VIDEO, now) / frames,
    .packets = sum_up (self, VIDEO_PACKETS, now) / frames,
  };
}
