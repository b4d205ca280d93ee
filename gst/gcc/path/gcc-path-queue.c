/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-path-queue.h>

#include <math.h>

void
gcc_path_queue_init (GccPathQueue *self, const GccPathQueueParams *params)
{
  *self = (GccPathQueue){ .params = params };
  gcc_windowed_min_init (&self->base);
  gcc_windowed_min_init (&self->base_delay);
  gcc_windowed_min_init (&self->round_trips);
  gcc_windowed_min_init (&self->delays);
  gcc_packet_time_init (&self->packet_time, &params->packet_time);
}

/* A delay of the way there that has jumped is measured by another clock: that
 * of another end, or of a stranger. The least values by the old clock do not
 * apply to the new one. */
static void
follow_clock (GccPathQueue *self, GccTime delay, gboolean keeps_base)
{
  GccTime jump = gcc_time_diff (delay, self->delay);

  self->delay = delay;
  if (keeps_base ||
      (jump < self->params->max_jump && jump > -self->params->max_jump))
    return;
  gcc_windowed_min_init (&self->base);
  gcc_windowed_min_init (&self->base_delay);
}

static void
feed_step (const GccPathQueue *self, gdouble *mean, GccTime step)
{
  gdouble size = MIN (fabs ((gdouble) step), (gdouble) self->params->loud);

  *mean += (size - *mean) / self->params->mean_steps;
}

static void
note_round (GccPathQueue *self, GccTime round_trip, GccTime delay, GccTime now)
{
  GccTime round = self->params->round;
  GccTime step;

  if (gcc_windowed_min_get_step (&self->round_trips, round, now, &step))
    feed_step (self, &self->mean_round_step, step);
  gcc_windowed_min_feed (&self->round_trips, round_trip, round, now);
  gcc_windowed_min_feed (&self->delays, delay, round, now);
}

/* When the round trip has grown much more than the way there, feedback is late
 * on its way back, and the way there counts. The round trip counts otherwise,
 * because clocks drift apart. */
static GccTime
measure (const GccPathQueue *self, GccTime round_trip, GccTime delay)
{
  GccTime there = gcc_windowed_min_get_excess (&self->base_delay, delay);
  GccTime queueing = gcc_windowed_min_get_excess (&self->base, round_trip);

  if (gcc_time_diff (queueing, there) > self->params->max_way_back)
    queueing = there;
  return gcc_packet_time_get_wait (
      &self->packet_time, queueing, self->params->packet);
}

/* On a noisy path the least of a round is above the base by the noise that is
 * left in it. */
static GccTime
measure_round (const GccPathQueue *self)
{
  GccTime queueing = measure (self, gcc_windowed_min_get (&self->round_trips),
      gcc_windowed_min_get (&self->delays));

  return MAX (gcc_time_diff (queueing, (GccTime) self->mean_round_step), 0);
}

/* A route that has become longer is never as short again. The least values are
 * kept while other flows hold the queue, because feedback never sees it empty
 * then. */
static void
note_base (GccPathQueue *self, const GccPathQueueInput *input, GccTime now)
{
  GccTime window = self->params->base_window;

  if (input->keeps_base) {
    gcc_windowed_min_hold (&self->base, input->passed);
    gcc_windowed_min_hold (&self->base_delay, input->passed);
  }
  gcc_windowed_min_feed (&self->base, self->round_trip, window, now);
  gcc_windowed_min_feed (&self->base_delay, self->delay, window, now);
}

void
gcc_path_queue_update (
    GccPathQueue *self, const GccPathQueueInput *input, GccTime now)
{
  GccTime round_trip = MIN (input->round_trip, self->params->max_round_trip);

  gcc_packet_time_feed (&self->packet_time, input->acknowledged, input->passed);
  if (self->round_trip > 0)
    feed_step (
        self, &self->mean_step, gcc_time_diff (round_trip, self->round_trip));
  follow_clock (self, input->delay, input->keeps_base);
  self->round_trip = round_trip;
  note_base (self, input, now);
  note_round (self, round_trip, input->delay, now);
  self->queueing = gcc_path_queue_is_noisy (self)
      ? measure_round (self)
      : measure (self, round_trip, input->delay);
}

void
gcc_path_queue_set_base (GccPathQueue *self, GccTime round_trip, GccTime now)
{
  gcc_windowed_min_begin (&self->base, round_trip, now);
}

gboolean
gcc_path_queue_is_empty (const GccPathQueue *self)
{
  return self->queueing <= self->params->empty;
}

gboolean
gcc_path_queue_is_noisy (const GccPathQueue *self)
{
  return gcc_path_queue_get_noise (self) > 0;
}

GccTime
gcc_path_queue_get_noise (const GccPathQueue *self)
{
  return (GccTime) MAX (self->mean_step - (gdouble) self->params->quiet, 0.);
}
