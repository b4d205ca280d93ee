/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>
#include <gst/gcc/wire/gcc-ccfb.h>

G_BEGIN_DECLS

/* The cluster of a packet that is no probe. */
#define GCC_PROBE_NONE (-1)

/**
 * GccProbeInfo:
 * @id: number of the cluster; %GCC_PROBE_NONE for a packet that is no probe
 * @min_packets: least number of packets in the cluster
 * @min_bytes: least number of bytes in the cluster
 *
 * The probe cluster of a packet.
 */
typedef struct {
  gint id;
  guint min_packets;
  guint min_bytes;
} GccProbeInfo;

/**
 * GccSentRecord:
 * @seq: transport-wide sequence number, unwrapped
 * @previous: that of our packet before it; numbers in between are those of other
 *   senders
 * @time: when it was sent
 * @size: size with all headers, bytes
 * @unnumbered_bytes: of packets without a number that were sent since the last
 *   one with a number
 * @ssrc: its stream, 0 where it is not needed
 * @rtp_seq: its RTP sequence number
 * @is_audio: whether it is of an audio stream
 * @probe: its cluster
 */
typedef struct {
  gint64 seq;
  gint64 previous;
  GccTime time;
  guint32 size;
  guint32 unnumbered_bytes;
  guint32 ssrc;
  guint16 rtp_seq;
  gboolean is_audio;
  GccProbeInfo probe;
} GccSentRecord;

/**
 * GccPacketResult:
 * @sent: the packet as it was sent
 * @is_received: whether it has arrived
 * @arrival: when, in the sender's time plus a constant; %GCC_TIME_NONE where
 *   unknown or lost
 * @was_lost: whether an earlier feedback had reported it lost
 * @had_arrived: whether an earlier feedback had reported its arrival, without a
 *   time
 * @ecn: the bits with which it arrived, where the feedback has them
 *
 * The fate of a packet. Each packet has one result; another follows when a lost
 * packet arrives after all, and when the time of an arrival becomes known.
 */
typedef struct {
  GccSentRecord sent;
  gboolean is_received;
  GccTime arrival;
  gboolean was_lost;
  gboolean had_arrived;
  GccEcn ecn;
} GccPacketResult;

/**
 * gcc_packet_results_sort:
 *
 * Sorts @results in the order of arrival, those that arrived together by
 * number; those whose arrival is not known come last.
 *
 * Returns: how many have an arrival
 */
guint gcc_packet_results_sort (GccPacketResult *results, guint n_results);

/**
 * gcc_packet_results_get_round_trip:
 * @now: when the feedback came
 * @max_feedback: (out): longest time from a packet to the feedback
 * @propagation: (out): shortest one, without the time that the receiver kept
 *   the packet waiting for the feedback
 *
 * Returns: %FALSE, with nothing written, if no arrival is known
 */
gboolean gcc_packet_results_get_round_trip (const GccPacketResult *results,
    guint n_results, GccTime now, GccTime *max_feedback, GccTime *propagation);

G_END_DECLS
