/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "video-traffic-model.h"

#include <math.h>

/* RFC 8593, figure 2 */
#define TAU_V_US (200 * 1000) /* reaction latency */
#define K_D 8                 /* K_d, frames of a burst */
#define K_B 13500.            /* bytes of its first frame */
#define SCALE_T .15           /* of the interval's Laplacian deviation */
#define SCALE_B .15           /* of the size's */

/* The RFC has a burst follow an abrupt change of R_v, and gives no number. Its
 * authors' own program, syncodecs, takes a change by half; and it leaves every
 * frame after the first a fifth of the mean where K_B is more than the whole
 * burst may have. */
#define ABRUPT .5
#define LEAST_IN_BURST .2

/* Laplacian deviations have no bound; time goes on and a frame is not empty. */
#define LEAST_INTERVAL_US 1000
#define LEAST_BYTES 1.

void
video_traffic_model_init (VideoTrafficModel *self, guint32 seed,
    gdouble frame_rate, gdouble min_rate, gdouble max_rate)
{
  g_return_if_fail (frame_rate > 0 && 0 < min_rate && min_rate <= max_rate);

  *self = (VideoTrafficModel){
    .random = g_rand_new_with_seed (seed),
    .frame_rate = frame_rate,
    .min_rate = min_rate,
    .max_rate = max_rate,
  };
}

void
video_traffic_model_clear (VideoTrafficModel *self)
{
  g_clear_pointer (&self->random, g_rand_free);
}

/* Within tau_v of the last change the encoder does not react to another one.
 * The first rate comes after none, which is as abrupt as can be. */
static void
follow (VideoTrafficModel *self, gdouble target_rate, gint64 now_us)
{
  gdouble rate = CLAMP (target_rate, self->min_rate, self->max_rate);
  gboolean started = self->rate > 0;

  if (started && (rate == self->rate || now_us - self->changed_us < TAU_V_US))
    return;

  if (fabs (rate - self->rate) > ABRUPT * self->rate)
    self->burst_left = K_D;
  self->rate = rate;
  self->changed_us = now_us;
}

static gdouble
laplacian (VideoTrafficModel *self, gdouble scale)
{
  /* the logarithm of a ratio of two uniform numbers, none of them 0 */
  gdouble above = 1. - g_rand_double (self->random);
  gdouble below = 1. - g_rand_double (self->random);

  return scale * log (above / below);
}

/* One large frame, then smaller ones, so that the mean stays R_v where it can
 */
static gdouble
burst_bytes (const VideoTrafficModel *self, gdouble mean)
{
  if (self->burst_left == K_D)
    return K_B;
  return MAX ((K_D * mean - K_B) / (K_D - 1), LEAST_IN_BURST * mean);
}

VideoTrafficFrame
video_traffic_model_next (
    VideoTrafficModel *self, gdouble target_rate, gint64 now_us)
{
  VideoTrafficFrame frame = { 0 };
  gdouble mean, bytes, interval_us;

  follow (self, target_rate, now_us);

  mean = self->rate / 8. / self->frame_rate;
  frame.begins_burst = self->burst_left == K_D;
  if (self->burst_left > 0) {
    bytes = burst_bytes (self, mean);
    self->burst_left--;
  } else {
    bytes = mean * (1. + laplacian (self, SCALE_B));
  }
  frame.bytes = (gsize) (MAX (bytes, LEAST_BYTES) + .5);

  interval_us = 1e6 / self->frame_rate * (1. + laplacian (self, SCALE_T));
  frame.interval_us = (gint64) (MAX (interval_us, LEAST_INTERVAL_US) + .5);

  return frame;
}
