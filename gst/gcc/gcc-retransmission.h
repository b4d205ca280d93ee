/* GStreamer Google Congestion Control
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gst/gcc/gcc-types.h>

G_BEGIN_DECLS

/**
 * GccRetransmissionParams:
 * @window: time for which the room that is told holds; a request after a longer
 *   pause is the first of its kind
 * @min_budget: that any request is worth, bytes: A_s · RTT of a short path is
 *   less than a packet, and nothing would ever be sent again
 * @resend_delay: a packet is not sent again before the RTT and this have passed
 * @max_age: a packet is not sent again when more than the RTT and this have
 *   passed since it was sent: no jitter buffer waits for it any more; 0: always
 */
typedef struct {
  GccTime window;
  guint min_budget;
  GccTime resend_delay;
  GccTime max_age;
} GccRetransmissionParams;

/* Packets whose size and last retransmission are remembered; a power of two.
 * More than two seconds of 4 Mbit/s. */
#define GCC_RETRANSMISSION_HISTORY 1024

/**
 * GccRetransmission:
 *
 * Which of the packets that a receiver asks for (NACK, RFC 4585) are sent
 * again: at most A_s · RTT bytes for one request, never more than the room that
 * is left in the window, a packet not again before the last copy can have
 * arrived, and none that would come too late. Fields are private.
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

/* Remembers a media packet of @bytes of RTP payload that is sent; not one
 * without payload, which is nothing to ask for again. */
void gcc_retransmission_feed_sent (GccRetransmission *self, guint32 ssrc,
    guint16 seq, gsize bytes, GccTime now);

/**
 * gcc_retransmission_begin:
 * @target: A_s, bit/s
 * @room: what retransmissions may still take of the window's rate, bit/s
 * @rtt: round-trip time; negative: not known, and then no limit by it
 *
 * A request may begin (one RTCP packet): its budget is A_s · RTT bytes, or A_s
 * times the time since the last request where they come less often than that,
 * but at least #GccRetransmissionParams.min_budget; or @room over the window
 * where that is less.
 */
void gcc_retransmission_begin (GccRetransmission *self, GccRate target,
    GccRate room, GccTime rtt, GccTime now);

/* Whether this packet, asked for in the request that began last, may be sent
 * again; if so it counts as sent at @now. A packet that is not remembered may
 * not. */
gboolean gcc_retransmission_allow (GccRetransmission *self, guint32 ssrc,
    guint16 seq, GccTime rtt, GccTime now);

G_END_DECLS
