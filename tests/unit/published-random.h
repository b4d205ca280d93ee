/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

#include <math.h>

/* The random numbers of the published detector vectors (C20, rtc_base/random):
 * a 64-bit xorshift with a multiplier, so that frame counts are exact. */
typedef struct {
  guint64 state;
} PublishedRandom;

#define PUBLISHED_RANDOM_INIT { G_GUINT64_CONSTANT (123456789) }

static inline guint64
published_random_next (PublishedRandom *self)
{
  self->state ^= self->state >> 12;
  self->state ^= self->state << 25;
  self->state ^= self->state >> 27;
  return self->state * G_GUINT64_CONSTANT (2685821657736338717);
}

static inline gdouble
published_random_uniform (PublishedRandom *self)
{
  return (gdouble) published_random_next (self) / (gdouble) G_MAXUINT64;
}

static inline gdouble
published_random_gaussian (PublishedRandom *self, gdouble mean, gdouble sigma)
{
  gdouble u1 = published_random_uniform (self);
  gdouble u2 = published_random_uniform (self);

  return mean + sigma * sqrt (-2. * log (u1)) * cos (2. * G_PI * u2);
}
