/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-remb-probe-detector.h>

#include <math.h>
#include <string.h>

/* Consecutive packets that were sent at an even pace: sums over the gaps
 * between them, in whole ms, because senders pace in ms. */
typedef struct {
  guint n_gaps;
  guint n_real_gaps;
  gdouble sent_ms;
  gdouble arrival_ms;
  gsize size;
} Cluster;

typedef struct {
  guint n_clusters;
  gboolean has_failed;
  GccRate best;
} Verdict;

void
gcc_remb_probe_detector_init (
    GccRembProbeDetector *self, const GccRembProbeDetectorParams *params)
{
  memset (self, 0, sizeof *self);
  self->params = params;
  self->first_packet = GCC_TIME_NONE;
}

static gboolean
keeps_pace (const GccRembProbeDetectorParams *params, const Cluster *cluster,
    gdouble sent_gap_ms)
{
  return cluster->n_gaps == 0 ||
      fabs (sent_gap_ms - cluster->sent_ms / cluster->n_gaps) <
      params->max_deviation_ms;
}

static gboolean
is_complete (const GccRembProbeDetectorParams *params, const Cluster *cluster)
{
  return cluster->n_gaps >= params->min_gaps && cluster->sent_ms > 0. &&
      cluster->arrival_ms > 0.;
}

/* Most gaps are real, and no queue grew or drained meanwhile, which would hide
 * the rate of the path. */
static gboolean
is_valid (const GccRembProbeDetectorParams *params, const Cluster *cluster)
{
  gdouble excess_ms = (cluster->arrival_ms - cluster->sent_ms) /
      cluster->n_gaps;

  return cluster->n_real_gaps > cluster->n_gaps / 2 &&
      excess_ms <= params->max_growth_ms && -excess_ms <= params->max_drain_ms;
}

static GccRate
get_rate (const Cluster *cluster)
{
  gsize mean_size = cluster->size / cluster->n_gaps;
  gdouble bits = (gdouble) mean_size * 8.;
  gdouble slowest_ms = MAX (cluster->sent_ms, cluster->arrival_ms);

  return (GccRate) (bits * 1000. * cluster->n_gaps / slowest_ms);
}

/* Clusters after one that the path did not carry are not trusted. */
static void
judge (const GccRembProbeDetectorParams *params, const Cluster *cluster,
    Verdict *verdict)
{
  if (!is_complete (params, cluster))
    return;

  verdict->n_clusters++;
  if (verdict->has_failed)
    return;
  if (is_valid (params, cluster)) {
    GccRate rate = get_rate (cluster);

    verdict->best = MAX (verdict->best, rate);
  } else {
    verdict->has_failed = TRUE;
  }
}

static gdouble
get_gap_ms (GccTime later, GccTime earlier)
{
  gint64 later_ms = later / GCC_MSECOND, earlier_ms = earlier / GCC_MSECOND;

  return (gdouble) (later_ms - earlier_ms);
}

static Verdict
judge_all (const GccRembProbeDetector *self)
{
  Verdict verdict = { .best = GCC_RATE_NONE };
  Cluster cluster = {
    0,
  };

  for (guint i = 1; i < self->n_packets; i++) {
    gdouble sent_ms = get_gap_ms (
        self->packets[i].sent, self->packets[i - 1].sent);
    gdouble arrival_ms = get_gap_ms (
        self->packets[i].arrival, self->packets[i - 1].arrival);

    if (!keeps_pace (self->params, &cluster, sent_ms)) {
      judge (self->params, &cluster, &verdict);
      cluster = (Cluster){
        0,
      };
    }
    cluster.n_gaps++;
    if (MIN (sent_ms, arrival_ms) >= self->params->min_gap_ms)
      cluster.n_real_gaps++;
    cluster.sent_ms += sent_ms;
    cluster.arrival_ms += arrival_ms;
    cluster.size += self->packets[i].size;
  }
  judge (self->params, &cluster, &verdict);
  return verdict;
}

static void
drop_oldest (GccRembProbeDetector *self)
{
  self->n_packets--;
  memmove (&self->packets[0], &self->packets[1],
      self->n_packets * sizeof self->packets[0]);
}

static gboolean
is_probing (const GccRembProbeDetector *self, GccRate estimate, GccTime now)
{
  return estimate == GCC_RATE_NONE ||
      gcc_time_diff (now, self->first_packet) < self->params->duration;
}

GccRate
gcc_remb_probe_detector_update (GccRembProbeDetector *self, GccTime sent,
    GccTime arrival, gsize size, GccRate estimate, GccTime now)
{
  Verdict verdict;

  if (self->first_packet == GCC_TIME_NONE)
    self->first_packet = now;
  /* Smaller packets are not paced. */
  if (self->params->max_packets == 0 ||
      size <= self->params->max_unpaced_size ||
      !is_probing (self, estimate, now))
    return GCC_RATE_NONE;

  if (self->n_packets == GCC_REMB_PROBE_DETECTOR_MAX_PACKETS)
    drop_oldest (self);
  self->packets[self->n_packets].sent = sent;
  self->packets[self->n_packets].arrival = arrival;
  self->packets[self->n_packets].size = size;
  self->n_packets++;

  verdict = judge_all (self);
  if (verdict.n_clusters == 0) {
    if (self->n_packets >= self->params->max_packets)
      drop_oldest (self);
    return GCC_RATE_NONE;
  }
  if (verdict.best > MAX (estimate, 0))
    return verdict.best;
  if (verdict.n_clusters >= self->params->expected_clusters)
    self->n_packets = 0;
  return GCC_RATE_NONE;
}
