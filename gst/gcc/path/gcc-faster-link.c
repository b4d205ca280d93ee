/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/path/gcc-faster-link.h>

#include <stdlib.h>

void
gcc_faster_link_init (GccFasterLink *self, const GccFasterLinkParams *params)
{
  *self = (GccFasterLink){
    .params = params,
    .limit = GCC_RATE_NONE,
    .received_rate = GCC_RATE_NONE,
    .raised_from = GCC_RATE_NONE,
    .quiet_since = GCC_TIME_NONE,
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

/* The oldest train is the next to be replaced. */
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

static GccRate
get_median_least (const GccFasterLink *self)
{
  GccRate rates[GCC_FASTER_LINK_TRAINS];

  for (guint i = 0; i < GCC_FASTER_LINK_TRAINS; i++)
    rates[i] = self->trains[i].least;
  return get_median (rates);
}

static GccRate
get_median_most (const GccFasterLink *self)
{
  GccRate rates[GCC_FASTER_LINK_TRAINS];

  for (guint i = 0; i < GCC_FASTER_LINK_TRAINS; i++)
    rates[i] = self->trains[i].most;
  return get_median (rates);
}

/* --- limits --- */

static gboolean
is_faster (const GccFasterLink *self, GccRate rate, GccRate limit)
{
  return (gdouble) rate >= self->params->growth * (gdouble) limit;
}

/* Trains have shown a faster link that does not exist: they pass a token
 * bucket, or a radio link delivers their packets together. The same may happen
 * again. */
static void
doubt (GccFasterLink *self, GccTime now)
{
  self->wait = MIN (3 * self->wait, self->params->max_wait);
  self->quiet_since = now;
}

/* Judges a raise by the received rates at the over-use before and after it,
 * because trains would show the same link again. */
static void
judge (GccFasterLink *self, GccRate received_rate, GccTime now)
{
  if (self->raised_from == GCC_RATE_NONE)
    return;
  if (is_faster (self, received_rate, self->raised_from))
    self->wait = self->params->wait;
  else
    doubt (self, now);
  self->raised_from = GCC_RATE_NONE;
}

/* A proved limit stays proved when over-use shows the same limit again, unless
 * trains have shown a faster link that does not exist. */
static void
set_limit (GccFasterLink *self, GccRate limit)
{
  if (self->wait > self->params->wait || is_faster (self, limit, self->limit) ||
      is_faster (self, self->limit, limit))
    self->is_proved = FALSE;
  self->limit = limit;
}

/* Trains before now show the link before this limit, and no longer count. */
static void
begin_limit (
    GccFasterLink *self, GccRate limit, GccRate received_rate, GccTime now)
{
  set_limit (self, limit);
  self->limited_since = now;
  self->received_rate = received_rate;
  self->n_trains = 0;
}

void
gcc_faster_link_feed_limit (
    GccFasterLink *self, GccRate received_rate, GccTime now)
{
  judge (self, received_rate, now);
  if (are_known (self, now))
    begin_limit (self, get_median_most (self), received_rate, now);
}

/* Returns whether the link passes more than its limit. Trains that come faster
 * as soon as the queue is gone pass a token bucket. */
static gboolean
has_changed (GccFasterLink *self, GccRate rate, GccTime now)
{
  if (!is_faster (self, rate, self->limit)) {
    self->is_proved |= gcc_time_has_passed (
        self->params->proof, self->limited_since, now);
    return FALSE;
  }
  if (!self->is_proved) {
    self->limit = GCC_RATE_NONE;
    doubt (self, now);
  }
  return self->is_proved;
}

static GccRate
get_next_rate (const GccFasterLink *self, GccRate least, GccRate rate)
{
  return gcc_rate_from_double (MIN (self->params->share * (gdouble) least,
      self->params->raise * (gdouble) rate));
}

/* The first frames of a call are few, and all but the first are small, so the
 * fastest train counts. */
GccRate
gcc_faster_link_get_start (const GccFasterLink *self, GccRate received_rate)
{
  GccRate least = 0;

  for (guint i = 0; i < self->n_trains; i++)
    least = MAX (least, self->trains[i].least);
  return MAX (received_rate, get_next_rate (self, least, received_rate));
}

GccRate
gcc_faster_link_get_most (const GccFasterLink *self, GccTime now)
{
  return are_known (self, now) ? get_median_most (self) : GCC_RATE_NONE;
}

GccRate
gcc_faster_link_update (GccFasterLink *self, const GccTrainRates *train,
    GccRate estimate, GccTime now)
{
  GccRate least, rate;

  keep (self, train, now);
  if (self->limit == GCC_RATE_NONE || !are_known (self, now))
    return GCC_RATE_NONE;
  least = get_median_least (self);
  rate = get_next_rate (self, least, estimate);
  if (!has_changed (self, least, now) || rate <= estimate ||
      !gcc_time_has_passed (self->wait, self->quiet_since, now))
    return GCC_RATE_NONE;
  self->raised_from = self->received_rate;
  self->limit = GCC_RATE_NONE;
  self->quiet_since = now;
  return rate;
}
