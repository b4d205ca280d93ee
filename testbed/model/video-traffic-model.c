/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "video-traffic-model.h"

#include <math.h>

/* RFC 8593, figure 2 */
#define TAU_V_US (200 * 1000) /* reaction latency */
#define K_D 8                 /* K_d, frames of a burst */
#define SCALE_T .15           /* scale of the interval's Laplacian deviation */
#define SCALE_B .15           /* scale of the size's Laplacian deviation */

/* The RFC has a burst follow an abrupt change of R_v, and gives no number. Its
 * authors' own program, syncodecs, takes a change by half; and it leaves every
 * frame after the first a fifth of the mean where K_B is more than the whole
 * burst may have. */
#define ABRUPT .5
#define LEAST_IN_BURST .2

/* Laplacian deviations have no bound; time goes on and a frame is not empty. */
#define LEAST_INTERVAL_US 1000
#define LEAST_BYTES 1.

typedef struct {
  gint64 due_us;
  gdouble rate;
} Target;

void
video_traffic_model_init (
    VideoTrafficModel *self, guint32 seed, const VideoTrafficParams *params)
{
  g_return_if_fail (params->frame_rate > 0 && 0 < params->min_rate &&
      params->min_rate <= params->max_rate);

  *self = (VideoTrafficModel){
    .params = *params,
    .random = g_rand_new_with_seed (seed),
  };
  g_queue_init (&self->targets);
}

void
video_traffic_model_clear (VideoTrafficModel *self)
{
  g_clear_pointer (&self->random, g_rand_free);
  g_queue_clear_full (&self->targets, g_free);
}

/* The target of late_us ago, or the first one. */
static gdouble
get_late_target (VideoTrafficModel *self, gdouble target_rate, gint64 now_us)
{
  Target *target = g_new (Target, 1);
  const Target *next;

  *target = (Target){ now_us + self->params.late_us, target_rate };
  g_queue_push_tail (&self->targets, target);
  while ((next = g_queue_peek_nth (&self->targets, 1)) != NULL &&
      next->due_us <= now_us)
    g_free (g_queue_pop_head (&self->targets));

  return ((const Target *) g_queue_peek_head (&self->targets))->rate;
}

/* Within tau_v of the last change the encoder does not react to another one.
 * The first rate comes after none, which is as abrupt as can be. Returns whether
 * the encoder starts over. */
static gboolean
follow (VideoTrafficModel *self, gdouble target_rate, gint64 now_us)
{
  gdouble rate = CLAMP (
      target_rate, self->params.min_rate, self->params.max_rate);
  gboolean started = self->rate > 0;
  gboolean starts_over = started && self->params.starts_over;

  if (started &&
      (rate == self->rate ||
          (!starts_over && now_us - self->changed_us < TAU_V_US)))
    return FALSE;

  if (!starts_over && fabs (rate - self->rate) > ABRUPT * self->rate)
    self->burst_left = K_D;
  self->rate = rate;
  self->changed_us = now_us;

  return starts_over;
}

static gboolean
key_frame_is_due (const VideoTrafficModel *self, gint64 now_us)
{
  return self->params.key_interval_us > 0 &&
      now_us - self->key_us >= self->params.key_interval_us;
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
  gdouble key = self->params.key_bytes;

  if (self->burst_left == K_D)
    return key;
  return MAX ((K_D * mean - key) / (K_D - 1), LEAST_IN_BURST * mean);
}

static gdouble
frame_bytes (VideoTrafficModel *self)
{
  gdouble mean = self->params.rate_factor * self->rate / 8. /
      self->params.frame_rate;
  gdouble bytes;

  if (self->burst_left == 0)
    return mean * (1. + laplacian (self, SCALE_B));

  bytes = burst_bytes (self, mean);
  self->burst_left--;

  return bytes;
}

VideoTrafficFrame
video_traffic_model_next (
    VideoTrafficModel *self, gdouble target_rate, gint64 now_us)
{
  VideoTrafficFrame frame = { 0 };
  gdouble bytes, interval_us;
  gboolean starts_over = follow (
      self, get_late_target (self, target_rate, now_us), now_us);

  if (starts_over)
    self->burst_left = 0;
  else if (key_frame_is_due (self, now_us))
    self->burst_left = K_D;
  frame.is_key = starts_over || self->burst_left == K_D;
  if (frame.is_key)
    self->key_us = now_us;

  bytes = starts_over ? self->params.key_bytes : frame_bytes (self);
  frame.bytes = (gsize) (MAX (bytes, LEAST_BYTES) + .5);

  interval_us = 1e6 / self->params.frame_rate *
      (1. + laplacian (self, SCALE_T));
  frame.interval_us = (gint64) (MAX (interval_us, LEAST_INTERVAL_US) + .5);

  return frame;
}
