/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/history/gcc-packet-result.h>

G_BEGIN_DECLS

/* Greatest #GccProberParams.max_pending. */
#define GCC_PROBER_CLUSTERS 16

/**
 * GccProbeRequest:
 * @id: number of the cluster, not negative
 * @rate: at which it is to be sent, bit/s; above 0. A cluster is 4 GB long at
 *   most
 * @duration: least duration
 * @min_bytes: least number of bytes
 * @min_packets: least number of packets
 * @min_spacing: least time between its packets; packets that would leave closer
 *   together leave at once
 *
 * A probe cluster that is wanted.
 */
typedef struct {
  gint id;
  GccRate rate;
  GccTime duration;
  guint min_bytes;
  guint min_packets;
  GccTime min_spacing;
} GccProbeRequest;

/**
 * GccProberParams:
 * @max_pending: greatest number of clusters that wait, 1 to
 *   %GCC_PROBER_CLUSTERS
 * @max_wait: a cluster that has waited for longer is replaced by a new one
 * @min_packet: a packet of so many bytes begins a cluster
 * @max_late: a cluster whose next packet is later than this is given up
 * @max_early: a packet that is due so soon may leave now
 */
typedef struct {
  guint max_pending;
  GccTime max_wait;
  gsize min_packet;
  GccTime max_late;
  GccTime max_early;
} GccProberParams;

typedef struct {
  GccProbeRequest request;
  GccTime requested;
  GccTime started;
  guint min_bytes;
  guint n_packets;
  gint64 bytes;
} GccProberCluster;

/**
 * GccProber:
 * @n_abandoned: clusters that were dropped before they were complete
 * @abandoned: why the last of them was dropped: "late" (its next packet was late),
 *   "newer" (another cluster took its place) or "stopped"; %NULL if none was dropped
 *
 * When the packets of probe clusters leave the pacer. It holds none of them.
 * The other fields are private.
 */
typedef struct {
  const GccProberParams *params;
  gboolean is_probing;
  gboolean is_due_at_once;
  GccTime last_sent;
  GccTime next_send;
  guint first;
  guint n_clusters;
  GccProberCluster clusters[GCC_PROBER_CLUSTERS];
  guint64 n_abandoned;
  const gchar *abandoned;
} GccProber;

void gcc_prober_init (GccProber *self, const GccProberParams *params);

/* A cluster is wanted; it begins with the next packet that is large enough. */
void gcc_prober_add (
    GccProber *self, const GccProbeRequest *request, GccTime now);

/* A packet of @bytes waits in the pacer: probing may begin. */
void gcc_prober_feed_queued (GccProber *self, gsize bytes);

/* Whether a cluster is being sent. */
gboolean gcc_prober_is_probing (const GccProber *self);

/* When the next packet of a cluster is to leave: @now or a time after it;
 * %GCC_TIME_NONE while nothing is probed. */
GccTime gcc_prober_next_send (const GccProber *self, GccTime now);

/**
 * gcc_prober_get_probe:
 * @probe: (out): the cluster of the packet that leaves now
 *
 * Gives up a cluster that is too late.
 *
 * Returns: %FALSE, with @probe that of no cluster, while nothing is probed
 */
gboolean gcc_prober_get_probe (
    GccProber *self, GccTime now, GccProbeInfo *probe);

/* Number of bytes that should leave at once; 0 while nothing is probed. */
gsize gcc_prober_get_min_bytes (const GccProber *self);

/* Packets of the cluster of @bytes have left. */
void gcc_prober_feed_sent (GccProber *self, gsize bytes, GccTime now);

/* Drops all clusters. */
void gcc_prober_abandon (GccProber *self);

G_END_DECLS
