/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A long TCP flow as RFC 9438 has it, with an acknowledgement for each segment
 * and no loss of those: a model to share a drop-tail queue with. */

#include <gst/gcc/gcc-types.h>

#include <math.h>

#define CUBIC_SEGMENT 1500
#define CUBIC_WINDOW 4096
#define CUBIC_C 0.4
#define CUBIC_BETA 0.7

typedef struct {
  GccTime acknowledged;
  gboolean is_lost;
} CubicSegment;

typedef struct {
  gboolean is_on;
  GccTime round_trip;
  gdouble window;
  gdouble window_max;
  gdouble window_reno;
  gdouble threshold;
  gdouble K;
  GccTime epoch;
  GccTime recovered;
  CubicSegment segments[CUBIC_WINDOW];
  guint first;
  guint n;
  gint64 bytes;
} Cubic;

static inline void
cubic_init (Cubic *self, GccTime round_trip)
{
  *self = (Cubic){
    .round_trip = round_trip,
    .window = 10.,
    .threshold = CUBIC_WINDOW,
  };
}

static inline void
cubic_lose (Cubic *self, GccTime rtt, GccTime now)
{
  if (now <= self->recovered)
    return;
  self->window_max = self->window;
  self->window = MAX (self->window * CUBIC_BETA, 2.);
  self->window_reno = self->threshold = self->window;
  self->K = cbrt (self->window_max * (1. - CUBIC_BETA) / CUBIC_C);
  self->epoch = now;
  self->recovered = now + rtt;
}

static inline void
cubic_grow (Cubic *self, GccTime rtt, GccTime now)
{
  gdouble t = (gdouble) (now - self->epoch + rtt) / (gdouble) GCC_SECOND;
  gdouble target = CUBIC_C * pow (t - self->K, 3.) + self->window_max;

  if (self->window < self->threshold) {
    self->window += 1.;
    return;
  }
  self->window_reno += 3. * (1. - CUBIC_BETA) / (1. + CUBIC_BETA) /
      self->window;
  target = MAX (target, self->window_reno);
  if (target > self->window)
    self->window += MIN ((target - self->window) / self->window, 0.5);
}

/* @link_free: when the link has sent what is queued */
static inline void
cubic_step (Cubic *self, GccTime *link_free, GccRate capacity,
    GccTime max_queue, GccTime now)
{
  GccTime rtt = self->round_trip + MAX (*link_free - now, 0);

  while (self->n > 0 &&
      self->segments[self->first % CUBIC_WINDOW].acknowledged <= now) {
    CubicSegment segment = self->segments[self->first++ % CUBIC_WINDOW];

    self->n--;
    if (segment.is_lost)
      cubic_lose (self, rtt, now);
    else
      cubic_grow (self, rtt, now);
    self->bytes += segment.is_lost ? 0 : CUBIC_SEGMENT;
  }
  while (self->is_on && self->n < MIN (self->window, CUBIC_WINDOW)) {
    CubicSegment *segment =
        &self->segments[(self->first + self->n++) % CUBIC_WINDOW];
    GccTime queueing = MAX (*link_free - now, 0);

    segment->is_lost = queueing > max_queue;
    if (!segment->is_lost)
      *link_free = MAX (*link_free, now) +
          CUBIC_SEGMENT * 8 * GCC_SECOND / capacity;
    segment->acknowledged = MAX (*link_free, now) + self->round_trip;
  }
}
