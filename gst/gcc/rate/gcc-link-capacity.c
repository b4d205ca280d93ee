/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/rate/gcc-link-capacity.h>

#include <math.h>

void
gcc_link_capacity_init (
    GccLinkCapacity *self, const GccLinkCapacityParams *params)
{
  *self = (GccLinkCapacity){
    .params = params,
    .variance = params->min_variance,
  };
}

void
gcc_link_capacity_update (GccLinkCapacity *self, gdouble kbps)
{
  const GccLinkCapacityParams *params = self->params;
  gdouble error;

  if (!self->is_known)
    gcc_link_capacity_set (self, kbps);
  else
    self->average = (1. - params->weight) * self->average +
        params->weight * kbps;

  /* Normalised by the average, unless the average is close to 0. */
  error = self->average - kbps;
  self->variance = (1. - params->weight) * self->variance +
      params->weight * error * error / MAX (self->average, 1.);
  self->variance = CLAMP (
      self->variance, params->min_variance, params->max_variance);
}

void
gcc_link_capacity_set (GccLinkCapacity *self, gdouble kbps)
{
  self->is_known = TRUE;
  self->average = kbps;
}

/* The variance stays: it belongs to the path, not to the average. */
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
