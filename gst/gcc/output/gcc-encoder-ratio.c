/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-encoder-ratio.h>

/* So many windows in a row decide. */
#define STREAK 2

/* After a step the picture may still need little more than before: an encoder that
 * could send more does at least half of it. */
#define ANSWER 0.5

void
gcc_encoder_ratio_init (
    GccEncoderRatio *self, const GccEncoderRatioParams *params)
{
  *self = (GccEncoderRatio){
    .params = params,
    .factor = 1.,
    .next_step = GCC_TIME_NONE,
    .doubt = params != NULL ? params->doubt : 0,
  };
}

void
gcc_encoder_ratio_pause (GccEncoderRatio *self)
{
  self->is_measuring = FALSE;
  self->streak = 0;
}

gdouble
gcc_encoder_ratio_get_factor (const GccEncoderRatio *self)
{
  return self->factor;
}

gboolean
gcc_encoder_ratio_is_wrong (const GccEncoderRatio *self)
{
  return self->params != NULL &&
      (self->factor * self->params->over < 1. ||
          self->factor > self->params->step);
}

gboolean
gcc_encoder_ratio_get_rates (
    const GccEncoderRatio *self, GccRate *told, GccRate *sent)
{
  if (self->told == 0)
    return FALSE;
  *told = self->told;
  *sent = self->sent;

  return TRUE;
}

static void
begin_short (GccEncoderRatio *self, guint64 bytes, GccTime now)
{
  self->short_start = now;
  self->short_bytes = bytes;
}

static void
begin (GccEncoderRatio *self, guint64 bytes, GccRate wanted, GccTime now)
{
  self->is_measuring = TRUE;
  self->start = now;
  self->updated_at = now;
  self->first_bytes = bytes;
  self->wanted = wanted;
  self->wanted_bits = 0.;
  self->least_wanted = wanted;
  self->most_wanted = wanted;
  begin_short (self, bytes, now);
}

static gdouble
get_rate (guint64 bytes, GccTime duration)
{
  return 8. * (gdouble) bytes * (gdouble) GCC_SECOND / (gdouble) duration;
}

static void
set_factor (GccEncoderRatio *self, gdouble factor)
{
  self->factor = CLAMP (
      factor, 1. / self->params->most, 1. / self->params->least);
  self->streak = 0;
}

/* --- too little --- */

static void
give_up_step (GccEncoderRatio *self, gdouble factor, GccTime now)
{
  self->tried_part = 0.;
  self->next_step = gcc_time_add (now, self->doubt);
  self->doubt *= 2;
  set_factor (self, factor);
}

static void
make_step (GccEncoderRatio *self, gdouble part)
{
  self->tried_part = part;
  self->tried_factor = self->factor;
  set_factor (self, self->factor * self->params->step);
}

static gboolean
may_step (const GccEncoderRatio *self, gdouble part, GccTime now)
{
  return part >= self->params->least &&
      (self->next_step == GCC_TIME_NONE || now >= self->next_step) &&
      self->factor < 1. / self->params->least;
}

/* @part: what is sent, as a part of the wanted rate */
static void
judge_step (GccEncoderRatio *self, gdouble part, GccTime now)
{
  gdouble answer = 1. + ANSWER * (self->params->step - 1.);

  if (part < answer * self->tried_part) {
    give_up_step (self, self->tried_factor, now);
    return;
  }
  self->doubt = self->params->doubt;
  self->tried_part = 0.;
  if (part < self->params->under && may_step (self, part, now))
    make_step (self, part);
}

static void
correct_upwards (GccEncoderRatio *self, gdouble part, GccTime now)
{
  /* A correction downwards that is not needed any more */
  if (self->factor < 1.)
    set_factor (self, MIN (self->factor / MAX (part, self->factor), 1.));
  else if (may_step (self, part, now))
    make_step (self, part);
}

/* --- */

static void
judge (GccEncoderRatio *self, gdouble part, GccTime now)
{
  if (self->tried_part > 0.) {
    judge_step (self, part, now);
    return;
  }
  if (part > self->params->over)
    self->streak = MAX (self->streak, 0) + 1;
  else if (part < self->params->under)
    self->streak = MIN (self->streak, 0) - 1;
  else
    self->streak = 0;
  if (self->streak >= STREAK)
    set_factor (self, self->factor / part);
  else if (self->streak <= -STREAK)
    correct_upwards (self, part, now);
}

static void
end_window (GccEncoderRatio *self, guint64 bytes, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->start);
  gdouble wanted = self->wanted_bits / (gdouble) passed;
  gdouble sent = get_rate (bytes - self->first_bytes, passed);
  gboolean is_steady = (gdouble) self->most_wanted <=
      self->params->steady * (gdouble) self->least_wanted;

  self->told = MAX ((GccRate) (wanted * self->factor), 1);
  self->sent = (GccRate) sent;
  if (is_steady)
    judge (self, sent / MAX (wanted, 1.), now);
  else
    self->streak = 0;
}

/* The encoder is well again, and sends what it is set to. */
static void
check_relapse (GccEncoderRatio *self, guint64 bytes, GccTime now)
{
  GccTime passed = gcc_time_diff (now, self->short_start);

  if (passed < self->params->relapse)
    return;
  if (self->factor > 1. &&
      get_rate (bytes - self->short_bytes, passed) >
          self->params->over * (gdouble) self->most_wanted)
    give_up_step (self, 1., now);
  begin_short (self, bytes, now);
}

static void
measure (GccEncoderRatio *self, guint64 bytes, GccRate wanted, GccTime now)
{
  gdouble factor = self->factor;

  self->wanted_bits += (gdouble) self->wanted *
      (gdouble) gcc_time_diff (now, self->updated_at);
  self->updated_at = now;
  self->wanted = wanted;
  self->least_wanted = MIN (self->least_wanted, wanted);
  self->most_wanted = MAX (self->most_wanted, wanted);
  check_relapse (self, bytes, now);
  if (gcc_time_diff (now, self->start) >= self->params->window)
    end_window (self, bytes, now);
  else if (self->factor == factor)
    return;
  begin (self, bytes, wanted, now);
}

gboolean
gcc_encoder_ratio_update (
    GccEncoderRatio *self, guint64 bytes, GccRate wanted, GccTime now)
{
  gdouble before = self->factor;

  if (self->params == NULL)
    return FALSE;
  if (!self->is_measuring || gcc_time_diff (now, self->updated_at) < 0 ||
      bytes < self->first_bytes)
    begin (self, bytes, wanted, now);
  else
    measure (self, bytes, wanted, now);

  return self->factor != before;
}
