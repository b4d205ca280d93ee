/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-degradation.h>

#include <math.h>
#include <string.h>

/* A rise counts when it has lasted for so long; at the edge of a step there is
 * one in that time. */
#define HOLD (10 * GCC_SECOND)

/* In this time after the first rate the target still leaves its start, and steps
 * follow each other sooner. */
#define START (10 * GCC_SECOND)
#define START_HOLD (2 * GCC_SECOND)

/* A fall counts when it has lasted for so long, so that a queue that is drained
 * for a moment is not one, and one of several steps sooner. */
#define FALL (1 * GCC_SECOND)
#define COLLAPSE (500 * GCC_MSECOND)

/* A step for which the encoder was too slow is tried again after this time. */
#define PATIENCE (60 * GCC_SECOND)

/* The first rate is not measured yet: it counts as this part of it. */
#define GUESS .5

/* A step up needs this multiple of the rate below which the step is left. */
#define MARGIN 1.25

/* A smaller picture, or fewer frames, are worth less than what is saved. */
#define LEAST_PIXELS 14400 /* 160x90 */
#define LEAST_FRAME_RATE 5.

/* Above this frame rate frames are given up before pixels. */
#define SMOOTH_FRAME_RATE 30

/* Of a source whose frame rate varies. */
#define USUAL_FRAME_RATE 30

/* Size, in eighths of the source's width and height, and every how many-th frame
 * is taken. In order of quality. */
typedef struct {
  guint eighths;
  guint every;
} Shape;

#define MAX_SHAPES (GCC_DEGRADATION_MAX_STEPS - 1)

/* By preference; ends with zeros. */
static const Shape shapes[][MAX_SHAPES] = {
  [GCC_DEGRADATION_NONE] = { { 8, 1 } },
  [GCC_DEGRADATION_BALANCED] = { { 8, 1 }, { 6, 1 }, { 4, 1 }, { 4, 2 },
      { 3, 2 }, { 2, 2 }, { 2, 3 } },
  [GCC_DEGRADATION_MAINTAIN_FRAMERATE] = { { 8, 1 }, { 6, 1 }, { 4, 1 },
      { 3, 1 }, { 2, 1 } },
  [GCC_DEGRADATION_MAINTAIN_RESOLUTION] = { { 8, 1 }, { 8, 2 }, { 8, 3 },
      { 8, 4 }, { 8, 6 } },
};

/* Below it, the next smaller size looks better: bits per pixel of a picture of
 * 640x360 at 30 frames a second. */
static const gdouble bits_per_pixel[] = {
  [GCC_CODEC_VP8] = 0.022,
  [GCC_CODEC_VP9] = 0.016,
  [GCC_CODEC_H264] = 0.022,
  [GCC_CODEC_H265] = 0.016,
  [GCC_CODEC_AV1] = 0.014,
};

/* A large picture needs less for each of its pixels, and a frame less when it
 * follows soon after another. */
#define REFERENCE_PIXELS (640. * 360.)
#define REFERENCE_FRAME_RATE 30.
#define PIXELS_EXPONENT 0.75
#define FRAMES_EXPONENT 0.85

void
gcc_degradation_init (GccDegradation *self)
{
  static const GccVideoFormat none = { 0, 0, 0, 1 };

  memset (self, 0, sizeof *self);
  self->source = none;
  self->steps[0].format = none;
  self->n_steps = 1;
  self->started_at = GCC_TIME_NONE;
  self->stepped_at = GCC_TIME_NONE;
}

/* --- the ladder --- */

static gdouble
get_frame_rate (const GccVideoFormat *format)
{
  if (format->rate_n == 0)
    return USUAL_FRAME_RATE;
  return (gdouble) format->rate_n / MAX (format->rate_d, 1);
}

static GccRate
get_needed (const GccDegradation *self, const GccVideoFormat *format)
{
  gdouble pixels = (gdouble) format->width * format->height;
  gdouble size = pow (pixels / REFERENCE_PIXELS, PIXELS_EXPONENT);
  gdouble frames = pow (
      get_frame_rate (format) / REFERENCE_FRAME_RATE, FRAMES_EXPONENT);

  return gcc_rate_from_double (bits_per_pixel[self->codec] * REFERENCE_PIXELS *
      REFERENCE_FRAME_RATE * size * frames);
}

