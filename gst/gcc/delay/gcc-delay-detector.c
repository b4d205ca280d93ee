/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/delay/gcc-delay-detector.h>

void
gcc_delay_detector_init (
    GccDelayDetector *self, const GccDelayDetectorParams *params)
{
  self->params = params;
  gcc_packet_group_init (&self->group, &params->group);
  gcc_arrival_filter_init (&self->filter, &params->filter);
  gcc_overuse_detector_init (&self->detector, &params->detector);
}

void
gcc_delay_detector_restart (GccDelayDetector *self)
{
  gcc_packet_group_init (&self->group, &self->params->group);
  gcc_arrival_filter_init (&self->filter, &self->params->filter);
}

/* Both the filter and the detector use γ and the signal of the previous
 * group. */
static gdouble
update_filter (GccDelayDetector *self, const GccGroupDelta *delta)
{
  return gcc_arrival_filter_update (&self->filter, delta, self->detector.signal,
      gcc_overuse_detector_get_gamma (&self->detector),
      self->params->detector.n_max);
}

static void
update_detector (GccDelayDetector *self, gdouble m, const GccGroupDelta *delta,
    const GccDelaySample *sample, GccTime now)
{
  guint n_deltas = gcc_arrival_filter_get_n_deltas (&self->filter);

  /* With send times, time is measured on the arrival clock. */
  gcc_overuse_detector_update (&self->detector, m, n_deltas,
      delta->departure_ms, sample->is_send_time ? sample->arrival : now);
}

gboolean
gcc_delay_detector_update (GccDelayDetector *self, const GccDelaySample *sample,
    GccTime now, GccDelayState *state)
{
  GccGroupDelta delta;
  gdouble m;

  if (!gcc_packet_group_update (&self->group, sample->departure,
          sample->clock_rate, sample->arrival, sample->size, now, &delta))
    return FALSE;

  m = update_filter (self, &delta);
  update_detector (self, m, &delta, sample, now);

  *state = (GccDelayState){
    .delay_variation_ms = delta.arrival_ms - delta.departure_ms,
    .m_ms = m,
    .modified_m_ms = self->detector.modified_m,
    .gamma_ms = gcc_overuse_detector_get_gamma (&self->detector),
    .signal = self->detector.signal,
  };
  return TRUE;
}

void
gcc_delay_detector_set_gamma_halved (GccDelayDetector *self, gboolean halved)
{
  gcc_overuse_detector_set_halved (&self->detector, halved);
}

gdouble
gcc_delay_detector_get_noise_variance (const GccDelayDetector *self)
{
  return gcc_arrival_filter_get_variance (&self->filter);
}
