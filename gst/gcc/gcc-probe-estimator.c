/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/gcc-probe-estimator.h>

#include <math.h>

/* A result beyond any link says nothing, bit/s. */
#define MAX_RATE 1e12

static void
forget (GccProbeCluster *cluster)
{
  *cluster = (GccProbeCluster){ .id = GCC_PROBE_NONE };
}

void
gcc_probe_estimator_init (
    GccProbeEstimator *self, const GccProbeEstimatorParams *params)
{
  self->params = params;
  self->next = 0;
  self->window_start = 0;
  self->least_delay = self->least_delay_before = G_MAXINT64;
  self->result = GCC_RATE_NONE;
  for (guint i = 0; i < GCC_PROBE_ESTIMATOR_CLUSTERS; i++)
    forget (&self->clusters[i]);
}

static void
forget_old (GccProbeEstimator *self, GccTime arrival)
{
  for (guint i = 0; i < GCC_PROBE_ESTIMATOR_CLUSTERS; i++) {
    GccProbeCluster *cluster = &self->clusters[i];

    if (cluster->id != GCC_PROBE_NONE &&
        gcc_time_diff (arrival, cluster->last_arrival) > self->params->max_age)
      forget (cluster);
  }
}

static GccProbeCluster *
open_cluster (GccProbeEstimator *self, gint id)
{
  GccProbeCluster *cluster = &self->clusters[self->next];

  self->next = (self->next + 1) % GCC_PROBE_ESTIMATOR_CLUSTERS;
  *cluster = (GccProbeCluster){
    .id = id,
    .first_sent = G_MAXINT64,
    .last_sent = G_MININT64,
    .first_arrival = G_MAXINT64,
    .second_arrival = G_MAXINT64,
    .last_arrival = G_MININT64,
    .greatest_delay = G_MININT64,
  };
  return cluster;
}

static GccProbeCluster *
find_cluster (GccProbeEstimator *self, gint id)
{
  for (guint i = 0; i < GCC_PROBE_ESTIMATOR_CLUSTERS; i++)
    if (self->clusters[i].id == id)
      return &self->clusters[i];
  return open_cluster (self, id);
}

static void
add_arrival (GccProbeCluster *cluster, GccTime arrival, gint64 bytes)
{
  if (arrival < cluster->first_arrival) {
    cluster->second_arrival = cluster->first_arrival;
    cluster->second_arrival_bytes = cluster->first_arrival_bytes;
    cluster->first_arrival = arrival;
    cluster->first_arrival_bytes = bytes;
  } else if (arrival < cluster->second_arrival) {
    cluster->second_arrival = arrival;
    cluster->second_arrival_bytes = bytes;
  }
  cluster->last_arrival = MAX (cluster->last_arrival, arrival);
}

static void
add_packet (GccProbeCluster *cluster, const GccPacketResult *packet)
{
  const GccSentRecord *sent = &packet->sent;

  if (sent->time > cluster->last_sent) {
    cluster->last_sent = sent->time;
    cluster->last_sent_bytes = sent->size;
  }
  add_arrival (cluster, packet->arrival, sent->size);
  cluster->first_sent = MIN (cluster->first_sent, sent->time);
  cluster->bytes += sent->size;
  cluster->n_packets++;
  cluster->greatest_delay = MAX (
      cluster->greatest_delay, gcc_time_diff (packet->arrival, sent->time));
}

static gboolean
is_complete (const GccProbeEstimator *self, const GccProbeCluster *cluster,
    const GccProbeInfo *probe)
{
  gdouble share = self->params->min_share;

  return cluster->n_packets >= (guint) (probe->min_packets * share) &&
      cluster->bytes >= llround (probe->min_bytes * share);
}

static gboolean
is_interval (const GccProbeEstimator *self, GccTime interval)
{
  return interval > 0 && interval <= self->params->max_interval;
}

static gdouble
get_rate (gint64 bytes, GccTime interval)
{
  return round (
      (gdouble) bytes * 8. * (gdouble) GCC_SECOND / (gdouble) interval);
}

/* The receiver's clock drifts, and routes change: old delays are forgotten. */
static void
note_delay (GccProbeEstimator *self, const GccPacketResult *packet)
{
  GccTime delay = gcc_time_diff (packet->arrival, packet->sent.time);
  GccTime passed = gcc_time_diff (packet->arrival, self->window_start);

  if (passed < 0 || passed >= self->params->delay_window) {
    self->least_delay_before = self->least_delay;
    self->least_delay = delay;
    self->window_start = packet->arrival;
  }
  self->least_delay = MIN (self->least_delay, delay);
}

static gboolean
is_clear (const GccProbeEstimator *self, const GccProbeCluster *cluster)
{
  GccTime least = MIN (self->least_delay, self->least_delay_before);

  return self->params->clear_delay > 0 &&
      gcc_time_diff (cluster->greatest_delay, least) <=
      self->params->clear_delay;
}

/* Bytes that were received after the packet that @since is the arrival of. */
static gint64
get_received (const GccProbeEstimator *self, const GccProbeCluster *cluster,
    GccTime *since)
{
  gint64 bytes = cluster->bytes - cluster->first_arrival_bytes;

  *since = cluster->first_arrival;
  if (!self->params->skips_bucket || cluster->n_packets < 3)
    return bytes;
  *since = cluster->second_arrival;
  return bytes - cluster->second_arrival_bytes;
}

/* A packet of S bytes each T make S / T: the last one sent and the first one
 * received do not count. */
static GccRate
measure (const GccProbeEstimator *self, const GccProbeCluster *cluster)
{
  const GccProbeEstimatorParams *params = self->params;
  GccTime send_interval = gcc_time_diff (
      cluster->last_sent, cluster->first_sent);
  GccTime since;
  gint64 bytes = get_received (self, cluster, &since);
  GccTime receive_interval = gcc_time_diff (cluster->last_arrival, since);
  gdouble sent, received;

  if (!is_interval (self, send_interval) ||
      !is_interval (self, receive_interval))
    return GCC_RATE_NONE;
  sent = get_rate (cluster->bytes - cluster->last_sent_bytes, send_interval);
  received = get_rate (bytes, receive_interval);

  if (received > params->max_ratio * sent || MIN (sent, received) > MAX_RATE)
    return GCC_RATE_NONE;
  if (is_clear (self, cluster))
    return llround (sent);
  if (received < params->link_ratio * sent)
    return llround (params->utilization * received);
  return llround (MIN (sent, received));
}

GccRate
gcc_probe_estimator_update (
    GccProbeEstimator *self, const GccPacketResult *packet)
{
  const GccProbeInfo *probe = &packet->sent.probe;
  GccProbeCluster *cluster;
  GccRate rate;

  if (packet->arrival != GCC_TIME_NONE)
    note_delay (self, packet);
  if (probe->id == GCC_PROBE_NONE || packet->arrival == GCC_TIME_NONE)
    return GCC_RATE_NONE;

  forget_old (self, packet->arrival);
  cluster = find_cluster (self, probe->id);
  add_packet (cluster, packet);
  if (!is_complete (self, cluster, probe))
    return GCC_RATE_NONE;

  rate = measure (self, cluster);
  if (rate != GCC_RATE_NONE)
    self->result = rate;
  return rate;
}

GccRate
gcc_probe_estimator_fetch (GccProbeEstimator *self)
{
  GccRate result = self->result;

  self->result = GCC_RATE_NONE;
  return result;
}
