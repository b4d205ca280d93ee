/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-link-trains.h>

#include <stdlib.h>

void
gcc_link_trains_init (GccLinkTrains *self, const GccLinkTrainsParams *params)
{
  *self = (GccLinkTrains){ .params = params };
}

void
gcc_link_trains_feed (
    GccLinkTrains *self, const GccTrainRates *train, GccTime now)
{
  self->trains[self->next] = *train;
  self->times[self->next] = now;
  self->next = (self->next + 1) % GCC_LINK_TRAINS;
  self->n_trains = MIN (self->n_trains + 1, GCC_LINK_TRAINS);
}

/* The oldest train is the next to be replaced. */
static gboolean
are_known (const GccLinkTrains *self, GccTime now)
{
  return self->n_trains == GCC_LINK_TRAINS &&
      !gcc_time_has_passed (
          self->params->max_age, self->times[self->next], now);
}

static int
compare (const void *a, const void *b)
{
  GccRate first = *(const GccRate *) a, second = *(const GccRate *) b;

  return (first > second) - (first < second);
}

static GccRate
get_median_most (const GccLinkTrains *self)
{
  GccRate rates[GCC_LINK_TRAINS];

  for (guint i = 0; i < GCC_LINK_TRAINS; i++)
    rates[i] = self->trains[i].most;
  qsort (rates, GCC_LINK_TRAINS, sizeof *rates, compare);
  return rates[(GCC_LINK_TRAINS - 1) / 2];
}

GccRate
gcc_link_trains_get_most (const GccLinkTrains *self, GccTime now)
{
  return are_known (self, now) ? get_median_most (self) : GCC_RATE_NONE;
}

/* The first frames of a call are few, and all but the first are small, so the
 * fastest train counts. */
GccRate
gcc_link_trains_get_start (const GccLinkTrains *self, GccRate received_rate)
{
  GccRate least = 0;

  for (guint i = 0; i < self->n_trains; i++)
    least = MAX (least, self->trains[i].least);
  return MAX (received_rate,
      gcc_rate_from_double (MIN (self->params->share * (gdouble) least,
          self->params->raise * (gdouble) received_rate)));
}
