/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-abs-send-time.h>
#include <gst/gcc/gcc-column.h>
#include <gst/gcc/gcc-profile.h>
#include <gst/gcc/gcc-remb.h>
#include <gst/gcc/gcc-states.h>
#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/* Most streams (SSRCs) that one receiver follows at a time. A further stream
 * counts in the received rate but has no arrival filter of its own. */
#define GCC_RECEIVER_MAX_STREAMS 64

/**
 * GccPacket:
 * @ssrc: the stream
 * @rtp_timestamp: in units of 1 / @clock_rate s
 * @clock_rate: Hz; 0 is taken as 90000
 * @arrival: when the packet arrived; the origin is arbitrary, only differences
 *   count
 * @payload_size: bytes, without RTP header, header extensions and padding
 * @has_abs_send_time: whether the packet carries @abs_send_time
 * @abs_send_time: when it was sent, in 2^-18 s, 24 bits (header extension
 *   %GCC_ABS_SEND_TIME_URI); some profiles use it in place of @rtp_timestamp
 * @ignore_rtp_timestamp: whether @rtp_timestamp is not the time at which the
 *   packet was sent, as in retransmissions and FEC, or is of another clock. The
 *   packet counts in the received rate. Its delay is measured only by
 *   @abs_send_time, and only while the delay of the media is
 * @n_lost: packets of the stream that are missing just before this one; -1: this
 *   one was missing, because it comes late (RFC 3550, appendix A.3)
 *
 * The properties of an RTP packet that the delay-based controller uses.
 */
typedef struct {
  guint32 ssrc;
  guint32 rtp_timestamp;
  guint clock_rate;
  GccTime arrival;
  gsize payload_size;
  gboolean has_abs_send_time;
  guint32 abs_send_time;
  gboolean ignore_rtp_timestamp;
  gint n_lost;
} GccPacket;

/**
 * GccReceiverEvent:
 * @GCC_RECEIVER_EVENT_NONE: nothing that the trace records
 * @GCC_RECEIVER_EVENT_GROUP: a packet group was completed: new m, γ and signal
 * @GCC_RECEIVER_EVENT_RATE: the rate controller ran: new state and A_r
 * @GCC_RECEIVER_EVENT_REMB: a REMB is due: send an RTCP report now
 *
 * The most important effect of a call. Each value implies that the values
 * before it may apply, too.
 */
typedef enum {
  GCC_RECEIVER_EVENT_NONE,
  GCC_RECEIVER_EVENT_GROUP,
  GCC_RECEIVER_EVENT_RATE,
  GCC_RECEIVER_EVENT_REMB,
} GccReceiverEvent;

GCC_API const gchar *gcc_receiver_event_to_string (GccReceiverEvent event);

/**
 * GccReceiverStats:
 * @ssrc: the stream of the last packet group
 * @delay_variation_ms: d(t_i), inter-arrival minus inter-departure time, ms
 * @m_ms: m(t_i), the arrival filter's output, ms per group
 * @modified_m_ms: min (n, 60) · m(t_i), which the detector compares with γ, ms
 * @gamma_ms: γ, the over-use detector's threshold, on the scale of
 *   @modified_m_ms, ms
 * @signal: signal that the rate controller was given: that of the over-use
 *   detector, all streams combined, or normal where the profile has rules and other
 *   flows hold the queue
 * @state: state of the rate controller
 * @competition: whether other traffic holds a standing queue
 * @verdict: what the last drain has shown
 * @path_queue_ms: how long the last packet waited, ms; NaN where the profile has no
 *   rules about it
 * @path_capacity: what the packets of a frame have shown of the link at most, bit/s;
 *   %GCC_RATE_NONE while unknown
 * @received_rate: R(t), bit/s
 * @estimate: A_r, bit/s; %GCC_RATE_NONE before the first estimate
 * @remb: the last A_r that was due to be sent, bit/s
 *
 * The state of the delay-based controller after the last call, and its
 * counters.
 */
typedef struct {
  guint32 ssrc;
  gdouble delay_variation_ms;
  gdouble m_ms;
  gdouble modified_m_ms;
  gdouble gamma_ms;
  GccSignal signal;
  GccRateControlState state;
  GccCompetitionState competition;
  GccVerdict verdict;
  gdouble path_queue_ms;
  GccRate path_capacity;
  GccRate received_rate;
  GccRate estimate;
  GccRate remb;
  guint64 packets;
  guint64 groups;
  guint64 overuses;
} GccReceiverStats;

GCC_API extern const GccColumn gcc_receiver_columns[];
GCC_API extern const guint gcc_receiver_n_columns;

/**
 * GccReceiver:
 *
 * The delay-based controller: it measures the packets of a session, computes
 * the rate A_r that their sender should not exceed, and decides when to send
 * it. Not thread-safe.
 */
typedef struct _GccReceiver GccReceiver;

GCC_API GccReceiver *gcc_receiver_new (const GccProfile *profile);
GCC_API void gcc_receiver_free (GccReceiver *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GccReceiver, gcc_receiver_free)

/* Sets the round-trip time, if it is known at the receiver. The default is the
 * profile's. */
GCC_API void gcc_receiver_set_rtt (GccReceiver *self, GccTime rtt);

/* Takes one packet, in the order of arrival. A packet with a timestamp before
 * that of the current group counts in the received rate only. */
GCC_API GccReceiverEvent gcc_receiver_feed (
    GccReceiver *self, const GccPacket *packet, GccTime now);

/* When to call gcc_receiver_handle_timeout() next; %GCC_TIME_NONE before the
 * first packet, when all streams are silent, and while packets carry
 * abs-send-time, because then they are the timer themselves. A late call does
 * no harm. */
GCC_API GccTime gcc_receiver_next_timeout (const GccReceiver *self);
GCC_API GccReceiverEvent gcc_receiver_handle_timeout (
    GccReceiver *self, GccTime now);

/* A_r in bit/s, or %GCC_RATE_NONE before the first estimate, when there is
 * nothing to send. */
GCC_API GccRate gcc_receiver_get_estimate (const GccReceiver *self);

/* Whether abs-send-time is currently used; else RTP timestamps are. */
GCC_API gboolean gcc_receiver_uses_abs_send_time (const GccReceiver *self);

/* Sets the rate of @remb to A_r, and its media sources to the streams that A_r is
 * for. Returns %FALSE when there is nothing to send: no A_r, or no stream. */
GCC_API gboolean gcc_receiver_get_remb (const GccReceiver *self, GccRemb *remb);

GCC_API const GccReceiverStats *gcc_receiver_get_stats (
    const GccReceiver *self);

G_END_DECLS
