/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <gst/gcc/probe/gcc-prober.h>

#include <math.h>

void
gcc_prober_init (GccProber *self, const GccProberParams *params)
{
  g_return_if_fail (
      params->max_pending > 0 && params->max_pending <= GCC_PROBER_CLUSTERS);

  *self = (GccProber){ .params = params };
}

/* --- the clusters, a queue --- */

static GccProberCluster *
get_cluster (GccProber *self, guint i)
{
  return &self->clusters[(self->first + i) % GCC_PROBER_CLUSTERS];
}

static void
pop_cluster (GccProber *self)
{
  self->first = (self->first + 1) % GCC_PROBER_CLUSTERS;
  if (--self->n_clusters == 0)
    self->is_probing = FALSE;
}

static void
abandon_cluster (GccProber *self, const gchar *why)
{
  self->n_abandoned++;
  self->abandoned = why;
  pop_cluster (self);
}

static gboolean
must_give_way (GccProber *self, GccTime now)
{
  return self->n_clusters >= self->params->max_pending ||
      gcc_time_diff (now, get_cluster (self, 0)->requested) >
      self->params->max_wait;
}

void
gcc_prober_add (GccProber *self, const GccProbeRequest *request, GccTime now)
{
  g_return_if_fail (request->rate > 0);

  while (self->n_clusters > 0 && must_give_way (self, now))
    abandon_cluster (self, "newer");

  *get_cluster (self, self->n_clusters++) = (GccProberCluster){
    .request = *request,
    .requested = now,
    .min_bytes = MAX (
        (guint) MIN (
            gcc_rate_get_bytes (request->rate, request->duration), G_MAXUINT),
        request->min_bytes),
  };
  gcc_prober_feed_queued (self, 0);
}

/* --- probing --- */

gsize
gcc_prober_get_min_bytes (const GccProber *self)
{
  const GccProbeRequest *request = &self->clusters[self->first].request;

  return self->n_clusters == 0
      ? 0
      : (gsize) MIN (gcc_rate_get_bytes (request->rate, request->min_spacing),
            G_MAXUINT);
}

void
gcc_prober_feed_queued (GccProber *self, gsize bytes)
{
  gsize enough = MIN (
      gcc_prober_get_min_bytes (self), self->params->min_packet);

  if (self->is_probing || self->n_clusters == 0 || bytes < enough)
    return;
  self->is_probing = TRUE;
  self->is_due_at_once = TRUE;
}

gboolean
gcc_prober_is_probing (const GccProber *self)
{
  return self->is_probing;
}

GccTime
gcc_prober_next_send (const GccProber *self, GccTime now)
{
  if (!self->is_probing)
    return GCC_TIME_NONE;
  if (self->is_due_at_once ||
      gcc_time_diff (self->next_send, now) <= self->params->max_early)
    return now;
  return self->next_send;
}

/* Also when it is so early that the clock must have been set back. */
static gboolean
is_late (const GccProber *self, GccTime now)
{
  return !self->is_due_at_once &&
      (gcc_time_diff (now, self->next_send) > self->params->max_late ||
          gcc_time_diff (now, self->last_sent) < 0);
}

gboolean
gcc_prober_get_probe (GccProber *self, GccTime now, GccProbeInfo *probe)
{
  const GccProberCluster *cluster;

  *probe = (GccProbeInfo){ .id = GCC_PROBE_NONE };
  /* The next one has not begun, and is not late. */
  if (self->is_probing && is_late (self, now)) {
    abandon_cluster (self, "late");
    self->is_due_at_once = TRUE;
  }
  if (!self->is_probing)
    return FALSE;

  cluster = get_cluster (self, 0);
  *probe = (GccProbeInfo){
    .id = cluster->request.id,
    .min_packets = cluster->request.min_packets,
    .min_bytes = cluster->min_bytes,
  };
  return TRUE;
}

static GccTime
get_next_send (const GccProberCluster *cluster)
{
  gdouble seconds = (gdouble) cluster->bytes * 8. /
      (gdouble) cluster->request.rate;

  return cluster->started + llround (seconds * (gdouble) GCC_SECOND);
}

void
gcc_prober_feed_sent (GccProber *self, gsize bytes, GccTime now)
{
  GccProberCluster *cluster = get_cluster (self, 0);

  if (!self->is_probing)
    return;

  if (cluster->n_packets++ == 0)
    cluster->started = now;
  cluster->bytes += (gint64) bytes;
  self->is_due_at_once = FALSE;
  self->last_sent = now;
  self->next_send = get_next_send (cluster);
  if (cluster->bytes >= cluster->min_bytes &&
      cluster->n_packets >= cluster->request.min_packets)
    pop_cluster (self);
}

void
gcc_prober_abandon (GccProber *self)
{
  while (self->n_clusters > 0)
    abandon_cluster (self, "stopped");
}
