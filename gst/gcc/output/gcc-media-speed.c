/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/output/gcc-media-speed.h>

void
gcc_media_speed_init (GccMediaSpeed *self, const GccMediaSpeedParams *params)
{
  *self = (GccMediaSpeed){
    .params = params, .since = GCC_TIME_NONE, .newest = GCC_TIME_NONE
  };
}

static void
begin_window (GccMediaSpeed *self, GccTime now)
{
  self->since = now;
  self->media = self->newest;
}

/* Media that stands still is none: the timestamps do not tell its speed. */
static void
count_window (GccMediaSpeed *self, GccTime played, GccTime passed)
{
  gdouble speed = (gdouble) played / (gdouble) passed;
  gboolean is_slow = speed > 0. && speed < self->params->slow;

  self->n_fast = speed > self->params->fast ? self->n_fast + 1 : 0;
  self->n_slow = is_slow ? self->n_slow + 1 : 0;
  self->late = is_slow ? self->late + passed - played : 0;
}

GccTime
gcc_media_speed_get_late (const GccMediaSpeed *self)
{
  return self->late;
}

gdouble
gcc_media_speed_feed (GccMediaSpeed *self, GccTime media, GccTime now)
{
  GccTime passed, played;

  if (self->newest == GCC_TIME_NONE || media > self->newest) {
    self->newest = media;
  } else if (media < self->newest - self->params->jump) {
    self->newest = media;
    self->since = GCC_TIME_NONE;
  }
  passed = gcc_time_diff (now, self->since);
  if (self->since == GCC_TIME_NONE || passed < 0) {
    begin_window (self, now);
    return 0.;
  }
  if (passed < self->params->window)
    return 0.;

  played = self->newest - self->media;
  count_window (self, played, passed);
  begin_window (self, now);
  if (MAX (self->n_fast, self->n_slow) < self->params->n_windows)
    return 0.;
  self->n_fast = 0;
  self->n_slow = 0;

  return (gdouble) played / (gdouble) passed;
}
