/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-link-capacity.h>

#include <math.h>

/* Weight of a new sample. */
#define WEIGHT 0.05

/* Variance over average, kbit/s: standard deviations of 14 and 35 kbit/s at
 * 500 kbit/s. */
#define MIN_VARIANCE 0.4
#define MAX_VARIANCE 2.5

void
gcc_link_capacity_init (GccLinkCapacity *self)
{
  *self = (GccLinkCapacity){ .variance = MIN_VARIANCE };
}

void
gcc_link_capacity_update (GccLinkCapacity *self, gdouble kbps)
{
  gdouble error;

  if (!self->is_known)
    gcc_link_capacity_set (self, kbps);
  else
    self->average = (1. - WEIGHT) * self->average + WEIGHT * kbps;

  error = self->average - kbps;
  self->variance = (1. - WEIGHT) * self->variance +
      WEIGHT * error * error / MAX (self->average, 1.);
  self->variance = CLAMP (self->variance, MIN_VARIANCE, MAX_VARIANCE);
}

void
gcc_link_capacity_set (GccLinkCapacity *self, gdouble kbps)
{
  self->is_known = TRUE;
  self->average = kbps;
}

/* The variance stays: it is the path's, not the average's. */
void
gcc_link_capacity_forget (GccLinkCapacity *self)
{
  self->is_known = FALSE;
}

static gdouble
get_deviation (const GccLinkCapacity *self)
{
  return sqrt (self->variance * self->average);
}

gboolean
gcc_link_capacity_is_exceeded (
    const GccLinkCapacity *self, gdouble kbps, gdouble n)
{
  return self->is_known && kbps > self->average + n * get_deviation (self);
}

gboolean
gcc_link_capacity_is_missed (
    const GccLinkCapacity *self, gdouble kbps, gdouble n)
{
  return self->is_known && kbps < self->average - n * get_deviation (self);
}
