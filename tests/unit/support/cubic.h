/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

/* A long TCP flow as RFC 9438 has it, with an acknowledgement for each segment
 * and no loss of those: a model to share a drop-tail queue with. */

#include <gst/gcc/gcc-types.h>

#include <math.h>

#include "hooks.h"

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
  /* what is still to be delivered; 0: there is no end of it */
  gint64 left;
  /* in place of a capacity and a greatest queue; NULL: none */
  const SimPath *path;
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

/* What is on its way without a loss needs no other segment. */
static inline gboolean
cubic_has_more (const Cubic *self)
{
  return self->left == 0 || self->left > self->n * CUBIC_SEGMENT;
}

static inline void
cubic_acknowledge (Cubic *self, CubicSegment segment, GccTime rtt, GccTime now)
{
  self->n--;
  if (segment.is_lost) {
    cubic_lose (self, rtt, now);
    return;
  }
  cubic_grow (self, rtt, now);
  self->bytes += CUBIC_SEGMENT;
  if (self->left == 0)
    return;
  self->left = MAX (self->left - CUBIC_SEGMENT, 0);
  self->is_on = self->left > 0;
}

/* Through a link of a rate and a queue; returns when the segment is behind it,
 * %GCC_TIME_NONE if never. */
static inline GccTime
cubic_pass (
    GccTime *link_free, GccRate capacity, GccTime max_queue, GccTime now)
{
  if (MAX (*link_free - now, 0) > max_queue)
    return GCC_TIME_NONE;
  *link_free = MAX (*link_free, now) +
      CUBIC_SEGMENT * 8 * GCC_SECOND / capacity;
  return *link_free;
}

/* @link_free: when the link has sent what is queued */
static inline void
cubic_step (Cubic *self, GccTime *link_free, GccRate capacity,
    GccTime max_queue, GccTime now)
{
  GccTime rtt = self->round_trip + MAX (*link_free - now, 0);

  while (self->n > 0 &&
      self->segments[self->first % CUBIC_WINDOW].acknowledged <= now)
    cubic_acknowledge (
        self, self->segments[self->first++ % CUBIC_WINDOW], rtt, now);
  while (self->is_on && cubic_has_more (self) &&
      self->n < MIN (self->window, CUBIC_WINDOW)) {
    CubicSegment *segment =
        &self->segments[(self->first + self->n++) % CUBIC_WINDOW];
    GccTime passed = self->path != NULL
        ? self->path->pass (self->path->data, link_free, CUBIC_SEGMENT, now)
        : cubic_pass (link_free, capacity, max_queue, now);

    segment->is_lost = passed == GCC_TIME_NONE;
    segment->acknowledged = self->round_trip +
        (segment->is_lost ? MAX (*link_free, now) : passed);
  }
}
