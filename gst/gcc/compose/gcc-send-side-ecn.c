/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/compose/gcc-send-side-ecn.h>

void
gcc_send_side_ecn_init (
    GccSendSideEcn *self, const GccSendSideEcnParams *params)
{
  *self = (GccSendSideEcn){
    .params = params,
    .sent = GCC_TIME_NONE,
    .told = GCC_TIME_NONE,
  };
  if (params == NULL)
    return;
  gcc_ecn_check_init (&self->check, &params->check);
  gcc_l4s_init (&self->l4s, &params->l4s);
  gcc_own_queue_init (&self->own, &params->own);
}

void
gcc_send_side_ecn_set_on (GccSendSideEcn *self, gboolean is_on)
{
  self->is_on = is_on && self->params != NULL;
  if (!self->is_on)
    gcc_ecn_check_stop (&self->check);
}

void
gcc_send_side_ecn_set_held (GccSendSideEcn *self, gint64 bytes)
{
  self->held = bytes;
}

GccRate
gcc_send_side_ecn_get_release (const GccSendSideEcn *self, GccRate target)
{
  const GccSendSideEcnParams *params = self->params;
  gdouble excess, rate;

  if (!gcc_send_side_ecn_was_full (self))
    return 0;
  excess = (gdouble) self->held - gcc_rate_get_bytes (target, params->usual);
  rate = excess * 8. / gcc_time_to_seconds (params->release);
  return gcc_rate_from_double (
      MIN (rate, params->most_release * (gdouble) target));
}

void
gcc_send_side_ecn_feed_sent (GccSendSideEcn *self, GccTime now)
{
  self->sent = now;
}

/* Probes exceed the link by purpose: their marks tell nothing of A_s. */
static gboolean
counts (const GccSendSideEcn *self, const GccPacketResult *result)
{
  return result->is_received && result->sent.probe.id == GCC_PROBE_NONE &&
      gcc_ecn_check_is_marked (&self->check, &result->sent);
}

static void
count (GccSendSideEcn *self, GccEcn ecn)
{
  if (ecn == GCC_ECN_CE)
    self->n_ce++;
  else if (ecn == GCC_ECN_ECT_1)
    self->n_ect1++;
}

static void
add (GccL4sInput *input, const GccPacketResult *result)
{
  GccTime sent = result->sent.time;

  input->n_packets++;
  input->sent = MAX (input->sent, sent);
  if (result->ecn != GCC_ECN_CE)
    return;
  input->n_marked++;
  input->marked = MAX (input->marked, sent);
}

gdouble
gcc_send_side_ecn_feed (GccSendSideEcn *self, const GccPacketResult *results,
    guint n_results, GccTime queueing, GccTime now)
{
  GccL4sInput input = {
    .sent = GCC_TIME_NONE,
    .marked = GCC_TIME_NONE,
    .queueing = queueing,
  };
  gdouble reduction;

  if (!self->is_on)
    return 0.;
  gcc_ecn_check_start (&self->check, now);
  for (guint i = 0; i < n_results; i++) {
    count (self, results[i].ecn);
    if (counts (self, &results[i]))
      add (&input, &results[i]);
  }
  gcc_ecn_check_feed (&self->check, results, n_results, now);
  reduction = gcc_l4s_update (&self->l4s, &input, now);
  self->was_full = gcc_send_side_ecn_is_full (self, now);
  return reduction;
}

static gboolean
are_many (const GccSendSideEcn *self, gboolean is_least)
{
  return is_least || self->l4s.alpha > self->params->others;
}

/* @is_told: whether the rate is the cause of these marks */
static void
check_use (GccSendSideEcn *self, gboolean is_told, GccTime now)
{
  if (is_told || self->told == GCC_TIME_NONE)
    self->told = now;
  else if (gcc_time_diff (now, self->told) >= self->params->useless)
    gcc_ecn_check_refuse (&self->check, now);
}

/* The queue is gone after the time of @drain at this rate. */
static gdouble
get_draining_rate (
    const GccSendSideEcnParams *params, const GccOwnQueueNews *news)
{
  gdouble share = 1. - (gdouble) news->wait / (gdouble) params->drain;

  return CLAMP (share, params->least_share, params->most_share) *
      (gdouble) news->link;
}

GccRate
gcc_send_side_ecn_lower (GccSendSideEcn *self, const GccPacketResult *arrived,
    guint n_arrived, GccRate rate, GccRate least, gdouble reduction,
    GccTime now)
{
  GccOwnQueueNews news;
  gdouble lower = (1. - reduction) * (gdouble) rate;

  if (!self->is_on)
    return rate;
  news = gcc_own_queue_feed (&self->own, arrived, n_arrived, now);
  if (!gcc_send_side_ecn_is_capable (self))
    return rate;
  if (reduction > 0.)
    check_use (self,
        news.n_marked > 0 || !are_many (self, lower <= (gdouble) least), now);
  if (news.link != GCC_RATE_NONE)
    lower = MIN (lower, get_draining_rate (self->params, &news));
  if (lower < (gdouble) rate && news.n_marked > 0)
    gcc_l4s_feed_limit (&self->l4s, rate, news.link, now);
  self->rate = MIN (gcc_rate_from_double (lower), rate);
  return self->rate;
}

GccL4sGrowth
gcc_send_side_ecn_get_growth (const GccSendSideEcn *self, GccRate rate,
    GccRate received, gdouble packet, GccTime round_trip)
{
  GccL4sGrowth growth = gcc_l4s_get_growth (
      &self->l4s, rate, packet, round_trip);

  if (received != GCC_RATE_NONE &&
      (gdouble) rate > self->params->held * (gdouble) received)
    growth.speed = 0.;
  return growth;
}

void
gcc_send_side_ecn_lose_classic (
    const GccSendSideEcn *self, GccPacketResult *results, guint n_results)
{
  if (!self->is_on)
    return;
  for (guint i = 0; i < n_results; i++)
    if (results[i].ecn == GCC_ECN_CE &&
        !gcc_ecn_check_is_marked (&self->check, &results[i].sent))
      results[i].is_received = FALSE;
}

void
gcc_send_side_ecn_handle_timeout (
    GccSendSideEcn *self, GccTime round_trip, GccTime now)
{
  if (self->is_on && self->sent != GCC_TIME_NONE)
    gcc_ecn_check_handle_timeout (&self->check, self->sent, round_trip, now);
}

gboolean
gcc_send_side_ecn_marks (const GccSendSideEcn *self)
{
  return self->is_on && gcc_ecn_check_marks (&self->check);
}

gboolean
gcc_send_side_ecn_is_capable (const GccSendSideEcn *self)
{
  return self->is_on && self->check.state == GCC_ECN_CAPABLE;
}

gboolean
gcc_send_side_ecn_is_full (const GccSendSideEcn *self, GccTime now)
{
  return gcc_send_side_ecn_is_capable (self) &&
      gcc_l4s_is_marked (&self->l4s, self->rate, now);
}

gboolean
gcc_send_side_ecn_was_full (const GccSendSideEcn *self)
{
  return gcc_send_side_ecn_is_capable (self) && self->was_full;
}