/* Chroma is shared by pixels next to each other: sizes are even. */
static guint
get_part (guint length, guint eighths)
{
  if (eighths == 8)
    return length;

  return MAX ((guint) ((guint64) length * eighths / 8) & ~1u, 2);
}

static void
divide_frame_rate (GccVideoFormat *format, guint every)
{
  if (format->rate_n == 0 && every > 1)
    format->rate_n = USUAL_FRAME_RATE;
  if (format->rate_d <= G_MAXINT / every)
    format->rate_d *= every;
}

static GccVideoFormat
get_format (const GccVideoFormat *source, const Shape *shape)
{
  GccVideoFormat format = *source;

  format.width = get_part (source->width, shape->eighths);
  format.height = get_part (source->height, shape->eighths);
  divide_frame_rate (&format, shape->every);

  return format;
}

gboolean
gcc_video_format_is_equal (const GccVideoFormat *a, const GccVideoFormat *b)
{
  return a->width == b->width && a->height == b->height &&
      a->rate_n == b->rate_n && a->rate_d == b->rate_d;
}

/* @shape, or of the size of the step before where its pictures are too small. */
static GccVideoFormat
get_format_or_last_size (const GccDegradation *self, const Shape *shape)
{
  GccVideoFormat format = get_format (&self->source, shape);
  guint64 pixels = (guint64) format.width * format.height;

  if (self->n_steps > 0 && shape->eighths < 8 && pixels < LEAST_PIXELS) {
    format.width = self->steps[self->n_steps - 1].format.width;
    format.height = self->steps[self->n_steps - 1].format.height;
  }

  return format;
}

static void
add_step (GccDegradation *self, const Shape *shape)
{
  GccVideoFormat format = get_format_or_last_size (self, shape);

  if (shape->every > 1 && get_frame_rate (&format) < LEAST_FRAME_RATE)
    return;
  if (self->n_steps > 0 &&
      gcc_video_format_is_equal (
          &format, &self->steps[self->n_steps - 1].format))
    return;

  self->steps[self->n_steps++] = (GccDegradationStep){
    .format = format,
    .needed = get_needed (self, &format),
    .above_since = GCC_TIME_NONE,
    .below_since = GCC_TIME_NONE,
  };
}

/* Every how many-th frame of @source makes a smooth picture. */
static guint
get_smooth (const GccVideoFormat *source)
{
  gdouble rate = get_frame_rate (source);

  return rate > SMOOTH_FRAME_RATE
      ? (guint) MIN (ceil (rate / SMOOTH_FRAME_RATE), 1000.)
      : 1;
}

static void
make_ladder (GccDegradation *self)
{
  const Shape *shape = shapes[self->preference];
  guint smooth = get_smooth (&self->source);

  self->n_steps = 0;
  add_step (self, shape);
  if (self->preference == GCC_DEGRADATION_MAINTAIN_FRAMERATE ||
      self->preference == GCC_DEGRADATION_NONE || smooth == 1) {
    smooth = 1;
    shape++;
  }
  for (; shape < shapes[self->preference] + MAX_SHAPES && shape->every > 0;
       shape++) {
    Shape scaled = { shape->eighths, shape->every * smooth };

    add_step (self, &scaled);
  }
}

void
gcc_degradation_set_source (GccDegradation *self,
    GccDegradationPreference preference, GccCodec codec,
    const GccVideoFormat *source)
{
  if (self->preference == preference && self->codec == codec &&
      gcc_video_format_is_equal (&self->source, source))
    return;

  self->preference = preference;
  self->codec = codec;
  self->source = *source;
  make_ladder (self);
  self->step = 0;
  self->best = 0;
  self->patience = PATIENCE;
  self->is_trying = FALSE;
  self->has_rate = FALSE;
}

/* --- the step --- */

/* The last one needs nothing. */
static guint
find_step (const GccDegradation *self, GccRate rate)
{
  guint step = self->best;

  while (step + 1 < self->n_steps && rate < self->steps[step].needed)
    step++;

  return step;
}

