/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/loss/gcc-own-queue.h>

void
gcc_own_queue_init (GccOwnQueue *self, const GccOwnQueueParams *params)
{
  *self = (GccOwnQueue){ .params = params, .arrival = GCC_TIME_NONE };
  gcc_windowed_min_init (&self->delay);
}

/* How long the packet has waited. */
static GccTime
measure_wait (GccOwnQueue *self, const GccPacketResult *result, GccTime now)
{
  GccTime delay = gcc_time_diff (result->arrival, result->sent.time);

  gcc_windowed_min_feed (&self->delay, delay, self->params->window, now);
  return gcc_windowed_min_get_excess (&self->delay, delay);
}

/* A packet between the two that is not known may have left in between. */
static gboolean
is_behind_own (
    const GccOwnQueue *self, const GccPacketResult *result, GccTime wait)
{
  GccTime gap = gcc_time_diff (result->arrival, self->arrival);

  return self->arrival != GCC_TIME_NONE && result->sent.previous == self->seq &&
      gap >= 0 && wait - self->params->resolution > gap;
}

static void
begin_run (GccOwnQueue *self, GccTime arrival)
{
  self->n_gaps = 0;
  self->bytes = 0;
  self->first = arrival;
}

/* The rate at which the packets of a run have arrived, once they are enough; the
 * next run begins then. */
static GccRate
measure_link (GccOwnQueue *self, const GccPacketResult *result)
{
  GccTime time = gcc_time_diff (result->arrival, self->first);
  GccRate rate;

  self->n_gaps++;
  self->bytes += result->sent.size;
  if (self->n_gaps < self->params->min_gaps || time < self->params->min_time)
    return GCC_RATE_NONE;
  rate = gcc_rate_from_double (
      (gdouble) self->bytes * 8. / gcc_time_to_seconds (time));
  begin_run (self, result->arrival);
  return rate;
}

GccOwnQueueNews
gcc_own_queue_feed (GccOwnQueue *self, const GccPacketResult *results,
    guint n_results, GccTime now)
{
  GccOwnQueueNews news = { .link = GCC_RATE_NONE };

  for (guint i = 0; i < n_results; i++) {
    const GccPacketResult *result = &results[i];
    GccTime wait = measure_wait (self, result, now);
    gboolean is_own = result->ecn == GCC_ECN_CE &&
        result->sent.probe.id == GCC_PROBE_NONE &&
        is_behind_own (self, result, wait);
    GccRate link = GCC_RATE_NONE;

    self->arrival = result->arrival;
    self->seq = result->sent.seq;
    if (is_own) {
      link = measure_link (self, result);
      news.n_marked++;
      news.wait = MAX (news.wait, wait);
    } else {
      begin_run (self, result->arrival);
    }
    if (link != GCC_RATE_NONE)
      news.link = link;
  }
  return news;
}
