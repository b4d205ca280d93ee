/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-overuse-detector.h>

#include <math.h>

/* The over-use timer does not run. */
#define STOPPED (-1.)

void
gcc_overuse_detector_init (
    GccOveruseDetector *self, const GccOveruseDetectorParams *params)
{
  *self = (GccOveruseDetector){
    .params = params,
    .signal = GCC_SIGNAL_NORMAL,
    .gamma = params->gamma_0,
    .overuse_time_ms = STOPPED,
    .last_update = GCC_TIME_NONE,
  };
}

static void
stop_timer (GccOveruseDetector *self)
{
  self->overuse_time_ms = STOPPED;
  self->n_overuses = 0;
}

static gboolean
is_sustained_overuse (GccOveruseDetector *self, gdouble m, gdouble departure_ms)
{
  /* Over-use began somewhere between the last group and this one. */
  if (self->overuse_time_ms == STOPPED)
    self->overuse_time_ms = departure_ms / 2.;
  else
    self->overuse_time_ms += departure_ms;
  self->n_overuses++;

  return self->overuse_time_ms > self->params->overuse_time_ms &&
      self->n_overuses >= self->params->min_overuses && m >= self->previous_m;
}

static void
detect (GccOveruseDetector *self, gdouble m, gdouble departure_ms)
{
  gdouble gamma = gcc_overuse_detector_get_gamma (self);

  if (self->modified_m > gamma) {
    if (is_sustained_overuse (self, m, departure_ms)) {
      self->overuse_time_ms = 0.;
      self->n_overuses = 0;
      self->signal = GCC_SIGNAL_OVERUSE;
    }
  } else if (self->modified_m < -gamma) {
    stop_timer (self);
    self->signal = GCC_SIGNAL_UNDERUSE;
  } else {
    stop_timer (self);
    self->signal = GCC_SIGNAL_NORMAL;
  }
}

/* γ(i) = γ(i-1) + Δt · K · (|m| - γ(i-1)): γ follows the delay variation of the
 * path, so that a concurrent TCP flow does not starve this one. A spike is
 * ignored, so that a sudden drop of capacity is still detected. */
static void
adapt_gamma (GccOveruseDetector *self, GccTime now)
{
  const GccOveruseDetectorParams *params = self->params;
  gdouble excess = fabs (self->modified_m) - self->gamma;
  gdouble k = excess < 0. ? params->k_d : params->k_u;
  GccTime dt = self->last_update == GCC_TIME_NONE
      ? 0
      : gcc_time_diff (now, self->last_update);

  self->last_update = now;
  if (excess > params->max_excess || dt <= 0)
    return;
  if (params->max_dt != 0)
    dt = MIN (dt, params->max_dt);

  self->gamma += gcc_time_to_ms (dt) * k * excess;
  self->gamma = CLAMP (self->gamma, params->gamma_min, params->gamma_max);
}

GccSignal
gcc_overuse_detector_update (GccOveruseDetector *self, gdouble m,
    guint n_deltas, gdouble departure_ms, GccTime now)
{
  if (n_deltas < self->params->min_deltas)
    return GCC_SIGNAL_NORMAL;

  self->modified_m = MIN (n_deltas, self->params->n_max) * m;
  detect (self, m, departure_ms);
  self->previous_m = m;
  if (self->params->k_u > 0.)
    adapt_gamma (self, now);
  return self->signal;
}

void
gcc_overuse_detector_set_halved (GccOveruseDetector *self, gboolean halved)
{
  self->is_halved = halved && self->params->gamma_halves;
}

gdouble
gcc_overuse_detector_get_gamma (const GccOveruseDetector *self)
{
  return self->is_halved ? self->gamma / 2. : self->gamma;
}
