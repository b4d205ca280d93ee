/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-probe-estimator.h>

#include <math.h>

/* A result above any link is dropped, bit/s. */
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
  gcc_windowed_min_init (&self->delays);
  self->result = GCC_RATE_NONE;
  self->is_lower_bound = FALSE;
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
    .last_arrival = G_MININT64,
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

/* Whether the packet waited longer in a queue than recent packets. */
static gboolean
is_delayed (const GccProbeEstimator *self, const GccPacketResult *packet)
{
  GccTime delay = gcc_time_diff (packet->arrival, packet->sent.time);

  return gcc_time_diff (delay, gcc_windowed_min_get (&self->delays)) >
      self->params->clear_delay;
}

/* The first packet sets the beginning. */
static void
add_queued (GccProbeCluster *cluster, GccTime arrival, gint64 bytes)
{
  if (cluster->n_queued++ == 0)
    cluster->queued_since = arrival;
  else
    cluster->queued_bytes += bytes;
}

static gint64
get_bytes (const GccProbeEstimator *self, const GccSentRecord *sent)
{
  gdouble unnumbered = self->params->unnumbered_weight *
      (gdouble) sent->unnumbered_bytes;

  return sent->size + (gint64) unnumbered;
}

static void
note_pause (GccProbeCluster *cluster, GccTime arrival, gint64 bytes)
{
  GccTime pause = cluster->n_packets > 0
      ? gcc_time_diff (arrival, cluster->last_arrival)
      : 0;

  if (pause <= cluster->longest_pause)
    return;
  cluster->longest_pause = pause;
  cluster->bytes_after_pause = bytes;
}

static void
add_packet (const GccProbeEstimator *self, GccProbeCluster *cluster,
    const GccPacketResult *packet)
{
  const GccSentRecord *sent = &packet->sent;
  gint64 bytes = get_bytes (self, sent);

  if (sent->time > cluster->last_sent) {
    cluster->last_sent = sent->time;
    cluster->last_sent_bytes = bytes;
  }
  if (packet->arrival < cluster->first_arrival) {
    cluster->first_arrival = packet->arrival;
    cluster->first_arrival_bytes = bytes;
  }
  if (cluster->n_queued > 0 || is_delayed (self, packet))
    add_queued (cluster, packet->arrival, bytes);
  note_pause (cluster, packet->arrival, bytes);
  cluster->last_arrival = MAX (cluster->last_arrival, packet->arrival);
  cluster->first_sent = MIN (cluster->first_sent, sent->time);
  cluster->bytes += bytes;
  cluster->n_packets++;
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
  return round (gcc_rate_of_bytes ((gdouble) bytes, interval));
}

/* The receiver's clock drifts, and routes change: old delays are forgotten. */
static void
note_delay (GccProbeEstimator *self, const GccPacketResult *packet)
{
  gcc_windowed_min_feed (&self->delays,
      gcc_time_diff (packet->arrival, packet->sent.time),
      self->params->delay_window, packet->arrival);
}

/* A packet of S bytes each T is a rate of S / T: the last one sent and the
 * first one received do not count. */
static gdouble
get_sent_rate (const GccProbeEstimator *self, const GccProbeCluster *cluster)
{
  GccTime interval = gcc_time_diff (cluster->last_sent, cluster->first_sent);

  return is_interval (self, interval)
      ? get_rate (cluster->bytes - cluster->last_sent_bytes, interval)
      : 0.;
}

static gboolean
is_whole (const GccProbeCluster *cluster, const GccProbeInfo *probe)
{
  return cluster->bytes >= probe->min_bytes;
}

static gboolean
is_clear (const GccProbeEstimator *self, const GccProbeCluster *cluster,
    const GccProbeInfo *probe)
{
  return self->params->clear_delay > 0 && cluster->n_queued == 0 &&
      is_whole (cluster, probe);
}

/* A queue that began too late to be measured began when a token bucket was
 * empty: the link has passed the packets before it. */
static gdouble
get_received_rate (const GccProbeEstimator *self,
    const GccProbeCluster *cluster, const GccProbeInfo *probe)
{
  GccTime since = cluster->first_arrival;
  gint64 bytes = cluster->bytes - cluster->first_arrival_bytes;
  GccTime interval;

  if (self->params->clear_delay > 0 &&
      cluster->n_queued >= self->params->min_queued) {
    since = cluster->queued_since;
    bytes = cluster->queued_bytes;
  } else if (self->params->clear_delay > 0) {
    bytes = is_whole (cluster, probe) ? cluster->bytes - self->params->bucket
                                      : 0;
  }

  interval = gcc_time_diff (cluster->last_arrival, since);
  return bytes > 0 && is_interval (self, interval) ? get_rate (bytes, interval)
                                                   : 0.;
}

static GccRate
measure (const GccProbeEstimator *self, const GccProbeCluster *cluster,
    const GccProbeInfo *probe)
{
  const GccProbeEstimatorParams *params = self->params;
  gdouble sent = get_sent_rate (self, cluster);
  gdouble received = is_clear (self, cluster, probe)
      ? sent
      : get_received_rate (self, cluster, probe);

  if (sent == 0. || received == 0. || received > params->max_ratio * sent ||
      MIN (sent, received) > MAX_RATE)
    return GCC_RATE_NONE;
  if (received < params->link_ratio * sent)
    return llround (params->utilization * received);
  return llround (MIN (sent, received));
}

/* A link takes longer for a large packet, and others' packets make pauses, too.
 */
static gboolean
has_pause (
    const GccProbeEstimator *self, const GccProbeCluster *cluster, GccRate rate)
{
  const GccProbeEstimatorParams *params = self->params;
  gdouble pause = (gdouble) cluster->longest_pause;
  GccTime interval = gcc_time_diff (
      cluster->last_arrival, cluster->first_arrival);

  return params->pause > 0. &&
      pause > params->pause_share * (gdouble) interval &&
      gcc_rate_of_bytes (
          (gdouble) cluster->bytes_after_pause, cluster->longest_pause) *
          params->pause <
      (gdouble) rate;
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
  add_packet (self, cluster, packet);
  if (!is_complete (self, cluster, probe))
    return GCC_RATE_NONE;

  rate = measure (self, cluster, probe);
  if (rate == GCC_RATE_NONE)
    return GCC_RATE_NONE;
  self->result = rate;
  self->is_lower_bound = has_pause (self, cluster, rate);
  return rate;
}

GccRate
gcc_probe_estimator_fetch (GccProbeEstimator *self)
{
  GccRate result = self->result;

  self->result = GCC_RATE_NONE;
  return result;
}
