/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-faster-link.h>

#include <stdlib.h>

void
gcc_faster_link_init (GccFasterLink *self, const GccFasterLinkParams *params)
{
  *self = (GccFasterLink){
    .params = params,
    .limit = GCC_RATE_NONE,
    .raised_from = GCC_RATE_NONE,
    .last_raise = GCC_TIME_NONE,
    .wait = params->wait,
  };
}

/* --- the last trains --- */

static void
keep (GccFasterLink *self, const GccTrainRates *train, GccTime now)
{
  self->trains[self->next] = *train;
  self->times[self->next] = now;
  self->next = (self->next + 1) % GCC_FASTER_LINK_TRAINS;
  self->n_trains = MIN (self->n_trains + 1, GCC_FASTER_LINK_TRAINS);
}

/* The one that is replaced next is the oldest. */
static gboolean
are_known (const GccFasterLink *self, GccTime now)
{
  return self->n_trains == GCC_FASTER_LINK_TRAINS &&
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
get_median (GccRate *rates)
{
  qsort (rates, GCC_FASTER_LINK_TRAINS, sizeof *rates, compare);
  return rates[(GCC_FASTER_LINK_TRAINS - 1) / 2];
}

static GccTrainRates
get_medians (const GccFasterLink *self)
{
  GccRate least[GCC_FASTER_LINK_TRAINS], most[GCC_FASTER_LINK_TRAINS];

  for (guint i = 0; i < GCC_FASTER_LINK_TRAINS; i++) {
    least[i] = self->trains[i].least;
    most[i] = self->trains[i].most;
  }
  return (GccTrainRates){ get_median (least), get_median (most) };
}

/* --- limits --- */

static gboolean
is_faster (const GccFasterLink *self, GccRate rate, GccRate limit)
{
  return (gdouble) rate >= self->params->growth * (gdouble) limit;
}

/* What a raise has led to: a bucket that is larger than one thought, and packets that
 * arrive together as a radio link delivers them, look like a faster link. */
static void
judge (GccFasterLink *self, GccRate limit)
{
  if (self->raised_from == GCC_RATE_NONE)
    return;
  self->wait = is_faster (self, limit, self->raised_from)
      ? self->params->wait
      : MIN (3 * self->wait, self->params->max_wait);
  self->raised_from = GCC_RATE_NONE;
}

void
gcc_faster_link_note_limit (GccFasterLink *self, GccTime now)
{
  if (self->params->growth == 0. || !are_known (self, now))
    return;
  self->limit = get_medians (self).most;
  self->n_trains = 0;
  judge (self, self->limit);
}

GccRate
gcc_faster_link_update (GccFasterLink *self, const GccTrainRates *train,
    GccRate estimate, GccTime now)
{
  const GccFasterLinkParams *params = self->params;
  GccRate least, rate;

  keep (self, train, now);
  if (self->limit == GCC_RATE_NONE || !are_known (self, now) ||
      !gcc_time_has_passed (self->wait, self->last_raise, now))
    return GCC_RATE_NONE;
  least = get_medians (self).least;
  rate = gcc_rate_from_double (MIN (
      params->share * (gdouble) least, params->raise * (gdouble) estimate));
  if (!is_faster (self, least, self->limit) || rate <= estimate)
    return GCC_RATE_NONE;
  self->raised_from = self->limit;
  self->limit = GCC_RATE_NONE;
  self->last_raise = now;
  return rate;
}