/* A fall that is too short to count does not end what was above, either. */
static void
watch (GccDegradationStep *step, gboolean is_above, GccTime now)
{
  if (is_above) {
    step->below_since = GCC_TIME_NONE;
    if (step->above_since == GCC_TIME_NONE)
      step->above_since = now;
    return;
  }

  if (step->below_since == GCC_TIME_NONE)
    step->below_since = now;
  if (gcc_time_has_passed (FALL, step->below_since, now))
    step->above_since = GCC_TIME_NONE;
}

/* The present step is left without the margin with which it was entered. */
static void
watch_all (GccDegradation *self, GccRate rate, GccTime now)
{
  for (guint i = 0; i < self->n_steps; i++) {
    GccDegradationStep *step = &self->steps[i];
    gdouble margin = i < self->step ? MARGIN : 1.;

    watch (step, (gdouble) rate >= margin * (gdouble) step->needed, now);
  }
}

static gboolean
has_held (const GccDegradationStep *step, GccTime hold, GccTime now)
{
  return step->above_since != GCC_TIME_NONE &&
      gcc_time_has_passed (hold, step->above_since, now);
}

/* Between steps, but for a collapse. */
static GccTime
get_hold (const GccDegradation *self, GccTime now)
{
  return gcc_time_has_passed (START, self->started_at, now) ? HOLD : START_HOLD;
}

/* The best one whose rate has held, however many steps that is. */
static guint
find_rise (const GccDegradation *self, GccTime now)
{
  GccTime hold = get_hold (self, now);
  guint step = self->best;

  if (!gcc_time_has_passed (hold, self->stepped_at, now))
    return self->step;
  while (step < self->step && !has_held (&self->steps[step], hold, now))
    step++;

  return step;
}

static guint
find_fall (const GccDegradation *self, GccRate rate, GccTime now)
{
  const GccDegradationStep *step = &self->steps[self->step];
  guint lower = find_step (self, rate);
  gboolean is_collapse = lower > self->step + 1;

  if (lower <= self->step || step->below_since == GCC_TIME_NONE ||
      !gcc_time_has_passed (
          is_collapse ? COLLAPSE : FALL, step->below_since, now))
    return self->step;
  if (!is_collapse &&
      !gcc_time_has_passed (get_hold (self, now), self->stepped_at, now))
    return self->step;

  return lower;
}

static gboolean
take (GccDegradation *self, guint step, GccTime now)
{
  if (step == self->step)
    return FALSE;

  self->step = step;
  self->stepped_at = now;
  for (guint i = 0; i < self->n_steps; i++)
    self->steps[i].below_since = GCC_TIME_NONE;

  return TRUE;
}

/* --- the encoder's speed --- */

void
gcc_degradation_lower (GccDegradation *self, GccTime now)
{
  if (!self->has_rate)
    return;
  self->patience = self->is_trying ? 2 * self->patience : self->patience;
  self->is_trying = FALSE;
  self->slow_at = now;
  self->best = MIN (self->step + 1, self->n_steps - 1);
  take (self, self->best, now);
}

static void
try_better (GccDegradation *self, GccTime now)
{
  if (self->best == 0 ||
      !gcc_time_has_passed (self->patience, self->slow_at, now))
    return;
  self->best--;
  self->slow_at = now;
  self->is_trying = TRUE;
}

/* The first rate, or that of a new ladder. */
static gboolean
begin (GccDegradation *self, GccRate rate, GccTime now)
{
  self->has_rate = TRUE;
  if (self->started_at == GCC_TIME_NONE) {
    self->started_at = now;
    rate = gcc_rate_from_double (GUESS * (gdouble) rate);
  }

  return take (self, find_step (self, rate), now);
}

gboolean
gcc_degradation_update (GccDegradation *self, GccRate rate, GccTime now)
{
  guint fall;

  if (rate < 0)
    return FALSE;
  if (!self->has_rate)
    return begin (self, rate, now);

  try_better (self, now);
  watch_all (self, rate, now);
  fall = find_fall (self, rate, now);

  return take (self, fall > self->step ? fall : find_rise (self, now), now);
}

const GccVideoFormat *
gcc_degradation_get_format (const GccDegradation *self)
{
  return &self->steps[self->step].format;
}
