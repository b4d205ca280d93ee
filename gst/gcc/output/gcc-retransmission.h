/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRetransmissionParams:
 * @window: time over which the room given to a request is measured; a request
 *   after a longer pause is treated as the first
 * @min_budget: least budget of a request, bytes: on a short path A_s · RTT is
 *   less than a packet, and nothing would ever be retransmitted
 * @resend_delay: time, in addition to the RTT, before a packet is retransmitted
 *   again
 * @max_age: a packet is not retransmitted when more than the RTT and this have
 *   passed since it was sent, because no jitter buffer waits for it any more; 0:
 *   no limit
 */
typedef struct {
  GccTime window;
  guint min_budget;
  GccTime resend_delay;
  GccTime max_age;
} GccRetransmissionParams;

/* Number of packets whose size and last retransmission are remembered; a power
 * of two. More than two seconds at 4 Mbit/s. */
#define GCC_RETRANSMISSION_HISTORY 1024

/**
 * GccRetransmission:
 *
 * Decides which of the packets that a receiver requests (NACK, RFC 4585) are
 * retransmitted: at most A_s · RTT bytes per request, never more than the room
 * left in the window, no packet again before its last copy can have arrived,
 * and none that would arrive too late. Fields are private.
 */
typedef struct {
  const GccRetransmissionParams *params;
  gint64 budget;
  gboolean has_request;
  gboolean was_asked;
  GccTime last_request;
  GccTime this_request;
  struct {
    guint32 ssrc;
    guint16 seq;
    guint16 bytes;
    GccTime sent;
    GccTime resent;
  } packets[GCC_RETRANSMISSION_HISTORY];
} GccRetransmission;

void gcc_retransmission_init (
    GccRetransmission *self, const GccRetransmissionParams *params);

/* Remembers a media packet with @bytes of RTP payload. A packet without payload
 * is not remembered, because there is nothing to retransmit. */
void gcc_retransmission_feed_sent (GccRetransmission *self, guint32 ssrc,
    guint16 seq, gsize bytes, GccTime now);

/**
 * gcc_retransmission_begin:
 * @target: A_s, bit/s
 * @room: what retransmissions may still take of the window's rate, bit/s
 * @rtt: round-trip time; negative: not known, then it sets no limit
 *
 * Begins a request (one RTCP packet). Its budget is A_s · RTT bytes, or A_s
 * times the time since the last request if that is longer, but at least
 * #GccRetransmissionParams.min_budget; and never more than @room over the
 * window.
 */
void gcc_retransmission_begin (GccRetransmission *self, GccRate target,
    GccRate room, GccTime rtt, GccTime now);

/* Whether this packet of the current request may be retransmitted; if so it
 * counts as sent at @now. A packet that is not remembered may not. */
gboolean gcc_retransmission_allow (GccRetransmission *self, guint32 ssrc,
    guint16 seq, GccTime rtt, GccTime now);

G_END_DECLS
