/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/probe/gcc-prober.h>

G_BEGIN_DECLS

#define GCC_PACER_START_PROBES 2

/**
 * GccStartProbeParams:
 * @factors: rate of each cluster as a multiple of the start rate; 0 is none
 * @n_packets: number of packets in each cluster
 * @min_spacing: packets that would be sent closer together are no probe
 * @prober: when its packets leave
 *
 * The clusters in which the first packets of a session are sent, for a receiver
 * that looks for them (#GccRembProbeDetector).
 */
typedef struct {
  gdouble factors[GCC_PACER_START_PROBES];
  guint n_packets[GCC_PACER_START_PROBES];
  GccTime min_spacing;
  GccProberParams prober;
} GccStartProbeParams;

/**
 * GccPacerParams:
 * @factor: pacing rate as a multiple of A_s; 0 is no pacing
 * @burst_time: time at the pacing rate that one group of packets is worth
 * @max_late: greatest time that a pacer makes up for after it has woken up late
 * @repays_probes: whether packets after a probe wait until the rate has paid
 *   for the probe (gcc_pacer_probed())
 * @start_probe: probes of the first packets
 */
typedef struct {
  gdouble factor;
  GccTime burst_time;
  GccTime max_late;
  gboolean repays_probes;
  GccStartProbeParams start_probe;
} GccPacerParams;

/**
 * GccPacer:
 *
 * Schedules queued packets: in groups of #GccPacerParams.burst_time at the
 * pacing rate (draft-ietf-rmcat-gcc, section 4), or faster if a packet would
 * otherwise be held longer than the bound. It holds no packets, only their
 * sizes. Fields are private.
 */
typedef struct {
  GccTime burst_time;
  GccTime max_late;
  gboolean repays_probes;
  GccTime max_wait;
  GccRate rate;
  GccRate boost;
  GccRate padding_rate;
  GccTime padding_due;
  gint64 queued;
  gboolean has_group;
  GccTime group_start;
  gint64 group_load;
  const GccStartProbeParams *start_probe;
  GccRate probe_rate;
  GccProber prober;
} GccPacer;

/* @max_wait: maximum time a packet is held, plus the time by which the caller
 * is late; above 0. The pacer speeds up rather than exceed it. */
void gcc_pacer_init (
    GccPacer *self, const GccPacerParams *params, GccTime max_wait);

/* Each packet is a group of its own, so that none waits for another of it in a
 * queue that marks. */
void gcc_pacer_send_singly (GccPacer *self);

/* The next packets are to probe the path, by multiples of @start, bit/s. They
 * leave at the pace of the probes, or sooner where the bound says so. */
void gcc_pacer_probe (GccPacer *self, GccRate start, GccTime now);

/* Forgets all queued packets. */
void gcc_pacer_reset (GccPacer *self);

/* Sets the pacing rate, bit/s; above 0. It applies to queued packets, too. */
void gcc_pacer_set_rate (GccPacer *self, GccRate rate);

/* Sets the rate that padding reaches where media is less, bit/s; 0 is none. */
void gcc_pacer_set_padding_rate (GccPacer *self, GccRate rate);

/* When padding is due: @now, or the later time at which the padding rate has
 * paid for all sent bytes; %GCC_TIME_NONE while packets are queued, or without
 * such a rate. */
GccTime gcc_pacer_next_padding (const GccPacer *self, GccTime now);

/* Bytes of padding that are to leave then. */
gsize gcc_pacer_get_padding_size (const GccPacer *self);

/* RTP payload in the queue, bytes. */
gint64 gcc_pacer_get_queued (const GccPacer *self);

/* Whether the queue is longer than it becomes while time passes, even behind the
 * longest bound and twice as fast as @max_rate, bit/s: it holds more than that
 * rate sends in twenty seconds, and more than a key frame. The caller does not
 * wait then. */
gboolean gcc_pacer_is_overfull (const GccPacer *self, GccRate max_rate);

/* A packet of @bytes joins the queue. */
void gcc_pacer_queued (GccPacer *self, gsize bytes, GccTime now);

/* When the next packet may be sent: @now or later. */
GccTime gcc_pacer_next_send (GccPacer *self, GccTime now);

/* A packet of @bytes is sent, no sooner than gcc_pacer_next_send() has
 * returned. */
void gcc_pacer_sent (GccPacer *self, gsize bytes, GccTime now);

/* A packet of @bytes is sent at the time of a probe that is not the pacer's
 * own. */
void gcc_pacer_probed (GccPacer *self, gsize bytes, GccTime now);

/* A packet of @bytes is removed from the queue without being sent. */
void gcc_pacer_dropped (GccPacer *self, gsize bytes);

G_END_DECLS
