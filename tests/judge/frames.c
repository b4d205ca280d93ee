/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "frames.h"

#include <math.h>
#include <stdlib.h>

/* A picture that is late by less does not seem to stand still, as the testbed
 * has it (measure/frames.py). */
#define FROZEN (150 * GCC_MSECOND)
/* How often a lost packet is asked for. */
#define MAX_REPAIRS 3

static JudgeFrame *
get_frame (const JudgeFrames *self, guint i)
{
  return &g_array_index (self->frames, JudgeFrame, i);
}

static gboolean
is_whole (const JudgeFrame *frame)
{
  return frame->missing == 0;
}

/* --- what the simulator tells --- */

static void
add_frame (gpointer data, gint64 bytes, GccTime now)
{
  JudgeFrames *self = data;
  guint n = self->frames->len;
  JudgeFrame frame = {
    .made = now,
    .arrived = now,
    .end = (n > 0 ? get_frame (self, n - 1)->end : 0) + bytes,
    .missing = bytes,
  };

  g_array_append_val (self->frames, frame);
}

/* The frame that has this byte. */
static guint
find_frame (const JudgeFrames *self, gint64 offset)
{
  guint low = 0;
  guint high = self->frames->len;

  while (low < high) {
    guint middle = (low + high) / 2;

    if (get_frame (self, middle)->end <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void
add_bytes (gpointer data, gint64 offset, gsize bytes, GccTime now)
{
  JudgeFrames *self = data;
  gint64 end = offset + (gint64) bytes;
  guint i = find_frame (self, offset);

  for (; offset < end && i < self->frames->len; i++) {
    JudgeFrame *frame = get_frame (self, i);
    gint64 until = MIN (frame->end, end);

    frame->missing -= until - offset;
    frame->arrived = MAX (frame->arrived, now - self->delay);
    offset = until;
  }
}

/* Where lost packets are sent again, the request and the packet take a round
 * trip, and the link is not asked: repairs are few. */
static void
lose_bytes (gpointer data, gint64 offset, gsize bytes, GccTime now)
{
  JudgeFrames *self = data;

  for (guint i = 0; self->is_repaired && i < MAX_REPAIRS; i++) {
    GccTime late;

    now += 2 * self->delay;
    late = judge_path_carry (self->path, now);
    if (late == GCC_TIME_NONE)
      continue;
    add_bytes (self, offset, bytes, now + late + self->delay);
    return;
  }
}

void
judge_frames_init (JudgeFrames *self, JudgePath *path)
{
  *self = (JudgeFrames){
    .path = path,
    .delay = path->call->delay,
    .is_repaired = path->call->is_repaired,
    .frames = g_array_new (FALSE, FALSE, sizeof (JudgeFrame)),
    .hook = { self, add_frame, add_bytes, lose_bytes },
  };
}

void
judge_frames_clear (JudgeFrames *self)
{
  g_array_unref (self->frames);
}

/* --- measures --- */

static int
compare (gconstpointer a, gconstpointer b)
{
  gdouble left = *(const gdouble *) a;
  gdouble right = *(const gdouble *) b;

  return (left > right) - (left < right);
}

/* Between two values the straight line, as numpy has it. */
static gdouble
get_percentile (const GArray *sorted, gdouble percent)
{
  const gdouble *values = (const gdouble *) (gconstpointer) sorted->data;
  gdouble place = percent / 100. * (sorted->len - 1.);
  guint below = (guint) MAX (place, 0.);

  if (sorted->len == 0)
    return NAN;
  if (below + 1 >= sorted->len)
    return values[sorted->len - 1];
  return values[below] + (place - below) * (values[below + 1] - values[below]);
}

static gboolean
is_between (const JudgeFrame *frame, GccTime begin, GccTime end)
{
  return frame->made >= begin && frame->made <= end;
}

static GccTime
get_freeze (GccTime due, GccTime shown, GccTime begin, GccTime end)
{
  if (shown - due <= FROZEN)
    return 0;
  return MAX (MIN (shown, end) - MAX (due, begin), 0);
}

/* How long the picture stands still though the next one is due: it is due as
 * long after the one before as it was made after it. */
static GccTime
get_frozen (const JudgeFrames *self, GccTime begin, GccTime end)
{
  GccTime frozen = 0;
  GccTime shown = 0;
  GccTime due = self->frames->len > 0 ? get_frame (self, 0)->made : end;

  for (guint i = 0; i + 1 < self->frames->len; i++) {
    const JudgeFrame *frame = get_frame (self, i);

    if (!is_whole (frame))
      continue;
    shown = MAX (shown, frame->arrived);
    frozen += get_freeze (due, shown, begin, end);
    due = shown + get_frame (self, i + 1)->made - frame->made;
  }
  return frozen + get_freeze (due, G_MAXINT64 / 2, begin, end);
}

static void
take_delays (JudgeSeen *seen, GArray *delays)
{
  g_array_sort (delays, compare);
  seen->delay_p50_ms = get_percentile (delays, 50.);
  seen->delay_p95_ms = get_percentile (delays, 95.);
  seen->delay_p99_ms = get_percentile (delays, 99.);
}

JudgeSeen
judge_frames_measure (const JudgeFrames *self, GccTime begin, GccTime end)
{
  g_autoptr (GArray) delays = g_array_new (FALSE, FALSE, sizeof (gdouble));
  guint n = 0;
  JudgeSeen seen;

  for (guint i = 0; i < self->frames->len; i++) {
    const JudgeFrame *frame = get_frame (self, i);
    gdouble delay_ms = (gdouble) (frame->arrived - frame->made) /
        (gdouble) GCC_MSECOND;

    if (!is_between (frame, begin, end))
      continue;
    n++;
    if (is_whole (frame))
      g_array_append_val (delays, delay_ms);
  }
  take_delays (&seen, delays);
  seen.incomplete_percent = n > 0 ? 100. * (n - delays->len) / n : NAN;
  seen.frozen_percent = 100. * (gdouble) get_frozen (self, begin, end) /
      (gdouble) (end - begin);
  return seen;
}
